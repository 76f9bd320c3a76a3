package import StudyModel

extension Event {
    /// Whether it ends the run, whatever the step.
    package var endsTheRun: Bool {
        switch self {
        case .failed, .withdrawn, .putAside, .interrupted: true
        case .recalled, .begin, .confirmed, .drafted, .answered, .skipped, .wentBack, .wentBackTo, .paused,
            .resumed,
            .continued, .woke,
            .sourceChanged,
            .played, .adjusted, .cueGiven, .recorded, .observed, .beats, .heard, .program, .allocated,
            .notAllocated,
            .marked,
            .stoodStill, .saved:
            false
        }
    }

    /// Whether it happens to all participants of a run, rather than to the bundle of one.
    package var isShared: Bool {
        switch self {
        case .recorded, .saved: false
        case .recalled, .begin, .confirmed, .drafted, .answered, .skipped, .wentBack, .wentBackTo, .paused,
            .resumed, .withdrawn, .putAside, .continued, .interrupted, .failed, .woke, .sourceChanged,
            .played,
            .adjusted, .cueGiven, .observed, .beats, .heard, .program, .allocated, .notAllocated, .marked,
            .stoodStill:
            true
        }
    }
}
