package import StudyModel

/// A timed step that was left, while the steps after it are still open to change.
struct RepeatableStep: Sendable {
    var position: Visit.Position
    var ordinal: Int
    var clip: DrawnStimulus?
    /// The sections entered since.
    var entered: [Int] = []
}

extension TaskRun {
    /// Why a mark cannot be put into the run now.
    ///
    /// - Returns: the reason in English; `nil` if it can.
    package func objection(to mark: RunMark) -> String? {
        isEnding ? "the run is ending" : mark.control.flatMap(objection)
    }

    /// Why the experimenter cannot do something now.
    ///
    /// - Returns: the reason in English; `nil` if it can be done.
    package func objection(to control: RunMark.Control) -> String? {
        guard let visit else { return "no step is on show" }
        switch control {
        case .pause:
            if case .waitingForSource(let source, _) = visit.activity {
                return "no time runs while the step waits for the source '\(source)': "
                    + "'without-source' begins the step without it, 'skip' leaves it"
            }
            guard case .running = visit.activity, visit.reactionEnd == nil else {
                return "no timed step is running"
            }
            return visit.timing?.isProgram == true ? "a program runs, which cannot be paused" : nil
        case .resume:
            guard case .paused = visit.activity else { return "nothing is paused" }
            return nil
        case .restart:
            guard visit.timing != nil, visit.hasBegun else { return "no timed step has begun" }
            return nil
        case .again:
            guard repeatable != nil else { return "no timed step was done that could be repeated" }
            return visit.clip == nil && !visit.hasBegun
                ? nil : "another timed step is on show; it can be begun anew with 'restart'"
        case .skip:
            let step = visit.entry.step
            if step.consent != nil { return "nobody can agree in the participant's place" }
            switch step.facts.end {
            case .allocation: return "the participant must be allocated"
            case .task: return "this is the last step"
            case .confirmation, .answers, .time, .rounds: return nil
            }
        case .withoutSource:
            guard case .waitingForSource = visit.activity else { return "the run waits for no source" }
            return nil
        case .end, .message: return nil
        }
    }

    /// Does what the experimenter wants, if it is possible.
    mutating func obey(_ control: RunMark.Control, at now: RunInstant, into effects: inout [Effect]) {
        guard objection(to: control) == nil, let visit else { return }
        switch control {
        case .pause: pause(isHeld: true, at: now, into: &effects)
        case .resume: resume(isHeld: true, at: now, into: &effects)
        case .restart: restart(visit, at: now, into: &effects)
        case .again: repeatStep(at: now, into: &effects)
        case .skip: leave(.experimenter, from: now, at: now, into: &effects)
        case .end: endEarly(.earlyTermination, at: now, into: &effects)
        case .withoutSource:
            guard case .waitingForSource(let source, _) = visit.activity else { return }
            waivedSources.insert(source)
            start(from: now, at: now, into: &effects)
        case .message: return
        }
    }

    private mutating func restart(_ visit: Visit, at now: RunInstant, into effects: inout [Effect]) {
        let ordinal = visit.result.ordinal
        var entered: [Int] = []
        if trail.last?.ordinal == ordinal { entered = trail.removeLast().entered }
        closeVisit(.restarted, at: now, into: &effects)
        if visit.music != nil { stopMusic(to: nil, at: now, into: &effects) }
        begin(
            again: visit.position, of: ordinal, playing: visit.clip?.drawn, entered: entered, at: now,
            into: &effects)
    }

    /// Goes back to the timed step before the one on show. Nothing is drawn again.
    private mutating func repeatStep(at now: RunInstant, into effects: inout [Effect]) {
        guard let step = repeatable else { return }
        repeatable = nil
        closeVisit(.experimenter, at: now, into: &effects)
        for section in step.entered { sectionPasses[section] -= 1 }
        trail = []
        resumeSpans(endedSince: step.position)
        if plan.entry(at: step.position).music != nil { stopMusic(to: nil, at: now, into: &effects) }
        begin(
            again: step.position, of: step.ordinal, playing: step.clip, entered: [], at: now, into: &effects)
    }

    /// The recorders that span the step and have ended since record again, as further segments.
    private mutating func resumeSpans(endedSince position: Visit.Position) {
        for (index, span) in plan.task.recorders.enumerated() {
            let last = plan.sections.firstIndex { $0.step.identifier == span.to }
            guard let last, last >= position.section, spanSegments[index] != nil,
                !spansToResume.contains(index), !spans.contains(where: { $0.index == index })
            else { continue }
            spansToResume.append(index)
        }
    }

    /// Remembers the timed step that is left, which the experimenter may repeat until the next one is left.
    mutating func rememberRepeatable(_ visit: Visit) {
        guard visit.timing != nil else { return }
        repeatable =
            visit.hasBegun
            ? RepeatableStep(
                position: visit.position, ordinal: visit.result.ordinal, clip: visit.clip?.drawn) : nil
    }
}

extension Visit {
    /// Whether the time of a timed step has begun.
    var hasBegun: Bool {
        switch activity {
        case .waiting, .waitingForSource: false
        case .running, .paused, .timeUp, .left: timing != nil
        }
    }

    /// Whether a key has answered the step's reaction, or was missed.
    var hasReacted: Bool { result.answers.contains { $0.question == entry.step.identifier } }
}
