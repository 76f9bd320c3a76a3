package import StudyModel

/// The heart rate that a study expects during a step, and the range that still counts as expected.
package struct ExpectedRate: Hashable, Sendable {
    private let curve: ExpectedCurve
    private let band: ExpectedBand

    /// - Returns: `nil` if the curve has no points.
    package init?(_ expected: ExpectedHeartRate) {
        switch expected.curve {
        case .points(let points, let isMonotone):
            guard
                let curve = ExpectedCurve(
                    times: points.map(\.time.seconds), rates: points.map(\.rate), isMonotone: isMonotone)
            else { return nil }
            self.curve = curve
        case .exercise(let effort, let restingRate, let maximumRate):
            curve = ExpectedCurve(effort: effort, restingRate: restingRate, maximumRate: maximumRate)
        }
        switch expected.band {
        case .relative(let share)?: band = .relative(share)
        case .absolute(let width)?: band = .absolute(width)
        case nil: band = .standard
        }
    }

    /// The expected beats per minute `seconds` after the step's start, and the range that still counts as expected.
    package func expected(at seconds: Double) -> (rate: Double, range: ClosedRange<Double>) {
        let rate = curve.rate(at: seconds)
        let half = max(band.halfWidth(at: rate), 0)
        return (rate, (rate - half)...(rate + half))
    }

    /// How well samples agree with the expected rates.
    ///
    /// - Parameters:
    ///   - times: seconds since the step's start, in order.
    ///   - rates: beats per minute, one for each time.
    /// - Returns: `nil` without samples.
    package func comparison(times: [Double], rates: [Double]) -> CurveComparison? {
        curve.comparison(times: times, rates: rates, band: band)
    }
}
