/// How the heart rate of a stretch differs from the rest before it.
///
/// The stretch is counted from 5 s after its start, when the heart has begun to answer; the baseline is the last
/// 60 s of the rest.
package struct HeartRateResponse: Hashable, Sendable {
    /// So much of the stretch's beginning does not count, s.
    package static let settling = 5.0
    /// So much of the rest's end counts, s.
    package static let baselineSpan = 60.0
    /// A shorter baseline says too little, s.
    package static let shortestBaseline = 30.0
    /// A mean of fewer samples is not taken.
    package static let fewestSamples = 5

    /// Mean rate of the baseline weighted by time, beats per minute.
    package var baseline: Double
    /// Mean rate of the stretch weighted by time, beats per minute.
    package var mean: Double
    /// Standard deviation of the baseline's samples weighted by time, beats per minute.
    package var baselineDeviation: Double
    /// Whether the baseline has less than 30 s.
    package var hasShortBaseline: Bool

    /// Beats per minute.
    package var change: Double { mean - baseline }
    /// Percent of the baseline.
    package var percent: Double { 100 * change / baseline }
    /// In standard deviations of the baseline; `nil` where that did not vary.
    package var z: Double? { baselineDeviation > 1e-9 ? change / baselineDeviation : nil }

    /// Why there is no response.
    package enum Missing: Error, Hashable, Sendable {
        /// Fewer than 5 samples in the baseline.
        case baseline
        /// Fewer than 5 samples in the stretch after its first 5 s.
        case stretch
    }

    /// - Parameters:
    ///   - rest: times in seconds, in order, and beats per minute, up to the end of the rest.
    ///   - restEnd: when the rest ended, s.
    ///   - stretch: the same for the stretch.
    ///   - start: when the stretch began, s.
    package init(
        rest: [(time: Double, rate: Double)], restEnd: Double, stretch: [(time: Double, rate: Double)],
        start: Double
    ) throws(Missing) {
        let baseline = rest.filter { restEnd - Self.baselineSpan <= $0.time && $0.time <= restEnd }
        let answered = stretch.filter { start + Self.settling <= $0.time }
        guard baseline.count >= Self.fewestSamples, let first = baseline.first else { throw .baseline }
        guard answered.count >= Self.fewestSamples else { throw .stretch }
        let weights = timeWeights(baseline.map(\.time))
        self.baseline = weightedMean(baseline.map(\.rate), weights)
        let centre = self.baseline
        let squares = baseline.map { ($0.rate - centre) * ($0.rate - centre) }
        baselineDeviation = weightedMean(squares, weights).squareRoot()
        mean = weightedMean(answered.map(\.rate), timeWeights(answered.map(\.time)))
        // The first sample stands for up to the second before it.
        hasShortBaseline = restEnd - first.time + 1 < Self.shortestBaseline
    }
}
