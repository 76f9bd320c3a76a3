import StudyModel

/// A number, one space and a unit, as in `30 s`, `-3 dB`, `10 %`.
private struct Quantity {
    /// The number's digits, with sign and point.
    var number: Substring
    var unit: Substring

    /// - Returns: `nil` where `text` is anything but digits (with a sign and a point at most), a space, a unit.
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

extension Kind<Duration> {
    /// `250 ms`, `30 s` or `1.5 min`, exactly, at most 24 h.
    static func duration(zeroAllowed: Bool = false) -> Kind {
        let positive = zeroAllowed ? "" : "(?!0+(\\.0+)? )"
        let schema: JSON = [
            "type": "string", "pattern": .string("^\(positive)[0-9]+(\\.[0-9]+)? (ms|s|min)$"),
        ]
        return Kind(schema) { node, reading in
            guard let text = node.scalarText, !node.isNull else {
                reading.reportKind(of: node, expected: "a duration", help: "write a duration such as '30 s'")
                return nil
            }
            guard let quantity = Quantity(text), let unit = DurationText.milliseconds[String(quantity.unit)]
            else {
                reading.report(
                    .durationFormat, "'\(text.prefix(40))' is not a duration", at: node.range,
                    help: DurationText.help(for: text))
                return nil
            }
            let duration = DurationText.exact(quantity.number, milliseconds: unit)
            guard let duration, duration <= .seconds(86_400),
                zeroAllowed ? duration >= .zero : duration > .zero
            else {
                reading.report(
                    .outOfRange, "'\(text.prefix(40))' is out of range", at: node.range,
                    help:
                        "write a duration \(zeroAllowed ? "of 0 s" : "above 0 s") and at most 1440 min (24 h)"
                )
                return nil
            }
            return duration
        }
    }
}

/// Durations as study files write them.
enum DurationText {
    fileprivate static let milliseconds: [String: Int128] = ["ms": 1, "s": 1_000, "min": 60_000]

    /// - Returns: `nil` where the number has more digits than could matter.
    fileprivate static func exact(_ number: Substring, milliseconds: Int128) -> Duration? {
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

extension Kind<Double> {
    /// `-3 dB`, from −60 to 12.
    static var decibels: Kind {
        Kind(["type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)? dB$"]) { node, reading in
            guard let text = node.scalarText, let quantity = Quantity(text), quantity.unit == "dB",
                let level = Double(quantity.number)
            else {
                reading.reportQuantity(
                    node, "a level", help: "write a number, a space and dB, such as '-3 dB'")
                return nil
            }
            if (-60...12).contains(level) { return level }
            reading.reportRange(of: node, from: "-60 dB", to: "12 dB")
            return nil
        }
    }
}

extension Kind<ExpectedHeartRate.Band> {
    /// `10 %` or `5 bpm`.
    static var band: Kind {
        Kind(["type": "string", "pattern": "^(?!0+(\\.0+)? )[0-9]+(\\.[0-9]+)? (%|bpm)$"]) { node, reading in
            guard let text = node.scalarText, let quantity = Quantity(text),
                quantity.unit == "%" || quantity.unit == "bpm", let width = Double(quantity.number)
            else {
                reading.reportQuantity(
                    node, "a band", help: "write a number, a space and % or bpm, such as '10 %' or '5 bpm'")
                return nil
            }
            guard width > 0, width <= 100 else {
                reading.reportRange(
                    of: node, from: "above 0 \(quantity.unit)", to: "100 \(quantity.unit)")
                return nil
            }
            return quantity.unit == "%" ? .relative(width / 100) : .absolute(width)
        }
    }
}

extension Reading {
    fileprivate func reportQuantity(_ node: Node, _ expected: String, help: String) {
        if let text = node.scalarText, !node.isNull {
            report(.quantityFormat, "'\(text.prefix(40))' is not \(expected)", at: node.range, help: help)
        } else {
            reportKind(of: node, expected: expected, help: help)
        }
    }
}
