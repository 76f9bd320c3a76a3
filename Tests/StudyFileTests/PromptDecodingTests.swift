import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Questions that are asked while a timed step goes on.
@Suite struct PromptDecodingTests {
    private static let question =
        #"identifier: effort, title: "How hard?", answer: {scale: {from: 6, to: 20}}"#

    private static func step(_ prompt: String, _ more: String = "") -> String {
        study("- {type: active, identifier: s, duration: 60 s, prompts: [\(prompt)]\(more)}")
    }

    @Test(
        arguments: [
            ("every: 20 s", Duration.seconds(20), Duration.seconds(20), nil),
            ("first: 5 s, every: 20 s, timeLimit: 20 s", .seconds(5), .seconds(20), .seconds(20)),
            ("first: 59.5 s", .seconds(59.5), nil, nil),
            ("first: 1 s, timeLimit: 2 min", .seconds(1), nil, .seconds(120)),
        ] as [(String, Duration, Duration?, Duration?)])
    func `reads its moments`(keys: String, first: Duration, every: Duration?, limit: Duration?) throws {
        let parsed = parse(Self.step("{\(Self.question), \(keys)}"))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let active = try #require(parsed.study?.tasks[0].steps[0].active)
        let question = Question(
            identifier: "effort", title: .plain("How hard?"), format: .scale(from: 6, to: 20))
        #expect(active.prompts == [Prompt(question, first: first, every: every, timeLimit: limit)])
    }

    @Test(arguments: [
        ("{\(question), every: 1️⃣60 s}", "out-of-range"),
        ("{\(question), first: 1️⃣2 min, every: 10 s}", "out-of-range"),
        ("{\(question), every: 1️⃣500 ms}", "out-of-range"),
        ("{\(question), every: 10 s, timeLimit: 1️⃣11 s}", "out-of-range"),
        ("1️⃣{\(question)}", "missing-key"), ("1️⃣{\(question), timeLimit: 5 s}", "missing-key"),
        ("{\(question), every: 10 s, 1️⃣often: true}", "unknown-key"),
        ("{identifier: a, every: 10 s, answer: 1️⃣{text: {}}}", "prompt-answer"),
        ("{identifier: a, every: 10 s, answer: 1️⃣{date: {}}}", "prompt-answer"),
        ("{identifier: a, every: 10 s, answer: 1️⃣{choices: [a, b]}}", "prompt-answer"),
        ("{identifier: a, every: 10 s, answer: 1️⃣{choice: [a, b, c, d, e, f, g, h, i, j]}}", "prompt-answer"),
        (
            "{\(question), every: 10 s}, {identifier: 1️⃣effort, every: 10 s, answer: {boolean: {}}}",
            "duplicate-identifier"
        ),
    ])
    func `finds a mistake at its place, with help`(prompt: String, expected: String) {
        expectDiagnostics(Self.step(prompt), ["1️⃣": expected], library: .sample)
        let found = parse(Self.step(prompt).replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    @Test(arguments: [
        "{answer: effort, is: ge, value: 18, for: 1 s}", "{timedOut: effort, for: 5 s}",
    ])
    func `its answers can end the step`(condition: String) throws {
        let text = Self.step("{\(Self.question), every: 10 s}", ", until: \(condition)")
        let parsed = parse(text)
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        #expect(parsed.study?.tasks[0].steps[0].active?.until != nil)
    }

    @Test func `later rules, texts and clips use its last answer`() {
        let parsed = parse(
            study(
                """
                - type: active
                  identifier: s
                  duration: 60 s
                  prompts: [{\(Self.question), every: 10 s, timeLimit: 5 s}]
                - {type: instruction, identifier: told, text: "{answer.effort}", skipIf: {answer: effort, is: lt, value: 9}}
                - {type: instruction, identifier: missed, skipIf: {timedOut: effort}}
                """))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
    }
}
