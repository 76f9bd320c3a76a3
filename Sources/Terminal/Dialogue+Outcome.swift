import StudyModel
import StudySession

extension Dialogue {
    /// What comes out of an update, a line or a key.
    struct Outcome: Hashable, Sendable {
        var lines: [String] = []
        var acts: [ParticipantAct] = []
        /// Whether the line that was being typed is over.
        var endsLine = false

        static func + (left: Outcome, right: Outcome) -> Outcome {
            Outcome(
                lines: left.lines + right.lines, acts: left.acts + right.acts,
                endsLine: left.endsLine || right.endsLine)
        }
    }
}

extension ParticipantAct {
    /// Whether it answers what is on show.
    var endsTheScreen: Bool {
        switch self {
        case .event(.drafted, _): false
        case .event: true
        case .key, .rated: false
        }
    }
}
