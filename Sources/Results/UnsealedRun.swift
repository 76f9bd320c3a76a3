package import Platform
package import StudyModel
import TextFormat

/// The folder of a run that is not sealed, read beside the program that writes it.
package struct UnsealedRun: Sendable {
    /// As much of the journal as was read so far.
    package private(set) var journal: JournalPrefix
    /// The study file, byte for byte.
    package let study: [UInt8]
    private let folder: Folder
    private var size: Int

    /// - Parameter path: a folder whose name ends in `.running`.
    /// - Throws: `FileFailure` also where the journal has no first line yet.
    package init(at path: String) throws(FileFailure) {
        folder = try Folder(path)
        let bytes = try folder.read(Journal.fileName)
        (journal, size) = (try JournalPrefix(of: bytes), bytes.count)
        study = try folder.read(RunningBundle.studyName)
    }

    /// Reads what was written since.
    package mutating func readOn() throws(FileFailure) {
        guard folder.size(of: Journal.fileName) != size else { return }
        let bytes = try folder.read(Journal.fileName)
        size = bytes.count
        journal.readOn(in: bytes)
    }

    /// The heart rate that a recording got last, beats per minute; `nil` if nothing records one now, or if its source is
    /// lost.
    package func lastHeartRate() throws(FileFailure) -> Timed<Double>? {
        guard folder.isFolder(RecorderLog.folder) else { return nil }
        for name in try folder.names(in: RecorderLog.folder).sorted().reversed() {
            guard name.hasSuffix(".jsonl"), let bytes = try? folder.read("\(RecorderLog.folder)/\(name)")
            else { continue }
            for line in Lines(of: bytes).whole.dropFirst().reversed() {
                switch try? RecordedSample(wire: JSON(parsing: bytes, in: line)) {
                case .sample(let sample):
                    guard let heart = sample.value.heart else { break }
                    guard let rate = heart.rate else { continue }
                    return sample.map { _ in rate }
                case .lost: return nil
                case .framesDropped, .flooded, .stoodStill, .told: continue
                case .act, .position, .sound, nil: break
                }
                break
            }
        }
        return nil
    }

    /// Whether a program still writes the run: it holds the journal's lock until it ends, however it ends.
    ///
    /// - Parameter path: of the folder.
    package static func goesOn(_ path: String) -> Bool {
        do throws(FileFailure) { return try Folder(path).isLocked(Journal.fileName) } catch { return false }
    }
}
