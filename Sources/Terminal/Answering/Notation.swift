import StudyModel
import TextFormat

/// How people write numbers, days and times in a language: everything that a typed text may mean.
struct Notation: Hashable, Sendable {
    /// Whether the day or the month comes first; `nil` if the language does not decide.
    private var dayOrder: DayOrder?
    /// The language without its region; empty if it is not known.
    private var language: String
    /// Whether a point stands before decimals, as in the program's own examples.
    private var usesDecimalPoint: Bool

    private enum DayOrder: Hashable, Sendable {
        case dayFirst
        case monthFirst
    }

    private static let dayFirst: Set<String> = [
        "de", "fr", "es", "it", "nl", "pt", "da", "nb", "no", "fi", "pl", "cs", "ru", "tr", "el", "ar", "he",
        "en-gb", "en-au", "en-nz", "en-ie", "en-in", "en-za",
    ]

    init(_ language: Language?) {
        let tag = language?.tag.lowercased() ?? "en"
        let name = tag.split(separator: "-").first.map(String.init) ?? tag
        self.language = language == nil ? "" : name
        usesDecimalPoint = ["en", "zh", "ja", "ko", "th", "he"].contains(name)
        if tag == "en-us" {
            dayOrder = .monthFirst
        } else if Self.dayFirst.contains(tag) || Self.dayFirst.contains(name) {
            dayOrder = .dayFirst
        }
    }

    // MARK: Words

    /// A number as people of the language write it.
    ///
    /// - Parameter decimals: how many; as few as possible if `nil`.
    func words(_ number: Double, _ decimals: Int? = nil) -> String {
        let plain = decimals.map { number.shown($0) } ?? number.shown
        return usesDecimalPoint || language.isEmpty ? plain : plain.replacing(".", with: ",")
    }

    /// A day such as `3 April 1987`; `1987-04-03` in languages whose months are not known here.
    func words(_ day: CivilDate) -> String {
        guard let month = MonthName.name(of: day.month, in: language.isEmpty ? "en" : language) else {
            return day.text
        }
        let words =
            switch language {
            case "de": "\(day.day). \(month) \(day.year)"
            case "es", "pt": "\(day.day) de \(month) de \(day.year)"
            case "en" where dayOrder == .monthFirst: "\(month) \(day.day), \(day.year)"
            default: "\(day.day) \(month) \(day.year)"
            }
        return day.isInCalendar ? words : day.text
    }

    /// A day of a study file, `1987-04-03`, in the same way.
    func words(_ day: String) -> String {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        return parts.count == 3 ? words(CivilDate(year: parts[0], month: parts[1], day: parts[2])) : day
    }

    // MARK: Signs

