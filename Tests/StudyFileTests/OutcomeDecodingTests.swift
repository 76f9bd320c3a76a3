import StudyFile
import StudyModel
import StudyTesting
import Testing

/// What a study says that it is to find out.
@Suite struct OutcomeDecodingTests {
    private static func text(_ outcomes: String) -> String {
        """
        entrain: 1
        study: {identifier: s, title: S, seed: 1}
        outcomes: \(outcomes)
        tasks:
          - identifier: Task
            recorders: [{type: heartRate, identifier: whole, from: round, to: calm}]
            scores: {all: {sum: [a]}}
            steps:
              - {type: active, identifier: silent, duration: 30 s}
              - type: block
                identifier: round
                repeat: 2
                steps:
                  - {type: active, identifier: rest, duration: 30 s}
                  - type: active
                    identifier: listen
                    duration: 30 s
                    recorders:
                      - {type: rating, identifier: felt, scale: {name: valence, from: -1, to: 1, fromLabel: l, toLabel: h}}
              - type: active
                identifier: calm
                duration: 60 s
                until: {heartRate: {last: 10 s}, is: le, value: 80, for: 5 s}
              - {type: question, identifier: a, answer: {scale: {from: 0, to: 3}}}
              - {type: form, identifier: before, questions: [{identifier: mood, answer: {boolean: {}}}]}
              - type: form
                identifier: after
                questions: [{identifier: mood, answer: {boolean: {}}}, {identifier: words, answer: {text: {}}}]
              - {type: completion, identifier: end}
          - identifier: Other
            steps:
              - {type: question, identifier: late, answer: {scale: {from: 0, to: 3}}}
              - {type: completion, identifier: end}
        """
    }

    private func outcomes(_ outcomes: String) throws -> [Outcome] {
        let parsed = parse(Self.text(outcomes))
        let found = parsed.diagnostics.filter { $0.severity == .error }
        #expect(found.isEmpty, "\(found.rendered(isColoured: false))")
        return try #require(parsed.study?.outcomes)
    }

