import StudyEngine
import StudyModel
import Testing

/// Ends a run at every event, as a kill or somebody who leaves does, and continues it.
@Suite struct ContinuingTests {
    /// What a world does with a run: it answers at once, and the participant always knows what to answer.
    private struct World {
        var run: TaskRun
        var results: [StepResult] = []
        var events = 0
        var outcome: FinishReason?
        var recording: [RecorderKey] = []
        private var agenda: [(event: Event, at: RunInstant, seen: Presentation?)] = []
        private var now = RunInstant.start
        private var shown: Presentation?

        init(_ plan: RunPlan) { run = TaskRun(plan) }

        /// Takes events until the run is over, or until there were so many.
        mutating func goThrough(_ first: Event, after pause: Duration = .zero, until most: Int = .max) {
            agenda = []
            let start = now.advanced(by: pause)
            tell(first, at: start)
            for name in run.plan.sourceNames { tell(.sourceChanged(name, problem: nil), at: start) }
            while events < most, let next = agenda.indices.min(by: { agenda[$0].at < agenda[$1].at }) {
                let (event, moment, seen) = agenda.remove(at: next)
                if let seen, seen != shown { continue }
                tell(event, at: moment)
            }
        }

        /// The program is killed, and the run recovered.
        mutating func end(by event: Event) {
            agenda = []
            tell(event, at: now)
            while let key = recording.first { tell(.recorded(key, files: [], problem: nil), at: now) }
            for ordinal in run.unsavedOrdinals { tell(.saved(ordinal), at: now) }
        }

        private mutating func tell(_ event: Event, at moment: RunInstant) {
            now = max(now, moment)
            events += 1
            if case .recorded(let key, _, _) = event { recording.removeAll { $0 == key } }
            for effect in run.handle(event, at: now) { answer(effect) }
        }

        private mutating func answer(_ effect: Effect) {
            switch effect {
            case .show(let presentation):
                shown = presentation
                let entry = run.entry(for: presentation)
                if let event = Self.act(in: presentation, entry.step) {
                    agenda.append((event, now.advanced(by: .seconds(1)), presentation))
                }
            case .wake(let wake, let instant): agenda.append((.woke(wake), max(now, instant), nil))
            case .record(let key, _, _): recording.append(key)
            case .stopRecording(let key, _, _):
                agenda.append((.recorded(key, files: [], problem: nil), now, nil))
            case .deliver(let result):
                results.append(result)
                agenda.append((.saved(result.ordinal), now, nil))
            case .end(let reason): outcome = reason
            case .play, .stopPlaying, .cue, .allocate: return
            }
        }

        private static func act(in presentation: Presentation, _ step: Step) -> Event? {
            guard presentation.phase == .waiting || presentation.phase == .timeUp else { return nil }
            switch step.kind {
            case .question: return .answered([.init(question: step.identifier, answer: .scale(5))])
            case .form(let form):
                return .answered(form.questions.map { .init(question: $0.identifier, answer: .scale(2)) })
            case .instruction, .active, .completion, .countdown, .review, .block, .consent, .program,
                .allocation:
                return .confirmed
            }
        }
    }

    private static func plan() throws -> RunPlan {
        let scale = AnswerFormat.scale(from: 1, to: 9)
        let round = [
            timed("rest", 3, recorders: [heart()]),
            timed("listen", 4, stimulus: Stimulus.Use(choice: .roundOf(set: "three")), recorders: [heart()]),
            ask("q", scale),
        ]
        let form = Step(identifier: "f", kind: .form(Form([Question(identifier: "f1", format: scale)])))
        return try makePlan(
            [
                read("a"), timed("music", 5, stimulus: draw(.withoutReplacement), recorders: [heart()]),
                block("b", Block(repetitions: 2, set: "three", order: .shuffle([]), steps: round)),
                timed("more", 5, stimulus: draw(.withoutReplacement)), form, thanks,
            ],
            recorders: [SpanningRecorder(recorder: heart("span"), from: "b", to: "more")])
    }

    /// The course of a run, without visits that the end of a run cut off.
    private static func course(_ results: [StepResult]) -> [String] {
        results.sorted { $0.ordinal < $1.ordinal }.filter { $0.skip == nil }.map { result in
            let answers = result.answers.compactMap { $0.answer == nil ? nil : $0.question.text }
            return
                "\(result.path.map(\.text)) \(result.round ?? 0) \(result.stimulus?.stimulus.identifier.text ?? "-") "
                + "\(answers)"
        }
    }

