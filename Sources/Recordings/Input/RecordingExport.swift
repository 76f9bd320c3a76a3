import Glibc
import Platform
import Results
import StudyModel
import TextFormat

/// Writes a recording of any length as JSON with one object a line, in order of time.
///
/// Readings are collected until a run of them is full; the run is then sorted and written. Overlapping runs are
/// merged at the end. The file gets its name only when it is complete.
package final class RecordingExport {
    /// Readings that are sorted in memory.
    private static let runLength = 1 << 17

    /// Where the file goes. Without a path, the file disappears with this value.
    private let path: String?
    private var waiting: [RecordedReading] = []
    private var runs: [SortedRun] = []
    private var file: LineFile?
    private var failure: Int32?

    /// - Throws: if a file with that name exists or cannot be made.
    package init(to path: String) throws(RecordingExport.Failure) {
        self.path = path
        guard unsafe access(path, F_OK) != 0 else { throw .exists(path) }
        guard let file = LineFile(path + ".part") else { throw .system(path, errno) }
        self.file = file
    }

    /// Stores a recording only to read it again with `lines`.
    package init() throws(RecordingExport.Failure) {
        path = nil
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var name = Array((folder + "/entrain-XXXXXX").utf8CString)
        guard let made = unsafe mkdtemp(&name) else { throw .system(folder, errno) }
        let own = unsafe String(cString: made)
        defer { unsafe rmdir(own) }
        guard let file = LineFile(own + "/readings") else { throw .system(own, errno) }
        file.remove()
        self.file = file
    }

    /// Why nothing was written.
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// There is already a file with that name.
        case exists(String)
        /// The system's error number.
        case system(String, Int32)

        package var description: String {
            switch self {
            case .exists(let path): "\(quoted(path)) exists already and stays as it is: choose another name"
            case .system(let path, let code): "\(quoted(path)) cannot be written: \(systemMessage(code))"
            }
        }
    }

    func take(_ reading: RecordedReading) {
        waiting.append(reading)
        if waiting.count >= Self.runLength { writeRun() }
    }

    private func writeRun() {
        guard failure == nil, !waiting.isEmpty, let file else { return }
        let order = waiting.indices.sorted { (waiting[$0].time, $0) < (waiting[$1].time, $1) }
        let start = file.position
        for index in order { file.write(waiting[index].line) }
        let run = SortedRun(
            bytes: start..<file.position, first: waiting[order[0]].time,
            last: waiting[order[order.count - 1]].time)
        runs.append(run)
        waiting.removeAll(keepingCapacity: true)
        failure = file.failure
    }

    /// Gives the file its name.
    package func finish() throws(Failure) {
        writeRun()
        guard let path, var file else { return }
        if failure == nil, !zip(runs, runs.dropFirst()).allSatisfy({ $0.last <= $1.first }) {
            guard let merged = LineFile(path + ".merged") else { throw discard(errno) }
            var lines = RecordedLines(of: runs, in: file)
            while let line = lines.next() { merged.write(line) }
            failure = file.failure ?? merged.failure
            file.remove()
            file = merged
            self.file = merged
            runs = [SortedRun(bytes: 0..<merged.position, first: runs[0].first, last: runs[0].last)]
        }
        file.finish()
        failure = failure ?? file.failure
        if let failure { throw discard(failure) }
        guard unsafe link(file.path, path) == 0 || (unsafe errno == EPERM && rename(file.path, path) == 0)
        else {
            throw discard(errno)
        }
        file.remove()
    }

    /// The lines that were written, in order of time; each call starts again.
    package func lines() throws(Failure) -> RecordedLines {
        writeRun()
        if let failure { throw discard(failure) }
        guard let file else { return RecordedLines() }
        return RecordedLines(of: runs, in: file)
    }

    /// Removes what was written so far.
    package func abandon() { file?.remove() }

    private func discard(_ code: Int32) -> Failure {
        abandon()
        guard let path else { return .system("the folder for temporary files", code) }
        return code == EEXIST ? .exists(path) : .system(path, code)
    }
}

extension RecordedReading {
    /// One object: `t` in seconds, `bpm`, `rr` in seconds.
    fileprivate var line: [UInt8] {
        let sample = completeSample
        var text = "{\"t\":\((time * 1e6).rounded() / 1e6),\"bpm\":\(sample.rate.map { "\($0)" } ?? "null")"
        if !sample.rrIntervals.isEmpty {
            text += ",\"rr\":[" + sample.rrIntervals.map { "\($0)" }.joined(separator: ",") + "]"
        }
        if let contact = sample.sensorContact { text += ",\"contact\":\(contact)" }
        if let quality = sample.quality { text += ",\"quality\":\(quality)" }
        return Array((text + "}\n").utf8)
    }
}
