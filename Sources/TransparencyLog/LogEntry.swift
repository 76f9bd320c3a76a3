import Hashing

/// What happened, as a line of at most three words, without a line feed: `sealed RUN DIGEST`.
///
/// It holds hashes only. That of a run is of its UUID, which is random: once the bundle is gone, it tells nothing.
package struct LogEntry: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A study was frozen: the SHA-256 of `registration.json`.
        case frozen
        /// A run began: the run, and the SHA-256 of the first line of its journal, with its line feed.
        case begun
        /// A ledger gave the run's participant an arm, which nothing here tells.
        case allocated
        /// A run was sealed: the run, and the SHA-256 of its `SHA256SUMS`.
        case sealed
        /// A killed run was sealed later: as for `sealed`.
        case recovered
        /// The participant of a run has withdrawn, and it stays.
        case withdrawn
        /// A run was destroyed, because its participant has withdrawn.
        case erased
    }

    package let kind: Kind
    /// Lower-case hexadecimal SHA-256, of a run's UUID or of a registration.
    package let subject: String
    /// Lower-case hexadecimal SHA-256 of what the run was then.
    package let digest: String?

    /// - Parameter digest: of a begun, sealed or recovered run.
    package init(_ kind: Kind, run uuid: String, digest: String? = nil) {
        (self.kind, self.digest) = (kind, digest)
        subject = Self.name(ofRun: uuid)
    }

    /// - Parameter sha256: of `registration.json`.
    package init(frozen sha256: String) { (kind, subject, digest) = (.frozen, sha256, nil) }

    /// - Returns: `nil` if this program does not know such an entry.
    init?(_ bytes: some Collection<UInt8>) {
        let words = String(decoding: bytes, as: UTF8.self).split(
            separator: " ", omittingEmptySubsequences: false
        ).map(String.init)
        guard words.count >= 2, let kind = Kind(rawValue: words[0]),
            words.count == (kind.hasDigest ? 3 : 2), words.dropFirst().allSatisfy(SHA256.isHexadecimal)
        else { return nil }
        (self.kind, subject, digest) = (kind, words[1], kind.hasDigest ? words[2] : nil)
    }

    /// What the log calls a run: the lower-case hexadecimal SHA-256 of its UUID.
    package static func name(ofRun uuid: String) -> String { SHA256.hexadecimal(of: uuid) }

    package var bytes: [UInt8] {
        Array(([kind.rawValue, subject] + (digest.map { [$0] } ?? [])).joined(separator: " ").utf8)
    }
}

extension LogEntry.Kind {
    var hasDigest: Bool {
        switch self {
        case .begun, .sealed, .recovered: true
        case .frozen, .allocated, .withdrawn, .erased: false
        }
    }
}
