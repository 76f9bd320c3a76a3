package import Platform

extension ResultsLog {
    /// Appends entries, signs the new checkpoint, and puts both on disk. Programs that do so at once take turns.
    ///
    /// The checkpoint comes last, and at once. So a program that is killed leaves the log as it was; what it wrote beyond
    /// the checkpoint is written again.
    ///
    /// - Parameters:
    ///   - results: the results folder.
    ///   - seed: 32 random bytes for the key of a new log. With `nil`, nothing is written where there is no log.
    /// - Returns: the proof of the last entry; `nil` if there is no log.
    /// - Throws: `FileFailure` if the disk fails, or if the log is not as it was signed. Then nothing was signed.
    @discardableResult
    package static func append(_ entries: [LogEntry], in results: String, seed: [UInt8]?) throws(FileFailure)
        -> LogProof?
    {
        let home = try Folder(results)
        if !home.isFolder(folderName) {
            guard seed != nil else { return nil }
            try home.makeFolderIfMissing(folderName)
            try home.sync()
        }
        let folder = try home.folder(folderName, named: "\(results)/\(folderName)")
        try folder.waitForLock()
        // The lock ends with the folder.
        defer { withExtendedLifetime(folder) {} }
        var growth = try Growth(folder, seed: seed)
        for entry in entries { try growth.add(entry) }
        return try growth.finish()
    }
}

/// A log while entries are appended to it.
private struct Growth {
    private let folder: Folder
    private let key: LogKey
    private var size: Int
    private var edge: MerkleEdge
    /// The last bundle of entries, if it is not full.
    private var bundle: [UInt8] = []
    /// Levels whose last tile grew, and is not full.
    private var grown: Set<Int> = []
    /// The hashes beside the way of the last entry.
    private var path: [MerkleHash] = []
    /// Folders of incomplete tiles that are full now.
    private var superseded: [String] = []

    init(_ folder: Folder, seed: [UInt8]?) throws(FileFailure) {
        self.folder = folder
        guard folder.exists(ResultsLog.checkpointName) else {
            guard !folder.exists("tile") else { throw Self.damaged(folder, "its checkpoint is gone") }
            (key, size, edge) = (try Self.newKey(in: folder, seed), 0, MerkleEdge())
            try folder.store(Array(checkpoint().utf8), at: ResultsLog.checkpointName)
            return
        }
        let secret = try folder.text(of: ResultsLog.secretName, isLine: true)
        let note = try folder.text(of: ResultsLog.checkpointName)
        guard let key = LogKey(secretText: secret), let checkpoint = Checkpoint(note, by: key) else {
            throw Self.damaged(folder, "its checkpoint is not signed with its key")
        }
        (self.key, size) = (key, checkpoint.size)
        edge = try Self.edge(of: checkpoint, in: folder)
        let width = MerkleTree.width(ofEndAt: 0, in: size)
        guard width > 0 else { return }
        let entries = try ResultsLog.entries(size / MerkleTree.width, width, in: folder)
        guard entries.map({ MerkleTree.leaf(Array($0)) }) == edge.levels[0] else {
            throw Self.damaged(folder, "its entries are not those of its checkpoint")
        }
        for entry in entries { bundle += Self.framed(entry) }
    }

    /// A key that a killed program made is used.
    private static func newKey(in folder: Folder, _ seed: [UInt8]?) throws(FileFailure) -> LogKey {
        let new = seed.map { LogKey(secret: $0) }
        guard let key = try LogKey.kept(at: ResultsLog.secretName, in: folder, new: new) else {
            throw damaged(folder, "it has no key")
        }
        try folder.store(Array("\(key.verifierText)\n".utf8), at: ResultsLog.verifierName)
        return key
    }

