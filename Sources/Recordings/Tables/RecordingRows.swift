import Physiology
import StudyModel

/// Turns the rows of a recording into readings, one table at a time.
///
/// Rows are read first and judged afterwards: if no name gives the unit, the size of the values decides. The first
/// table decides for the following ones.
struct RecordingRows {
    private enum Moment: Hashable {
        case number(Double)
        case instant(Double)
        case timeOfDay(Double)

        var value: Double {
            switch self {
            case .number(let value), .instant(let value), .timeOfDay(let value): value
            }
        }

        func isLike(_ other: Moment) -> Bool {
            switch (self, other) {
            case (.number, .number), (.instant, .instant), (.timeOfDay, .timeOfDay): true
            case (.number, _), (.instant, _), (.timeOfDay, _): false
            }
        }
    }

    private enum Value: Hashable {
        case absent
        /// The source says that it has no reading.
        case noReading
        case number(Double)
    }

    private struct Row {
        var line: Int
        /// The row's index from 0, across tables.
        var index: Int
        var moment: Moment?
        /// Seconds to add to the moment.
        var delay: Double
        var rate: Value
        var intervals: [Double]
        var contact: Bool?
        var quality: Double?
    }

    /// The units that the first table decided on.
    private struct Units {
        var areValuesIntervals = false
        var intervals: RecordingColumns.TimeUnit?
        var times = RecordingColumns.TimeUnit.seconds
        /// The form of the times.
        var moment: Moment?
        var areIntervalsAddedUp = false
    }

    private var table: RecordingTable
    private var columns: RecordingColumns
    private var rows: [Row] = []
    private var units: Units?
    private var style: TimeStyle?
    /// Where the file is damaged, if it is.
    private var damage: String?
    private var rowCount = 0
    private var elapsed = 0.0
    private var days = 0.0
    private var timeBefore: Double?
    /// How the file was understood.
    private(set) var assumptions: [String]
    private var tally: RecordingTally

    private let fileName: String

    /// - Parameter fileName: the name, which may say what the values are.
    init(_ table: RecordingTable, _ columns: RecordingColumns, fileName: String) {
        self.table = table
        self.columns = columns
        self.fileName = fileName
        assumptions = [table.form]
        tally = RecordingTally(placeName: table.rowName)
    }

    /// Whether times have dates.
    var isDated: Bool {
        if columns.origin != nil { return true }
        return switch units?.moment {
        case .instant: true
        case .number(let value): units?.times == .days || value / (units?.times.rawValue ?? 1) > 1e8
        case .timeOfDay, nil: false
        }
    }

    /// Reads the next table.
    mutating func read(
        _ table: RecordingTable, _ columns: RecordingColumns, into sink: (RecordedReading) -> Void
    ) throws(RecordingProblem) {
        self.table = table
        self.columns = columns
        try readings(into: sink)
    }

    /// Passes every reading of the table to `sink`.
    ///
    /// - Throws: if no name says what the values are and they may not be heart data.
    mutating func readings(into sink: (RecordedReading) -> Void) throws(RecordingProblem) {
        rows.removeAll(keepingCapacity: true)
        if style == nil { judgeStyle() }
        for (place, text) in table.broken { tally.count(.broken, place, text) }
        damage = damage ?? table.damage
        for index in table.rows.indices.dropFirst(columns.firstRow) {
            for row in columns.unfolded(table.rows[index]) { read(row, at: index) }
        }
        rowCount += table.rows.count - columns.firstRow
        guard !rows.isEmpty else { return }
        try judgeUnits()
        for row in rows {
            let time = self.time(of: row)
            guard RecordedTime.calendar.contains(time) else {
                tally.count(.unreadableTime, row.line, "\(row.moment?.value ?? time)")
                continue
            }
            guard let sample = sample(of: row) else { continue }
            tally.readingCount += 1
            sink(
                RecordedReading(
                    time: time, place: row.line, sample: sample, isSilent: row.rate == .noReading))
        }
    }

    /// How the tables were understood.
    ///
    /// - Throws: if they are mostly wrong or contain no reading.
    func reading() throws(RecordingProblem) -> HeartRateRecording.Reading {
        try tally.reading(
            assumptions, isDated: isDated,
            damage: damage.map { "\($0): \(tally.readingCount) readings come before that" })
    }

    /// Decides from all times of the first table how times are written.
    private mutating func judgeStyle() {
        func cells(_ column: Int?) -> [String] {
            guard let column else { return [] }
            return table.rows.dropFirst(columns.firstRow).compactMap {
                column < $0.cells.count ? $0.cells[column] : nil
            }
        }
        let times = cells(columns.time?.index)
        let style = TimeStyle(
            times: times, days: columns.date == columns.time?.index ? [] : cells(columns.date))
        assumptions += style.assumptions
        self.style = style
    }

