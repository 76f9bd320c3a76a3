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
                    let table = try RecordingTable(block.bytes)
                    var column = try ECGColumn(table, guide)
                    found.assumptions = [table.form] + column.assumptions
                    try column.read(table, from: column.firstRow, into: &found)
                    first = (table, column)
                    return
                }
                let table = try RecordingTable(block.bytes, like: leading, firstLine: block.firstLine)
                try first?.column.read(table, from: 0, into: &found)
            }
        }
        guard first != nil else { throw SourceFailure("\(quoted(name)): the file is empty", isBadData: true) }
        first?.column.finish(into: &found)
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
    private var count = 0
    private var lastLine = 0

    init(_ table: RecordingTable, _ guide: RecordingGuide) throws(RecordingProblem) {
        guard !table.isJSON else {
            throw RecordingProblem("an ECG is read from tables, EDF, BDF and WFDB, not from JSON")
        }
        let head = table.rows.prefix(50).firstIndex { row in
            !row.cells.contains { number($0, hasDecimalComma: table.hasDecimalCommas) != nil }
        }
        let names = head.map { table.rows[$0].cells }
        firstRow = head.map { $0 + 1 } ?? 0
        guard firstRow < table.rows.count else { throw RecordingProblem("the table has no values") }
        let width = names?.count ?? table.rows[firstRow].cells.count
        let isTold = guide.rate != nil || guide.period != nil
        let found = try SampleTimes(table, names: names ?? [], firstRow: firstRow, guide)
        index = try Self.column(names, width: width, time: found?.index, guide)
        let name = names?[index] ?? "column \(index + 1)"
        if let told = guide.rate ?? guide.period.map({ 1 / $0 }) {
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
        intervals = try ECGIntervals(rate: rate, channel: name)
    }

    var isDated: Bool { times?.isDated == true }

    /// The column of values: as named, else the only one that is called an ECG, else the only one.
    private static func column(
        _ names: [String]?, width: Int, time: Int?, _ guide: RecordingGuide
    ) throws(RecordingProblem) -> Int {
        if let wanted = guide.column {
            guard let names else {
                throw RecordingProblem("the columns have no names, so none is \(quoted(wanted))")
            }
            return try RecordingGuide.index(of: wanted, in: names)
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
            let cell = index < row.cells.count ? row.cells[index] : ""
            let value = number(cell, hasDecimalComma: table.hasDecimalCommas)
            guard value != nil || Self.missing.contains(cell.lowercased()) else {
                throw RecordingProblem("\(quoted(cell)) is not a number", line: row.line)
            }
            defer { count += 1 }
            if let times {
                guard let time = times.time(of: row, hasDecimalComma: table.hasDecimalCommas) else {
                    found.tally.note(.unreadableTime, row.line, row.cells.first ?? "")
                    continue
                }
                intervals.take(value ?? .nan, at: time, place: row.line, into: &found)
            } else {
                intervals.take(value ?? .nan, at: Double(count) / rate, place: row.line, into: &found)
            }
        }
    }

    private static let missing: Set<String> = ["", "nan", "na", "n/a", "null", "none", "-", "--"]

    mutating func finish(into found: inout FoundSignals) {
        intervals.finish(place: lastLine, into: &found)
    }
}

/// The times of regular samples.
private struct SampleTimes {
    let index: Int
    /// Samples per second.
    let rate: Double
    let isDated: Bool
    let assumption: String
    private let unit: RecordingColumns.TimeUnit

    /// This share of the steps from one sample to the next is about equal.
    private static let regularShare = 0.9

    /// - Returns: `nil` if no column has such times.
    /// - Throws: if the column that the user named has none.
    init?(
        _ table: RecordingTable, names: [String], firstRow: Int, _ guide: RecordingGuide
    ) throws(RecordingProblem) {
        var able = names.isEmpty ? [0] : Self.named(names)
        switch guide.times {
        case nil: break
        case RecordingGuide.Times.none?: return nil
        case .column(let name)?: able = [try RecordingGuide.index(of: name, in: names)]
        }
        for index in able where table.rows[firstRow].cells.count > 1 {
            let unit = names.isEmpty ? nil : ColumnName(names[index]).unit
            if let times = Self(table, column: index, unit: unit, firstRow: firstRow, names: names) {
                self = times
                return
            }
        }
        if case .column(let name)? = guide.times {
            throw RecordingProblem(
                "the times in the column \(quoted(name)) are not those of regular samples: give --rate instead"
            )
        }
        return nil
    }

    /// Columns whose names are those of times, the best first.
    private static func named(_ names: [String]) -> [Int] {
        let texts = names.map { ColumnName($0) }
        let exact = ColumnName.times.flatMap { rank in names.indices.filter { rank.contains(texts[$0].text) }
        }
        let vague = names.indices.filter { index in
            ColumnName.timeParts.contains { texts[index].text.contains($0) }
        }
        return (exact + vague).filter { !SignalChoice.isNamedECG(names[$0]) }
    }

    private init?(
        _ table: RecordingTable, column: Int, unit told: RecordingColumns.TimeUnit?, firstRow: Int,
        names: [String]
    ) {
        index = column
        var moments: [Double] = []
        var isWritten = false
        for row in table.rows.dropFirst(firstRow) where column < row.cells.count {
            if let value = number(row.cells[column], hasDecimalComma: table.hasDecimalCommas) {
                moments.append(value)
            } else if let value = Self.written(row.cells[column]) {
                moments.append(value)
                isWritten = true
            }
        }
        let steps = zip(moments.dropFirst(), moments).map { $0 - $1 }
        guard let usual = median(steps), usual > 0 else { return nil }
        let regular = steps.filter { 0.5 * usual < $0 && $0 < 1.5 * usual }
        guard Double(regular.count) >= Self.regularShare * Double(steps.count) else { return nil }
        let perUnit = Double(regular.count) / regular.reduce(0, +)
        let units: [RecordingColumns.TimeUnit] = [.seconds, .milliseconds, .microseconds, .nanoseconds]
        let bySize = units.first { ECGDetector.rates.contains(perUnit * $0.rawValue) }
        unit = isWritten ? .seconds : told ?? bySize ?? .seconds
        rate = perUnit * unit.rawValue
        isDated = moments[0] / unit.rawValue > 1e8
        let name = names.isEmpty ? "the first column" : "the column \(quoted(names[column]))"
        assumption =
            "times from \(name)"
            + (isWritten ? "" : " in \(unit.name)" + (told == nil ? " (by their steps)" : ""))
    }

    /// Seconds.
    func time(of row: RecordingTable.Row, hasDecimalComma: Bool) -> Double? {
        guard index < row.cells.count else { return nil }
        return number(row.cells[index], hasDecimalComma: hasDecimalComma).map { $0 / unit.rawValue }
            ?? Self.written(row.cells[index])
    }

    private static func written(_ cell: String) -> Double? {
        switch RecordedTime(cell, .lenient) {
        case .instant(let seconds), .timeOfDay(let seconds): seconds
        case nil: nil
        }
    }
}
