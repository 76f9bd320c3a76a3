import Deidentifying
package import Platform
package import Results
package import TextFormat
package import TransparencyLog

/// Folders that were found while looking for bundles, but left out.
package struct LeftOut: Sendable {
    /// Damaged bundles, and what is wrong with them.
    package var damaged: [(path: String, reason: String)] = []
    /// Folders of runs that are still going on or were killed.
    package var unsealed: [String] = []
    /// Folders in which bundles arrive from other machines.
    package var arriving: [String] = []
    /// Links to folders. They are not followed, because their targets may also be elsewhere, or may change.
    package var links: [String] = []
    /// Bundles that were taken although their folders are not named after their runs.
    package var renamed: [(path: String, run: String)] = []
    /// Runs that are not of a participant and were not asked for, by their origin.
    package var invented: [RunOrigin: Int] = [:]

    /// Who has withdrawn, according to the records in the folders.
    package var withdrawals = Withdrawals()
    /// Runs that do not count because their session was repeated.
    package var repeated: [(participant: String, session: Int, run: String)] = []

    /// Runs that others continue, which hold all that is in them.
    package var continued: [(participant: String, session: Int, run: String)] = []

    /// Runs that do not belong to the registered study, if only that was asked for.
    package var unregistered: [(participant: String, session: Int, run: String)] = []

    /// Runs that are not shown to be later than the registration, if others are.
    package var beforeRegistration: [(participant: String, session: Int, run: String)] = []

    /// What the logs of the folders say of runs.
    package var logged = LogAccount()

    package init() {}

    /// Whether a run is taken. A run that is not taken is counted.
    package mutating func takes(_ origin: RunOrigin, includingSimulated: Bool) -> Bool {
        guard origin.isInvented, !includingSimulated else { return true }
        invented[origin, default: 0] += 1
        return false
    }

    package mutating func add(_ other: LeftOut) {
        damaged += other.damaged
        unsealed += other.unsealed
        arriving += other.arriving
        links += other.links
        renamed += other.renamed
        repeated += other.repeated
        continued += other.continued
        withdrawals.formUnion(other.withdrawals)
        unregistered += other.unregistered
        beforeRegistration += other.beforeRegistration
        invented.merge(other.invented) { $0 + $1 }
        logged.formUnion(other.logged)
    }

    /// Records a bundle in a folder that is not named after its run.
    package mutating func add(bundle path: String, of run: String) {
        guard !path.hasSuffix("/\(run)"), path != run, ResultBundle.folderName(of: path) != run else {
            return
        }
        renamed.append((path, run))
    }

    /// Takes out of `paths` every bundle of a run that another one of them continues. One that is damaged continues
    /// nothing here, since it is refused later.
    package mutating func leaveContinued(outOf paths: [String]) -> [String] {
        let continued = Set(
            paths.compactMap { path in
                Manifest.runContinued(byBundle: path).flatMap { run in
                    ResultBundle.isWhole(path) ? run : nil
                }
            })
        guard !continued.isEmpty else { return paths }
        return paths.filter { path in
            guard let run = Manifest.atHand(path)?.run, continued.contains(run.runUUID) else { return true }
            self.continued.append((run.participant, run.session, run.runUUID))
            return false
        }
    }

    package mutating func add(damaged path: String, _ reason: some CustomStringConvertible) {
        damaged.append((path, reason.description))
    }

    package var damagedPaths: Set<String> { Set(damaged.map(\.path)) }
    /// What must be known before any result: runs that began and are not here, or are not what they were.
    package var logLines: [String] { logged.lines(damaged: damagedPaths) }
    /// The same as counts; empty if all is there.
    package var losses: [String] { logged.losses(damaged: damagedPaths) }

    /// One line for each; `unsealed` says what became of runs in progress.
    package func lines(unsealed what: String) -> [String] {
        damaged.map { "damaged, nothing taken: \(printable($0.path)): \(printable($0.reason))" }
            + unsealed.map { "not sealed, \(what): \(printable($0))" }
            + arriving.map { "still arriving, left out: \(printable($0))" }
            + links.map { "a link, not followed: \(printable($0))" }
            + renamed.map {
                "taken, although its folder has another name: \(printable($0.path)) is the run \($0.run)"
            }
            + repeatedLines + continuedLines + unregisteredLines + inventedLines + withdrawnLines
    }

    /// One line for each run that does not belong to the registered study, or that is not later than it.
    package var unregisteredLines: [String] {
        [
            (unregistered, "since the study was not as registered"),
            (beforeRegistration, "since it is not shown to be later than the registration"),
        ].flatMap { runs, reason in
            runs.map {
                "left out, \(reason): \(printable($0.participant)), session \($0.session), run \($0.run)"
            }
        }
    }

    /// One line for each run whose session was repeated.
    package var repeatedLines: [String] {
        repeated.map {
            "left out, because the session was repeated: \(printable($0.participant)), session \($0.session), run \($0.run)"
        }
    }

    /// A line for each run that another one continues.
    package var continuedLines: [String] {
        continued.map {
            "left out, because another run continues it: \(printable($0.participant)), session \($0.session), run \($0.run)"
        }
    }

    /// One line if runs were left out because they are not of a participant.
    package var inventedLines: [String] {
        guard !invented.isEmpty else { return [] }
        let counts = RunOrigin.allCases.compactMap { origin in
            invented[origin].map { counted($0, "\(origin.rawValue) run") }
        }
        return ["left out: \(counts.joined(separator: ", ")); --include-simulated includes them"]
    }

    /// One line if participants have withdrawn.
    package var withdrawnLines: [String] { withdrawals.count > 0 ? ["withdrawn: \(withdrawals.count)"] : [] }

    /// The members of a command's JSON, together with its `own` members.
    package func json(_ own: [String: JSON]) -> JSON {
        let members: [String: JSON] = [
            "damaged": .list(damaged.map { ["path": .text($0.path), "reason": .text($0.reason)] }),
            "unsealed": .texts(unsealed), "arriving": .texts(arriving), "links": .texts(links),
            "renamed": .list(renamed.map { ["path": .text($0.path), "run": .text($0.run)] }),
            "repeated": Self.list(repeated), "continued": Self.list(continued),
            "unregistered": Self.list(unregistered), "beforeRegistration": Self.list(beforeRegistration),
            "withdrawn": .integer(withdrawals.count), "log": logged.json(damaged: damagedPaths),
            "invented": .members(
                Dictionary(uniqueKeysWithValues: invented.map { ($0.key.rawValue, .integer($0.value)) })),
        ]
        return .members(members.merging(own) { $1 })
    }

    private static func list(_ runs: [(participant: String, session: Int, run: String)]) -> JSON {
        .list(
            runs.map {
                ["participant": .text($0.participant), "session": .integer($0.session), "run": .text($0.run)]
            })
    }
}

