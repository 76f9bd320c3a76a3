import Glibc
import NIOPosix
import Platform
import Results
import StudyModel
import Synchronization
import TextFormat
import TransparencyLog

/// The sealed bundles that others have delivered, in a folder like the one that runs write to.
///
/// A bundle arrives piece by piece in a folder of its own, which gets the run's name when every file is as its sums
/// say. So whatever breaks, a bundle is there whole or not at all, and what has arrived need not be sent again.
package struct KeptBundles: Sendable {
    /// The folder; it is made when the first bundle comes.
    let path: String
    /// Bytes of the disk that bundles leave to the database.
    let reserve: Int
    let known = KnownBundles()

    init(in path: String, reserve: Int = 256 << 20) {
        (self.path, self.reserve) = (path, reserve)
    }

    /// The bundles beside a database.
    package init(of store: Store) { self.init(in: store.folder + "/bundles") }

    /// What a sender says of a bundle.
    struct Name: Hashable, Sendable {
        /// The run's upper-case UUID.
        var run: String
        /// The SHA-256 of `SHA256SUMS`, by which bundles of one run are told apart.
        var sums: String

        /// Where it arrives.
        var arrival: String { "\(run).\(sums.prefix(16))\(ResultBundle.arrivingSuffix)" }
    }

    /// How far a bundle has come.
    enum Arrival: Hashable, Sendable {
        case kept
        /// The bytes of each file that are here.
        case arriving([String: Int])

        var json: JSON {
            switch self {
            case .kept: ["kept": true, "have": [:]]
            case .arriving(let sizes):
                ["kept": false, "have": .members(sizes.mapValues { .integer($0) })]
            }
        }
    }

    /// - Throws: `Refusal` if another bundle of this run is kept.
    func arrival(of name: Name) async throws(Refusal) -> Arrival {
        try await apart { () throws(FileFailure) in
            guard let folder = try opened(), folder.exists(name.run) || folder.exists(name.arrival) else {
                return .success(.arriving([:]))
            }
            if let kept = try isKept(name, in: folder) { return kept.map { .kept } }
            let arriving = try folder.folder(name.arrival)
            var sizes: [String: Int] = [:]
            for file in try arriving.files(below: "") { sizes[file] = arriving.size(of: file) }
            return .success(.arriving(sizes))
        }
    }

    /// Appends a piece to a file.
    ///
    /// - Parameters:
    ///   - file: its path in the bundle; `SHA256SUMS`, which names the others, comes first.
    ///   - offset: where the piece begins, which is where the file ends so far.
    /// - Returns: the bytes of the file that are here now.
    func keep(_ piece: [UInt8], of file: BundlePath, at offset: Int, in name: Name) async throws(Refusal)
        -> Int
    {
        try await apart { () throws(FileFailure) in
            try Folder.make(path)
            let folder = try Folder(path)
            guard hasRoom(for: piece.count) else {
                return .failure(Refusal(.full, "the disk of the monitor is full"))
            }
            try folder.makeFolderIfMissing(name.arrival)
            let arriving = try folder.folder(name.arrival)
            try arriving.waitForLock()
            // Another sender may have sealed it meanwhile.
            if let kept = try isKept(name, in: folder) { return kept.map { offset + piece.count } }
            if file.text != Sums.fileName {
                guard arriving.exists(Sums.fileName),
                    Sums.digest(of: file.text, in: try arriving.read(Sums.fileName)) != nil
                else {
                    return .failure(
                        Refusal(
                            .unprocessable, "'\(file)' is not named in \(Sums.fileName), which is sent first")
                    )
                }
            }
            let size = arriving.size(of: file.text)
            guard size ?? 0 == offset else {
                return .failure(
                    Refusal(.conflict, "\(size ?? 0) bytes of '\(file)' are here, not \(offset)"))
            }
            if size == nil {
                let parents = file.text.split(separator: "/").dropLast()
                for count in 0..<parents.count {
                    try arriving.makeFolderIfMissing(parents.prefix(count + 1).joined(separator: "/"))
                }
                _ = try arriving.create(file.text)
            }
            try arriving.append(piece, to: file.text)
            return .success(offset + piece.count)
        }
    }

    /// Keeps a bundle all of whose files are here and are as their sums say. One that is kept is compared once more: of one
    /// that was damaged since, what is whole counts as having arrived.
    ///
    /// - Returns: whether it was not kept before.
    /// - Throws: `Refusal`. Of an upload that is refused nothing stays; one that lacks files can be completed.
    func seal(_ name: Name) async throws(Refusal) -> Bool {
        try await apart { () throws(FileFailure) in
            guard let folder = try opened() else { return .failure(Self.nothing) }
            if let kept = try isKept(name, in: folder) {
                guard case .success = kept else { return kept.map { false } }
                let damaged = try Self.damaged(in: folder.folder(name.run), name.sums)
                guard let first = damaged.first else {
                    known.damaged.withLock { _ = $0.remove(name.run) }
                    return .success(false)
                }
                try open(name, without: damaged, in: folder)
                return .failure(Refusal(.conflict, "damaged since it was kept: \(first)"))
            }
            guard folder.exists(name.arrival) else { return .failure(Self.nothing) }
            let arriving = try folder.folder(name.arrival)
            try arriving.waitForLock()
            if let kept = try isKept(name, in: folder) { return kept.map { false } }
            let damaged = try Self.damaged(in: arriving, name.sums)
            let isWrong = damaged.contains { arriving.exists($0) }
            let problem =
                damaged.isEmpty ? Self.problem(ofBundle: "\(path)/\(name.arrival)", named: name.run) : nil
            if isWrong || problem != nil {
                try folder.removeAll(name.arrival)
                known.refused.withLock { $0 += 1 }
            }
            if let problem { return .failure(.unprocessable(problem)) }
            guard damaged.isEmpty else {
                let words = "\(isWrong ? "not as its sum says, or not here" : "not here"): \(damaged[0])"
                return .failure(Refusal(.conflict, damaged.count > 1 ? "\(words), and others" : words))
            }
            try folder.syncFileSystem()
            try folder.renameFolder(name.arrival, toNew: name.run)
            try folder.sync()
            known.damaged.withLock { _ = $0.remove(name.run) }
            return .success(true)
        }
    }

    /// Lets a bundle that is damaged be completed.
    private func open(_ name: Name, without damaged: [String], in folder: Folder) throws(FileFailure) {
        if folder.exists(name.arrival) { try folder.removeAll(name.arrival) }
        try folder.renameFolder(name.run, toNew: name.arrival)
        let arriving = try folder.folder(name.arrival)
        for file in damaged where arriving.exists(file) { try arriving.remove(file) }
        known.descriptions.withLock { $0[name.run] = nil }
        known.verdicts.withLock { $0[name.run] = nil }
    }

    private static let nothing = Refusal(.conflict, "nothing of this bundle is here")

    /// The files that are missing or are not as their sums say; the sums themselves if they are not what the sender
    /// said.
    private static func damaged(in arriving: Folder, _ sums: String) throws(FileFailure) -> [String] {
        guard arriving.exists(Sums.fileName), try arriving.digest(of: Sums.fileName).sha256 == sums else {
            return [Sums.fileName]
        }
        var damaged: [String] = []
        for (file, sum) in try Sums(parsing: arriving.read(Sums.fileName)).digests {
            let isWhole = arriving.exists(file) ? try arriving.digest(of: file).sha256 == sum : false
            if !isWhole { damaged.append(file) }
        }
        return damaged.sorted()
    }

    /// Why a folder whose files are as their sums say is not the bundle of a run; `nil` if it is.
    private static func problem(ofBundle place: String, named run: String) -> String? {
        do {
            let bundle = try ResultBundle(at: place)
            guard bundle.manifest.runUUID == run else { return "this is the bundle of another run" }
            try bundle.checkFiles()
            return nil
        } catch {
            return "this is no whole result bundle"
        }
    }

    /// Whether a bundle is kept; `nil` if none of its run is.
    private func isKept(_ name: Name, in folder: Folder) throws(FileFailure) -> Result<Void, Refusal>? {
        guard folder.exists(name.run) else { return nil }
        let sums = try folder.folder(name.run).digest(of: Sums.fileName).sha256
        return sums == name.sums
            ? .success(()) : .failure(Refusal(.conflict, "another bundle of this run is kept here"))
    }

    func opened() throws(FileFailure) -> Folder? {
        do throws(FileFailure) { return try Folder(path) } catch {
            if error.isNotFound { return nil }
            throw error
        }
    }

    private func hasRoom(for bytes: Int) -> Bool {
        var system = statvfs()
        guard unsafe statvfs(path, &system) == 0 else { return true }
        return Int(clamping: system.f_bavail) * Int(clamping: system.f_frsize) >= bytes + reserve
    }

    /// Locks, syncs and long reads block, which the threads of tasks must not.
    func apart<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileFailure) -> Result<Value, Refusal>
    ) async throws(Refusal) -> Value {
        let result: Result<Value, Refusal>
        do {
            result = try await NIOThreadPool.singleton.runIfActive {
                do throws(FileFailure) { return try work() } catch {
                    return .failure(
                        error.isDiskFull
                            ? Refusal(.full, "the disk of the monitor is full")
                            : Refusal(.unavailable, error.description))
                }
            }
        } catch {
            throw Refusal(.unavailable, "the monitor is stopping")
        }
        return try result.get()
    }
}

