package import Participants
package import Results
import TextFormat

extension Analysis {
    /// Everything that experimenters noted: adverse events first, then by participant and time.
    package static func marks(
        in sessions: [RecordedSession]
    ) -> [(session: RecordedSession, step: String, mark: ResultBundle.Mark)] {
        let all = sessions.flatMap { session in
            session.marks.map { (session: session, step: $0.step, mark: $0.mark) }
        }
        return all.filter(\.mark.isAdverse) + all.filter { !$0.mark.isAdverse }
    }

    /// Each adverse event, the number of other marks, and how often experimenters changed the course of a run.
    var markLines: [String] {
        let marks = Self.marks(in: sessions)
        let adverse = marks.filter(\.mark.isAdverse)
        var lines = adverse.prefix(Self.mostAdverse).map { session, step, mark in
            "\(printable(mark.title)): \(printable(session.participant)), session \(session.session), "
                + "\(printable(step)) at \(seconds(mark.offset)): \(printable(mark.remark))"
        }
        if adverse.count > Self.mostAdverse {
            lines.append("and \(adverse.count - Self.mostAdverse) more adverse events")
        }
        let notes = marks.filter { !$0.mark.isAdverse && $0.mark.control == nil }
        let others = notes.counts(of: \.mark.kind).sorted { $0.key < $1.key }
        if !others.isEmpty {
            lines.append("also marked: \(listed(others.map { counted($0.value, $0.key) }))")
        }
        let controls = marks.compactMap(\.mark.control).counts(of: \.self).sorted { $0.key < $1.key }
        if !controls.isEmpty {
            lines.append("done by experimenters: \(listed(controls.map { "\($0.value) × \($0.key)" }))")
        }
        return lines
    }

    private static let mostAdverse = 20

    /// Completed sessions that miss a limit of their study.
    package static func poor(in sessions: [RecordedSession]) -> [RecordedSession] {
        sessions.filter { $0.status == "completed" && $0.isPoor == true }
    }

    /// Sessions that were continued after they had been left, or the program had ended.
    package static func interrupted(in sessions: [RecordedSession]) -> [RecordedSession] {
        sessions.filter { $0.interrupted != nil }
    }

    /// Which sessions were continued, and that they count.
    var interruptedLine: String? {
        Self.line("counted, though interrupted", Self.interrupted(in: sessions)) {
            "\($0) for \(decimals($1.interrupted ?? 0, 0)) s"
        }
    }

    /// How many sessions are poor, and that they still count.
    var poorLine: String? {
        Self.line("counted, though poor by the limits of the study", Self.poor(in: sessions)) { name, _ in
            name
        }
    }

    /// Says something of sessions and names the first of them; `nil` if there are none.
    private static func line(
        _ words: String, _ sessions: [RecordedSession], _ name: (String, RecordedSession) -> String
    ) -> String? {
        guard !sessions.isEmpty else { return nil }
        let names = sessions.prefix(12).map { name("\(printable($0.participant)) session \($0.session)", $0) }
        let more = sessions.count > 12 ? " and \(sessions.count - 12) more" : ""
        return "\(words) (\(sessions.count)): " + names.joined(separator: ", ") + more
    }
}
