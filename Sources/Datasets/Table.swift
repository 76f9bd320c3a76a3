import Results

/// The tables that bundles are collated into.
package enum Table: String, CaseIterable, Sendable {
    /// One row per run, with the number of its rows in every other table.
    case sessions
    /// One row per visit of a step, in visiting order.
    case steps
    /// One row per file of a recorder, with what it contains and what is missing.
    case recordings
    /// One row per heart-rate sample.
    case samples
    /// One row per interval between beats.
    case beats
    /// One row per number of any other signal.
    case numbers
    /// One row per position of a rating and dimension.
    case ratings
    /// One row per tap.
    case taps
    /// One row per change of what a display showed.
    case displays
    /// One row per item that was drawn.
    case draws
    /// One row per question that was asked, answered or not.
    case answers
    /// One row per thing that is known of the participant of a run: their arm, and what they answered before anything was
    /// timed.
    case participants
    /// One row per mark of the experimenter.
    case marks
    /// One row per line of the journal: events and effects.
    case events
    /// One row per value with a meaning of a question, or per question; once for each text of a study and each
    /// language.
    case codebook
    /// One row per outcome that a study names or usually has; once for each text of a study.
    case outcomes

    /// What one cell holds.
    package enum Kind: Sendable {
        case text, integer, real, boolean
        /// RFC 3339 with three decimals and `Z`.
        case time
    }

    /// One column.
    package struct Column: Sendable {
        package var name: String
        package var kind: Kind
        /// Whether every row has a value.
        package var isRequired: Bool
        /// Its meaning, with its unit.
        package var meaning: String
    }

    /// The columns in order. The first four are the same in every table of runs, and say which run a row belongs
    /// to.
    package var columns: [Column] {
        (isOfRuns ? Self.run : [])
            + {
                switch self {
                case .sessions: SessionRow.columns.map(\.column)
                case .steps: VisitRow.columns.map(\.column)
                case .recordings: RecordingRow.columns.map(\.column)
                case .samples: Self.sampleColumns
                case .beats: Self.beatColumns
                case .numbers: Self.numberColumns
                case .ratings: Self.ratingColumns
                case .taps: Self.tapColumns
                case .displays: Self.displayColumns
                case .draws: DrawRow.columns.map(\.column)
                case .answers: AnswerRow.columns.map(\.column)
                case .participants: ParticipantTrait.columns.map(\.column)
                case .marks: MarkRow.columns.map(\.column)
                case .events: Self.eventColumns
                case .codebook: CodebookRow.columns.map(\.column)
                case .outcomes: OutcomeRow.columns.map(\.column)
                }
            }()
    }

    /// The first line of its CSV files: the names of its columns.
    package var header: [UInt8] { Array((columns.map(\.name).joined(separator: ",") + "\n").utf8) }

    /// The columns that identify a row; empty if equal rows are possible.
    package var key: [String] {
        switch self {
        case .sessions: ["run"]
        case .steps: ["run", "position"]
        case .recordings: ["run", "file"]
        case .draws: ["run", "draw", "place"]
        case .events: ["run", "number"]
        case .participants: ["run", "characteristic"]
        case .samples, .beats, .numbers, .ratings, .taps, .displays, .answers, .marks, .codebook, .outcomes:
            []
        }
    }

    /// Whether only some studies have rows of it.
    var isOptional: Bool {
        [.numbers, .ratings, .taps, .displays, .participants, .marks, .codebook, .outcomes].contains(self)
    }

    /// Whether each row belongs to a run.
    var isOfRuns: Bool { self != .codebook && self != .outcomes }

    /// The word for one row.
    package var rowName: String { self == .codebook ? "codebook row" : String(rawValue.dropLast()) }

    private static let run: [Column] = [
        .required("run", .text, "the run's UUID"), .required("study", .text, "the study's identifier"),
        .required("participant", .text, "the participant's code"),
        .required("session", .integer, "the session, from 1"),
    ]

    static let visit: [Column] = RowColumn<ResultBundle.Visit>.visit { $0 }.map(\.column)

    /// The tables whose rows are counted in `sessions`.
    package static let counted = allCases.filter { $0.isOfRuns && $0 != .sessions }

    private static let eventColumns: [Column] = [
        .required("number", .integer, "line of the journal, from 1"),
        .required("offset_seconds", .real, "when it happened, s since the run's start"),
        .required("kind", .text, "'event' for what happened, 'effect' for what the program did about it"),
        .required("name", .text, "what it was"), .optional("detail", .text, "the rest, as JSON"),
    ]
}

extension Table.Column {
    static func required(_ name: String, _ kind: Table.Kind, _ meaning: String) -> Self {
        Self(name: name, kind: kind, isRequired: true, meaning: meaning)
    }

    static func optional(_ name: String, _ kind: Table.Kind, _ meaning: String) -> Self {
        Self(name: name, kind: kind, isRequired: false, meaning: meaning)
    }
}
