import StudyModel
import TextFormat

/// What is the matter with an answer, and what to do.
struct ValidationError: Error, Hashable, Sendable {
    private var sentences: [Sentence]

    private struct Sentence: Hashable, Sendable {
        var phrase: Phrase
        var arguments: [String]
    }

    init(_ phrase: Phrase, _ arguments: String...) {
        sentences = [Sentence(phrase: phrase, arguments: arguments)]
    }

    /// The first of its sentences, which says what is the matter.
    var phrase: Phrase { sentences[0].phrase }
    var arguments: [String] { sentences[0].arguments }

    /// With another one's words behind it.
    func then(_ other: ValidationError) -> ValidationError {
        var both = self
        both.sentences += other.sentences
        return both
    }

    func text(in wording: Wording) -> String {
        sentences.map { wording($0.phrase, $0.arguments) }.joined(separator: " ")
    }
}

// The one reading of what people type, for screen and lines alike.
extension AnswerFormat {
    /// The answer that a typed text gives.
    ///
    /// - Returns: `nil` where nothing was written.
    func read(_ typed: String, in language: Language?) throws(ValidationError) -> Answer? {
        let text = typed.trimmed
        guard !text.isEmpty else { return nil }
        let notation = Notation(language)
        switch self {
        case .scale(let from, let to, _, _):
            let number = try number(in: text, notation)
            guard Double(from) <= number, number <= Double(to) else { throw range }
            guard number == number.rounded() else { throw ValidationError(.wholeNumber).then(range) }
            return .scale(Int(number))
        case .continuous(let from, let to, let decimals):
            let number = try number(in: text, notation)
            guard from <= number, number <= to else { throw range }
            guard number.rounded(to: decimals) == number else {
                throw decimals > 0
                    ? ValidationError(.fewerDecimals, "\(decimals)") : ValidationError(.wholeNumber)
            }
            return .continuous(number)
        case .number(let unit, let minimum, let maximum):
            let number = try number(in: text.without(unit), notation)
            guard minimum.map({ $0 <= number }) ?? true, maximum.map({ number <= $0 }) ?? true else {
                throw range
            }
            return .number(number)
        case .text(let maximumLength, let pattern):
            if let maximumLength, text.count > maximumLength {
                throw ValidationError(.tooLong, "\(maximumLength)", "\(text.count)")
            }
            if let pattern, !isWholeMatch(text, of: pattern) { throw ValidationError(.otherForm) }
            return .text(text)
        case .date: return try day(in: text, notation)
        case .timeOfDay:
            guard let (hour, minute) = notation.time(in: text) else { throw ValidationError(.timeForm) }
            return .timeOfDay(hour: hour, minute: minute)
        case .choice, .choices, .boolean: return answer(picking: try picked(text, in: language))
        }
    }

    /// What a number may be.
    var range: ValidationError {
        switch self {
        case .scale(let from, let to, _, _): return ValidationError(.numberBetween, "\(from)", "\(to)")
        case .continuous(let from, let to, let decimals):
            return ValidationError(.numberBetween, from.shown(decimals), to.shown(decimals))
        case .number(_, let minimum?, let maximum?):
            return ValidationError(.numberBetween, minimum.shown, maximum.shown)
        case .number(_, let minimum?, nil): return ValidationError(.numberAtLeast, minimum.shown)
        case .number(_, nil, let maximum?): return ValidationError(.numberAtMost, maximum.shown)
        case .number, .text, .date, .timeOfDay, .choice, .choices, .boolean:
            return ValidationError(.writeNumber)
        }
    }

    private func number(in text: String, _ notation: Notation) throws(ValidationError) -> Double {
        let numbers = notation.numbers(in: text)
        guard numbers.count < 2 else {
            throw ValidationError(.twoReadings, numbers[0].shown, numbers[1].shown)
        }
        guard let number = numbers.first else { throw ValidationError(.notANumber).then(range) }
        return number
    }

    private func day(in text: String, _ notation: Notation) throws(ValidationError) -> Answer {
        guard let days = notation.days(in: text), let day = days.first else {
            throw ValidationError(.dateForm)
        }
        guard days.count == 1 else { throw ValidationError(.twoReadings, days[0].text, days[1].text) }
        let answer = Answer.date(year: day.year, month: day.month, day: day.day)
        guard accepts(answer) else { throw ValidationError(.noSuchDay) }
        return answer
    }

    /// The options that a text means: by their numbers, each with `#` or without, or by the words of one.
    private func picked(_ text: String, in language: Language?) throws(ValidationError) -> Set<Int> {
        let control = control(in: language)
        let options = control.options
        let request = ValidationError(.noSuchOption, "\(options.count)").then(control.request)
        let named = options.firstIndex { $0.lowercased() == text.lowercased() }
        let words = text.split { $0 == " " || $0 == "," }
        let numbers = words.compactMap { Int($0.drop { $0 == "#" }) }.filter {
            options.indices.contains($0 - 1)
        }
        let isNumbers =
            numbers.count == words.count && !words.isEmpty && (control.takesSeveral || numbers.count == 1)
        switch (named, isNumbers) {
        case (let index?, false): return [index]
        case (let index?, true) where numbers != [index + 1]:
            throw ValidationError(.twoReadings, options[numbers[0] - 1], options[index])
        case (_, true): return Set(numbers.map { $0 - 1 })
        case (nil, false):
            guard control.isYesOrNo, let isYes = Wording(language).isYes(text) else { throw request }
            return [isYes ? 0 : 1]
        }
    }

    /// The answer that picking these options gives; `nil` where none is picked.
    private func answer(picking indices: Set<Int>) -> Answer? {
        guard let first = indices.min() else { return nil }
        switch self {
        case .choice(let choices): return .choice(choices[first].value)
        case .choices(let choices): return .choices(indices.sorted().map { choices[$0].value })
        case .boolean: return .boolean(first == 0)
        case .scale, .continuous, .number, .text, .date, .timeOfDay: return nil
        }
    }

    /// The options that an answer picks.
    func options(of answer: Answer) -> Set<Int> {
        switch (self, answer) {
        case (.choice(let choices), .choice(let value)):
            Set(choices.indices.filter { choices[$0].value == value })
        case (.choices(let choices), .choices(let values)):
            Set(choices.indices.filter { values.contains(choices[$0].value) })
        case (.boolean, .boolean(let isYes)): [isYes ? 0 : 1]
        case (_, _): []
        }
    }

    /// How a typed answer was understood; `nil` where that cannot be in doubt.
    func understood(_ answer: Answer) -> String? {
        switch (self, answer) {
        case (.number(let unit, _, _), .number(let number)): number.shown + (unit.map { " " + $0 } ?? "")
        case (.continuous(_, _, let decimals), .continuous(let number)): number.shown(decimals)
        case (.date, .date(let year, let month, let day)): CivilDate(year: year, month: month, day: day).text
        case (.timeOfDay, .timeOfDay): answer.words.joined()
        case (_, _): nil
        }
    }
}

extension Wording {
    /// Whether a letter or word means yes or no in this language or in English; `nil` where neither.
    func isYes(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "y", "yes", self(.yesLetter), self(.wordYes): true
        case "n", "no", self(.wordNo): false
        case _: nil
        }
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

    /// The text without a unit behind it.
    fileprivate func without(_ unit: String?) -> String {
        guard let unit, !unit.isEmpty, lowercased().hasSuffix(unit.lowercased()) else { return self }
        return String(dropLast(unit.count)).trimmed
    }
}

extension Double {
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
