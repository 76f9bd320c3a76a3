import Console
import Hashing
import Platform
import Results
import Synchronization
import TextFormat
package import TransparencyLog

/// The log of a results folder, for commands that must not fail because of it.
package enum FolderLog {
    private static let hasFailed = Atomic(false)

    /// Appends what happened to runs. A run that begins makes the log if there is none. The first failure is said, and
    /// nothing else comes of it.
    ///
    /// - Parameters:
    ///   - kind: what happened to each of them.
    ///   - results: the folder in which their bundles lie.
    ///   - runs: their upper-case UUIDs.
    /// - Returns: the proof of the last entry, as a file; `nil` if the log has none.
    @discardableResult
    package static func append(of kind: LogEntry.Kind, to results: String, runs: [String]) -> [UInt8]? {
        guard !runs.isEmpty else { return nil }
        do throws(FileFailure) {
            let folder = try Folder(results)
            var entries: [LogEntry] = []
            for run in runs {
                entries.append(LogEntry(kind, run: run, digest: try digest(kind, of: run, in: folder)))
            }
            let proof = try ResultsLog.append(
                entries, in: results, seed: kind == .begun ? randomBytes(32) : nil)
            return proof.map { Array($0.text.utf8) }
        } catch {
            guard !hasFailed.exchange(true, ordering: .relaxed) else { return nil }
            Output.remark(
                "The log of \(results) does not say which runs were \(kind.rawValue): \(error). Nothing else is missing."
            )
            return nil
        }
    }

    /// Lower-case hexadecimal SHA-256 of what an entry of this kind holds.
    private static func digest(_ kind: LogEntry.Kind, of run: String, in folder: Folder) throws(FileFailure)
        -> String?
    {
        switch kind {
        case .begun: try beginning(of: folder.folder(run + RunningBundle.suffix))
        case .sealed, .recovered: try folder.digest(of: "\(run)/\(Sums.fileName)").sha256
        case .allocated, .withdrawn, .erased, .frozen: nil
        }
    }

    /// Lower-case hexadecimal SHA-256 of the first line of a run's journal, with its line feed.
    static func beginning(of bundle: Folder) throws(FileFailure) -> String {
        let journal = try bundle.read("journal.jsonl")
        return SHA256.hexadecimal(of: journal.prefix { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")])
    }
}
