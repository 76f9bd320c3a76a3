package import Platform

/// The log of a results folder, as it was read: a tiled transparency log in the folder `.log`.
package struct ResultsLog: Sendable {
    package static let folderName = ".log"
    static let checkpointName = "checkpoint"
    static let verifierName = "verifier-key"
    static let secretName = "secret-key"

    /// Whether the file at a path belongs to a log.
    package static func holds(_ path: String) -> Bool {
        path.split(separator: "/").contains { $0 == folderName }
    }

    /// The results folder.
    package let results: String
    /// What others verify with; empty if it cannot be read.
    package private(set) var verifierKey = ""
    /// The entries in order; `nil` for one that this program does not know.
    package private(set) var entries: [LogEntry?] = []
    /// What contradicts itself in the log, in words.
    package private(set) var problems: [String] = []
    /// The signed note of its checkpoint.
    private var checkpoint = ""
    private var leaves: [MerkleHash] = []
    private var key: LogKey?

    /// Reads and verifies a log.
    ///
    /// - Parameter folder: the results folder, with the name that it has in messages.
    /// - Returns: `nil` if it has no log.
    package init?(in folder: Folder) {
        results = folder.name
        do throws(FileFailure) {
            guard folder.isFolder(Self.folderName) else { return nil }
            let own = try folder.folder(Self.folderName, named: "\(results)/\(Self.folderName)")
            // A log that was never begun has its key at most.
            guard own.exists(Self.checkpointName) || own.exists("tile") else { return nil }
            try read(own)
        } catch {
            problems.append(error.description)
        }
    }

    private mutating func read(_ folder: Folder) throws(FileFailure) {
        verifierKey = try folder.text(of: Self.verifierName, isLine: true)
        let note = try folder.text(of: Self.checkpointName)
        guard let key = LogKey(verifierText: verifierKey), let checkpoint = Checkpoint(note, by: key) else {
            problems.append("its checkpoint is not signed with its key")
            return
        }
        (self.key, self.checkpoint) = (key, note)
        for index in 0..<(checkpoint.size + MerkleTree.width - 1) / MerkleTree.width {
            let width = min(MerkleTree.width, checkpoint.size - index * MerkleTree.width)
            let found = try Self.entries(index, width, in: folder)
            leaves += found.map { MerkleTree.leaf(Array($0)) }
            entries += found.map { LogEntry($0) }
        }
        let levels = MerkleTree.levels(above: leaves)
        guard MerkleEdge(above: leaves).root == checkpoint.root else {
            problems.append("its entries are not those of its checkpoint")
            return
        }
        for (level, hashes) in levels.enumerated() {
            for start in stride(from: 0, to: hashes.count, by: MerkleTree.width) {
                let tile = hashes[start..<min(start + MerkleTree.width, hashes.count)]
                let path = MerkleTree.path("\(level)", start / MerkleTree.width, width: tile.count)
                guard try folder.read(path) == Array(tile.joined()) else {
                    problems.append("\(path) is not what the entries give")
                    return
                }
            }
        }
    }

    /// The first `width` entries of a bundle of entries.
    static func entries(_ index: Int, _ width: Int, in folder: Folder) throws(FileFailure)
        -> [ArraySlice<UInt8>]
    {
        var path = MerkleTree.path("entries", index, width: width)
        if !folder.exists(path) { path = MerkleTree.path("entries", index) }
        let bytes = try folder.read(path)
        var entries: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while entries.count < width {
            let count = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 2 + count, count > 0 else {
                throw FileFailure("read", "\(folder.name)/\(path)", .malformed("it is cut off"))
            }
            entries.append(rest.dropFirst(2).prefix(count))
            rest = rest.dropFirst(2 + count)
        }
        // Only a bundle that was completed since has more than the checkpoint names.
        guard rest.isEmpty || width < MerkleTree.width && path == MerkleTree.path("entries", index) else {
            throw FileFailure(
                "read", "\(folder.name)/\(path)", .malformed("something follows its last entry"))
        }
        return entries
    }

    /// Compares the log with a checkpoint that was kept elsewhere.
    ///
    /// - Returns: what contradicts it, in words; `nil` if the log continues it.
    package func problem(with note: String) -> String? {
        guard let key, let kept = Checkpoint(note, by: key) else {
            return "the checkpoint is not signed with the log's key"
        }
        guard kept.size <= leaves.count else {
            return
                "the checkpoint has \(kept.size) entries, and the log has \(leaves.count): it was rolled back"
        }
        guard MerkleTree.root(of: leaves[..<kept.size]) == kept.root else {
            return
                "the log does not continue the checkpoint: it was rewritten, or continued in two places"
        }
        return nil
    }

    /// How many entries a checkpoint of this log has; `nil` if the log's key did not sign it.
    package func size(of note: String) -> Int? { key.flatMap { Checkpoint(note, by: $0) }?.size }

    /// The proof that the log has the seal of a run; `nil` if it does not have it, or is not to be trusted.
    package func proofOfSeal(ofRun uuid: String) -> LogProof? {
        let run = LogEntry.name(ofRun: uuid)
        guard problems.isEmpty,
            let index = entries.lastIndex(where: {
                $0?.subject == run && ($0?.kind == .sealed || $0?.kind == .recovered)
            })
        else { return nil }
        return LogProof(of: index, beside: MerkleTree.path(to: index, in: leaves[...]), in: checkpoint)
    }

    /// What the log of a results folder signs with; `nil` if it has no log.
    package static func signer(in results: String) throws(FileFailure) -> LogKey? {
        let home = try Folder(results)
        guard home.isFolder(folderName) else { return nil }
        return try LogKey.kept(at: secretName, in: home.folder(folderName), new: nil)
    }

    /// The name of the log, as its key has it.
    package var name: String { String(verifierKey.prefix { $0 != "+" }) }

    /// Compares the log with the proof in a bundle.
    ///
    /// - Parameter run: the run's name in logs.
    /// - Returns: what contradicts it, in words; `nil` if the log continues the checkpoint, and has the run's beginning
    ///   where the proof has it.
    package func problem(with proof: LogProof, ofRun run: String) -> String? {
        if let problem = problem(with: proof.checkpoint) { return problem }
        let entry = proof.index < entries.count ? entries[proof.index] : nil
        return entry?.kind == .begun && entry?.subject == run ? nil : "the proof is of another run"
    }
}
