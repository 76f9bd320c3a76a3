import TextFormat

/// Finds days that are written in digits.
enum WrittenDay {
    /// How many bytes a day takes that begins at a place, if one does.
    static func length(in bytes: [UInt8], at start: Int) -> Int? {
        let digits = run(of: bytes, at: start)
        guard !digits.isEmpty else { return nil }
        return compact(digits)
            ? digits.count : parted(digits, in: bytes, at: start) ?? counted(digits, in: bytes, at: start)
    }

    /// Digits alone: `20260131`, also with the time; or the time since 1970 in seconds, or in thousandths, millionths
    /// or billionths of one.
    private static func compact(_ digits: [UInt8]) -> Bool {
        switch digits.count {
        case 8, 14:
            return isDay(digits[0..<4], digits[4..<6], digits[6..<8])
                || isDay(digits[4..<8], digits[2..<4], digits[0..<2])
                || isDay(digits[4..<8], digits[0..<2], digits[2..<4])
        case 12, 17:
            return isDay(digits[0..<4], digits[4..<6], digits[6..<8]) && number(digits[8..<10]) < 24
                && number(digits[10..<12]) < 60
        case 10, 13, 16, 19: return moments.contains(number(digits[0..<10]))
        case _: return false
        }
    }

    /// From September 2001 to the year 2100. Before that, the seconds have nine digits, as many numbers have.
    private static let moments = 1_000_000_000..<4_102_444_800

    /// Three parts, with the year first or last, and `-`, `.`, `/`, `_` or a space between them. With a year of four
    /// digits, spaces may stand around the other signs, and `:` is one, too.
    private static func parted(_ digits: [UInt8], in bytes: [UInt8], at start: Int) -> Int? {
        var parts = [digits]
        var isSpaced = false
        var end = start + digits.count
        while parts.count < 3, let gap = gap(in: bytes, at: end, withColon: digits.count == 4) {
            isSpaced = isSpaced || gap > 1
            parts.append(run(of: bytes, at: end + gap))
            end += gap + (parts.last?.count ?? 0)
        }
        guard parts.count == 3 else { return nil }
        let (one, two, three) = (parts[0][...], parts[1][...], parts[2][...])
        guard !isSpaced || one.count == 4 || three.count == 4 else { return nil }
        let isDated =
            one.count == 4
            ? isDay(one, two, three.prefix(2))
            : isDay(three, two, one) || isDay(three, one, two) || isDay(one, two, three)
        return isDated ? end - start : nil
    }

    /// How many bytes stand between two parts.
    private static func gap(in bytes: [UInt8], at start: Int, withColon: Bool) -> Int? {
        let space = UInt8(ascii: " ")
        var end = start
        if end < bytes.count, bytes[end] == space { end += 1 }
        if end < bytes.count, "-./_".utf8.contains(bytes[end]) || withColon && bytes[end] == UInt8(ascii: ":")
        {
            end += 1
            if end < bytes.count, bytes[end] == space { end += 1 }
        }
        return end > start && end < bytes.count && isDigit(bytes[end]) ? end - start : nil
    }

    /// The day of a week or of a year: `2026-W05-6`, `2026W056`, `2026-031`.
    private static func counted(_ digits: [UInt8], in bytes: [UInt8], at start: Int) -> Int? {
        guard digits.count == 4, (1900..<2200).contains(number(digits[...])) else { return nil }
        var end = start + 4
        let hasHyphen = end < bytes.count && bytes[end] == UInt8(ascii: "-")
        if hasHyphen { end += 1 }
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "w") {
            let week = run(of: bytes, at: end + 1)
            guard [2, 3].contains(week.count), (1...53).contains(number(week[..<2])) else { return nil }
            end += 1 + week.count
            if week.count == 2, end + 1 < bytes.count, bytes[end] == UInt8(ascii: "-"),
                run(of: bytes, at: end + 1).count == 1
            {
                end += 2
            }
            return end - start
        }
        let day = run(of: bytes, at: end)
        return hasHyphen && day.count == 3 && (1...366).contains(number(day[...])) ? end + 3 - start : nil
    }

    private static func isDay(
        _ year: ArraySlice<UInt8>, _ month: ArraySlice<UInt8>, _ day: ArraySlice<UInt8>
    ) -> Bool {
        guard year.count == 4 || year.count == 2, (1...2).contains(month.count), (1...2).contains(day.count)
        else {
            return false
        }
        let whole = year.count == 4 ? number(year) : 2000 + number(year)
        return (1900...2999).contains(whole)
            && CivilDate(year: whole, month: number(month), day: number(day)).isInCalendar
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func run(of bytes: [UInt8], at start: Int) -> [UInt8] {
        start < bytes.count ? Array(bytes[start...].prefix(while: isDigit)) : []
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
