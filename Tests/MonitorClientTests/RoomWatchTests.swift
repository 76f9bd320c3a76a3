import Platform
import SessionPorts
import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import MonitorClient

/// What a desk reads of a monitor and tells it.
@Suite struct RoomWatchTests {
    private static let clock = ScriptedServer.Answer.status(200, #"{"now": 1000}"#)

    private func watch(_ answers: ScriptedServer.Answer...) throws -> (ScriptedServer, RoomWatch) {
        let server = ScriptedServer(answers)
        let monitor = try #require(MonitorAddress("http://127.0.0.1:\(server.port)", token: "secret"))
        return (server, try RoomWatch(monitor))
    }

    private func look(_ session: String, alarms: String = "") async throws -> (
        runs: [WatchedRun], alarms: [WatchedAlarm]
    ) {
        let steps =
            #""steps": [{"identifier": "rest", "title": "A rest", "duration": 60}, {"identifier": "end"}]"#
        let run =
            #"{"kind": "run", "id": "R", "participant": "P06", "source": "room-3", "session": 2, \#(steps), \#(session)}"#
        let (server, watch) = try watch(
            Self.clock,
            .status(200, #"{"sessions": [\#(run), {"kind": "readings", "state": "running", "id": "x"}]}"#),
            .status(200, #"{"alarms": [\#(alarms)]}"#))
        defer { server.stop() }
        return try await watch.look()
    }

    @Test func `a run in a timed step has its time left and its heart rate`() async throws {
        let run = try #require(
            try await look(
                #""state": "running", "last": {"bpm": 71, "t": 998.5}, "progress": {"step": "rest", "since": 970}"#
            ).runs.first)
        #expect(run.participant == "P06" && run.room == "room-3" && run.session == 2 && run.step == "A rest")
        #expect(run.left == 30 && run.heart?.rate == 71 && run.heart?.age == 1.5 && !run.isLost)
        #expect(run.controls == [.message, .end, .pause, .restart, .skip])
    }

    @Test func `time stands still while a run is paused`() async throws {
        let run = try #require(
            try await look(
                #""state": "running", "progress": {"step": "rest", "since": 970, "paused": 990}"#
            ).runs.first)
        #expect(run.paused == 10 && run.left == 40 && run.heart == nil && !run.hasHeart)
        #expect(run.controls.contains(.resume) && !run.controls.contains(.pause))
    }

    @Test func `a run that waits for a source can begin without it, and a lost rate is no rate`() async throws
    {
        let lost =
            #""sources": [{"name": "heartRate", "state": "lost", "text": "no notification"}, {"name": "belt", "state": "live"}], "last": {"bpm": 71, "t": 999}"#
        let run = try #require(
            try await look(#""state": "running", "progress": {"step": "end"}, \#(lost)"#).runs.first)
        #expect(run.troubles == ["heartRate: no notification"])
        #expect(run.awaitedSource == "heartRate" && run.heart == nil && run.hasHeart)
        #expect(run.controls == [.message, .end, .withoutSource], "nothing comes after the last step")
    }

    @Test func `a lost run is told, one that is over and readings are not`() async throws {
        #expect(try await look(#""state": "lost""#).runs.map(\.isLost) == [true])
        #expect(try await look(#""state": "over""#).runs.isEmpty)
    }

    @Test func `alarms that nobody has acknowledged are told`() async throws {
        let alarms = try await look(
            #""state": "running""#,
            alarms: """
                {"number": 4, "session": "R", "kind": "runDead", "began": 990},
                {"number": 5, "session": "R", "kind": "above", "limit": 170, "for": 10, "rate": 182, "ended": 999},
                {"number": 6, "session": "R", "kind": "runDead", "acknowledged": 999}
                """
        ).alarms
        #expect(alarms.map(\.number) == [4, 5] && alarms.map(\.isOver) == [false, true])
        #expect(alarms.map(\.words) == ["run dead", "heart rate above 170 bpm for 10 s"])
    }

    @Test func `an order has the moment of its key, and the words of a refusal are handed on`() async throws {
        let (server, watch) = try watch(Self.clock, .status(409, #"{"error": "nothing is paused"}"#))
        defer { server.stop() }
        let pressed = monotonicNanoseconds() - 3_000_000_000
        let request = MarkRequest(.control, control: .resume, text: "goes on", pressed: pressed) { _ in }
        await #expect { try await watch.ask("R", for: request) } throws: { "\($0)" == "nothing is paused" }
        let asked = try #require(server.requests.last)
        #expect(asked.hasPrefix("POST /api/sessions/R/requests ") && asked.contains("Bearer secret"))
        let body = try JSON(parsing: Array((asked.split(separator: "\r\n\r\n").last ?? "").utf8))
        #expect(body["control"] == "resume" && body["kind"] == "control" && body["text"] == "goes on")
        let moment = try #require(body["pressed"]?.number)
        // The server's clock stands at 1000, and the key came at least 3 s before it was asked.
        #expect(moment < 997.1)
    }

    @Test func `what is no answer of a monitor is a failure`() async throws {
        let (server, watch) = try watch(.status(502, "Bad Gateway"))
        defer { server.stop() }
        await #expect { try await watch.look() } throws: { "\($0)" == "the monitor answers 502" }
    }
}
