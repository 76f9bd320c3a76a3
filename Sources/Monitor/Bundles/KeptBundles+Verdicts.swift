import MonitorInterface
import Platform
import Results
import StudyModel
import Synchronization
import TextFormat

extension KeptBundles {
    /// Finished sessions, where those of runs that did not report their quality have that of their kept bundles, and
    /// the end that these say: a run that was killed is recovered later, by others.
    ///
    /// - Parameter told: `{"sessions": […]}`.
    func completing(_ told: JSON) async throws(Refusal) -> JSON {
        try await apart { () throws(FileFailure) in
            guard var object = told.object, let sessions = object["sessions"]?.list else {
                return .success(told)
            }
            object["sessions"] = .list(sessions.map { completed($0) })
            return .success(.object(object))
        }
    }

    private func completed(_ session: JSON) -> JSON {
        guard var object = session.object, object["quality"] == nil,
            object["kind"] == .text(SeriesKind.run.rawValue), let run = object["id"]?.text,
            UUIDText.isUUID(run), let verdict = verdict(on: run)
        else { return session }
        object["quality"] = verdict["quality"]
        object["outcome"] = verdict["outcome"]
        object["state"] = .text(Store.Condition.over.rawValue)
        object["isFromBundle"] = true
        return .object(object)
    }

    /// How a run ended and how good it was; `nil` if no bundle of it is kept. A kept bundle never changes.
    private func verdict(on run: String) -> JSON? {
        if let known = known.verdicts.withLock({ $0[run] }) { return known }
        do throws(FileFailure) {
            guard let folder = try opened(), folder.exists(run) else { return nil }
            let bundle = try ResultBundle(at: "\(path)/\(run)")
            let verdict: JSON = [
                "outcome": .text(bundle.manifest.status.rawValue),
                "quality": .members(RunQuality(of: bundle.visits).members),
            ]
            known.verdicts.withLock { $0[run] = verdict }
            return verdict
        } catch {
            return nil
        }
    }
}
