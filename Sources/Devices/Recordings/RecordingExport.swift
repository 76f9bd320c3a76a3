import Glibc
import StudyModel
import StudySession

/// Writes a recording as JSON with one object a line, in order of time, however long it is.
///
/// Readings are kept until a run of them is full, sorted and written; runs that overlap are merged at the end. The
/// file has its name only when it is whole.
package final class RecordingExport {
    /// Readings that are sorted in memory.
    private static let runLength = 1 << 17

    private let path: String
    private var waiting: [RecordedReading] = []
    private var runs: [SortedRun] = []
    private var file: LineFile?
    private var failure: Int32?

    /// - Throws: where a file of that name exists or cannot be made.
    package init(to path: String) throws(RecordingExport.Failure) {
        self.path = path
        guard unsafe access(path, F_OK) != 0 else { throw .exists(path) }
        guard let file = LineFile(path + ".part") else { throw .system(path, errno) }
        self.file = file
    }

    /// Why nothing was written.
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// There is a file of that name.
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
        guard var file else { return }
        if failure == nil, !zip(runs, runs.dropFirst()).allSatisfy({ $0.last <= $1.first }) {
            guard let merged = LineFile(path + ".merged") else { throw discard(errno) }
            SortedRun.merge(runs, of: file, into: merged)
            failure = file.failure ?? merged.failure
            file.remove()
            file = merged
            self.file = merged
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

    /// Removes what was written so far.
    package func abandon() { file?.remove() }

    private func discard(_ code: Int32) -> Failure {
        abandon()
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

/// Lines of a file that are in order of time.
private struct SortedRun {
    var bytes: Range<Int>
    /// Seconds, of the first and the last line.
    var first: Double
    var last: Double

    /// Writes the lines of all runs in order of time; those of the same time in the order of the runs.
    static func merge(_ runs: [SortedRun], of file: LineFile, into merged: LineFile) {
        var heads = runs.map { LineHead($0.bytes, of: file) }
        while let next = heads.indices.filter({ heads[$0].line != nil }).min(by: {
            (heads[$0].time, $0) < (heads[$1].time, $1)
        }) {
            if let line = heads[next].line { merged.write(line) }
            heads[next].advance()
        }
    }
}

/// The next line of a run.
private struct LineHead {
    private static let blockSize = 1 << 16

    private let file: LineFile
    private var left: Range<Int>
    private var block: [UInt8] = []
    private var place = 0
    private(set) var line: [UInt8]?
    private(set) var time = 0.0

    init(_ bytes: Range<Int>, of file: LineFile) {
        self.file = file
        left = bytes
        advance()
    }

    mutating func advance() {
        var end = block[place...].firstIndex(of: 0x0A)
        while end == nil, !left.isEmpty {
            let next = file.read(left.prefix(Self.blockSize))
            guard !next.isEmpty else { break }
            block = Array(block[place...]) + next
            place = 0
            left = (left.lowerBound + next.count)..<left.upperBound
            end = block.firstIndex(of: 0x0A)
        }
        guard let end else { return line = nil }
        let found = Array(block[place...end])
        line = found
        place = end + 1
        // Every line begins with {"t":
        let text = found.dropFirst(5).prefix { $0 != UInt8(ascii: ",") }
        time = number(String(decoding: text, as: UTF8.self), hasDecimalComma: false) ?? time
    }
}
