import Results
import TextFormat

/// Which runs an analysis takes, which of them belong to one study, and how closely they are examined.
package struct RunSelection: Sendable {
    /// Whether simulated and replayed runs are taken.
    package var includesSimulated: Bool
    /// Whether runs of different texts of a study belong to one study.
    package var poolsRevisions: Bool
    /// Whether each response is followed second by second.
    package var followsSeconds: Bool
    /// The registered analysis, if only that is to be made. Texts that say the same then belong to one study.
    package var registered: RegisteredAnalysis?

    package init(
        includesSimulated: Bool = false, poolsRevisions: Bool = false, followsSeconds: Bool = false,
        registered: RegisteredAnalysis? = nil
    ) {
        self.includesSimulated = includesSimulated
        self.poolsRevisions = poolsRevisions || registered != nil
        self.followsSeconds = followsSeconds
        self.registered = registered
    }
}

/// One text of a study. An edited study file is another text, whatever revision it claims.
package struct StudyText: Hashable, Sendable, Comparable {
    package var revision: Int
    /// Lower-case hexadecimal SHA-256 of `study.yaml`.
    package var sha256: String

    /// `revision 2 (3f2a91c4d05e)`.
    package var title: String { "revision \(revision) (\(printable(String(sha256.prefix(12)))))" }

    init(revision: Int, sha256: String) {
        self.revision = revision
        self.sha256 = sha256
    }

    init(_ json: JSON) throws {
        self.init(
            revision: try json.field("revision").asInteger(), sha256: try json.field("sha256").asText())
    }

    var json: JSON { ["revision": .integer(revision), "sha256": .text(sha256)] }

    package static func < (left: StudyText, right: StudyText) -> Bool {
        (left.revision, left.sha256) < (right.revision, right.sha256)
    }
}

/// A study whose runs have several texts.
package struct SeveralTexts: Sendable {
    package var study: String
    package var texts: [(text: StudyText, sessions: Int)]

    /// What to know about it.
    package func line(isPooled: Bool) -> String {
        let names = texts.map { "\($0.text.title) in \(counted($0.sessions, "session"))" }
        return "\(study) comes in \(texts.count) texts, \(isPooled ? "pooled" : "analysed apart"): "
            + names.joined(separator: ", ") + (isPooled ? "" : "; --pool-revisions takes them as one study")
    }
}
