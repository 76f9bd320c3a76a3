import StudyEngine
import StudyModel
import Testing

/// Questions that are asked while a timed step goes on.
@Suite struct PromptTests {
    private static let scale = AnswerFormat.scale(from: 1, to: 9, fromLabel: nil, toLabel: nil)

    private static func prompt(
        _ name: Identifier, first: Double = 10, every: Double? = 10, limit: Double? = nil,
        optional: Bool = false
    ) -> Prompt {
        Prompt(
            Question(identifier: name, isOptional: optional, format: scale), first: .seconds(first),
            every: every.map { .seconds($0) }, timeLimit: limit.map { .seconds($0) })
    }

    private static func step(
        _ prompts: [Prompt], lasting seconds: Double = 35, until: ActiveStep.Until? = nil
    ) -> Step {
        var active = ActiveStep(duration: .seconds(seconds))
        active.prompts = prompts
        active.until = until
        return Step(identifier: "s", kind: .active(active))
    }

    private static func sitting(_ prompts: [Prompt], _ more: [Step] = [thanks]) throws -> Sitting {
        try Sitting([step(prompts)] + more)
    }

    private static func wake(_ moment: Wake.Moment, segment: Int = 1) -> Event {
        .woke(Wake(ordinal: 1, segment: segment, moment: moment))
    }

    /// Question, number, and the moments and the reason of each asking.
    private static func askings(_ sitting: Sitting) -> [String] {
        (sitting.result("s")?.answers ?? []).map { given in
            guard let asking = given.asking else { return "\(given.question) without asking" }
            let time = { (instant: RunInstant) in "\(Double(instant.nanoseconds) / 1e9)" }
            return
                "\(given.question)\(asking.number) \(time(asking.planned)) \(asking.shown.map(time) ?? "-") "
                + "\(time(asking.ended)) \(asking.endedBy) \(given.answer.map { "\($0.words[0])" } ?? "-")"
        }
    }

