import Physiology
import SessionPorts
import StudyModel

/// What a source said of the heart lately, for displays.
struct HeartHistory {
    private struct Beats {
        /// When the last of the intervals ended.
        var instant: RunInstant
        /// Seconds.
        var intervals: [Double]
    }

    /// How far back intervals are kept.
    private let reach: Duration
    private var beats: [Beats] = []
    private var rate: (value: Double, instant: RunInstant)?
    private var isLost = false

    /// The share of the time that intervals must cover, so that their variability is shown.
    static let leastCoverage = 0.8

    /// - Parameter reach: the longest time over which variability is asked for.
    init(reach: Duration) { self.reach = reach }

    /// The source has no signal.
    mutating func lose() { isLost = true }

    /// Takes what a source said. What it sent twice, or too late, does not count.
    mutating func take(_ heart: HeartRateSample, at instant: RunInstant) {
        guard heart.sensorContact != false else { return }
        isLost = false
        if let value = heart.rate, rate.map({ $0.instant <= instant }) != false { rate = (value, instant) }
        let end = heart.lastBeat?.instant ?? instant
        guard !heart.rrIntervals.isEmpty,
            beats.last.map({ isLater(end, heart.rrIntervals, than: $0) }) != false
        else { return }
        beats.append(Beats(instant: end, intervals: heart.rrIntervals))
        beats.removeAll { $0.instant.duration(to: end) > reach + .seconds(10) }
    }

    private func isLater(_ end: RunInstant, _ intervals: [Double], than last: Beats) -> Bool {
        let distance = last.instant.duration(to: end)
        return distance > .zero && (distance >= .milliseconds(100) || intervals != last.intervals)
    }

    /// The heart rate at a moment.
    func rate(at now: RunInstant) -> Biofeedback.Shown {
        guard let rate else { return isLost ? .lost : .unknown }
        return isLost || rate.instant.duration(to: now) > HeartRateSample.freshness
            ? .lost : .value(rate.value.rounded())
    }

    /// The variability over the time before a moment, with artefacts corrected.
    func variability(_ measure: Biofeedback.Measure, over window: Duration, at now: RunInstant)
        -> Biofeedback.Shown
    {
        guard let last = beats.last else { return isLost ? .lost : .unknown }
        guard !isLost, last.instant.duration(to: now) <= HeartRateSample.freshness else { return .lost }
        let recent = recent(within: window, before: now)
        let covered = recent.reduce(0) { $0 + $1.intervals.reduce(0, +) }
        let stretches = IntervalStretches(
            times: recent.map(\.instant.offset.seconds), intervals: recent.map(\.intervals))
        guard covered >= Self.leastCoverage * window.seconds,
            let found = HeartRateVariability(stretches.corrected.stretches)
        else { return .unknown }
        switch measure {
        case .rmssd: return .value(found.rmssd.rounded())
        case .sdnn: return .value(found.sdnn.rounded())
        }
    }

    /// The intervals that began within a time.
    private func recent(within window: Duration, before now: RunInstant) -> [Beats] {
        let start = now.offset - window
        return beats.compactMap { beats in
            var left = beats
            let lengths = { left.intervals.reduce(0, +) }
            while !left.intervals.isEmpty, left.instant.offset - .seconds(lengths()) < start {
                left.intervals.removeFirst()
            }
            return left.intervals.isEmpty ? nil : left
        }
    }
}
