/// Follows the pulse of a camera, and reports each frame and each beat once, when it no longer changes.
///
/// A frame is settled a second after it came, because later frames still change the filtered signal of the newest
/// second.
package struct PulseFollower: Sendable {
    /// What is known at one moment.
    package struct Reading: Hashable, Sendable {
        /// The last ten seconds, or less if there are fewer.
        package var window: Pulse.Window
        /// Whether the window is long enough and its signal good enough for a heart rate.
        package var isClear: Bool
        /// Frames that settled since the last reading, oldest first.
        package var frames: [Frame]
        /// Intervals that ended with a beat that settled since the last reading, without artefacts; empty if the
        /// signal is not clear.
        package var intervals: [Pulse.Interval]
    }

    package struct Frame: Hashable, Sendable {
        /// Seconds, as it was given.
        package var time: Double
        package var red: Double
        package var green: Double
        package var blue: Double
        /// The band-passed channel in its own unit, with pulse waves upwards; 0 if the frame could not be used.
        package var filtered: Double
        /// The times of the beats between this frame and the next, seconds.
        package var beats: [Double]
        /// 0...1.
        package var quality: Double
    }

    /// How long the newest part of a buffer may still change, seconds.
    static let settling = 1.0
    /// How many seconds must be seen before there is a heart rate.
    package static let shortest = 6.0
    /// How many beats are kept to compare intervals with.
    private static let memory = 9

    private var live: LivePulse
    private var start: Double?
    /// Frames that have not been reported yet, with their colours.
    private var waiting: [Frame] = []
    /// The last beats that were reported.
    private var beats: [Double] = []
    /// The moment up to which all beats have been reported, seconds.
    private var told = -Double.infinity

    package init(_ detector: PulseDetector = PulseDetector()) { live = LivePulse(detector) }

    /// Takes one frame.
    ///
    /// - Parameters:
    ///   - time: seconds, when it was taken; later than the frame before.
    ///   - red, green, blue: mean intensity.
    package mutating func append(time: Double, red: Double, green: Double, blue: Double) {
        start = start ?? time
        live.append(time: time, red: red, green: green, blue: blue)
        waiting.append(
            Frame(time: time, red: red, green: green, blue: blue, filtered: 0, beats: [], quality: 0))
    }

    /// What is known about the frames before a moment.
    ///
    /// - Parameters:
    ///   - end: seconds, on the frames' own time axis.
    ///   - isLast: whether no frame will follow, so that all are settled.
    package mutating func reading(at end: Double, isLast: Bool = false) -> Reading {
        let found = live.estimate(at: end)
        let window =
            found.windows.first
            ?? Pulse.Window(start: end, end: end, bpm: nil, reliable: false, quality: 0)
        let isClear = window.reliable && end - (start ?? end) >= Self.shortest
        // A beat belongs to the frame before it, so a frame is reported together with what follows it.
        let settled =
            isLast ? .infinity : waiting.last { $0.time <= end - Self.settling }?.time ?? -.infinity
        let new = newBeats(of: found.beats, until: settled)
        let offset = live.count - waiting.count
        var frames = Array(waiting.prefix { $0.time < settled })
        waiting.removeFirst(frames.count)
        for index in frames.indices where found.filtered.indices.contains(offset + index) {
            frames[index].filtered = found.filtered[offset + index] ?? 0
            frames[index].quality = found.quality[offset + index]
        }
        for beat in new {
            guard let frame = frames.lastIndex(where: { $0.time <= beat }) else { continue }
            frames[frame].beats.append(beat)
        }
        return Reading(
            window: window, isClear: isClear, frames: frames,
            intervals: isClear ? intervals(endingWith: new) : [])
    }

    private mutating func newBeats(of found: [Double], until settled: Double) -> [Double] {
        var new: [Double] = []
        for beat in found where beat < settled {
            let earliest = beats.last.map { $0 + InterBeatIntervals.shortest } ?? -.infinity
            guard beat >= max(earliest, told) else { continue }
            beats.append(beat)
            new.append(beat)
        }
        told = max(told, settled)
        beats.removeFirst(max(0, beats.count - Self.memory - new.count))
        return new
    }

    private func intervals(endingWith new: [Double]) -> [Pulse.Interval] {
        guard let first = new.first else { return [] }
        return InterBeatIntervals.clean(beats).filter { $0.end >= first - 1e-9 }
    }
}
