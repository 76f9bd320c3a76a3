/// The pulse found in a trace: beats, heart rate over time, and how reliable each of them is.
package struct Pulse: Hashable, Sendable {
    /// The signal in which the beats were found.
    package enum Channel: String, Hashable, Sendable {
        case red = "R"
        case green = "G"
        case blue = "B"
        case sum = "R+G+B"
        case hue
        case signal
    }

    /// Heart rate over a stretch of time.
    package struct Window: Hashable, Sendable {
        /// Seconds, on the time axis of the trace.
        package var start: Double
        /// Seconds, on the time axis of the trace.
        package var end: Double
        /// Beats per minute; `nil` if there is nothing to count. If `reliable` is false, this is an estimate that
        /// must not be shown as a heart rate.
        package var bpm: Double?
        /// Whether the pulse in the signal is good enough for `bpm` to be reliable.
        package var reliable: Bool
        /// 0 (nothing) ... 1 (a perfectly regular pulse over the whole window).
        package var quality: Double
    }

    /// The interval between two consecutive beats.
    package struct Interval: Hashable, Sendable {
        /// When its first beat was, in seconds.
        package var start: Double
        /// Seconds from its first beat to its second.
        package var length: Double
        /// When its second beat was, in seconds.
        package var end: Double { start + length }
    }

    /// The channel that was used; `nil` if no channel has a signal.
    package var channel: Channel?
    /// Seconds, ascending: the steepest rise of each pulse wave (or the mark of the named method).
    package var beats: [Double]
    /// The intervals between beats that a heart can have produced, ascending, without artefacts.
    package var intervals: [Interval]
    /// Ascending by start.
    package var windows: [Window]
    /// For each frame of the trace, the band-passed channel in its own unit, with pulse waves upwards; `nil` for
    /// frames that could not be used.
    package var filtered: [Double?]
    /// For each frame of the trace, 0...1; 0 for frames that could not be used.
    package var quality: [Double]

    /// Nothing has been found yet.
    init(frames count: Int) {
        channel = nil
        (beats, intervals, windows) = ([], [], [])
        filtered = [Double?](repeating: nil, count: count)
        quality = [Double](repeating: 0, count: count)
    }
}
