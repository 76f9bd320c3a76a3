/// The figures of a recording that a person asks for first.
package struct HeartRateSummary: Hashable, Sendable {
    /// Lowest rate, beats per minute.
    package var minimum: Double
    /// Mean rate weighted by time, beats per minute; gaps beyond 5 s do not count.
    package var mean: Double
    /// Highest rate, beats per minute.
    package var maximum: Double
    /// Number of samples with a rate.
    package var sampleCount: Int
    /// Root mean square of successive differences of the clean RR intervals, ms; `nil` below two.
    package var rmssd: Double?

    /// - Parameters:
    ///   - times: seconds, in order.
    ///   - rates: beats per minute, one for each time.
    ///   - rrIntervals: seconds between beats, in order; empty where not known.
    /// - Returns: `nil` without samples.
    package init?(times: [Double], rates: [Double], rrIntervals: [Double]) {
        precondition(times.count == rates.count, "one rate for each time")
        guard let minimum = rates.min(), let maximum = rates.max() else { return nil }
        let weights = timeWeights(times)
        self.minimum = minimum
        self.maximum = maximum
        mean = zip(rates, weights).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
        sampleCount = rates.count
        rmssd = Self.rmssd(rrIntervals)
    }

    /// Differences are taken between neighbours only, never across an interval that was left out.
    private static func rmssd(_ intervals: [Double]) -> Double? {
        let isClean = intervals.indices.map { isPlausible($0, in: intervals) }
        var sum = 0.0
        var count = 0
        for index in intervals.indices.dropFirst() where isClean[index] && isClean[index - 1] {
            let difference = intervals[index] - intervals[index - 1]
            sum += difference * difference
            count += 1
        }
        return count > 0 ? 1000 * (sum / Double(count)).squareRoot() : nil
    }

    /// Between 0.33 and 1.8 s, and within 20 % of the median of the seven around it.
    private static func isPlausible(_ index: Int, in intervals: [Double]) -> Bool {
        guard (0.33...1.8).contains(intervals[index]) else { return false }
        let around = intervals[max(index - 3, 0)...min(index + 3, intervals.count - 1)].sorted()
        let median = (around[around.count / 2] + around[(around.count - 1) / 2]) / 2
        return abs(intervals[index] - median) <= 0.2 * median
    }
}

/// How much time each sample stands for: half of the gaps to its neighbours, each gap at most 5 s.
///
/// Never all 0: where no time passes, every sample counts the same.
func timeWeights(_ times: [Double]) -> [Double] {
    var weights = Array(repeating: 0.0, count: times.count)
    for index in times.indices.dropFirst() {
        let half = min(max(times[index] - times[index - 1], 0), 5) / 2
        weights[index - 1] += half
        weights[index] += half
    }
    return weights.contains { $0 > 0 } ? weights : weights.map { _ in 1 }
}
