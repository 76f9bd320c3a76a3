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

    /// Each adverse event, and the number of other marks.
    var markLines: [String] {
        let marks = Self.marks(in: sessions)
        let adverse = marks.filter(\.mark.isAdverse)
        var lines = adverse.prefix(Self.mostAdverse).map { session, step, mark in
            "\(printable(mark.title)): \(printable(session.participant)), session \(session.session), "
                + "\(printable(step)) at \(seconds(mark.offset)): \(printable(mark.text))"
        }
        if adverse.count > Self.mostAdverse {
            lines.append("and \(adverse.count - Self.mostAdverse) more adverse events")
        }
        let others = marks.filter { !$0.mark.isAdverse }.counts(of: \.mark.kind).sorted { $0.key < $1.key }
        if !others.isEmpty {
            lines.append("also marked: \(listed(others.map { counted($0.value, $0.key) }))")
        }
        return lines
    }

    private static let mostAdverse = 20

    /// Completed sessions that miss a limit of their study.
    package static func poor(in sessions: [RecordedSession]) -> [RecordedSession] {
        sessions.filter { $0.status == "completed" && $0.isPoor == true }
    }

    /// How many sessions are poor, and that they still count.
    var poorLine: String? {
        let poor = Self.poor(in: sessions)
        guard !poor.isEmpty else { return nil }
        let names = poor.prefix(12).map { "\(printable($0.participant)) session \($0.session)" }
        let more = poor.count > 12 ? " and \(poor.count - 12) more" : ""
        return "counted, though poor by the limits of the study (\(poor.count)): "
            + names.joined(separator: ", ") + more
    }
}
