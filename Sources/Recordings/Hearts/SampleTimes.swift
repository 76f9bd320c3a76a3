import Physiology
import TextFormat

/// The times of regular samples.
struct SampleTimes {
    let index: Int
    /// Samples per second.
    let rate: Double
    /// Whether about all samples follow each other at that rate.
    let isRegular: Bool
    let isDated: Bool
    let assumption: String
    private let unit: RecordingColumns.TimeUnit

    /// This share of the steps from one sample to the next is about equal in regular samples.
    private static let regularShare = 0.9

    /// - Parameters:
    ///   - rates: samples per second of usual recordings, which tell the unit of times without one.
    ///   - regularShare: the share of the steps that must be about equal.
    /// - Returns: `nil` if no column has such times.
    /// - Throws: if the column that the user named has none.
    init?(
        _ table: RecordingTable, names: [String], firstRow: Int, _ guide: RecordingGuide,
        rates: [ClosedRange<Double>] = [ECGDetector.rates], regularShare: Double = Self.regularShare
    ) throws(RecordingProblem) {
        var able = names.isEmpty ? [0] : Self.named(names)
        switch guide.times {
        case nil: break
        case RecordingGuide.Times.none?: return nil
        case .column(let name)?: able = [try RecordingGuide.index(of: name, in: names)]
        }
        for index in able where table.rows[firstRow].cells.count > 1 {
            let unit = names.isEmpty ? nil : ColumnName(names[index]).unit
            if let times = Self(
                table, column: index, unit: unit, firstRow: firstRow, names: names, rates, regularShare)
            {
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
        names: [String], _ rates: [ClosedRange<Double>], _ regularShare: Double
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
        guard Double(regular.count) >= regularShare * Double(steps.count) else { return nil }
        isRegular = Double(regular.count) >= Self.regularShare * Double(steps.count)
        let perUnit = Double(regular.count) / regular.reduce(0, +)
        let units: [RecordingColumns.TimeUnit] = [.seconds, .milliseconds, .microseconds, .nanoseconds]
        let bySize = units.filter { unit in rates.contains { $0.contains(perUnit * unit.rawValue) } }
        // Where any times are taken, the unit must be certain.
        guard isWritten || told != nil || bySize.count == 1 || regularShare > 0 else { return nil }
        unit = isWritten ? .seconds : told ?? bySize.first ?? .seconds
        rate = perUnit * unit.rawValue
        isDated = unit.seconds(moments[0]) > 1e8
        let name = names.isEmpty ? "the first column" : "the column \(quoted(names[column]))"
        assumption =
            "times from \(name)"
            + (isWritten ? "" : " in \(unit.name)" + (told == nil ? " (by their steps)" : ""))
    }

    /// Seconds.
    func time(of row: RecordingTable.Row, hasDecimalComma: Bool) -> Double? {
        guard index < row.cells.count else { return nil }
        return number(row.cells[index], hasDecimalComma: hasDecimalComma).map { unit.seconds($0) + row.delay }
            ?? Self.written(row.cells[index])
    }

    private static func written(_ cell: String) -> Double? {
        switch RecordedTime(cell, .lenient) {
        case .instant(let seconds), .timeOfDay(let seconds): seconds
        case nil: nil
        }
    }
}

extension RecordingTable {
    /// Cells without a number, in lower case.
    static let missing: Set<String> = ["", "nil", "nan", "na", "n/a", "null", "none", "-", "--"]

    /// The names of the columns, if there are any, and the first row of values.
    func head() throws(RecordingProblem) -> (names: [String]?, firstRow: Int) {
        let head = rows.prefix(50).firstIndex { row in
            !row.cells.contains { number($0, hasDecimalComma: hasDecimalCommas) != nil }
                && !row.cells.allSatisfy { Self.missing.contains($0.lowercased()) }
        }
        let firstRow = head.map { $0 + 1 } ?? 0
        guard firstRow < rows.count else { throw RecordingProblem("the table has no values") }
        return (head.map { rows[$0].cells }, firstRow)
    }
}
