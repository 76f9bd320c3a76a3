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
    /// One row per number of any other signal. A dataset without such numbers lacks this table.
    case numbers
    /// One row per position of a rating and dimension. A dataset without ratings lacks this table.
    case ratings
    /// One row per tap. A dataset without taps lacks this table.
    case taps
    /// One row per change of what a display showed. A dataset without displays lacks this table.
    case displays
    /// One row per item that was drawn.
    case draws
    /// One row per question that was asked, answered or not.
    case answers
    /// One row per thing that is known of the participant of a run: their arm, and what they answered before anything was
    /// timed. A dataset of which nothing is known lacks this table.
    case participants
    /// One row per mark of the experimenter. A dataset without marks lacks this table.
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
                case .sessions: Self.sessionColumns
                case .steps: Self.stepColumns
                case .recordings: Self.recordingColumns
                case .samples: Self.sampleColumns
                case .beats: Self.beatColumns
                case .numbers: Self.numberColumns
                case .ratings: Self.ratingColumns
                case .taps: Self.tapColumns
                case .displays: Self.displayColumns
                case .draws: Self.drawColumns
                case .answers: Self.answerColumns
                case .participants: Self.participantColumns
                case .marks: Self.markColumns
                case .events: Self.eventColumns
                case .codebook: Self.codebookColumns
                case .outcomes: Self.outcomeColumns
                }
            }()
    }

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

    /// Whether the table only exists if it has rows.
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

    static let visit: [Column] = [
        .required("step", .text, "identifiers of the blocks and the step, joined by '.'"),
        .required("visit", .integer, "how often the step had been shown, from 1"),
    ]

    private static let sessionColumns: [Column] =
        [
            .required("task", .text, "the task"), .required("revision", .integer, "the study's revision"),
            .required("study_sha256", .text, "SHA-256 of the study file"),
            .required("start", .time, "when the run began"),
            .required("zone", .text, "the zone of the run, as the IANA database names it"),
            .required("utc_offset", .integer, "seconds east of UTC"),
            .required("duration_seconds", .real, "how long the run lasted, s"),
            .required("status", .text, "how it ended"),
            .optional(
                "poor", .boolean,
                "whether it misses a limit of the study's 'quality'; empty if that sets none"),
            .required("recovered", .boolean, "whether it was recovered after the program was killed"),
            .required("clock_adjusted", .boolean, "whether the wall clock was changed during the run"),
            .required(
                "origin", .text,
                "recorded, replayed, simulated, or unknown: whether the data come from a participant"),
            .optional(
                "simulated_participant", .boolean, "whether a program answered in the participant's place"),
            .optional("sources", .text, "the kind of each source that was recorded, as JSON"),
            .optional("speed", .real, "seconds of the run per second of real time; empty if it did not wait"),
            .optional("repeat_reason", .text, "why the session was run again, if it was"),
            .optional(
                "meaning_sha256", .text,
                "SHA-256 of what the study says, apart from comments and ways of writing"),
            .optional(
                "registration_sha256", .text,
                "SHA-256 of the registration that the study names, if it names one"),
            .optional(
                "deviation", .text, "how the run departed from the protocol, as the people who ran it said"),
            .optional(
                "continues", .text,
                "the run that this one continues; all that was recorded in that one is in this one, too"),
            .optional(
                "interrupted_seconds", .real,
                "how much of the duration passed until the run was continued, s; empty if it was not"),
            .optional("gathering", .text, "the UUID of all who took part at once, if several did"),
            .optional(
                "gathering_place", .integer,
                "which of them this participant was, from 1; only number 1 was asked"),
            .optional("arm", .text, "the participant's arm, if the study has arms"),
            .optional("session_name", .text, "the session's name, if the study lists its sessions"),
            .optional(
                "session_day", .integer,
                "calendar days since the first session that the participant had completed, if the study lists its sessions"
            ),
            .optional("language", .text, "language of the texts"),
            .required("program", .text, "version of the program that ran it"),
            .optional("seed", .text, "seed of all draws; empty if codes are replaced"),
            .required("manifest_sha256", .text, "SHA-256 of the bundle's manifest"),
        ] + Table.counted.map { .required($0.rawValue, .integer, "rows of this run in \($0.rawValue)") } + [
            .required(
                "other_items", .integer, "items of recorders that no table holds; they stay in the bundle")
        ]

    /// The tables whose rows are counted in `sessions`.
    package static let counted: [Table] = [.steps, .recordings, .samples, .beats, .draws, .answers, .events]

    private static let stepColumns: [Column] = [
        .required("position", .integer, "place among the run's steps, from 1"),
        .required("step", .text, "identifiers of the blocks and the step, joined by '.'"),
        .required("visit", .integer, "how often the step had been shown, from 1"),
        .optional("round", .integer, "round of its block, from 1"),
        .required("start_seconds", .real, "when it was shown, s since the run's start"),
        .required("end_seconds", .real, "when it was left, s since the run's start"),
        .optional("planned_seconds", .real, "planned duration, s"),
        .optional("actual_seconds", .real, "duration without pauses, s"),
        .optional("standstill_seconds", .real, "how long the program stood still meanwhile, s; empty if not"),
        .optional(
            "ended_by", .text,
            "what ended a step that a condition or a program can end: until, program, or its duration"),
        .required("skipped", .boolean, "whether it was left early"),
        .optional("skip_reason", .text, "why it was left early"),
        .required(
            "replaced", .boolean, "whether the experimenter repeated it, so that a later visit counts instead"
        ),
        .optional(
            "timed_out", .boolean, "whether the time for answering was over before the answers were sent"),
        .optional("condition", .text, "the condition of the block's round"),
        .optional("condition_values", .text, "the values of that condition, as JSON"),
        .optional("outer_round", .integer, "round of the block around its block, from 1"),
        .optional("outer_condition", .text, "the condition or clip of that round"),
        .optional("outermost_round", .integer, "round of the block around that one, from 1"),
        .optional("outermost_condition", .text, "the condition or clip of that round"),
        .optional("stimulus", .text, "the clip"), .optional("stimulus_title", .text, "the clip's title"),
        .optional("mood", .text, "the clip's mood, from its catalogue"),
        .optional("tempo", .real, "the clip's tempo, beats per minute, from its catalogue"),
        .optional("attributes", .text, "all attributes of the clip, as JSON"),
        .optional(
            "clip_start_seconds", .real,
            "from which position of its file the clip was played, s; empty if from the beginning"),
        .optional("onset_seconds", .real, "when the clip was first heard, s since the run's start"),
        .optional("offset_seconds", .real, "when the clip ended, s since the run's start"),
        .optional(
            "stimulus_gain", .real, "change of level with which the clip was played, dB; empty without sound"),
        .optional(
            "stimulus_tempo", .real,
            "mean tempo at which the clip was heard, as a factor of its own; empty if it did not change"),
        .optional(
            "stimulus_changes", .text,
            "how tempo and level changed while the clip was heard, as JSON: offset and position in s, gain in dB"
        ),
        .optional("underruns", .integer, "how often the sound device ran out of sound during the clip"),
        .optional("clip_problem", .text, "why the clip was not heard as planned"),
        .optional("lateness", .text, "how late each planned moment was, s, as JSON"),
        .optional("worst_lateness_seconds", .real, "the largest of them, with its sign, s"),
        .optional("coverage", .real, "lowest share of a recording with samples, 0...1"),
        .required("samples", .integer, "heart-rate samples recorded"),
        .optional(
            "expected_error_bpm", .real,
            "mean distance of the heart rate from the expected one, 1/min; empty if the study expects none"),
        .optional("in_band_share", .real, "share of the measured time in which it was as expected, 0...1"),
        .optional("taps", .integer, "taps; empty if no taps were recorded"),
        .optional("taps_on_beats", .integer, "how many of them have a beat near"),
        .optional(
            "asynchrony_seconds", .real, "mean of these taps' moments minus their beats', s; below 0: early"),
        .optional("asynchrony_sd_seconds", .real, "standard deviation of these (n − 1), s"),
        .optional(
            "phase_direction_degrees", .real,
            "direction of the mean of their phases as unit vectors, −180...180; a full turn is one beat"),
        .optional(
            "phase_vector_length", .real, "length of that mean, 0...1; 1 if all taps have the same phase"),
        .optional(
            "beats_recorder", .text,
            "the recorder in whose ECG or PPG the study finds the step's heart rates and intervals, if it names one"
        ),
        .optional("breathing_rate", .real, "breaths, 1/min; empty if nothing tells"),
        .optional(
            "breathing_quality", .real,
            "how sure that is, 0...1; below 0.5 the rate is doubtful"),
        .optional("breathing_from", .text, "what the rate was worked out from: belt, ecg or intervals"),
    ]

    private static let recordingColumns: [Column] =
        visit + [
            .required("recorder", .text, "the recorder"),
            .required("segment", .integer, "number of the recording between pauses, from 1"),
            .required("part", .integer, "number of the file within the recording, from 1"),
            .required("file", .text, "the file's bare name in the bundle"),
            .optional("quantity", .text, "what was recorded"),
            .optional("source", .text, "where it comes from"),
            .optional("source_kind", .text, "the kind of that source in this run"),
            .required("start_seconds", .real, "when recording began, s since the run's start"),
            .required("end_seconds", .real, "when it ended, s since the run's start"),
            .required("count", .integer, "samples in the file; frames of sound"),
            .required("coverage", .real, "share of the time with samples, 0...1"),
            .required("gaps", .integer, "times without samples"),
            .required("gap_seconds", .real, "how long these are together, s"),
            .required("gap_details", .text, "each of them with its reason, as JSON, s since the run's start"),
            .required("late", .integer, "samples that came after the end and were kept"),
            .required("dropped", .integer, "samples that were not kept"),
            .optional("quality", .real, "mean quality of its heart rates' signal, 0...1"),
            .optional("empty_reason", .text, "why it is empty"),
            .optional("changes", .integer, "how often the participant moved the mark of a rating"),
            .optional("battery", .integer, "the sensor's battery, percent"),
            .optional("sensor_location", .text, "where the sensor was worn"),
        ]

    private static let drawColumns: [Column] = [
        .required("draw", .integer, "place among the run's draws, from 1"),
        .required("place", .integer, "place within the draw, from 1"),
        .required("stream", .text, "the stream of random numbers"),
        .required("method", .text, "how it was drawn"),
        .required("chosen", .text, "what was drawn"), .required("pool_size", .integer, "out of how many"),
        .optional("number", .integer, "the participant's number"),
        .optional("row", .integer, "row of the square"),
    ]

    private static let answerColumns: [Column] =
        visit + [
            .optional(
                "stimulus", .text,
                "the clip of the same step, or the last one before it: in the same round of its block, or outside of blocks"
            ),
            .required("question", .text, "the question"), .required("kind", .text, "ResearchKit's class"),
            .optional("answer", .text, "the answer as text; several choices as a JSON list"),
            .optional("value", .real, "the answer as a number, if it is one"),
            .optional("unit", .text, "the number's unit"),
            .optional("other", .text, "the words of a choice that asks for words"),
            .optional("shown_seconds", .real, "when it was first shown, s since the run's start"),
            .optional(
                "touched_seconds", .real, "when the first key was pressed for it, s since the run's start"),
            .optional("changed_seconds", .real, "when its answer last changed, s since the run's start"),
            .optional("confirmed_seconds", .real, "when it was confirmed, s since the run's start"),
            .optional("changes", .integer, "how often its answer changed"),
            .optional("prompt", .integer, "which asking of a prompt it is, from 1; empty if a step asked"),
            .optional("prompt_planned_seconds", .real, "when the prompt was due, s since the run's start"),
            .optional(
                "prompt_shown_seconds", .real,
                "when the prompt was shown, s since the run's start; empty if it never was"),
            .optional("prompt_ended_seconds", .real, "when the prompt was over, s since the run's start"),
            .optional(
                "prompt_ended_by", .text, "what ended the prompt: answer, timeLimit, nextPrompt or stepEnd"),
            .optional("key", .text, "the key that answered, if a key was to answer"),
            .optional("reaction_seconds", .real, "from the onset to the key, s"),
            .optional(
                "onset_seconds", .real,
                "the moment from which the reaction is measured, s since the run's start"),
            .optional(
                "measured_from", .text,
                "what happened at the onset: sound (heard), plannedSound (nobody could hear it) or step (the step's start)"
            ),
            .optional("right", .boolean, "whether it was the right key; empty if none came or none is right"),
            .optional(
                "ignored_keys", .integer,
                "keys that did not count: before the onset, or repeated by a held key"),
        ]

    private static let participantColumns: [Column] = [
        .required("characteristic", .text, "the question's identifier, or 'arm'"),
        .required("kind", .text, "number, boolean, choice, choices or arm"),
        .required("value", .text, "what it is, as text; several choices as a JSON list"),
        .optional("number", .real, "a number or a position on a scale"),
        .optional("unit", .text, "the unit of a number, as the study names it"),
    ]

    private static let markColumns: [Column] =
        visit + [
            .required("offset_seconds", .real, "when it was noted, s since the run's start"),
            .required("kind", .text, "note, disturbance, adverse, control, alarm or acknowledgement"),
            .optional("severity", .text, "how bad it was for the participant: mild, moderate or severe"),
            .optional("control", .text, "what the experimenter did to the run, such as pause or restart"),
            .required("text", .text, "the experimenter's words, or the rule of an alarm"),
            .optional("author", .text, "who it was, as far as it was said"),
            .optional(
                "uncertainty_seconds", .real,
                "how far the moment may be off, s, if the mark came from another machine"),
        ]

    private static let eventColumns: [Column] = [
        .required("number", .integer, "line of the journal, from 1"),
        .required("offset_seconds", .real, "when it happened, s since the run's start"),
        .required("kind", .text, "'event' for what happened, 'effect' for what the program did about it"),
        .required("name", .text, "what it was"), .optional("detail", .text, "the rest, as JSON"),
    ]

    private static let outcomeColumns: [Column] = [
        .required("study", .text, "the study's identifier"),
        .required("study_sha256", .text, "SHA-256 of the study file"),
        .required("rank", .text, "primary, secondary, or usual if the study names no outcomes"),
        .required("measure", .text, "what is measured, in the words of the study format"),
        .required("of", .text, "the step, question or score, as the study names it"),
        .required("steps", .text, "the steps that give it, as in the other tables, separated by blanks"),
        .optional("item", .text, "the question, the score or the dimension of a rating"),
        .optional(
            "relative_to", .text, "the step or question to which it is relative, as the study names it"),
        .optional("relative_steps", .text, "the steps that give that, separated by blanks"),
        .optional("relative_item", .text, "the question, the score or the dimension that gives that"),
    ]

    private static let codebookColumns: [Column] = [
        .required("study", .text, "the study's identifier"),
        .required("study_sha256", .text, "SHA-256 of the study file"), .required("task", .text, "the task"),
        .required("step", .text, "identifiers of the blocks and the step, joined by '.'"),
        .required("question", .text, "the question"),
        .required("kind", .text, "the kind of answer, in the words of the study format"),
        .optional("language", .text, "language of the texts, if the study names languages"),
        .optional("title", .text, "the question as the participant reads it"),
        .optional("text", .text, "more words below it"),
        .required("optional", .boolean, "whether it may be left unanswered"),
        .optional("unit", .text, "the unit of a number"),
        .optional("minimum", .real, "the least number; the lower end of a scale"),
        .optional("maximum", .real, "the greatest number; the upper end of a scale"),
        .optional("earliest", .text, "the first day or time"),
        .optional("latest", .text, "the last day or time"),
        .optional("place", .integer, "place of the value among those with a meaning, from 1"),
        .optional("value", .text, "the value, as in the table of answers"),
        .optional("label", .text, "what the value means, as the participant reads it"),
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
