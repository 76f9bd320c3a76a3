package import Results
import StudyFile
package import StudyModel

extension ResultBundle {
    /// The timed steps of the bundle's task for which its study expects a heart rate, by identifier; empty where the
    /// study cannot be read any more.
    package func stepsWithExpectation() throws(BundleFailure) -> [String: ActiveStep] {
        guard !manifest.isPseudonymised else { return [:] }
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
        case .instruction, .countdown, .question, .form, .review, .consent, .completion: break
        }
    }
}
