import StudyModel

extension TaskRun {
    /// Starts the step on show, or says which source keeps it from starting.
    ///
    /// - Parameters:
    ///   - instant: the planned moment of the start.
    ///   - now: the moment of acting upon it.
    mutating func start(from instant: RunInstant, at now: RunInstant, into effects: inout [Effect]) {
        guard let visit else { return }
        if let (source, problem) = missingSource(for: visit) {
            self.visit?.activity = .waitingForSource(source, problem: problem)
            present(.waitingForSource(source, problem: problem), into: &effects)
            return
        }
        if let ending = visit.timing?.ending {
            self.visit?.end(at: memory.moment(ending), from: instant)
        }
        if let timing = self.visit?.timing {
            self.visit?.result.plannedDuration = timing.duration
            self.visit?.result.lateness["start"] = instant.duration(to: now)
            if timing.isProgram { memory.take(visit.result.answers, of: visit.entry) }
            forgetPrompts(of: visit)
            run(from: instant, elapsed: .zero, at: now, into: &effects)
        } else {
            self.visit?.activity = .waiting
            beginTimeLimit(from: instant, into: &effects)
            if visit.entry.step.kind == .allocation {
                askForArm(into: &effects)
            } else {
                present(.waiting, into: &effects)
            }
            startRecorders(from: instant, into: &effects)
            playMusic(from: instant, into: &effects)
        }
        startSpans(
            at: visit.position, ordinal: visit.result.ordinal, endingHere: true, from: instant, into: &effects
        )
        // A participant who already belongs to an arm goes on at once.
        if visit.entry.step.kind == .allocation, plan.arm != nil {
            leave(from: instant, at: now, into: &effects)
        }
    }

    /// A planned moment has come.
    mutating func awake(_ wake: Wake, at now: RunInstant, into effects: inout [Effect]) {
        guard let visit, visit.result.ordinal == wake.ordinal, visit.segment == wake.segment else { return }
        guard case .running(let segment) = visit.activity else {
            if wake.moment == .timeLimit { timeOut(at: now, into: &effects) }
            return
        }
        switch wake.moment {
        case .end:
            guard !checkUntil(at: now, into: &effects), !showLateFeedback(in: segment, into: &effects) else {
                return
            }
            endTime(
                of: segment, planned: segment.end, by: visit.reactionEnd?.reason ?? .duration, at: now,
                into: &effects)
        case .cue(let cue):
            giveCue(cue, in: segment, at: now, into: &effects)
            repeatCues(at: now, into: &effects)
        case .until: checkUntil(at: now, into: &effects)
        case .prompt: promptsAreDue(in: segment, at: now, into: &effects)
        case .promptLimit: promptTimesOut(at: now, into: &effects)
        case .timeLimit: return
        }
    }

    /// Pauses: the time so far counts, and the rest waits.
    ///
    /// - Parameter isHeld: whether the experimenter pauses, so that only the experimenter can go on.
    mutating func pause(isHeld: Bool = false, at now: RunInstant, into effects: inout [Effect]) {
        guard let timing = visit?.timing, timing.timer.isPausable || isHeld, visit?.reactionEnd == nil,
            case .running(let segment) = visit?.activity
        else { return }
        let now = max(now, segment.start)
        let elapsed = min(timing.duration, segment.time(at: now))
        stopClip(at: now, into: &effects)
        pauseMusic(at: now, into: &effects)
        stopRecorders(at: now, into: &effects)
        visit?.prompting.stop(at: now)
        visit?.activity = .paused(since: now, elapsed: elapsed)
        visit?.holdsSince = nil
        visit?.isHeld = isHeld
        present(.paused(remaining: timing.duration - elapsed), into: &effects)
    }

    /// Goes on with the time that is left.
    ///
    /// - Parameter isHeld: whether the experimenter goes on, who may end any pause.
    mutating func resume(isHeld: Bool = false, at now: RunInstant, into effects: inout [Effect]) {
        guard case .paused(let since, let elapsed) = visit?.activity, isHeld || visit?.isHeld == false
        else { return }
        let now = max(now, since)
        visit?.isHeld = false
        visit?.result.pauses.append(since..<now)
        run(from: now, elapsed: elapsed, at: now, into: &effects)
    }

    /// Begins a stretch without pauses.
    private mutating func run(
        from start: RunInstant, elapsed: Duration, at now: RunInstant, into effects: inout [Effect]
    ) {
        // A pause does not move an end that is counted from another step.
        if let due = visit?.dueEnd { visit?.end(at: due, from: start.advanced(by: .zero - elapsed)) }
        guard let timing = visit?.timing else { return }
        let end = start.advanced(by: max(.zero, timing.duration - elapsed))
        let segment = Visit.Segment(start: start, end: end, elapsed: elapsed)
        visit?.segment += 1
        visit?.activity = .running(segment)
        visit?.prompting.goOn(from: start)
        present(.running(start: start, end: end), into: &effects)
        startRecorders(from: start, into: &effects)
        playClip(in: segment, into: &effects)
        resumeMusic(at: start, into: &effects)
        planCues(in: segment, at: now, into: &effects)
        planPrompts(in: segment, into: &effects)
        if let wake = wake(.end) { effects.append(.wake(wake, at: end)) }
    }

