import TextFormat

/// A moment as recordings write it.
package enum RecordedTime: Hashable {
    /// Seconds since 1970. A time without a zone counts as UTC, because only differences matter.
    case instant(Double)
    /// Seconds since midnight, or since the start: `HH:MM:SS`.
    case timeOfDay(Double)

    /// Seconds since 1970; `nil` if the text has no date.
    package static func instant(of text: String) -> Double? {
        guard case .instant(let seconds)? = RecordedTime(text) else { return nil }
        return seconds
    }

    /// - Parameters:
    ///   - text: ISO 8601 with `T` or a space, with or without zone, or without punctuation (`20260131T093000Z`);
    ///     `2026/01/31`, `31.1.2026`, `31-Jan-2026` or `Jan 31, 2026` for the day; `1/31/2026 7:21:00 AM`; or only
    ///     a day, `HH:MM:SS` or `7:21 PM`.
    ///   - style: how the recording writes ambiguous times.
    /// - Returns: `nil` if it is none of these, or no such moment exists.
    init?(_ text: String, _ style: TimeStyle = TimeStyle()) {
        guard (4...40).contains(text.utf8.count) else { return nil }
        var reader = TimeReader(text, style)
        guard let day = reader.day() else {
            guard let seconds = reader.timeAlone(), let zone = reader.zone(), reader.isAtEnd else {
                return nil
            }
            self = .timeOfDay(seconds - zone)
            return
        }
        if reader.isAtEnd {
            self = .instant(day)
            return
        }
        guard reader.skipToTime(), let seconds = reader.timeOfDay(), let zone = reader.zone(), reader.isAtEnd
        else { return nil }
        self = .instant(day + seconds - zone)
    }
}

extension RecordedTime {
    /// Seconds since 1970 in the years that have four digits.
    static let calendar = -62_135_596_800.0..<253_402_300_800

    /// Seconds from 1970 to midnight of a day of the Gregorian calendar; `nil` if there is no such day.
    static func seconds(year: Int, month: Int, day: Int) -> Double? {
        let date = CivilDate(year: year, month: month, day: day)
        return date.isInCalendar ? Double(date.daysSince1970) * 86_400 : nil
    }
}

/// A finite decimal number, with a decimal comma if that is allowed.
package func number(_ text: String, hasDecimalComma: Bool) -> Double? {
    var (count, commas, hasPoint) = (0, 0, false)
    for byte in text.utf8 {
        count += 1
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            continue
        case UInt8(ascii: "."): hasPoint = true
        case UInt8(ascii: ","): commas += 1
        default: return nil
        }
    }
    let isComma = commas == 1 && hasDecimalComma && !hasPoint
    guard (1...40).contains(count), commas == 0 || isComma,
        let value = Double(isComma ? text.replacing(",", with: ".") : text), value.isFinite
    else { return nil }
    return value
}
