/// What the experimenter noted at a moment of a run.
public struct RunMark: Hashable, Sendable {
    public var kind: Kind
    /// How bad it was; only for adverse events.
    public var severity: Severity?
    /// 1 to 500 characters in one line.
    public var text: String
    /// When it was noted.
    public var moment: RunInstant

    /// What is noted.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case note
        /// Something that may have changed what was measured.
        case disturbance
        /// Something that was bad for the participant.
        case adverse
    }

    /// How bad something was for the participant.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        case mild, moderate, severe
    }

    /// - Returns: `nil` if the text is too long, empty or not one line, or if the severity does not fit the kind.
    public init?(_ kind: Kind, _ severity: Severity?, text: String, at moment: RunInstant) {
        guard Self.isText(text), (severity == nil) == (kind != .adverse) else { return nil }
        (self.kind, self.severity, self.text, self.moment) = (kind, severity, text, moment)
    }

    /// Whether a text may be that of a mark.
    public static func isText(_ text: String) -> Bool {
        (1...500).contains(text.count) && text.utf8.count <= 4000 && !text.allSatisfy(\.isWhitespace)
            && !text.unicodeScalars.contains {
                [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
    }
}
