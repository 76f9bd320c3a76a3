import HTTPTypes
import MonitorInterface
import NIOCore
import Results
import Testing
import TextFormat

@testable import Monitor

@Suite struct RequestTests {
    private static let pause = try? ExperimenterRequest(
        json: json(
            #"{"kind":"control","control":"pause","text":"the strap fell off","pressed":1479686400.5}"#),
        by: "anna")

    /// What a run is told, as JSON.
    private func told(_ message: Feed.Message?) throws -> JSON {
        guard case .notice(let bytes)? = message else { throw Refusal.notFound("no request came") }
        let lines = String(buffer: bytes).split(separator: "\n")
        #expect(lines.first == "event: request")
        return try json(String(try #require(lines.last?.dropFirst("data: ".count))))
    }

    @Test(.timeLimit(.minutes(30)), arguments: [nil, "nothing is paused"])
    func `an experimenter hears what the run answers`(problem: String?) async throws {
        let feed = Feed(limits: Limits())
        let requests = RunRequests(feed)
        let messages = try feed.listen(to: .requests(run: "run")) {}
        let others = try feed.listen(to: .requests(run: "other")) {}
        async let outcome = Result { () async throws in try await requests.ask("run", #require(Self.pause)) }
        var heard = messages.makeAsyncIterator()
        let told = try told(await heard.next())
        #expect(told["control"] == "pause" && told["by"] == "anna" && told["pressed"] == 1_479_686_400.5)
        let number = try #require(told["number"]?.integer)
        #expect(throws: Refusal.self) {
            try requests.deliver(RequestAnswer(json: [:]), to: number, of: "other")
        }
        try requests.deliver(
            RequestAnswer(
                json: ["problem": problem.map { .text($0) } ?? .null]), to: number, of: "run")
        switch await outcome {
        case .success: #expect(problem == nil)
        case .failure(let error): #expect((error as? Refusal)?.reason == problem)
        }
        #expect(throws: Refusal.self) {
            try requests.deliver(RequestAnswer(json: [:]), to: number, of: "run")
        }
        feed.close()
        for await message in others { Issue.record("another run heard \(message)") }
    }

    @Test func `a run that does not listen cannot be asked`() async throws {
        let requests = RunRequests(Feed(limits: Limits()))
        let error = await #expect(throws: Refusal.self) {
            try await requests.ask("run", #require(Self.pause))
        }
        #expect(error?.kind == .conflict)
    }

    @Test(arguments: [
        "{}", #"{"kind":"note","text":"x"}"#, #"{"kind":"note","text":"","pressed":1479686400}"#,
        #"{"kind":"note","text":"a\nb","pressed":1479686400}"#,
        #"{"kind":"control","text":"x","pressed":1479686400}"#,
        #"{"kind":"control","control":"stop","text":"x","pressed":1479686400}"#,
        #"{"kind":"note","control":"pause","text":"x","pressed":1479686400}"#,
        #"{"kind":"adverse","text":"x","pressed":1479686400}"#, #"{"kind":"note","text":"x","pressed":3}"#,
        #"{"kind":"note","text":"x","pressed":1479686400,"uncertainty":-1}"#,
        #"{"kind":"note","text":"x","pressed":1479686400,"by":"bob"}"#,
    ])
    func `a request that no run could take is refused`(body: String) throws {
        #expect(throws: Refusal.self) { try ExperimenterRequest(json: json(body), by: "anna") }
    }

    @Test func `only a token for it changes the course of runs, on this machine, too`() async throws {
        let store = try scratchStore()
        let tokens = try Scope.allCases.map { try store.createToken(named: "\($0)", scopes: [$0], now: 0) }
        let both = try store.createToken(named: "kim", scopes: [.control, .delete], now: 0)
        try await withMonitor(store: store) { client in
            let path = "/api/sessions/run/requests"
            let body = #"{"kind":"note","text":"coughed","pressed":1479686400}"#
            #expect(try await client.post(path, body).status == .unauthorized)
            for (scope, token) in zip(Scope.allCases, tokens) {
                let headers: HTTPFields = [.authorization: "Bearer \(token)"]
                let status = try await client.post(path, body, headers: headers).status
                #expect(status == (scope == .control ? .conflict : .forbidden), "\(scope)")
                let page = try await client.get("/", headers: headers).text
                let offer = #"class="room-controls" aria-labelledby="room-title">"#
                #expect(page.contains(offer) == (scope == .control), "\(scope)")
                #expect(page.contains("Signed in as control") == (scope == .control))
            }
            let page = try await client.get("/", headers: [.authorization: "Bearer \(both)"]).text
            for title in ["room-title", "removal-title"] {
                #expect(page.contains(#"class="room-controls" aria-labelledby="\#(title)">"#), "\(title)")
            }
            #expect(try await client.get("/api/clock").json["now"]?.number ?? 0 > 1.7e9)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
