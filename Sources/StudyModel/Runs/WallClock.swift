package import TextFormat

/// The wall clock at the moment when a run began. Only here does a run use the calendar.
///
/// The offset from UTC stays as it was at the start, even if the zone changes to summer time during the run.
public struct WallClock: Hashable, Sendable {
    /// Whole seconds since 1970-01-01T00:00:00Z at the run's start; negative before.
    public var seconds: Int64
    /// Nanoseconds after `seconds`, 0..<1,000,000,000.
    public var nanoseconds: Int64
    /// Seconds east of UTC; dates show it in whole minutes, rounded towards UTC.
    public var utcOffset: Int
    /// The zone's name, such as `Europe/Paris`.
    public var zone: String

    /// The wall clock at the start of a run.
    public init(seconds: Int64, nanoseconds: Int64, utcOffset: Int, zone: String) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        self.utcOffset = utcOffset
        self.zone = zone
    }

    /// ResearchKit's form, `yyyy-MM-dd'T'HH:mm:ss±HHMM`: whole seconds, rounded down, never `Z`.
    public func date(of instant: RunInstant) -> String {
        var text: [UInt8] = []
        appendDate(of: instant, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The whole seconds since 1970-01-01T00:00:00Z of a date as `date(of:)` writes it; `nil` for any other text.
    package static func seconds(ofDate text: String) -> Int64? {
        let characters = Array(text)
        guard characters.count == 24, characters[10] == "T", "+-".contains(characters[19]),
            let day = CivilDate(String(characters[..<10]))
        else { return nil }
        let parts = [(11, 23), (14, 59), (17, 59), (20, 24), (22, 59)].compactMap { place, most in
            Int(String(characters[place...(place + 1)])).flatMap { (0...most).contains($0) ? $0 : nil }
        }
        guard parts.count == 5, characters[13] == ":", characters[16] == ":" else { return nil }
        let local = day.daysSince1970 * 86_400 + parts[0] * 3600 + parts[1] * 60 + parts[2]
        let offset = parts[3] * 3600 + parts[4] * 60
        return Int64(characters[19] == "-" ? local + offset : local - offset)
    }

    /// `yyyyMMddHHmmss` of the local time, as in file names.
    public func stamp(of instant: RunInstant) -> String {
        let (date, time) = local(instant)
        var text: [UInt8] = []
        appendDigits(date.year, 4, to: &text)
        for part in [date.month, date.day, time / 3600, time / 60 % 60, time % 60] {
            appendDigits(part, 2, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Seconds since 1970-01-01T00:00:00Z to the microsecond, as precisely as a `Double` can hold them.
    public func secondsSince1970(of instant: RunInstant) -> Double {
        let (whole, rest) = since1970(instant)
        return Double(whole * 1_000_000 + rest / 1000) / 1e6
    }

    /// The run's start since 1970-01-01T00:00:00Z.
    package var sinceEpoch: Duration { .seconds(seconds) + .nanoseconds(nanoseconds) }

    package func appendDate(of instant: RunInstant, to text: inout [UInt8]) {
        let (date, time) = local(instant)
        appendCalendar(date, to: &text)
        text.append(UInt8(ascii: "T"))
        appendDigits(time / 3600, 2, to: &text)
        text.append(UInt8(ascii: ":"))
        appendDigits(time / 60 % 60, 2, to: &text)
        text.append(UInt8(ascii: ":"))
        appendDigits(time % 60, 2, to: &text)
        appendOffset(to: &text)
    }

    /// Midnight of a day at the run's offset, in ResearchKit's form.
    package func midnight(of date: CivilDate) -> String {
        var text: [UInt8] = []
        appendCalendar(date, to: &text)
        text.append(contentsOf: "T00:00:00".utf8)
        appendOffset(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private var offsetMinutes: Int { utcOffset / 60 }

    private func since1970(_ instant: RunInstant) -> (seconds: Int64, nanoseconds: Int64) {
        let offset = instant.nanoseconds
        var whole = seconds + offset / 1_000_000_000
        var rest = nanoseconds + offset % 1_000_000_000
        if rest < 0 {
            rest += 1_000_000_000
            whole -= 1
        } else if rest >= 1_000_000_000 {
            rest -= 1_000_000_000
            whole += 1
        }
        return (whole, rest)
    }

    /// The local day, and the second of it.
    private func local(_ instant: RunInstant) -> (date: CivilDate, time: Int) {
        let (day, second) = CivilDate.split(Int(since1970(instant).seconds) + offsetMinutes * 60)
        return (CivilDate(daysSince1970: day), second)
    }

    private func appendCalendar(_ date: CivilDate, to text: inout [UInt8]) {
        appendDigits(date.year, 4, to: &text)
        text.append(UInt8(ascii: "-"))
        appendDigits(date.month, 2, to: &text)
        text.append(UInt8(ascii: "-"))
        appendDigits(date.day, 2, to: &text)
    }

    private func appendOffset(to text: inout [UInt8]) {
        let minutes = abs(offsetMinutes)
        text.append(offsetMinutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        appendDigits(minutes / 60, 2, to: &text)
        appendDigits(minutes % 60, 2, to: &text)
    }

    private func appendDigits(_ value: Int, _ width: Int, to text: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}
