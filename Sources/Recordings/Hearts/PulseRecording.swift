package import Physiology
import Results
package import StudyModel
import TextFormat

/// A recording of a fingertip or from a finger clip: the time and the values of each frame.
package struct PulseRecording: Hashable, Sendable {
    /// At least two frames.
    package var trace: PulseTrace

    /// Reads a file of text; `-` is standard input.
    ///
    /// - Parameters:
    ///   - path: a table with the columns `time,R,G,B`, or one of times and one of values, or only values.
    ///   - rate: rows per second; required if the file has no times, and not allowed otherwise.
    /// - Throws: `SourceFailure`, which blames the data unless the file cannot be read at all.
    package init(tableAt path: String, rate: Double?) throws(SourceFailure) {
        var input = try RecordedInput(path: path)
        try self.init(table: input.rest(limit: Self.sizeLimit), named: path, rate: rate)
    }

    /// The largest table that is read, bytes.
    package static let sizeLimit = 64 << 20

    /// Reads the bytes of a table.
    ///
    /// Cells stand between commas, semicolons or tabs. Times are in milliseconds unless the column's name gives
    /// another unit, such as `time_s`. An empty cell, or `nan`, is a frame without that value.
    /// - Parameters:
    ///   - bytes: the file.
    ///   - name: the file's name, for messages.
    ///   - rate: rows per second; required if the file has no times, and not allowed otherwise.
    /// - Throws: `SourceFailure` about the data, with the line and what to do.
    package init(table bytes: [UInt8], named name: String, rate: Double? = nil) throws(SourceFailure) {
        trace = try naming(name) { () throws(RecordingProblem) in
            try PulseTable(RecordingTable(bytes), rate: rate).trace()
        }
    }

    package init(_ trace: PulseTrace) { self.trace = trace }
}

/// A table whose columns are known.
private struct PulseTable {
    private let table: RecordingTable
    private let columns: PulseColumns
    private let rate: Double?

    init(_ table: RecordingTable, rate: Double?) throws(RecordingProblem) {
        self.table = table
        self.rate = rate
        columns = try PulseColumns(table)
        switch (columns.time, rate) {
        case (nil, nil):
            throw RecordingProblem(
                "there is no column of times: add one named 'time' in milliseconds, or say with --rate how many "
                    + "rows make a second", line: table.rows[0].line)
        case (.some, .some):
            throw RecordingProblem(
                "the rows have times of their own: leave out --rate", line: table.rows[0].line)
        case (.some, nil), (nil, .some): break
        }
    }

    func trace() throws(RecordingProblem) -> PulseTrace {
        let rows = table.rows[columns.firstRow...]
        guard rows.count >= 2, let first = rows.first else {
            throw RecordingProblem("at least two rows of values are needed")
        }
        for row in rows where row.cells.count != first.cells.count {
            throw RecordingProblem(
                "this row has \(row.cells.count) cells and those before it have \(first.cells.count): correct it or "
                    + "leave it out", line: row.line)
        }
        let times = try times(of: rows)
        var values: [[Double]] = []
        for column in columns.values {
            var signal: [Double] = []
            signal.reserveCapacity(rows.count)
            for row in rows { signal.append(try value(in: column, of: row)) }
            values.append(signal)
        }
        return values.count == 3
            ? PulseTrace(times: times, red: values[0], green: values[1], blue: values[2])
            : PulseTrace(times: times, signal: values[0])
    }

