import Platform
import Results
import StudyEngine
import StudyTesting
import Testing
import TextFormat

@testable import MonitorClient
@testable import Platform

@Suite struct MonitorOutboxTests {
    static func messages(_ count: Int) -> [MonitorMessage] {
        [MonitorMessage(.series, ["id": "run"])]
            + (1..<count).map {
                MonitorMessage(.heartRate, key: String($0), ["samples": [["bpm": .integer($0)]]])
            }
    }

    @Test func `goes on after each that is kept, and stands still while nobody answers`() {
        var outbox = MonitorOutbox(Self.messages(2))
        #expect(outbox.next?.part == .series)
        let goesOn = outbox.take(.away("nobody"))
        #expect(!goesOn)
        #expect(outbox.next?.part == .series)
        let isGoing = outbox.take(.kept)
        #expect(isGoing && outbox.next?.key == "1")
        _ = outbox.take(.kept)
        #expect(outbox.next == nil && outbox.outcome.left == 0)
    }

    @Test func `begins again with a monitor that has forgotten the session`() {
        var outbox = MonitorOutbox(Self.messages(3))
        let goesOn = [MonitorOutbox.Answer.kept, .kept, .unknownSeries].map { outbox.take($0) }
        #expect(goesOn == [true, true, true])
        #expect(outbox.next?.part == .series)
    }

    @Test func `does not give messages to a server that is none`() {
        var outbox = MonitorOutbox(Self.messages(2))
        let goesOn = outbox.take(.unknownSeries)
        #expect(!goesOn)
        #expect(outbox.outcome.left == 2)
    }

    @Test func `passes over what is not wanted, and says so`() {
        var outbox = MonitorOutbox(Self.messages(3))
        let goesOn = [MonitorOutbox.Answer.kept, .unwanted("no"), .kept].map { outbox.take($0) }
        #expect(goesOn == [true, true, true])
        #expect(outbox.outcome == MonitorLink.Outcome(left: 0, refused: 1, problem: "no"))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a monitor that fails at any time has everything once in the end`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var outbox = MonitorOutbox(Self.messages(20))
        var kept: [String] = []
        var knows = false
        while let next = outbox.next {
            let chance = random.index(below: 10)
            if chance < 3 {
                // It may have kept what it could not acknowledge.
                if chance == 0, knows, let key = next.key, !kept.contains(key) { kept.append(key) }
                _ = outbox.take(.away("lost on the way"))
            } else if next.part == .series {
                knows = true
                _ = outbox.take(.kept)
            } else if let key = next.key {
                if !kept.contains(key) { kept.append(key) }
                _ = outbox.take(.kept)
            }
        }
        #expect(kept == (1..<20).map(String.init))
    }

    @Test func `gives a run without an end one`() {
        var outbox = MonitorOutbox(
            Self.messages(2) + [
                MonitorMessage(.events, ["events": [["kind": "stepShown", "sequence": 7, "elapsed": 3.5]]])
            ])
        outbox.close()
        for _ in 0..<3 { _ = outbox.take(.kept) }
        let end = outbox.next?.body["events"]?.list?.first
        #expect(end?["kind"] == "over" && end?["sequence"] == 8 && end?["elapsed"]?.number == 3.5)
        outbox.close()
        #expect(outbox.count == 4)
    }

    @Test(arguments: [
        (201, #"{"accepted":1,"cursor":"1"}"#, MonitorOutbox.Answer.kept),
        (200, "<html>", .away("no monitor is there: it answers 200")),
        (404, "not found", .away("no monitor is there: it answers 404")),
        (404, #"{"error":"there is no session"}"#, .unknownSeries),
        (422, #"{"error":"bpm"}"#, .unwanted("the monitor answers 422: bpm")),
        (401, #"{"error":"a token"}"#, .away("the monitor answers 401: a token")),
        (507, #"{"error":"full"}"#, .away("the monitor answers 507: full")),
        (502, "", .away("no monitor is there: it answers 502")),
    ])
    func `understands answers, and who did not give them`(
        status: Int, body: String, answer: MonitorOutbox.Answer
    ) {
        let response = HTTPResponse(head: HTTPHead(status: status, headers: []), body: Array(body.utf8))
        #expect(MonitorSender.meaning(of: response) == answer)
    }

    @Test func `a spool gives back what it took, without a line that was cut short, to one at a time`() throws
    {
        let folder = TemporaryFolder()
        let messages = Self.messages(3)
        let spool = try #require(Spool(in: folder.path, run: "RUN"))
        spool.append(MonitorOutbox(messages).lines(from: 0))
        spool.append(Array(#"{"part":"events","bo"#.utf8))
        let path = try #require(Spool.left(in: folder.path).first)
        #expect(Spool.run(of: path) == "RUN")
        #expect(Spool(leftAt: path) == nil)
        #expect(spool.messages() == messages)
        spool.remove()
        #expect(Spool.left(in: folder.path) == [])
        #expect(Spool(in: "/dev/null", run: "RUN") == nil)
    }

    @Test(arguments: ["http://localhost:8080", "http://localhost:8080/", "HTTPS://example.org/monitor//"])
    func `takes addresses`(text: String) {
        #expect(MonitorAddress(text, token: nil)?.url.hasSuffix("/") == false)
    }

    @Test(arguments: ["", "here", "localhost:8080", "http://", "ftp://x", "http://x/?a=b", "http://x/#a"])
    func `takes nothing else for an address`(text: String) {
        #expect(MonitorAddress(text, token: nil) == nil)
    }
}
