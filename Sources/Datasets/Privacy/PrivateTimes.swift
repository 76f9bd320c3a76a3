import TextFormat

/// Finds days, UUIDs and names of machines in free text.
enum PrivateTimes {
    /// The text with each of them replaced.
    ///
    /// - Parameter hidesDates: whether days are replaced too.
    static func removed(from text: String, hidesDates: Bool) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count > 5 else { return text }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let isInWord = index > 0 && isAlphanumeric(bytes[index - 1])
            let length =
                uuid(in: bytes, at: index)
                ?? (hidesDates && !(index > 0 && isDigit(bytes[index - 1])) ? day(in: bytes, at: index) : nil)
                ?? (isInWord ? nil : host(in: bytes, at: index))
            if let length {
                result += Array(PrivatePlaces.removed.utf8)
                index += length
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
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

    /// A day in digits, with the year first or last, and with or without `-`, `.`, `/`, `_` or a space between its
    /// parts.
    private static func day(in bytes: [UInt8], at start: Int) -> Int? {
        guard isDigit(bytes[start]) else { return nil }
        let digits = run(of: bytes, at: start)
        if [8, 14].contains(digits.count) {
            return isDay(digits[0..<4], digits[4..<6], digits[6..<8])
                || isDay(digits[4..<8], digits[2..<4], digits[0..<2])
                || isDay(digits[4..<8], digits[0..<2], digits[2..<4]) ? digits.count : nil
        }
        var parts = [digits]
        var end = start + digits.count
        while parts.count < 3, end + 1 < bytes.count, "-./_ ".utf8.contains(bytes[end]),
            isDigit(bytes[end + 1])
        {
            parts.append(run(of: bytes, at: end + 1))
            end += 1 + (parts.last?.count ?? 0)
        }
        guard parts.count == 3 else { return nil }
        let (one, two, three) = (parts[0][...], parts[1][...], parts[2][...])
        let isDated =
            one.count == 4
            ? isDay(one, two, three.prefix(2)) : isDay(three, two, one) || isDay(three, one, two)
        return isDated ? end - start : nil
    }

    private static func run(of bytes: [UInt8], at start: Int) -> [UInt8] {
        Array(bytes[start...].prefix(while: isDigit))
    }

    private static func isDay(
        _ year: ArraySlice<UInt8>, _ month: ArraySlice<UInt8>, _ day: ArraySlice<UInt8>
    ) -> Bool {
        let number = { (digits: ArraySlice<UInt8>) in digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        guard year.count == 4 || year.count == 2, (1...2).contains(month.count), (1...2).contains(day.count)
        else {
            return false
        }
        let whole = year.count == 4 ? number(year) : 2000 + number(year)
        return (1900...2999).contains(whole)
            && CivilDate(year: whole, month: number(month), day: number(day)).isInCalendar
    }

    private static let endings: Set<String> = [
        "com", "org", "net", "edu", "gov", "mil", "int", "info", "arpa", "local", "localdomain", "lan",
        "home",
        "internal", "intranet", "corp", "private", "example", "test", "invalid",
    ]

    /// Labels joined by dots, of which the last is a usual ending of machine names. An ending of two letters counts
    /// only after two other labels, because `listening.hr` is a step.
    private static func host(in bytes: [UInt8], at start: Int) -> Int? {
        let name = bytes[start...].prefix {
            isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
        let labels = name.split(separator: UInt8(ascii: "."))
        guard labels.count > 1, let last = labels.last else { return nil }
        let ending = String(decoding: last, as: UTF8.self).lowercased()
        let isCountry = labels.count > 2 && ending.count == 2 && ending.allSatisfy(\.isLetter)
        return endings.contains(ending) || isCountry ? name.count : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte > 0x7F
    }
}
