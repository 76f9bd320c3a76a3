package import Platform
import Results
import StudyModel
import Synchronization
import TextFormat

extension KeptBundles {
    /// The bundles that a deletion includes.
    struct Doomed: Hashable, Sendable {
        /// Bundles to delete, sealed or still arriving.
        var bundles: [Deletion.Bundle] = []
        /// The number of bundles that are still arriving and whose participant is not known yet.
        var untold = 0
    }

    /// The bundles that a deletion includes: those of a run, or of a participant.
    func doomed(by target: Deletion.Target) async throws(Refusal) -> Doomed {
        try await apart { () throws(FileFailure) in
            .success(Self.doomed(in: try found(by: target)))
        }
    }

    /// Deletes the bundles that a deletion includes.
    func delete(_ target: Deletion.Target) async throws(Refusal) {
        try await apart { () throws(FileFailure) in .success(try erase(target)) }
    }

    /// The bundles of a participant, whole or arriving.
    package func bundles(of participant: String) throws(FileFailure) -> [Deletion.Bundle] {
        Self.doomed(in: try found(by: .participant(participant))).bundles
    }

    /// Deletes the bundles of a participant, whole or arriving.
    package func erase(participant: String) throws(FileFailure) { try erase(.participant(participant)) }

    private func erase(_ target: Deletion.Target) throws(FileFailure) {
        guard let folder = try opened() else { return }
        for entry in try found(by: target) where entry.bundle != nil {
            try folder.removeAll(entry.name)
            known.descriptions.withLock { $0[entry.name] = nil }
            known.verdicts.withLock { $0[entry.name] = nil }
        }
        try folder.sync()
    }

    private static func doomed(in found: [(name: String, bundle: Deletion.Bundle?)]) -> Doomed {
        Doomed(bundles: found.compactMap(\.bundle), untold: found.count { $0.bundle == nil })
    }

    /// The folders that a deletion includes, each with its bundle; `nil` where the bundle is not known yet.
    private func found(
        by target: Deletion.Target
    ) throws(FileFailure) -> [(name: String, bundle: Deletion.Bundle?)] {
        if case .reading = target { return [] }
        var found: [(name: String, bundle: Deletion.Bundle?)] = []
        for entry in try opened()?.entries() ?? [] where entry.isFolder {
            let run = String(entry.name.prefix { $0 != "." })
            guard UUIDText.isUUID(run) else { continue }
            if case .session(let wanted) = target, run != wanted { continue }
            let told = RunDescription.atHand("\(path)/\(entry.name)")
            if case .participant(let code) = target {
                // The sums come first, and the description after them.
                guard let told else {
                    found.append((entry.name, nil))
                    continue
                }
                guard told.participant == code else { continue }
            }
            found.append(
                (
                    entry.name,
                    Deletion.Bundle(
                        run: run, participant: told?.participant,
                        start: told.map { $0.wallClock.sinceEpoch / .seconds(1) })
                ))
        }
        return found
    }
}
