import TextFormat

/// How other programs read a plain value: PyYAML, which follows YAML 1.1, and a reader of YAML 1.2's core schema.
///
/// This program is not affected, because here the key decides how its value is read.
enum OtherReaders {
    /// The meaning of a value to a reader who does not know its key.
    private enum Meaning: Hashable {
        case nothing
        case boolean(Bool)
        case whole(Int?)
        case number(Double)
        case text
        /// A day, or one of YAML 1.1's words with a special meaning.
        case special
    }

    /// How two readers read a plain value, and how to write it so that they agree; `nil` if they agree.
    static func difference(on text: String) -> (older: String, newer: String, help: Help)? {
        guard mayDiffer(text) else { return nil }
        let (older, newer) = (older(text), newer(text))
        guard older != newer else { return nil }
        let number: String? =
            switch newer {
            case .whole(let value?): "\(value)"
            case .number(let value) where value.isFinite: plainNumber(value)
            case .whole, .number, .nothing, .boolean, .text, .special: nil
            }
        return (
            words(older), words(newer),
            number.map { Help("write \($0); or put quotes around it if a text is meant") }
                ?? .write(text.inQuotes, "put quotes around it")
        )
    }

    /// Whether YAML 1.2's core schema reads a plain value as a number, a truth value or nothing.
    static func isNoText(_ text: String) -> Bool { newer(text) != .text }

    /// Whether a closer look is needed. Most values are words, or numbers with a unit.
    private static func mayDiffer(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        if "~<=".utf8.contains(first) { return true }
        guard "+-.0123456789".utf8.contains(first) else { return ownWords.contains(text) }
        let isPlain = first != UInt8(ascii: "0") && text.utf8.allSatisfy { isDigit($0) }
        return !isPlain && text.utf8.allSatisfy { isDigit($0) || figures.contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Characters other than digits in numbers, days and times.
    private static let figures = Set("+-._: \tabcdefinoxABCDEFINOTtZz".utf8)
    /// The words that YAML does not read as text.
    private static let ownWords = Set(
        ["null", "yes", "true", "on", "no", "false", "off"].flatMap(forms))

    /// The spellings of a word in YAML 1.1: in small letters, in capitals, and with an initial capital.
    private static func forms(_ word: String) -> [String] {
        [word, word.uppercased(), word.prefix(1).uppercased() + word.dropFirst()]
    }

    private static func words(_ meaning: Meaning) -> String {
        switch meaning {
        case .nothing: "nothing"
        case .boolean(let value): "\(value)"
        case .whole(let value): value.map { "\($0)" } ?? "a number"
        case .number(let value): "the number \(plainNumber(value))"
        case .text: "text"
        case .special: "a day or a word of its own"
        }
    }

    private static func null(_ text: String) -> Bool { ["", "~", "null", "Null", "NULL"].contains(text) }

    /// How PyYAML 6 reads it.
    private static func older(_ text: String) -> Meaning {
        if null(text) { return .nothing }
        if text == "=" || isTimestamp(text) { return .special }
        if ["yes", "true", "on"].flatMap(forms).contains(text) { return .boolean(true) }
        if ["no", "false", "off"].flatMap(forms).contains(text) { return .boolean(false) }
        let digits = text.drop { $0 == "-" || $0 == "+" }.filter { $0 != "_" }
        guard text.utf8.count - digits.utf8.count <= 1 || text.contains("_") else { return .text }
        let sign = text.hasPrefix("-") ? -1 : 1
        if digits.contains(":"), digits.first?.isNumber == true {
            return isSexagesimal(digits) ? .whole(nil) : .text
        }
        for (prefix, radix) in [("0b", 2), ("0x", 16), ("0", 8)] where digits.hasPrefix(prefix) {
            if let value = Int(digits.dropFirst(prefix.count), radix: radix) { return .whole(sign * value) }
        }
        if !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) {
            return digits == "0" || !digits.hasPrefix("0") ? .whole(Int(digits).map { sign * $0 }) : .text
        }
        return olderNumber(text, digits)
    }

    /// A number with a point. An exponent needs a sign, and a number without digits before the point has no
    /// exponent.
    private static func olderNumber(_ text: String, _ digits: String) -> Meaning {
        if let word = notFinite(text) { return word }
        let parts = digits.split(separator: "e", omittingEmptySubsequences: false).flatMap {
            $0.split(separator: "E", omittingEmptySubsequences: false)
        }
        guard parts.count <= 2, parts[0].contains("."), isDecimal(parts[0]),
            !parts[0].hasPrefix(".") || !(text.hasPrefix("-") || text.hasPrefix("+"))
        else { return .text }
        if parts.count == 2, parts[1].first != "-" && parts[1].first != "+" { return .text }
        return core(text.filter { $0 != "_" })
    }

    /// How YAML 1.2's core schema reads it.
    private static func newer(_ text: String) -> Meaning {
        if null(text) { return .nothing }
        if ["true", "True", "TRUE"].contains(text) { return .boolean(true) }
        if ["false", "False", "FALSE"].contains(text) { return .boolean(false) }
        for (prefix, radix) in [("0o", 8), ("0x", 16)] where text.hasPrefix(prefix) {
            if let value = Int(text.dropFirst(2), radix: radix) { return .whole(value) }
        }
        let digits = text.drop { $0 == "-" || $0 == "+" }
        if text.utf8.count - digits.utf8.count <= 1, !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) {
            return .whole(Int(text))
        }
        return notFinite(text) ?? core(text)
    }

    private static func core(_ text: String) -> Meaning {
        let mantissa = text.drop { $0 == "-" || $0 == "+" }.prefix { $0 != "e" && $0 != "E" }
        guard isDecimal(mantissa), let value = DecimalText.number(text) else { return .text }
        return .number(value)
    }

    private static func isDecimal(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { $0.allSatisfy(\.isASCIIDigit) }
            && parts.contains { !$0.isEmpty }
    }

    private static func notFinite(_ text: String) -> Meaning? {
        let word = text.drop { $0 == "-" || $0 == "+" }
        if [".inf", ".Inf", ".INF"].contains(word), text.utf8.count - word.utf8.count <= 1 {
            return .number(text.hasPrefix("-") ? -.infinity : .infinity)
        }
        return [".nan", ".NaN", ".NAN"].contains(text) ? .nothing : nil
    }

    private static func isSexagesimal(_ digits: String) -> Bool {
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard let first = parts.first, !first.isEmpty, first.allSatisfy(\.isASCIIDigit),
            !first.hasPrefix("0") || digits.contains(".")
        else { return false }
        return parts.dropFirst().allSatisfy { Double($0).map { (0..<60).contains($0) } == true }
    }

    /// A day such as 2026-05-31, or a time stamp that begins with one.
    private static func isTimestamp(_ text: String) -> Bool {
        let parts = text.prefix { $0.isASCIIDigit || $0 == "-" }.split(
            separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4,
            parts.dropFirst().allSatisfy({ (1...2).contains($0.utf8.count) })
        else { return false }
        let rest = text.drop { $0.isASCIIDigit || $0 == "-" }
        if rest.isEmpty { return parts.dropFirst().allSatisfy { $0.utf8.count == 2 } }
        return "Tt \t".contains(rest.prefix(1)) && rest.contains(":")
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
