package import Results
import StudyFile
package import StudyModel
import Synchronization

/// The tasks of runs, from the studies in their bundles. Each text of a study is read once.
package final class TasksOfBundles: Sendable {
    private struct Key: Hashable {
        var text: String
        var task: Identifier
        var arm: Identifier?
    }

    private let known = Mutex<[Key: Study.Task?]>([:])
    /// The studies, with what they say.
    package let studies = StudiesOfBundles()

    package init() {}

    /// The task of a bundle, with the values of the participant's arm.
    ///
    /// - Returns: `nil` if the bundle does not contain its study, or if this program can no longer read it.
    package func task(of bundle: ResultBundle) -> Study.Task? {
        let run = bundle.manifest
        guard !run.isPseudonymised else { return nil }
        let key = Key(text: bundle.studySHA256 ?? run.studySHA256, task: run.task, arm: run.run.arm)
        if let task = known.withLock({ $0[key] }) { return task }
        let study = try? studies.study(of: bundle)?.study.parsed.study?.inArm(ofRun: run.run.arm)
        let task = study?.tasks.first { $0.identifier == run.task }
        known.withLock { $0[key] = .some(task) }
        return task
    }
}
