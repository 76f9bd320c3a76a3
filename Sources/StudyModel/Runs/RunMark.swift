/// What the experimenter noted at a moment of a run, or did to its course.
public struct RunMark: Hashable, Sendable {
    public var kind: Kind
    /// How bad it was; only for adverse events.
    public var severity: Severity?
    /// 1 to 500 characters in one line.
    public var text: String
    /// When it was noted.
    public var moment: RunInstant
    /// What the experimenter did to the course of the run; only for the kind `control`.
    public var control: Control?
    /// Who noted it, in one line of 1 to 64 characters; `nil` if nobody said so.
    public var author: String?
    /// How far the moment may be off, because it was told by the clock of another machine; `nil` if it was this one's.
    public var uncertainty: Duration?

    /// What is noted.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case note
        /// Something that may have changed what was measured.
        case disturbance
        /// Something that was bad for the participant.
        case adverse
        /// The experimenter changed the course of the run; the text says why.
        case control
        /// A monitor raised an alarm.
        case alarm
        /// Somebody acknowledged an alarm.
        case acknowledgement

        /// The kinds of what is only noted.
        package static let noted: [Kind] = [.note, .disturbance, .adverse]
        /// Whether experimenters ask for such a mark; the others come from a monitor.
        package var isAskedFor: Bool { self == .control || Self.noted.contains(self) }
    }

    /// What an experimenter can do to the course of a run.
    public enum Control: String, Hashable, Sendable, CaseIterable {
        /// Stops the clock of a timed step until `resume`.
        case pause
        case resume
        /// Begins the timed step on show anew, with the same clip.
        case restart
        /// Goes through the timed step before the one on show once more, with the same clip.
        case again = "repeat"
        /// Leaves the step on show.
        case skip
        case end
        /// Begins the step that waits for a required source without it.
        case withoutSource
        /// Shows the text to the participant.
        case message

        /// The word for people who type.
        package var word: String { self == .withoutSource ? "without-source" : rawValue }

        /// The reason of `resume`, if nobody gives another.
        package static let resumption = "goes on"
    }

    /// How bad something was for the participant.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        case mild, moderate, severe
    }

    /// - Returns: `nil` if the text or the author is too long, empty or not one line, or if the severity or the
    ///   control does not fit the kind.
    public init?(
        _ kind: Kind, _ severity: Severity? = nil, control: Control? = nil, text: String,
        by author: String? = nil, at moment: RunInstant
    ) {
        guard Self.isText(text), author.map(Self.isAuthor) ?? true,
            (severity == nil) == (kind != .adverse), (control == nil) == (kind != .control)
        else { return nil }
        (self.kind, self.severity, self.control) = (kind, severity, control)
        (self.text, self.author, self.moment) = (text, author, moment)
    }

    /// Whether a text may be the name of an author.
    public static func isAuthor(_ text: String) -> Bool { text.count <= 64 && isText(text) }

    /// Whether a text may be that of a mark.
    public static func isText(_ text: String) -> Bool {
        (1...500).contains(text.count) && text.utf8.count <= 4000 && !text.allSatisfy(\.isWhitespace)
            && !text.unicodeScalars.contains {
                [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
    }
}
