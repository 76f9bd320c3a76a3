import Results
import TextFormat

/// Which runs are taken where results are drawn, which of them are one study, and how closely they are looked at.
package struct RunSelection: Sendable {
    /// Whether runs that were simulated or replayed are taken.
    package var includesSimulated: Bool
    /// Whether runs of different texts of a study are one study.
    package var poolsRevisions: Bool
    /// Whether each response is followed second by second.
    package var followsSeconds: Bool
    /// What was registered, where only that is to be done: texts that say the same are one study then.
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

/// One text of a study: an edited study file is another one, whatever revision it claims to be.
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

/// A study of which runs come in several texts.
package struct SeveralTexts: Sendable {
    package var study: String
    package var texts: [(text: StudyText, sessions: Int)]

    /// What is to be known of it.
    package func line(isPooled: Bool) -> String {
        let names = texts.map { "\($0.text.title) in \(counted($0.sessions, "session"))" }
        return "\(study) comes in \(texts.count) texts, \(isPooled ? "pooled" : "analysed apart"): "
            + names.joined(separator: ", ") + (isPooled ? "" : "; --pool-revisions takes them as one study")
    }
}
