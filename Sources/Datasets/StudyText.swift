import Results
package import TextFormat

/// One text of a study. An edited study file is another text, whatever revision it claims.
package struct StudyText: Hashable, Sendable, Comparable {
    package var revision: Int
    /// Lower-case hexadecimal SHA-256 of `study.yaml`.
    package var sha256: String

    /// `revision 2 (3f2a91c4d05e)`.
    package var title: String { "revision \(revision) (\(printable(String(sha256.prefix(12)))))" }

    package init(revision: Int, sha256: String) {
        self.revision = revision
        self.sha256 = sha256
    }

    package init(_ json: JSON) throws {
        self.init(
            revision: try json.field("revision").asInteger(), sha256: try json.field("sha256").asText())
    }

    package var json: JSON { ["revision": .integer(revision), "sha256": .text(sha256)] }

    package static func < (left: StudyText, right: StudyText) -> Bool {
        (left.revision, left.sha256) < (right.revision, right.sha256)
    }
}
