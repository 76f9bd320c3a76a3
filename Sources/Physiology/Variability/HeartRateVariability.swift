/// How much the time between beats varies, in the time domain.
///
/// Definitions follow the Task Force of 1996 (Circulation 93:1043), with the sample standard deviation (NumPy's
/// `ddof=1`). Differences are taken between neighbouring intervals only, never across a gap.
package struct HeartRateVariability: Hashable, Sendable {
    /// Number of intervals.
    package var count: Int
    /// Mean interval, ms.
    package var meanNN: Double
    /// Standard deviation of the intervals, with n - 1 in the denominator, ms.
    package var sdnn: Double
    /// Root of the mean squared difference of neighbouring intervals, ms.
    package var rmssd: Double
    /// Standard deviation of the differences of neighbouring intervals, with n - 1 in the denominator, ms.
    package var sdsd: Double
    /// Share of the differences that are larger than 50 ms, percent of all differences.
    package var pnn50: Double
    /// Time covered by the intervals, s.
    package var duration: Double

    /// Beats per minute over time: 60 000 divided by the mean interval, so that every second has the same weight.
    package var heartRate: Double { 60_000 / meanNN }

    /// Whether the intervals cover less than 60 s. Even RMSSD is then ultra-short, and not comparable with that of
    /// usual recordings (Munoz et al. 2015, doi 10.1371/journal.pone.0138921).
    ///
    /// The borders of a step cut an interval at each end. These two count as covered, so that 60 s are 60 s
    /// wherever the beats fall.
    package var isUltraShort: Bool { Self.isUltraShort(duration: duration, meanNN: meanNN) }

    /// - Parameters:
    ///   - duration: the time that the intervals cover, s.
    ///   - meanNN: their mean, ms.
    static func isUltraShort(duration: Double, meanNN: Double) -> Bool { duration + 2 * meanNN / 1000 < 60 }

    /// - Parameter stretches: milliseconds between beats, finite. Between two stretches there is a gap.
    /// - Returns: `nil` with fewer than 2 differences, which a standard deviation needs.
    package init?(_ stretches: [[Double]]) {
        let intervals = stretches.joined()
        let differences = stretches.flatMap { stretch in
            zip(stretch.dropFirst(), stretch).map { $0 - $1 }
        }
        guard differences.count >= 2 else { return nil }
        count = intervals.count
        let total = intervals.reduce(0, +)
        duration = total / 1000
        let mean = total / Double(intervals.count)
        meanNN = mean
        sdnn = standardDeviation(Array(intervals))
        sdsd = standardDeviation(differences)
        let squares = differences.reduce(0) { $0 + $1 * $1 }
        rmssd = (squares / Double(differences.count)).squareRoot()
        pnn50 = 100 * Double(differences.count { abs($0) > 50 }) / Double(differences.count)
    }
}
