import Datasets
package import Physiology
package import StudyModel

/// The heart rate that a study expects during a step, and how far from it is still expected.
package struct ExpectedRate: Sendable {
    package var curve: ExpectedCurve
    package var band: ExpectedBand

    /// - Returns: `nil` if the curve has no points.
    package init?(_ expected: ExpectedHeartRate) {
        switch expected.curve {
        case .points(let points, let isMonotone):
            let times = points.map { Double($0.time.wholeNanoseconds) / 1e9 }
            guard let curve = ExpectedCurve(times: times, rates: points.map(\.rate), isMonotone: isMonotone)
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

    /// What a task's steps expect, by the identifiers of the blocks and the step, joined by `.`.
    package static func all(in steps: [Step], below path: String = "") -> [String: ExpectedRate] {
        var found: [String: ExpectedRate] = [:]
        for step in steps {
            let path = path.isEmpty ? step.identifier.text : "\(path).\(step.identifier.text)"
            switch step.kind {
            case .active(let active): found[path] = active.expected.flatMap(ExpectedRate.init)
            case .block(let block): found.merge(all(in: block.ownSteps, below: path)) { $1 }
            case .instruction, .countdown, .question, .form, .program, .review, .consent, .completion:
                continue
            }
        }
        return found
    }
}
