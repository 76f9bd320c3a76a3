package import StudyModel

/// A run without waiting. The participant is simulated, the sources are live, and disk and player answer at once.
/// The earliest event always happens next.
package struct Rehearsal: Sendable {
    /// Everything that happened, in order.
    package private(set) var transcript: [(moment: Moment, at: RunInstant)] = []
    /// The results, in the order of delivery.
    package private(set) var results: [StepResult] = []
    /// When the last thing happened.
    package private(set) var end = RunInstant.start
    /// How the run ended; `nil` if it came to a standstill, which no checked study does.
    package private(set) var outcome: FinishReason?
    /// The rules that led the run anywhere but to the next step, in order.
    package private(set) var ways: [Way] = []
    /// The plan at the end: the arm's plan, if the run allocated an arm.
    package private(set) var plan: RunPlan

    /// Something that happened.
    package enum Moment: Hashable, Sendable {
        /// What the run was told.
        case event(Event)
        /// What the run wanted to be done.
        case effect(Effect)
    }

    private var agenda: [Appointment] = []

    /// Something that will happen.
    private struct Appointment {
        var event: Event
        var at: RunInstant
        /// What must still be on show for it to happen, if the participant does it.
        var presentation: Presentation?
    }
    private var playing: [Int: Playback] = [:]
    private var participant: SimulatedParticipant
    private let armSource: ArmSource?

    /// Goes through a plan from beginning to end.
    ///
    /// - Parameters:
    ///   - armSource: allocates the arm, if the run has to. Without it, the run stops there.
    ///   - recalled: the answers of earlier sessions that the task uses.
    package init(
        _ plan: RunPlan, with participant: SimulatedParticipant, armSource: ArmSource? = nil,
        recalling recalled: [GivenAnswer] = []
    ) {
        (self.plan, self.participant, self.armSource) = (plan, participant, armSource)
        var run = TaskRun(plan)
        agenda =
            (recalled.isEmpty ? [] : [Appointment(event: .recalled(recalled), at: .start)])
            + plan.sourceNames.map { Appointment(event: .sourceChanged($0, problem: nil), at: .start) } + [
                Appointment(event: .begin, at: .start)
            ]
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

    /// Repeats a run of `plan` that took place elsewhere, from its events and effects in order.
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
            if let response = participant.response(
                to: presentation, entry: run.entry(for: presentation), at: now)
            {
                agenda.append(
                    Appointment(
                        event: response.event, at: now.advanced(by: response.after),
                        presentation: presentation))
            }
        case .wake(let wake, let instant):
            agenda.append(Appointment(event: .woke(wake), at: max(now, instant)))
        case .stopRecording(let key, let instant, _):
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
        case .cue(_, let key):
            agenda.append(Appointment(event: .cueGiven(key, heard: nil), at: now))
        case .record: return
        }
    }
}

extension RunPlan {
    /// Every recorder that the task can start: of its steps, of the steps in blocks, and over several steps.
    package var recorders: [RecorderConfiguration] {
        let own = task.allRecorders
        return own + arms.flatMap(\.recorders).filter { !own.contains($0) }
    }

    /// The sources that the run listens to, each once: those of recorders in order of first use, and that of the heart
    /// rate, if a rule, a clip or the screen looks at it.
    package var sourceNames: [Identifier] {
        var names: [Identifier] = []
        for name in recorders.compactMap(\.sourceName) where !names.contains(name) { names.append(name) }
        let looksAtHeartRate = inEachArm.map(\.task).contains {
            $0.observesHeartRate || $0.followsHeartRate || $0.display.heartRate
        }
        return looksAtHeartRate && !names.contains("heartRate") ? names + ["heartRate"] : names
    }
}