/// What the manifests of kept bundles say, which never changes.
final class KnownBundles: Sendable {
    let descriptions = Mutex<[String: JSON]>([:])
    /// How runs ended and how good they were: `{outcome, quality}`.
    let verdicts = Mutex<[String: JSON]>([:])
    /// The runs whose bundles were damaged when they were last looked at.
    let damaged = Mutex<Set<String>>([])
    /// How many uploads were refused and deleted since the monitor began.
    let refused = Mutex(0)
    /// What receipts are signed with, once it was read.
    let key = Mutex<LogKey?>(nil)
}

extension KeptBundles {
    /// The bundles that are kept, the newest run first, and how many are arriving and were refused.
    func list() async throws(Refusal) -> JSON {
        try await apart { () throws(FileFailure) in
            var bundles: [(start: String, json: JSON)] = []
            var arriving = 0
            for entry in try opened()?.entries() ?? [] where entry.isFolder {
                if entry.name.hasSuffix(ResultBundle.arrivingSuffix) { arriving += 1 }
                guard UUIDText.isUUID(entry.name), let json = described(entry.name) else { continue }
                bundles.append((json["start"]?.text ?? "", json))
            }
            return .success([
                "arriving": .integer(arriving), "refused": .integer(known.refused.withLock { $0 }),
                "damaged": .texts(known.damaged.withLock { $0.sorted() }),
                "bundles": .list(bundles.sorted { $0.start > $1.start }.map(\.json)),
            ])
        }
    }

    /// What the manifest of a bundle says, which is read once.
    private func described(_ run: String) -> JSON? {
        if let json = known.descriptions.withLock({ $0[run] }) { return json }
        guard let manifest = Manifest.atHand("\(path)/\(run)") else { return nil }
        let json: JSON = .members([
            "run": .text(run), "study": .text(manifest.study.text), "task": .text(manifest.task.text),
            "participant": .text(manifest.participant), "session": .integer(manifest.session),
            "start": .text(manifest.start.date(of: .start)),
            "duration": .real(manifest.duration / .seconds(1)), "status": .text(manifest.status.rawValue),
            "origin": .text(manifest.run.origin.rawValue),
            "pseudonymised": .boolean(manifest.isPseudonymised),
            "files": .integer(manifest.files.count),
            "bytes": .integer(manifest.files.reduce(0) { $0 + $1.bytes }),
        ])
        known.descriptions.withLock { $0[run] = json }
        return json
    }
}