    private func times(of rows: ArraySlice<RecordingTable.Row>) throws(RecordingProblem) -> [Double] {
        guard let time = columns.time else {
            let rate = rate ?? 1
            return rows.indices.map { Double($0 - rows.startIndex) / rate }
        }
        var times: [Double] = []
        times.reserveCapacity(rows.count)
        for row in rows {
            guard let value = number(row.cells[time.index], hasDecimalComma: table.hasDecimalCommas) else {
                throw RecordingProblem(
                    "\(quoted(row.cells[time.index])) is not a time: write a number of milliseconds",
                    line: row.line)
            }
            times.append(value / (time.unit ?? .milliseconds).rawValue)
        }
        let step = median(zip(times.dropFirst(), times).map { $0 - $1 }) ?? 0
        guard step > 0 else {
            throw RecordingProblem(
                "the times do not increase: put the rows in order", line: rows[rows.startIndex].line)
        }
        guard time.unit != nil || step >= Self.shortestStep else {
            throw RecordingProblem(
                "times are in milliseconds, and these would make \((1 / step).wholeNumber) frames a second: if they "
                    + "are seconds, name the column 'time_s'", line: rows[rows.startIndex].line)
        }
        return times
    }

    /// At least half of the frames are this far apart, in seconds, unless the column gives its unit.
    private static let shortestStep = 0.0005

    private func value(in column: Int, of row: RecordingTable.Row) throws(RecordingProblem) -> Double {
        let cell = row.cells[column]
        if let value = number(cell, hasDecimalComma: table.hasDecimalCommas) { return value }
        guard PulseColumns.isMissing(cell) else {
            throw RecordingProblem("\(quoted(cell)) is not a number", line: row.line)
        }
        return .nan
    }
}

/// The meaning of each cell in a row.
private struct PulseColumns {
    /// When the frame was taken; `nil` if the file does not say.
    var time: RecordingColumns.Measured?
    /// Red, green and blue, or one signal.
    var values: [Int]
    /// Index of the first row that holds values.
    var firstRow: Int

    init(_ table: RecordingTable) throws(RecordingProblem) {
        let head = table.rows[0]
        if head.cells.allSatisfy({ number($0, hasDecimalComma: true) != nil || Self.isMissing($0) }) {
            try self.init(withoutNames: head)
        } else {
            try self.init(names: head)
        }
    }

    static func isMissing(_ cell: String) -> Bool { cell.isEmpty || cell.lowercased() == "nan" }

    private init(withoutNames row: RecordingTable.Row) throws(RecordingProblem) {
        firstRow = 0
        switch row.cells.count {
        case 1: (time, values) = (nil, [0])
        case 2: (time, values) = (.init(index: 0, unit: nil), [1])
        case 4: (time, values) = (.init(index: 0, unit: nil), [1, 2, 3])
        case let count:
            throw RecordingProblem(
                "\(count) columns without names: begin the file with a line such as 'time,R,G,B'",
                line: row.line)
        }
    }

    private static let times: Set<String> = [
        "time", "times", "timestamp", "timestamps", "timer", "mstimer", "t", "elapsed",
    ]
    private static let colours: [Set<String>] = [["r", "red"], ["g", "green"], ["b", "blue"]]

    private init(names row: RecordingTable.Row) throws(RecordingProblem) {
        firstRow = 1
        let names = row.cells.map { ColumnName($0) }
        let time = names.indices.first { Self.times.contains(names[$0].text) || names[$0].unit != nil }
        self.time = time.map { .init(index: $0, unit: names[$0].unit) }
        let colours = Self.colours.map { known in names.indices.first { known.contains(names[$0].text) } }
        let found = colours.compactMap { $0 }
        guard found.isEmpty else {
            guard found.count == 3 else {
                throw RecordingProblem(
                    "of the colours R, G and B only \(found.map { quoted(row.cells[$0]) }.joined(separator: " and ")) "
                        + "is here: all three are needed", line: row.line)
            }
            values = found
            return
        }
        values = names.indices.filter { $0 != time }
        guard values.count == 1 else {
            let names = values.map { quoted(row.cells[$0]) }.joined(separator: ", ")
            throw RecordingProblem(
                values.isEmpty
                    ? "there is no column of values: a table has the columns time,R,G,B or a time and one signal"
                    : "which column is the pulse: \(names)? Keep the time and one signal, or name three of them R, G "
                        + "and B", line: row.line)
        }
    }
}
