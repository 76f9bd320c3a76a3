import StudyFile
import StudyModel
import StudyTesting
import Testing

@Suite struct ResumeTests {
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

    @Test func `a task's own rule goes before the study's`() throws {
        let day = ResumeRule(.resume, within: .seconds(86_400))
        #expect(Self.parsed().study?.tasks[0].resume == nil)
        #expect(Self.parsed(study: ", resume: {}").study?.tasks[0].resume == ResumeRule(.resume))
        #expect(Self.parsed(study: ", resume: {within: 24 h}").study?.tasks[0].resume == day)
        let own = Self.parsed(
            study: ", resume: {within: 24 h}", task: "\n    resume: {incomplete: restart}")
        #expect(own.study?.tasks[0].resume == ResumeRule(.restart))
        let units = ["90 min": 5_400, "1.5 h": 5_400, "30 days": 2_592_000]
        for (text, seconds) in units {
            let rule = Self.parsed(study: ", resume: {within: \(text)}").study?.tasks[0].resume
            #expect(rule?.within == .seconds(seconds), "\(text)")
        }
    }

    @Test(arguments: [
        "{within: 24}", "{within: 0 h}", "{within: 31 days}", "{within: 24 s}", "{incomplete: later}",
    ])
    func `what cannot be meant is refused`(rule: String) {
        let found = Self.parsed(study: ", resume: \(rule)").diagnostics
        #expect(found.contains { $0.severity == .error && $0.help != nil }, "\(rule)")
    }

    @Test func `a time without a run that may be continued means nothing`() {
        let found = Self.parsed(study: ", resume: {incomplete: refuse, within: 24 h}").diagnostics
        #expect(found.map(\.code) == [.misplacedKey])
    }

    @Test(arguments: [
        (30, "0.5 min"), (60, "1 min"), (5_400, "90 min"), (9_000, "150 min"), (86_400, "24 h"),
        (90_000, "25 h"), (172_800, "2 days"), (2_592_000, "30 days"),
    ])
    func `a limit is said as exactly as it is`(seconds: Int, words: String) {
        #expect(ResumeRule.words(.seconds(seconds)) == words)
    }
}
