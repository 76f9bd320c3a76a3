package import SessionPorts
package import StudyModel

/// Something that a screen lets the participant do.
package enum AvailableAction: Hashable, Sendable, CaseIterable {
    case confirm
    case answer
    case skip
    case goBack
    case pause
    case resume
    case leave
    /// To leave, and go on another time.
    case putAside

    /// The action that an event carries out; `nil` for events that need none, and for those that no participant
    /// causes.
    package init?(_ event: Event) {
        switch event {
        case .confirmed: self = .confirm
        case .answered, .drafted: self = .answer
        case .skipped: self = .skip
        case .wentBack, .wentBackTo: self = .goBack
        case .paused: self = .pause
        case .resumed: self = .resume
        case .withdrawn: self = .leave
        case .putAside: self = .putAside
        case .recalled, .begin, .continued, .interrupted, .failed, .woke, .sourceChanged, .played, .adjusted,
            .cueGiven,
            .recorded,
            .observed, .beats,
            .heard,
            .program, .allocated, .notAllocated, .marked, .stoodStill,
            .saved:
            return nil
        }
    }
}

extension Screen {
    /// What the participant may do now.
    package var offers: Set<AvailableAction> {
        var offers: Set<AvailableAction> = [.leave]
        if allows.contains(.putAside) { offers.insert(.putAside) }
        if allows.contains(.skip) { offers.insert(.skip) }
        if allows.contains(.goBack) { offers.insert(.goBack) }
        switch phase {
        case .waiting:
            switch content {
            case .instruction, .timed, .completion: offers.insert(.confirm)
            case .questions, .consent: offers.insert(.answer)
            case .review: offers.formUnion([.answer, .confirm])
            }
        case .timeUp: offers.insert(.confirm)
        case .running:
            if case .timed = content, allows.contains(.pause) { offers.insert(.pause) }
            if prompt != nil { offers.insert(.answer) }
        case .paused: if allows.contains(.resume) { offers.insert(.resume) }
        case .waitingForArm(let problem): if problem != nil { offers.insert(.confirm) }
        case .waitingForSource: break
        case .saving: offers = []
        }
        return offers
    }

    /// What is said during a pause: who paused, and who can go on.
    var wordsOfPause: Phrase { allows.contains(.resume) ? .paused : .pausedForYou }

    /// Whether there is something to press while the step runs.
    var asksForKeys: Bool { isPrompting || rating != nil || tapping != nil || !reactionKeys.isEmpty }

    /// Whether a prompt is asked during the step.
    var isPrompting: Bool { if case .running = phase { prompt != nil } else { false } }

    /// Whether the time for answering is over.
    func isTimedOut(at now: RunInstant) -> Bool { answersDue.map { $0 <= now } ?? false }

    /// How much time is left to answer the step; `nil` if that is not shown, or not limited.
    func timeToAnswer(at now: RunInstant) -> Duration? {
        guard let answersDue, phase == .waiting, shows.contains(.countdown) else { return nil }
        return max(.zero, now.duration(to: answersDue))
    }

    /// When the time on show ends.
    var end: RunInstant? {
        if phase == .waiting { return answersDue }
        return if case .running(_, let end) = phase { end } else { nil }
    }

    /// The time left of a timed step; `nil` if none is shown or no step is running.
    func remaining(at now: RunInstant) -> Duration? {
        if answersDue != nil { return timeToAnswer(at: now) }
        guard case .timed(let duration, let isCountdown) = content, shows.contains(.countdown) || isCountdown
        else {
            return nil
        }
        return switch phase {
        case .waiting, .waitingForSource, .waitingForArm: duration
        case .running(_, let end): min(duration, max(.zero, now.duration(to: end)))
        case .paused(let remaining): remaining
        case .timeUp: .zero
        case .saving: nil
        }
    }
}
