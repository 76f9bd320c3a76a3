import StudyModel
import TextFormat

extension Kind<Duration> {
    /// `250 ms`, `30 s` or `1.5 min`, exactly, at most 24 h.
    static func duration(zeroAllowed: Bool = false) -> Kind {
        let positive = zeroAllowed ? "" : "(?!0+(\\.0+)? )"
        let schema: JSON = [
            "$comment": zeroAllowed ? "duration or 0 s" : "duration",
            "type": "string", "pattern": .text("^\(positive)[0-9]+(\\.[0-9]+)? (ms|s|min)$"),
        ]
        return Kind(schema) { node, reading in
            let text = reading.text(
                of: node, expected: "a duration", help: "write a duration such as '30 s'")
            guard let text else { return nil }
            guard let quantity = Quantity(text), let unit = DurationText.milliseconds(of: quantity.unit)
            else {
                reading.report(
                    .durationFormat, "'\(text.prefix(40))' is not a duration", at: node.range,
                    help: DurationText.help(for: text))
                return nil
            }
            reading.checkPoint(of: quantity, at: node.range)
            let duration = DurationText.exact(quantity.number, milliseconds: unit)
            guard let duration, duration <= .seconds(86_400),
                zeroAllowed ? duration >= .zero : duration > .zero
            else {
                let isNegative = quantity.number.hasPrefix("-")
                let isLong = !isNegative && duration != .zero
                reading.report(
                    .outOfRange, "'\(text.prefix(40))' is out of range", at: node.range,
                    help: Help(
                        isLong || zeroAllowed
                            ? "write a duration \(zeroAllowed ? "of 0 s" : "above 0 s") and at most 1440 min (24 h)"
                            : "write a duration above 0 s and at most 1440 min (24 h), such as '1 s'"))
                return nil
            }
            return duration
        }.orValue
    }
}

extension Kind<Double> {
    /// `-3 dB`, from −60 to 12.
    static var decibels: Kind {
        quantity(-60...12, "dB", "a level", pattern: "^-?[0-9]+(\\.[0-9]+)? dB$", example: "-3 dB")
    }

    /// `-23 LUFS`, from −70 to −5.
    static var loudness: Kind {
        quantity(
            -70...(-5), "LUFS", "a loudness", pattern: "^-[0-9]+(\\.[0-9]+)? LUFS$", example: "-23 LUFS")
    }

    /// A number within a range, with one unit.
    ///
    /// - Parameters:
    ///   - expected: what it is, for messages.
    ///   - pattern: what a schema can check of it.
    static func quantity(
        _ range: ClosedRange<Double>, _ unit: Substring, _ expected: String, pattern: String, example: String
    ) -> Kind {
        let limits = [range.lowerBound, range.upperBound].map { "\(plainNumber($0)) \(unit)" }
        let words = "\(expected.drop { $0 != " " }.dropFirst()) from \(limits[0]) to \(limits[1])"
        return Kind(["$comment": .text(words), "type": "string", "pattern": .text(pattern)]) {
            node, reading in
            let quantity = reading.quantity(
                node, [unit], expected, help: "write a number, a space and \(unit), such as '\(example)'")
            guard let quantity else { return nil }
            if range.contains(quantity.value) { return quantity.value }
            reading.reportRange(of: node, from: limits[0], to: limits[1])
            return nil
        }.orValue
    }
}

extension Kind<ExpectedHeartRate.Band> {
    /// `10 %` or `5 bpm`.
    static var band: Kind {
        let schema: JSON = [
            "$comment": "band", "type": "string", "pattern": "^(?!0+(\\.0+)? )[0-9]+(\\.[0-9]+)? (%|bpm)$",
        ]
        return Kind(schema) { node, reading in
            let quantity = reading.quantity(
                node, ["%", "bpm"], "a band",
                help: "write a number, a space and % or bpm, such as '10 %' or '5 bpm'")
            guard let (width, unit) = quantity else { return nil }
            guard width > 0, width <= 100 else {
                reading.reportRange(of: node, from: "above 0 \(unit)", to: "100 \(unit)")
                return nil
            }
            return unit == "%" ? .relative(width / 100) : .absolute(width)
        }
    }
}

extension Reading {
    /// Doubts `2.500 ms`, in which the point may set off thousands.
    fileprivate func checkPoint(of quantity: Quantity, at range: SourceRange) {
        let parts = quantity.number.split(separator: ".")
        guard quantity.unit == "ms", parts.count == 2, parts[1].count == 3, parts[0] != "0" else { return }
        doubt(
            .durationFormat,
            "the point begins a fraction: '\(quantity.number) ms' is less than \(parts[0].count > 2 ? "a second" : "a tenth of a second")",
            at: range,
            help: Help(
                "write '\(parts[0])\(parts[1]) ms' for \(parts[0]).\(parts[1]) s, or '\(plainNumber(Double(quantity.number) ?? 0)) ms'"
            ))
    }

    /// A number with one of several units; reports if it is not one.
    func quantity(
        _ node: Node, _ units: [Substring], _ expected: String, help: Help
    ) -> (value: Double, unit: Substring)? {
        guard let text = text(of: node, expected: expected, help: help) else { return nil }
        if let quantity = Quantity(text), units.contains(quantity.unit), let value = Double(quantity.number) {
            return (value, quantity.unit)
        }
        report(
            .quantityFormat, "'\(text.prefix(40))' is not \(expected)", at: node.range,
            help: meant(by: text, units) ?? help)
        return nil
    }

    /// A number and a unit, as people write them: `-3dB`, `2,5 db`, `10%`, or without the unit.
    private func meant(by text: String, _ units: [Substring]) -> Help? {
        let straight = String(text.map { $0 == "," ? "." : $0 == "−" || $0 == "–" ? "-" : $0 })
        let number = straight.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") }
        let digits = number.hasPrefix("+") ? number.dropFirst() : number
        let word = straight.dropFirst(number.count).drop { $0.isWhitespace }.lowercased()
        let spoken =
            ["percent": "%", "prozent": "%", "bpm/min": "bpm", "decibel": "db", "decibels": "db"][word]
            ?? word
        guard Quantity("\(digits) s") != nil else { return nil }
        guard !spoken.isEmpty else { return missing(units, behind: digits) }
        guard let unit = units.first(where: { $0.lowercased() == spoken }) else { return nil }
        let meant = "\(digits) \(unit)"
        guard !DecimalText.mayGroup(text) else {
            return Help("write '\(meant)' if the comma is a decimal point; thousands are not grouped")
        }
        return .write(meant, "write '\(meant)': a number, a space and \(units.joined(separator: " or "))")
    }

    /// The suggestion for a number without its unit. A share may be meant in percent, or as a part of 1.
    private func missing(_ units: [Substring], behind digits: Substring) -> Help {
        var readings = units.map { "'\(digits) \($0)'" }
        if units.contains("%"), let share = Double(digits), abs(share) <= 1 {
            readings.append("'\(plainNumber((share * 1e8).rounded() / 1e6)) %'")
        }
        return Help(
            "the unit is missing: write \(readings.joined(separator: " or "))"
                + (readings.count > 1 ? ", whichever is meant" : ""))
    }
}
