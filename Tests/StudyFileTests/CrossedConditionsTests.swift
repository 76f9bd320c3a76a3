import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Conditions that combine the values of columns.
@Suite struct CrossedConditionsTests {
    private static func text(_ table: String, _ title: String = "{mood} {tempo} {key}") -> String {
        """
        entrain: 1
        study: {identifier: s, title: T}
        conditions:
          crossed: {\(table)}
        tasks:
          - identifier: Task
            steps:
              - {type: block, identifier: b, forEach: crossed, steps: [{type: active, identifier: a, title: '\(title)', duration: $wait}]}
              - {type: completion, identifier: end}
        """
    }

    private static let columns =
        "mood: [calm, very dark], wait: [10 s, 20 s], key: [{identifier: one, tempo: 60}, {identifier: two, tempo: 120}]"

    @Test func `every value is combined with every other, the first column slowest`() throws {
        let parsed = parse(Self.text("cross: {\(Self.columns)}"))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let rows = try #require(parsed.study?.conditions.first?.pool)
        #expect(
            rows.map(\.identifier.text) == [
                "calm-10_s-one", "calm-10_s-two", "calm-20_s-one", "calm-20_s-two", "very_dark-10_s-one",
                "very_dark-10_s-two", "very_dark-20_s-one", "very_dark-20_s-two",
            ])
        #expect(
            rows[5].attributes == [
                "id": "very_dark-10_s-two", "mood": "very dark", "wait": "10 s", "key": "two", "tempo": "120",
            ])
        let steps = parsed.study?.tasks[0].steps[0].block?.ownSteps
        #expect(steps?.first?.identifier == "a")
    }

    @Test func `combinations are left out by their values`() {
        let parsed = parse(
            Self.text("cross: {\(Self.columns)}, without: [{mood: calm, key: two}, {tempo: 60, wait: 20 s}]"))
        #expect(
            parsed.study?.conditions.first?.pool.map(\.identifier.text) == [
                "calm-10_s-one", "very_dark-10_s-one", "very_dark-10_s-two", "very_dark-20_s-two",
            ])
    }

    @Test(arguments: [
        ("cross: {\(columns), tempo: 1️⃣[{identifier: x, tempo: 2}]}", ["duplicate-identifier"]),
        ("cross: {\(columns)}, without: [1️⃣{mood: light}]", ["missing-value"]),
        ("cross: {mood: 1️⃣[], wait: [10 s]}", ["empty-list"]),
        ("cross: {mood: [1️⃣[a]], wait: [10 s]}", ["wrong-type"]),
        ("rows: [{identifier: a, wait: 1 s}], 1️⃣cross: {wait: [1 s]}", ["conflicting-keys"]),
        ("cross: {mood: [a b, 'a_b'], wait: [1️⃣10 s]}", ["duplicate-identifier"]),
        ("cross: {wait: [10 s, 1️⃣ten]}", ["duration-format"]),
    ])
    func `finds a mistake`(table: String, expected: [String]) {
        let marked = MarkedText(Self.text(table))
        let found = parse(marked.text).diagnostics.filter { $0.severity == .error }
        #expect(found.first.map { [$0.code.rawValue] } == expected, "\(found.rendered(isColoured: false))")
    }
}