/// Looks for bundles in folders.
package struct BundleSearch {
    package internal(set) var bundles: [String] = []
    package internal(set) var leftOut = LeftOut()
    /// Bundles whose names are those of known runs.
    var known: [(path: String, run: String)] = []
    /// Everything that is a bundle or was one, also of those who have withdrawn, that no log was asked about yet.
    var seen: [String] = []
    private let runs: Set<String>
    /// The records of withdrawals in the place that the bundles go to.
    private let withdrawals: Withdrawals
    /// Set if codes are replaced, because the records may then name withdrawn participants by their pseudonyms.
    private let pseudonyms: Pseudonyms?

    /// A folder with one of these files is, or was, a bundle.
    static let marks: Set<String> = ["SHA256SUMS", "journal.jsonl", "plan.json"]

    /// - Parameter runs: the runs that need not be read again.
    package init(known runs: Set<String>) {
        (self.runs, withdrawals, pseudonyms) = (runs, Withdrawals(), nil)
    }

    /// Looks for bundles for a dataset. Participants who have withdrawn according to the dataset's own record are
    /// left out too.
    ///
    /// - Parameter runs: the runs that the dataset already has.
    init(
        for dataset: String, holding runs: HeldRuns, under pseudonyms: Pseudonyms?
    ) throws(FileFailure) {
        // With pseudonyms, the name of a folder does not show whether its run is known.
        self.runs = pseudonyms == nil ? runs.names : []
        (withdrawals, self.pseudonyms) = (try Withdrawals(of: dataset), pseudonyms)
        leftOut.withdrawals = withdrawals
    }

    /// Whether bundles, or runs, lie directly in a folder; not if there is no such folder.
    package static func areBundles(directlyIn path: String) throws(FileFailure) -> Bool {
        do throws(FileFailure) {
            let folder = try Folder(path)
            return try folder.entries().contains { entry in
                entry.isFolder
                    && (entry.name.hasSuffix(RunningBundle.suffix)
                        || isNamedLikeARun(entry.name) && folder.isRegularFile("\(entry.name)/manifest.json"))
            }
        } catch  where error.isNotFound {
            return false
        }
    }

    /// - Throws: `FileFailure` if a folder with bundles cannot be opened, or if bundles lie in that of the dataset, from
    ///   which they would be hard to tell.
    static func mustBeApart(_ folders: [String], from dataset: String) throws(FileFailure) {
        for folder in folders { _ = try Folder(folder) }
        guard try areBundles(directlyIn: dataset) else { return }
        throw FileFailure(
            "collate into", dataset,
            .malformed("result bundles lie in it: give the dataset a folder of its own"))
    }

    /// What a command was given: bundles, and those in the folders, at any depth, that are none themselves.
    ///
    /// - Throws: `FileFailure` if there is no bundle in a folder that was given, or if it cannot be listed.
    package static func given(_ paths: [String]) throws(FileFailure) -> BundleSearch {
        var all = BundleSearch(known: [])
        for path in paths {
            let names = Set(try Folder(path).entries().map(\.name))
            if !names.isDisjoint(with: marks.union(["manifest.json"])), !Self.holdsRuns(names) {
                all.bundles.append(path)
                continue
            }
            let before = all.bundles.count
            try all.look(in: path)
            if all.bundles.count == before, all.leftOut.damaged.isEmpty {
                throw FileFailure("read", path, .malformed("there is no bundle in it"))
            }
        }
        return all
    }

    /// - Throws: `FileFailure` if the folder cannot be listed. A folder below it that cannot be listed is only
    ///   noted.
    package mutating func look(in path: String) throws(FileFailure) {
        let folder = try Folder(path)
        let above = try Withdrawals(of: path)
        leftOut.withdrawals.formUnion(above)
        look(in: folder, path, try folder.entries(), without: withdrawals.codes.union(above.codes))
        compareWithLogs()
    }

    private mutating func look(
        in folder: Folder, _ path: String, _ entries: [Folder.Entry], without codes: Set<String>
    ) {
        let holdsRuns = Self.holdsRuns(entries.lazy.filter(\.isFolder).map(\.name))
        let names = holdsRuns ? [] : Set(entries.lazy.filter { !$0.isFolder }.map(\.name))
        if names.contains("manifest.json") {
            seen.append(path)
            if !isOf(codes, path) { bundles.append(path) }
            return
        }
        if !names.isDisjoint(with: Self.marks) {
            seen.append(path)
            leftOut.add(damaged: path, Self.withoutManifest)
            return
        }
        for entry in entries {
            let full = path.hasSuffix("/") ? path + entry.name : "\(path)/\(entry.name)"
            let isUnsealed = entry.name.hasSuffix(".running")
            if entry.isFolder, isUnsealed || Self.isNamedLikeARun(entry.name) { seen.append(full) }
            if !entry.isFolder {
                if folder.isLinkToFolder(entry.name) { leftOut.links.append(full) }
            } else if runs.contains(entry.name) {
                if !isOf(codes, full) { known.append((full, entry.name)) }
            } else if entry.name == ResultsLog.folderName, let log = ResultsLog(in: folder) {
                leftOut.logged.add(log)
            } else if isUnsealed {
                if !isOf(codes, full) { leftOut.unsealed.append(full) }
            } else if entry.name.hasSuffix(ResultBundle.arrivingSuffix) {
                leftOut.arriving.append(full)
            } else if entry.name.hasSuffix(Withdrawal.suffix) {
                continue
            } else if Self.isNamedLikeARun(entry.name), folder.isRegularFile("\(entry.name)/manifest.json") {
                if !isOf(codes, full) { bundles.append(full) }
            } else {
                lookFurther(in: full, isRun: Self.isNamedLikeARun(entry.name), without: codes)
            }
        }
    }

    /// Whether runs lie among these names, so that their folder is no bundle, whatever other files lie in it.
    private static func holdsRuns(_ names: some Sequence<String>) -> Bool {
        names.contains {
            $0 == ResultsLog.folderName || $0.hasSuffix(RunningBundle.suffix) || isNamedLikeARun($0)
        }
    }

    /// Whether a run belongs to one of these participants.
    func isOf(_ codes: Set<String>, _ path: String) -> Bool {
        guard !codes.isEmpty else { return false }
        guard let run = RunDescription.atHand(path) else { return false }
        return codes.contains(run.participant)
            || pseudonyms.map { codes.contains($0.code(of: run.participant)) } ?? false
    }

    private mutating func lookFurther(in path: String, isRun: Bool, without codes: Set<String>) {
        do throws(FileFailure) {
            let folder = try Folder(path)
            let entries = try folder.entries()
            if isRun {
                leftOut.add(damaged: path, Self.withoutManifest)
            } else {
                let own = try Withdrawals(in: folder)
                leftOut.withdrawals.formUnion(own)
                look(in: folder, path, entries, without: codes.union(own.codes))
            }
        } catch {
            leftOut.add(damaged: path, error)
        }
    }

    private static let withoutManifest = "it has no manifest"

    private static func isNamedLikeARun(_ name: String) -> Bool { UUIDText.isUUID(name, ignoringCase: true) }
}

extension LogProof {
    /// - Returns: `nil` if the bundle has no proof.
    package init?(inBundle path: String) {
        guard
            case .success(let bytes) = FileContents.read("\(path)/\(RunningBundle.proofName)", limit: 1 << 16)
        else { return nil }
        self.init(String(decoding: bytes, as: UTF8.self))
    }
}
