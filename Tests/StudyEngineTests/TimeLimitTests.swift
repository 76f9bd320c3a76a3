import StudyEngine
import StudyModel
import Testing

/// Questions that can be answered for a time only.
@Suite struct TimeLimitTests {
    private func limited(_ name: Identifier, keeps: Bool = false, _ rules: Navigation = Navigation()) -> Step
    {
        var step = ask(name, rules: rules)
        step.timeLimit = Step.TimeLimit(.seconds(5), keepsAnswers: keeps)
        return step
    }

    private func draft(_ text: String, _ answer: Answer?) -> Event {
        var draft = DraftedAnswer(question: "q", text: text, times: AnswerTimes(shown: .start))
        draft.answer = answer
        return .drafted(draft)
    }

    private let over = Event.woke(Wake(ordinal: 1, segment: 0, moment: .timeLimit))

    @Test func `the run goes on when the time is over, and the answer is missing`() throws {
        var sitting = try Sitting([limited("q"), thanks], begun: false)
        let begun = sitting.tell(.begin, at: 1)
        #expect(begun.contains(.wake(Wake(ordinal: 1, segment: 0, moment: .timeLimit), at: .seconds(6))))
        sitting.tell(draft("7", .scale(7)), at: 2)
        sitting.tell(over, at: 6.003)
        let result = try #require(sitting.results.first)
        #expect(result.isTimedOut == true && result.skip == nil)
        #expect(result.answers == [GivenAnswer(question: "q", answer: nil)])
        #expect(result.end == .seconds(6) && result.lateness["end"] == .seconds(6.003) - .seconds(6))
        #expect(result.drafts.map(\.text) == ["7"], "what was not sent is told as that")
    }

    @Test(arguments: [("7", Answer.scale(7), Answer.scale(7)), ("77", .scale(77), nil), ("x", nil, nil)])
    func `what stands there counts where the study keeps it and it can be an answer`(
        text: String, drafted: Answer?, kept: Answer?
    ) throws {
        var sitting = try Sitting([limited("q", keeps: true), thanks])
        sitting.tell(draft(text, drafted), at: 2)
        sitting.tell(over, at: 6)
        let result = try #require(sitting.results.first)
        #expect(result.answers.map(\.answer) == [kept] && result.isTimedOut == true)
        #expect(result.drafts.isEmpty == (kept != nil))
    }

    @Test func `a run that goes on gives the time that was left`() throws {
        var sitting = try Sitting([limited("q"), limited("later"), thanks])
        sitting.tell(.failed("the program was killed"), at: 3)
        let begun = sitting.tell(.continued, at: 60)
        #expect(begun.contains(.wake(Wake(ordinal: 2, segment: 0, moment: .timeLimit), at: .seconds(62))))
        let next = sitting.tell(.answered([GivenAnswer(question: "q", answer: .scale(3))]), at: 61)
        #expect(next.contains(.wake(Wake(ordinal: 3, segment: 0, moment: .timeLimit), at: .seconds(66))))
    }

    @Test func `an answer in time is one, and the time is over for nobody then`() throws {
        var sitting = try Sitting([limited("q"), ask("later"), thanks])
        sitting.tell(.answered([GivenAnswer(question: "q", answer: .scale(3))]), at: 4)
        #expect(sitting.results.first?.isTimedOut == false)
        #expect(sitting.tell(over, at: 6).isEmpty)
    }

    @Test func `a rule asks whether there was no time left`() throws {
        let isOver = Navigation.Condition(
            subject: .timedOut("q"), comparison: .eq, value: .boolean(true))
        let steps = [
            limited("q"), read("missed", Navigation(skipIf: [.not(isOver)])),
            read("met", Navigation(skipIf: [isOver])), thanks,
        ]
        var late = try Sitting(steps)
        late.tell(over, at: 6)
        #expect(late.run.plan.sections[1].step.identifier == "missed")
        #expect(late.results.map(\.identifier) == ["q"])
        late.tell(.confirmed, at: 7)
        #expect(late.results.map(\.identifier) == ["q", "missed", "met"])
        #expect(late.results.last?.skip == .rule)
        var early = try Sitting(steps)
        early.tell(.answered([GivenAnswer(question: "q", answer: .scale(3))]), at: 4)
        #expect(early.results.map(\.skip) == [nil, .rule])
    }

    @Test func `nobody goes back to a step that had its time`() throws {
        var sitting = try Sitting([limited("q"), ask("later"), thanks])
        sitting.tell(.answered([GivenAnswer(question: "q", answer: .scale(3))]), at: 4)
        #expect(sitting.tell(.wentBack, at: 5).isEmpty)
    }

    @Test func `a rehearsal runs out of time, and a late answer is not the next question's`() throws {
        var slow = limited("q")
        slow.text = .plain(String(repeating: "word ", count: 100))
        let plan = try makePlan([block("b", Block(repetitions: 3, steps: [slow])), thanks])
        let rehearsal = Rehearsal(plan, with: SimulatedParticipant(seed: 3))
        let asked = rehearsal.results.filter { $0.identifier == "q" }
        #expect(asked.map(\.isTimedOut) == [true, true, true])
        #expect(asked.map(\.start) == [.start, .seconds(5), .seconds(10)])
    }

    @Test func `the right answer is that of the round`() throws {
        func asked(_ right: Double) -> Step {
            var step = ask("q", .number())
            step.right = ["q": .answer(.number(right))]
            return step
        }
        var rounds = Block(set: "two", steps: [asked(1)])
        rounds.filled = [[asked(1)], [asked(2)]]
        var input = AnswerScore.Input(question: "q")
        input.isRightCounted = true
        let score = AnswerScore(identifier: "right", method: .count, inputs: [input], step: "q")
        var task = Study.Task(identifier: "T", steps: [block("b", rounds), thanks])
        task.scores = [score]
        let rows = ["one", "two"].map { Stimulus(identifier: $0, file: "", path: "") }
        var study = Study(identifier: "s", title: .plain("S"), tasks: [task])
        study.conditions = [StimulusSet(identifier: "two", pool: rows)]
        let plan = try RunPlan(
            drawing: study, task: task, participant: "P01", number: 1, session: 1, seed: 1)
        var run = TaskRun(plan)
        _ = run.handle(.begin, at: .start)
        var results: [StepResult] = []
        for (place, answer) in [2.0, 2.0].enumerated() {
            let effects = run.handle(
                .answered([GivenAnswer(question: "q", answer: .number(answer))]),
                at: .seconds(Double(place + 1)))
            results += effects.compactMap { if case .deliver(let result) = $0 { result } else { nil } }
        }
        let scores = results.map { $0.answers.last { $0.question == "right" }?.answer }
        #expect(scores == [.number(0), .number(1)], "2 is right in the second round only")
        #expect(results.map(\.condition?.identifier) == ["one", "two"])
    }
}
