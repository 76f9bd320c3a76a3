import Platform
import Results
import StudyModel
import TextFormat

/// A sealed bundle for exports, with every file compared with its checksum.
struct ExportSource {
    var run: String
    var study: String
    var studySHA256: String
    var revision: Int
    var task: String
    var participant: String
    var session: Int
    var language: String?
    var program: String
    var start: WallClock
    /// Seconds.
    var duration: Double
    var status: String
    var isRecovered: Bool
    var isClockAdjusted: Bool
    /// Whether the run counts as a participant's, and why.
    var origin: RunOrigin
    var originText: String
    /// An `ORKTaskResult`.
    var result: JSON
    /// Recorders' files of items, by name.
    var items: [String: [UInt8]] = [:]
    /// Recorders' files of columns, by name.
    var columns: [String: [UInt8]] = [:]
    /// Recorders' other files, by name.
    var sounds: [String: [UInt8]] = [:]
    /// The steps' identifiers after those of their blocks, joined by `.`, in visiting order.
    var stepPaths: [String] = []

    /// - Throws: `FileFailure` that names the first thing that is not as it was sealed.
    init(of bundle: ResultBundle) throws(FileFailure) {
        if let problem = try bundle.verifySums().first {
            throw FileFailure("read", "\(bundle.path)/\(problem.path)", .malformed("\(problem)"))
        }
        let manifest = bundle.manifest
        run = manifest.runUUID
        study = manifest.study.text
        studySHA256 = manifest.studySHA256
        revision = manifest.revision
        task = manifest.task.text
        participant = manifest.participant
        session = manifest.session
        language = manifest.language?.tag
        program = manifest.program
        start = manifest.start
        duration = Double(manifest.duration.wholeNanoseconds) / 1e9
        status = manifest.status.rawValue
        isRecovered = manifest.isRecovered
        isClockAdjusted = manifest.isClockAdjusted
        origin = manifest.run.origin
        originText = manifest.run.originText
        result = bundle.result
        stepPaths = manifest.stepPaths
        for recording in bundle.visits.flatMap(\.recordings) {
            let bytes = try bundle.contents(of: recording)
            if recording.holdsItems {
                items[recording.name] = bytes
            } else if recording.holdsColumns {
                columns[recording.name] = bytes
            } else {
                sounds[recording.name] = bytes
            }
        }
    }
}
