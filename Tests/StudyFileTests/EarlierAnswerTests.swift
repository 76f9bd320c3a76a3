import StudyFile
import StudyModel
import StudyTesting
import Testing

/// What rules and texts can use of earlier sessions.
@Suite struct EarlierAnswerTests {
    /// - Parameters:
    ///   - steps: those of the second task, above its end.
    ///   - sessions: of the study.
    private func text(_ steps: String, sessions: String? = nil) -> String {
        let sessions =
            sessions
            ?? "[{identifier: first, task: First}, {identifier: second, task: Task}, {identifier: third, task: Task}]"
        let own = "- {type: question, identifier: mood, title: M, answer: {scale: {from: 1, to: 9}}}\n"
        return study(own + steps, head: "sessions: \(sessions)").replacing(
            "tasks:\n",
            with: """
                tasks:
                  - identifier: First
                    scores: {calm: {mean: [mood], levels: {0: low, 3: high}}}
                    steps:
                      - {type: question, identifier: mood, title: Mood, answer: {scale: {from: 1, to: 5}}}
                      - {type: question, identifier: colour, title: Colour, answer: {choice: [{value: r, text: Red}, {value: g, text: Green}]}}
                      - {type: completion, identifier: end}

                """)
    }

    private func title(_ words: String) -> String {
        "- {type: instruction, identifier: i, title: \"\(words)\"}"
    }
    private func rule(_ rule: String) -> String { "- {type: instruction, identifier: i, skipIf: \(rule)}" }

    @Test func `texts and rules use answers, scores and levels`() throws {
        let steps = [
            title("{answer.first.colour} {score.first.calm} {answer.first.calm.level} {answer.second.mood}"),
            rule("{answer: first.mood, is: gt, value: 4}").replacing(": i,", with: ": j,"),
            rule("{not: {answered: first.colour}}").replacing(": i,", with: ": k,"),
        ]
        let parsed = parse(text(steps.joined(separator: "\n")))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let tasks = try #require(parsed.study?.tasks)
        #expect(tasks[0].recalled.isEmpty)
        #expect(
            tasks[1].recalled.map(\.identifier.text) == [
                "first.calm", "first.calm.level", "first.colour", "first.mood", "second.mood",
            ])
        #expect(tasks[1].recalled.map(\.session) == ["first", "first", "first", "first", "second"])
        #expect(
            tasks[1].format(of: "first.mood") == .scale(from: 1, to: 5, fromLabel: nil, toLabel: nil)
                && tasks[1].format(of: "second.mood") == .scale(from: 1, to: 9, fromLabel: nil, toLabel: nil))
    }

    @Test(
        arguments: [
            ("first.mod", "there is no question 'mod' in the session 'first'"),
            ("third.mood", "the session 'third' does not come before a session with this task"),
            ("fourth.mood", "there is no question 'fourth.mood'"),
        ])
    func `what does not exist is refused`(name: String, words: String) {
        for steps in [
            title("{answer.\(name)}"), rule("{answer: \(name), is: eq, value: 1}"),
            rule("{answered: \(name)}"),
        ] {
            let found = parse(text(steps)).diagnostics
            #expect(found.map(\.code) == [.unknownQuestion], "\(found.rendered(isColoured: false))")
            #expect(found.first?.message == words && found.first?.help != nil)
        }
    }

    @Test func `a question is no score, and only answers are known`() {
        for steps in [title("{score.first.mood}"), rule("{timedOut: first.mood}")] {
            let found = parse(text(steps)).diagnostics
            #expect(found.map(\.code) == [.unknownQuestion], "\(found.rendered(isColoured: false))")
        }
        let score = text("").replacing(
            "- identifier: Task\n", with: "- identifier: Task\n    scores: {all: {sum: [mood, first.mood]}}\n"
        )
        #expect(parse(score).diagnostics.map(\.code) == [.unknownQuestion])
    }

    @Test func `the task of the earlier session stands above`() {
        let sessions = "[{identifier: zero, task: Task}, {identifier: first, task: First}]"
        let below = text("", sessions: sessions).replacing(
            "title: Colour", with: "title: \"{answer.zero.mood}\"")
        let found = parse(below).diagnostics
        #expect(found.map(\.code) == [.unknownQuestion])
        #expect(found.first?.message == "the task 'Task' of the session 'zero' stands below this task")
    }

    @Test func `values are compared as the earlier question has them`() {
        let found = parse(text(rule("{answer: first.mood, is: gt, value: 7}"))).diagnostics
        #expect(!found.isEmpty && !found.map(\.code).contains(.unknownQuestion))
    }
}
