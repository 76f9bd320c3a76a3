/// The figures of a recording that a person asks for first.
package struct HeartRateSummary: Hashable, Sendable {
    /// Lowest rate, beats per minute.
    package var minimum: Double
    /// Mean rate, weighted by time, beats per minute. Gaps of more than 5 s do not count.
    package var mean: Double
    /// Highest rate, beats per minute.
    package var maximum: Double
    /// Number of samples with a rate.
    package var sampleCount: Int

    /// - Parameters:
    ///   - times: seconds, in order.
    ///   - rates: beats per minute, one for each time.
    /// - Returns: `nil` without samples.
    package init?(times: [Double], rates: [Double]) {
        precondition(times.count == rates.count, "one rate for each time")
        guard let minimum = rates.min(), let maximum = rates.max() else { return nil }
        let weights = timeWeights(times)
        self.minimum = minimum
        self.maximum = maximum
        mean = weightedMean(rates, weights)
        sampleCount = rates.count
    }
}

/// The weighted mean of values; not all weights are 0.
func weightedMean(_ values: [Double], _ weights: [Double]) -> Double {
    zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
}

/// How much time each sample represents: half of the gaps to its neighbours, each gap at most 5 s.
///
/// The weights are never all 0: if no time passes, every sample has the same weight.
func timeWeights(_ times: [Double]) -> [Double] {
    let weights = timeReaches(times).map { $0.before + $0.after }
    return weights.contains { $0 > 0 } ? weights : weights.map { _ in 1 }
}

/// The time before and after each sample that it represents: half of the gap to its neighbour, at most 2.5 s.
func timeReaches(_ times: [Double]) -> [(before: Double, after: Double)] {
    var reaches = times.map { _ in (before: 0.0, after: 0.0) }
    for index in times.indices.dropFirst() {
        let half = min(max(times[index] - times[index - 1], 0), 5) / 2
        reaches[index - 1].after = half
        reaches[index].before = half
    }
    return reaches
}
