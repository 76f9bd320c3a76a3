import Physiology
import StudyModel

extension ExpectedHeartRate {
    /// The curve in physiology's terms; `nil` where the study's points make none.
    var physiologicalCurve: ExpectedCurve? {
        switch curve {
        case .points(let points, let isMonotone):
            ExpectedCurve(
                times: points.map(\.time.seconds), rates: points.map(\.rate), isMonotone: isMonotone)
        case .exercise(let effort, let restingRate, let maximumRate):
            ExpectedCurve(effort: effort, restingRate: restingRate, maximumRate: maximumRate)
        }
    }

    /// The band in physiology's terms.
    var physiologicalBand: Physiology.ExpectedBand {
        switch band {
        case .relative(let share): .relative(share)
        case .absolute(let width): .absolute(width)
        case nil: .standard
        }
    }

    /// The rates that count as expected so long after the step's start, beats per minute.
    func range(at time: Duration) -> ClosedRange<Double>? {
        guard let rate = physiologicalCurve?.rate(at: time.seconds) else { return nil }
        let half = physiologicalBand.halfWidth(at: rate)
        return max(0, rate - half)...(rate + half)
    }
}
