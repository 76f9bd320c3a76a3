import Results
import StudyModel

/// The recordings in progress, and the marks of ratings.
struct RecordingDesk {
    let hasMicrophone: Bool
    private var open: [RecorderKey: OpenRecording] = [:]
    /// Where the mark of each rating stands, by its recorder.
    var marks: [Identifier: RatingMark] = [:]

    init(hasMicrophone: Bool) { self.hasMicrophone = hasMicrophone }

    subscript(key: RecorderKey) -> OpenRecording? {
        get { open[key] }
        set { open[key] = newValue }
    }

    /// A recording that was not told to stop.
    func running(_ key: RecorderKey) -> OpenRecording? { open[key].flatMap { $0.stop == nil ? $0 : nil } }

    /// All of them, by their keys.
    var keys: [RecorderKey] { open.keys.sorted() }

    /// Those of a source, in order.
    func of(_ source: Identifier) -> [OpenRecording] {
        open.values.filter { $0.configuration.sourceName == source }.sorted { $0.key < $1.key }
    }

    /// The recording to which something belongs that the participant did at a moment, also shortly after its end.
    func recording(by recorder: Identifier, in ordinal: Int, at instant: RunInstant) -> OpenRecording? {
        open.values.first {
            $0.key.ordinal == ordinal && $0.key.recorder == recorder && $0.covers(instant)
        }
    }

    /// The rating that a control moves at a moment.
    func rating(by source: Identifier, at instant: RunInstant) -> OpenRecording? {
        open.values.first {
            $0.configuration.rating != nil && $0.configuration.sourceName == source && $0.covers(instant)
        }
    }

    /// Those of what the participant does.
    var events: [RecorderKey] {
        open.values.filter { $0.configuration.signal == .events && $0.stop == nil }.map(\.key).sorted()
    }

    /// Those of positions in clips.
    var positions: [RecorderKey] {
        open.values.filter { $0.configuration.signal == .stimulusPosition }.map(\.key)
            .sorted { ($0.ordinal, $0.segment) < ($1.ordinal, $1.segment) }
    }

    var isRecordingSound: Bool {
        open.values.contains { $0.configuration.signal == .audio && $0.stop == nil }
    }
}
