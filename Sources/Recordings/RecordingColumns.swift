import TextFormat

/// Which cell of a row is what.
struct RecordingColumns {
    /// A unit of time; the raw value is how many of them make a second.
    enum TimeUnit: Double, Hashable {
        case nanoseconds = 1e9
        case microseconds = 1e6
        case milliseconds = 1e3
        case seconds = 1

        var name: String {
            switch self {
            case .nanoseconds: "ns"
            case .microseconds: "µs"
            case .milliseconds: "ms"
            case .seconds: "s"
            }
        }
    }

    /// A column whose name may tell the unit.
    struct Measured: Hashable {
        var index: Int
        var unit: TimeUnit?
    }

    /// When the row was measured.
    var time: Measured?
    /// The day, where `time` is only a time of the day.
    var date: Int?
    /// Whether `time` counts the seconds of the day.
    var isTimeOfDay = false
    /// Beats per minute.
    var rate: Int?
    /// Time between beats.
    var intervals: Measured?
    /// How long a row, or each rate in a list of them, lasts; seconds.
    var duration: Int?
    /// What the value of the row is.
    var type: Int?
    /// Whether the sensor touches skin.
    var contact: Int?
    /// Quality, 0...1.
    var quality: Int?
    /// Values that may be rates or intervals: their size decides.
    var isUnnamed = false
    /// Seconds between two rows, if the file gives that instead of times.
    var period: Double?
    /// Seconds since 1970 from which the times count, if the file gives that separately.
    var origin: Double?
    /// Index of the first row that holds values.
    var firstRow = 0

    init(_ table: RecordingTable) throws(RecordingProblem) {
        // A summary with a mean may stand above the readings.
        for rates in [ColumnName.rates, [ColumnName.meanRates]] {
            for (index, row) in table.rows.prefix(50).enumerated() where Self.mayBeHeader(row.cells) {
                readNames(row.cells, rates: rates)
                guard rate != nil || intervals != nil else { continue }
                firstRow = index + 1
                if time == nil { time = Self.times(in: table.rows[firstRow...]) }
                if date == nil, origin == nil { origin = Self.start(in: table.rows[..<index]) }
                return
            }
        }
        try readWithoutNames(table)
    }

    /// A column of times without a known name: its first and last cells are times that differ.
    private static func times(in rows: ArraySlice<RecordingTable.Row>) -> Measured? {
        guard let first = rows.first, let last = rows.last else { return nil }
        return first.cells.indices.first { index in
            guard index < last.cells.count, first.cells[index] != last.cells[index] || rows.count == 1 else {
                return false
            }
            return RecordedTime(first.cells[index], .lenient) != nil
                && RecordedTime(last.cells[index], .lenient) != nil
        }.map { Measured(index: $0) }
    }

    /// The start that a summary above the readings tells, as Polar's do; seconds since 1970.
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

    /// The columns of a later block of the same file: of JSON by its own names, otherwise as they were.
    func continued(in table: RecordingTable) throws(RecordingProblem) -> RecordingColumns {
        guard table.isJSON, !isUnnamed else {
            var columns = self
            columns.firstRow = 0
            return columns
        }
        return try RecordingColumns(table)
    }

    /// What the value of a row is, as its `type` cell says.
    enum RowType { case rate, intervals }

    static func rowType(_ cell: String) -> RowType? {
        let name = ColumnName(cell).text
        if ColumnName.rates.prefix(2).contains(where: { $0.contains(name) }) { return .rate }
        return ColumnName.intervals.contains(name) ? .intervals : nil
    }

    /// A header holds words. Only Empatica writes the start time in the place of the time's name.
    private static func mayBeHeader(_ cells: [String]) -> Bool {
        let values = cells.indices.filter {
            number(cells[$0], hasDecimalComma: true) != nil || RecordedTime(cells[$0], .lenient) != nil
        }
        return values.isEmpty || (values == [0] && cells.count == 2)
    }

    private mutating func readNames(_ cells: [String], rates: [Set<String>]) {
        (time, origin) = (nil, nil)
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
        date = first([ColumnName.dates])
        isTimeOfDay = time.map { ColumnName.secondsOfDay.contains(names[$0.index].text) } ?? false
        duration = first([ColumnName.durations])
        type = first([ColumnName.types])
        contact = first([ColumnName.contacts])
        quality = first([ColumnName.qualities])
        if time == nil, let start = number(cells[0], hasDecimalComma: true) {
            time = Measured(index: 0, unit: .seconds)
            if start >= 1e8 { origin = start }
        }
    }

    private mutating func readWithoutNames(_ table: RecordingTable) throws(RecordingProblem) {
        let first = table.rows[0]
        let parse: (String) -> Double? = { number($0, hasDecimalComma: table.hasDecimalCommas) }
        let hasTime = parse(first.cells[0]) != nil || RecordedTime(first.cells[0], .lenient) != nil
        switch first.cells.count {
        case 1 where parse(first.cells[0]) != nil:
            rate = 0
            isUnnamed = true
            readEmpaticaStart(table, parse)
        case 2 where hasTime && parse(first.cells[1]) != nil:
            time = Measured(index: 0)
            rate = 1
            isUnnamed = true
        case 3... where hasTime && parse(first.cells[1]) == nil && parse(first.cells[2]) != nil:
            time = Measured(index: 0)
            type = 1
            rate = 2
        default:
            let cells = first.cells.prefix(6).map(quoted).joined(separator: ", ")
            throw RecordingProblem(
                "no column is a heart rate (\(cells)): begin with a line of names such as time,hr or time,rr",
                at: "\(table.rowName) \(first.line)")
        }
    }

