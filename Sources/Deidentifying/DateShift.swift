import StudyModel
import TextFormat

/// Moves the dates of one participant back by whole days, so that times of day and intervals between dates stay.
struct DateShift {
    let days: Int

    /// Whether a text is a date in ResearchKit's form, `yyyy-MM-dd'T'HH:mm:ss±HHMM`.
    static func isDate(_ text: String) -> Bool {
        let pattern = Array("0000-00-00T00:00:00+0000".utf8)
        guard text.utf8.count == pattern.count, CivilDate(String(text.prefix(10))) != nil else {
            return false
        }
        return zip(text.utf8, pattern).allSatisfy { byte, form in
            switch form {
            case UInt8(ascii: "0"): (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            case UInt8(ascii: "+"): byte == form || byte == UInt8(ascii: "-")
            default: byte == form
            }
        }
    }

    /// - Returns: `nil` if it is not a date.
    func date(_ text: String) -> String? {
        guard Self.isDate(text), let day = day(Array(text.prefix(10).filter { $0 != "-" })) else {
            return nil
        }
        return day + text.dropFirst(10)
    }

    /// `yyyyMMddHHmmss`, as in file names.
    func stamp(_ text: String) -> String? {
        guard text.count == 14, let day = day(Array(text.prefix(8))) else { return nil }
        return day.filter { $0 != "-" } + text.dropFirst(8)
    }

    /// The day this many days before `yyyyMMdd`, as `yyyy-MM-dd`.
    private func day(_ digits: [Character]) -> String? {
        guard digits.count == 8, let year = Int(String(digits[..<4])), let month = Int(String(digits[4..<6])),
            let day = Int(String(digits[6...]))
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        return date.isInCalendar ? CivilDate(daysSince1970: date.daysSince1970 - days).text : nil
    }
}
