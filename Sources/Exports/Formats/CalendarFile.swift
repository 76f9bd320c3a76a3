import TextFormat

/// Appointments as other programs' calendars read them: iCalendar (RFC 5545).
package struct CalendarFile {
    /// When an appointment is.
    package enum Span: Hashable, Sendable {
        /// Calendar days, both ends included, counted from 1970-01-01; without a zone.
        case days(ClosedRange<Int>)
        /// Seconds since 1970-01-01T00:00:00Z.
        case time(from: Int64, to: Int64)
    }

    package struct Entry: Hashable, Sendable {
        /// The same whenever the file is written again, so that calendars replace the entry.
        package var uid: String
        package var summary: String
        package var details: String
        package var span: Span

        package init(uid: String, summary: String, details: String, span: Span) {
            (self.uid, self.summary, self.details, self.span) = (uid, summary, details, span)
        }
    }

    private let entries: [Entry]
    /// Seconds since 1970-01-01T00:00:00Z.
    private let stamp: Int64
    private let reminder: Int?

    /// - Parameters:
    ///   - stamp: when the file is written, in seconds since 1970-01-01T00:00:00Z.
    ///   - reminder: minutes before each entry at which a calendar reminds of it; `nil` for never.
    package init(_ entries: [Entry], stamp: Int64, reminder: Int? = nil) {
        (self.entries, self.stamp, self.reminder) = (entries, stamp, reminder)
    }

    /// In UTF-8; every line ends with CRLF and has at most 75 bytes.
    package var bytes: [UInt8] {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//entrain//entrain//EN", "CALSCALE:GREGORIAN",
        ]
        for entry in entries { lines += self.lines(of: entry) }
        lines.append("END:VCALENDAR")
        return lines.flatMap(Self.folded)
    }

    private func lines(of entry: Entry) -> [String] {
        let span: [String] =
            switch entry.span {
            case .days(let days):
                // The end of an entry of whole days is the day behind it.
                [
                    "DTSTART;VALUE=DATE:\(Self.date(days.lowerBound))",
                    "DTEND;VALUE=DATE:\(Self.date(days.upperBound + 1))",
                ]
            case .time(let from, let to): ["DTSTART:\(Self.time(from))", "DTEND:\(Self.time(to))"]
            }
        let alarm = reminder.map {
            [
                "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT\($0)M",
                "DESCRIPTION:\(Self.escaped(entry.summary))", "END:VALARM",
            ]
        }
        return ["BEGIN:VEVENT", "UID:\(entry.uid)", "DTSTAMP:\(Self.time(stamp))"] + span + [
            "SUMMARY:\(Self.escaped(entry.summary))", "DESCRIPTION:\(Self.escaped(entry.details))",
            "TRANSP:TRANSPARENT",
        ] + (alarm ?? []) + ["END:VEVENT"]
    }

    private static func date(_ day: Int) -> String {
        CivilDate(daysSince1970: day).text.filter { $0 != "-" }
    }

    private static func time(_ seconds: Int64) -> String {
        let (day, second) = CivilDate.split(Int(seconds))
        return date(day) + "T" + digits(second / 3600, 2) + digits(second / 60 % 60, 2)
            + digits(second % 60, 2) + "Z"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\", ";", ",": escaped += "\\\(character)"
            case "\n", "\r\n", "\r": escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// A line with its end; a long one goes on behind a space, and no character is torn.
    private static func folded(_ line: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var room = 75
        for scalar in line.unicodeScalars {
            let width = String(scalar).utf8.count
            if width > room {
                bytes += Array("\r\n ".utf8)
                room = 74
            }
            bytes += Array(String(scalar).utf8)
            room -= width
        }
        return bytes + Array("\r\n".utf8)
    }
}
