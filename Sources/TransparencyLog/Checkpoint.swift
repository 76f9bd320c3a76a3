import Hashing

/// What a log signs: how many entries it has, and the root of their tree (C2SP tlog-checkpoint).
package struct Checkpoint: Hashable, Sendable {
    package let size: Int
    package let root: MerkleHash

    init(of edge: MerkleEdge, size: Int) { (root, self.size) = (edge.root, size) }

    /// - Parameters:
    ///   - note: a checkpoint with its signatures.
    ///   - key: of the log.
    /// - Returns: `nil` if the key did not sign it, or if it is no checkpoint of this log.
    package init?(_ note: String, by key: LogKey) {
        guard let lines = key.text(of: note)?.split(separator: "\n"), lines.count >= 3, lines[0] == key.name,
            let size = Int(lines[1]), size >= 0, String(size) == lines[1],
            let root = MerkleHash(base64: lines[2]), root.count == 32
        else { return nil }
        (self.size, self.root) = (size, root)
    }

    /// The signed note; `nil` if the key cannot sign.
    func note(by key: LogKey) -> String? { key.note("\(key.name)\n\(size)\n\(root.base64)\n") }
}
