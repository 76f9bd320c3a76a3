/// The columns of what recorders keep.
extension Table {
    static let sampleColumns: [Column] =
        visit + [
            .optional("stimulus", .text, "the clip"), .required("recorder", .text, "the recorder"),
            .required("offset_seconds", .real, "when it was measured, s since the run's start"),
            .required("time", .time, "when it was measured"),
            .required("bpm", .real, "heart rate, 1/min"), .required("source", .text, "where it came from"),
            .optional("quality", .real, "quality of the signal, 0...1"),
            .optional(
                "expected_bpm", .real,
                "heart rate that the study expected then, 1/min; empty if it expects none"),
            .optional("deviation_bpm", .real, "the heart rate minus the expected one, 1/min"),
            .optional("in_band", .boolean, "whether it was within what still counts as expected"),
            .required(
                "counted", .boolean,
                "whether it counts: it is of the run's source, by one recorder, in a step that was not repeated"
            ),
        ]

    static let beatColumns: [Column] =
        visit + [
            .optional("stimulus", .text, "the clip"), .required("recorder", .text, "the recorder"),
            .required("offset_seconds", .real, "when the interval ended, s since the run's start"),
            .required("rr_seconds", .real, "time between two beats, s"),
            .required("source", .text, "where it came from"),
            .required(
                "counted", .boolean,
                "whether it counts: it is of the run's source, by one recorder, in a step that was not repeated"
            ),
        ]

    static let ratingColumns: [Column] =
        visit + [
            .optional("stimulus", .text, "the clip"), .required("recorder", .text, "the recorder"),
            .required("dimension", .text, "what was rated"),
            .required(
                "kind", .text,
                "start: where the mark was; change: the participant moved it; sample: a regular sample"),
            .required("offset_seconds", .real, "when the mark was there, s since the run's start"),
            .required("value", .real, "where it was, on its scale"),
        ]

    static let tapColumns: [Column] =
        visit + [
            .optional("stimulus", .text, "the clip"), .required("recorder", .text, "the recorder"),
            .required("key", .text, "the key"),
            .required("offset_seconds", .real, "when it was pressed, s since the run's start"),
            .optional(
                "position_seconds", .real, "what was heard of the clip then, as a position in its file, s"),
            .optional("beat", .integer, "the number of the nearest beat of the clip, from 1"),
            .optional("asynchrony_seconds", .real, "the tap's moment minus the beat's, s; below 0: early"),
            .optional(
                "phase_degrees", .real, "the asynchrony as an angle, −180...180; a full turn is one beat"),
        ]

    static let displayColumns: [Column] =
        visit + [
            .optional("stimulus", .text, "the clip"), .required("recorder", .text, "the recorder"),
            .required("display", .text, "what is displayed: heartRate, rmssd, sdnn or pacer"),
            .required(
                "shown", .text,
                "value: a number; unknown: that it is not known yet; lost: that there is no signal; in, hold, out, "
                    + "holdOut: a part of a breath"),
            .required("offset_seconds", .real, "since when it was shown, s since the run's start"),
            .optional("value", .real, "the number, as shown"), .optional("unit", .text, "its unit, in UCUM"),
        ]

    static let numberColumns: [Column] =
        visit + [
            .optional("stimulus", .text, "the clip"), .required("recorder", .text, "the recorder"),
            .required("signal", .text, "what was measured"),
            .required("offset_seconds", .real, "when it was measured, s since the run's start"),
            .required("value", .real, "what was measured, in its unit"),
            .optional("unit", .text, "the unit, in UCUM"), .required("source", .text, "where it came from"),
            .optional("channel", .text, "the channel, if the signal has several"),
        ]
}
