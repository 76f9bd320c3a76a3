import Physiology
import Results
import StudyModel
import TextFormat

/// A visit of a step: a row of `steps`.
struct VisitRow {
    var visit: ResultBundle.Visit
    /// Whether a later visit counts instead.
    var isReplaced: Bool
    /// What the catalogue says of its clip.
    var attributes: JSON?
    /// How many heart rates were recorded.
    var samples: Int
    var comparison: CurveComparison?
    var taps: TapSummary?
    var heart: HeartFigures?
    var beats: WaveBeats?
    var refusedSeconds: Double?
    var breathing: Breathing?

    private var clip: ResultBundle.Clip? { visit.clip }

    /// A round of a block around its own block, 0 for the nearest. Blocks nest at most three levels deep.
    private func outer(_ level: Int) -> ResultBundle.OuterRound? { visit.outerRounds.dropLast(level).last }

    private static func values(of condition: ResultBundle.Condition?) -> JSON? {
        condition.map { .members($0.values.mapValues { .text($0) }) }
    }

    private static func thousandths(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

    private typealias Column = RowColumn<Self>

    static let columns: [RowColumn<Self>] = RowColumn.list {
        Column.required("position", .integer, "place among the run's steps, from 1") { $0.visit.ordinal }
        Column.visit { $0.visit }
        Column.optional("round", .integer, "round of its block, from 1") { $0.visit.round }
        Column.required("start_seconds", .real, "when it was shown, s since the run's start") {
            $0.visit.start
        }
        Column.required("end_seconds", .real, "when it was left, s since the run's start") { $0.visit.end }
        Column.optional("planned_seconds", .real, "planned duration, s") { $0.visit.plannedDuration }
        Column.optional("actual_seconds", .real, "duration without pauses, s") { $0.visit.actualDuration }
        Column.optional(
            "standstill_seconds", .real, "how long the program stood still meanwhile, s; empty if not"
        ) { $0.visit.stoodStill }
        Column.optional(
            "ended_by", .text,
            "what ended a step that a condition or a program can end: until, program, or its duration"
        ) { $0.visit.endedBy }
        Column.required("skipped", .boolean, "whether it was left early") { $0.visit.isSkipped }
        Column.optional("skip_reason", .text, "why it was left early") { $0.visit.skipReason }
        Column.required(
            "replaced", .boolean, "whether the experimenter repeated it, so that a later visit counts instead"
        ) { $0.isReplaced }
        Column.optional(
            "timed_out", .boolean, "whether the time for answering was over before the answers were sent"
        ) { $0.visit.isTimedOut }
        Column.optional("condition", .text, "the condition of the block's round") {
            $0.visit.condition?.identifier
        }
        Column.optional("condition_values", .json, "the values of that condition, as JSON") {
            values(of: $0.visit.condition)
        }
        Column.optional("track", .text, "the track of a staircase; empty if it has only one") {
            $0.visit.trial?.track?.text
        }
        Column.optional(
            "trial_value", .real, "the value of a staircase in this trial; empty if it is no trial"
        ) {
            $0.visit.trial?.value
        }
        Column.optional(
            "trial_right", .boolean, "whether the trial's answer was right; a missing one is wrong"
        ) {
            $0.visit.trial?.isRight
        }
        Column.optional("reversal", .boolean, "whether the staircase turned after the trial") {
            $0.visit.trial?.isReversal
        }
        Column.optional(
            "ladder_end", .boolean, "whether the staircase would have gone on, but there was no row beyond"
        ) { $0.visit.trial?.isAtEnd }
        Column.optional("outer_round", .integer, "round of the block around its block, from 1") {
            $0.outer(0)?.round
        }
        Column.optional("outer_condition", .text, "the condition or clip of that round") {
            $0.outer(0)?.condition?.identifier
        }
        Column.optional("outer_condition_values", .json, "the values of that condition or clip, as JSON") {
            values(of: $0.outer(0)?.condition)
        }
        Column.optional("outermost_round", .integer, "round of the block around that one, from 1") {
            $0.outer(1)?.round
        }
        Column.optional("outermost_condition", .text, "the condition or clip of that round") {
            $0.outer(1)?.condition?.identifier
        }
        Column.optional("outermost_condition_values", .json, "the values of that, as JSON") {
            values(of: $0.outer(1)?.condition)
        }
        Column.optional("stimulus", .text, "the clip") { $0.clip?.identifier }
        Column.optional("stimulus_title", .text, "the clip's title") { $0.clip?.title }
        Column.optional("mood", .text, "the clip's mood, from its catalogue") { $0.attributes?["mood"]?.text }
        Column.optional("tempo", .real, "the clip's tempo, beats per minute, from its catalogue") { row in
            row.attributes?["tempo"]?.text.flatMap { Double($0) }
        }
        Column.optional("attributes", .json, "all attributes of the clip, as JSON") { $0.attributes }
        Column.optional(
            "clip_start_seconds", .real,
            "from which position of its file the clip was played, s; empty if from the beginning"
        ) { $0.clip?.start }
        Column.optional("onset_seconds", .real, "when the clip was first heard, s since the run's start") {
            $0.clip?.onset
        }
        Column.optional("offset_seconds", .real, "when the clip ended, s since the run's start") {
            $0.clip?.end
        }
        Column.optional(
            "stimulus_gain", .real, "change of level with which the clip was played, dB; empty without sound"
        ) { $0.clip?.gain }
        Column.optional(
            "stimulus_tempo", .real,
            "mean tempo at which the clip was heard, as a factor of its own; empty if it did not change"
        ) { $0.visit.meanTempo }
        Column.optional(
            "stimulus_changes", .json,
            "how tempo and level changed while the clip was heard, as JSON: offset and position in s, gain in dB"
        ) { row in row.clip.flatMap { $0.changes.isEmpty ? nil : .list($0.changes.map(\.json)) } }
        Column.optional("underruns", .integer, "how often the sound device ran out of sound during the clip")
        { $0.clip?.underruns }
        Column.optional("clip_problem", .text, "why the clip was not heard as planned") { $0.clip?.problem }
        Column.optional("lateness", .json, "how late each planned moment was, s, as JSON") {
            $0.visit.latenessJSON
        }
        Column.optional("worst_lateness_seconds", .real, "the largest of them, with its sign, s") { row in
            row.visit.lateness.max { abs($0.seconds) < abs($1.seconds) }?.seconds
        }
        Column.optional(
            "repeated_cues", .json,
            "when each cue with a condition was given, s since the run's start, by cue, as JSON"
        ) { row in
            row.visit.repeatedCues.isEmpty
                ? nil : .members(row.visit.repeatedCues.mapValues { .list($0.map { .real($0) }) })
        }
        Column.optional("coverage", .real, "lowest share of a recording with samples, 0...1") {
            $0.visit.recordings.map(\.coverage).min()
        }
        Column.required("samples", .integer, "heart-rate samples recorded") { $0.samples }
        Column.optional(
            "expected_error_bpm", .real,
            "mean distance of the heart rate from the expected one, 1/min; empty if the study expects none"
        ) { $0.comparison?.meanAbsoluteError }
        Column.optional(
            "in_band_share", .real, "share of the measured time in which it was as expected, 0...1"
        ) { $0.comparison?.shareInBand }
        HeartFigures.columns { $0.heart }
        Column.optional("taps", .integer, "taps; empty if no taps were recorded") { $0.taps?.count }
        Column.optional("taps_on_beats", .integer, "how many of them have a beat near") { $0.taps?.onBeats }
        Column.optional(
            "asynchrony_seconds", .real, "mean of these taps' moments minus their beats', s; below 0: early"
        ) { $0.taps?.meanAsynchrony }
        Column.optional("asynchrony_sd_seconds", .real, "standard deviation of these (n − 1), s") {
            $0.taps?.asynchronyDeviation
        }
        Column.optional(
            "phase_direction_degrees", .real,
            "direction of the mean of their phases as unit vectors, −180...180; a full turn is one beat"
        ) { $0.taps?.meanDirection }
        Column.optional(
            "phase_vector_length", .real, "length of that mean, 0...1; 1 if all taps have the same phase"
        ) { $0.taps?.vectorLength }
        Column.optional(
            "beats_recorder", .text,
            "the recorder in whose ECG or PPG the study finds the step's heart rates and intervals, if it names one"
        ) { row in row.beats.flatMap { $0.isChosen ? $0.recorder : nil } }
        Column.optional(
            "ecg_refused_seconds", .real,
            "how much of the step's ECG was too poor for beats, s; empty without an ECG"
        ) { row in row.refusedSeconds.map(thousandths) }
        Column.optional("breathing_rate", .real, "breaths, 1/min; empty if nothing tells") { row in
            row.breathing.map { thousandths($0.rate) }
        }
        Column.optional("breathing_quality", .real, "how sure that is, 0...1; below 0.5 the rate is doubtful")
        { row in row.breathing.map { thousandths($0.quality) } }
        Column.optional("breathing_from", .text, "what the rate was worked out from: belt, ecg or intervals")
        { $0.breathing?.origin.rawValue }
    }
}

extension ResultBundle.Visit {
    /// `nil` if no moment was planned.
    fileprivate var latenessJSON: JSON? {
        guard !lateness.isEmpty else { return nil }
        return .members(
            Dictionary(lateness.map { ($0.moment, .real($0.seconds)) }, uniquingKeysWith: { $1 }))
    }
}
