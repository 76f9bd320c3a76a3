import StudyModel

extension TaskRun {
    /// Takes the step off the screen: stops what plays and records, and fixes its result.
    mutating func closeVisit(
        _ reason: StepResult.SkipReason?, at instant: RunInstant, into effects: inout [Effect]
    ) {
        guard let instant = visit.map({ max(instant, $0.result.start) }) else { return }
        endPrompts(at: instant)
        stopClip(at: instant, keepsMusic: true, into: &effects)
        var due: RunInstant?
        if reason != nil, case .running(let segment) = visit?.activity, segment.end > instant {
            due = segment.end
        }
        stopRecorders(at: instant, due: due, into: &effects)
        guard var closed = visit else { return }
        closed.result.end = instant
        closed.result.skip = reason
        if reason != .wentBack { memory.rememberEnd(of: closed.entry.path, at: instant) }
        // A cue that was placed for a later moment is not heard any more.
        for cue in closed.cuesLeft { closed.result.lateness[Visit.moment(of: cue)] = nil }
        closeTime(of: &closed, at: instant)
        closed.activity = .left
        left.append(closed)
        visit = nil
    }

    private func closeTime(of visit: inout Visit, at instant: RunInstant) {
        guard let timing = visit.timing else { return }
        visit.result.plannedDuration = visit.result.plannedDuration ?? timing.duration
        switch visit.activity {
        case .waiting, .waitingForSource: visit.result.actualDuration = .zero
        case .running(let segment):
            visit.result.actualDuration = min(timing.duration, segment.time(at: instant))
        case .paused(let since, let elapsed):
            visit.result.actualDuration = elapsed
            visit.result.pauses.append(since..<max(since, instant))
        case .timeUp, .left: return
        }
    }

    /// The participant, the operator or a failure ends the run in the middle.
    mutating func endEarly(_ reason: FinishReason, at now: RunInstant, into effects: inout [Effect]) {
        switch stage {
        case .ready, .underWay:
            rememberInterruption(reason, at: now)
            closeVisit(.runEnded, at: now, into: &effects)
            finish(reason, at: now, into: &effects)
        case .ending, .abandoned, .over: return
        }
    }

    /// A failure outside the program. If the run was already ending, it ends at once. What it waited for still
    /// counts if it comes.
    mutating func fail(at now: RunInstant, into effects: inout [Effect]) {
        switch stage {
        case .ready, .underWay: endEarly(.failed, at: now, into: &effects)
        case .ending(let reason):
            interruption = interruption ?? Interruption(end: reason)
            stage = left.isEmpty ? .over : .abandoned
            effects.append(.end(.failed))
        case .abandoned, .over: return
        }
    }

    /// Goes through nothing more. The run ends when everything is saved.
    mutating func finish(_ reason: FinishReason, at instant: RunInstant, into effects: inout [Effect]) {
        stage = .ending(reason)
        stopSpans(to: nil, at: instant, into: &effects)
        if var saving = shown {
            saving.phase = .saving
            saving.canSkip = false
            saving.canGoBack = false
            saving.prompt = nil
            shown = saving
            effects.append(.show(saving))
        }
        deliverComplete(into: &effects)
        endIfSaved(into: &effects)
    }

    /// Delivers the results that are complete.
    mutating func deliverComplete(into effects: inout [Effect]) {
        let music = music
        for visit in left where visit.isComplete(while: music) {
            unsaved.insert(visit.result.ordinal)
            effects.append(.deliver(visit.completeResult))
        }
        left.removeAll { $0.isComplete(while: music) }
        if stage == .abandoned && left.isEmpty { stage = .over }
    }

    /// Ends the run if nothing is left to do.
    mutating func endIfSaved(into effects: inout [Effect]) {
        guard case .ending(let reason) = stage, left.isEmpty, unsaved.isEmpty else { return }
        stage = .over
        effects.append(.end(reason))
    }

    /// Shows the current step in a phase.
    mutating func present(_ phase: Presentation.Phase, into effects: inout [Effect]) {
        guard let visit else { return }
        let step = visit.entry.step
        let isSkippable = step.isOptional || visit.timing?.timer.isSkippable == true
        var presentation = Presentation(
            ordinal: visit.result.ordinal, section: visit.position.section, pass: visit.position.pass,
            entry: visit.position.entry, phase: phase, canSkip: isSkippable && phase != .timeUp,
            canGoBack: phase == .waiting && visit.timing == nil && canGoBack)
        presentation.isHeld = visit.isHeld
        presentation.prompt = visit.prompting.open.map { .init(place: $0.place, number: $0.number) }
        shown = presentation
        effects.append(.show(presentation))
    }
}
