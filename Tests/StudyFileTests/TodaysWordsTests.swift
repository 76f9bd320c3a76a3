import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Studies in older words, and the same in today's.
@Suite struct TodaysWordsTests {
    private static func study(_ steps: String, task: String = "", study: String = "") -> [UInt8] {
        Array(
            """
            entrain: 1
            study: {identifier: s, title: S, seed: 4\(study)}
            sources: {heartRate: {type: simulated}}
            stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1, dark_1]}}
            tasks:
              - identifier: t\(task)
                steps:
            \(steps)
                  - {type: completion, identifier: c, title: C}
            """.utf8)
    }

    private static func today(_ text: [UInt8]) -> TodaysWords? {
        TodaysWords(text, named: "s.yaml", library: .sample)
    }

    private static let start = "      - {type: active, identifier: a, title: A, duration: 9 s"

    @Test(arguments: [
        (
            ", stimulus: {from: clips, draw: weighted, weights: {chill_1: 2, dark_1: 1}}}",
            "{from: clips, weights: {chill_1: 2, dark_1: 1}}"
        ),
        (
            ", expected: {model: exercise, effort: 0.5, restingRate: 60, maximumRate: 180}}",
            "{effort: 0.5, restingRate: 60, maximumRate: 180}"
        ),
        (
            ", expected: {effort: 0.5, restingRate: 60, maximumRate: 180,\n          model: exercise}}",
            "maximumRate: 180}}"
        ),
        (
            ", recorders: [{type: heartRate, identifier: h}], goTo: {heartRate: {during: a}, is: gt, value: 90, target: end}}",
            "{heartRate: a, is"
        ),
        (", latency: low}", "  - latency: low\n    identifier: t\n"),
    ])
    func `each older word has one of today that says the same`(steps: String, expected: String) throws {
        let older = Self.study(Self.start + steps)
        let parsed = ParsedStudy(older, named: "s.yaml", library: .sample)
        #expect(parsed.diagnostics.isEmpty && parsed.doubts.contains { $0.code == .olderWords })
        let today = try #require(Self.today(older))
        #expect(String(decoding: today.text, as: UTF8.self).contains(expected))
        #expect(today.count == 1 && today.left.isEmpty)
        let new = ParsedStudy(today.text, named: "s.yaml", library: .sample)
        #expect(new.study != nil && new.study == parsed.study)
        #expect(!new.doubts.contains { $0.code == .olderWords })
    }

    @Test(arguments: [
        ("", "\n    latency: usual", "latency: low\n    steps"),
        (", latency: low", "", "title: S, seed: 4, latency: low}"),
    ])
    func `a step's latency goes where it is not said yet`(study: String, task: String, expected: String)
        throws
    {
        let older = Self.study(
            "\(Self.start), latency: low}\n\(Self.start.replacing(": a,", with: ": b,")), latency: low}",
            task: task, study: study)
        let today = try #require(Self.today(older))
        let text = String(decoding: today.text, as: UTF8.self)
        #expect(text.contains(expected) && text.split(separator: "latency").count == 2)
    }

    @Test func `a comment beside an older word stays, and so does the word`() throws {
        let older = Self.study(
            """
                  - type: active
                    identifier: a
                    title: A
                    duration: 9 s
                    expected:
                      model: exercise  # as in the book
                      effort: 0.5
                      restingRate: 60
                      maximumRate: 180
            """)
        let today = try #require(Self.today(older))
        #expect(today.text == older && today.count == 0 && today.left.count == 1)
    }

    @Test func `weights and another draw are two readings`() {
        let parsed = ParsedStudy(
            Self.study(
                Self.start + ", stimulus: {from: clips, draw: random, weights: {chill_1: 2, dark_1: 1}}}"),
            named: "s.yaml", library: .sample)
        #expect(parsed.diagnostics.map(\.code) == [.conflictingKeys] && parsed.diagnostics[0].fix.isEmpty)
    }
}
