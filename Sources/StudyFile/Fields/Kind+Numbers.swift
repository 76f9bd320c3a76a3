import TextFormat

extension Kind<Bool> {
    /// `true` or `false`, not in quotes.
    static var boolean: Kind {
        Kind(["type": "boolean"]) { node, reading in
            if case .scalar(let text, .plain) = node.content {
                switch text {
                case "true", "True", "TRUE": return true
                case "false", "False", "FALSE": return false
                default: break
                }
            }
            reading.reportKind(
                of: node, expected: "true or false", help: Self.help(for: node.scalarText ?? ""))
            return nil
        }.orValue
    }

    private static func help(for text: String) -> Help {
        let word = text.lowercased()
        let usual = "write true or false, without quotes"
        if ["true", "yes", "y", "on", "1", "ja", "oui", "wahr"].contains(word) {
            return .write("true", usual)
        }
        let isNo = ["false", "no", "n", "off", "0", "nein", "non", "falsch"].contains(word)
        return isNo ? .write("false", usual) : Help(usual)
    }

    /// `true`, for keys whose absence means `false`.
    static var yes: Kind {
        Kind(["const": true]) { node, reading in
            guard let value = Kind.boolean.read(node, reading) else { return nil }
            if value { return true }
            reading.report(
                .outOfRange, "only true means anything here", at: node.range, help: "leave the key out")
            return nil
        }
    }
}

extension Kind<Double> {
    /// A decimal number within a range.
    static func number(_ range: ClosedRange<Double>) -> Kind {
        let schema: JSON = [
            "type": "number", "minimum": .shortest(range.lowerBound),
            "maximum": .shortest(range.upperBound),
        ]
        return Kind(schema) { node, reading in
            guard let number = DecimalText.read(node, reading) else { return nil }
            if range.contains(number) { return number }
            reading.reportRange(of: node, range)
            return nil
        }.orValue
    }
}

extension Kind<Int> {
    /// A whole number within a range.
    static func integer(_ range: ClosedRange<Int>) -> Kind {
        let schema: JSON = [
            "type": "integer", "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ]
        return Kind(schema) { node, reading in
            guard let number = DecimalText.read(node, reading) else { return nil }
            guard number.rounded() == number || !number.isFinite else {
                reading.report(
                    .wrongType, "a whole number is expected here, not '\(node.quotedText)'",
                    at: node.range,
                    help: Help(
                        "write a number without a decimal point, such as \(plainNumber(number.rounded()))"))
                return nil
            }
            guard let integer = Int(exactly: number), range.contains(integer) else {
                reading.reportRange(of: node, from: "\(range.lowerBound)", to: "\(range.upperBound)")
                return nil
            }
            return integer
        }.orValue
    }
}

extension Kind<UInt64> {
    /// A seed: a whole number from 0 to 2⁶⁴ − 1, in decimal digits.
    static var seed: Kind {
        let schema: JSON = [
            "$comment": "whole number from 0 to 2⁶⁴ − 1", "type": "integer", "minimum": 0,
            "exclusiveMaximum": .real(0x1p64),
        ]
        return Kind(schema) { node, reading in
            guard DecimalText.read(node, reading) != nil, let text = node.scalarText else { return nil }
            if let seed = UInt64(text) { return seed }
            reading.reportRange(of: node, from: "0", to: "\(UInt64.max)")
            return nil
        }
    }
}

/// Numbers as study files write them: `3`, `-0.5`, `1e3`.
enum DecimalText {
    /// A plain scalar that is a decimal number; very large ones become infinite.
    static func read(_ node: Node, _ reading: Reading) -> Double? {
        guard case .scalar(let text, let style) = node.content, !node.isNull else {
            reading.reportKind(of: node, expected: "a number", help: usual)
            return nil
        }
        if let number = number(text) {
            if style == .plain { return number }
            reading.report(
                .wrongType, "'\(text)' in quotes is text, not a number", at: node.range,
                help: .write(text, "write \(text) without quotes"))
            return nil
        }
        if let help = help(for: text) {
            reading.report(.numberFormat, "'\(text)' is not a number here", at: node.range, help: help)
        } else {
            reading.reportKind(of: node, expected: "a number", help: usual)
        }
        return nil
    }

    private static let usual: Help = "write a number in decimal digits, without quotes"

    /// The value of a decimal number with sign, point and exponent, as in YAML's core schema; very large ones
    /// become infinite.
    static func number(_ text: String) -> Double? {
        text.utf8.allSatisfy("0123456789+-.eE".utf8.contains) ? Double(text) : nil
    }

    private static func help(for text: String) -> Help? {
        let pointed = String(text.map { $0 == "," ? "." : $0 })
        if pointed != text, number(pointed) != nil {
            let whole = text.filter { $0 != "," }
            return mayGroup(text)
                ? Help("write \(pointed) if the comma is a decimal point, or \(whole) if it groups thousands")
                : .write(pointed, "write a point: \(pointed)")
        }
        let plain = text.filter { !"_ '“”„‘’‚«»\u{A0}\u{202F}".contains($0) }
        if plain != text, number(plain) != nil {
            let parts = text.split { "_ '’\u{A0}\u{202F}".contains($0) }
            let isGrouped = parts.dropFirst().allSatisfy { $0.prefix { $0.isNumber }.count == 3 }
            return isGrouped ? .write(plain, "write \(plain)") : "write one number in decimal digits"
        }
        let word = text.lowercased().drop { $0 == "-" || $0 == "+" || $0 == "." }
        if ["nan", "inf", "infinity"].contains(word) { return "write a number in decimal digits" }
        guard let first = word.first, first.isASCII, first.isNumber else { return nil }
        let digits = String(text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") })
        let isAmount = number(digits) != nil && !text.dropFirst(digits.count).contains { $0.isNumber }
        guard isAmount, !text.dropFirst(digits.count).hasPrefix(":") else {
            return "write a number in decimal digits, without unit"
        }
        if text.dropFirst(digits.count).lowercased().filter({ $0 != " " }) == "bpm" {
            return .write(digits, "write a number in decimal digits, without a unit: \(digits)")
        }
        if word.drop(while: { !$0.isLetter }).hasPrefix("week"), let weeks = number(digits) {
            return Help(
                "write \(plainNumber(weeks * 7)) if the key counts days and weeks are meant, or \(digits); without naming a unit"
            )
        }
        return "write a number alone, in the unit that the key has, without naming a unit"
    }

    /// Whether a comma may also group thousands, as in `1,500`.
    static func mayGroup(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].prefix { $0.isNumber }.count == 3
            && parts[0].contains { $0.isNumber && $0 != "0" }
    }
}

extension Reading {
    /// Reports a number outside its range.
    func reportRange(of node: Node, from low: String, to high: String) {
        report(
            .outOfRange, "\(node.quotedText) is out of range", at: node.range,
            help: Help("write a number from \(low) to \(high)"))
    }

    /// Reports a number outside its range.
    func reportRange(of node: Node, _ range: ClosedRange<Double>) {
        reportRange(
            of: node, from: plainNumber(range.lowerBound), to: plainNumber(range.upperBound))
    }
}
