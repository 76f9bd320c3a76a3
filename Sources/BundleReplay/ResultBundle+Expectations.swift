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
        let study = try? checked.parsed.study?.inArm(named: header.arm?.text)
        let tasks = study?.tasks.filter { $0.identifier == header.task } ?? []
        var found: [String: ActiveStep] = [:]
        for step in tasks.flatMap(\.allSteps) {
            if case .active(let active) = step.kind, active.expected != nil {
                found[step.identifier.text] = active
            }
        }
        return found
    }
}
