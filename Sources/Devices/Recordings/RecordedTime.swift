/// A moment as recordings write it.
enum RecordedTime: Hashable {
    /// Seconds since 1970; a time without zone counts as UTC, since only differences matter.
    case instant(Double)
    /// Seconds since midnight, or since the start: `HH:MM:SS`.
    case timeOfDay(Double)

    /// - Parameter text: ISO 8601 with `T` or a space, with or without zone; `2026/01/31` or `31.1.2026` for the
    ///   day; `1/31/2026 7:21:00 AM` or `01/31/26 19:21:00`; or only a day or `HH:MM:SS`.
    /// - Returns: `nil` where it is none of these, or no such moment exists.
    init?(_ text: String) {
        guard (7...40).contains(text.utf8.count) else { return nil }
        var reader = TimeReader(text)
        guard let day = reader.day() else {
            guard let seconds = reader.timeOfDay(isLong: true), reader.isAtEnd else { return nil }
            self = .timeOfDay(seconds)
            return
        }
        if reader.isAtEnd {
            self = .instant(day.seconds)
            return
        }
        guard reader.skipToTime(), var seconds = reader.timeOfDay(isLong: false) else { return nil }
        let half = reader.halfOfDay()
        if let half {
            guard (3600..<46_800).contains(seconds) else { return nil }
            seconds = (seconds >= 43_200 ? seconds - 43_200 : seconds) + (half == .afternoon ? 43_200 : 0)
        }
        guard let zone = reader.zone(), reader.isAtEnd, !day.isMonthFirst || half != nil else { return nil }
        self = .instant(day.seconds + seconds - zone)
    }
}

/// Reads the parts of a moment from the left.
private struct TimeReader {
    enum Half { case morning, afternoon }

    struct Day {
        var seconds: Double
        /// Whether it was read as the American order, which only AM and PM prove.
        var isMonthFirst: Bool
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }

    /// A day, or `nil` and nothing read.
    mutating func day() -> Day? {
        let start = position
        if let first = digits(1...4), let separator = take(among: "-/."), let second = digits(1...2),
            take(among: String(separator)) != nil, let third = digits(1...4)
        {
            let isYearFirst = first.count == 4
            let isMonthFirst = !isYearFirst && separator == "/"
            // Fitbit writes 01/31/26.
            if isMonthFirst, third.count == 2,
                let seconds = RecordedTime.seconds(
                    year: 2000 + third.value, month: first.value, day: second.value)
            {
                return Day(seconds: seconds, isMonthFirst: false)
            }
            if isYearFirst || (third.count == 4 && separator != "-"),
                let seconds = isYearFirst
                    ? RecordedTime.seconds(year: first.value, month: second.value, day: third.value)
                    : isMonthFirst
                        ? RecordedTime.seconds(year: third.value, month: first.value, day: second.value)
                        : RecordedTime.seconds(year: third.value, month: second.value, day: first.value)
            {
                return Day(seconds: seconds, isMonthFirst: isMonthFirst)
            }
        }
        position = start
        return nil
    }

    mutating func skipToTime() -> Bool {
        guard take(among: "Tt ") != nil else { return false }
        skipSpaces()
        return true
    }

    /// Seconds since midnight; `isLong` asks for the seconds and allows more than a day, as stopwatches do.
    mutating func timeOfDay(isLong: Bool) -> Double? {
        guard let hours = digits(1...(isLong ? 4 : 2)), take(among: ":") != nil, let minutes = digits(2...2),
            minutes.value < 60, isLong || hours.value <= 24
        else { return nil }
        var seconds = Double(hours.value * 3600 + minutes.value * 60)
        guard take(among: ":") != nil else { return isLong ? nil : seconds }
        guard let whole = digits(2...2), whole.value <= 60 else { return nil }
        seconds += Double(whole.value)
        guard take(among: ".,") != nil else { return seconds }
        guard let fraction = digits(1...9) else { return nil }
        var scale = 1.0
        for _ in 0..<fraction.count { scale *= 10 }
        return seconds + Double(fraction.value) / scale
    }

    mutating func halfOfDay() -> Half? {
        let start = position
        skipSpaces()
        if let letter = take(among: "AaPp"), take(among: "Mm") != nil {
            return letter == "A" || letter == "a" ? .morning : .afternoon
        }
        position = start
        return nil
    }

    /// Seconds east of Greenwich, 0 where none is written; `nil` where what is written is no zone.
    mutating func zone() -> Double? {
        skipSpaces()
        if isAtEnd || take(among: "Zz") != nil { return 0 }
        if ["UTC", "GMT"].contains(String(decoding: bytes[position...], as: UTF8.self)) {
            position = bytes.count
            return 0
        }
        guard let sign = take(among: "+-"), let hours = digits(2...2), hours.value <= 18 else { return nil }
        let hasColon = take(among: ":") != nil
        let minutes = digits(2...2)
        guard !hasColon || minutes != nil, minutes.map({ $0.value < 60 }) != false else { return nil }
        let seconds = Double(hours.value * 3600 + (minutes.map(\.value) ?? 0) * 60)
        return sign == "-" ? -seconds : seconds
    }

    private mutating func skipSpaces() {
        while !isAtEnd, bytes[position] == UInt8(ascii: " ") { position += 1 }
    }

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

    private mutating func take(among characters: String) -> Character? {
        guard position < bytes.count else { return nil }
        let next = Character(Unicode.Scalar(bytes[position]))
        guard characters.contains(next) else { return nil }
        position += 1
        return next
    }
}

extension RecordedTime {
    /// Seconds from 1970 to midnight of a day of the Gregorian calendar; `nil` where there is no such day.
    static func seconds(year: Int, month: Int, day: Int) -> Double? {
        guard (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400
        let days = before * 365 + leapDays + lengths[..<(month - 1)].reduce(0, +) + day - 1
        return Double(days - 719_162) * 86_400
    }
}

/// A finite decimal number, with a comma for the point where that is allowed.
func number(_ text: String, hasDecimalComma: Bool) -> Double? {
    var bytes = Array(text.utf8)
    guard (1...40).contains(bytes.count) else { return nil }
    if hasDecimalComma, !bytes.contains(UInt8(ascii: ".")),
        let comma = bytes.firstIndex(of: UInt8(ascii: ","))
    {
        bytes[comma] = UInt8(ascii: ".")
    }
    let isDecimal = bytes.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else {
        return nil
    }
    return value
}
