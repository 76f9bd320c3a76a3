import StudyModel
import Testing

@testable import StudyEngine

/// Runs whose answers decide on the rounds.
@Suite struct StaircaseRunTests {
    private static let yes = Answer.choice("yes")
    private static let no = Answer.choice("no")
    private static let ladder = StimulusSet(
        identifier: "ladder",
        pool: StaircaseTests.values.map {
            Stimulus(
                identifier: Identifier("v\(Int($0))") ?? "v", file: "", path: "",
                attributes: ["difference": "\($0)"])
        })

    private static func steps(_ staircase: Staircase, _ more: [Step] = []) -> [Step] {
        var question = ask(
            "which",
            .choice([.init(value: "yes", text: .plain("yes")), .init(value: "no", text: .plain("no"))]))
        question.right = ["which": .answer(.text("yes"))]
        var rounds = Block(set: "ladder", steps: [read("hear"), question])
        rounds.filled = staircase.values.map { value in
            var hear = read("hear")
            hear.title = .plain("\(Int(value))")
            return [hear, question] + more
        }
        rounds.steps = rounds.filled[0]
        rounds.staircase = staircase
        return [read("welcome"), block("staircase", rounds), read("after"), thanks]
    }

    private static let limen: AnswerScore = {
        var score = AnswerScore(
            identifier: "limen", method: .mean, inputs: [.init(question: "which")], step: "which")
        score.reversals = .init(of: "staircase", last: 2)
        return score
    }()

    private static func plan(
        _ steps: [Step], recorders: [SpanningRecorder] = [], music: [SpanningMusic] = []
    ) throws -> RunPlan {
        var task = Study.Task(identifier: "T", steps: steps, recorders: recorders)
        (task.scores, task.music) = ([limen], music)
        var study = Study(identifier: "s", title: .plain("S"), tasks: [task])
        study.conditions = [ladder]
        return try RunPlan(
            drawing: study, task: task, participant: "P01", number: nil, session: 1, seed: 1)
    }

    private static func sitting(_ staircase: Staircase, _ more: [Step] = []) throws -> Sitting {
        var sitting = try Sitting([thanks], begun: false)
        sitting.run = TaskRun(try plan(steps(staircase, more)))
        sitting.tell(.begin, at: 0)
        sitting.tell(.confirmed, at: 1)
        return sitting
    }

    private static func title(_ sitting: Sitting) -> String? {
        sitting.run.shown.flatMap { sitting.run.entry(for: $0).step.title?.text(in: nil) }
    }

