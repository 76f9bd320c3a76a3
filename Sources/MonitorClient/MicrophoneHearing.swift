import MonitorInterface
import StudyModel

/// Whether the microphone hears anything, from its levels. A value: levels in, changes out.
struct MicrophoneHearing: Sendable {
    private var state = MicrophoneState.off
    /// Since when every level has been below `AlarmRule.silence`.
    private var quiet: RunInstant?

    /// - Parameter level: dB below full scale; `nil` when no step records sound any more.
    /// - Returns: the new state, if it is another.
    mutating func take(_ level: Double?, at instant: RunInstant) -> MicrophoneState? {
        let new = judge(level, at: instant)
        defer { state = new }
        return new == state ? nil : new
    }

    private mutating func judge(_ level: Double?, at instant: RunInstant) -> MicrophoneState {
        guard let level, level < AlarmRule.silence else {
            quiet = nil
            return level == nil ? .off : .heard
        }
        let since = quiet ?? instant
        quiet = since
        return since.duration(to: instant).seconds >= MonitorLimits.microphoneSilence ? .silent : state
    }
}
