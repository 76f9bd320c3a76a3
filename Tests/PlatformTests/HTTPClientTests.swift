import Platform
import StudyTesting
import Testing

/// Whether libcurl is here.
private let hasCurl: Bool = {
    do throws(HTTPFailure) {
        _ = try HTTPClient()
        return true
    } catch {
        return false
    }
}()

@Suite(.enabled(if: hasCurl, "libcurl is not on this machine"), .timeLimit(.minutes(30)))
struct HTTPClientTests {
    @Test func `gets an answer with its head and body`() async throws {
        let server = ScriptedServer([.status(200, #"{"bpm":64}"#, headers: ["X-Thing: one two "])])
        defer { server.stop() }
        var request = HTTPRequest(server.url("/heart?since=0"))
        request.headers = [HTTPHeader("Authorization", "Bearer secret"), HTTPHeader("X-Empty", "")]
        let answer = try await HTTPClient().response(to: request)
        #expect(answer.head.status == 200)
        #expect(answer.head.isSuccess)
        #expect(answer.head["x-thing"] == "one two")
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"bpm":64}"#)
        let asked = try #require(server.requests.first)
        #expect(asked.hasPrefix("GET /heart?since=0 HTTP/1.1\r\n"))
        #expect(asked.contains("Authorization: Bearer secret\r\n"))
        #expect(asked.contains("X-Empty:\r\n"))
        #expect(asked.contains("User-Agent: entrain\r\n"))
    }

    @Test(arguments: ["", "72\n", String(repeating: "x", count: 2_000_000)])
    func `posts a body of any length`(body: String) async throws {
        let server = ScriptedServer([.status(201)])
        defer { server.stop() }
        var request = HTTPRequest(server.url())
        request.body = Array(body.utf8)
        request.headers = [HTTPHeader("Content-Type", "application/x-ndjson")]
        #expect(try await HTTPClient().response(to: request).head.status == 201)
        let asked = try #require(server.requests.first)
        #expect(asked.hasPrefix("POST / HTTP/1.1\r\n"))
        #expect(asked.hasSuffix("\r\n\r\n" + body))
    }

    @Test(arguments: [404, 500, 503, 204])
    func `an answer is an answer whatever its status`(status: Int) async throws {
        let server = ScriptedServer([.status(status, status == 204 ? "" : "no")])
        defer { server.stop() }
        let answer = try await HTTPClient().response(to: HTTPRequest(server.url()))
        #expect(answer.head.status == status)
        #expect(answer.head.isSuccess == (status == 204))
    }

    @Test func `follows a redirection, and tells the last head only`() async throws {
        let server = ScriptedServer([
            .status(302, "gone", headers: ["Location: /there"]), .status(200, "here"),
        ])
        defer { server.stop() }
        let answer = try await HTTPClient().response(to: HTTPRequest(server.url()))
        #expect(answer.head.status == 200)
        #expect(answer.body == Array("here".utf8))
        #expect(server.requests.count == 2)
    }

    @Test func `goes round in no circle, and speaks no other protocol after a redirection`() async {
        for place in ["/", "file:///etc/hostname"] {
            let server = ScriptedServer([.status(302, headers: ["Location: \(place)"])])
            defer { server.stop() }
            await #expect(throws: HTTPFailure.self) {
                try await HTTPClient().response(to: HTTPRequest(server.url()))
            }
        }
    }

    @Test func `refuses an answer that is too large`() async {
        let server = ScriptedServer([.status(200, String(repeating: "x", count: 5000))])
        defer { server.stop() }
        var request = HTTPRequest(server.url())
        request.sizeLimit = 4999
        await #expect(throws: HTTPFailure.tooLarge(4999)) { try await HTTPClient().response(to: request) }
        request.sizeLimit = 5000
        await #expect(throws: Never.self) { try await HTTPClient().response(to: request) }
    }

    @Test func `waits for a silent server no longer than it may`() async {
        let server = ScriptedServer([ScriptedServer.Answer("HTTP/1.1 200 OK\r\n", isHeld: true)])
        defer { server.stop() }
        var request = HTTPRequest(server.url())
        request.limit = .milliseconds(50)
        let failure = await #expect(throws: HTTPFailure.self) {
            try await HTTPClient().response(to: request)
        }
        guard case .tooSlow? = failure else {
            Issue.record("it says \(String(describing: failure))")
            return
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", "no HTTP at all, not at all"])
    func `says that an answer broke off or is none`(text: String) async {
        let server = ScriptedServer([ScriptedServer.Answer(text)])
        defer { server.stop() }
        let failure = await #expect(throws: HTTPFailure.self) {
            try await HTTPClient().response(to: HTTPRequest(server.url()))
        }
        guard case .broken(let words)? = failure else {
            Issue.record("it says \(String(describing: failure))")
            return
        }
        #expect(!words.isEmpty)
    }

    @Test func `says that nobody is there`() async {
        let server = ScriptedServer([])
        let url = server.url()
        server.stop()
        let failure = await #expect(throws: HTTPFailure.self) {
            try await HTTPClient().response(to: HTTPRequest(url))
        }
        #expect(failure != nil)
    }

    @Test(arguments: ["file:///etc/hostname", "localhost:80", "ftp://example.org", "", "http://a\r\nX: y"])
    func `asks nothing but servers, and in one line`(url: String) async {
        let failure = await #expect(throws: HTTPFailure.self) {
            try await HTTPClient().response(to: HTTPRequest(url))
        }
        guard case .badRequest? = failure else {
            Issue.record("it says \(String(describing: failure))")
            return
        }
    }

    @Test func `a stream is heard as it comes, and closed by whoever leaves it`() async throws {
        let server = ScriptedServer([
            ScriptedServer.Answer(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 90\n\n", isHeld: true)
        ])
        defer { server.stop() }
        var request = HTTPRequest(server.url())
        request.limit = nil
        request.sizeLimit = nil
        let client = try HTTPClient()
        var heard: [UInt8] = []
        for await event in client.events(of: request) {
            switch event {
            case .head(let head): #expect(head["Content-Type"] == "text/event-stream")
            case .bytes(let bytes): heard += bytes
            case .failed(let failure): Issue.record("\(failure)")
            }
            if heard.count == 10 { break }
        }
        #expect(heard == Array("data: 90\n\n".utf8))
        var closings = server.closings.makeAsyncIterator()
        #expect(await closings.next() != nil)
    }

    @Test func `cancelling the task that waits closes the connection`() async throws {
        let server = ScriptedServer([ScriptedServer.Answer("HTTP/1.1 200 OK\r\n\r\nx", isHeld: true)])
        defer { server.stop() }
        let client = try HTTPClient()
        let (arrivals, sink) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup { group in
            group.addTask {
                for await event in client.events(of: HTTPRequest(server.url())) {
                    if case .bytes = event { sink.yield() }
                }
            }
            var iterator = arrivals.makeAsyncIterator()
            _ = await iterator.next()
            group.cancelAll()
        }
        var closings = server.closings.makeAsyncIterator()
        #expect(await closings.next() != nil)
    }

    @Test func `many exchanges go on at once`() async throws {
        let server = ScriptedServer([.status(200, "yes")])
        defer { server.stop() }
        let client = try HTTPClient()
        let answers = await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    do { return try await client.response(to: HTTPRequest(server.url())).head.status } catch {
                        return 0
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == [Int](repeating: 200, count: 50))
    }
}
