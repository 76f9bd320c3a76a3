import MonitorClient
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import Recordings

@Suite struct RecordingDeliveryTests {
    static let table = """
        time,hr,rr
        2026-11-20T10:00:02Z,72,830
        2026-11-20T10:00:00Z,70,850 860
        2026-11-20T10:00:01Z,-1,
        2026-11-20T10:00:03Z,18,
        """

    /// A recording of a file, ready to be sent.
    private func recording(_ text: String, title: String = "day.csv", participant: String? = "P01") throws
        -> RecordingDelivery
    {
        let folder = TemporaryFolder()
        #expect(writeFile(Array(text.utf8), to: folder.path + "/day.csv"))
        let export = try RecordingExport()
        _ = try RecordingDigest(of: folder.path + "/day.csv", into: export)
        return try RecordingDelivery(of: export, title: title, participant: participant)
    }

    private func send(_ delivery: RecordingDelivery, to server: ScriptedServer) async throws -> [Int] {
        defer { server.stop() }
        let monitor = try #require(MonitorAddress(server.url(""), token: "secret"))
        var progress: [Int] = []
        try await delivery.send(to: monitor) { progress.append($0) }
        return progress
    }

    /// The JSON that came with each request.
    private func bodies(of server: ScriptedServer) throws -> [JSON] {
        try server.requests.map { request in
            let parts = request.split(separator: "\r\n\r\n", maxSplits: 1)
            return try JSON(parsing: Array(parts[parts.count - 1].utf8))
        }
    }

    @Test func `sends what a monitor keeps, in order of time, with its intervals`() async throws {
        let delivery = try recording(Self.table)
        #expect(delivery.count == 2 && delivery.leftOut == 2)
        let server = ScriptedServer([.status(201, #"{"accepted":1}"#)])
        #expect(try await send(delivery, to: server) == [2])
        let said = try bodies(of: server)
        #expect(said.count == 2)
        #expect(said[0]["kind"] == "import" && said[0]["participant"] == "P01")
        #expect(said[0]["startedAt"] == 1_795_168_800.0)
        #expect(
            said[1]["samples"] == [
                ["t": 1_795_168_800.0, "bpm": 70.0, "rr": [0.85, 0.86]],
                ["t": 1_795_168_802.0, "bpm": 72.0, "rr": [0.83]],
            ])
        #expect(server.requests.allSatisfy { $0.contains("Authorization: Bearer secret") })
        #expect(server.requests[1].contains("Idempotency-Key: 0-2"))
    }

    @Test func `is the same series whenever it is sent, and another for another heart`() async throws {
        func identifier(_ delivery: RecordingDelivery) async throws -> String? {
            let server = ScriptedServer([.status(200, #"{"accepted":1}"#)])
            _ = try await send(delivery, to: server)
            return try bodies(of: server)[0]["id"]?.text
        }
        let first = try await identifier(recording(Self.table))
        #expect(try await identifier(recording(Self.table)) == first)
        #expect(try await identifier(recording(Self.table, participant: "P02")) != first)
        #expect(try await identifier(recording(Self.table, participant: nil)) != first)
        #expect(first?.hasPrefix("import-") == true)
    }

    @Test func `splits a long recording into requests`() async throws {
        let rows = (0..<4500).map { "\(1_700_000_000 + $0),\(60 + $0 % 40)" }
        let server = ScriptedServer([.status(201, #"{"accepted":1}"#)])
        let delivery = try recording("time,hr\n" + rows.joined(separator: "\n") + "\n")
        #expect(try await send(delivery, to: server) == [2000, 4000, 4500])
        #expect(try bodies(of: server).dropFirst().map { $0["samples"]?.list?.count } == [2000, 2000, 500])
    }

    @Test(arguments: [
        (422, #"{"error":"no"}"#, true), (503, #"{"error":"full"}"#, false),
        (401, #"{"error":"token"}"#, false),
        (404, "<html>", false), (404, #"{"error":"nothing is here"}"#, false), (200, "hello", false),
    ])
    func `says whether the data or the monitor is at fault`(status: Int, body: String, isBadData: Bool)
        async throws
    {
        let delivery = try recording(Self.table)
        let failure = await #expect(throws: SourceFailure.self) {
            try await send(delivery, to: ScriptedServer([.status(status, body)]))
        }
        #expect(failure?.isBadData == isBadData)
    }

    @Test func `has nothing to send where no reading can be kept`() {
        let failure = #expect(throws: SourceFailure.self) { try recording("time,hr\n1,60\n2,61\n") }
        #expect(failure?.isBadData == true)
    }
}
