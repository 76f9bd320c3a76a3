import Datasets
package import Deidentifying
import Glibc
package import Platform
import Results
import TextFormat
import TransparencyLog

/// The data of a participant below some folders.
package struct Withdrawal: Sendable {
    package let participant: String
    /// Whether results are destroyed, rather than only left out from now on.
    package let erases: Bool
    /// Folders of runs.
    package private(set) var bundles: [Place] = []
    package private(set) var datasets: [Dataset] = []
    /// Data that wait to be sent to a monitor.
    package private(set) var spools: [Place] = []
    /// Folders that an erasure has renamed but not yet emptied.
    private(set) var leftOvers: [Place] = []
    /// The receipts of the participant's runs.
    private(set) var receipts: [Place] = []
    /// Where copies of the participant's runs are, as receipts say, and of how many.
    package private(set) var copies: [String: Int] = [:]
    /// The names of the participant's runs.
    private(set) var runs: Set<String> = []
    let roots: [Root]
    let pseudonyms: Pseudonyms?

    package static let suffix = ".withdrawn"

    /// A folder below which everything is searched.
    struct Root: Sendable {
        var path: String
        var folder: Folder
    }

    /// A place below a root.
    package struct Place: Sendable {
        var root: Int
        /// The path relative to the root.
        var path: String
        /// The path from the working folder.
        package var name: String
        /// The participant's name there.
        var code = ""
        /// For a bundle, the UUID of its run.
        package var run = ""
    }

    package struct Dataset: Sendable {
        package var name: String
        var root: Int
        var isPseudonymised: Bool
        /// The participant's name there; `nil` if codes were replaced with another key.
        var code: String?
        /// How many runs of the participant have rows in it.
        package var runs = 0
    }

    /// Looks for all data of a participant. Links are not followed.
    ///
    /// - Parameter pseudonyms: the pseudonyms of the key that replaced codes in datasets.
    /// - Throws: `FileFailure` if a folder cannot be listed, or contains a record that cannot be read.
    package init(
        of participant: String, below folders: [String], erasing: Bool, under pseudonyms: Pseudonyms? = nil
    ) throws(FileFailure) {
        (self.participant, erases, self.pseudonyms) = (participant, erasing, pseudonyms)
        var roots: [Root] = []
        for path in folders { roots.append(Root(path: path, folder: try Folder(path))) }
        try Self.mustBeApart(folders)
        self.roots = roots
        try look()
    }

    /// - Throws: `FileFailure` if one folder lies in another, or is named twice.
    private static func mustBeApart(_ folders: [String]) throws(FileFailure) {
        let whole = folders.map { realPath($0) ?? $0 }
        for (place, path) in whole.enumerated() {
            for (other, above) in whole.enumerated()
            where other != place && (path == above || path.hasPrefix(above + "/")) {
                throw FileFailure(
                    "withdraw from", folders[place],
                    .malformed("it lies in \(folders[other]), which is looked through, too: leave it out"))
            }
        }
    }

    /// The participant's names: the code, and its pseudonym if a key is known.
    var codes: [String] { [participant] + (pseudonyms.map { [$0.code(of: participant)] } ?? []) }

    /// Whether a record says that the participant has withdrawn, or that an erasure began.
    package var isKnown: Bool {
        get throws(FileFailure) { try knownName != nil }
    }

    /// The name under which a record counts the participant.
    var knownName: String? {
        get throws(FileFailure) {
            for path in roots.map(\.path) + datasets.map(\.name) {
                let record = try Withdrawals(in: Folder(path))
                if let name = codes.lazy.compactMap({ record.name(of: $0) }).first { return name }
            }
            return nil
        }
    }

    /// Whether there are no data.
    package var isEmpty: Bool {
        bundles.isEmpty && spools.isEmpty && leftOvers.isEmpty && datasets.allSatisfy { $0.runs == 0 }
    }

    /// Looks again.
    mutating func look() throws(FileFailure) {
        (bundles, datasets, spools, leftOvers, receipts, runs) = ([], [], [], [], [], [])
        for root in roots.indices {
            guard !Self.isBundle(try roots[root].folder.entries()) else {
                throw FileFailure(
                    "withdraw from", roots[root].path,
                    .malformed("it is one run: give the folder in which it lies"))
            }
            try look(in: "", root)
        }
        // Searched by the names of all runs, some of which are known only now.
        let waiting = spools
        spools = []
        for spool in waiting {
            let told = try roots[spool.root].folder.read(spool.path)
            if holdsCode(Array(spool.path.utf8)) || holdsCode(told) { spools.append(spool) }
        }
        receipts.removeAll { !runs.contains($0.run) }
        copies = [:]
        for receipt in receipts {
            let bytes = try roots[receipt.root].folder.read(receipt.path)
            copies[String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self), default: 0] += 1
        }
    }

    private static func isBundle(_ entries: [Folder.Entry]) -> Bool {
        let names = Set(entries.lazy.filter { !$0.isFolder }.map(\.name))
        return names.contains("manifest.json") || !names.isDisjoint(with: BundleSearch.marks)
    }

    private mutating func look(in path: String, _ root: Int) throws(FileFailure) {
        let folder = roots[root].folder
        let entries = try folder.entries(in: path.isEmpty ? "." : path)
        var place = Place(
            root: root, path: path, name: path.isEmpty ? roots[root].path : "\(roots[root].path)/\(path)")
        if entries.contains(where: { $0.name == DatasetIndex.fileName && !$0.isFolder }) {
            try look(inDataset: place.name, root)
        }
        if path.hasSuffix(Self.suffix) {
            leftOvers.append(place)
            return
        }
        if Self.isBundle(entries) {
            guard let run = RunDescription.atHand(place.name), codes.contains(run.participant) else { return }
            (place.code, place.run) = (run.participant, run.runUUID)
            bundles.append(place)
            runs.insert(run.runUUID)
            return
        }
        for entry in entries {
            let inner = path.isEmpty ? entry.name : "\(path)/\(entry.name)"
            if entry.isFolder {
                try look(in: inner, root)
            } else if path == ".monitor" || path.hasSuffix("/.monitor"), inner.hasSuffix(".ndjson") {
                spools.append(Place(root: root, path: inner, name: "\(roots[root].path)/\(inner)"))
            } else if DeliveryReceipt.isFolder(path) {
                let run = String(entry.name.prefix { $0 != "." })
                receipts.append(
                    Place(root: root, path: inner, name: "\(roots[root].path)/\(inner)", run: run))
            }
        }
    }

    private mutating func look(inDataset path: String, _ root: Int) throws(FileFailure) {
        let index = try DatasetIndex(ofDataset: path)
        var dataset = Dataset(name: path, root: root, isPseudonymised: index.pseudonymised != nil)
        if let made = index.pseudonymised {
            dataset.code = pseudonyms?.mark == made.key ? pseudonyms?.code(of: participant) : nil
        } else {
            dataset.code = participant
        }
        if let code = dataset.code {
            let folder = try Folder(path)
            for part in index.parts {
                let own = try part.runs(of: code, in: folder)
                dataset.runs += own.count
                runs.formUnion(own)
            }
        }
        datasets.append(dataset)
    }

    /// Whether the journal of a run is locked, as it is while the run goes on or is recovered.
    private static func goesOn(_ path: String) -> Bool {
        guard path.hasSuffix(".running") else { return false }
        let journal = unsafe open("\(path)/journal.jsonl", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard journal >= 0 else { return false }
        defer { close(journal) }
        return flock(journal, LOCK_EX | LOCK_NB) != 0
    }

    /// The folders of the participant's runs that are in progress or being recovered.
    package var inProgress: [String] {
        bundles.map(\.name).filter { Self.goesOn($0) }
    }
}