    private mutating func read(_ row: RecordingTable.Row, at index: Int) {
        func cell(_ column: Int?) -> String {
            guard let column, column < row.cells.count else { return "" }
            return row.cells[column]
        }
        var (rateCell, intervalCell) = (cell(columns.rate), cell(columns.intervals?.index))
        if let type = columns.type, columns.rate != nil {
            switch RecordingColumns.rowType(cell(type)) {
            case .rate: break
            case .intervals: (rateCell, intervalCell) = ("", rateCell)
            case nil: return tally.count(.otherKind, row.line, cell(type))
            }
        }
        var moment: Moment?
        if let time = columns.time {
            moment = self.moment(cell(time.index), date: cell(columns.date))
            let first = units?.moment ?? rows.first?.moment
            guard let moment, first.map(moment.isLike) != false else {
                return tally.count(.unreadableTime, row.line, cell(time.index))
            }
        }
        guard var rate = value(rateCell), let intervals = list(intervalCell) else {
            return tally.count(.unreadableValue, row.line, rateCell.isEmpty ? intervalCell : rateCell)
        }
        if rate == .absent, intervals.isEmpty, value(intervalCell) == .noReading { rate = .noReading }
        guard rate != .absent || !intervals.isEmpty else { return tally.count(.noValue, row.line, rateCell) }
        rows.append(
            Row(
                line: row.line, index: rowCount + index - columns.firstRow, moment: moment,
                delay: row.delay, rate: rate, intervals: intervals, contact: truth(cell(columns.contact)),
                quality: number(cell(columns.quality), hasDecimalComma: table.hasDecimalCommas)))
    }

    private func moment(_ cell: String, date: String) -> Moment? {
        if let value = number(cell, hasDecimalComma: table.hasDecimalCommas) {
            return columns.isTimeOfDay ? moment(ofDay: value, date: date) : .number(value)
        }
        switch RecordedTime(cell, style ?? TimeStyle()) {
        case .instant(let seconds): return .instant(seconds)
        case .timeOfDay(let seconds): return moment(ofDay: seconds, date: date)
        case nil: return nil
        }
    }

    private func moment(ofDay seconds: Double, date: String) -> Moment {
        guard case .instant(let midnight)? = RecordedTime(date, style ?? TimeStyle()) else {
            return .timeOfDay(seconds)
        }
        return .instant(midnight + seconds)
    }

    /// The value; `nil` if the cell is neither a number nor a word for a missing value.
    private func value(_ cell: String) -> Value? {
        if cell.isEmpty { return .absent }
        let cell = cell.lowercased().hasSuffix(" bpm") ? String(cell.dropLast(4)) : cell
        if let value = number(cell, hasDecimalComma: table.hasDecimalCommas) {
            return value == -1 || value == 0 ? .noReading : .number(value)
        }
        return ["nan", "na", "n/a", "null", "none", "nil", "-", "--"].contains(cell.lowercased())
            ? .noReading : nil
    }

    /// The intervals of a cell such as `812`, `812 803` or `[0.812, 0.803]`; -1 and 0 stand for none.
    private func list(_ cell: String) -> [Double]? {
        if case .noReading? = value(cell) { return [] }
        let hasDecimalComma = table.hasDecimalCommas && table.separator != .comma
        if let single = number(cell, hasDecimalComma: hasDecimalComma) { return [single] }
        var values: [Double] = []
        for word in cell.split(whereSeparator: { " ,;|[]()\"".contains($0) }) {
            guard let value = number(String(word), hasDecimalComma: false) else { return nil }
            if value != -1, value != 0 { values.append(value) }
        }
        return values
    }

    private func truth(_ cell: String) -> Bool? {
        switch cell.lowercased() {
        case "true", "1", "yes": true
        case "false", "0", "no": false
        default: nil
        }
    }

    /// Decides once about units that no name gives, and converts the rows' values.
    private mutating func judgeUnits() throws(RecordingProblem) {
        if units == nil { units = try decideUnits() }
        guard let units else { return }
        for index in rows.indices {
            if units.areValuesIntervals, case .number(let value) = rows[index].rate {
                rows[index].rate = .absent
                rows[index].intervals = [value]
            }
        }
        let unit = units.intervals ?? intervalUnit()
        guard let unit else { return }
        self.units?.intervals = unit
        for index in rows.indices {
            for place in rows[index].intervals.indices { rows[index].intervals[place] /= unit.rawValue }
        }
    }

    private mutating func decideUnits() throws(RecordingProblem) -> Units {
        var units = Units()
        assumptions += columns.remarks
        let values = rows.compactMap { row in
            if case .number(let value) = row.rate { value } else { nil }
        }
        if columns.evidence == .none {
            let hint = RecordingHint(fileName: fileName)
            units.areValuesIntervals = median(values).map { $0 <= 3 || $0 >= 250 } ?? false
            try refuseOthers(values, areIntervals: units.areValuesIntervals, hint)
            assumptions.append(
                units.areValuesIntervals
                    ? "values taken for intervals between beats" : "values taken for beats per minute")
            if units.areValuesIntervals { units.intervals = intervalUnit(values) }
        } else if columns.evidence == .vagueName {
            try refuseOthers(values, areIntervals: false, nil)
        }
        if units.intervals == nil { units.intervals = intervalUnit() }
        units.moment = rows[0].moment
        switch rows[0].moment {
        case nil: units.areIntervalsAddedUp = isTimedByIntervals(units)
        case .instant: assumptions.append("times of the calendar")
        case .timeOfDay:
            assumptions.append(
                columns.origin == nil ? "times of the day" : "times since the start that the file states")
        case .number:
            units.times = columns.time?.unit ?? .init(ofTimes: rows.compactMap(\.moment?.value))
            assumptions.append(
                "times in \(units.times.name)" + (columns.time?.unit == nil ? " (by their size)" : ""))
        }
        return units
    }

