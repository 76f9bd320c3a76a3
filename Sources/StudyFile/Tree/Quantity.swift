/// A number, one space and a unit, as in `30 s`, `-3 dB`, `10 %`.
struct Quantity {
    /// The number's digits, with sign and point.
    let number: Substring
    let unit: Substring

    /// - Returns: `nil` unless `text` is digits (with at most a sign and a point), a space and a unit.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, !words[1].isEmpty else { return nil }
        let digits = words[0].first == "-" ? words[0].dropFirst() : words[0]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        let isNumber =
            parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(Self.isDigit) }
        guard isNumber else { return nil }
        (number, unit) = (words[0], words[1])
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// Durations as study files write them.
enum DurationText {
    /// The length of a unit; `nil` if it is not a unit.
    static func milliseconds(of unit: Substring) -> Int128? {
        switch unit {
        case "ms": 1
        case "s": 1_000
        case "min": 60_000
        case _: nil
        }
    }

    /// - Returns: `nil` if the number has more digits than could matter.
    static func exact(_ number: Substring, milliseconds: Int128) -> Duration? {
        let parts = number.split(separator: ".")
        let fraction = parts.count == 2 ? parts[1] : ""
        guard number.utf8.count <= 20, fraction.utf8.count <= 12,
            let digits = Int128(number.filter { $0 != "." })
        else { return nil }
        let scale = (0..<(15 - fraction.utf8.count)).reduce(Int128(1)) { power, _ in power * 10 }
        let (attoseconds, overflows) = (digits * scale).multipliedReportingOverflow(by: milliseconds)
        let limit = Int128(10_000_000) * 1_000_000_000_000_000_000
        guard !overflows, -limit < attoseconds, attoseconds < limit else { return nil }
        return Duration(attoseconds: attoseconds)
    }
}
