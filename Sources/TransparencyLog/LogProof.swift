import Hashing

/// The proof that an entry is in a log (C2SP tlog-proof): its number, the hashes beside its way to the root, and the
/// checkpoint with this root.
package struct LogProof: Hashable, Sendable {
    package let text: String
    /// The number of the entry, from 0.
    package let index: Int
    /// The signed note.
    package let checkpoint: String

    private static let heading = "c2sp.org/tlog-proof@v1"

    init(of index: Int, beside hashes: [MerkleHash], in checkpoint: String) {
        (self.index, self.checkpoint) = (index, checkpoint)
        let lines = [Self.heading, "index \(index)"] + hashes.map(\.base64) + ["", checkpoint]
        text = lines.joined(separator: "\n")
    }

    /// - Returns: `nil` if the text is no proof.
    package init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first == Self.heading[...], let blank = lines.firstIndex(of: ""),
            let index = lines[..<blank].first(where: { $0.hasPrefix("index ") }).flatMap({
                Int($0.dropFirst(6))
            }),
            index >= 0
        else { return nil }
        (self.text, self.index) = (text, index)
        checkpoint = lines[(blank + 1)...].joined(separator: "\n")
    }

    /// The name of the log, as the proof has it.
    package var log: String { String(checkpoint.prefix { $0 != "\n" }) }
}
