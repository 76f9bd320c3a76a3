/// The mean heart rate of a stretch of time: the one place where it is made.
///
/// A strap smooths the rates that it notifies over several seconds, and hides a short change that its intervals show.
/// So intervals decide where they cover the stretch, and notified rates elsewhere; which it was is told.
package struct HeartRateMean: Hashable, Sendable {
    /// A heart rate as it was notified: seconds, and beats per minute.
    package typealias Rate = (time: Double, rate: Double)
    /// An interval between beats: when it ended, and its length, seconds.
    package typealias Interval = (time: Double, length: Double)

    /// Where a mean comes from.
    package enum Origin: String, CaseIterable, Hashable, Sendable {
        /// 60 divided by the mean interval, artefacts corrected.
        case intervals
        /// The notified rates, weighted by time; gaps beyond 5 s do not count.
        case notified
    }

    /// Intervals decide where they cover this share of the stretch.
    package static let fullCoverage = 0.8
    /// A mean of fewer samples or intervals is not taken for one of a stretch.
    package static let fewest = 5

    /// Beats per minute by the intervals, where they cover the stretch.
    package let byIntervals: Double?
    /// Beats per minute as notified, where there are any.
    package let notified: Double?
    /// Whose mean counts.
    package var origin: Origin { byIntervals == nil ? .notified : .intervals }
    /// The mean that counts, beats per minute.
    package let rate: Double

    /// - Parameters:
    ///   - rates: in order of time, all of the stretch.
    ///   - intervals: in order of time; those count of which at least half lies in the stretch.
    ///   - span: of the stretch, seconds.
    /// - Returns: `nil` if there is neither.
    package init?(of rates: [Rate], _ intervals: [Interval], in span: ClosedRange<Double>) {
        notified = rates.isEmpty ? nil : Self.mean(of: rates)
        let covering = Self.covering(intervals, span)
        byIntervals = covering.map(Self.mean(ofIntervals:))
        guard let rate = byIntervals ?? notified else { return nil }
        self.rate = rate
    }

    /// Weighted by time.
    static func mean(of rates: [Rate]) -> Double {
        weightedMean(rates.map(\.rate), timeWeights(rates.map(\.time)))
    }

    /// - Parameter intervals: milliseconds.
    static func mean(ofIntervals intervals: [Double]) -> Double {
        60_000 * Double(intervals.count) / intervals.reduce(0, +)
    }

    /// The corrected intervals of a stretch, ms; `nil` if they do not cover it.
    static func covering(_ intervals: [Interval], _ span: ClosedRange<Double>) -> [Double]? {
        let inner = intervals.filter { span.contains($0.time - $0.length / 2) }
        let covered = inner.reduce(0) { sum, interval in
            sum
                + max(
                    0,
                    min(interval.time, span.upperBound)
                        - max(interval.time - interval.length, span.lowerBound))
        }
        guard inner.count >= fewest, covered >= fullCoverage * (span.upperBound - span.lowerBound) else {
            return nil
        }
        let stretches = IntervalStretches(times: inner.map(\.time), intervals: inner.map { [$0.length] })
        return stretches.corrected.stretches.flatMap(\.self)
    }
}
