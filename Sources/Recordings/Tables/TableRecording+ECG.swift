import Physiology
import StudyModel
import TextFormat

extension TableRecording {
    /// Detects the beats in a column of an ECG, a block at a time.
    static func readECG(
        _ input: inout RecordedInput, _ guide: RecordingGuide, into sink: (RecordedReading) -> Void
    ) throws(SourceFailure) -> HeartRateRecording.Reading {
        let name = input.name
        var blocks = LineBlocks()
        var first: (table: RecordingTable, column: ECGColumn)?
        var found = FoundSignals(placeName: "line", assumptions: [])
        while let block = try blocks.next(from: &input) {
            try naming(name) { () throws(RecordingProblem) in
                guard let leading = first?.table else {
                    var table = try RecordingTable(block.bytes)
                    table.joinBlocks(from: guide.origin)
                    var column = try ECGColumn(table, guide)
                    found.assumptions = [table.form] + column.assumptions
                    try column.read(table, from: column.firstRow, into: &found)
                    first = (table, column)
                    return
                }
                var table = try RecordingTable(block.bytes, like: leading, firstLine: block.firstLine)
                table.joinBlocks(from: guide.origin)
                first?.table.blockDelay = table.blockDelay
                try first?.column.read(table, from: 0, into: &found)
            }
        }
        guard first != nil else { throw SourceFailure("\(quoted(name)): the file is empty", isBadData: true) }
        first?.column.finish(into: &found, guide)
        found.isDated = first?.column.isDated == true
        return try found.finished(name, into: sink)
    }
}

/// The columns of an ECG and of its times.
private struct ECGColumn {
    private let index: Int
    private let times: SampleTimes?
    /// Samples per second.
    private let rate: Double
    let firstRow: Int
    let assumptions: [String]
    private var intervals: ECGIntervals
    /// Seconds since 1970 from which times count; 0 if nothing says so.
    private let origin: Double
    private var count = 0
    private var lastLine = 0
    /// The column that counts samples and begins again at `period`, and its last number.
    private let sequence: (index: Int, period: Int)?
    private var lastNumber: Int?
    private var lost = 0

    init(_ table: RecordingTable, _ guide: RecordingGuide) throws(RecordingProblem) {
        guard !table.isJSON else {
            throw RecordingProblem("an ECG is read from tables, EDF, BDF and WFDB, not from JSON")
        }
        let names: [String]?
        (names, firstRow) = try table.head()
        let width = names?.count ?? table.rows[firstRow].cells.count
        let isTold = guide.rate != nil || guide.period != nil
        let found = try SampleTimes(table, names: names ?? [], firstRow: firstRow, guide)
        index = try Self.column(names, width: width, time: found?.index, guide)
        let name = names?[index] ?? "column \(index + 1)"
        if let told = guide.rate ?? (guide.period ?? guide.step).map({ 1 / $0 }) {
            if let found, abs(found.rate / told - 1) > 0.01 {
                throw RecordingProblem(
                    "the times in \(quoted(names?[found.index] ?? "column \(found.index + 1)")) are those of "
                        + "\(found.rate.wholeNumber) samples a second, not of \(told.wholeNumber), which "
                        + (guide.rate == nil ? "the header says" : "--rate says")
                        + ": say --time none if the times are wrong")
            }
            rate = told
        } else if let found {
            rate = found.rate
        } else {
            throw RecordingProblem(
                "nothing says how many samples a second the ECG \(quoted(name)) has: give --rate, such as --rate 250, or "
                    + "name the column of times with --time NAME")
        }
        times = isTold ? nil : found
        assumptions = times.map { [$0.assumption] } ?? ["times by the sampling rate"]
        origin = guide.origin ?? 0
        sequence = Self.sequence(names, table.rows[firstRow...])
        intervals = try ECGIntervals(rate: rate, channel: name)
    }

    var isDated: Bool { times?.isDated == true || origin > 0 }

    /// The column of values: as named, else the only one that is called an ECG, else the only one.
    private static func column(
        _ names: [String]?, width: Int, time: Int?, _ guide: RecordingGuide
    ) throws(RecordingProblem) -> Int {
        if let wanted = guide.column {
            return try RecordingGuide.index(
                of: wanted, in: names ?? (0..<width).map { "column \($0 + 1)" })
        }
        let others = (0..<width).filter { $0 != time }
        let named = others.filter { index in names.map { SignalChoice.isNamedECG($0[index]) } ?? false }
        let able = named.isEmpty ? others : named
        guard let only = able.first, able.count == 1 else {
            let list = able.prefix(12).map { quoted(names?[$0] ?? "column \($0 + 1)") }
            throw RecordingProblem(
                able.isEmpty
                    ? "there is no column of values beside the times"
                    : "which column is the ECG: \(list.joined(separator: ", "))? Name it, as in --as ecg=NAME"
            )
        }
        return only
    }

    mutating func read(
        _ table: RecordingTable, from first: Int, into found: inout FoundSignals
    ) throws(RecordingProblem) {
        for row in table.rows.dropFirst(first) {
            lastLine = row.line
            countLost(row)
            let cell = index < row.cells.count ? row.cells[index] : ""
            let value = number(cell, hasDecimalComma: table.hasDecimalCommas)
            guard value != nil || RecordingTable.missing.contains(cell.lowercased()) else {
                throw RecordingProblem("\(quoted(cell)) is not a number", line: row.line)
            }
            defer { count += 1 }
            if let times {
                guard let time = times.time(of: row, hasDecimalComma: table.hasDecimalCommas) else {
                    found.tally.count(.unreadableTime, row.line, row.cells.first ?? "")
                    continue
                }
                intervals.take(value ?? .nan, at: origin + time, place: row.line, into: &found)
            } else {
                intervals.take(
                    value ?? .nan, at: origin + Double(count) / rate, place: row.line, into: &found)
            }
        }
    }

    /// The column in which OpenSignals counts samples; `nil` if there is none.
    private static func sequence(
        _ names: [String]?, _ rows: ArraySlice<RecordingTable.Row>
    ) -> (index: Int, period: Int)? {
        guard let index = names?.firstIndex(of: "nSeq") else { return nil }
        let highest = rows.compactMap { index < $0.cells.count ? Int($0.cells[index]) : nil }.max() ?? 0
        return (1..<1 << 24).contains(highest) && highest & (highest + 1) == 0 ? (index, highest + 1) : nil
    }

    /// Counts the samples that are missing before a row.
    private mutating func countLost(_ row: RecordingTable.Row) {
        guard let sequence, sequence.index < row.cells.count, let number = Int(row.cells[sequence.index]),
            (0..<sequence.period).contains(number)
        else { return }
        if let lastNumber {
            let missing = (number - lastNumber - 1 + sequence.period) % sequence.period
            (count, lost) = (count + missing, lost + missing)
        }
        lastNumber = number
    }

    mutating func finish(into found: inout FoundSignals, _ guide: RecordingGuide) {
        found.doubts += guide.doubts(ofRows: count)
        if lost > 0 {
            found.doubts.append("\(lost) samples or more are missing, by the numbers in the column 'nSeq'")
        }
        intervals.finish(place: lastLine, into: &found)
    }
}