    /// - Throws: if the values may be another signal.
    private func refuseOthers(
        _ values: [Double], areIntervals: Bool, _ hint: RecordingHint?
    ) throws(RecordingProblem) {
        if let objection = RecordingHint.objection(hint, isSampled: table.isSampled) {
            throw .notSaid(objection, isRate: !areIntervals)
        }
        let moments = rows.compactMap(\.moment?.value)
        let isTimed = moments.count == values.count && columns.period == nil
        let scale: Double =
            if case .number? = rows[0].moment {
                (columns.time?.unit ?? .init(ofTimes: moments)).rawValue
            } else { 1 }
        let times = isTimed ? moments.map { $0 / scale } : nil
        let objection: String?
        if areIntervals {
            let unit: Double = median(values).map { $0 >= 20 } == true ? 1000 : 1
            let judged = RecordedReading.withoutGaps(values.indices) { values[$0] / unit }
            objection =
                columns.period.map { "\((1 / $0).wholeNumber) a second cannot be intervals" }
                ?? SeriesJudge(judged.map { values[$0] }).objectionToIntervals(
                    unit: unit, times: times.map { times in judged.map { times[$0] } },
                    isLikely: hint == .intervals)
        } else {
            let steps = times.map { times in zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 0 } }
            objection = SeriesJudge(values).objectionToRates(
                period: columns.period ?? steps.flatMap { median($0) },
                isNamed: hint == .rates || columns.isPulse)
        }
        if let objection { throw .notSaid(objection, isRate: !areIntervals) }
    }

    /// The unit of the intervals; `nil` if there are none yet.
    private mutating func intervalUnit(_ values: [Double]? = nil) -> RecordingColumns.TimeUnit? {
        guard let middle = median(values ?? rows.flatMap(\.intervals)) else { return nil }
        let unit = columns.intervals?.unit ?? (middle >= 20 ? .milliseconds : .seconds)
        assumptions.append(
            "intervals in \(unit.name)" + (columns.intervals?.unit == nil ? " (by their size)" : ""))
        return unit
    }

    /// Whether rows without times follow each other by their intervals, rather than by a period.
    private mutating func isTimedByIntervals(_ units: Units) -> Bool {
        guard columns.period == nil,
            units.areValuesIntervals || rows.contains(where: { !$0.intervals.isEmpty })
        else {
            assumptions.append(
                columns.period.map { "one row every \($0) s, as the file says" }
                    ?? "no times: one row a second")
            return false
        }
        assumptions.append("no times: the intervals are added up")
        return true
    }

    /// Seconds, from the recording's own origin.
    private mutating func time(of row: Row) -> Double {
        switch row.moment {
        case .instant(let seconds): return seconds + row.delay
        case .number(let value):
            let unit = units?.times ?? .seconds
            return (columns.origin ?? 0) + (value - unit.origin) / unit.rawValue + row.delay
        case .timeOfDay(let seconds):
            if let timeBefore, seconds < timeBefore - 43_200 { days += 1 }
            timeBefore = seconds
            return (columns.origin ?? 0) + seconds + days * 86_400 + row.delay
        case nil:
            guard units?.areIntervalsAddedUp == true else {
                return (columns.origin ?? 0) + Double(row.index) * (columns.period ?? 1)
            }
            elapsed += row.intervals.map(Self.length).reduce(row.rate == .noReading ? Self.gap : 0, +)
            return elapsed
        }
    }

    /// What passes where there is no interval, so that it is seen as a gap; s.
    private static let gap = RecordedReading.plausibleIntervals.upperBound

    /// The time that an interval takes, s; that of a gap if it is no possible interval.
    private static func length(of interval: Double) -> Double {
        interval > 0 && interval <= 3600 ? interval : gap
    }

    /// The row's sample, with a rate only if the row has one; `nil` if its values cannot be heart data.
    private mutating func sample(of row: Row) -> HeartRateSample? {
        let intervals = row.intervals.filter(RecordedReading.plausibleIntervals.contains)
        var rate: Double?
        if case .number(let value) = row.rate { rate = value }
        let isPlausible =
            rate.map(RecordedReading.plausibleRates.contains)
            ?? (row.rate == .noReading || !intervals.isEmpty)
        guard isPlausible else {
            tally.count(.implausible, row.line, (rate ?? row.intervals.first).map(\.description) ?? "")
            return nil
        }
        let quality = row.quality.flatMap { (0...1).contains($0) ? $0 : nil }
        return HeartRateSample(
            rate: rate, rrIntervals: intervals, sensorContact: row.contact, quality: quality)
    }
}
