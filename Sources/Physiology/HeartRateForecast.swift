import Glibc

/// The expected heart rate, with a band that holds it in 80 of 100 cases.
///
/// The forecast begins at the last rate and returns towards the mean of the last 30 minutes with a time constant of
/// 30 minutes, or more slowly if the recording itself has returned more slowly. No tuned model is reliably better
/// (De Sabbata and Simonini 2025, J Healthc Inform Res). The band comes from the errors that the same forecast
/// would have made so far, and from published errors while there are few.
package struct HeartRateForecast: Sendable {
    /// The forecast for one moment.
    package struct Value: Hashable, Sendable {
        /// Seconds from now.
        package var after: Double
        /// Beats per minute.
        package var rate: Double
        /// Beats per minute; in 8 of 10 cases the rate is between `low` and `high`.
        package var low: Double
        /// Beats per minute.
        package var high: Double
    }

    /// The farthest moment of a forecast, s.
    package static let farthest = 3600.0

    private static let step = 5.0
    private static let memory = 720
    private static let meanSpan = 360
    private static let timeConstant = 1800.0
    /// A shorter recording does not have a reliable mean, s.
    private static let settledSpan = 600.0
    /// How many squared beats per minute of evidence the prior time constant counts as.
    private static let priorWeight = 100.0
    /// How many independent errors the published ones count as.
    private static let publishedCount = 4.0
    private static let level = 0.8
    /// How many independent changes tell how far a heart goes.
    private static let fewestChanges = 12.0
    /// The limit, in beats per minute, within which 80 % of absolute errors lie after a number of seconds: the mean
    /// absolute errors of exercise and daily life, times 1.6, the ratio of the two for normally distributed errors.
    private static let published = MonotoneCurve(
        times: [0, 10, 60, 300, 1800, 3600], values: [1, 3.2, 9, 15, 19, 20])

    /// Beats per minute every 5 s, the last one now; NaN if there is none.
    private let rates: [Double]
    /// The mean of the 30 minutes up to each place, minus the rate at that place.
    private let distances: [Double]

    /// - Parameters:
    ///   - times: seconds, in order; the last is now. The last hour is enough.
    ///   - rates: beats per minute, one for each time.
    /// - Returns: `nil` without samples.
    package init?(times: [Double], rates: [Double]) {
        precondition(times.count == rates.count, "one rate for each time")
        guard let last = times.last, last.isFinite else { return nil }
        var grid: [Double] = []
        var index = times.count - 1
        for place in 0..<Self.memory {
            let moment = last - Double(place) * Self.step
            while index > 0, times[index] > moment { index -= 1 }
            guard times[index] <= moment else { break }
            grid.append(moment - times[index] <= 3 * Self.step ? rates[index] : .nan)
        }
        grid.reverse()
        self.rates = grid
        distances = Self.distances(grid)
    }

    private static func distances(_ rates: [Double]) -> [Double] {
        var sums = [0.0]
        var counts = [0.0]
        for rate in rates {
            sums.append(sums[sums.count - 1] + (rate.isNaN ? 0 : rate))
            counts.append(counts[counts.count - 1] + (rate.isNaN ? 0 : 1))
        }
        return rates.indices.map { index in
            let first = max(0, index + 1 - meanSpan)
            return (sums[index + 1] - sums[first]) / (counts[index + 1] - counts[first]) - rates[index]
        }
    }

    /// The forecast for a moment.
    ///
    /// - Parameter seconds: from now, 0 to an hour; values beyond are limited to this range.
    package func value(after seconds: Double) -> Value {
        let horizon = min(max(seconds, 0), Self.farthest)
        let past = pastChanges(over: horizon)
        let share = reversion(over: horizon, past)
        let now = rates[rates.count - 1] + share * distances[distances.count - 1]
        let width = halfWidth(over: horizon, share: share, past)
        return Value(after: horizon, rate: now, low: max(now - width, 0), high: now + width)
    }

    /// What happened after past moments: the distance from the mean then, and the change during the next `horizon`.
    private func pastChanges(over horizon: Double) -> [(distance: Double, change: Double)] {
        let ahead = max(1, Int((horizon / Self.step).rounded()))
        guard rates.count > ahead else { return [] }
        return (0..<rates.count - ahead).compactMap { index in
            let change = rates[index + ahead] - rates[index]
            return change.isNaN || distances[index].isNaN ? nil : (distances[index], change)
        }
    }

    /// How many of the changes are independent. Overlapping changes repeat each other.
    private func independentCount(of past: [(distance: Double, change: Double)], over horizon: Double)
        -> Double
    {
        Double(past.count) * min(1, Self.step / max(horizon, Self.step))
    }

    /// The share of its distance from the mean by which the rate returns, 0...1.
    private func reversion(over horizon: Double, _ past: [(distance: Double, change: Double)]) -> Double {
        let span = Double(rates.count) * Self.step
        let expected = (1 - exp(-horizon / Self.timeConstant)) * min(1, span / Self.settledSpan)
        let weight = past.isEmpty ? 0 : independentCount(of: past, over: horizon) / Double(past.count)
        var (together, square) = (0.0, 0.0)
        for (distance, change) in past {
            together += distance * change
            square += distance * distance
        }
        let seen =
            (weight * together + expected * Self.priorWeight) / (weight * square + Self.priorWeight)
        return min(max(seen, 0), expected)
    }

    private func halfWidth(
        over horizon: Double, share: Double, _ past: [(distance: Double, change: Double)]
    ) -> Double {
        let published = Self.published.value(at: horizon) * restlessness(upTo: horizon)
        guard !past.isEmpty else { return published }
        let count = independentCount(of: past, over: horizon)
        let own = ownError(share: share, past, count)
        return (Self.publishedCount * published + count * own) / (Self.publishedCount + count)
    }

    /// The limit within which 80 % of the errors lie that the forecast would have made.
    private func ownError(
        share: Double, _ past: [(distance: Double, change: Double)], _ count: Double
    ) -> Double {
        let errors = past.map { abs($0.change - share * $0.distance) }.sorted()
        // Few errors say little about their spread, so the level is raised as if the next errors lay outside.
        let level = min(0.95, Self.level * (1 + 1.5 / count))
        return errors[min(errors.count - 1, Int(level * Double(errors.count)))]
    }

    /// How far this heart goes, compared with those of the published errors: over the longest of a few times of which its
    /// hour tells enough. A steady heart would have far too wide a band from others, and a restless one has no wider.
    private func restlessness(upTo horizon: Double) -> Double {
        for span in [120.0, 60, 30, 10] where span <= horizon {
            let past = pastChanges(over: span)
            let count = independentCount(of: past, over: span)
            guard count >= Self.fewestChanges else { continue }
            let own = ownError(share: reversion(over: span, past), past, count)
            return min(1, max(0.05, own / Self.published.value(at: span)))
        }
        return 1
    }
}
