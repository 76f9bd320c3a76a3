/// The pulse of a camera while its frames come in.
package struct LivePulse: Sendable {
    private let detector: PulseDetector
    private var trace = PulseTrace()
    private var history = PulseHistory()

    package init(_ detector: PulseDetector = PulseDetector()) { self.detector = detector }

    /// Takes one frame.
    ///
    /// - Parameters:
    ///   - time: seconds, when it was taken.
    ///   - red, green, blue: mean intensity in any unit.
    package mutating func append(time: Double, red: Double, green: Double, blue: Double) {
        trace.append(time: time, red: red, green: green, blue: blue)
    }

    /// How many frames are remembered.
    var count: Int { trace.times.count }

    /// The pulse in the last window before a moment. Older frames are discarded.
    ///
    /// If the first frame is more recent than the window's start, the window is shorter. `filtered` and `quality`
    /// refer to the frames of this window.
    ///
    /// - Parameter end: seconds, on the frames' own time axis.
    package mutating func estimate(at end: Double) -> Pulse {
        guard end.isFinite else { return Pulse(frames: 0) }
        let oldest = end - detector.window
        trace = trace.frames { $0 >= oldest }
        let part = trace.frames { $0 < end }
        let first = part.times.first.map { $0 - oldest < Self.patience ? oldest : $0 } ?? oldest
        return detector.estimate(from: part, span: first..<end, history: &history)
    }

    /// In a full window, the first frame comes at most this long after the window's start, seconds.
    private static let patience = 1.0
}

extension PulseDetector {
    /// The pulse as it would have been found while the recording was made.
    ///
    /// Each window's estimate uses only the frames within it. A beat, and a frame's filtered value, come from the
    /// first window that ends at least a second later.
    package func detectLive(in trace: PulseTrace) -> Pulse {
        let frames = PulseSegment.usableFrames(of: trace)
        let times = frames.map { trace.times[$0] }
        let spans = spans(of: PulseSegment.segments(of: trace))
        var pulse = Pulse(frames: trace.times.count)
        var history = PulseHistory()
        var (first, last) = (0, 0)
        for (index, span) in spans.enumerated() {
            while last < times.count && times[last] < span.upperBound { last += 1 }
            while first < last && times[first] < span.lowerBound { first += 1 }
            let part = estimate(from: trace.frames(frames[first..<last]), span: span, history: &history)
            let settled = index == 0 ? span.lowerBound : span.upperBound - hop - PulseFollower.settling
            let until = index + 1 == spans.count ? span.upperBound : span.upperBound - PulseFollower.settling
            for beat in part.beats where settled <= beat && beat < until {
                guard beat - (pulse.beats.last ?? -.infinity) >= InterBeatIntervals.shortest else { continue }
                pulse.beats.append(beat)
            }
            pulse.windows += part.windows
            pulse.channel = part.channel ?? pulse.channel
            for (offset, frame) in frames[first..<last].enumerated() where trace.times[frame] >= settled {
                pulse.filtered[frame] = part.filtered[offset]
                pulse.quality[frame] = part.quality[offset]
            }
        }
        pulse.intervals = InterBeatIntervals.clean(pulse.beats)
        return pulse
    }
}
