/// The lines of a recording in order of time, merged from sorted runs. Lines with the same time keep the order of
/// the runs.
package struct RecordedLines: IteratorProtocol {
    private var heads: [LineHead] = []

    init() {}

    init(of runs: [SortedRun], in file: LineFile) { heads = runs.map { LineHead($0.bytes, of: file) } }

    /// The next line with its line feed. Only one block of each run is in memory.
    package mutating func next() -> [UInt8]? {
        let earliest = heads.indices.filter { heads[$0].line != nil }
            .min { (heads[$0].time, $0) < (heads[$1].time, $1) }
        guard let earliest else { return nil }
        defer { heads[earliest].advance() }
        return heads[earliest].line
    }
}

/// Lines of a file that are sorted by time.
struct SortedRun {
    var bytes: Range<Int>
    /// The times of the first and the last line, seconds.
    var first: Double
    var last: Double
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
