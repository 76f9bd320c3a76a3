/// The name of a column: letters and digits in lower case, without the unit.
struct ColumnName {
    /// The name without spaces, punctuation and unit.
    let text: String
    /// The unit of time that the name gives.
    let unit: RecordingColumns.TimeUnit?

    init(_ cell: String) {
        // Samsung writes com.samsung.health.heart_rate.start_time.
        let parts = cell.split(separator: ".")
        var cell = parts.count > 3 ? String(parts[parts.count - 1]) : cell
        // Hexoskin writes the address of a description after the unit: heart_rate [bpm](/api/datatype/19/).
        if let address = cell.firstRange(of: "](/") { cell = String(cell[..<address.lowerBound]) }
        let words = cell.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
        let whole = words.joined()
        if let known = Self.namesThatTellUnits[whole] {
            (text, unit) = (whole, known)
        } else if let last = words.last, let unit = Self.longUnits[last],
            Self.isTime(words.dropLast().joined())
        {
            // Elsewhere `min` is the lowest of several, or beats per minute.
            (text, self.unit) = (words.dropLast().joined(), unit)
        } else if let part = Self.partOfSecond(words), cell.contains("/") {
            (text, unit) = (words.dropLast(part.words).joined(), part.unit)
        } else if words.count > 1, let last = words.last, let unit = Self.units[last] {
            (text, self.unit) = (words.dropLast().joined(), unit)
        } else if let perMinute = Self.perMinute.first(where: { words.suffix($0.count) == $0[...] }),
            words.count > perMinute.count
        {
            (text, unit) = (words.dropLast(perMinute.count).joined(), nil)
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

    private static let longUnits: [String: RecordingColumns.TimeUnit] = [
        "min": .minutes, "minutes": .minutes, "h": .hours, "hours": .hours, "days": .days,
    ]

    /// `s/256` or `1/256 s` at the end of a name, and how many words it has there.
    private static func partOfSecond(_ words: [String]) -> (unit: RecordingColumns.TimeUnit, words: Int)? {
        let count: (String) -> RecordingColumns.TimeUnit? = {
            Int($0).flatMap { (2...1_000_000_000).contains($0) ? .init(rawValue: Double($0)) : nil }
        }
        let isSecond = { (word: String) in units[word] == .seconds }
        if words.count > 2, isSecond(words[words.count - 2]), let unit = count(words[words.count - 1]) {
            return (unit, 2)
        }
        guard words.count > 3, isSecond(words[words.count - 1]), words[words.count - 3] == "1",
            let unit = count(words[words.count - 2])
        else { return nil }
        return (unit, 3)
    }

    /// Words for beats per minute at the end of a name, longest first.
    private static let perMinute = [
        ["beats", "per", "minute"], ["beats", "min"], ["count", "min"], ["schläge", "min"], ["s", "min"],
        ["1", "min"], ["min", "1"], ["bpm"],
    ]

    /// Whether a unit means beats per minute.
    static func isPerMinute(_ unit: String) -> Bool {
        perMinute.contains(unit.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init))
    }

    /// Whether a name is one of a rate, and its unit says that it is one a minute.
    static func isRate(_ name: String) -> Bool {
        rates.contains { $0.contains(ColumnName(name).text) }
            && isPerMinute(RecordingGuide.parts(of: name).unit)
    }

    private static let namesThatTellUnits = units.merging(
        ["runoffset": .seconds, "timestampsince1970": .seconds]
    ) { unit, _ in unit }

    /// The best first: the more exact ones, and those less likely to mean something else.
    static let times: [Set<String>] = [
        ["runoffset"], ["timestampsince1970"],
        Set(units.keys).union([
            "elapsed", "elapsedtime", "timesincestart", "epoch", "unix", "unixtime", "unixtimestamp",
        ]),
        [
            "time", "timestamp", "timestamps", "onset", "datetime", "t", "clock", "localtime", "utc",
            "timeutc",
            "datetimeutc",
            "recordedat", "sampledatetime", "phonetimestamp", "sensortimestamp", "activitysecond",
            "timestampunix",
            "timestampiso", "timestampgmt", "timestamplocal", "zeit", "uhrzeit", "zeitstempel", "heure",
            "horodatage", "hora", "ora", "tijd",
        ], secondsOfDay,
        ["startdate", "starttime", "start", "datetimestart"], dates,
    ]

    /// Names for seconds of a day whose date another column gives.
    static let secondsOfDay: Set<String> = ["secondsfromdaystart", "secondsofday", "secondssincemidnight"]
    private static func isTime(_ name: String) -> Bool { times.contains { $0.contains(name) } }
    /// Parts of unknown names that suggest a time: `lsl_timestamp`, `hr_time`, `epoch_utc`.
    static let timeParts = [
        "time", "stamp", "epoch", "clock", "elapsed", "zeit", "heure", "seconds", "sekunden",
    ]
    static let dates: Set<String> = ["date", "day", "datum", "fecha"]
    static let rates: [Set<String>] = [
        [
            "heartrate", "hr", "pulse", "pulserate", "beatsperminute", "heartratevalue",
            "hkquantitytypeidentifierheartrate", "puls", "herzfrequenz", "fréquencecardiaque",
            "frecuenciacardiaca", "frequenzacardiaca", "hartslag", "hrate", "herzrate",
            "herzschlag",
        ], ["bpm"], ["value", "rate"],
    ]
    /// Names that may stand for another signal: `value`, or the waveform of a pulse.
    static let vagueRates: Set<String> = ["value", "rate", "pulse", "puls"]
    /// Names in rows that represent minutes or hours.
    static let meanRates: Set<String> = [
        "averageheartrate", "avgheartrate", "meanheartrate", "heartrateaverage", "heartrateavg",
        "heartratemean", "averagehr", "avghr", "meanhr", "hraverage", "hravg", "hrmean", "averagepulse",
    ]
    static let durations: Set<String> = ["duration", "durations"]
    static let intervals: Set<String> = [
        "rr", "rrs", "rri", "rrinterval", "rrintervals", "ibi", "ibis", "nn", "nni", "nninterval", "ppi",
        "ppinterval", "pulselength", "rtor", "beatinterval", "interbeatinterval", "beattobeatinterval",
        "rrdata", "rrintervalle",
    ]
    /// Names for times of beats.
    static let beats: Set<String> = [
        "rpeak", "rpeaks", "rpeaktime", "rpeaktimes", "rpeaksample", "rpeaksamples", "rpeakssamples",
        "rpeakindex",
        "rpeakindices", "rpeaklocs", "rwave", "rwaves", "rtime", "rtimes", "rlocs", "beattime", "beattimes",
        "peaktime",
        "peaktimes", "qrs", "qrstime", "qrstimes",
    ]
    static let types: Set<String> = ["type", "kind", "metric", "datatype", "measurement", "signal"]
    static let contacts: Set<String> = ["sensorcontact", "skincontact", "contact", "contactdetected"]
    static let qualities: Set<String> = ["quality", "signalquality"]
}
