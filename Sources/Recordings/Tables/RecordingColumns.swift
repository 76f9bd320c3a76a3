import TextFormat

/// The meaning of each cell in a row.
struct RecordingColumns {
    /// A unit of time; the raw value is how many of them make a second.
    struct TimeUnit: Hashable {
        let rawValue: Double

        static let nanoseconds = TimeUnit(rawValue: 1e9)
        static let microseconds = TimeUnit(rawValue: 1e6)
        static let milliseconds = TimeUnit(rawValue: 1e3)
        static let seconds = TimeUnit(rawValue: 1)
        static let minutes = TimeUnit(rawValue: 1 / 60.0)
        static let hours = TimeUnit(rawValue: 1 / 3600.0)
        /// The days of a spreadsheet.
        static let days = TimeUnit(rawValue: 1 / 86_400.0)

        var name: String {
            switch self {
            case .nanoseconds: "ns"
            case .microseconds: "µs"
            case .milliseconds: "ms"
            case .seconds: "s"
            case .minutes: "minutes"
            case .hours: "hours"
            case .days: "days, as spreadsheets count them"
            case _: "1/\(rawValue.wholeNumber) s"
            }
        }
    }

    /// Why a column is taken for heart data.
    enum Evidence: Hashable {
        /// Its name can mean nothing else, or the user says so.
        case name
        /// Its name may mean another signal, such as `value` or `pulse`, so the values must look like heart rates.
        case vagueName
        /// There is no evidence: the values may be rates, intervals or something else.
        case none
    }

    /// A column whose name may give the unit.
    struct Measured: Hashable {
        var index: Int
        var unit: TimeUnit?
    }

    /// When the row was measured.
    var time: Measured?
    /// The date, if `time` is only a time of day.
    var date: Int?
    /// Whether `time` counts the seconds of the day.
    var isTimeOfDay = false
    /// Beats per minute.
    var rate: Int?
    /// Whether the column of rates is named as a pulse, which may also be a waveform.
    var isPulse = false
    /// Time between beats.
    var intervals: Measured?
    /// Times of beats, in the column `rate`, if no column has rates or intervals.
    var beats: Measured?
    /// The column that counts rows with intervals, if no column has times.
    var counter: Int?
    /// How long a row lasts, or each rate in a list of rates; seconds.
    var duration: Int?
    /// What kind of value the row contains.
    var type: Int?
    /// Whether the sensor touches skin.
    var contact: Int?
    /// Quality, 0...1.
    var quality: Int?
    /// How the column of values was found.
    var evidence = Evidence.name
    /// Seconds between two rows, if the file gives this instead of times.
    var period: Double?
    /// Seconds since 1970 from which times count, if the file gives this separately.
    var origin: Double?
    /// Index of the first row that holds values.
    var firstRow = 0
    /// Assumptions about the columns, in words.
    var remarks: [String] = []

    /// - Parameter guide: what the user says about the file.
    init(_ table: RecordingTable, _ guide: RecordingGuide) throws(RecordingProblem) {
        // A summary with a mean may stand above the readings.
        for rates in [ColumnName.rates, [ColumnName.meanRates]] {
            for (index, row) in table.rows.prefix(50).enumerated() where Self.mayBeHeader(row.cells) {
                readNames(row.cells, rates: rates)
                try apply(guide, names: row.cells)
                guard rate != nil || intervals != nil else { continue }
                firstRow = index + 1
                readUnit(table, row.cells)
                try findTimes(table, names: row.cells, guide)
                if date == nil, origin == nil {
                    origin = guide.origin ?? Self.start(in: table.rows[..<index])
                }
                return
            }
        }
        let numbered = table.rows[0].cells.indices.map { "column \($0 + 1)" }
        if guide.column != nil || guide.times != nil {
            try apply(guide, names: numbered)
            if guide.times == nil, guide.column.map({ $0 != "1" }) == true,
                Self.times(in: table.rows[...])?.index == 0
                    || Self.grows(table.rows.lazy.map { $0.cells[0] }, table.hasDecimalCommas)
            {
                time = Measured(index: 0)
            }
            if rate != nil || intervals != nil { return }
        }
        try readWithoutNames(table)
        if guide.times != nil { time = nil }
        try apply(guide, names: numbered)
    }

    /// A column of units may say that values are beats per minute, such as Apple Health's `count/min`.
    private mutating func readUnit(_ table: RecordingTable, _ names: [String]) {
        guard evidence == .vagueName,
            let unit = names.firstIndex(where: { ["unit", "units"].contains(ColumnName($0).text) }),
            firstRow < table.rows.count, unit < table.rows[firstRow].cells.count,
            ColumnName.isPerMinute(table.rows[firstRow].cells[unit])
        else { return }
        evidence = .name
    }

    /// Uses a column for the values that the user says are in it.
    mutating func use(_ values: RecordingGuide.Values, at index: Int) {
        evidence = .name
        switch values {
        case .rates: (rate, intervals) = (index, nil)
        case .intervals: (rate, intervals) = (nil, Measured(index: index, unit: intervals?.unit))
        case .ecg: preconditionFailure("an ECG has a reader of its own")
        }
    }

