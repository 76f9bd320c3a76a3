import StudyModel

/// The rows of a recording on their way to entries.
///
/// Read first and judged afterwards, since units that no name tells follow from the size of all values.
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
        /// The source says that it has none.
        case noReading
        case number(Double)
    }

    private struct Row {
        var line: Int
        var index: Int
        var moment: Moment?
        var rate: Value
        var intervals: [Double]
        var contact: Bool?
        var quality: Double?
    }

    private enum Fault: CaseIterable {
        case otherKind, noValue, unreadableTime, unreadableValue, implausible

        var reason: String {
            switch self {
            case .otherKind: "of another kind"
            case .noValue: "without a value"
            case .unreadableTime: "whose time cannot be read"
            case .unreadableValue: "whose value cannot be read"
            case .implausible: "outside 15 to 300 beats per minute"
            }
        }

        /// What to do where these are the most; `nil` where they are no mistake.
        var advice: String? {
            switch self {
            case .otherKind, .noValue: nil
            case .unreadableTime:
                "is not a time like those before it: write seconds, 2026-01-31T09:30:00+01:00 or 09:30:00"
            case .unreadableValue: "is not a number"
            case .implausible:
                "is not a heart rate or an interval between beats: check the column and its unit"
            }
        }
    }

    private struct Tally {
        var count = 0
        var firstLine: Int
        var firstCell: String
    }

    private static let longestSpan = 366.0 * 86_400

    private let table: RecordingTable
    private let columns: RecordingColumns
    private var faults: [Fault: Tally] = [:]
    private var rows: [Row] = []
    private var assumptions: [String]

    init(_ table: RecordingTable, _ columns: RecordingColumns) {
        self.table = table
        self.columns = columns
        assumptions = [table.form]
    }

    /// Everything that the rows say.
    consuming func recording() throws(RecordingProblem) -> HeartRateRecording {
        for index in table.rows.indices.dropFirst(columns.firstRow) { read(table.rows[index], at: index) }
        if columns.isUnnamed { nameValues() }
        scaleIntervals()
        let times = self.times()
        var dated: [Dated] = []
        for (row, time) in zip(rows, times) {
            guard let sample = sample(of: row) else { continue }
            dated.append(
                Dated(time: time, line: row.line, sample: sample, isSilent: row.rate == .noReading))
        }
        try refuseWhereMostlyWrong(good: dated.count)
        return try joined(dated)
    }

    // MARK: Cells

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
            case nil: return note(.otherKind, row.line, cell(type))
            }
        }
        var moment: Moment?
        if let time = columns.time {
            moment = self.moment(cell(time.index), date: cell(columns.date))
            guard let moment, rows.first?.moment.map(moment.isLike) != false else {
                return note(.unreadableTime, row.line, cell(time.index))
            }
        }
        guard let rate = value(rateCell), let intervals = list(intervalCell) else {
            return note(.unreadableValue, row.line, rateCell.isEmpty ? intervalCell : rateCell)
        }
        guard rate != .absent || !intervals.isEmpty else { return note(.noValue, row.line, rateCell) }
        rows.append(
            Row(
                line: row.line, index: index - columns.firstRow, moment: moment, rate: rate,
                intervals: intervals, contact: truth(cell(columns.contact)),
                quality: number(cell(columns.quality), hasDecimalComma: table.hasDecimalCommas)))
    }

    private func moment(_ cell: String, date: String) -> Moment? {
        if let value = number(cell, hasDecimalComma: table.hasDecimalCommas) { return .number(value) }
        switch RecordedTime(cell) {
        case .instant(let seconds): return .instant(seconds)
        case .timeOfDay(let seconds):
            guard case .instant(let midnight)? = RecordedTime(date) else { return .timeOfDay(seconds) }
            return .instant(midnight + seconds)
        case nil: return nil
        }
    }

    /// `nil` where the cell is neither a number nor one of the words for none.
    private func value(_ cell: String) -> Value? {
        if cell.isEmpty { return .absent }
        if let value = number(cell, hasDecimalComma: table.hasDecimalCommas) {
            return value == -1 || value == 0 ? .noReading : .number(value)
        }
        return ["nan", "na", "n/a", "null", "none", "nil", "-", "--"].contains(cell.lowercased())
            ? .noReading : nil
    }

    /// The intervals of a cell such as `812`, `812 803` or `[0.812, 0.803]`; -1 and 0 stand for none.
    private func list(_ cell: String) -> [Double]? {
        if case .noReading? = value(cell) { return [] }
        if let single = number(cell, hasDecimalComma: table.hasDecimalCommas) { return [single] }
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

    private mutating func note(_ fault: Fault, _ line: Int, _ cell: String) {
        faults[fault, default: Tally(firstLine: line, firstCell: cell)].count += 1
    }

    // MARK: Units

    /// Decides by their size whether values without a name are rates or intervals.
    private mutating func nameValues() {
        let middle = median(
            rows.compactMap { row in if case .number(let value) = row.rate { value } else { nil } })
        guard let middle, middle <= 3 || middle >= 250 else {
            return assumptions.append("values taken for beats per minute")
        }
        assumptions.append("values taken for intervals between beats")
        for index in rows.indices {
            if case .number(let value) = rows[index].rate {
                rows[index].rate = .absent
                rows[index].intervals = [value]
            }
        }
    }

    private mutating func scaleIntervals() {
        guard let middle = median(rows.flatMap(\.intervals)) else { return }
        let unit = columns.intervals?.unit ?? (middle >= 20 ? .milliseconds : .seconds)
        assumptions.append(
            "intervals in \(unit.name)" + (columns.intervals?.unit == nil ? " (by their size)" : ""))
        for index in rows.indices {
            for place in rows[index].intervals.indices { rows[index].intervals[place] /= unit.rawValue }
        }
    }

    /// Seconds for each row, from wherever the recording counts.
    private mutating func times() -> [Double] {
        switch rows.first?.moment {
        case nil: return timesWithoutColumn()
        case .instant:
            assumptions.append("times of the calendar")
            return rows.compactMap(\.moment?.value)
        case .timeOfDay:
            assumptions.append("times of the day")
            return acrossMidnight(rows.compactMap(\.moment?.value))
        case .number:
            let values = rows.compactMap(\.moment?.value)
            let unit = columns.time?.unit ?? Self.unit(ofTimes: values)
            assumptions.append(
                "times in \(unit.name)" + (columns.time?.unit == nil ? " (by their size)" : ""))
            return values.map { $0 / unit.rawValue }
        }
    }

    private mutating func timesWithoutColumn() -> [Double] {
        if columns.period == nil, rows.contains(where: { !$0.intervals.isEmpty }) {
            assumptions.append("no times: the intervals are added up")
            var time = 0.0
            return rows.map { row in
                time += row.intervals.filter { (0.2...4).contains($0) }.reduce(0, +)
                return time
            }
        }
        let period = columns.period ?? 1
        assumptions.append(
            columns.period == nil
                ? "no times: one row a second" : "one row every \(period) s, as the file says")
        return rows.map { Double($0.index) * period }
    }

    private func acrossMidnight(_ times: [Double]) -> [Double] {
        var days = 0.0
        return zip(times, times.prefix(1) + times).map { time, before in
            if time < before - 43_200 { days += 1 }
            return time + days * 86_400
        }
    }

    /// Numbers since 1970 are told by their size, others by their distance: hearts are not asked every 7 minutes.
    private static func unit(ofTimes values: [Double]) -> RecordingColumns.TimeUnit {
        guard let middle = median(values) else { return .seconds }
        if middle > 1e17 { return .nanoseconds }
        if middle > 1e14 { return .microseconds }
        if middle > 1e11 { return .milliseconds }
        if middle > 1e8 { return .seconds }
        let steps = zip(values.dropFirst(), values).map { $0 - $1 }.filter { $0 > 0 }
        return median(steps).map { $0 >= 400 } == true ? .milliseconds : .seconds
    }

    // MARK: Entries

    /// What the row says, its rate only where the row itself has one; `nil` where that is no heart.
    private mutating func sample(of row: Row) -> HeartRateSample? {
        let intervals = row.intervals.filter { (0.2...4).contains($0) }
        var rate: Double?
        if case .number(let value) = row.rate { rate = value }
        let isPlausible = rate.map((15...300).contains) ?? (row.rate == .noReading || !intervals.isEmpty)
        guard isPlausible else {
            note(.implausible, row.line, (rate ?? row.intervals.first).map(\.description) ?? "")
            return nil
        }
        let quality = row.quality.flatMap { (0...1).contains($0) ? $0 : nil }
        return HeartRateSample(
            rate: rate, rrIntervals: intervals, sensorContact: row.contact, quality: quality)
    }

    private func refuseWhereMostlyWrong(good: Int) throws(RecordingProblem) {
        let wrong = Fault.allCases.filter { $0.advice != nil }.compactMap { fault in
            faults[fault].map { (fault: fault, tally: $0) }
        }
        if let worst = wrong.max(by: { $0.tally.count < $1.tally.count }), let advice = worst.fault.advice,
            wrong.reduce(0, { $0 + $1.tally.count }) > good
        {
            throw RecordingProblem(
                "\(quoted(worst.tally.firstCell)) \(advice)", at: place(worst.tally.firstLine))
        }
        guard good == 0 else { return }
        throw RecordingProblem(
            "no row holds a heart rate"
                + (faults[.otherKind].map { ", only others such as \(quoted($0.firstCell))" } ?? "")
                + ": the file needs at least one")
    }

    /// In order of time, with one entry for each moment.
    private func joined(_ dated: [Dated]) throws(RecordingProblem) -> HeartRateRecording {
        var reading = HeartRateRecording.Reading(assumptions: assumptions)
        var latest = -Double.infinity
        for row in dated {
            if row.time < latest { reading.reordered += 1 }
            latest = max(latest, row.time)
        }
        let sorted = dated.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        try refuseLongSpan(of: sorted)
        var moments: [Dated] = []
        for var row in sorted {
            row.time = ((row.time - sorted[0].time) * 1e6).rounded() / 1e6
            guard let last = moments.indices.last, moments[last].time == row.time else {
                moments.append(row)
                continue
            }
            if moments[last].sample == row.sample {
                reading.duplicates += 1
            } else {
                reading.joined += 1
                moments[last].join(row)
            }
        }
        let entries = moments.map { HeartRateRecording.Entry(time: $0.time, sample: $0.completeSample) }
        reading.withoutReading = entries.count { $0.sample.rate == nil }
        reading.skipped = Fault.allCases.compactMap { fault in
            faults[fault].map {
                .init(reason: fault.reason, count: $0.count, firstPlace: place($0.firstLine))
            }
        }
        return HeartRateRecording(entries: entries, reading: reading)
    }

    private func refuseLongSpan(of sorted: [Dated]) throws(RecordingProblem) {
        guard let first = sorted.first, let last = sorted.last, last.time - first.time > Self.longestSpan
        else { return }
        throw RecordingProblem(
            "from \(place(first.line)) to \(place(last.line)) more than a year passes: keep one sitting only",
            at: place(last.line))
    }

    private func place(_ line: Int) -> String { "\(table.rowName) \(line)" }
}

/// A sample with its time, in seconds from wherever the recording counts.
private struct Dated {
    var time: Double
    var line: Int
    var sample: HeartRateSample
    /// Whether the source says that it has no reading.
    var isSilent: Bool

    /// Adds what a later row says of the same moment.
    mutating func join(_ later: Dated) {
        sample.rate = later.sample.rate ?? sample.rate
        sample.rrIntervals += later.sample.rrIntervals
        sample.sensorContact = later.sample.sensorContact ?? sample.sensorContact
        sample.quality = later.sample.quality ?? sample.quality
        isSilent = isSilent || later.isSilent
    }

    /// The sample, its rate computed to a tenth from the intervals where there are only those.
    var completeSample: HeartRateSample {
        var sample = sample
        if sample.rate == nil, !isSilent, !sample.rrIntervals.isEmpty {
            let total = sample.rrIntervals.reduce(0, +)
            sample.rate = (600 * Double(sample.rrIntervals.count) / total).rounded() / 10
        }
        return sample
    }
}

private func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    return values.sorted()[values.count / 2]
}
