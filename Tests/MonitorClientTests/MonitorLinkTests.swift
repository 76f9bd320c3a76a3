import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import MonitorClient

@Suite struct MonitorLinkTests {
    @Test(.timeLimit(.minutes(30)))
    func `gives a sign of life as soon as the monitor knows the run, however many messages wait`()
        async throws
    {
        let server = ScriptedServer([.status(200, #"{"accepted": 1}"#)])
        defer { server.stop() }
        let folder = TemporaryFolder()
        let link = try MonitorLink(
            to: try #require(MonitorAddress(server.url(""), token: "secret")), plan: RunReporterTests.plan,
            output: folder.path, run: "run",
            first: .run(
                RunReporterTests.plan, title: "Rest", identifier: "run", start: 0, speed: nil,
                origin: .recorded,
                language: nil, secret: "of the run"))
        // The kinds take turns, so that each is a message of its own.
        for second in 1...20 {
            link.tell(RunReporterTests.measured(60, at: Double(second)))
            link.tell(
                RunUpdate.batteryLow("heartRate", percent: second, at: RunReporterTests.at(Double(second))))
        }
        async let outcome = link.run()
        var arrivals = server.arrivals.makeAsyncIterator()
        for _ in 1...2 { await arrivals.next() }
        link.end()
        #expect(await outcome.left == 0)
        let signs = server.requests.enumerated().filter { $0.element.contains("/alive ") }.map(\.offset)
        #expect(signs.first == 1, "\(server.requests.map { $0.prefix(60) })")
        #expect(server.requests.count > 20)
    }
}
