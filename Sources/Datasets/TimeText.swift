import StudyModel
import TextFormat

/// Writes times as RFC 3339 with three decimals and `Z`, and keeps the text of the last one.
struct TimeText: Sendable {
    private var day = Int.min
    private var text: [UInt8] = []

    /// - Parameter milliseconds: since 1970-01-01T00:00:00Z.
    mutating func write(_ milliseconds: Int) -> [UInt8] {
        let second = Int((Double(milliseconds) / 1000).rounded(.down))
        let rest = milliseconds - second * 1000
        let (newDay, time) = CivilDate.split(second)
        if newDay != day {
            day = newDay
            let clock = WallClock(seconds: Int64(second), nanoseconds: 0, utcOffset: 0, zone: "UTC")
            text = Array("\(clock.date(of: .start).prefix(11))00:00:00.000Z".utf8)
        }
        write(time / 3600, at: 11)
        write(time / 60 % 60, at: 14)
        write(time % 60, at: 17)
        text[20] = UInt8(ascii: "0") + UInt8(rest / 100)
        write(rest % 100, at: 21)
        return text
    }

    private mutating func write(_ value: Int, at place: Int) {
        text[place] = UInt8(ascii: "0") + UInt8(value / 10)
        text[place + 1] = UInt8(ascii: "0") + UInt8(value % 10)
    }
}
