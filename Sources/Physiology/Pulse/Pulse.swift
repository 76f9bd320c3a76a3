/// The pulse found in a trace: beats, heart rate over time, and how far each may be believed.
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
        /// Beats per minute; `nil` if there is nothing to count. Where `reliable` is false this is an
        /// estimate that must not be shown as a heart rate.
        package var bpm: Double?
        /// Whether the signal carries a pulse well enough for `bpm` to be believed.
        package var reliable: Bool
        /// 0 (nothing) ... 1 (a perfectly regular pulse over the whole window).
        package var quality: Double
    }

    /// One interval between two beats that follow each other.
    package struct Interval: Hashable, Sendable {
        /// When its first beat was, in seconds.
        package var start: Double
        /// Seconds from its first beat to its second.
        package var length: Double
        /// When its second beat was, in seconds.
        package var end: Double { start + length }
    }

    /// The channel that was used; `nil` if no channel carries any signal.
    package var channel: Channel?
    /// Seconds, ascending: the steepest rise of each pulse wave (or the mark of the named method).
    package var beats: [Double]
    /// The intervals between beats that a heart can have made, ascending; artefacts are left out.
    package var intervals: [Interval]
    /// Ascending by start.
    package var windows: [Window]
    /// Per frame of the trace: the band-passed channel in its own unit, pulse waves upwards; `nil` for
    /// frames that could not be used.
    package var filtered: [Double?]
    /// Per frame of the trace: 0...1, 0 for frames that could not be used.
    package var quality: [Double]

    /// Nothing found, yet.
    init(frames count: Int) {
        channel = nil
        (beats, intervals, windows) = ([], [], [])
        filtered = [Double?](repeating: nil, count: count)
        quality = [Double](repeating: 0, count: count)
    }
}
