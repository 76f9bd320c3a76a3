import SessionPorts
import StudyModel
import TextFormat

extension Dialogue {
    /// The result of an update, a line or a key.
    struct Outcome: Hashable, Sendable {
        var lines: [String] = []
        var acts: [ParticipantAct] = []
        /// Whether the line that was being typed has ended.
        var endsLine = false
        /// Whether the terminal's bell rings.
        var isRung = false

        static func + (left: Outcome, right: Outcome) -> Outcome {
            Outcome(
                lines: left.lines + right.lines, acts: left.acts + right.acts,
                endsLine: left.endsLine || right.endsLine, isRung: left.isRung || right.isRung)
        }
    }
}

extension Dialogue {
    /// How much time is left, in words, with the heart rate if the study shows it; empty if the visit no longer
    /// runs until `end`.
    func timeLeft(_ remaining: Duration, of ordinal: Int, until end: RunInstant) -> Outcome {
        guard let screen, screen.ordinal == ordinal, case .running(_, end) = screen.phase else {
            return Outcome()
        }
        return Outcome(lines: timeLeft(remaining))
    }

    func timeLeft(_ remaining: Duration) -> [String] {
        let time = "\(wording(.timeLeft)): \(remaining.clockFace)"
        guard let screen, screen.shows.contains(.heartRate), let rate else { return [time] }
        return [time, wording(.lineHeartRate, rate.shown(0))]
    }
}

extension ParticipantAct {
    /// Whether it answers the screen on show.
    var endsTheScreen: Bool {
        switch self {
        case .event(.drafted, _): false
        case .event: true
        case .key, .rated, .tapped, .reacted, .marked: false
        }
    }
}
