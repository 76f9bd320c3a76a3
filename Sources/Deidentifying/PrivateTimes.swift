import TextFormat

/// Finds days, UUIDs and names of machines in free text.
enum PrivateTimes {
    /// The text with each of them replaced.
    ///
    /// - Parameter hidesDates: whether days are replaced too.
    static func removed(from text: String, hidesDates: Bool) -> String {
        guard text.utf8.count > 5 else { return text }
        let (letters, starts) = folded(text)
        let bytes = Array(text.utf8)
        var result = Array(bytes[..<(starts.first ?? bytes.count)])
        var index = 0
        while index < letters.count {
            let isInWord = index > 0 && isAlphanumeric(letters[index - 1])
            let isInNumber = index > 0 && isDigit(letters[index - 1])
            let length =
                uuid(in: letters, at: index)
                ?? (hidesDates && !isInNumber ? WrittenDay.length(in: letters, at: index) : nil)
                ?? (isInWord ? nil : host(in: letters, at: index))
            if length != nil { result += Array(PrivatePlaces.removed.utf8) }
            let next = index + (length ?? 1)
            let end = next < starts.count ? starts[next] : bytes.count
            if length == nil { result += bytes[starts[index]..<end] }
            index = next
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The byte that stands for letters beyond ASCII, and the one for all other signs.
    private static let letter: UInt8 = 0xC0
    private static let sign: UInt8 = 0x80

    /// The text in ASCII, with the place of each of its letters: digits of any script and width are digits, dashes
    /// are hyphens, and marks that nobody sees are left out.
    private static func folded(_ text: String) -> (letters: [UInt8], starts: [Int]) {
        var letters: [UInt8] = []
        var starts: [Int] = []
        var place = 0
        for scalar in text.unicodeScalars {
            if let byte = folded(scalar) {
                letters.append(byte)
                starts.append(place)
            }
            place += UTF8.width(scalar)
        }
        return (letters, starts)
    }

    private static func folded(_ scalar: Unicode.Scalar) -> UInt8? {
        if scalar.isASCII { return UInt8(truncatingIfNeeded: scalar.value) }
        // Letters of Chinese, Japanese and Korean type are as wide as a square.
        if (0xFF01...0xFF5E).contains(scalar.value) { return UInt8(scalar.value - 0xFEE0) }
        let properties = scalar.properties
        if properties.numericType == .decimal, let value = properties.numericValue {
            return UInt8(ascii: "0") + UInt8(value)
        }
        // Year and month end with these signs in the same languages.
        if "年月년월−".unicodeScalars.contains(scalar) { return UInt8(ascii: "-") }
        switch properties.generalCategory {
        case .format: return nil
        case .dashPunctuation: return UInt8(ascii: "-")
        case .spaceSeparator: return UInt8(ascii: " ")
        case _: return properties.isAlphabetic ? letter : sign
        }
    }

    /// 8-4-4-4-12 hexadecimal digits, with `-` or `_` between them.
    private static func uuid(in bytes: [UInt8], at start: Int) -> Int? {
        guard start + 36 <= bytes.count else { return nil }
        for index in 0..<36 {
            let byte = bytes[start + index]
            let isBreak = [8, 13, 18, 23].contains(index)
            guard isBreak ? byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") : isHexadecimal(byte)
            else {
                return nil
            }
        }
        return 36
    }

    private static let endings: Set<String> = [
        "com", "org", "net", "edu", "gov", "mil", "int", "info", "arpa", "local", "localdomain", "lan",
        "home",
        "internal", "intranet", "corp", "private", "example", "test", "invalid",
    ]

    /// Endings that may also be the name of a step. In the path of a step, other names follow them.
    private static let words: Set<String> = ["int", "info", "home", "internal", "private", "example", "test"]

    /// Labels joined by dots, up to a usual ending of machine names. An ending of two letters counts only after two
    /// other labels, because `listening.hr` is a step.
    private static func host(in bytes: [UInt8], at start: Int) -> Int? {
        let name = bytes[start...].prefix {
            isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
        let labels = name.split(separator: UInt8(ascii: "."))
        var length: Int?
        for (place, label) in labels.enumerated().dropFirst() {
            // Words of scripts without spaces may follow at once.
            let ending = label.prefix { $0 < 0x80 }
            let text = String(decoding: ending, as: UTF8.self).lowercased()
            let isCountry = place > 1 && text.count == 2 && text.allSatisfy(\.isLetter)
            let isLast = place == labels.count - 1
            if isCountry || endings.contains(text) && (isLast || !words.contains(text)) {
                length = ending.endIndex - start
            }
        }
        return length
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == letter
    }
}
