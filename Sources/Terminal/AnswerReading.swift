import StudyModel

/// What is the matter with an answer, and what to do.
struct ValidationError: Error, Hashable, Sendable {
    var phrase: Phrase
    var arguments: [String]

    init(_ phrase: Phrase, _ arguments: String...) {
        self.phrase = phrase
        self.arguments = arguments
    }

    func text(in wording: Wording) -> String { wording(phrase, arguments) }
}

extension AnswerFormat {
    /// Reads a typed answer; the formats with a list to choose from are read by their lists.
    ///
    /// - Returns: `nil` where nothing was written.
    func read(_ text: String) throws(ValidationError) -> Answer? {
        let text = text.trimmed
        guard !text.isEmpty else { return nil }
        switch self {
        case .scale(let from, let to, _, _):
            guard let number = Int(text), from <= number, number <= to else {
                throw ValidationError(.numberBetween, String(from), String(to))
            }
            return .scale(number)
        case .continuous(let from, let to, let decimals):
            guard let number = Double(typed: text), from <= number, number <= to else {
                throw ValidationError(.numberBetween, from.shown(decimals), to.shown(decimals))
            }
            return .continuous(min(to, max(from, number.rounded(to: decimals))))
        case .number(_, let minimum, let maximum):
            return .number(try readNumber(text, minimum, maximum))
        case .text(let maximumLength, let pattern):
            if let maximumLength, text.count > maximumLength {
                throw ValidationError(.tooLong, String(maximumLength))
            }
            if let pattern, !isWholeMatch(text, of: pattern) { throw ValidationError(.otherForm) }
            return .text(text)
        case .date: return try readDate(text)
        case .timeOfDay: return try readTime(text)
        case .choice, .choices, .boolean: preconditionFailure("\(self) is answered from a list")
        }
    }

    /// The texts to choose from; empty for a format without a list.
    func options(in language: Language?) -> [String] {
        switch self {
        case .choice(let choices), .choices(let choices): choices.map { $0.text.text(in: language) }
        case .boolean(let yes, let no): [yes.text(in: language), no.text(in: language)]
        case .scale, .continuous, .number, .text, .date, .timeOfDay: []
        }
    }

    /// The answer that picking these options gives; `nil` where none is picked.
    func answer(picking indices: Set<Int>) -> Answer? {
        guard let first = indices.min() else { return nil }
        switch self {
        case .choice(let choices): return .choice(choices[first].value)
        case .choices(let choices): return .choices(indices.sorted().map { choices[$0].value })
        case .boolean: return .boolean(first == 0)
        case .scale, .continuous, .number, .text, .date, .timeOfDay:
            preconditionFailure("\(self) has no options")
        }
    }

    private func readNumber(_ text: String, _ minimum: Double?, _ maximum: Double?) throws(ValidationError)
        -> Double
    {
        guard let number = Double(typed: text) else { throw ValidationError(.writeNumber) }
        switch (minimum, maximum) {
        case (let minimum?, let maximum?) where number < minimum || maximum < number:
            throw ValidationError(.numberBetween, minimum.shown, maximum.shown)
        case (let minimum?, nil) where number < minimum: throw ValidationError(.numberAtLeast, minimum.shown)
        case (nil, let maximum?) where maximum < number: throw ValidationError(.numberAtMost, maximum.shown)
        case (_, _): return number
        }
    }

    private func readDate(_ text: String) throws(ValidationError) -> Answer {
        guard let parts = text.numbers(separatedBy: "-", digits: [4...4, 1...2, 1...2]) else {
            throw ValidationError(.dateForm)
        }
        let (year, month, day) = (parts[0], parts[1], parts[2])
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard year >= 1, (1...12).contains(month), (1...days[month - 1]).contains(day) else {
            throw ValidationError(.noSuchDay)
        }
        return .date(year: year, month: month, day: day)
    }

    private func readTime(_ text: String) throws(ValidationError) -> Answer {
        guard let parts = text.numbers(separatedBy: ":", digits: [1...2, 2...2]), parts[0] < 24, parts[1] < 60
        else { throw ValidationError(.timeForm) }
        return .timeOfDay(hour: parts[0], minute: parts[1])
    }
}

extension String {
    /// The text without spaces before and after.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// Whole numbers with the given counts of ASCII digits; `nil` where the text is anything else.
    fileprivate func numbers(separatedBy separator: Character, digits: [ClosedRange<Int>]) -> [Int]? {
        let parts = split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == digits.count else { return nil }
        var numbers: [Int] = []
        for (part, digits) in zip(parts, digits) {
            guard digits.contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}

extension Double {
    /// A finite number of digits with a point or comma; `nil` for anything else.
    init?(typed text: String) {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.,".utf8.contains($0) }
        guard isNumber, let number = Double(text.replacing(",", with: ".")), number.isFinite else {
            return nil
        }
        self = number
    }

    func rounded(to decimals: Int) -> Double {
        let scale = Self.powerOfTen(decimals)
        let scaled = (self * scale).rounded()
        return scaled.magnitude < 1e15 ? scaled / scale : self
    }

    /// The number with exactly so many decimals.
    func shown(_ decimals: Int) -> String {
        let scale = Self.powerOfTen(decimals)
        let scaled = (magnitude * scale).rounded()
        guard scaled < 1e15 else { return description }
        let digits = String(Int64(scaled))
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let sign = self < 0 && scaled > 0 ? "-" : ""
        return sign + padded.dropLast(decimals) + (decimals > 0 ? "." + padded.suffix(decimals) : "")
    }

    /// The number without needless decimals.
    var shown: String { self == rounded() && magnitude < 1e15 ? String(Int64(self)) : description }

    static func powerOfTen(_ exponent: Int) -> Double {
        (0..<min(6, max(0, exponent))).reduce(1) { power, _ in power * 10 }
    }
}
