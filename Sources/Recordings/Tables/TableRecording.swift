import Results
import StudyModel
import TextFormat

/// Reads tables and JSON in blocks of whole lines, so that a long file needs no more memory than a short one.
enum TableRecording {
    /// Passes every reading to `sink`, and returns how the file was understood.
    static func read(
        _ input: inout RecordedInput, _ guide: RecordingGuide, into sink: (RecordedReading) -> Void
    ) throws(SourceFailure) -> HeartRateRecording.Reading {
        let name = input.name
        let beginning = try input.beginning(RecordingFile.blockSize + 1)
        if beginning.count <= RecordingFile.blockSize || isWholeJSON(beginning) {
            let bytes = try input.rest(limit: RecordingFile.wholeLimit)
            return try naming(name) { () throws(RecordingProblem) in
                var table = try RecordingTable(bytes, mayBeList: true)
                table.joinBlocks(from: guide.origin)
                var rows = RecordingRows(table, try RecordingColumns(table, guide), fileName: name, guide)
                try rows.readings(into: sink)
                return try rows.reading()
            }
        }
        return try readBlocks(&input, guide, into: sink)
    }

    /// Whether the text is JSON, but not one object a line.
    private static func isWholeJSON(_ text: ArraySlice<UInt8>) -> Bool {
        let lines = text.split(separator: 0x0A, maxSplits: 2)
        guard RecordingTable.isJSON(text), let line = lines.first else { return false }
        // If each of the first two lines begins an object, the first one may be broken.
        if line.first == UInt8(ascii: "{"), lines.count > 1, lines[1].first == UInt8(ascii: "{") {
            return false
        }
        do { return try JSON(parsing: Array(line)).object == nil } catch { return true }
    }

    private static func readBlocks(
        _ input: inout RecordedInput, _ guide: RecordingGuide, into sink: (RecordedReading) -> Void
    ) throws(SourceFailure) -> HeartRateRecording.Reading {
        let name = input.name
        var blocks = LineBlocks()
        var rows: RecordingRows?
        var first: (table: RecordingTable, columns: RecordingColumns)?
        while let block = try blocks.next(from: &input) {
            try naming(name) { () throws(RecordingProblem) in
                guard let (leading, columns) = first else {
                    var table = try RecordingTable(block.bytes, mayBeList: true)
                    table.joinBlocks(from: guide.origin)
                    let columns = try RecordingColumns(table, guide)
                    var begun = RecordingRows(table, columns, fileName: name, guide)
                    try begun.readings(into: sink)
                    (rows, first) = (begun, (table, columns))
                    return
                }
                var table = try RecordingTable(block.bytes, like: leading, firstLine: block.firstLine)
                table.joinBlocks(from: guide.origin)
                first?.table.blockDelay = table.blockDelay
                try rows?.read(table, try columns.continued(in: table, guide), into: sink)
            }
        }
        guard let rows else { throw SourceFailure("\(quoted(name)): the file is empty", isBadData: true) }
        return try naming(name) { () throws(RecordingProblem) in try rows.reading() }
    }
}

/// Splits bytes into blocks that end with a line.
struct LineBlocks {
    private var rest: [UInt8] = []
    private var nextLine = 1
    private var isAtEnd = false

    /// The next block with the number of its first line; `nil` at the end.
    mutating func next(
        from input: inout RecordedInput
    ) throws(SourceFailure) -> (bytes: [UInt8], firstLine: Int)? {
        var block: [UInt8] = []
        var wanted = RecordingFile.blockSize
        while !isAtEnd {
            while rest.count < wanted, !isAtEnd {
                try input.read(into: &block, atMost: wanted)
                isAtEnd = block.isEmpty
                rest += block
            }
            if !isAtEnd, let end = Self.end(of: rest) {
                let whole = Array(rest[..<end])
                rest.removeFirst(end)
                return counted(whole)
            }
            // A single line fills the block; the limit of a line's length ends this.
            wanted *= 2
            if wanted > 16 * RecordingFile.blockSize { break }
        }
        guard !rest.isEmpty else { return nil }
        defer { rest = [] }
        return counted(rest)
    }

    private mutating func counted(_ bytes: [UInt8]) -> (bytes: [UInt8], firstLine: Int) {
        defer { nextLine += bytes.count { $0 == 0x0A } }
        return (bytes, nextLine)
    }

    /// The place after the last line feed that is not within quotation marks.
    private static func end(of bytes: [UInt8]) -> Int? {
        var isQuoted = false
        var end: Int?
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == 0x0A, !isQuoted { end = index + 1 }
        }
        return end
    }
}
