import StudyModel
import Testing

@testable import MonitorClient
@testable import Platform

@Suite struct MonitorLedgerTests {
    private static func meaning(_ status: Int, _ body: String) throws -> MonitorLedger.Answer {
        let monitor = try #require(MonitorAddress("http://localhost:8080", token: nil))
        return MonitorLedger.meaning(
            of: HTTPResponse(head: HTTPHead(status: status, headers: []), body: Array(body.utf8)),
            from: monitor)
    }

    @Test func `takes an arm`() throws {
        #expect(try Self.meaning(200, #"{"arm":"music","slot":7}"#) == .allocated("music", slot: 7))
        #expect(try Self.meaning(200, #"{"open":["P01"],"study":"calm"}"#) == .ready(open: ["P01"]))
    }

    @Test(arguments: [
        (401, #"{"error":"this token is not valid"}"#), (403, #"{"error":"for ingest"}"#),
        (404, #"{"error":"no ledger"}"#), (409, #"{"error":"another secret"}"#),
        (422, #"{"error":"levels"}"#),
        (404, "<html>"), (200, #"{"accepted":1}"#), (200, #"{"arm":"no name","slot":7}"#),
    ])
    func `does not ask again what was refused`(status: Int, body: String) throws {
        guard case .refused(let reason, _) = try Self.meaning(status, body) else {
            Issue.record("\(status) is not a refusal")
            return
        }
        #expect(reason.contains("http://localhost:8080"))
    }

    @Test(arguments: [
        (429, #"{"error":"more than 1000 requests a second"}"#), (503, #"{"error":"the disk is full"}"#),
        (502, "Bad Gateway"), (504, ""),
    ])
    func `waits for a monitor that cannot answer at the moment`(status: Int, body: String) throws {
        guard case .away = try Self.meaning(status, body) else {
            Issue.record("\(status) does not wait")
            return
        }
    }
}
