import StudyFile
import StudyModel
import StudyTesting
import Testing

/// What a study says of scores.
@Suite struct ScoreDecodingTests {
    private static func text(_ scores: String, rule: String = "{answered: a}") -> String {
        """
        entrain: 1
        study: {identifier: s, title: S}
        tasks:
          - identifier: Task
            scores: \(scores)
            steps:
              - {type: question, identifier: a, answer: {scale: {from: 0, to: 3}, correct: 2}}
              - type: form
                identifier: f
                questions:
                  - {identifier: b, answer: {choice: [{value: "0", text: no}, {value: "4", text: much}], correct: "4"}}
                  - {identifier: words, answer: {text: {}}}
                  - {identifier: open, answer: {number: {min: 0}}}
              - {type: instruction, identifier: last, skipIf: \(rule)}
              - {type: completion, identifier: end}
        """.replacing("text: no}", with: "text: none}")
    }

    private func scores(_ scores: String, rule: String = "{answered: a}") throws -> [AnswerScore] {
        let parsed = parse(Self.text(scores, rule: rule))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        return try #require(parsed.study?.tasks[0].scores)
    }

    @Test func `reads each part of a score`() throws {
        let read = try scores(
            "{s: {sum: [a, b], reverse: [a, b], missing: {atMost: 1, then: leaveOut}, levels: {5: high, -1: low}}}",
            rule: "{all: [{answer: s, is: ge, value: 3.5}, {answer: s.level, is: eq, value: high}]}")
        #expect(
            read == [
                AnswerScore(
                    identifier: "s", method: .sum,
                    inputs: [.init(question: "a", reversedFrom: 3), .init(question: "b", reversedFrom: 4)],
                    step: "f", mostMissing: 1, replacesMissing: false,
                    levels: [.init(from: -1, name: "low"), .init(from: 5, name: "high")])
            ])
        let counted = try scores(
            "{right: {correct: [a, b]}, all: {count: [words, a]}, both: {mean: [right, all]}}")
        #expect(
            counted[0].inputs.allSatisfy(\.isRightCounted)
                && counted[1].inputs.allSatisfy { $0.counted == nil } && counted[2].step == "f")
        let steps = try #require(parse(Self.text("{right: {correct: [a, b]}}")).study?.tasks[0].steps)
        #expect(steps[0].right == ["a": .answer(.number(2))] && steps[1].right == ["b": .answer(.text("4"))])
        #expect(try scores("{n: {count: [a], is: ge, value: 2}}")[0].inputs[0].counted?.comparison == .ge)
    }

    @Test(
        arguments: [
            ("{s: {sum: [1️⃣nobody]}}", "unknown-question"), ("{s: {sum: [1️⃣words]}}", "score-input"),
            ("{s: {mean: 1️⃣[]}}", "empty-list"), ("{s: {sum: 1️⃣a}}", "wrong-type"),
            ("{s: {sum: [a], reverse: [1️⃣b]}}", "score-input"), ("{s: {sum: [open], reverse: [open]}}", ""),
            ("{s: {correct: [1️⃣open]}}", "score-input"), ("{1️⃣a: {sum: [b]}}", "duplicate-identifier"),
            ("{1️⃣last: {sum: [b]}}", "duplicate-identifier"),
            ("{s: {sum: [1️⃣t]}, t: {sum: [a]}}", "score-input"),
            ("{s: {sum: [a], missing: {atMost: 1️⃣1}}}", "out-of-range"),
            ("{s: {sum: [a], missing: 1️⃣{then: mean}}}", "missing-key"),
            ("{s: {sum: [a], levels: {1️⃣high: 5}}}", "number-format"),
            ("{s: 1️⃣{levels: {0: low}}}", "missing-key"),
            ("{s: {sum: [a], 1️⃣mean: [a]}}", "conflicting-keys"),
            ("{s: {count: [a], 1️⃣is: ge}}", "missing-key"),
            ("{s: {count: [a], is: ge, value: 1️⃣9}}", "condition-value"),
            ("{s: {count: [a], 1️⃣reverse: [a]}}", "missing-key"), ("{s: {summ: [a]}}", ""),
        ].filter { !$0.1.isEmpty })
    func `finds a mistake at its place, with help`(scores: String, expected: String) {
        expectDiagnostics(Self.text(scores), ["1️⃣": expected], library: .sample)
        let found = parse(Self.text(scores).replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    @Test func `minutes lie between exactly two times of the day`() {
        let text = { (score: String) in
            study(
                """
                - {type: question, identifier: dark, answer: {timeOfDay: {}}}
                - {type: question, identifier: up, answer: {timeOfDay: {}}}
                """, head: ""
            ).replacing("    steps:", with: "    scores: {\(score)}\n    steps:")
        }
        let parsed = parse(text("s: {minutes: [dark, up]}"))
        #expect(parsed.study?.tasks[0].scores.first?.method == .minutes && parsed.diagnostics.isEmpty)
        expectDiagnostics(text("1️⃣s: {minutes: [dark]}"), ["1️⃣": "score-input"], library: .sample)
        expectDiagnostics(text("1️⃣s: {minutes: [dark, up, dark]}"), ["1️⃣": "score-input"], library: .sample)
    }

    @Test func `a right answer must be possible, also where nothing counts it`() {
        expectDiagnostics(
            study("- {type: question, identifier: a, answer: {scale: {from: 0, to: 3}, correct: 1️⃣7}}"),
            ["1️⃣": "condition-value"], library: .sample)
    }

    @Test func `rules know the names of levels`() {
        expectDiagnostics(
            Self.text("{s: {sum: [a], levels: {0: low}}}", rule: "{answer: s.level, is: eq, value: 1️⃣lo}"),
            ["1️⃣": "condition-value"], library: .sample)
    }
}
