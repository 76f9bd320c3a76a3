import Glibc

/// The heart rate of the next half hour, with a band that should hold four moments of five.
///
/// It starts at the last minute's mean and goes back to the mean of the last half hour with a time constant of
/// 30 minutes. The band is the 80 % quantile of what the same rule missed by over the hours before; where too
/// little is known, of what it missed by on recordings of many people's days.
struct Forecast: Hashable, Sendable {
    /// A minute of the forecast.
    struct Point: Hashable, Sendable {
        /// Minutes after the last known one, 1...30.
        var minutes: Int
        /// Beats per minute.
        var rate: Double
        /// Beats per minute to either side.
        var halfWidth: Double
    }

    /// One for each minute.
    var points: [Point]

    static let horizon = 30
    private static let timeConstant = 30.0
    /// Fewer misses than this say nothing about the next one.
    private static let leastMisses = 60
    /// No heart is known better than to so many beats per minute.
    private static let leastHalfWidth = 2.0

    /// - Parameter minutes: means of the minutes until now, oldest first, `nil` where nothing was measured.
    /// - Returns: `nil` where the last minute was not measured.
    init?(after minutes: [Double?]) {
        guard let last = minutes.last, let last else { return nil }
        let means = Self.means(of: minutes)
        points = (1...Self.horizon).map { ahead in
            Point(
                minutes: ahead, rate: Self.expected(last, mean: means[means.count - 1], ahead: ahead),
                halfWidth: Self.halfWidth(minutes, means, ahead: ahead))
        }
    }

    /// Each minute's mean of the half hour that ends with it; what was measured of it, or 0 where nothing was.
    private static func means(of minutes: [Double?]) -> [Double] {
        var sum = 0.0
        var count = 0
        return minutes.indices.map { index in
            if let new = minutes[index] { (sum, count) = (sum + new, count + 1) }
            if index >= horizon, let old = minutes[index - horizon] { (sum, count) = (sum - old, count - 1) }
            return count == 0 ? 0 : sum / Double(count)
        }
    }

    private static func expected(_ last: Double, mean: Double, ahead: Int) -> Double {
        mean + (last - mean) * exp(-Double(ahead) / timeConstant)
    }

    private static func halfWidth(_ minutes: [Double?], _ means: [Double], ahead: Int) -> Double {
        var misses: [Double] = []
        for origin in minutes.indices.dropLast(ahead) {
            guard let last = minutes[origin], let truth = minutes[origin + ahead] else { continue }
            misses.append(abs(truth - expected(last, mean: means[origin], ahead: ahead)))
        }
        guard misses.count >= leastMisses else { return usualHalfWidth(ahead: ahead) }
        misses.sort()
        return max(leastHalfWidth, misses[min(misses.count - 1, misses.count * 4 / 5)])
    }

    /// From 7 beats per minute after one minute to 20 after thirty, straight over the logarithm of time: 1.6
    /// times the mean miss of this rule over 1,370 origins of daily recordings.
    private static func usualHalfWidth(ahead: Int) -> Double {
        let (first, last) = (7.4, 19.7)
        return first + (last - first) * log(Double(ahead)) / log(Double(horizon))
    }
}
