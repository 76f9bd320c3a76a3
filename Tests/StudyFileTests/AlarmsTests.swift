import StudyFile
import StudyModel
import StudyTesting
import Testing

@Suite struct AlarmsTests {
    private static func parsed(study: String = "", task: String = "") -> ParsedStudy {
        let text = """
            entrain: 1
            study: {identifier: s, title: S\(study)}
            tasks:
              - identifier: t\(task)
                steps: [{type: completion, identifier: c, title: C}]
            """
        return ParsedStudy(Array(text.utf8), named: "s.yaml", library: .sample)
    }

    @Test func `a task's own rules go before the study's`() throws {
        #expect(Self.parsed().study?.tasks[0].alarms == nil)
        let all = Self.parsed(
            study: """
                , alarms: {heartRate: {above: 170 bpm, below: 40 bpm, for: 10 s}, signalLost: 1 min, \
                microphoneSilent: 30 s, runDead: true}
                """)
        #expect(
            all.study?.tasks[0].alarms == [
                .above(170, for: .seconds(10)), .below(40, for: .seconds(10)), .signalLost(for: .seconds(60)),
                .microphoneSilent(for: .seconds(30)), .runDead,
            ])
        let own = Self.parsed(study: ", alarms: {runDead: true}", task: "\n    alarms: {signalLost: 500 ms}")
        #expect(own.study?.tasks[0].alarms == [.signalLost(for: .milliseconds(500))])
        #expect(Self.parsed(study: ", alarms: {runDead: false}").study?.tasks[0].alarms == [])
    }

    @Test(arguments: [
        "{}", "{heartRate: {above: 170 bpm}}", "{heartRate: {for: 10 s}}",
        "{heartRate: {above: 170, for: 10 s}}",
        "{heartRate: {above: 301 bpm, for: 10 s}}", "{heartRate: {above: 170 bpm, for: 0 s}}",
        "{heartRate: {above: 170 bpm, for: 61 min}}", "{signalLost: 10}", "{signalLost: 400 ms}",
        "{microphoneSilent: never}", "{runDead: 5 s}", "{battery: 10 s}",
        "{heartRate: {above: 60 bpm, below: 60 bpm, for: 10 s}}",
    ])
    func `what cannot be meant is refused`(rules: String) {
        let found = Self.parsed(study: ", alarms: \(rules)").diagnostics
        #expect(found.contains { $0.severity == .error && $0.help != nil }, "\(rules)")
    }
}
