import Physiology
import StudyModel

/// Turns the rows of a recording into readings, one table at a time.
///
/// Rows are read first and judged afterwards: if no name gives the unit, the size of the values decides. The first
/// table decides for the following ones.
struct RecordingRows {
    private typealias Row = RecordingRow
    private typealias Moment = RecordingRow.Moment
    private typealias Value = RecordingRow.Value

    private var table: RecordingTable
    private var columns: RecordingColumns
    private var rows: [Row] = []
    private var units: RecordingUnits?
    private var style: TimeStyle?
    /// Where the file is damaged, if it is.
    private var damage: String?
    private var rowCount = 0
    private var elapsed = 0.0
    private var days = 0.0
    private var timeBefore: Double?
    /// The number of the row before, and how many are missing, if a column counts them.
    private var numbers = (last: Int.max, missing: 0)
    /// Whether the last row cannot be read.
    private var isLost = false
    /// Whether a beat is missing before the next interval.
    private var isAfterGap = false
    /// The value of the row before, if values change their sign at each beat.
    private var signedBefore: Double?
    /// The time of the beat before, if values are times of beats.
    private var beatBefore: Double?
    /// How the file was understood.
    private(set) var assumptions: [String]
    private var tally: RecordingTally

    private let fileName: String
    private let guide: RecordingGuide

    /// - Parameter fileName: the name, which may say what the values are.
    init(_ table: RecordingTable, _ columns: RecordingColumns, fileName: String, _ guide: RecordingGuide) {
        self.table = table
        self.columns = columns
        self.fileName = fileName
        self.guide = guide
        assumptions = [table.form]
        tally = RecordingTally(placeName: table.rowName)
    }

    /// Whether times have dates.
    var isDated: Bool {
        if columns.origin != nil { return true }
        return switch units?.moment {
        case .instant: true
        case .number(let value): units.map { $0.times.seconds(value) > 1e8 } ?? false
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
        for row in rows { emit(row, into: sink) }
    }

    private mutating func emit(_ row: Row, into sink: (RecordedReading) -> Void) {
        var row = row
        if row.isAfterLoss { isAfterGap = true }
        if units?.areSigned == true, let value = row.number {
            defer { signedBefore = value }
            guard value * (signedBefore ?? -value) < 0 else { return }
            row.intervals = [abs(value)]
        }
        let time = self.time(of: row)
        guard RecordedTime.calendar.contains(time) else {
            return tally.count(.unreadableTime, row.line, "\(row.moment?.value ?? time)")
        }
        if units?.areBeats == true {
            defer { beatBefore = time }
            guard let beatBefore else { return }
            row.intervals = [time - beatBefore]
        }
        guard let sample = sample(of: row) else {
            isAfterGap = true
            return
        }
        var reading = RecordedReading(
            time: time, place: row.line, sample: sample, isSilent: row.rate == .noReading)
        if !sample.rrIntervals.isEmpty { swap(&reading.isAfterGap, &isAfterGap) }
        if row.rate == .noReading, row.moment == nil { isAfterGap = true }
        tally.readingCount += 1
        sink(reading)
    }

    /// How the tables were understood.
    ///
    /// - Throws: if they are mostly wrong or contain no reading.
    func reading() throws(RecordingProblem) -> HeartRateRecording.Reading {
        let lost =
            numbers.missing > 0 ? ["\(numbers.missing) rows missing by their numbers, which are gaps"] : []
        var reading = try tally.reading(
            assumptions + (units?.assumptions ?? []) + lost, isDated: isDated,
            damage: damage.map { "\($0): \(tally.readingCount) readings come before that" })
        reading.doubts = [units?.doubt].compactMap(\.self)
        reading.reservation = units?.reservation
        reading.doubts += guide.doubts(ofRows: rowCount)
        return reading
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
        countLost(cell(columns.counter))
        var moment: Moment?
        if let time = columns.time {
            moment = self.moment(cell(time.index), date: cell(columns.date))
            let first = units?.moment ?? rows.first?.moment
            guard let moment, first.map(moment.isLike) != false else {
                return tally.count(.unreadableTime, row.line, cell(time.index))
            }
        }
        guard var rate = value(rateCell), let intervals = list(intervalCell) else {
            isLost = true
            return tally.count(.unreadableValue, row.line, rateCell.isEmpty ? intervalCell : rateCell)
        }
        if rate == .absent, intervals.isEmpty, value(intervalCell) == .noReading { rate = .noReading }
        guard rate != .absent || !intervals.isEmpty else { return tally.count(.noValue, row.line, rateCell) }
        rows.append(
            Row(
                line: row.line, index: rowCount + index - columns.firstRow, moment: moment,
                delay: row.delay, rate: rate, intervals: intervals, contact: truth(cell(columns.contact)),
                quality: number(cell(columns.quality), hasDecimalComma: table.hasDecimalCommas),
                isAfterLoss: isLost))
        isLost = false
    }

    private mutating func countLost(_ cell: String) {
        guard let number = Int(cell), number >= 0 else { return }
        if number > numbers.last, number - 1 > numbers.last {
            numbers.missing += min(number - 1 - numbers.last, 1_000_000)
            isLost = true
        }
        numbers.last = number
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
        return RecordingTable.missing.contains(cell.lowercased()) ? .noReading : nil
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
        var units: RecordingUnits
        if let known = self.units {
            units = known
            if units.intervals == nil { units.judgeIntervals(rows.flatMap(\.intervals)) }
        } else {
            units = try RecordingUnits(
                of: rows, columns, fileName: fileName, isSampled: table.isSampled, guide)
        }
        for index in rows.indices {
            if units.areBeats, let value = rows[index].number {
                (rows[index].moment, rows[index].rate) = (.number(value), .absent)
            } else if units.areValuesIntervals, case .number(let value) = rows[index].rate {
                (rows[index].rate, rows[index].intervals) = (.absent, [value])
            }
            guard let unit = units.intervals else { continue }
            for place in rows[index].intervals.indices { rows[index].intervals[place] /= unit.rawValue }
        }
        self.units = units
    }

    /// Seconds, from the recording's own origin.
    private mutating func time(of row: Row) -> Double {
        switch row.moment {
        case .instant(let seconds): return seconds + row.delay
        case .number(let value):
            return (columns.origin ?? 0) + (units?.times ?? .seconds).seconds(value) + row.delay
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
        if let other = row.intervals.first(where: { !RecordedReading.plausibleIntervals.contains($0) }) {
            isAfterGap = true
            if row.rate != .absent || !intervals.isEmpty {
                tally.count(.implausibleInterval, row.line, "\(other)")
            }
        }
        var rate: Double?
        if case .number(let value) = row.rate { rate = value }
        let isPlausible =
            rate.map(RecordedReading.plausibleRates.contains)
            ?? (row.rate == .noReading || !intervals.isEmpty)
        guard isPlausible else {
            let cell = rate.map(\.description) ?? row.intervals.first.map { "\($0) s" } ?? ""
            tally.count(.implausible, row.line, cell)
            return nil
        }
        let quality = row.quality.flatMap { (0...1).contains($0) ? $0 : nil }
        return HeartRateSample(
            rate: rate, rrIntervals: intervals, sensorContact: row.contact, quality: quality)
    }
}
