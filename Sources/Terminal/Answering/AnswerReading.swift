import Patterns
import SessionPorts
import StudyModel
import TextFormat

/// What is wrong with an answer, and what to do.
struct ValidationError: Error, Hashable, Sendable {
    private var sentences: [Sentence]

    private struct Sentence: Hashable, Sendable {
        var phrase: Phrase
        var arguments: [String]
    }

    init(_ phrase: Phrase, _ arguments: String...) {
        sentences = [Sentence(phrase: phrase, arguments: arguments)]
    }

    /// The first of its sentences, which says what is wrong.
    var phrase: Phrase { sentences[0].phrase }
    var arguments: [String] { sentences[0].arguments }

    /// The error followed by the words of another one.
    func then(_ other: ValidationError) -> ValidationError {
        var both = self
        both.sentences += other.sentences
        return both
    }

    /// The error followed by the limits of a day or a time.
    func then(limits minimum: String?, _ maximum: String?) -> ValidationError {
        switch (minimum, maximum) {
        case (nil, nil): self
        case (let first?, nil): then(ValidationError(.notBefore, first))
        case (nil, let last?): then(ValidationError(.notAfter, last))
        case (let first?, let last?): then(ValidationError(.fromTo, first, last))
        }
    }

    /// The sentences, each with its full stop; what stands in brackets belongs to the sentence before.
    func text(in wording: Wording) -> String {
        sentences.reduce("") { text, sentence in
            let words = wording(sentence.phrase, sentence.arguments)
            if sentence.phrase == .asItStands { return words }
            let before = words.hasPrefix("(") && text.hasSuffix(".") ? String(text.dropLast()) : text
            let stop = words.last.map { $0.isPunctuation && $0 != ")" } == true ? "" : "."
            return before + (before.isEmpty ? "" : " ") + words + stop
        }
    }
}

// The only code that reads what people type, for the screen and for lines.
extension AnswerFormat {
    /// The answer that a typed text stands for.
    ///
    /// - Returns: `nil` if nothing was written.
    func read(_ typed: String, in language: Language?) throws(ValidationError) -> Answer? {
        let text = typed.trimmed
        guard !text.isEmpty else { return nil }
        let notation = Notation(language)
        switch self {
        case .scale(let scale):
            let number = try number(in: text, notation)
            guard scale.from <= number, number <= scale.to else { throw range(notation) }
            guard number == number.rounded() else {
                throw ValidationError(.wholeNumber).then(range(notation))
            }
            return .scale(Int(number))
        case .continuous(let scale):
            let number = try number(in: text, notation)
            guard scale.from <= number, number <= scale.to else { throw range(notation) }
            guard number.rounded(to: scale.decimals) == number else {
                throw scale.decimals > 0
                    ? ValidationError(.fewerDecimals, "\(scale.decimals)") : ValidationError(.wholeNumber)
            }
            return .continuous(number)
        case .number(let unit, _, _, let isWhole):
            let number = try number(in: Notation.withoutUnit(text, unit), notation)
            guard accepts(.number(isWhole ? number.rounded() : number)) else { throw range(notation) }
            guard accepts(.number(number)) else { throw ValidationError(.wholeNumber).then(range(notation)) }
            return .number(number)
        case .text(let maximumLength, let pattern, _):
            if let maximumLength, text.count > maximumLength {
                throw ValidationError(.tooLong, "\(maximumLength)", "\(text.count)")
            }
            if let pattern, !Pattern.matches(pattern, text) { throw ValidationError(.otherForm) }
            return .text(text)
        case .date(let minimum, let maximum):
            let answer = try day(in: text, notation)
            // A year of another calendar, or with a digit too few, is no day of somebody who takes part.
            let (first, last) = (minimum ?? "1850-01-01", maximum ?? "2149-12-31")
            guard accepts(answer), AnswerFormat.date(minimum: first, maximum: last).accepts(answer) else {
                throw ValidationError(.outsideLimits).then(
                    limits: notation.words(first), notation.words(last))
            }
            return answer
        case .timeOfDay(let minimum, let maximum):
            guard let (hour, minute) = notation.time(in: text) else {
                throw ValidationError(.notATime).then(ValidationError(.timeForm))
            }
            let answer = Answer.timeOfDay(hour: hour, minute: minute)
            guard accepts(answer) else {
                throw ValidationError(.outsideLimits).then(limits: minimum, maximum)
            }
            return answer
        case .choice, .choices, .boolean:
            let control = control(in: language)
            return try answer(to: Picks(text, control, language), control)
        }
    }

