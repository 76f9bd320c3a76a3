import StudyModel

/// Which numbers the engine wants to know, and when it was told the last.
struct ObservationDesk {
    private let wantsHeartRate: Bool
    /// Whether it wants to know the intervals between beats.
    let wantsBeats: Bool
    private let wantsSoundLevel: Bool
    private var lastHeartRate: RunInstant?
    private var lastSoundLevel: RunInstant?

    init(for task: Study.Task) {
        (wantsHeartRate, wantsBeats) = (task.observesHeartRate, task.observesBeats)
        wantsSoundLevel = task.observesSoundLevel
    }

    /// Whether the engine is to be told a heart rate: at most one a second.
    mutating func isHeartRateDue(at now: RunInstant) -> Bool {
        wantsHeartRate && Self.isDue(&lastHeartRate, every: .seconds(1), at: now)
    }

    /// Whether the engine is to be told a sound level: at most two a second.
    mutating func isSoundLevelDue(at now: RunInstant) -> Bool {
        wantsSoundLevel && Self.isDue(&lastSoundLevel, every: .milliseconds(500), at: now)
    }

    private static func isDue(_ last: inout RunInstant?, every time: Duration, at now: RunInstant) -> Bool {
        guard last.map({ $0.duration(to: now) >= time }) != false else { return false }
        last = now
        return true
    }
}
