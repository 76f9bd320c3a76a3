import Results
import StudyModel
import TextFormat

/// A file of a recorder: a row of `recordings`.
struct RecordingRow {
    var visit: ResultBundle.Visit
    var recording: ResultBundle.Recording
    /// The source, and its kind in this run.
    var source: String?
    var sourceKind: String?
    var said: RecordingRows.SignalSummary?

    private typealias Column = RowColumn<Self>

    static let columns: [RowColumn<Self>] = RowColumn.list {
        Column.visit { $0.visit }
        Column.required("recorder", .text, "the recorder") { $0.recording.recorder }
        Column.required("segment", .integer, "number of the recording between pauses, from 1") {
            $0.recording.segment
        }
        Column.required("part", .integer, "number of the file within the recording, from 1") {
            $0.recording.part
        }
        Column.required("file", .text, "the file's bare name in the bundle") { $0.recording.name }
        Column.optional("quantity", .text, "what was recorded") { $0.recording.quantity }
        Column.optional("source", .text, "where it comes from") { $0.source }
        Column.optional("source_kind", .text, "the kind of that source in this run") { $0.sourceKind }
        Column.required("start_seconds", .real, "when recording began, s since the run's start") {
            $0.recording.start
        }
        Column.required("end_seconds", .real, "when it ended, s since the run's start") { $0.recording.end }
        Column.required("count", .integer, "samples in the file; frames of sound") {
            $0.recording.sampleCount
        }
        Column.required("coverage", .real, "share of the time with samples, 0...1") { $0.recording.coverage }
        Column.required("gaps", .integer, "times without samples") { $0.recording.gaps.count }
        Column.required("gap_seconds", .real, "how long these are together, s") { $0.recording.gapSeconds }
        Column.required(
            "gap_details", .json, "each of them with its reason, as JSON, s since the run's start"
        ) { $0.recording.gapsJSON }
        Column.required("late", .integer, "samples that came after the end and were kept") {
            $0.recording.lateSamples
        }
        Column.required("dropped", .integer, "samples that were not kept") { $0.recording.droppedSamples }
        Column.optional("quality", .real, "mean quality of its heart rates' signal, 0...1") {
            $0.said?.meanQuality
        }
        Column.optional("empty_reason", .text, "why it is empty") { $0.recording.reason }
        Column.optional("changes", .integer, "how often the participant moved the mark of a rating") {
            $0.recording.rating?.changes
        }
        Column.optional("battery", .integer, "the sensor's battery, percent") { $0.recording.source?.battery }
        Column.optional("sensor_location", .text, "where the sensor was worn") {
            $0.recording.source?.sensorLocation
        }
    }
}

extension ResultBundle.Recording {
    /// What was recorded: the signal's name.
    fileprivate var quantity: String? {
        Signal.all.first { name.hasPrefix($0.type + "_") }?.name
    }

    /// The total length of all gaps, exact to the nanosecond.
    fileprivate var gapSeconds: Double { gaps.map(\.span).totalLength }

    fileprivate var gapsJSON: JSON {
        .list(
            gaps.map {
                [
                    "from": .real($0.span.lowerBound), "to": .real($0.span.upperBound),
                    "reason": .text($0.reason),
                ]
            })
    }
}
