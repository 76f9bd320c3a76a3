import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Blocks with `adapt`, and scores of their reversals.
@Suite struct StaircaseDecodingTests {
    private static func text(
        adapt: String = "{answer: which, value: level, atMost: 20}", levels: String = "[8, 4, 2, 1]",
        table: String? = nil, more: String = "", correct: String = ", correct: a", inner: String = "",
        title: String = "Level {level}?",
        score: String = "{limen: {reversals: stair, last: 6}}"
    ) -> String {
        """
        entrain: 1
        study: {identifier: s, title: S}
        conditions:
          levels: \(table ?? "{cross: {level: \(levels)}}")
        tasks:
          - identifier: Task
            scores: \(score)
            steps:
              - type: block
                identifier: stair
                forEach: levels
                adapt: \(adapt)\(more)
                steps:
                  - {type: question, identifier: which, title: "\(title)", answer: {choice: [a, b]\(correct)}}\(inner)
              - {type: completion, identifier: end}
        """
    }

    private func staircase(_ text: String) throws -> Staircase {
        let parsed = parse(text)
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        return try #require(parsed.study?.tasks[0].steps[0].block?.staircase)
    }

    @Test func `reads a staircase with everything usual`() throws {
        let read = try staircase(Self.text())
        #expect(read == Staircase(question: "which", column: "level", values: [8, 4, 2, 1], mostTrials: 20))
        #expect(read.down == 2 && read.up == 1 && read.steps == [1] && read.reversals == nil)
    }

    @Test func `reads every part, and rows of one value as a rung`() throws {
        let text = Self.text(
            adapt:
                "{answer: which, value: level, down: 3, up: 2, step: [2, 1], reversals: 8, atMost: 30, tracks: [{identifier: x}, {identifier: y, start: 2}]}",
            levels: "[1, 5, 7], side: [l, r]", score: "{limen: {reversals: stair, last: 6, track: y}}")
        let read = try staircase(text)
        #expect(read.values == [1, 5, 7] && read.rowsOfRung == 2 && read.mostRounds == 60)
        #expect(read.down == 3 && read.up == 2 && read.steps == [2, 1] && read.reversals == 8)
        #expect(read.tracks == [.init("x"), .init("y", start: 2)])
        let score = try #require(parse(text).study?.tasks[0].scores.first)
        #expect(score.reversals == .init(of: "stair", last: 6, track: "y") && score.step == "which")
    }

    @Test(
        arguments: [
            (text(adapt: "{answer: 1️⃣whom, value: level, atMost: 20}", score: "{}"), "unknown-question"),
            (
                text(adapt: "{answer: 1️⃣which, value: level, atMost: 20}", correct: "", score: "{}"),
                "staircase"
            ),
            (text(adapt: "{answer: which, value: 1️⃣leve, atMost: 20}", score: "{}"), "unknown-attribute"),
            (
                text(adapt: "{answer: which, value: 1️⃣level, atMost: 20}", levels: "[8, x, 1]", score: "{}"),
                "staircase"
            ),
            (
                text(adapt: "{answer: which, value: 1️⃣level, atMost: 20}", levels: "[8, 1, 4]", score: "{}"),
                "staircase"
            ),
            (text(adapt: "1️⃣{answer: which, value: level}", score: "{}"), "missing-key"),
            (
                text(
                    adapt:
                        "{answer: which, value: level, atMost: 9, tracks: [{identifier: x}, {identifier: y, start: 1️⃣5}]}",
                    score: "{}"), "out-of-range"
            ),
            (text(more: "\n        1️⃣order: {draw: shuffle}"), "conflicting-keys"),
            (text(more: "\n        1️⃣repeat: 2"), "conflicting-keys"),
            (
                text(more: "\n        1️⃣insert: {steps: [{type: instruction, identifier: i, title: I}]}"),
                "conflicting-keys"
            ),
            (
                text(
                    inner:
                        "\n          - {type: block, identifier: 1️⃣b, repeat: 2, steps: [{type: instruction, identifier: i, title: I}]}"
                ), "staircase"
            ),
            (
                text(
                    table:
                        "{rows: [{identifier: x, level: 3, long: 3 s}, {identifier: y, level: 2, long: 2 s}]}",
                    inner:
                        "\n          - {type: active, identifier: 1️⃣i, title: I, duration: {from: 1 s, to: $long}}"
                ), "staircase"
            ),
            (
                text().replacing(
                    "      - {type: completion",
                    with: "      - {type: review, identifier: 1️⃣r}\n      - {type: completion"),
                "nothing-to-review"
            ),
            (text(score: "{limen: {reversals: 1️⃣end, last: 6}}"), "unknown-step"),
            (text(score: "{limen: {reversals: stair, last: 1️⃣5}}"), "out-of-range"),
            (text(score: "{limen: {reversals: stair, last: 2, track: 1️⃣x}}"), "score-input"),
            (text(score: "{limen: {1️⃣reversals: stair}}"), "missing-key"),
            (
                text(
                    adapt: "{answer: which, value: level, atMost: 20, reversals: 4}",
                    score: "{limen: {reversals: stair, last: 1️⃣6}}"), "out-of-range"
            ),
            (text(adapt: "{answer: which, value: 1️⃣level, atMost: 20}", title: "Level?"), "idle-rounds"),
            (
                text(
                    adapt: "{answer: which, value: level, atMost: 1000}",
                    levels: "[\((1...101).map { "\($0)" }.joined(separator: ", "))]"
                )
                .replacing("identifier: stair", with: "identifier: 1️⃣stair"), "out-of-range"
            ),
        ])
    func `reports what cannot be climbed`(text: String, code: String) {
        expectDiagnostics(text, ["1️⃣": code], library: .sample)
        #expect(parse(text.replacing("1️⃣", with: "")).diagnostics.allSatisfy { $0.help?.isEmpty == false })
    }
}