    /// The timed part is over.
    ///
    /// - Parameter end: the planned moment of that.
    mutating func endTime(
        of segment: Visit.Segment, planned end: RunInstant, by reason: StepResult.TimedEnd,
        at now: RunInstant,
        into effects: inout [Effect]
    ) {
        guard let timing = visit?.timing else { return }
        let due = reason == .duration ? visit?.dueEnd ?? end : end
        visit?.result.lateness["end"] = due.duration(to: now)
        // Words about a reaction are read after the step's own time.
        let last = visit?.reactionEnd?.planned ?? end
        visit?.result.actualDuration = min(timing.duration, segment.time(at: last))
        visit?.result.endedBy = timing.isOpen ? reason : nil
        for cue in visit?.cuesLeft ?? [] where timing.isGiven(cue, atEndBy: reason) {
            giveCue(cue, planned: end, at: now, into: &effects)
        }
        endPrompts(at: end, isTimeOver: true)
        visit?.activity = .timeUp
        guard timing.timer.waitsAtFinish else {
            leave(from: end, at: now, into: &effects)
            return
        }
        stopClip(at: end, keepsMusic: true, into: &effects)
        stopRecorders(at: end, into: &effects)
        present(.timeUp, into: &effects)
    }

    /// Cues at the start are given at once, all others when their wake comes, or when a condition ends the time.
    private mutating func planCues(
        in segment: Visit.Segment, at now: RunInstant, into effects: inout [Effect]
    ) {
        guard let visit, let timing = visit.timing else { return }
        for cue in visit.cuesLeft {
            // What was heard before a pause is heard again after it.
            self.visit?.result.lateness[Visit.moment(of: cue)] = nil
            guard let time = timing.time(of: cue) else { continue }
            self.visit?.cueMoments[cue] = segment.instant(of: time)
            if time <= .zero {
                giveCue(cue, in: segment, at: now, into: &effects)
            } else if let wake = wake(.cue(cue)) {
                effects.append(.wake(wake, at: max(segment.start, segment.instant(of: time))))
            }
        }
    }

    private mutating func giveCue(
        _ cue: Int, in segment: Visit.Segment, at now: RunInstant, into effects: inout [Effect]
    ) {
        guard visit?.cuesLeft.contains(cue) == true, let time = visit?.timing?.time(of: cue) else { return }
        giveCue(cue, planned: segment.instant(of: time), at: now, into: &effects)
    }

    private mutating func giveCue(
        _ cue: Int, planned: RunInstant, at now: RunInstant, into effects: inout [Effect]
    ) {
        guard let timing = visit?.timing, let place = visit?.cuesLeft.firstIndex(of: cue) else { return }
        visit?.cuesLeft.remove(at: place)
        visit?.cueMoments[cue] = planned
        if visit?.result.lateness[Visit.moment(of: cue)] == nil {
            visit?.result.lateness[Visit.moment(of: cue)] = planned.duration(to: now)
            visit?.cuesUntold.insert(cue)
        }
        guard let ordinal = visit?.result.ordinal else { return }
        effects.append(.cue(timing.cues[cue].signal, CueKey(ordinal: ordinal, cue: cue)))
    }

    private mutating func playClip(in segment: Visit.Segment, into effects: inout [Effect]) {
        guard let visit, let clip = visit.clip, let timing = visit.timing, let request = visit.stimulus,
            visit.music != nil || request.onset < timing.duration
        else { return }
        // Music with which a continued run goes on has had its onset.
        let onset = clip.first == request.start ? request.onset : .zero
        play(at: max(segment.start, segment.instant(of: onset)), into: &effects)
    }

    func wake(_ moment: Wake.Moment) -> Wake? {
        visit.map { Wake(ordinal: $0.result.ordinal, segment: $0.segment, moment: moment) }
    }

    func missingSource(for visit: Visit) -> (source: Identifier, problem: SourceProblem)? {
        let spanning = startingSpans(at: visit.position).map(\.recorder)
        for recorder in visit.entry.step.recorders + spanning where recorder.isRequired {
            guard let source = recorder.sourceName, !waivedSources.contains(source) else { continue }
            switch sources[source] {
            case .live: continue
            case .missing(let problem): return (source, problem)
            case nil: return (source, .notConnectedYet)
            }
        }
        return nil
    }

    /// A source came or went. A step that waits for one may now start, or waits for another one.
    mutating func recheckSources(at now: RunInstant, into effects: inout [Effect]) {
        guard let visit, case .waitingForSource(let source, let problem) = visit.activity else { return }
        if let missing = missingSource(for: visit), missing == (source, problem) { return }
        start(from: now, at: now, into: &effects)
    }
}