    /// The tiles at the end, compared with the checkpoint.
    private static func edge(of checkpoint: Checkpoint, in folder: Folder) throws(FileFailure) -> MerkleEdge {
        var levels: [[MerkleHash]] = []
        while checkpoint.size >> (8 * levels.count) > 0 {
            let level = levels.count
            let width = MerkleTree.width(ofEndAt: level, in: checkpoint.size)
            guard width > 0 else {
                levels.append([])
                continue
            }
            let path = MerkleTree.path(
                "\(level)", checkpoint.size >> (8 * level) / MerkleTree.width, width: width)
            let bytes = try folder.read(path)
            levels.append(
                stride(from: 0, to: bytes.count, by: 32).map { Array(bytes[$0..<min($0 + 32, bytes.count)]) })
        }
        let edge = MerkleEdge(levels)
        guard edge.root == checkpoint.root else {
            throw damaged(folder, "its tiles are not those of its checkpoint")
        }
        return edge
    }

    private static func damaged(_ folder: Folder, _ reason: String) -> FileFailure {
        FileFailure("append to the log", folder.name, .malformed(reason))
    }

    private static func framed(_ entry: some Collection<UInt8>) -> [UInt8] {
        [UInt8(entry.count >> 8), UInt8(entry.count & 0xFF)] + entry
    }

    mutating func add(_ entry: LogEntry) throws(FileFailure) {
        bundle += Self.framed(entry.bytes)
        size += 1
        path = edge.pathOfNext
        var full: [[MerkleHash]] = []
        edge.add(MerkleTree.leaf(entry.bytes)) { _, hashes in full.append(hashes) }
        grown.insert(full.count)
        for (level, hashes) in full.enumerated() {
            grown.remove(level)
            let index = size >> (8 * (level + 1)) - 1
            try store(Array(hashes.joined()), of: "\(level)", index)
            guard level == 0 else { continue }
            try store(bundle, of: "entries", index)
            bundle = []
        }
    }

    private mutating func store(_ bytes: [UInt8], of kind: String, _ index: Int) throws(FileFailure) {
        let path = MerkleTree.path(kind, index)
        try folder.store(bytes, at: path)
        superseded.append(path + ".p")
    }

    /// Writes what is not full, and then the checkpoint.
    func finish() throws(FileFailure) -> LogProof {
        for level in grown.sorted() {
            let hashes = edge.levels[level]
            let index = size >> (8 * level) / MerkleTree.width
            try folder.store(
                Array(hashes.joined()), at: MerkleTree.path("\(level)", index, width: hashes.count))
            guard level == 0 else { continue }
            try folder.store(bundle, at: MerkleTree.path("entries", index, width: hashes.count))
        }
        let checkpoint = try checkpoint()
        try folder.store(Array(checkpoint.utf8), at: ResultsLog.checkpointName)
        for path in superseded where folder.exists(path) {
            do throws(FileFailure) {
                try folder.removeAll(path)
            } catch {
                // The entries are in the log, and nobody reads the incomplete tiles any more.
            }
        }
        return LogProof(of: size - 1, beside: path, in: checkpoint)
    }

    private func checkpoint() throws(FileFailure) -> String {
        guard let note = Checkpoint(of: edge, size: size).note(by: key) else {
            throw Self.damaged(folder, "it has no key to sign with")
        }
        return note
    }
}

extension Folder {
    /// A file as text; a line without its line feed.
    func text(of path: String, isLine: Bool = false) throws(FileFailure) -> String {
        let text = String(decoding: try read(path), as: UTF8.self)
        return isLine && text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Writes a whole file and puts it on disk, with the names of the folders above it.
    ///
    /// What the checkpoint does not name yet needs no other name until it is complete. Where a file system writes names
    /// in their order, its name is on disk before the checkpoint's.
    func store(_ bytes: [UInt8], at path: String) throws(FileFailure) {
        var above = "."
        for name in path.split(separator: "/").dropLast() {
            let next = above == "." ? String(name) : "\(above)/\(name)"
            if !isFolder(next) {
                try makeFolderIfMissing(next)
                try sync(above)
            }
            above = next
        }
        let isTile = above != "."
        let first = isTile ? path : path + Self.temporarySuffix
        if exists(first) { try remove(first) }
        try write(bytes, to: path, isDurable: !isTile)
        if isTile { try syncFile(path) } else { try sync() }
    }
}
