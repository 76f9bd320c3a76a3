import Results
import StudyEngine
package import StudyModel

/// What a run does to the world, as a value: inputs in, chores out, no waiting and no writing.
///
/// Events go through the engine and are journalled; samples go from their source to the open recordings and
/// never through the engine.
struct Shell {
    let plan: RunPlan
    let title: LocalizedText
    let language: Language?
    var run: TaskRun
    var autopilot: SimulatedParticipant?
    var recordings: [RecorderKey: Recording] = [:]
    var playback: Playback?
    /// What is on show.
    var presentation: Presentation?
    /// Results in the order of delivery.
    var results: [StepResult] = []
    /// What the participant is doing, for sources that pretend.
    var circumstances = Circumstances()
    /// Whether the engine wants to hear of heart rates.
    let observesHeartRate: Bool
    var lastObservation: RunInstant?

    /// Something for the shell.
    enum Input: Sendable {
        case event(Event)
        case act(ParticipantAct)
        /// What the simulated participant does, unless the screen has changed meanwhile.
        case automatic(Event, for: Presentation)
        case report(Identifier, SourceReport)
        /// The grace of a recording is over.
        case graceOver(RecorderKey)
        /// A clip begins (`true`) or ends by itself; `begin` tells which stretch of it.
        case playback(ordinal: Int, begin: RunInstant, begins: Bool)
        /// A second of a clip has passed: time to note the position.
        case position(ordinal: Int, begin: RunInstant)
        /// The writer finished the last chore.
        case sealed(Sealed)
    }

    /// Something to do.
    enum Chore: Sendable {
        /// Send the input at a moment.
        case later(RunInstant, Input)
        case update(ScreenUpdate)
        case write(WriteCommand)
        /// Nothing more is to be done.
        case leave(Sealed)
    }

    init(_ setup: Session.Setup) {
        plan = setup.plan
        title = setup.study.title
        language = setup.language
        run = TaskRun(setup.plan)
        autopilot = setup.autopilot
        observesHeartRate = setup.plan.observesHeartRate
    }

    /// Takes an input that came at `now`.
    mutating func take(_ input: Input, at now: RunInstant) -> [Chore] {
        switch input {
        case .event(let event): return handle(event, at: now)
        case .act(.event(let event)): return log(act: event, at: now) + handle(event, at: now)
        case .act(.key(let name)): return log(kind: "key", detail: name, at: now)
        case .automatic(let event, let shown):
            guard shown == presentation else { return [] }
            return log(act: event, at: now) + handle(event, at: now)
        case .report(let source, let report): return take(report, from: source, at: now)
        case .graceOver(let key): return close(key)
        case .playback(let ordinal, let begin, let begins):
            return notePlayback(of: ordinal, begin: begin, begins: begins, at: now)
        case .position(let ordinal, let begin): return notePosition(of: ordinal, begin: begin, at: now)
        case .sealed(let sealed):
            return [
                .update(.over(sealed.reason, folder: sealed.folder, problem: sealed.problem)), .leave(sealed),
            ]
        }
    }

    /// Tells the engine, and does what it wants.
    private mutating func handle(_ event: Event, at now: RunInstant) -> [Chore] {
        let effects = run.handle(event, at: now)
        var chores: [Chore] = [.write(.journal(event, at: now, effects))]
        switch event {
        case .saved(let ordinal):
            if let result = results.first(where: { $0.ordinal == ordinal }) {
                chores.append(.update(.saved(heading(of: result))))
            }
        case .sourceChanged(let source, let problem):
            chores.append(.update(.source(source, problem: problem)))
        case .begin, .confirmed, .answered, .skipped, .wentBack, .paused, .resumed, .withdrawn, .interrupted,
            .failed,
            .woke, .played, .recorded, .observed:
            break
        }
        for effect in effects { chores += perform(effect, at: now) }
        return chores
    }

    private mutating func perform(_ effect: Effect, at now: RunInstant) -> [Chore] {
        switch effect {
        case .show(let presentation): return show(presentation, at: now)
        case .wake(let wake, let instant): return [.later(instant, .event(.woke(wake)))]
        case .record(let key, let configuration, let start): return open(key, configuration, from: start)
        case .stopRecording(let key, let instant): return stop(key, at: instant, now: now)
        case .play(let played, let instant, let position): return play(played, at: instant, from: position)
        case .stopPlaying(let ordinal, let instant): return stopPlaying(ordinal, at: instant)
        case .cue(let signal): return [.update(.cue(signal))]
        case .deliver(let result):
            results.append(result)
            return [.write(.save(result))]
        case .end(let reason):
            let ordered = results.sorted { $0.ordinal < $1.ordinal }
            return [.write(.seal(ordered, reason, at: now))]
        }
    }

    private mutating func show(_ presentation: Presentation, at now: RunInstant) -> [Chore] {
        self.presentation = presentation
        circumstances.effort = effort(in: presentation)
        let screen = Screen(presentation, of: plan, title: title, language: language)
        var chores: [Chore] = [.update(.screen(screen))]
        let entry = plan.sections[presentation.section].visits[presentation.visit][presentation.entry]
        if let (event, delay) = autopilot?.response(to: presentation, entry: entry) {
            chores.append(.later(now.advanced(by: delay), .automatic(event, for: presentation)))
        }
        return chores
    }

    /// The effort that the step on show expects of the participant, 0...1.
    private func effort(in presentation: Presentation) -> Double {
        guard case .running = presentation.phase,
            case .active(let active) = plan.sections[presentation.section]
                .visits[presentation.visit][presentation.entry].step.kind,
            case .exercise(let effort, _, _)? = active.expected?.curve
        else { return 0 }
        return effort
    }

    /// How a saved step is named on the screen.
    private func heading(of result: StepResult) -> String {
        let entry = plan.sections.lazy.flatMap(\.visits).joined().first { $0.path == result.path }
        let title = entry.flatMap(\.step.title).map { $0.text(in: language) }
        return title ?? result.identifier.text
    }
}

extension RunPlan {
    /// Whether any rule looks at a heart rate.
    var observesHeartRate: Bool {
        sections.flatMap(\.visits).joined().contains { entry in
            let conditions = entry.step.navigation.skipIf + entry.step.navigation.goTo.compactMap(\.condition)
            return conditions.contains { condition in
                switch condition.subject {
                case .heartRate: true
                case .answer: false
                }
            }
        }
    }
}