    /// Empatica: the start in seconds since 1970, then the samples per second, then the samples.
    private mutating func readEmpaticaStart(_ table: RecordingTable, _ parse: (String) -> Double?) {
        guard table.rows.count > 2, let start = parse(table.rows[0].cells[0]), start >= 1e8,
            let perSecond = parse(table.rows[1].cells[0]), (0.01...100).contains(perSecond)
        else { return }
        period = 1 / perSecond
        origin = start
        isUnnamed = false
        firstRow = 2
    }
}

/// The name of a column: letters and digits in lower case, the unit apart.
struct ColumnName {
    /// Without spaces, signs and unit.
    let text: String
    /// The unit of time that the name tells.
    let unit: RecordingColumns.TimeUnit?

    init(_ cell: String) {
        // Samsung writes com.samsung.health.heart_rate.start_time.
        let parts = cell.split(separator: ".")
        let cell = parts.count > 3 ? String(parts[parts.count - 1]) : cell
        let words = cell.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
        let whole = words.joined()
        if let known = Self.namesThatTellUnits[whole] {
            (text, unit) = (whole, known)
        } else if words.count > 1, let last = words.last, let unit = Self.units[last] {
            (text, self.unit) = (words.dropLast().joined(), unit)
        } else if words.last == "bpm" || words.suffix(2) == ["count", "min"], words.count > 1 {
            (text, unit) = (words.dropLast(words.last == "bpm" ? 1 : 2).joined(), nil)
        } else if let suffix = ["milliseconds", "millis", "msec", "ms"].first(where: whole.hasSuffix) {
            (text, unit) = (String(whole.dropLast(suffix.count)), .milliseconds)
        } else {
            (text, unit) = (whole, nil)
        }
    }

    private static let units: [String: RecordingColumns.TimeUnit] = [
        "s": .seconds, "sec": .seconds, "secs": .seconds, "second": .seconds, "seconds": .seconds,
        "ms": .milliseconds, "msec": .milliseconds, "millis": .milliseconds, "millisecond": .milliseconds,
        "milliseconds": .milliseconds, "us": .microseconds, "microseconds": .microseconds,
        "ns": .nanoseconds,
        "nanoseconds": .nanoseconds,
    ]

    private static let namesThatTellUnits = units.merging(
        ["runoffset": .seconds, "timestampsince1970": .seconds]
    ) { unit, _ in unit }

    /// Best first: the more exact and the less likely to mean something else.
    static let times: [Set<String>] = [
        ["runoffset"], ["timestampsince1970"],
        Set(units.keys).union([
            "elapsed", "elapsedtime", "timesincestart", "epoch", "unix", "unixtime", "unixtimestamp",
        ]),
        [
            "time", "timestamp", "timestamps", "datetime", "t", "clock", "localtime", "utc", "timeutc",
            "datetimeutc",
            "recordedat", "sampledatetime", "phonetimestamp", "sensortimestamp", "activitysecond",
            "timestampunix",
            "timestampiso", "timestampgmt", "timestamplocal", "zeit", "uhrzeit", "zeitstempel", "heure",
            "horodatage", "hora", "ora", "tijd",
        ], secondsOfDay,
        ["startdate", "starttime", "start"], dates,
    ]

    /// Seconds of a day that another column tells.
    static let secondsOfDay: Set<String> = ["secondsfromdaystart", "secondsofday", "secondssincemidnight"]
    static let dates: Set<String> = ["date", "day", "datum", "fecha"]
    static let rates: [Set<String>] = [
        [
            "heartrate", "hr", "pulse", "pulserate", "beatsperminute", "heartratevalue",
            "hkquantitytypeidentifierheartrate", "puls", "herzfrequenz", "fréquencecardiaque",
            "frecuenciacardiaca", "frequenzacardiaca", "hartslag",
        ], ["bpm"], ["value", "rate"],
    ]
    /// Those of rows that stand for minutes or hours.
    static let meanRates: Set<String> = [
        "averageheartrate", "avgheartrate", "meanheartrate", "heartrateaverage", "heartrateavg",
        "heartratemean", "averagehr", "avghr", "meanhr", "hraverage", "hravg", "hrmean", "averagepulse",
    ]
    static let durations: Set<String> = ["duration", "durations"]
    static let intervals: Set<String> = [
        "rr", "rrs", "rri", "rrinterval", "rrintervals", "ibi", "ibis", "nn", "nni", "nninterval", "ppi",
        "ppinterval", "pulselength", "rtor", "beatinterval", "interbeatinterval", "beattobeatinterval",
    ]
    static let types: Set<String> = ["type", "kind", "metric", "datatype", "measurement", "signal"]
    static let contacts: Set<String> = ["sensorcontact", "skincontact", "contact", "contactdetected"]
    static let qualities: Set<String> = ["quality", "signalquality"]
}
