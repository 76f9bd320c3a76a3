import Results
import StudyModel
import Synchronization

/// What several bundles say of each other: who took part in the same run, and whose samples are whose.
package final class BundlesTogether: Sendable {
    private struct Member {
        let path: String
        let run: RunDescription
        let begin: WallClock
        /// Digests of recordings, with the file that each belongs to.
        let samples: [String: String]
    }

    private let members = Mutex<[Member]>([])

    package init() {}

    /// - Parameter samples: digests of recordings that no other run can have, with the file that each belongs to.
    func add(_ bundle: ResultBundle, begin: WallClock, samples: [String: String]) {
        let member = Member(path: bundle.path, run: bundle.manifest.run, begin: begin, samples: samples)
        members.withLock { $0.append(member) }
    }

    /// What contradicts another bundle, for each bundle by its path.
    package var contradictions: [String: [String]] {
        let members = members.withLock { $0.sorted { $0.path < $1.path } }
        var found: [String: [String]] = [:]
        for (path, problem) in Self.copies(among: members) + Self.divided(among: members) {
            found[path, default: []].append(problem)
        }
        return found
    }

    private static func copies(among members: [Member]) -> [(String, String)] {
        var owners: [String: (member: Member, file: String)] = [:]
        var found: [(String, String)] = []
        let earlier = Dictionary(members.map { ($0.run.runUUID, $0.run.continues) }) { first, _ in first }
        /// The run with which a run that was continued began: each goes on with the recordings of the one before.
        func first(_ run: String) -> String {
            var (first, seen) = (run, Set<String>())
            while seen.insert(first).inserted, let before = earlier[first] ?? nil { first = before }
            return first
        }
        for member in members {
            for (digest, file) in member.samples.sorted(by: { $0.value < $1.value }) {
                guard let owner = owners[digest] else {
                    owners[digest] = (member, file)
                    continue
                }
                guard first(owner.member.run.runUUID) != first(member.run.runUUID) else { continue }
                found.append(
                    (member.path, "\(file) has the samples of \(owner.file) in \(owner.member.path)"))
            }
        }
        return found
    }

    /// Runs with companions of which one bundle does not name the others.
    private static func divided(among members: [Member]) -> [(String, String)] {
        var found: [(String, String)] = []
        let gatherings = Dictionary(members.map { ($0.run.runUUID, $0.run.gathering?.uuid) }) { first, _ in
            first
        }
        /// Whether two runs began by themselves, or go on from runs of one gathering.
        func isOnePart(_ run: RunDescription, _ other: RunDescription) -> Bool {
            guard let earlier = run.continues, let others = other.continues else {
                return run.continues == other.continues
            }
            return (gatherings[earlier] ?? nil).map { $0 == gatherings[others] } ?? false
        }
        for gathered in members {
            guard let gathering = gathered.run.gathering else { continue }
            for other in members where other.run.runUUID != gathered.run.runUUID {
                if let own = other.run.gathering, own.uuid == gathering.uuid {
                    guard own.place == gathering.place || own.size != gathering.size,
                        gathered.path < other.path
                    else { continue }
                    found.append((other.path, "it has the place of \(gathered.path) in the same gathering"))
                } else if other.begin == gathered.begin, other.run.speed != nil,
                    isOnePart(other.run, gathered.run)
                {
                    found.append(
                        (
                            other.path,
                            "it began with \(gathered.path), which is of a gathering of \(gathering.size) that this one does not name"
                        ))
                }
            }
        }
        return found
    }
}
