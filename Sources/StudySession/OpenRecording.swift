import Results
import StudyModel

/// A recording that is going on. What belongs to it is judged from its log when it is over.
struct OpenRecording {
    let key: RecorderKey
    let configuration: RecorderConfiguration
    let start: RunInstant
    /// When it is to end, once that is known; samples of its time are still taken until the grace is over.
    var stop: RunInstant?
    /// The visit in whose folder the file will lie.
    var visit: VisitName
}
