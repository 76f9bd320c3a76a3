import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Reactions in which no key may be right, and scores of signals.
@Suite struct DetectionDecodingTests {
    private static func text(
        score: String = "{d: {dPrime: [letter]}}", keys: String = "[space]", correct: String = "$key",
        rows: String = "[{identifier: a, key: space}, {identifier: b, key: none}]", feedback: String = ""
    ) -> String {
        """
        entrain: 1
        study: {identifier: s, title: S}
        conditions:
          letters: {rows: \(rows)}
        tasks:
          - identifier: Task
            scores: \(score)
            steps:
              - type: block
                identifier: series
                forEach: letters
                steps:
                  - type: active
                    identifier: letter
                    title: "{id}"
                    duration: 2500 ms
                    timer: {show: false}
                    reaction: {keys: \(keys), correct: \(correct), endsStep: false\(feedback)}
              - {type: completion, identifier: end}
        """
    }

    @Test func `no key may be right in some rounds`() throws {
        let parsed = parse(
            Self.text(
                score: "{d: {dPrime: [letter]}, f: {falseAlarms: [letter], levels: {0: few, 2: many}}}"))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let task = try #require(parsed.study?.tasks[0])
        #expect(
            task.steps[0].block?.filled.map { $0[0].right }
                == [["letter": .answer(.text("space"))], ["letter": .noKey]])
        #expect(task.scores.map(\.method) == [.dPrime, .falseAlarms])
        #expect(task.scores[0].inputs == [.init(question: "letter")] && task.scores[1].levels.count == 2)
    }

    @Test func `a signal is an answer`() throws {
        let parsed = parse(
            Self.text(
                score: "{d: {criterion: [letter], signal: old}}",
                keys: "[{key: f, value: old}, {key: j, value: new}]",
                rows: "[{identifier: a, key: old}, {identifier: b, key: new}]"))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        #expect(
            parsed.study?.tasks[0].scores[0].inputs[0].counted
                == .init(comparison: .eq, value: .text("old")))
    }

    @Test(
        arguments: [
            (text(score: "{d: {dPrime: [1️⃣letter]}}", rows: "[{identifier: a, key: space}]"), "score-input"),
            (text(score: "{d: {hits: [1️⃣letter]}}", rows: "[{identifier: a, key: none}]"), "score-input"),
            (text(score: "{d: {dPrime: [letter], signal: 1️⃣space}}"), "score-input"),
            (
                text(
                    score: "{d: {dPrime: [letter], signal: 1️⃣f}}", keys: "[f, j]",
                    rows: "[{identifier: a, key: f}]"), "score-input"
            ),
            (
                text(
                    score: "{d: {dPrime: [letter], signal: 1️⃣f}}", keys: "[f, j]",
                    rows: "[{identifier: a, key: j}]"), "score-input"
            ),
            (text(score: "{d: {dPrime: [letter], signal: 1️⃣x}}"), "condition-value"),
            (text(score: "{d: {count: [letter], 1️⃣signal: space}}"), "missing-key"),
            (text(score: "{d: {dPrime: [letter], 1️⃣missing: {atMost: 0}}}"), "missing-key"),
            (
                text(
                    keys: "[{key: f, value: space}, {key: j, value: none}]",
                    rows: "[{identifier: a, key: space}, {identifier: b, key: 1️⃣none}]"), "conflicting-keys"
            ),
            (text(score: "{}", rows: "[{identifier: a, key: 1️⃣nothing}]"), "condition-value"),
            (
                study(
                    "- {type: question, identifier: q, answer: {choice: [a, b], correct: 1️⃣none}}"),
                "condition-value"
            ),
        ])
    func `finds a mistake at its place, with help`(text: String, expected: String) {
        expectDiagnostics(text, ["1️⃣": expected], library: .sample)
        let found = parse(text.replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    @Test func `who leaves a row without a key reads of none`() {
        let text = Self.text(score: "{}", rows: "[{identifier: a, key: space}, {identifier: b}]")
        #expect(parse(text).diagnostics.map { $0.help?.contains("none") } == [true])
    }

    @Test func `a key may be called none where a key is always right`() {
        let text = Self.text(
            score: "{}", keys: "[{key: f, value: space}, {key: j, value: none}]",
            rows: "[{identifier: a, key: space}]")
        #expect(parse(text).diagnostics.isEmpty)
    }
}
