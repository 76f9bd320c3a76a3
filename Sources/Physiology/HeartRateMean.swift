/// The mean heart rate of a stretch of time, which is worked out only here.
///
/// A strap smooths the rates that it notifies over several seconds, which hides short changes that its intervals
/// show. So the intervals count if they cover the stretch, and otherwise the notified rates. `origin` says which.
package struct HeartRateMean: Hashable, Sendable {
    /// A heart rate as it was notified: seconds, and beats per minute.
    package typealias Rate = (time: Double, rate: Double)
    /// An interval between beats: when it ended, and its length, seconds.
    package typealias Interval = (time: Double, length: Double)

    /// What a mean was worked out from.
    package enum Origin: String, CaseIterable, Hashable, Sendable {
        /// 60 divided by the mean interval, artefacts corrected.
        case intervals
        /// The notified rates, weighted by time. Gaps of more than 5 s do not count.
        case notified
    }

    /// The intervals count if they cover this share of the stretch.
    package static let fullCoverage = 0.8
    /// With fewer samples or intervals than this, there is no mean of a stretch.
    package static let fewest = 5

    /// Beats per minute from the intervals; `nil` if they do not cover the stretch.
    package let byIntervals: Double?
    /// Beats per minute from the notified rates; `nil` if there are none.
    package let notified: Double?
    /// Which of the two means counts.
    package var origin: Origin { byIntervals == nil ? .notified : .intervals }
    /// The mean that counts, beats per minute.
    package let rate: Double
    /// The share of the intervals that were corrected, 0...1; 0 if the notified rates count.
    package let correctedShare: Double

    /// - Parameters:
    ///   - rates: in order of time, all within the stretch.
    ///   - intervals: in order of time. An interval counts if at least half of it lies in the stretch.
    ///   - span: the time of the stretch, seconds.
    /// - Returns: `nil` if there are neither rates nor intervals.
    package init?(of rates: [Rate], _ intervals: [Interval], in span: ClosedRange<Double>) {
        notified = rates.isEmpty ? nil : Self.mean(of: rates)
        let covering = Self.covering(intervals, span)
        byIntervals = covering.map { Self.mean(ofIntervals: $0.intervals) }
        correctedShare = covering?.correctedShare ?? 0
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

    /// The corrected intervals of a stretch, ms, and the share that was corrected; `nil` if they do not cover it.
    static func covering(
        _ intervals: [Interval], _ span: ClosedRange<Double>
    ) -> (intervals: [Double], correctedShare: Double)? {
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
        let (corrected, share) =
            IntervalStretches(times: inner.map(\.time), intervals: inner.map { [$0.length] }).correction
        return (corrected.stretches.flatMap(\.self), share)
    }
}