    @Test func `reads each measure, and finds the steps that give it`() throws {
        let read = try outcomes(
            """
            {primary: {measure: heartRate, of: listen, relativeTo: rest}, secondary: [
              {measure: answer, of: after.mood, relativeTo: before.mood}, {measure: score, of: all},
              {measure: recovery, of: calm}, {measure: rmssd, of: calm}, {measure: sdnn, of: rest}, {measure: answer, of: a},
              {measure: rating, of: listen.valence}]}
            """.replacing("\n", with: ""))
        #expect(read.map(\.rank) == [.primary] + Array(repeating: .secondary, count: 7))
        #expect(
            read[0]
                == Outcome(
                    rank: .primary, measure: .heartRate,
                    subject: .init(name: "listen", steps: ["round.listen"]),
                    reference: .init(name: "rest", steps: ["round.rest"])))
        #expect(read[1].subject == .init(name: "after.mood", steps: ["after"], item: "mood"))
        #expect(read[1].reference == .init(name: "before.mood", steps: ["before"], item: "mood"))
        #expect(read[2].subject == .init(name: "all", steps: ["a"], item: "all"))
        #expect(
            read.dropFirst(3).map(\.subject.steps) == [
                ["calm"], ["calm"], ["round.rest"], ["a"], ["round.listen"],
            ])
        #expect(read[7].subject.item == "valence")
        #expect(try outcomes("{primary: {measure: rating, of: listen}}")[0].subject.item == "valence")
        #expect(try outcomes("{primary: {measure: score, of: all}}").count == 1)
    }

    @Test func `a study without outcomes names none`() throws {
        let text = Self.text("x").split(separator: "\n").filter { !$0.hasPrefix("outcomes") }
        #expect(parse(text.joined(separator: "\n")).study?.outcomes == [])
    }

    @Test(arguments: [
        ("{primary: {measure: heartRate, of: 1️⃣lisen}}", "unknown-step"),
        ("{primary: {measure: heartRate, of: 1️⃣silent}}", "outcome-subject"),
        ("{primary: {measure: rmssd, of: 1️⃣a}}", "outcome-subject"),
        ("{primary: {measure: rating, of: 1️⃣rest}}", "outcome-subject"),
        ("{primary: {measure: recovery, of: 1️⃣rest}}", "outcome-subject"),
        ("{primary: {measure: answer, of: 1️⃣nobody}}", "unknown-question"),
        ("{primary: {measure: answer, of: 1️⃣words}}", "outcome-subject"),
        ("{primary: {measure: answer, of: 1️⃣mood}}", "outcome-subject"),
        ("{primary: {measure: score, of: 1️⃣a}}", "outcome-subject"),
        ("{primary: {measure: heartRate, of: listen, relativeTo: 1️⃣listen}}", "outcome-baseline"),
        ("{primary: {measure: answer, of: late, relativeTo: 1️⃣a}}", "outcome-baseline"),
        ("{primary: {measure: heartRate, of: listen, relativeTo: 1️⃣silent}}", "outcome-subject"),
        ("{primary: {measure: 1️⃣pulse, of: listen}}", "unknown-word"),
        ("{primary: 1️⃣{measure: heartRate}}", "missing-key"),
        ("1️⃣{secondary: [{measure: heartRate, of: listen}]}", "missing-key"),
        ("{primary: {measure: answer, of: a}, secondary: 1️⃣[]}", "empty-list"),
        ("{primary: {measure: answer, of: a}, secondary: [{measure: answer, of: 1️⃣a}]}", "outcome-subject"),
        ("{primary: {measure: answer, of: a, 1️⃣baseline: a}}", "unknown-key"),
    ])
    func `finds a mistake at its place, with help`(outcomes: String, expected: String) {
        let marked = MarkedText(Self.text(outcomes))
        let found = parse(marked.text).diagnostics.filter { $0.severity == .error }
        #expect(found.map(\.code.rawValue) == [expected])
        #expect(found.first.map { $0.range.start } == marked.places["1️⃣"])
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    /// Trials in a block of moods.
    private static func trials(_ outcomes: String) -> String {
        """
        entrain: 1
        study: {identifier: s, title: S, seed: 1}
        outcomes: \(outcomes)
        conditions:
          moods: {rows: [{identifier: m1, mood: calm}, {identifier: m2, mood: dark}]}
          words: {rows: [{identifier: t1, congruence: same, n: a}, {identifier: t2, congruence: other, n: a}, {identifier: t3, congruence: same, n: a}]}
        tasks:
          - identifier: Task
            scores: {right: {correct: [trial]}}
            steps:
              - type: block
                identifier: music
                forEach: moods
                steps:
                  - type: block
                    identifier: block
                    forEach: words
                    steps:
                      - {type: active, identifier: trial, duration: 2 s, reaction: {keys: [{key: f, value: f}, {key: j, value: j}], correct: f}}
              - {type: completion, identifier: end}
        """
    }

    @Test func `reads the columns whose values are compared`() throws {
        let written =
            "{primary: {measure: reactionTime, of: trial, by: congruence}, secondary: [{measure: reactionTime, of: trial, by: [congruence, mood]}, {measure: score, of: right, by: mood}]}"
        let parsed = parse(Self.trials(written))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        #expect(
            parsed.study?.outcomes.map(\.factors) == [["congruence"], ["congruence", "mood"], ["mood"]])
    }

    @Test(arguments: [
        ("trial, by: 1️⃣congrunce", "unknown-attribute"), ("trial, by: 1️⃣n", "outcome-subject"),
        ("trial, by: [mood, 1️⃣mood]", "duplicate-identifier"),
        ("trial, by: [mood, congruence, 1️⃣n]", "out-of-range"),
    ])
    func `finds columns that cannot be compared`(outcome: String, expected: String) {
        let marked = MarkedText(Self.trials("{primary: {measure: reactionTime, of: \(outcome)}}"))
        let found = parse(marked.text).diagnostics.filter { $0.severity == .error }
        #expect(found.map(\.code.rawValue) == [expected])
        #expect(found.first.map { $0.range.start } == marked.places["1️⃣"])
    }

    @Test func `a score has no column of the block whose rounds it counts`() {
        let found = parse(Self.trials("{primary: {measure: score, of: right, by: congruence}}")).diagnostics
        #expect(found.map(\.code.rawValue) == ["unknown-attribute"])
    }

    /// A score that is asked for in a block.
    private static func scored(
        _ outcome: String, arms: String = "", by block: String, of inputs: String = "[q]",
        asked: String = "{type: question, identifier: q, answer: {scale: {from: 0, to: 3}}}"
    ) -> String {
        """
        entrain: 1
        study: {identifier: s, title: S, seed: 1}
        \(arms)
        outcomes: {\(outcome)}
        conditions: {kinds: {rows: [{identifier: music}, {identifier: quiet}]}}
        tasks:
          - identifier: Task
            scores: {all: {sum: \(inputs)}}
            steps:
              - {type: block, identifier: b, \(block), steps: [\(asked)]}
              - {type: question, identifier: late, answer: {scale: {from: 0, to: 3}}}
              - {type: completion, identifier: end}
        """
    }

    private static let primary = "primary: {measure: score, of: 1️⃣all}"
    private static let secondary =
        "primary: {measure: answer, of: late}, secondary: [{measure: score, of: 1️⃣all}]"
    private static let form =
        "{type: form, identifier: f, questions: [{identifier: q, answer: {boolean: {}}}, {identifier: r, answer: {boolean: {}}}]}"

    @Test(arguments: [
        scored(primary, by: "forEach: kinds"), scored(primary, by: "forEach: kinds, repeat: 5"),
        scored(secondary, by: "forEach: kinds", of: "[q, r]", asked: form),
    ])
    func `a score that adds up over conditions has no value for each of them`(text: String) {
        let marked = MarkedText(text)
        let found = parse(marked.text).diagnostics.filter { $0.severity == .error }
        #expect(found.map(\.code.rawValue) == ["outcome-subject"])
        #expect(found.first.map { $0.range.start } == marked.places["1️⃣"])
    }

    @Test(arguments: [
        scored(primary, by: "repeat: 10"), scored(secondary, by: "forEach: kinds, repeat: 5"),
        scored(primary, arms: "arms: [early, late]", by: "forEach: kinds, repeat: 5"),
        scored(
            primary, by: "forEach: kinds",
            asked:
                "{type: block, identifier: i, repeat: 1, steps: [{type: question, identifier: q, answer: {scale: {from: 0, to: 3}}}]}"
        ),
    ])
    func `a score of all rounds, or of a block for each condition, is an outcome`(text: String) {
        let found = parse(MarkedText(text).text).diagnostics.filter { $0.severity == .error }
        #expect(found.isEmpty, "\(found.rendered(isColoured: false))")
    }
}
