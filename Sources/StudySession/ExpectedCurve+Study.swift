package import Physiology
package import StudyModel

extension ExpectedCurve {
    /// The curve that a study asks for; `nil` if its points are none.
    package init?(_ curve: ExpectedHeartRate.Curve) {
        switch curve {
        case .points(let points, let isMonotone):
            self.init(times: points.map(\.time.seconds), rates: points.map(\.rate), isMonotone: isMonotone)
        case .exercise(let effort, let restingRate, let maximumRate):
            self.init(effort: effort, restingRate: restingRate, maximumRate: maximumRate)
        }
    }
}

extension ExpectedBand {
    /// The band that a study asks for; the standard one where it asks for none.
    package init(_ band: ExpectedHeartRate.Band?) {
        self =
            switch band {
            case .relative(let share): .relative(share)
            case .absolute(let width): .absolute(width)
            case nil: .standard
            }
    }
}