    @Test(arguments: [Event.failed("the program was killed"), .interrupted, .putAside])
    func `goes on at every event as if it had not ended`(_ ending: Event) throws {
        let plan = try Self.plan()
        var whole = World(plan)
        whole.goThrough(.begin)
        #expect(whole.outcome == .completed)
        let course = Self.course(whole.results)
        #expect(course.count == 23)
        for kill in 1..<whole.events {
            var world = World(plan)
            world.goThrough(.begin, until: kill)
            guard !world.run.isEnding else { continue }
            world.end(by: ending)
            #expect(world.run.canGoOn, "\(kill)")
            world.goThrough(.continued, after: .seconds(3_600))
            #expect(world.outcome == .completed, "\(kill)")
            #expect(Self.course(world.results) == course, "\(kill)")
            #expect(world.results.count { $0.skip == .runEnded } <= 1)
            #expect(Set(world.results.map(\.ordinal)).count == world.results.count)
        }
    }

    @Test func `can end and go on again and again`() throws {
        let plan = try Self.plan()
        var world = World(plan)
        world.goThrough(.begin, until: 5)
        var count = 0
        while world.outcome != .completed {
            world.end(by: .putAside)
            world.goThrough(.continued, after: .seconds(60), until: world.events + 14)
            count += 1
            try #require(count < 100)
        }
        var whole = World(plan)
        whole.goThrough(.begin)
        #expect(Self.course(world.results) == Self.course(whole.results))
        #expect(count > 3)
    }

    @Test func `drafts and the way back are there again`() throws {
        var sitting = try Sitting([ask("p"), ask("q"), thanks])
        sitting.tell(.answered([.init(question: "p", answer: .scale(3))]), at: 1)
        let times = AnswerTimes(shown: .seconds(1))
        sitting.tell(.drafted(DraftedAnswer(question: "q", text: "7", times: times)), at: 2)
        sitting.tell(.failed("killed"), at: 3)
        let shown = try #require(sitting.tell(.continued, at: 60).shown)
        #expect(shown.ordinal == 3 && shown.canGoBack)
        #expect(sitting.run.drafts(for: shown) == ["q": "7"])
        #expect(sitting.tell(.wentBack, at: 61).shown?.section == 0)
    }

    @Test func `nothing goes on that has come to an end`() throws {
        for ending in [Event.withdrawn, .confirmed] {
            var sitting = try Sitting([thanks])
            sitting.tell(ending, at: 1)
            #expect(!sitting.run.canGoOn)
            #expect(sitting.tell(.continued, at: 2).isEmpty)
        }
        var sitting = try Sitting([read("a"), thanks])
        #expect(sitting.tell(.continued, at: 2).isEmpty, "it goes on already")
    }

    @Test func `a recorder over several steps begins anew as a further segment`() throws {
        let span = SpanningRecorder(recorder: heart("whole", required: true), from: "one", to: "two")
        var sitting = try Sitting([read("zero"), timed("one"), timed("two"), thanks], recorders: [span])
        sitting.tell(.sourceChanged("heartRate", problem: nil), at: 0)
        let first = try #require(sitting.tell(.confirmed, at: 1).started.first)
        sitting.timeIsUp(2, at: 31)
        #expect(sitting.tell(.failed("killed"), at: 40).stopped == [first])
        sitting.tell(.recorded(first, files: [], problem: nil), at: 40)
        #expect(
            sitting.tell(.continued, at: 100).shown?.phase
                == .waitingForSource("heartRate", problem: "not connected yet"))
        let again = sitting.tell(.sourceChanged("heartRate", problem: nil), at: 101).started
        #expect(again == [RecorderKey(ordinal: 4, recorder: "whole", segment: 2)])
        sitting.tell(.failed("killed"), at: 110)
        sitting.tell(.recorded(again[0], files: [], problem: nil), at: 110)
        sitting.tell(.continued, at: 200)
        let third = sitting.tell(.sourceChanged("heartRate", problem: nil), at: 201).started
        #expect(third == [RecorderKey(ordinal: 5, recorder: "whole", segment: 3)])
    }
}