    /// The start that a summary above the readings gives, as Polar's files do; seconds since 1970.
    private static func start(in rows: ArraySlice<RecordingTable.Row>) -> Double? {
        for (names, values) in zip(rows, rows.dropFirst()) {
            let names = names.cells.map { ColumnName($0).text }
            guard let date = names.firstIndex(of: "date"), let start = names.firstIndex(of: "starttime"),
                max(date, start) < values.cells.count,
                case .instant(let midnight)? = RecordedTime(values.cells[date], .lenient),
                case .timeOfDay(let seconds)? = RecordedTime(values.cells[start], .lenient)
            else { continue }
            return midnight + seconds
        }
        return nil
    }

    /// The columns of a later block of the same file: for JSON by its own names, otherwise unchanged.
    func continued(
        in table: RecordingTable, _ guide: RecordingGuide
    ) throws(RecordingProblem) -> RecordingColumns {
        guard table.isJSON, evidence != .none else {
            var columns = self
            columns.firstRow = 0
            return columns
        }
        return try RecordingColumns(table, guide)
    }

    /// The kind of value in a row, according to its `type` cell.
    enum RowType { case rate, intervals }

    static func rowType(_ cell: String) -> RowType? {
        let name = ColumnName(cell).text
        if ColumnName.rates.prefix(2).contains(where: { $0.contains(name) }) { return .rate }
        return ColumnName.intervals.contains(name) ? .intervals : nil
    }

    /// A header consists of words. Only Empatica writes the start time instead of the time's name.
    private static func mayBeHeader(_ cells: [String]) -> Bool {
        let values = cells.indices.filter {
            number(cells[$0], hasDecimalComma: true) != nil || RecordedTime(cells[$0], .lenient) != nil
                || !cells[$0].isEmpty && RecordingTable.missing.contains(cells[$0].lowercased())
        }
        return values.isEmpty || (values == [0] && cells.count == 2)
    }

    private mutating func readNames(_ cells: [String], rates: [Set<String>]) {
        (time, origin, beats) = (nil, nil, nil)
        let names = cells.map { ColumnName($0) }
        func first(_ ranks: [Set<String>]) -> Int? {
            for rank in ranks {
                if let index = names.firstIndex(where: { rank.contains($0.text) }) { return index }
            }
            return nil
        }
        rate = first(rates)
        intervals = first([ColumnName.intervals]).map { Measured(index: $0, unit: names[$0].unit) }
        time = first(ColumnName.times).map { Measured(index: $0, unit: names[$0].unit) }
        if rate == nil, intervals == nil, let index = first([ColumnName.beats]) {
            (rate, beats) = (index, Measured(index: index, unit: names[index].unit))
            if time?.index == index { time = nil }
        }
        date = first([ColumnName.dates])
        isTimeOfDay = time.map { ColumnName.secondsOfDay.contains(names[$0.index].text) } ?? false
        duration = first([ColumnName.durations])
        // Beside a column that says itself that it holds heart rates, a type is that of something else.
        let isVague =
            rate.map { ColumnName.vagueRates.contains(names[$0].text) && !ColumnName.isRate(cells[$0]) }
            == true
        type = isVague ? first([ColumnName.types]) : nil
        contact = first([ColumnName.contacts])
        quality = first([ColumnName.qualities])
        isPulse = rate.map { names[$0].text.hasPrefix("puls") } ?? false
        evidence = isVague && type == nil ? .vagueName : .name
        if time == nil, let start = number(cells[0], hasDecimalComma: true) {
            time = Measured(index: 0, unit: .seconds)
            if start >= 1e8 { origin = start }
        }
    }

    private mutating func readWithoutNames(_ table: RecordingTable) throws(RecordingProblem) {
        let first = table.rows[0]
        let parse: (String) -> Double? = { number($0, hasDecimalComma: table.hasDecimalCommas) }
        let isValue: (String) -> Bool = {
            parse($0) != nil || RecordingTable.missing.contains($0.lowercased())
        }
        let hasTime = parse(first.cells[0]) != nil || RecordedTime(first.cells[0], .lenient) != nil
        switch first.cells.count {
        case 1 where isValue(first.cells[0]):
            (rate, evidence) = (0, .none)
            readEmpaticaStart(table, parse)
        case 2 where hasTime && isValue(first.cells[1]):
            time = Measured(index: 0)
            (rate, evidence) = (1, .none)
        case 3... where hasTime && parse(first.cells[1]) == nil && parse(first.cells[2]) != nil:
            time = Measured(index: 0)
            type = 1
            rate = 2
        default:
            let cells = first.cells.prefix(6).map(quoted).joined(separator: ", ")
            let ecg = first.cells.first(where: SignalChoice.isNamedECG).map {
                ", or have the beats in \(quoted($0)) detected with --as ecg=\(printable($0))"
            }
            throw RecordingProblem(
                "no column is a heart rate (\(cells)): begin with a line of names such as time,hr or time,rr"
                    + (ecg ?? (hasTime ? ", or say --as rr=2 if intervals are in the second column" : "")),
                at: "\(table.rowName) \(first.line)")
        }
    }

    /// Empatica's form: the start in seconds since 1970, then the samples per second, then the samples.
    private mutating func readEmpaticaStart(_ table: RecordingTable, _ parse: (String) -> Double?) {
        guard table.rows.count > 2, let start = parse(table.rows[0].cells[0]), start >= 1e8,
            let perSecond = parse(table.rows[1].cells[0]), (0.01...100).contains(perSecond)
        else { return }
        period = 1 / perSecond
        origin = start
        firstRow = 2
    }
}
