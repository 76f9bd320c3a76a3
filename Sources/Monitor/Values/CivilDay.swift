import Glibc
import Results
import TextFormat

/// A calendar day in this machine's time zone, which has 23, 24 or 25 hours.
struct CivilDay: Hashable, Sendable {
    private let date: CivilDate

    /// Reads `2026-11-21`, or a moment such as `1795392000`, in seconds since 1970, whose day is meant.
    ///
    /// - Returns: `nil` for anything else, and for years outside of 2000 to 2099.
    init?(_ text: String) {
        if (9...10).contains(text.utf8.count), let seconds = UInt32(text) {
            self.init(at: Double(seconds))
        } else if let date = CivilDate(text) {
            self.init(date)
        } else {
            return nil
        }
        guard (2000..<2100).contains(date.year) else { return nil }
    }

    private init(_ date: CivilDate) {
        self.date = date
    }

    /// The day that contains a moment.
    ///
    /// - Parameter time: seconds since 1970.
    init(at time: Double) {
        var parts = unsafe tm()
        var seconds = time_t(time.rounded(.down))
        _ = unsafe localtime_r(&seconds, &parts)
        date = unsafe CivilDate(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    }

    /// `2026-11-21`.
    var text: String { date.text }

    /// Seconds since 1970 at the day's first moment.
    var start: Double { second(ofHour: 0) }
    /// Seconds since 1970 at the next day's first moment.
    var end: Double { second(ofHour: 24) }
    var previous: CivilDay { CivilDay(at: second(ofHour: -12)) }
    var next: CivilDay { CivilDay(at: second(ofHour: 36)) }

    /// Seconds since 1970 when that day's clock shows an hour. Hours from 24 on belong to the next day.
    func second(ofHour hour: Int32) -> Double {
        var parts = unsafe tm()
        unsafe parts.tm_year = Int32(date.year) - 1900
        unsafe parts.tm_mon = Int32(date.month) - 1
        unsafe parts.tm_mday = Int32(date.day)
        unsafe parts.tm_hour = hour
        unsafe parts.tm_isdst = -1
        return Double(unsafe mktime(&parts))
    }

    /// Every hour of the day for a chart, and its end: `{t, label, offset}`, with what the clock shows, which it does twice
    /// when it is set back, and the offset in seconds east of UTC.
    var hours: JSON {
        let (start, end) = (start, end)
        return .list(
            (Array(stride(from: start, to: end, by: 3600)) + [end]).map { time in
                let offset = Self.offset(at: time)
                let minute = (Int(time) + offset) / 60
                let label = time == end ? "24:00" : "\(digits(minute / 60 % 24, 2)):\(digits(minute % 60, 2))"
                return ["t": .real(time), "label": .text(label), "offset": .integer(offset)]
            })
    }

    /// The changes of the offset from UTC in the ten years before a moment, `{t, offset}`; the first one is that of their
    /// beginning.
    static func offsets(until now: Double) -> JSON {
        let week = 7 * 86_400.0
        var time = now - 520 * week
        var changes: [JSON] = [["t": .real(time), "offset": .integer(offset(at: time))]]
        while time < now {
            let next = min(time + week, now)
            if offset(at: next) != offset(at: time) {
                var (before, after) = (time, next)
                while after - before > 0.5 {
                    let middle = (before + after) / 2
                    if offset(at: middle) == offset(at: time) { before = middle } else { after = middle }
                }
                changes.append(["t": .real(after.rounded()), "offset": .integer(offset(at: next))])
            }
            time = next
        }
        return .list(changes)
    }

    /// Seconds east of UTC.
    static func offset(at time: Double) -> Int {
        var parts = unsafe tm()
        var seconds = time_t(time)
        _ = unsafe localtime_r(&seconds, &parts)
        return unsafe parts.tm_gmtoff
    }
}
