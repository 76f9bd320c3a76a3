package import StudyModel

/// A run without waiting: a simulated participant, sources that are live, a disk and a player that answer at
/// once. The next thing to happen is always the earliest.
package struct Rehearsal: Sendable {
    /// Everything that happened, in order.
    package private(set) var transcript: [(moment: Moment, at: RunInstant)] = []
    /// The results, in the order of delivery.
    package private(set) var results: [StepResult] = []
    /// When the last thing happened.
    package private(set) var end = RunInstant.start
    /// How the run ended; `nil` if it stood still, which no checked study does.
    package private(set) var outcome: FinishReason?
    /// The rules that took the run elsewhere than to the next step, in order.
    package private(set) var ways: [Way] = []
    /// The plan at the end: where the run allocated an arm, that of the arm.
    package private(set) var plan: RunPlan

    /// Something that happened.
    package enum Moment: Hashable, Sendable {
        /// The run was told.
        case event(Event)
        /// The run wanted something done.
        case effect(Effect)
    }

    private var agenda: [Appointment] = []

    /// Something that is going to happen.
    private struct Appointment {
        var event: Event
        var at: RunInstant
        /// What must still be on show, where it is for the participant to do.
        var presentation: Presentation?
    }
    private var playing: [Int: Playback] = [:]
    private var participant: SimulatedParticipant
    private let armSource: ArmSource?

    /// Goes through a plan from beginning to end.
    ///
    /// - Parameter armSource: allocates the arm, where the run is to; without one it stands still there.
    package init(_ plan: RunPlan, with participant: SimulatedParticipant, armSource: ArmSource? = nil) {
        (self.plan, self.participant, self.armSource) = (plan, participant, armSource)
        var run = TaskRun(plan)
        agenda =
            plan.sourceNames.map { Appointment(event: .sourceChanged($0, problem: nil), at: .start) }
            + [Appointment(event: .begin, at: .start)]
        while let next = agenda.indices.min(by: { agenda[$0].at < agenda[$1].at }) {
            let appointment = agenda.remove(at: next)
            let (event, now) = (appointment.event, appointment.at)
            if let seen = appointment.presentation, seen != run.shown { continue }
            let effects = run.handle(event, at: now)
            if case .woke = event, effects.isEmpty { continue }
            end = now
            transcript.append((.event(event), now))
            for effect in effects {
                transcript.append((.effect(effect), now))
                answer(effect, at: now, in: run)
            }
        }
        (ways, self.plan) = (run.ways, run.plan)
    }

    /// Tells a run of `plan` that was gone through elsewhere: what happened and what it wanted, in order.
    package init(retelling events: [(event: Event, at: RunInstant, effects: [Effect])], of plan: RunPlan) {
        (self.plan, participant, armSource) = (plan, SimulatedParticipant(seed: 0), nil)
        var run = TaskRun(plan)
        defer { (ways, self.plan) = (run.ways, run.plan) }
        for (event, now, effects) in events {
            _ = run.handle(event, at: now)
            end = max(end, now)
            transcript.append((.event(event), now))
            for effect in effects {
                transcript.append((.effect(effect), now))
                if case .deliver(let result) = effect { results.append(result) }
                if case .end(let reason) = effect { outcome = reason }
            }
        }
    }

    private mutating func answer(_ effect: Effect, at now: RunInstant, in run: TaskRun) {
        switch effect {
        case .show(let presentation):
            if let response = participant.response(to: presentation, entry: run.entry(for: presentation)) {
                agenda.append(
                    Appointment(
                        event: response.event, at: now.advanced(by: response.after),
                        presentation: presentation))
            }
        case .wake(let wake, let instant):
            agenda.append(Appointment(event: .woke(wake), at: max(now, instant)))
        case .stopRecording(let key, let instant):
            agenda.append(Appointment(event: .recorded(key, files: [], problem: nil), at: max(now, instant)))
        case .play(_, _, let ordinal, let instant, _):
            let playback = Playback(ordinal: ordinal, onset: instant)
            playing[ordinal] = playback
            agenda.append(Appointment(event: .played(playback), at: max(now, instant)))
        case .stopPlaying(let ordinal, let instant):
            guard var playback = playing.removeValue(forKey: ordinal) else { return }
            playback.end = instant
            agenda.append(Appointment(event: .played(playback), at: max(now, instant)))
        case .allocate(let levels):
            guard let event = armSource?(run.plan.participant, levels) else { return }
            agenda.append(Appointment(event: event, at: now))
        case .deliver(let result):
            results.append(result)
            agenda.append(Appointment(event: .saved(result.ordinal), at: now))
        case .end(let reason): outcome = reason
        case .record, .cue: return
        }
    }
}

extension RunPlan {
    /// Every recorder that the task can start: of its steps, of the steps in blocks, and over several steps.
    package var recorders: [RecorderConfiguration] {
        let own = task.allSteps.flatMap(\.recorders) + task.recorders.map(\.recorder)
        return own + arms.flatMap(\.recorders).filter { !own.contains($0) }
    }

    /// The sources that recorders listen to, each once, in order of first use.
    package var sourceNames: [Identifier] {
        var names: [Identifier] = []
        for name in recorders.compactMap(\.sourceName) where !names.contains(name) { names.append(name) }
        return names
    }
}