    @Test func `it is asked at its moments, and answered, late, never and at the end`() throws {
        var sitting = try Sitting([Self.step([Self.prompt("q", limit: 4)]), thanks], begun: false)
        let begun = sitting.tell(.begin, at: 0)
        #expect(begun.contains(.wake(Wake(ordinal: 1, segment: 1, moment: .prompt), at: .seconds(10))))
        let asked = sitting.tell(Self.wake(.prompt), at: 10.001)
        #expect(asked.shown?.prompt == .init(place: 0, number: 1))
        #expect(
            asked.contains(.wake(Wake(ordinal: 1, segment: 1, moment: .promptLimit), at: .seconds(14.001))))
        #expect(asked.contains(.wake(Wake(ordinal: 1, segment: 1, moment: .prompt), at: .seconds(20))))
        let answered = sitting.answer("q", .scale(3), at: 12)
        #expect(answered.shown?.prompt == nil && answered.shown?.phase == asked.shown?.phase)
        #expect(sitting.answer("q", .scale(4), at: 12.1).isEmpty, "nothing is asked now")
        #expect(sitting.tell(Self.wake(.promptLimit), at: 14.001).isEmpty)
        sitting.tell(Self.wake(.prompt), at: 20)
        #expect(sitting.tell(Self.wake(.promptLimit), at: 24.002).shown?.prompt == nil)
        #expect(sitting.answer("q", .scale(5), at: 24.1).isEmpty, "too late")
        sitting.tell(Self.wake(.prompt), at: 30)
        sitting.timeIsUp(1, at: 35)
        #expect(
            Self.askings(sitting) == [
                "q1 10.0 10.001 12.0 answer 3", "q2 20.0 20.0 24.0 timeLimit -",
                "q3 30.0 30.0 34.0 timeLimit -",
            ])
        #expect(sitting.result("s")?.answers.map { $0.asking?.isTimedOut } == [false, true, true])
    }

    @Test func `without a time limit it is open until the next one, or the step's end`() throws {
        var sitting = try Self.sitting([Self.prompt("q")])
        for time in [10.0, 20, 30] { sitting.tell(Self.wake(.prompt), at: time) }
        sitting.timeIsUp(1, at: 35)
        #expect(
            Self.askings(sitting) == [
                "q1 10.0 10.0 20.0 nextPrompt -", "q2 20.0 20.0 30.0 nextPrompt -",
                "q3 30.0 30.0 35.0 stepEnd -",
            ])
    }

    @Test func `two at one moment follow one another, and what waits too long is never shown`() throws {
        var sitting = try Self.sitting([Self.prompt("q", limit: 6), Self.prompt("p")])
        #expect(sitting.tell(Self.wake(.prompt), at: 10).shown?.prompt?.place == 0)
        #expect(sitting.answer("q", .scale(1), at: 12).shown?.prompt?.place == 1)
        #expect(sitting.answer("q", .scale(9), at: 12.5).isEmpty, "it is not the one on show")
        #expect(sitting.answer("p", .scale(2), at: 13).shown?.prompt == nil)
        sitting.tell(Self.wake(.prompt), at: 20)
        sitting.tell(Self.wake(.promptLimit), at: 26)
        sitting.tell(Self.wake(.prompt), at: 30)
        sitting.tell(Self.wake(.promptLimit), at: 30.5)
        sitting.timeIsUp(1, at: 35)
        #expect(
            Self.askings(sitting) == [
                "q1 10.0 10.0 12.0 answer 1", "p1 10.0 12.0 13.0 answer 2", "q2 20.0 20.0 26.0 timeLimit -",
                "p2 20.0 26.0 30.0 nextPrompt -", "q3 30.0 30.0 35.0 stepEnd -", "p3 30.0 - 35.0 stepEnd -",
            ])
    }

    @Test func `after a time in which the program stood still only the last asking is shown`() throws {
        var sitting = try Self.sitting([Self.prompt("q", limit: 5)])
        let woken = sitting.tell(Self.wake(.prompt), at: 31)
        #expect(woken.shown?.prompt?.number == 3)
        sitting.answer("q", .scale(3), at: 32)
        sitting.timeIsUp(1, at: 35)
        #expect(
            Self.askings(sitting) == [
                "q1 10.0 - 20.0 nextPrompt -", "q2 20.0 - 30.0 nextPrompt -", "q3 30.0 31.0 32.0 answer 3",
            ])
    }

    @Test func `a pause stops its clock, and what is due later comes later`() throws {
        var sitting = try Self.sitting([Self.prompt("q", limit: 6)])
        sitting.tell(Self.wake(.prompt), at: 10)
        let paused = sitting.tell(.paused, at: 12)
        #expect(paused.shown?.prompt != nil, "it waits")
        #expect(sitting.answer("q", .scale(3), at: 13).isEmpty, "nobody answers in a pause")
        #expect(sitting.tell(Self.wake(.promptLimit), at: 16).isEmpty)
        let resumed = sitting.tell(.resumed, at: 112)
        #expect(
            resumed.contains(.wake(Wake(ordinal: 1, segment: 2, moment: .promptLimit), at: .seconds(116))))
        #expect(resumed.contains(.wake(Wake(ordinal: 1, segment: 2, moment: .prompt), at: .seconds(120))))
        sitting.tell(Self.wake(.promptLimit, segment: 2), at: 116)
        sitting.tell(Self.wake(.prompt, segment: 2), at: 120)
        sitting.answer("q", .scale(3), at: 121)
        sitting.tell(.paused, at: 122)
        sitting.tell(.withdrawn, at: 140)
        #expect(
            Self.askings(sitting) == ["q1 10.0 10.0 116.0 timeLimit -", "q2 120.0 120.0 121.0 answer 3"])
    }

    @Test func `what was typed and not sent is a draft of its asking, and no answer to the next`() throws {
        var sitting = try Self.sitting([Self.prompt("q")])
        let draft = { (text: String, shown: Double) in
            Event.drafted(
                DraftedAnswer(question: "q", text: text, times: AnswerTimes(shown: .seconds(shown))))
        }
        sitting.tell(draft("0", 5), at: 6)
        sitting.tell(Self.wake(.prompt), at: 10)
        sitting.tell(draft("1", 10.01), at: 11)
        sitting.tell(draft("12", 10.01), at: 12)
        sitting.tell(Self.wake(.prompt), at: 20)
        sitting.tell(draft("123", 10.01), at: 20.001)
        var late = GivenAnswer(question: "q", answer: .scale(1), times: AnswerTimes(shown: .seconds(10.01)))
        #expect(sitting.tell(.answered([late]), at: 20.01).isEmpty, "it was meant for the asking before")
        late.times = AnswerTimes(shown: .seconds(20.01))
        sitting.tell(.answered([late]), at: 21)
        sitting.tell(Self.wake(.prompt), at: 30)
        sitting.tell(draft("7", 30), at: 31)
        sitting.timeIsUp(1, at: 35)
        let result = try #require(sitting.result("s"))
        #expect(result.drafts.map(\.text) == ["12", "7"])
        #expect(result.answers.map(\.answer) == [nil, .scale(1), nil])
    }

    @Test(arguments: [Answer.scale(10), .boolean(true), nil])
    func `what can be no answer is none`(answer: Answer?) throws {
        var sitting = try Self.sitting([Self.prompt("q")])
        sitting.tell(Self.wake(.prompt), at: 10)
        #expect(sitting.answer("q", answer, at: 11).isEmpty)
    }

    @Test func `an optional one can be left out, which is not missing it`() throws {
        var sitting = try Self.sitting([Self.prompt("q", every: nil, optional: true)])
        sitting.tell(Self.wake(.prompt), at: 10)
        sitting.answer("q", nil, at: 11)
        sitting.timeIsUp(1, at: 35)
        #expect(Self.askings(sitting) == ["q1 10.0 10.0 11.0 answer -"])
    }

    @Test func `rules see the last answer of the visit, and whether the last asking was missed`() throws {
        let isOver = Navigation.Condition(
            subject: .timedOut("q"), comparison: .eq, value: .boolean(true))
        let more = [
            read("hard", Navigation(skipIf: [when("q", .lt, .number(5))])),
            read("met", Navigation(skipIf: [isOver])), thanks,
        ]
        var sitting = try Self.sitting([Self.prompt("q")], more)
        sitting.tell(Self.wake(.prompt), at: 10)
        sitting.answer("q", .scale(3), at: 11)
        sitting.tell(Self.wake(.prompt), at: 20)
        sitting.timeIsUp(1, at: 35)
        #expect(sitting.results.map(\.identifier) == ["s", "hard", "met"])
        #expect(sitting.results.dropFirst().map(\.skip) == [.rule, .rule])
        var never = try Self.sitting([Self.prompt("q")], more)
        #expect(never.timeIsUp(1, at: 35).shown?.section == 1, "never asked: no rule holds")
    }

    @Test func `an answer can end the step`() throws {
        let until = ActiveStep.Until(when("q", .ge, .number(8)), holding: .seconds(1))
        var sitting = try Sitting([Self.step([Self.prompt("q")], until: until), thanks])
        sitting.tell(Self.wake(.prompt), at: 10)
        let asked = sitting.answer("q", .scale(8), at: 12)
        #expect(asked.contains(.wake(Wake(ordinal: 1, segment: 1, moment: .until), at: .seconds(13))))
        sitting.tell(Self.wake(.until), at: 13)
        #expect(sitting.result("s")?.endedBy == .until && sitting.result("s")?.end == .seconds(13))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `somebody simulated answers most of them in time, and leaves nothing else otherwise`(
        seed: UInt64
    ) throws {
        let steps = [Self.step([Self.prompt("q", limit: 9)], lasting: 605), ask("after"), thanks]
        let rehearsal = Rehearsal(
            try makePlan(steps), with: SimulatedParticipant(seed: seed))
        let askings = rehearsal.results[0].answers
        #expect(askings.count == 60 && askings.allSatisfy { $0.asking != nil })
        let missed = askings.count { $0.answer == nil }
        #expect(missed <= 12 && askings.allSatisfy { ($0.answer == nil) == ($0.asking?.isTimedOut == true) })
        let plain = Rehearsal(
            try makePlan([Self.step([], lasting: 605), ask("after"), thanks]),
            with: SimulatedParticipant(seed: seed))
        #expect(rehearsal.results[1].answers == plain.results[1].answers)
        #expect(rehearsal.results[1].start == plain.results[1].start)
        let told = Rehearsal(
            try makePlan(steps), with: SimulatedParticipant(seed: seed, answers: ["q": .scale(2)]))
        #expect(told.results[0].answers.allSatisfy { $0.answer == .scale(2) })
    }
}
