import HTTPTypes
import Results
import Testing
import TextFormat

@testable import Monitor

@Suite struct RateTableTests {
    private static let head =
        "session,participant,source,origin,time,t_seconds,elapsed_seconds,bpm,rr_seconds"

    @Test func `a session is a table in the order of measuring`() async throws {
        try await withMonitor { client in
            let description =
                #"{"id":"run","startedAt":1479686400,"participant":"=P1,x","origin":"simulated"}"#
            #expect(try await client.post("/api/sessions", description).status == .created)
            let samples =
                #"{"samples":[{"bpm":92,"elapsed":2.25},{"bpm":91.5,"elapsed":1,"rr":[0.66,0.67]}]}"#
            _ = try await client.post("/api/sessions/run/heart-rate", samples)
            _ = try await client.post("/addheartrate", "60")
            let answer = try await client.get("/api/sessions/run/heart-rate.csv")
            #expect(
                answer.text.split(separator: "\n").map(String.init) == [
                    Self.head,
                    "run,\"'=P1,x\",,simulated,2016-11-21T00:00:01.000Z,1479686401.0,1.0,91.5,0.66 0.67",
                    "run,\"'=P1,x\",,simulated,2016-11-21T00:00:02.250Z,1479686402.25,2.25,92.0,",
                ])
            #expect(answer.headers[.contentType] == "text/csv; charset=utf-8")
            #expect(answer.headers[.contentDisposition] == #"attachment; filename="heart-rate-run.csv""#)
            #expect(try await client.get("/api/sessions/nobody/heart-rate.csv").status == .notFound)
        }
    }

    @Test func `a day is a table, of everybody or of one, however many rates it has`() async throws {
        try await withMonitor { client in
            let moments = (0..<12_000).map { 1_479_729_600 + Double($0) / 2 }
            for start in stride(from: 0, to: moments.count, by: 4000) {
                let samples = moments[start..<start + 4000].map { "{\"bpm\":70,\"t\":\($0)}" }
                _ = try await client.post(
                    "/api/sessions/readings/heart-rate?participant=P02",
                    "{\"samples\":[\(samples.joined(separator: ","))]}")
            }
            _ = try await client.post(
                "/api/sessions/readings/heart-rate?participant=P03", #"{"bpm":80,"t":1479729600}"#)
            let day = CivilDay(at: 1_479_729_600).text
            for (query, count) in [("", 12_001), ("?participant=P02", 12_000), ("?participant=P03", 1)] {
                let answer = try await client.get("/api/days/\(day)/heart-rate.csv\(query)")
                let lines = answer.text.split(separator: "\n")
                #expect(lines.count == count + 1 && lines.first.map(String.init) == Self.head)
                let times = lines.dropFirst().compactMap {
                    Double($0.split(separator: ",", omittingEmptySubsequences: false)[5])
                }
                #expect(times.count == count && times == times.sorted())
            }
            #expect(try await client.get("/api/days/2000-01-01/heart-rate.csv").text == Self.head + "\n")
            #expect(try await client.get("/api/days/soon/heart-rate.csv").status == .unprocessableContent)
        }
    }
}
