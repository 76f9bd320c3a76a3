import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Time limits, right answers of rounds, and names that mean something else.
@Suite struct TimeLimitDecodingTests {
    @Test(arguments: [
        ("timeLimit: 10 s", Step.TimeLimit(.seconds(10))),
        ("timeLimit: 10 s, atTimeLimit: keep", Step.TimeLimit(.seconds(10), keepsAnswers: true)),
        ("leastTime: 2 s, timeLimit: 2.5 s, atTimeLimit: missing", Step.TimeLimit(.seconds(2.5))),
    ])
    func `reads a time limit`(keys: String, limit: Step.TimeLimit) throws {
        let parsed = parse(study("- {type: question, identifier: q, \(keys), answer: {boolean: {}}}"))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        #expect(parsed.study?.tasks[0].steps[0].timeLimit == limit)
    }

    @Test(arguments: [
        ("- {type: question, identifier: q, timeLimit: 1️⃣soon, answer: {boolean: {}}}", "duration-format"),
        (
            "- {type: question, identifier: q, leastTime: 3 s, timeLimit: 1️⃣3 s, answer: {boolean: {}}}",
            "out-of-range"
        ),
        ("- {type: question, identifier: q, 1️⃣atTimeLimit: keep, answer: {boolean: {}}}", "missing-key"),
        (
            "- {type: question, identifier: q, timeLimit: 3 s, atTimeLimit: 1️⃣lose, answer: {boolean: {}}}",
            "unknown-word"
        ),
        ("- {type: instruction, identifier: q, 1️⃣timeLimit: 3 s}", "misplaced-key"),
        (
            "- {type: question, identifier: q, answer: {boolean: {}}}\n- {type: instruction, identifier: i, skipIf: {timedOut: 1️⃣q}}",
            "condition-value"
        ),
        ("- {type: instruction, identifier: i, skipIf: {timedOut: 1️⃣q}}", "unknown-question"),
    ])
    func `finds a mistake at its place, with help`(steps: String, expected: String) {
        expectDiagnostics(study(steps), ["1️⃣": expected], library: .sample)
        let found = parse(study(steps).replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    private static func sums(_ rows: String) -> String {
        study(
            """
            - type: block
              identifier: sums
              forEach: sums
              steps: [{type: question, identifier: q, title: "{sum}?", answer: {number: {}, correct: $result}}]
            """, head: "conditions: {sums: {rows: [\(rows)]}}")
    }

    @Test func `each round has a right answer of its own`() throws {
        let parsed = parse(
            Self.sums(
                "{identifier: a, sum: 1 + 1, result: 2}, {identifier: b, sum: 2 + 3, result: 5}"))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        guard case .block(let block)? = parsed.study?.tasks[0].steps[0].kind else {
            Issue.record("no block")
            return
        }
        #expect(block.filled.map { $0[0].right } == [["q": .answer(.number(2))], ["q": .answer(.number(5))]])
    }

    @Test func `a right answer of the wrong kind is found in its row`() {
        expectDiagnostics(
            Self.sums("{identifier: a, sum: 1, result: 2}, {identifier: b, sum: 2, result: 1️⃣five}"),
            ["1️⃣": "condition-value"], library: .sample)
    }

    @Test(arguments: ["answer.q", "score.s", "clip.title", "id"])
    func `a column is not called like a place that means something`(name: String) {
        let rows = "{identifier: a, 1️⃣\(name): 1, sum: 1, result: 1}"
        expectDiagnostics(Self.sums(rows), ["1️⃣": "attribute-name"], library: .sample)
    }
}
