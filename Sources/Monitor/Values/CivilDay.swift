import Glibc
import Results
import TextFormat

/// A day of the calendar, as the clocks of this machine's time zone count it: 23, 24 or 25 hours.
struct CivilDay: Hashable, Sendable {
    private var year: Int32
    private var month: Int32
    private var day: Int32

    /// Reads `2026-11-21`; `nil` for what is no date of the years 2000 to 2099.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }),
            let year = Int32(parts[0]), let month = Int32(parts[1]), let day = Int32(parts[2]),
            (2000..<2100).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard self == CivilDay(at: second(ofHour: 12)) else { return nil }
    }

    /// The day in which a moment lies.
    ///
    /// - Parameter time: seconds since 1970.
    init(at time: Double) {
        var parts = unsafe tm()
        var seconds = time_t(time.rounded(.down))
        _ = unsafe localtime_r(&seconds, &parts)
        unsafe self.init(year: parts.tm_year + 1900, month: parts.tm_mon + 1, day: parts.tm_mday)
    }

    private init(year: Int32, month: Int32, day: Int32) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// `2026-11-21`.
    var text: String {
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))"
    }

    /// Seconds since 1970 at the day's first moment.
    var start: Double { second(ofHour: 0) }
    /// Seconds since 1970 at the next day's first moment.
    var end: Double { second(ofHour: 24) }
    /// The day before.
    var previous: CivilDay { CivilDay(at: second(ofHour: -12)) }
    /// The day after.
    var next: CivilDay { CivilDay(at: second(ofHour: 36)) }

    /// Seconds since 1970 when the clock of that day shows an hour; hours past 24 are the next day's.
    func second(ofHour hour: Int32) -> Double {
        var parts = unsafe tm()
        unsafe parts.tm_year = year - 1900
        unsafe parts.tm_mon = month - 1
        unsafe parts.tm_mday = day
        unsafe parts.tm_hour = hour
        unsafe parts.tm_isdst = -1
        return Double(unsafe mktime(&parts))
    }

    /// Every hour of the day that a chart may name: `{t, label, offset}`, the offset in seconds east of UTC.
    var hours: JSON {
        .list(
            (0...24).map { hour in
                let time = second(ofHour: Int32(hour))
                return [
                    "t": .real(time), "label": .text(hour < 10 ? "0\(hour):00" : "\(hour):00"),
                    "offset": .integer(Self.offset(at: time)),
                ]
            })
    }

    /// Seconds east of UTC.
    private static func offset(at time: Double) -> Int {
        var parts = unsafe tm()
        var seconds = time_t(time)
        _ = unsafe localtime_r(&seconds, &parts)
        return unsafe parts.tm_gmtoff
    }
}
