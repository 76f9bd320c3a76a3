import StudyModel
import TextFormat

/// How people write numbers, days and times in a language: everything that a typed text may mean.
struct Notation: Hashable, Sendable {
    /// Whether the day or the month comes first; `nil` if the language does not decide.
    private var dayOrder: DayOrder?
    /// Whether a point stands before decimals, as in the program's own examples.
    private var usesDecimalPoint: Bool

    private enum DayOrder: Hashable, Sendable {
        case dayFirst
        case monthFirst
    }

    private static let dayFirst: Set<String> = [
        "de", "fr", "es", "it", "nl", "pt", "da", "nb", "no", "fi", "pl", "cs", "ru", "tr", "en-gb", "en-au",
        "en-nz",
        "en-ie", "en-in", "en-za",
    ]

    init(_ language: Language?) {
        let tag = language?.tag.lowercased() ?? "en"
        let name = tag.split(separator: "-").first.map(String.init) ?? tag
        usesDecimalPoint = ["en", "zh", "ja", "ko", "th", "he"].contains(name)
        if tag == "en-us" {
            dayOrder = .monthFirst
        } else if Self.dayFirst.contains(tag) || Self.dayFirst.contains(name) {
            dayOrder = .dayFirst
        }
    }

    // MARK: Numbers

    /// The numbers that a text may mean: `1,500` is one thousand five hundred, or one and a half.
    func numbers(in text: String) -> [Double] {
        let text = String(text.map { "\u{A0}\u{202F}\u{2009}'’".contains($0) ? " " : $0 == "−" ? "-" : $0 })
        let sign = text.hasPrefix("-") ? "-" : ""
        let body = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
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
        let text = text.replacing(". ", with: ".")
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
            return separator == "." ? [dayFirst] : inOrder(dayFirst, monthFirst)
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
        var rest = text.lowercased().filter { $0 != " " && $0 != "\u{A0}" && $0 != "\u{202F}" }
        let half = ["a.m.", "p.m.", "am", "pm"].first(where: rest.hasSuffix)
        rest = String(rest.dropLast(half?.count ?? 0))
        let isMarked = half != nil || rest.hasSuffix("uhr") || rest.hasSuffix("h")
        if rest.hasSuffix("uhr") { rest = String(rest.dropLast(3)) }
        if rest.hasSuffix("h") { rest = String(rest.dropLast()) }
        guard let (hour, minute) = Self.clock(rest, isMarked: isMarked), (0...59).contains(minute) else {
            return nil
        }
        guard let half else { return (0...23).contains(hour) ? (hour, minute) : nil }
        guard (half.hasPrefix("a") ? 0...12 : 1...12).contains(hour) else { return nil }
        return (hour % 12 + (half.hasPrefix("p") ? 12 : 0), minute)
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
