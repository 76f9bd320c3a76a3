import Glibc
import StudyModel

/// How intervals follow each other, beyond their spread: the Poincaré plot, the fractal exponent over a few beats,
/// and sample entropy.
package struct NonlinearVariability: Hashable, Sendable {
    /// Spread across the diagonal of the Poincaré plot, ms: fast variability.
    package var sd1: Double
    /// Spread along that diagonal, ms: slow variability.
    package var sd2: Double
    /// Detrended fluctuation analysis over 4 to 11 beats of the longest stretch; `nil` below 12 intervals or if
    /// nothing varies.
    package var alpha1: Double?
    /// Sample entropy of the longest stretch, for patterns of two intervals and a tolerance of a fifth of the
    /// standard deviation; `nil` if no pattern of three recurs, and above 10 000 intervals.
    package var sampleEntropy: Double?

    private static let scales = 4...11
    private static let longestForEntropy = 10_000

    /// - Parameter stretches: milliseconds between beats. Between two stretches there is a gap.
    /// - Returns: `nil` with fewer than 2 pairs of neighbours.
    package init?(_ stretches: [[Double]]) {
        let pairs = stretches.flatMap { zip($0, $0.dropFirst()) }
        guard pairs.count >= 2, let longest = stretches.max(by: { $0.count < $1.count }) else { return nil }
        sd1 = standardDeviation(pairs.map { ($0.0 - $0.1) / 2.0.squareRoot() })
        sd2 = standardDeviation(pairs.map { ($0.0 + $0.1) / 2.0.squareRoot() })
        alpha1 = Self.alpha(of: longest)
        sampleEntropy = Self.entropy(of: longest)
    }

    /// The slope of the fluctuation over the window's length, both as logarithms (Peng et al. 1995, Chaos 5:82).
    ///
    /// Windows overlap by half, and each has its linear trend removed. Windows without variance do not count.
    private static func alpha(of intervals: [Double]) -> Double? {
        guard intervals.count > scales.upperBound else { return nil }
        let mean = intervals.mean
        var sum = 0.0
        let profile = intervals.map { interval in
            sum += interval - mean
            return sum
        }
        var points: [(x: Double, y: Double)] = []
        for scale in scales {
            let starts = stride(from: 0, to: profile.count - scale, by: scale / 2)
            let variances = starts.map { residual(of: profile[$0..<$0 + scale]) }.filter { $0 > 1e-8 }
            guard !variances.isEmpty else { return nil }
            let fluctuation = variances.mean.squareRoot()
            points.append((log2(Double(scale)), log2(fluctuation)))
        }
        let (x, y) = (
            points.reduce(0) { $0 + $1.x } / Double(points.count),
            points.reduce(0) { $0 + $1.y } / Double(points.count)
        )
        return points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
            / points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    }

    /// The variance around the least-squares line.
    private static func residual(of part: ArraySlice<Double>) -> Double {
        let count = Double(part.count)
        let (centre, mean) = ((count - 1) / 2, part.reduce(0, +) / count)
        var (slope, spread, square) = (0.0, 0.0, 0.0)
        for (offset, value) in part.enumerated() {
            let x = Double(offset) - centre
            slope += x * (value - mean)
            spread += x * x
            square += (value - mean) * (value - mean)
        }
        return max(square - slope * slope / spread, 0) / count
    }

    /// How unlikely it is that patterns which agree in two intervals also agree in the third (Richman and Moorman
    /// 2000).
    private static func entropy(of intervals: [Double]) -> Double? {
        guard (4...longestForEntropy).contains(intervals.count) else { return nil }
        let tolerance = 0.2 * standardDeviation(intervals)
        var (two, three) = (0, 0)
        let last = intervals.count - 2
        for first in 0..<last {
            for second in first + 1..<last
            where abs(intervals[first] - intervals[second]) <= tolerance
                && abs(intervals[first + 1] - intervals[second + 1]) <= tolerance
            {
                two += 1
                if abs(intervals[first + 2] - intervals[second + 2]) <= tolerance { three += 1 }
            }
        }
        return two > 0 && three > 0 ? -log(Double(three) / Double(two)) : nil
    }
}
