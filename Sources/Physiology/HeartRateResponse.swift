/// How the heart rate of a stretch differs from the rest before it.
///
/// The stretch counts from 5 s after its start, when the heart has begun to respond. The baseline is the last 60 s
/// of the rest. Both are worked out from intervals if these cover both, and otherwise from notified rates, so a
/// response never compares one kind with the other.
package struct HeartRateResponse: Hashable, Sendable {
    /// How much of the stretch's beginning does not count, s.
    package static let settling = 5.0
    /// How much of the rest's end counts, s.
    package static let baselineSpan = 60.0
    /// A shorter baseline than this says too little, s.
    package static let shortestBaseline = 30.0
    /// With fewer samples than this, there is no mean.
    package static let fewestSamples = HeartRateMean.fewest

    /// What both means were worked out from.
    package var origin: HeartRateMean.Origin
    /// The change by the intervals, beats per minute; `nil` if they do not cover both.
    package var changeByIntervals: Double?
    /// The change of the notified rates, beats per minute; `nil` if there are too few.
    package var notifiedChange: Double?
    /// The baseline of `notifiedChange`, beats per minute.
    package var notifiedBaseline: Double?
    /// Mean rate of the baseline, weighted by time, beats per minute.
    package var baseline: Double
    /// Mean rate of the stretch, weighted by time, beats per minute.
    package var mean: Double
    /// Standard deviation of the baseline's samples, weighted by time, beats per minute.
    package var baselineDeviation: Double
    /// The larger share of the intervals that were corrected, of the baseline and the stretch, 0...1; 0 if the
    /// notified rates count.
    package var correctedShare: Double
    /// Whether the baseline has less than 30 s.
    package var hasShortBaseline: Bool

    /// The change, beats per minute.
    package var change: Double { mean - baseline }
    /// The change in percent of the baseline.
    package var percent: Double { 100 * change / baseline }
    /// The change in standard deviations of the baseline; `nil` if the baseline did not vary.
    package var z: Double? { baselineDeviation > 1e-9 ? change / baselineDeviation : nil }

    /// Why there is no response.
    package enum Missing: Error, Hashable, Sendable {
        /// Fewer than 5 samples in the baseline, and no intervals that cover it.
        case baseline
        /// Fewer than 5 samples in the stretch after its first 5 s, and no intervals that cover it.
        case stretch
    }

    /// What was measured during the rest or during the stretch.
    package struct Measured {
        /// Rates, in order of time.
        package var rates: [HeartRateMean.Rate]
        /// Intervals, in order of time; empty if none were recorded.
        package var intervals: [HeartRateMean.Interval]

        package init(rates: [HeartRateMean.Rate], intervals: [HeartRateMean.Interval] = []) {
            (self.rates, self.intervals) = (rates, intervals)
        }

        /// The part between two moments.
        fileprivate func within(_ span: ClosedRange<Double>) -> Part {
            let rates = rates.filter { span.contains($0.time) }
            let begun = [
                rates.first?.time, intervals.lazy.map { $0.time - $0.length }.first { $0 >= span.lowerBound },
            ]
            let ended = [rates.last?.time, intervals.last { $0.time <= span.upperBound }?.time]
            let start = min(begun.compactMap(\.self).min() ?? span.lowerBound, span.upperBound)
            let end = max(min(ended.compactMap(\.self).max() ?? start, span.upperBound), start)
            let covering = HeartRateMean.covering(intervals, start...end)
            return Part(
                rates: rates.count >= fewestSamples ? rates : nil, intervals: covering?.intervals,
                correctedShare: covering?.correctedShare ?? 0, start: start)
        }
    }

    /// The part that counts.
    fileprivate struct Part {
        /// `nil` if there are too few.
        var rates: [HeartRateMean.Rate]?
        /// The intervals, milliseconds; `nil` if they do not cover the part.
        var intervals: [Double]?
        var correctedShare: Double
        var start: Double

        var notified: Double? { rates.map(HeartRateMean.mean(of:)) }
        var byIntervals: Double? { intervals.map(HeartRateMean.mean(ofIntervals:)) }

        /// Standard deviation weighted by time, around a mean.
        func deviation(_ origin: HeartRateMean.Origin, around mean: Double) -> Double {
            let (values, weights) =
                switch origin {
                case .intervals: ((intervals ?? []).map { 60_000 / $0 }, intervals ?? [])
                case .notified: ((rates ?? []).map(\.rate), timeWeights((rates ?? []).map(\.time)))
                }
            return weightedMean(values.map { ($0 - mean) * ($0 - mean) }, weights).squareRoot()
        }
    }

    /// The mean rate of a rest, beats per minute, by intervals if these cover it; `nil` if there is too little of it.
    package static func baseline(of rest: Measured, until end: Double) -> Double? {
        let part = rest.within(end - baselineSpan...end)
        return part.byIntervals ?? part.notified
    }

    /// - Parameters:
    ///   - rest: what was measured up to the end of the rest.
    ///   - restEnd: when the rest ended, s.
    ///   - stretch: what was measured up to the end of the stretch.
    ///   - start: when the stretch began, s.
    package init(
        rest: Measured, restEnd: Double, stretch: Measured, start: Double
    ) throws(Missing) {
        let before = rest.within(restEnd - Self.baselineSpan...restEnd)
        let after = stretch.within(
            start + Self.settling...max(start + Self.settling, .greatestFiniteMagnitude))
        guard before.rates != nil || before.intervals != nil else { throw .baseline }
        guard after.rates != nil || after.intervals != nil else { throw .stretch }
        func change(_ part: KeyPath<Part, Double?>) -> (baseline: Double, mean: Double)? {
            guard let baseline = before[keyPath: part], let mean = after[keyPath: part] else { return nil }
            return (baseline, mean)
        }
        let (byIntervals, notified) = (change(\.byIntervals), change(\.notified))
        guard let counted = byIntervals ?? notified else {
            // Each side may lack what the other has.
            if before.rates == nil { throw .baseline }
            throw .stretch
        }
        origin = byIntervals == nil ? .notified : .intervals
        changeByIntervals = byIntervals.map { $0.mean - $0.baseline }
        notifiedChange = notified.map { $0.mean - $0.baseline }
        notifiedBaseline = notified?.baseline
        (baseline, mean) = (counted.baseline, counted.mean)
        baselineDeviation = before.deviation(origin, around: counted.baseline)
        correctedShare = origin == .notified ? 0 : max(before.correctedShare, after.correctedShare)
        // The first sample may represent up to a second before it.
        hasShortBaseline = restEnd - before.start + 1 < Self.shortestBaseline
    }
}