    @Test func `each round shows the rung that the answers decide, and the task goes on when it is done`()
        throws
    {
        var sitting = try Self.sitting(StaircaseTests.staircase(down: 1, reversals: 3, start: 3))
        var shown: [String?] = []
        for isRight in [true, true, false, true, false] {
            shown.append(Self.title(sitting))
            sitting.tell(.confirmed, at: 2)
            sitting.answer("which", isRight ? Self.yes : Self.no, at: 3)
        }
        #expect(shown == ["12", "8", "6", "8", "6"])
        let trials = sitting.results.compactMap(\.trial)
        #expect(trials.map(\.rung) == [3, 4, 5, 4, 5] && trials.map(\.value) == [12, 8, 6, 8, 6])
        #expect(trials.map(\.isReversal) == [false, false, true, true, true])
        #expect(trials.map(\.isRight) == [true, true, false, true, false])
        let limens = sitting.results.flatMap(\.answers).filter { $0.question == "limen" }
        #expect(limens.map(\.answer) == [.number(7), .number(7)])
        #expect(
            limens.last?.inputs == [.init(question: "which", value: 8), .init(question: "which", value: 6)])
        let after = try #require(sitting.run.shown)
        #expect(sitting.run.entry(for: after).step.identifier == "after" && !after.canGoBack)
        #expect(sitting.results.map(\.visit) == [1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
        #expect(sitting.results.map(\.condition?.identifier.text).last == "v6")
    }

    @Test func `an answer of this round can be changed, and none of an earlier one`() throws {
        var sitting = try Self.sitting(StaircaseTests.staircase(down: 1), [read("confirm")])
        #expect(sitting.run.shown?.canGoBack == false, "what was before the block stays, too")
        sitting.tell(.confirmed, at: 2)
        sitting.answer("which", Self.yes, at: 3)
        sitting.tell(.wentBack, at: 4)
        sitting.answer("which", Self.no, at: 5)
        sitting.tell(.confirmed, at: 6)
        #expect(Self.title(sitting) == "24", "the last answer of the round counts")
        #expect(sitting.run.shown?.canGoBack == false)
        sitting.tell(.confirmed, at: 7)
        sitting.answer("which", Self.yes, at: 8)
        sitting.tell(.confirmed, at: 9)
        #expect(Self.title(sitting) == "16")
    }

    @Test func `a round without an answer is wrong`() throws {
        var sitting = try Self.sitting(StaircaseTests.staircase(down: 1, most: 3))
        for isAnswered in [true, true, false] {
            sitting.tell(.confirmed, at: 2)
            if isAnswered {
                sitting.answer("which", Self.yes, at: 3)
            } else {
                let skip = try #require(RunMark(.control, control: .skip, text: "ill", at: .seconds(4)))
                sitting.tell(.marked(skip), at: 4)
            }
        }
        #expect(sitting.results.compactMap(\.trial).map(\.isRight) == [true, true, false])
        #expect(sitting.results.compactMap(\.trial).last?.isReversal == true)
    }

    @Test(arguments: 0..<20)
    func `a rehearsal ends where its participant knows half of the answers`(seed: UInt64) throws {
        let staircase = StaircaseTests.staircase(reversals: 10)
        let rehearsal = Rehearsal(
            try Self.plan(Self.steps(staircase)), with: SimulatedParticipant(seed: seed))
        #expect(rehearsal.outcome == .completed)
        let trials = rehearsal.results.compactMap(\.trial)
        #expect(trials.count(where: \.isReversal) == 10 || trials.count == 60)
        let limen = try #require(
            rehearsal.results.flatMap(\.answers).last { $0.question == "limen" && $0.answer != nil }?.answer?
                .number)
        #expect((1...16).contains(limen))
    }

    @Test func `recorders and music begin with the first round, whichever rung it has`() throws {
        let plan = try Self.plan(
            Self.steps(StaircaseTests.staircase(start: 3)),
            recorders: [SpanningRecorder(recorder: heart(), from: "staircase", to: "staircase")],
            music: [
                SpanningMusic(
                    identifier: "m", from: "staircase", to: "staircase", use: .init(choice: .play(clip("a"))))
            ])
        var sitting = try Sitting([thanks], begun: false)
        sitting.run = TaskRun(plan)
        #expect(sitting.tell(.begin, at: 0).started.isEmpty)
        let effects = sitting.tell(.confirmed, at: 1)
        #expect(effects.started.count == 1)
        #expect(effects.contains { if case .play = $0 { true } else { false } })
    }

    @Test func `the plan draws tracks in lots, and a row of every rung`() throws {
        var staircase = StaircaseTests.staircase(most: 30)
        staircase.values = [24, 12, 6]
        staircase.rowsOfRung = 3
        staircase.tracks = [.init("a"), .init("b", start: 2)]
        var steps = Self.steps(StaircaseTests.staircase())
        var rounds = try #require(steps[1].block)
        rounds.staircase = staircase
        steps[1].kind = .block(rounds)
        let plan = try Self.plan(steps)
        let turns = try #require(plan.draws.first { $0.stream == "track/T/staircase/1" })
        #expect(turns.method == "withoutReplacement" && turns.chosen.count == 60)
        for lot in stride(from: 0, to: 60, by: 2) { #expect(Set(turns.chosen[lot..<lot + 2]) == ["a", "b"]) }
        let rows = try #require(plan.draws.first { $0.stream == "rung/T/staircase/1" })
        #expect(rows.method == "random" && Set(rows.chosen) == ["1", "2", "3"] && rows.chosen.count == 60)
        let entries = plan.sections[1].passes[0]
        #expect(entries.count == 60 * 3 * 2 && entries.count { !$0.isOtherRung } == 120)
        for entry in entries {
            let (round, index) = (try #require(entry.round), try #require(entry.clipOfRound?.index))
            #expect("\(index % 3 + 1)" == rows.chosen[round - 1] && index / 3 == entry.blocks.last?.rung)
            #expect(
                entry.step.identifier != "hear"
                    || entry.step.title?.text(in: nil) == "\(Int(StaircaseTests.values[index]))")
        }
    }

    @Test func `the same events give the same course, wherever the run was interrupted`() throws {
        let plan = try Self.plan(Self.steps(StaircaseTests.staircase(reversals: 4)))
        let whole = Rehearsal(plan, with: SimulatedParticipant(seed: 3))
        let events = whole.transcript.compactMap { entry -> (Event, RunInstant)? in
            if case .event(let event) = entry.moment { (event, entry.at) } else { nil }
        }
        for stop in stride(from: 2, to: events.count, by: 3) {
            var run = TaskRun(plan)
            for (event, instant) in events[..<stop] { _ = run.handle(event, at: instant) }
            guard run.shown != nil, !run.isOver else { continue }
            let before = run.shown.map { run.entry(for: $0) }
            _ = run.handle(.interrupted, at: events[stop].1)
            for ordinal in run.unsavedOrdinals { _ = run.handle(.saved(ordinal), at: events[stop].1) }
            guard run.canGoOn else { continue }
            _ = run.handle(.continued, at: events[stop].1)
            #expect(run.shown.map { run.entry(for: $0) } == before)
        }
    }
}
