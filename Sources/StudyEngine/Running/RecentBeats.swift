import Physiology
package import StudyModel

/// The intervals between beats that were measured lately.
package struct RecentBeats: Hashable, Sendable {
    private struct Beats: Hashable, Sendable {
        /// When the last of the intervals ended.
        var instant: RunInstant
        /// Seconds.
        var intervals: [Double]
    }

    /// How far back intervals are kept.
    private let reach: Duration
    private var beats: [Beats] = []

    /// The share of a time that intervals must cover, so that their variability over it is known.
    package static let leastCoverage = 0.8

    /// - Parameter reach: the longest time over which variability is asked for.
    package init(reach: Duration) { self.reach = reach }

    /// When the last beat was; `nil` before the first.
    package var last: RunInstant? { beats.last?.instant }

    /// Takes intervals, s. What was sent twice, or too late, does not count.
    package mutating func take(_ intervals: [Double], endingAt end: RunInstant) {
        guard !intervals.isEmpty, beats.last.map({ isLater(end, intervals, than: $0) }) != false else {
            return
        }
        beats.append(Beats(instant: end, intervals: intervals))
        beats.removeAll { $0.instant.duration(to: end) > reach + .seconds(10) }
    }

    private func isLater(_ end: RunInstant, _ intervals: [Double], than last: Beats) -> Bool {
        let distance = last.instant.duration(to: end)
        return distance > .zero && (distance >= .milliseconds(100) || intervals != last.intervals)
    }

    /// The variability over the time before a moment, ms, with artefacts corrected; `nil` if the intervals cover too
    /// little of that time.
    package func variability(
        _ measure: Biofeedback.Measure, over window: Duration, at now: RunInstant
    ) -> Double? {
        let recent = recent(within: window, before: now)
        let covered = recent.reduce(0) { $0 + $1.intervals.reduce(0, +) }
        return covered >= Self.leastCoverage * window.seconds ? Self.variability(measure, of: recent) : nil
    }

    /// The variability of all intervals, ms, with artefacts corrected; `nil` if they are too few.
    func variability(_ measure: Biofeedback.Measure) -> Double? { Self.variability(measure, of: beats) }

    private static func variability(_ measure: Biofeedback.Measure, of beats: [Beats]) -> Double? {
        let stretches = IntervalStretches(
            times: beats.map(\.instant.offset.seconds), intervals: beats.map(\.intervals))
        guard let found = HeartRateVariability(stretches.corrected.stretches) else { return nil }
        return switch measure {
        case .rmssd: found.rmssd
        case .sdnn: found.sdnn
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
