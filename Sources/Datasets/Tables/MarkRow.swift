import Results

/// What somebody noted: a row of `marks`.
struct MarkRow {
    var visit: ResultBundle.Visit
    var mark: ResultBundle.Mark

    private typealias Column = RowColumn<Self>

    static let columns: [RowColumn<Self>] = RowColumn.list {
        Column.visit { $0.visit }
        Column.required("offset_seconds", .real, "when it was noted, s since the run's start") {
            $0.mark.offset
        }
        Column.required("kind", .text, "note, disturbance, adverse, control, alarm or acknowledgement") {
            $0.mark.kind
        }
        Column.optional("severity", .text, "how bad it was for the participant: mild, moderate or severe") {
            $0.mark.severity
        }
        Column.optional("control", .text, "what the experimenter did to the run, such as pause or restart") {
            $0.mark.control
        }
        Column.required("text", .text, "the experimenter's words, or the rule of an alarm") { $0.mark.text }
        Column.optional("author", .text, "who it was, as far as it was said") { $0.mark.author }
        Column.optional(
            "uncertainty_seconds", .real,
            "how far the moment may be off, s, if the mark came from another machine"
        ) { $0.mark.uncertainty }
    }
}
