/// Reads the parts of a moment from the left.
struct TimeReader {
    private let bytes: [UInt8]
    private let style: TimeStyle
    private var position = 0

    init(_ text: String, _ style: TimeStyle) {
        bytes = Array(text.utf8)
        self.style = style
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Seconds from 1970 to midnight of a date; `nil`, with nothing read, if there is none.
    mutating func day() -> Double? {
        let start = position
        for read in [Self.numberedDay, Self.namedDay, Self.denseDay] {
            if let seconds = read(&self) { return seconds }
            position = start
        }
        return nil
    }

    /// `2026-01-31`, `31.1.2026` or, if the order is known, `31/1/2026`; with `/` and `.` also `26` for the year.
    private static func numberedDay(_ reader: inout TimeReader) -> Double? {
        guard let first = reader.digits(1...4), let sign = reader.next(among: "-/."),
            let second = reader.digits(1...2), reader.next(among: String(sign)) != nil,
            let third = reader.digits(1...4)
        else { return nil }
        guard first.count != 4 else {
            return RecordedTime.seconds(year: first.value, month: second.value, day: third.value)
        }
        guard third.count == 4 || third.count == 2 && sign != "-" else { return nil }
        let year = third.value + (third.count == 2 ? 2000 : 0)
        switch sign == "." ? .dayFirst : reader.order(first.value, second.value, isShort: third.count == 2) {
        case .dayFirst: return RecordedTime.seconds(year: year, month: second.value, day: first.value)
        case .monthFirst: return RecordedTime.seconds(year: year, month: first.value, day: second.value)
        case nil: return nil
        }
    }

    /// What comes first. AM, PM and years of two digits suggest the American order.
    private func order(_ first: Int, _ second: Int, isShort: Bool) -> DayOrder? {
        if first > 12 { return .dayFirst }
        if second > 12 { return .monthFirst }
        return style.dayOrder ?? (isShort || hasHalf ? .monthFirst : nil)
    }

    private var hasHalf: Bool {
        bytes.count > 2 && "Mm".utf8.contains(bytes[bytes.count - 1])
            && "AaPp".utf8.contains(bytes[bytes.count - 2])
    }

    /// `31-Jan-2026`, `31 January 2026` or `Jan 31, 2026`.
    private static func namedDay(_ reader: inout TimeReader) -> Double? {
        let first = reader.digits(1...2)
        guard first == nil || reader.next(among: "- .") != nil, let month = reader.month() else { return nil }
        reader.skip(among: "- .,")
        guard let day = first ?? reader.digits(1...2) else { return nil }
        if first == nil { reader.skip(among: " ,") }
        guard let year = reader.digits(4...4) else { return nil }
        _ = reader.next(among: ",")
        return RecordedTime.seconds(year: year.value, month: month, day: day.value)
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// An English month, shortened or not.
    private mutating func month() -> Int? {
        let start = position
        while !isAtEnd, bytes[position] | 0x20 >= 0x61, bytes[position] | 0x20 <= 0x7A { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
        guard (3...9).contains(word.utf8.count) else { return nil }
        return Self.months.firstIndex(of: String(word.prefix(3))).map { $0 + 1 }
    }

    /// `20260131`, followed by a time.
    private static func denseDay(_ reader: inout TimeReader) -> Double? {
        guard let day = reader.digits(8...8), !reader.isAtEnd, reader.bytes[reader.position] | 0x20 == 0x74
        else { return nil }
        return RecordedTime.seconds(
            year: day.value / 10_000, month: day.value / 100 % 100, day: day.value % 100)
    }

    mutating func skipToTime() -> Bool {
        guard next(among: "Tt ") != nil else { return false }
        skip(among: " ")
        return true
    }

    /// Seconds since midnight for `9:30`, `09:30:00.5`, `9:30 PM` or `093000`.
    mutating func timeOfDay() -> Double? {
        if let dense = denseTime() { return dense }
        guard let (hours, minutes) = hoursAndMinutes(1...2), hours <= 24 else { return nil }
        return half(of: next(among: ":") == nil ? hours * 3600 + minutes * 60 : clock(hours, minutes))
    }

    /// Seconds of a time without a date, which may exceed a day, as on stopwatches.
    mutating func timeAlone() -> Double? {
        guard let (hours, minutes) = hoursAndMinutes(1...4) else { return nil }
        if next(among: ":") != nil { return half(of: clock(hours, minutes)) }
        if style.areTwoPartsMinutes == true { return fraction().map { 60 * hours + minutes + $0 } }
        guard style.areTwoPartsMinutes == false || hasHalf, hours <= 24 else { return nil }
        return half(of: hours * 3600 + minutes * 60)
    }

    private mutating func hoursAndMinutes(_ counts: ClosedRange<Int>) -> (Double, Double)? {
        guard let hours = digits(counts), next(among: ":") != nil, let minutes = digits(2...2),
            minutes.value < 60
        else { return nil }
        return (Double(hours.value), Double(minutes.value))
    }

    /// Reads the seconds that follow, and adds everything up.
    private mutating func clock(_ hours: Double, _ minutes: Double) -> Double? {
        guard let whole = digits(2...2), whole.value <= 60, let fraction = fraction() else { return nil }
        return hours * 3600 + minutes * 60 + Double(whole.value) + fraction
    }

    /// `nil` if no digits follow the decimal mark.
    private mutating func fraction() -> Double? {
        guard next(among: ".,") != nil else { return 0 }
        guard let fraction = digits(1...9) else { return nil }
        return Double(fraction.value) / (0..<fraction.count).reduce(1) { scale, _ in scale * 10 }
    }

    /// `093000` or `0930`.
    private mutating func denseTime() -> Double? {
        let start = position
        guard let time = digits(4...6), time.count != 5 else {
            position = start
            return nil
        }
        let long = time.count == 6 ? time.value : time.value * 100
        guard long / 10_000 <= 24, long / 100 % 100 < 60, long % 100 <= 60, let fraction = fraction() else {
            return nil
        }
        return Double(long / 10_000 * 3600 + long / 100 % 100 * 60 + long % 100) + fraction
    }

    /// Reads AM or PM, if there is one.
    private mutating func half(of seconds: Double?) -> Double? {
        guard let seconds, hasHalf else { return seconds }
        skip(among: " ")
        guard let letter = next(among: "AaPp"), next(among: "Mm") != nil, (3600..<46_800).contains(seconds)
        else { return nil }
        return seconds.truncatingRemainder(dividingBy: 43_200) + ("Pp".contains(letter) ? 43_200 : 0)
    }

    /// Seconds east of Greenwich; 0 if no zone is written, `nil` if the zone is invalid.
    mutating func zone() -> Double? {
        skip(among: " ")
        if isAtEnd || next(among: "Zz") != nil { return 0 }
        if ["UTC", "GMT"].contains(String(decoding: bytes[position...].prefix(3), as: UTF8.self)) {
            position += 3
            if isAtEnd { return 0 }
        }
        guard let sign = next(among: "+-"), let hours = digits(2...2), hours.value <= 18 else { return nil }
        let hasColon = next(among: ":") != nil
        let minutes = digits(2...2)
        guard !hasColon || minutes != nil, minutes.map({ $0.value < 60 }) != false else { return nil }
        let seconds = Double(hours.value * 3600 + (minutes.map(\.value) ?? 0) * 60)
        return sign == "-" ? -seconds : seconds
    }

    private mutating func skip(among characters: String) { while next(among: characters) != nil {} }

    private mutating func digits(_ counts: ClosedRange<Int>) -> (value: Int, count: Int)? {
        let start = position
        var value = 0
        while position < bytes.count, position - start < counts.upperBound,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position])
        {
            value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
            position += 1
        }
        let count = position - start
        guard counts.contains(count) else {
            position = start
            return nil
        }
        return (value, count)
    }

    private mutating func next(among characters: String) -> Character? {
        guard position < bytes.count, characters.utf8.contains(bytes[position]) else { return nil }
        defer { position += 1 }
        return Character(Unicode.Scalar(bytes[position]))
    }
}
