import Console
import Datasets
import MonitorClient
import Platform
import ResultCommands
import Results
import SessionPorts
import StudyModel
import StudySession
import TextFormat

extension Run {
    /// Reports the quality of the run, for the experimenters.
    ///
    /// - Parameter whose: of several participants, the one whose results are meant; `nil` for the first.
    /// - Returns: whether it was completed and misses a limit of the study.
    func reportQuality(of sealed: Sealed, _ limits: QualityLimits?, whose: String? = nil) throws -> Bool {
        guard let folder = sealed.folder else { return false }
        let quality = RunQuality(of: try ResultBundle(at: "\(output)/\(folder)").visits)
        let shortfalls = limits.map(quality.shortfalls) ?? []
        let name = whose.map { "\(printable($0)): " } ?? ""
        if !quality.phrases.isEmpty {
            Output.remark("\(name)quality: \(quality.phrases.joined(separator: ", "))")
        }
        guard sealed.reason == .completed, !shortfalls.isEmpty else { return false }
        Output.remark("\(name)complete, but poor: \(shortfalls.joined(separator: "; "))")
        return true
    }

    /// Tells the monitor how good the run was, and how far the study has come.
    func tell(of sealed: Sealed, _ plan: RunPlan, to link: MonitorLink) {
        guard let folder = sealed.folder else { return }
        do throws(FileFailure) {
            let quality = RunQuality(of: try ResultBundle(at: "\(output)/\(folder)").visits)
            let limits = plan.task.quality
            let isPoor = limits.map { sealed.reason == .completed && !quality.shortfalls(of: $0).isEmpty }
            link.tell(.judged(quality, isPoor: isPoor))
            if let summary = try StudySummary.of(plan.study, in: output) {
                link.tell(summary.progress)
            }
        } catch {
            Output.remark("The monitor was not told how good the run was: \(error)")
        }
    }
}
