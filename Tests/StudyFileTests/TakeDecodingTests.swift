import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Blocks that take some of their rows, and blocks that look back at them.
@Suite struct TakeDecodingTests {
    private static func text(
        take: String = "take: 2", first: String = "", second: String = "seen: study",
        rows: String =
            "[{identifier: a, mood: x}, {identifier: b, mood: y}, {identifier: c, mood: x}]",
        rule: String = "", correct: String = "$seen", after: String = ""
    ) -> String {
        """
        entrain: 1
        study: {identifier: s, title: S, seed: 1}
        conditions:
          melodies: {rows: \(rows)}
          others: {rows: [{identifier: u, mood: x}, {identifier: v, mood: y}]}
        tasks:
          - identifier: Task
            scores: {d: {dPrime: [recognised], signal: old}}
            steps:
              - type: block
                identifier: study
                forEach: melodies
                \(take)\(first)
                steps: [{type: instruction, identifier: hear, text: "{mood}"}]
              - type: block
                identifier: test
                forEach: melodies
                \(second)
                steps:
                  - {type: question, identifier: recognised, title: "{id} {seen}", answer: {choice: [old, new], correct: \(correct)}}
                  - {type: instruction, identifier: told\(rule)}
              - {type: completion, identifier: end}\(after)
        """
    }

    @Test func `one row of each value of a column is taken, where each has as many`() throws {
        let rows =
            "[{identifier: a, mood: x, at: p}, {identifier: b, mood: y, at: p}, {identifier: c, mood: x, at: q}, "
        let even = rows + "{identifier: d, mood: y, at: q}]"
        let parsed = parse(Self.text(take: "take: {each: at, draw: latinSquare}", rows: even))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let block = try #require(parsed.study?.tasks[0].steps[0].block)
        #expect(block.take == .init(2, isRow: true, each: "at") && block.mostRounds(of: 4) == 2)
        for (take, rows, code) in [
            ("take: 1️⃣{each: at}", rows + "{identifier: d, mood: y}]", "conflicting-keys"),
            ("take: 1️⃣{each: at}", rows + "{identifier: d, mood: y, at: r}]", "conflicting-keys"),
            ("take: 1️⃣{each: here}", even, "conflicting-keys"),
            ("take: 1️⃣{each: id}", even, "out-of-range"),
            ("take: 1️⃣{draw: random}", even, "missing-key"),
            ("take: {each: at, 1️⃣count: 2}", even, "conflicting-keys"),
        ] { expectDiagnostics(Self.text(take: take, rows: rows), ["1️⃣": code], library: .sample) }
    }

    @Test func `a block takes some rows, and a later one has each of them as old and as new`() throws {
        let parsed = parse(
            Self.text(
                second:
                    "seen: study\n        order: {draw: shuffle, maximumRun: {of: seen, length: 2, only: new}}",
                rule: ", skipIf: {clip: test, attribute: seen, is: eq, value: old}",
                after: "\noutcomes: {primary: {measure: answer, of: sure, by: seen}}"
            )
            .replacing(
                "{type: instruction, identifier: told",
                with: "{type: question, identifier: sure, answer: {scale: {from: 1, to: 5}}"))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let steps = try #require(parsed.study?.tasks[0].steps)
        #expect(steps[0].block?.take == .init(2) && steps[0].block?.mostRounds(of: 3) == 2)
        let test = try #require(steps[1].block)
        #expect(test.seenIn == "study" && test.filled.count == 6)
        let titles = ["a old", "b old", "c old", "a new", "b new", "c new"]
        #expect(test.filled.map { $0[0].title } == titles.map { .plain($0) })
        #expect(test.filled[3][0].right == ["recognised": .answer(.text("new"))])
        expectDiagnostics(
            Self.text(
                second:
                    "seen: study\n        order: {draw: shuffle, maximumRun: {of: seen, length: 2, only: 1️⃣newer}}"
            ),
            ["1️⃣": "unknown-attribute"], library: .sample)
        let row = parse(Self.text(take: "take: {count: 1, draw: latinSquare}"))
        #expect(row.study?.tasks[0].steps[0].block?.take == .init(1, isRow: true))
    }

    @Test(
        arguments: [
            (text(take: "take: 1️⃣3"), "out-of-range"), (text(take: "take: 1️⃣0"), "out-of-range"),
            (text(take: "take: 1️⃣2", first: "\n        order: {draw: williams}"), "conflicting-keys"),
            (
                text(take: "take: 1️⃣2", first: "\n        order: {draw: shuffle, noImmediateRepeat: mood}"),
                "conflicting-keys"
            ),
            (text(second: "seen: 1️⃣tset"), "unknown-step"), (text(second: "seen: 1️⃣hear"), "unknown-step"),
            (text(take: "order: {draw: shuffle}", second: "seen: 1️⃣study"), "unknown-step"),
            (
                text(second: "seen: 1️⃣study").replacing(
                    "identifier: test\n        forEach: melodies",
                    with: "identifier: test\n        forEach: others"),
                "conflicting-keys"
            ),
            (
                text(
                    take: "take: {count: 1, draw: latinSquare}",
                    second: "seen: 1️⃣study\n        order: {draw: latinSquare}"), "conflicting-keys"
            ),
            (
                text(
                    second:
                        "seen: 1️⃣study\n        order: {draw: shuffle, maximumRun: {of: seen, length: 2}, noImmediateRepeat: mood}"
                ), "conflicting-keys"
            ),
            (
                text(
                    second: "seen: 1️⃣study",
                    rows:
                        "[{identifier: a, mood: x, seen: o}, {identifier: b, mood: y, seen: n}, {identifier: c, mood: x, seen: n}]"
                ),
                "conflicting-keys"
            ),
            (
                text(second: "seen: study\n        order: {as: 1️⃣study}"), "conflicting-keys"
            ),
            (
                text(correct: "1️⃣$seen").replacing("choice: [old, new]", with: "choice: [old, fresh]"),
                "condition-value"
            ),
            (text(rule: ", skipIf: {clip: test, attribute: seen, is: eq, value: 1️⃣odd}"), "condition-value"),
        ])
    func `finds a mistake at its place, with help`(text: String, expected: String) {
        expectDiagnostics(text, ["1️⃣": expected], library: .sample)
        let found = parse(text.replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }
}
