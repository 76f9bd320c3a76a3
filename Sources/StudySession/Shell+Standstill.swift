import Results
import SessionPorts
import StudyEngine
import StudyModel

extension Shell {
    /// Notes that the program stood still, if nothing reached it for longer than it ever waits: it was suspended, or the
    /// machine gave it no time.
    ///
    /// What comes at `now` is taken after it, so all that happened belongs to the step that was on show meanwhile.
    mutating func look(at now: RunInstant) -> [Chore] {
        defer { lastLook = now }
        guard let longestLook, let lastLook, hasBegun, !isCompanion, !run.isEnding,
            lastLook.duration(to: now) > longestLook
        else { return [] }
        lastStandstill = lastLook..<now
        return handle(.stoodStill(since: lastLook), at: now)
    }

    /// Tells all recordings in progress.
    func noteStandstill(since start: RunInstant, at now: RunInstant) -> [Chore] {
        recordings.keys.sorted().map { .write(.append($0, .stoodStill(since: start, at: now))) }
    }
}
