/// How the highest heart rate of a person is estimated from the age.
///
/// A person's own maximum differs from any of these by 7 to 11 beats per minute (standard error of estimate). If it
/// was measured, use that.
package enum MaximumHeartRate: String, CaseIterable, Sendable {
    /// 208 - 0.7 × age (Tanaka et al. 2001, 18 712 subjects).
    case tanaka
    /// 206.9 - 0.67 × age (Gellish et al. 2007).
    case gellish
    /// 220 - age; only for comparison with what others computed.
    case fox
    /// 164 - 0.7 × age, for people who take beta blockers (Brawner et al. 2004).
    case betaBlocked

    /// Beats per minute.
    ///
    /// - Parameter age: years, finite.
    package func rate(atAge age: Double) -> Double {
        switch self {
        case .tanaka: 208 - 0.7 * age
        case .gellish: 206.9 - 0.67 * age
        case .fox: 220 - age
        case .betaBlocked: 164 - 0.7 * age
        }
    }
}

/// The range between a person's resting and maximum heart rate.
package struct HeartRateReserve: Hashable, Sendable {
    /// Beats per minute.
    package var restingRate: Double
    /// Beats per minute.
    package var maximumRate: Double

    /// - Returns: `nil` unless both are finite, above 0 and the maximum is above the resting rate.
    package init?(restingRate: Double, maximumRate: Double) {
        guard restingRate > 0, restingRate < maximumRate, maximumRate.isFinite else { return nil }
        self.restingRate = restingRate
        self.maximumRate = maximumRate
    }

    /// The rate at a share of the reserve (Karvonen 1957), beats per minute.
    package func rate(at share: Double) -> Double { restingRate + share * (maximumRate - restingRate) }

    /// The bands of the American College of Sports Medicine, by the share of the reserve.
    package enum Intensity: String, CaseIterable, Hashable, Sendable {
        /// Below 30 %.
        case veryLight
        /// From 30 %.
        case light
        /// From 40 %.
        case moderate
        /// From 60 %.
        case vigorous
        /// From 90 %.
        case nearMaximal

        /// The share of the reserve at which this intensity begins.
        package var lowerShare: Double {
            switch self {
            case .veryLight: 0
            case .light: 0.3
            case .moderate: 0.4
            case .vigorous: 0.6
            case .nearMaximal: 0.9
            }
        }
    }
}

/// The five training zones, by the share of the maximum heart rate: from 50, 60, 70, 80 and 90 %.
package enum HeartRateZone: Int, CaseIterable, Hashable, Sendable {
    case one = 1
    case two, three, four, five

    /// The share of the maximum at which the zone begins.
    package var lowerShare: Double { Double(rawValue + 4) / 10 }
}

/// Seconds that a heart spent in each band of rates. A sample represents half of the time to each of its
/// neighbours; gaps of more than 5 s do not count.
///
/// - Parameters:
///   - bands: beats per minute.
///   - times: seconds, in order.
///   - rates: beats per minute, one for each time.
package func secondsSpent(in bands: [Range<Double>], times: [Double], rates: [Double]) -> [Double] {
    precondition(times.count == rates.count, "one rate for each time")
    guard let first = times.first, let last = times.last, last > first else { return bands.map { _ in 0 } }
    let weighted = zip(timeWeights(times), rates)
    return bands.map { band in weighted.reduce(0) { band.contains($1.1) ? $0 + $1.0 : $0 } }
}