    /// The text with digits of all scripts as ASCII, with wide signs as plain ones, and dashes as hyphens.
    static func plain(_ text: String) -> String {
        var plain = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x2010...0x2015, 0x2212, 0xFE63, 0xFF0D: plain.append("-")
            case 0x3000: plain.append(" ")
            case 0x066B: plain.append(".")
            case 0x066C: plain.append("\u{A0}")
            case 0xFF01...0xFF5E: plain.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
            default:
                guard scalar.properties.generalCategory == .decimalNumber,
                    let digit = scalar.properties.numericValue
                else {
                    plain.unicodeScalars.append(scalar)
                    continue
                }
                plain.append("\(Int(digit))")
            }
        }
        return plain
    }

    /// The text in small letters, with plain signs and without marks above letters.
    static func folded(_ text: some StringProtocol) -> String {
        var folded = ""
        for scalar in plain(text.lowercased()).unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            folded += marked[scalar].map(String.init) ?? String(scalar)
        }
        return folded
    }

    /// Letters with a mark, each with the letter alone.
    private static let marked: [Unicode.Scalar: Character] = {
        let letters: [Character: String] = [
            "a": "àáâãäå", "e": "èéêë", "i": "ìíîï", "o": "òóôõöø", "u": "ùúûü", "c": "ç", "n": "ñ",
            "s": "şš", "α": "ά",
            "ε": "έ", "η": "ή", "ι": "ίϊΐ", "ο": "ό", "υ": "ύϋΰ", "ω": "ώ", "σ": "ς", "ا": "أإآ",
        ]
        return letters.reduce(into: [:]) { table, letter in
            for scalar in letter.value.unicodeScalars { table[scalar] = letter.key }
        }
    }()

    /// The text without the unit of its question before or after the number, and without a full stop.
    static func withoutUnit(_ text: String, _ unit: String?) -> String {
        let digits = text.indices.filter { text[$0].isNumber }
        guard let first = digits.first, let last = digits.last else { return text }
        let words = NotationWords.words(for: unit)
        let isUnit = { (text: Substring) in
            let word = folded(text).trimmed
            return words.contains(word) || word.last == "." && words.contains(String(word.dropLast()))
        }
        let (before, after) = (text[..<first], text[text.index(after: last)...])
        if isUnit(after) { return String(text[...last]) }
        if isUnit(before.drop { "+-".contains($0) }) {
            return before.prefix { "+-".contains($0) } + String(text[first...])
        }
        return text
    }

    // MARK: Numbers

    /// The numbers that a text may mean: `1,500` is one thousand five hundred, or one and a half.
    func numbers(in text: String) -> [Double] {
        let spaces: [Character] = ["\u{A0}", "\u{202F}", "\u{2009}", "'", "’"]
        // Behind a number it means minutes or feet.
        guard text.last.map({ "'’".contains($0) }) != true else { return [] }
        // In Spain, an apostrophe may also stand before decimals.
        if language == "es", let mark = text.first(where: { "'’".contains($0) }) {
            guard !text.contains(where: { ".,".contains($0) }) else { return [] }
            return numbers(in: text.replacing(String(mark), with: ","))
        }
        var text = String(Self.plain(text).map { spaces.contains($0) ? " " : $0 }).trimmed
        if let word = NotationWords.minus.first(where: { Self.folded(text).hasPrefix($0 + " ") }) {
            text = "-" + text.dropFirst(word.count).trimmed
        }
        if text.last == ".", !text.dropLast().contains(".") { text.removeLast() }
        let sign = text.hasPrefix("-") ? "-" : ""
        var body = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst().trimmed[...] : text[...]
        let fractions = [" 1/2": ".5", "½": ".5", " 1/4": ".25", "¼": ".25", " 3/4": ".75", "¾": ".75"]
        if let (mark, decimals) = fractions.first(where: { body.hasSuffix($0.key) }) {
            let whole = body.dropLast(mark.count).trimmed
            guard whole.allSatisfy(Self.isDigit) else { return [] }
            body = ((whole.isEmpty ? "0" : whole) + decimals)[...]
        }
        guard body.first.map(Self.isDigit) == true || body.first == "." || body.first == ",",
            body.filter(Self.isDigit).drop(while: { $0 == "0" }).count <= 15
        else { return [] }
        var values: [Double] = []
        for decimal in [Character("."), ","] {
            guard let plain = Self.plain(body, decimal: decimal), let value = Double(sign + plain),
                !values.contains(value)
            else { continue }
            values.append(value)
        }
        // If the program's own examples use a decimal point, the point in `1.500` is one too.
        if values.count > 1, usesDecimalPoint, body.contains(".") { return [values[0]] }
        return values
    }

    /// The digits with a point before the decimals; `nil` if the text is not a number with this decimal mark.
    private static func plain(_ body: Substring, decimal: Character) -> String? {
        let parts = body.split(separator: decimal, omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first else { return nil }
        let fraction = parts.dropFirst().first
        if let fraction, fraction.isEmpty || !fraction.allSatisfy(isDigit) { return nil }
        let other: Character = decimal == "." ? "," : "."
        let groups = whole.split(omittingEmptySubsequences: false) { $0 == " " || $0 == other }
        guard Set(whole.filter { !isDigit($0) }).count <= 1, groups.joined().allSatisfy(isDigit) else {
            return nil
        }
        if groups.count > 1 {
            guard (1...3).contains(groups[0].count), groups[0].first != "0",
                groups.dropFirst().allSatisfy({ $0.count == 3 })
            else { return nil }
        }
        return (whole.isEmpty ? "0" : groups.joined()) + (fraction.map { "." + $0 } ?? "")
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && character.isWholeNumber
    }

    // MARK: Days

    /// The days that a text may mean, whether or not the calendar has them; `nil` if it is not a day.
    func days(in text: String) -> [CivilDate]? {
        let text = Self.plain(text)
        if let day = dayWithMonthName(in: text) { return [day] }
        return daysInDigits(text.replacing(". ", with: "."))
    }

    /// A day such as `25. März 1987` or `April 3, 1987`.
    private func dayWithMonthName(in text: String) -> CivilDate? {
        var (days, months, years): ([Int], [Int], [Int]) = ([], [], [])
        var daysOfWeek = Set(0...6)
        for word in text.split(whereSeparator: { " .,-/".contains($0) }) {
            let digits = word.prefix(while: Self.isDigit)
            let rest = word.dropFirst(digits.count).lowercased()
            if let number = Int(digits), ["", "st", "nd", "rd", "th", "er", "e", "º", "°"].contains(rest) {
                if digits.count == 4 { years.append(number) } else { days.append(number) }
            } else if let month = MonthName.number(of: word, in: language) {
                months.append(month)
            } else if !["de", "del", "of", "the", "den", "der", "le", "el"].contains(word.lowercased()) {
                daysOfWeek.formIntersection(NotationWords.daysOfWeek(word))
            }
        }
        guard days.count == 1, months.count == 1, years.count == 1 else { return nil }
        let day = CivilDate(year: years[0], month: months[0], day: days[0])
        // 1 January 1970 was a Thursday.
        return daysOfWeek.contains(((day.daysSince1970 + 4) % 7 + 7) % 7) ? day : nil
    }

    private func daysInDigits(_ text: String) -> [CivilDate]? {
        let separators = text.filter { !Self.isDigit($0) }
        guard separators.count == 2, let separator = separators.first, separators.last == separator,
            "-/. ".contains(separator)
        else { return nil }
        let parts = text.split(separator: separator)
        let numbers = parts.compactMap { Int($0) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        switch (parts[0].count, parts[1].count, parts[2].count) {
        case (4, 1...2, 1...2): return [CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])]
        case (1...2, 1...2, 4):
            let dayFirst = CivilDate(year: numbers[2], month: numbers[1], day: numbers[0])
            let monthFirst = CivilDate(year: numbers[2], month: numbers[0], day: numbers[1])
            guard separator == "." else { return inOrder(dayFirst, monthFirst) }
            // Points are of languages that put the day first, but for who writes English they are a foreign notation.
            guard language == "en", dayOrder != .dayFirst else { return [dayFirst] }
            let possible = [dayFirst, monthFirst].filter(\.isInCalendar)
            return possible.count == 2 && dayFirst != monthFirst ? possible : [dayFirst]
        case (_, _, _): return nil
        }
    }

    private func inOrder(_ dayFirst: CivilDate, _ monthFirst: CivilDate) -> [CivilDate] {
        let possible = [dayFirst, monthFirst].filter(\.isInCalendar)
        guard possible.count == 2, dayFirst != monthFirst else {
            return Array((possible + [dayFirst]).prefix(1))
        }
        return switch dayOrder {
        case .dayFirst: [dayFirst]
        case .monthFirst: [monthFirst]
        case nil: possible
        }
    }

    // MARK: Times

    /// The time of day that a text means, as hour and minute; `nil` if it is not a time.
    func time(in text: String) -> (hour: Int, minute: Int)? {
        var rest = Self.folded(text).filter { !$0.isWhitespace && !"'’".contains($0) }
        let half = NotationWords.halves.first { rest.hasSuffix($0.mark) }
        let part = NotationWords.partsOfDay.first { rest.hasSuffix($0.mark) }
        rest = String(rest.dropLast((part ?? half)?.mark.count ?? 0))
        let isMarked = half != nil || NotationWords.hours.contains(where: rest.hasSuffix)
        if rest.last == "." { rest.removeLast() }
        if rest.hasSuffix("min") { rest.removeLast(3) }
        if let word = NotationWords.hours.first(where: rest.contains) {
            rest =
                rest.hasSuffix(word)
                ? String(rest.dropLast(word.count)) : rest.replacing(word, with: ":", maxReplacements: 1)
        }
        guard let (hour, minute) = Self.clock(rest, isMarked: isMarked), (0...59).contains(minute),
            (0...23).contains(hour)
        else { return nil }
        if let part {
            return hour == 12 || !part.isSecond && hour > 12
                ? nil : (part.isSecond && hour < 12 ? hour + 12 : hour, minute)
        }
        guard let half else { return (hour, minute) }
        guard (half.isSecond ? 1...12 : 0...12).contains(hour) else { return nil }
        return (hour % 12 + (half.isSecond ? 12 : 0), minute)
    }

    /// Hours and minutes; hours alone only if a mark after them says that they are hours.
    private static func clock(_ text: String, isMarked: Bool) -> (Int, Int)? {
        let parts = text.split(omittingEmptySubsequences: false) { ":.h".contains($0) }
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }) else { return nil }
        let numbers = parts.compactMap { Int($0) }
        switch (parts.count, parts[0].count) {
        case (2, 1...2) where parts[1].count == 2: return (numbers[0], numbers[1])
        case (1, 1...2) where isMarked: return (numbers[0], 0)
        case (1, 4): return (numbers[0] / 100, numbers[0] % 100)
        case (_, _): return nil
        }
    }
}
