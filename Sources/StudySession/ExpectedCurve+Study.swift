package import Physiology
package import Results
import StudyFile
package import StudyModel

extension ExpectedCurve {
    /// The curve that a study asks for; `nil` where its points are none.
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

extension ResultBundle {
    /// The timed steps of the bundle's task for which its study expects a heart rate, by identifier; empty where the
    /// study cannot be read any more.
    package func stepsWithExpectation() throws(BundleFailure) -> [String: ActiveStep] {
        let header = try journal().header
        let text = try contents(of: "study.yaml")
        let checked = CheckedStudy(text, path: "study.yaml", library: .recorded(header.files))
        let tasks = checked.parsed.study?.tasks.filter { $0.identifier == header.task } ?? []
        var found: [String: ActiveStep] = [:]
        for step in tasks.flatMap(\.steps) { step.collectExpectations(into: &found) }
        return found
    }
}

extension Step {
    fileprivate func collectExpectations(into found: inout [String: ActiveStep]) {
        switch kind {
        case .active(let active): if active.expected != nil { found[identifier.text] = active }
        case .block(let block): for step in block.steps { step.collectExpectations(into: &found) }
        case .instruction, .countdown, .question, .form, .consent, .completion: break
        }
    }
}
