import Glibc

/// A `Record` in Apple Health's export: its attributes, read only as far as needed.
@safe struct HealthRecord {
    /// Names and values in turn; valid until the parser continues.
    private let attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>

    /// - Parameter attributes: as the parser passes them: names and values in turn, `nil` at the end.
    @unsafe init(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
        unsafe self.attributes = attributes
    }

    private func attribute(_ name: StaticString) -> UnsafePointer<CChar>? {
        var next = unsafe attributes
        while let key = unsafe next.pointee {
            if unsafe equal(key, name) { return unsafe next[1] }
            unsafe next += 2
        }
        return nil
    }

    private func text(_ name: StaticString) -> String {
        unsafe attribute(name).map { unsafe String(cString: $0) } ?? "none"
    }

    var isHeartRate: Bool { isOf("HKQuantityTypeIdentifierHeartRate") }
    var isVariability: Bool { isOf("HKQuantityTypeIdentifierHeartRateVariabilitySDNN") }

    private func isOf(_ wanted: StaticString) -> Bool {
        guard let type = unsafe attribute("type") else { return false }
        return unsafe equal(type, wanted)
    }

    /// The rate and the time of day of an `InstantaneousBeatsPerMinute`.
    var beat: (rate: Double, time: String)? {
        number(text("bpm"), hasDecimalComma: false).map { ($0, text("time")) }
    }

    var type: String { text("type") }
    var value: String { text("value") }
    var startText: String { text("startDate") }

    /// The value in beats per minute. The unit is count/min, or count/s in the exports of some apps.
    var beatsPerMinute: Double? {
        guard let value = number(self.value, hasDecimalComma: false) else { return nil }
        guard let unit = unsafe attribute("unit") else { return value }
        if unsafe equal(unit, "count/s") { return 60 * value }
        return value
    }

    /// Seconds since 1970; `nil` if it cannot be read.
    var start: Double? {
        guard let text = unsafe attribute("startDate") else { return nil }
        if let seconds = unsafe Self.seconds(text) { return seconds }
        guard case .instant(let seconds)? = RecordedTime(startText) else { return nil }
        return seconds
    }

    /// Reads `2024-01-01 01:01:36 +0200`, the form in every record; `nil` if it is written differently.
    private static func seconds(_ text: UnsafePointer<CChar>) -> Double? {
        guard unsafe strlen(text) == 25 else { return nil }
        func digits(_ start: Int, _ count: Int) -> Int? {
            var value = 0
            for index in start..<start + count {
                let digit = unsafe Int(text[index]) - 0x30
                guard (0...9).contains(digit) else { return nil }
                value = 10 * value + digit
            }
            return value
        }
        guard let year = digits(0, 4), let month = digits(5, 2), let day = digits(8, 2),
            let hour = digits(11, 2),
            let minute = digits(14, 2), let second = digits(17, 2), let zoneHour = digits(21, 2),
            let zoneMinute = digits(23, 2), hour < 24, minute < 60, second <= 60, zoneMinute < 60,
            let midnight = RecordedTime.seconds(year: year, month: month, day: day)
        else { return nil }
        let zone = Double(zoneHour * 3600 + zoneMinute * 60)
        let sign: Double = unsafe text[20] == 0x2D ? -1 : 1
        return midnight + Double(hour * 3600 + minute * 60 + second) - sign * zone
    }
}
