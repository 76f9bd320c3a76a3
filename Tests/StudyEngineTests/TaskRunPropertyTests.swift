import Hashing
import StudyEngine
import StudyModel
import Testing

/// Throws everything at a run, sensible or not.
@Suite struct TaskRunPropertyTests {
    private static let names: [Identifier] = ["q", "rest", "listen", "b", "f"]

    private static func plans() throws -> [RunPlan] {
        let again = Navigation(goTo: [.init(condition: when("q", .lt, .number(7)), target: .step("a"))])
        let skip = Navigation(skipIf: [when("q", .gt, .number(4))])
        let required = heart("required", required: true)
        var onset = draw(.withoutReplacement)
        onset.onset = .seconds(2)
        let cues = [Cue(moment: .halfway, signal: .bell), Cue(moment: .finish, signal: .bell)]
        let form = Step(
            identifier: "f", isOptional: true,
            kind: .form(Form([Question(identifier: "q", isOptional: true, format: .date())])))
        let round = [
            timed("rest", 3, recorders: [heart()]),
            timed(
                "listen", 4, stimulus: Stimulus.Use(choice: .roundOf(set: "three")), cues: cues,
                optional: true),
            ask("q", rules: again),
        ]
        var trials = Block(repetitions: 2, steps: [read("a"), timed("rest", 3), ask("q", optional: true)])
        trials.stimulus = Stimulus.Use(choice: .roundOf(set: "three"))
        return [
            try makePlan([
                block("b", Block(set: "three", steps: [block("t", trials), read("r", optional: true)])),
                thanks,
            ]),
            try makePlan([
                read("a", Navigation(maximumVisits: 3)),
                timed("rest", 5, stimulus: onset, cues: cues, recorders: [heart()]),
                ask("q", rules: again), read("extra", skip), thanks,
            ]),
            try makePlan(
                [
                    read("a", optional: true, Navigation(maximumVisits: 4)),
                    block("b", Block(repetitions: 2, set: "three", order: .williams, steps: round), skip),
                    form, thanks,
                ],
                recorders: [
                    SpanningRecorder(recorder: heart("span"), from: "a", to: "b"),
                    SpanningRecorder(recorder: heart("span2", required: true), from: "b", to: "f"),
                ]),
            try makePlan([
                timed(
                    "rest", 2, timer: .init(startsOnConfirm: true, waitsAtFinish: true), recorders: [required]
                ),
                form, read("r"), ask("q", .boolean(yes: .plain("y"), no: .plain("n")), optional: true),
                Step(identifier: "count", kind: .countdown(.seconds(1))),
                timed("listen", 2, stimulus: draw(.random), recorders: [required, heart()]),
            ]),
            try makePlan(
                [
                    read("a", Navigation(maximumVisits: 3)), timed("rest", 3), ask("q", rules: again),
                    timed("listen", 4, timer: .init(waitsAtFinish: true)), thanks,
                ],
                music: [
                    SpanningMusic(identifier: "m", from: "rest", to: "listen", use: draw(.random)),
                    SpanningMusic(identifier: "n", from: "a", to: "a", use: draw(.withoutReplacement)),
                ]),
            try makePlan([asking("listen"), ask("q"), asking("rest"), thanks]), try AllocationRunTests.plan(),
        ]
    }

    /// A timed step that asks two questions, one of them with a time limit.
    private static func asking(_ name: Identifier) -> Step {
        var active = ActiveStep(duration: .seconds(20), stimulus: draw(.random))
        active.prompts = [("q", 2, 5, 3), ("f", 2, 3, nil)].map { question, first, every, limit in
            Prompt(
                Question(identifier: question, format: .scale(from: 1, to: 9)), first: .seconds(first),
                every: .seconds(every), timeLimit: limit.map { .seconds($0) })
        }
        return Step(identifier: name, recorders: [heart()], kind: .active(active))
    }

    /// Events that the run asked for, and events that nobody asked for.
    private struct World {
        var random: SplitMix64
        var asked: [Event] = []

        mutating func next() -> Event {
            if !asked.isEmpty, random.index(below: 3) > 0 { return asked[random.index(below: asked.count)] }
            let ordinal = random.index(below: 12)
            let instant = RunInstant.seconds(Double(random.index(below: 400)))
            let answer: Answer =
                random.index(below: 2) == 0 ? .scale(random.index(below: 12)) : .boolean(true)
            let name = TaskRunPropertyTests.names[random.index(below: 5)]
            let key = RecorderKey(ordinal: ordinal, recorder: "heart", segment: 1 + random.index(below: 2))
            let moments: [Wake.Moment] = [.end, .cue(random.index(below: 4) - 1), .prompt, .promptLimit]
            let problem = random.index(below: 2) == 0 ? nil : "lost"
            let others: [Event] = [
                .begin, .confirmed, .confirmed, .skipped, .wentBack, .paused, .resumed, .observed(.nan),
                .observed(80),
                .answered([GivenAnswer(question: name, answer: answer)]), .answered([]),
                .drafted(DraftedAnswer(question: name, text: "x", times: AnswerTimes(shown: instant))),
                .woke(
                    Wake(
                        ordinal: ordinal, segment: random.index(below: 3),
                        moment: moments[random.index(below: moments.count)])),
                .sourceChanged("heartRate", problem: problem.map { SourceProblem($0) }),
                .played(
                    Playback(ordinal: ordinal, onset: instant, end: problem == nil ? .seconds(3) : nil)),
                .recorded(key, files: [], problem: problem), .saved(ordinal),
            ]
            if random.index(below: 8) == 0, let control = control(at: instant) { return .marked(control) }
            let ending: [Event] = [.withdrawn, .interrupted, .failed("x")]
            if random.index(below: 60) == 0 { return ending[random.index(below: 3)] }
            return others[random.index(below: others.count)]
        }

