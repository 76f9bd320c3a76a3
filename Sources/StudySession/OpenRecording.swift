import Results
import StudyModel

/// A recording in progress. Which samples belong to it is decided from its log when it is over.
struct OpenRecording {
    let key: RecorderKey
    let configuration: RecorderConfiguration
    let start: RunInstant
    /// When it is to end, once that is known. Samples from before this moment are still accepted until the grace is
    /// over.
    var stop: RunInstant?
    /// When it was to end, if its step ended before its time.
    var due: RunInstant?
    /// Whether its file is complete, although the recording goes on: the microphone was lost.
    var isComplete = false
    /// What a display shows.
    var shown: Biofeedback.Shown?
    /// The visit in whose folder the file will lie.
    var visit: VisitName

    /// Whether what was measured at a moment belongs to it.
    func covers(_ instant: RunInstant) -> Bool { start <= instant && stop.map { instant < $0 } != false }
}