    /// The allowed range of a number.
    func range(_ notation: Notation) -> ValidationError {
        let words = { (number: Double) in notation.words(number) }

        guard case .interval(let minimum, let maximum, let isWhole) = domain else {
            return ValidationError(.writeNumber)
        }
        if let scale {
            return ValidationError(
                .numberBetween, notation.words(scale.from, scale.decimals),
                notation.words(scale.to, scale.decimals))
        }
        let limits =
            switch (minimum, maximum) {
            case (let low?, let high?): ValidationError(.numberBetween, words(low), words(high))
            case (let low?, nil): ValidationError(.numberAtLeast, words(low))
            case (nil, let high?): ValidationError(.numberAtMost, words(high))
            case (nil, nil): ValidationError(isWhole ? .writeWholeNumber : .writeNumber)
            }
        return isWhole && (minimum != nil || maximum != nil)
            ? limits.then(ValidationError(.wholeNumber)) : limits
    }

    private func number(in text: String, _ notation: Notation) throws(ValidationError) -> Double {
        let numbers = notation.numbers(in: text)
        guard numbers.count < 2 else {
            throw ValidationError(.twoReadings, notation.words(numbers[0]), notation.words(numbers[1]))
        }
        guard let number = numbers.first else { throw ValidationError(.notANumber).then(range(notation)) }
        return number
    }

    private func day(in text: String, _ notation: Notation) throws(ValidationError) -> Answer {
        guard let days = notation.days(in: text), let day = days.first else {
            throw ValidationError(.notADay).then(ValidationError(.dateForm))
        }
        guard days.count == 1 else {
            throw ValidationError(.twoReadings, notation.words(days[0]), notation.words(days[1]))
        }
        guard day.isInCalendar, day.year > 0 else { throw ValidationError(.noSuchDay) }
        return .date(year: day.year, month: day.month, day: day.day)
    }

    /// The answer for the chosen options; `nil` if none is chosen.
    func answer(to picks: Picks, _ control: AnswerControl) throws(ValidationError) -> Answer? {
        guard let first = picks.options.min() else { return nil }
        if let other = control.other, picks.options.contains(other), picks.words == nil {
            throw ValidationError(.pleaseSayWhat, control.options[other])
        }
        if picks.options.count > 1, let alone = picks.options.first(where: control.exclusive.contains) {
            throw ValidationError(.onlyAlone, control.options[alone])
        }
        let shown = shownChoices
        if case .choice = self { return .choice(shown[first].value, other: picks.words) }
        if case .choices(let choices, _) = self {
            let values = Set(picks.options.map { shown[$0].value })
            return .choices(choices.map(\.value).filter(values.contains), other: picks.words)
        }
        if case .boolean = self { return .boolean(first == 0) }
        return nil
    }

    /// How a typed answer was understood; `nil` if there can be no doubt.
    func understood(_ answer: Answer, _ notation: Notation) -> String? {
        switch (self, answer) {
        case (.number(let unit, _, _, _), .number(let number)):
            notation.words(number) + (unit.map { " " + $0 } ?? "")
        case (.continuous(let scale), .continuous(let number)): notation.words(number, scale.decimals)
        case (.date, .date(let year, let month, let day)):
            notation.words(CivilDate(year: year, month: month, day: day))
        case (.timeOfDay, .timeOfDay): answer.words.joined()
        case (_, _): nil
        }
    }
}

extension Wording {
    /// Whether a letter or word means yes or no in this language or in English; `nil` if neither.
    func isYes(_ text: String) -> Bool? {
        let isOne = { (words: String...) in words.contains { Notation.folded($0) == Notation.folded(text) } }
        if isOne("y", "yes", self(.yesLetter), self(.wordYes)) { return true }
        return isOne("n", "no", self(.wordNo)) ? false : nil
    }
}

extension StringProtocol {
    /// The text without spaces before and after.
    package var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

extension Double {
    func rounded(to decimals: Int) -> Double {
        let scale = Self.powerOfTen(decimals)
        let scaled = (self * scale).rounded()
        return scaled.magnitude < 1e15 ? scaled / scale : self
    }

    /// The number with exactly this many decimals.
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
    var shown: String { plainNumber(self) }

    static func powerOfTen(_ exponent: Int) -> Double {
        (0..<min(6, max(0, exponent))).reduce(1) { power, _ in power * 10 }
    }
}
