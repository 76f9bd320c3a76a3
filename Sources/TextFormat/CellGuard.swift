/// Which texts a program that reads CSV would not read as text, but as a formula, a number, a truth value, a day or
/// time, or a missing value.
///
/// So DuckDB, pandas, polars, R and spreadsheets with their defaults read a column of texts as texts, whatever it
/// contains. How they read texts was found by experiment, which `Tests/DatasetsTests/csv_defaults.py` repeats.
package enum CellGuard {
    /// Whether a text gets the guard `'` before it. A text that begins with the guard gets another one.
    package static func guards(_ text: Span<UInt8>) -> Bool {
        guard !text.isEmpty else { return true }
        switch text[0] {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "'"),
            0x09, 0x0D:
            return true
        default: break
        }
        // Numbers may have blanks around them, and R reads blanks alone as a missing value.
        var (first, end) = (0, text.count)
        while first < end, text[first] <= 0x20 { first += 1 }
        while end > first, text[end - 1] <= 0x20 { end -= 1 }
        guard first < end else { return true }
        let core = text.extracting(first..<end)
        if let short = shortWithFigure(core), isDayInWords(short) || isAmount(short) { return true }
        return core[0] < 0x80 ? isLikeNumber(core) || isWord(core) : isForeignDigit(core)
    }

    /// Whether it begins like a number, a day or a time, and contains nothing that these cannot contain.
    private static func isLikeNumber(_ text: Span<UInt8>) -> Bool {
        switch text[0] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): break
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"): break
        default: return false
        }
        // Hexadecimal and binary numbers, which DuckDB and R read.
        if text.count > 2, text[0] == UInt8(ascii: "0"), [0x62, 0x78].contains(text[1] | 0x20) {
            return true
        }
        var hasDigit = false
        var dots = 0
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
            case UInt8(ascii: "."): dots += 1
            case UInt8(ascii: "e"), UInt8(ascii: "E"): continue
            case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: ":"), 0x20,
                UInt8(ascii: "_"), UInt8(ascii: "T"), UInt8(ascii: "Z"), UInt8(ascii: "i"):
                guard text.count <= longestTime else { return false }
            default: return false
            }
        }
        return hasDigit && !(dots > 1 && isLikeVersion(text))
    }

    /// Whether it looks like `0.1.0`, which is not a day: days with the year at the end give it at least two
    /// digits.
    private static func isLikeVersion(_ text: Span<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        let isYearFirst = !text.indices.prefix(4).contains { text[$0] == dot }
        return text[text.count - 2] == dot && !isYearFirst
    }

    /// The text, if it can be a day, a time or an amount: short, with a figure, and with no word that begins as none
    /// of them does. Most texts end here, without a `String`.
    private static func shortWithFigure(_ text: Span<UInt8>) -> String? {
        // Days and times are shorter than a UUID, which may consist of digits.
        guard text.count <= longestTime else { return nil }
        var hasFigure = false
        var isInWord = false
        for index in text.indices {
            let byte = text[index]
            hasFigure = hasFigure || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            if isLetter, !isInWord, !wordsOfDays.contains(byte | 0x20) { return nil }
            // A byte of another letter neither begins a word nor ends one.
            isInWord = isLetter || byte >= 0x80
        }
        guard hasFigure else { return nil }
        var bytes: [UInt8] = []
        for index in text.indices { bytes.append(text[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The letters with which names of months and halves of the day begin.
    private static let wordsOfDays = Array(Set(months.union(halves).compactMap(\.utf8.first)))

    private static let longestTime = 35

    /// Whether a spreadsheet takes it for a day or a time: figures with the name of a month, or with a half of the day,
    /// such as `MARCH1`, `1-Sep`, `2. Mai` and `9 am`.
    private static func isDayInWords(_ text: String) -> Bool {
        var rest = text.lowercased()[...]
        var words = 0
        while let first = rest.first {
            let word = rest.prefix(while: \.isLetter)
            guard !word.isEmpty else {
                guard first.isNumber || " .,/-:'\u{A0}".contains(first) else { return false }
                rest = rest.dropFirst()
                continue
            }
            let isHalf = text.first?.isNumber == true && halves.contains(String(word))
            guard isHalf || months.contains(String(word)) else { return false }
            words += 1
            rest = rest.dropFirst(word.count)
        }
        return words > 0
    }

    /// Halves of the day, after figures.
    private static let halves: Set = ["am", "pm", "a", "p"]

    /// English, German, French and Spanish names of months with their short forms.
    private static let months = Set(
        """
        jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september
        october november december januar jänner februar feber märz maerz mrz mär mai juni juli oktober okt dezember dez
        janvier janv février fevrier févr fevr mars avril avr juin juillet juil août aout septembre octobre novembre
        décembre decembre déc enero ene febrero marzo abril abr mayo junio julio agosto ago septiembre octubre noviembre
        diciembre dic
        """.split { $0.isWhitespace }.map(String.init))

    /// Whether a spreadsheet takes it for an amount: a number with a sign of percent or money, in brackets, or with
    /// commas.
    private static func isAmount(_ text: String) -> Bool {
        text.contains(where: "$%(),€£¥".contains)
            && text.allSatisfy { $0.isASCII && $0.isNumber || "$%(),€£¥ .+-".contains($0) }
    }

    /// Whether it is a word for a truth value, a missing value or an unusual number, in upper or lower case.
    private static func isWord(_ text: Span<UInt8>) -> Bool {
        let longest = 9
        guard text.count <= longest, initials.contains(text[0] | 0x20) else { return false }
        var lower: [UInt8] = []
        for index in text.indices {
            let byte = text[index]
            lower.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
        }
        return words.contains(lower)
    }

    /// The initials of these words, with the bit for lower case.
    private static let initials = Array("efinty#<1".utf8).map { $0 | 0x20 }

    private static let words: Set<[UInt8]> = Set(
        [
            "true", "false", "t", "f", "yes", "no", "na", "n/a", "#n/a", "#na", "#n/a n/a", "<na>", "null",
            "none", "nan", "inf", "infinity", "epoch", "1.#ind", "1.#qnan",
        ].map { Array($0.utf8) })

    /// Whether it begins with a digit of another script, which polars takes for one of its own and then cannot
    /// read.
    private static func isForeignDigit(_ text: Span<UInt8>) -> Bool {
        var bytes: [UInt8] = []
        for index in 0..<min(4, text.count) { bytes.append(text[index]) }
        let first = String(decoding: bytes, as: UTF8.self).unicodeScalars.first
        return first?.properties.numericType == .decimal
    }
}