        private mutating func control(at instant: RunInstant) -> RunMark? {
            let controls = RunMark.Control.allCases.filter { $0 != .end }
            return RunMark(
                .control, control: controls[random.index(below: controls.count)], text: "why", at: instant)
        }

        mutating func hear(_ effect: Effect) {
            switch effect {
            case .wake(let wake, _): asked.append(.woke(wake))
            case .stopRecording(let key, _, _): asked.append(.recorded(key, files: [], problem: nil))
            case .deliver(let result): asked.append(.saved(result.ordinal))
            case .play(_, _, let ordinal, let instant, _):
                asked.append(.played(Playback(ordinal: ordinal, onset: instant)))
            case .stopPlaying(let ordinal, let instant):
                asked.append(.played(Playback(ordinal: ordinal, onset: instant, end: instant)))
            case .allocate: asked.append(.allocated("short", slot: 1))
            case .cue(_, let key): asked.append(.cueGiven(key, heard: nil))
            case .show, .record, .end: return
            }
        }
    }

    @Test(arguments: 0..<1_000 as Range<UInt64>)
    func `no sequence of events loses a visit, delivers one twice, outlives the end or traps`(
        seed: UInt64
    ) throws {
        let plans = try Self.plans()
        var world = World(random: SplitMix64(seed: seed))
        var run = TaskRun(plans[Int(seed % UInt64(plans.count))])
        var seconds = 0.0
        var delivered: Set<Int> = []
        var recording: Set<RecorderKey> = []
        var started: Set<RecorderKey> = []
        var begun: Set<Int> = []
        var ends = 0
        for _ in 0..<300 {
            seconds += world.random.unit() * 4 - 0.5
            for effect in run.handle(world.next(), at: .seconds(seconds)) {
                if ends > 0, case .deliver = effect {} else { #expect(ends == 0, "only results come later") }
                world.hear(effect)
                switch effect {
                case .deliver(let result):
                    #expect(delivered.insert(result.ordinal).inserted)
                    #expect(result.start <= result.end)
                case .record(let key, _, _):
                    #expect(started.insert(key).inserted)
                    recording.insert(key)
                case .stopRecording(let key, _, _): #expect(recording.remove(key) != nil)
                case .end: ends += 1
                case .show(let presentation):
                    _ = run.entry(for: presentation)
                    begun.insert(presentation.ordinal)
                case .wake, .play, .stopPlaying, .cue, .allocate: break
                }
            }
            #expect(run.isOver == (ends == 1))
        }
        delivered.formUnion(finish(&run, begun, recordings: started, at: .seconds(seconds)))
        #expect(begun.subtracting(delivered).isEmpty)
    }

    /// Ends a run as its recovery would: it fails unless it was ending, then all that sounds and records comes to its
    /// end.
    ///
    /// - Returns: the ordinals of the results that this delivers.
    private func finish(
        _ run: inout TaskRun, _ begun: Set<Int>, recordings: Set<RecorderKey>, at now: RunInstant
    ) -> [Int] {
        var events: [Event] = run.isEnding ? [] : [.failed("x")]
        events += begun.map { .played(Playback(ordinal: $0, onset: now, end: now)) }
        events += begun.flatMap { ordinal in
            (0..<4).map { .cueGiven(CueKey(ordinal: ordinal, cue: $0), heard: nil) }
        }
        events += recordings.map { .recorded($0, files: [], problem: nil) }
        return events.flatMap { run.handle($0, at: now) }.compactMap { effect in
            if case .deliver(let result) = effect { result.ordinal } else { nil }
        }
    }

    @Test(arguments: 0..<1_000 as Range<UInt64>)
    func `the same events give the same effects, and every run can be ended`(seed: UInt64) throws {
        let plans = try Self.plans()
        let plan = plans[Int(seed % UInt64(plans.count))]
        var world = World(random: SplitMix64(seed: seed))
        var runs = [TaskRun(plan), TaskRun(plan)]
        for step in 0..<100 {
            let event = world.next()
            let instant = RunInstant.seconds(Double(step))
            let effects = runs[0].handle(event, at: instant)
            #expect(runs[1].handle(event, at: instant) == effects)
            for effect in effects { world.hear(effect) }
        }
        _ = runs[0].handle(.interrupted, at: .seconds(200))
        _ = runs[0].handle(.failed("x"), at: .seconds(201))
        _ = runs[0].handle(.failed("x"), at: .seconds(202))
        #expect(runs[0].isOver)
    }
}
