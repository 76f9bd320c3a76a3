import TextFormat

/// What an answer looks like.
public enum AnswerFormat: Hashable, Sendable {
    /// A whole number on a scale.
    case scale(Scale)
    /// A number on a scale.
    case continuous(Scale)
    /// One of several.
    case choice([Choice], order: ItemOrder = .fixed)
    /// Any number of several.
    case choices([Choice], order: ItemOrder = .fixed)
    /// Yes or no, in the study's words.
    case boolean(yes: LocalizedText, no: LocalizedText)
    case number(unit: String? = nil, minimum: Double? = nil, maximum: Double? = nil, isWhole: Bool = false)
    /// Words; `pattern` is a regular expression that the whole answer must match.
    case text(maximumLength: Int? = nil, pattern: String? = nil, hasSeveralLines: Bool = false)
    /// A calendar day; the limits are written like `1987-03-25`.
    case date(minimum: String? = nil, maximum: String? = nil)
    /// A time of day; the limits are written like `07:45`.
    case timeOfDay(minimum: String? = nil, maximum: String? = nil)
}

public enum Answer: Hashable, Sendable {
    /// On a `scale`.
    case scale(Int)
    /// On a `continuous` scale.
    case continuous(Double)
    /// The value chosen; `other` are the words of a choice that asks for words.
    case choice(String, other: String? = nil)
    /// The values chosen, in the study's order; `other` are the words of a choice that asks for words.
    case choices([String], other: String? = nil)
    /// Yes or no.
    case boolean(Bool)
    case number(Double)
    /// Words.
    case text(String)
    /// A day of the Gregorian calendar.
    case date(year: Int, month: Int, day: Int)
    /// Hour 0...23 and minute 0...59.
    case timeOfDay(hour: Int, minute: Int)
    /// Agreement to a consent document, with the typed name if the study asks for it.
    case consent(signature: String?)
    /// Refusal of a consent document.
    case declined
}

/// A kind of answer; the raw value names it in study files and in bundles.
public enum AnswerKind: String, Hashable, Sendable, CaseIterable {
    /// The kinds of `AnswerFormat`, in the order of the manual.
    case scale, continuous, choice, choices, boolean, number, text, date, timeOfDay
    /// Agreement to a document, which a step of its own asks for.
    case consent
}

extension AnswerKind {
    /// What the rest of the program needs to know about a kind, in one place.
    package struct Traits: Sendable {
        /// Whether others may see the answer during the run. They may not see what the participant writes.
        package var isForOthers = true
        /// Whether the participant writes words, which may hold anything.
        package var isFreelyWritten = false
        /// Whether it can be answered in a line or two while a step goes on.
        package var fitsPrompt = true
        /// Whether its answers can be the columns of a matrix.
        package var fitsGrid = false
    }

    package var traits: Traits {
        switch self {
        case .scale, .boolean: Traits(fitsGrid: true)
        case .continuous, .number: Traits()
        // A column if nothing has to be written.
        case .choice: Traits(fitsGrid: true)
        case .choices: Traits(fitsPrompt: false)
        case .text: Traits(isForOthers: false, isFreelyWritten: true, fitsPrompt: false)
        case .date, .timeOfDay, .consent: Traits(isForOthers: false, fitsPrompt: false)
        }
    }
}

extension AnswerFormat {
    public var kind: AnswerKind {
        switch self {
        case .scale: .scale
        case .continuous: .continuous
        case .choice: .choice
        case .choices: .choices
        case .boolean: .boolean
        case .number: .number
        case .text: .text
        case .date: .date
        case .timeOfDay: .timeOfDay
        }
    }

    /// Whether an answer fits this format. The pattern of a text is not checked here.
    package func accepts(_ answer: Answer) -> Bool {
        switch (self, answer) {
        case (.scale(let scale), .scale(let number)):
            scale.from <= Double(number) && Double(number) <= scale.to
        case (.continuous(let scale), .continuous(let number)): scale.from <= number && number <= scale.to
        case (.choice(let choices, _), .choice(let value, let other)):
            choices.first { $0.value == value }.map { $0.isOther ? other?.isEmpty == false : other == nil }
                ?? false
        case (.choices(let choices, _), .choices(let values, let other)):
            Self.accepts(values, other, of: choices)
        case (.boolean, .boolean): true
        case (.number(_, let minimum, let maximum, let isWhole), .number(let number)):
            number.isFinite && minimum.map { $0 <= number } ?? true && maximum.map { number <= $0 } ?? true
                && (!isWhole || number == number.rounded())
        case (.text(let maximumLength, _, let hasSeveralLines), .text(let text)):
            maximumLength.map { text.count <= $0 } ?? true
                && (hasSeveralLines || !text.contains { $0.isNewline })
        case (.date(let minimum, let maximum), .date(let year, let month, let day)):
            (1...9_999).contains(year) && CivilDate(year: year, month: month, day: day).isInCalendar
                && answer.isBetween(minimum, maximum)
        case (.timeOfDay(let minimum, let maximum), .timeOfDay(let hour, let minute)):
            (0...23).contains(hour) && (0...59).contains(minute) && answer.isBetween(minimum, maximum)
        case (.scale, _), (.continuous, _), (.choice, _), (.choices, _), (.boolean, _), (.number, _),
            (.text, _), (.date, _), (.timeOfDay, _):
            false
        }
    }

    private static func accepts(_ values: [String], _ other: String?, of choices: [Choice]) -> Bool {
        let chosen = choices.filter { values.contains($0.value) }
        return chosen.count == values.count && (values.count < 2 || !chosen.contains(where: \.isExclusive))
            && (chosen.contains(where: \.isOther) ? other?.isEmpty == false : other == nil)
    }
}

extension Answer {
    /// Whether a day or a time is within limits that are written in the same form.
    fileprivate func isBetween(_ minimum: String?, _ maximum: String?) -> Bool {
        guard case .ordered(let text) = compared else { return false }
        return minimum.map { $0 <= text } ?? true && maximum.map { text <= $0 } ?? true
    }
}

extension AnswerFormat {
    /// What its answers are, however they are asked for and written down.
    package enum Domain: Hashable, Sendable {
        /// Numbers. The limits are among them.
        case interval(from: Double?, to: Double?, isWhole: Bool)
        /// One of a few values.
        case oneOf([Choice])
        /// Any number of a few values.
        case severalOf([Choice])
        /// Texts whose order is that of what they mean. The limits are among them.
        case ordered(Ordered, from: String?, to: String?)
        /// Whatever the participant writes.
        case free

        /// What ordered texts mean.
        package enum Ordered: Hashable, Sendable {
            /// A calendar day, such as `1987-03-25`.
            case day
            /// A time of day, such as `07:45`.
            case time
        }
    }

    package var domain: Domain {
        switch self {
        case .scale(let scale): .interval(from: scale.from, to: scale.to, isWhole: true)
        case .continuous(let scale): .interval(from: scale.from, to: scale.to, isWhole: false)
        case .choice(let choices, _): .oneOf(choices)
        case .choices(let choices, _): .severalOf(choices)
        case .boolean(let yes, let no):
            .oneOf([Choice(value: "true", text: yes), Choice(value: "false", text: no)])
        case .number(_, let minimum, let maximum, let isWhole):
            .interval(from: minimum, to: maximum, isWhole: isWhole)
        case .text: .free
        case .date(let minimum, let maximum): .ordered(.day, from: minimum, to: maximum)
        case .timeOfDay(let minimum, let maximum): .ordered(.time, from: minimum, to: maximum)
        }
    }

    /// The unit of a number, if the study gives one.
    package var unit: String? { if case .number(let unit, _, _, _) = self { unit } else { nil } }

    /// The largest number of characters of words, if the study limits it.
    package var longest: Int? { if case .text(let longest, _, _) = self { longest } else { nil } }

    /// The regular expression that words must match, if there is one.
    package var pattern: String? { if case .text(_, let pattern, _) = self { pattern } else { nil } }

    /// Whether words may have several lines.
    package var hasSeveralLines: Bool { if case .text(_, _, let isSo) = self { isSo } else { false } }

    /// The scale on which the answer is given, if it is.
    package var scale: Scale? {
        if case .scale(let scale) = self { return scale }
        if case .continuous(let scale) = self { return scale }
        return nil
    }

    /// The values of choices that say that there is no answer.
    package var missingValues: [String] { offer?.choices.filter(\.isMissing).map(\.value) ?? [] }

    /// Whether each answer that counts is a number: one on a scale, yes as 1 and no as 0, or choices whose values are
    /// numbers.
    package var isNumeric: Bool {
        switch domain {
        case .interval: return true
        case .oneOf(let choices):
            let counted = choices.filter { !$0.isMissing }
            return kind == .boolean
                || !counted.isEmpty && counted.allSatisfy { Double($0.value)?.isFinite == true }
        case .severalOf, .ordered, .free: return false
        }
    }

    /// The answers as the levels of a factor; `nil` if they do not divide people into a few groups.
    package var levels: [String]? {
        if case .oneOf(let choices) = domain { choices.map(\.value) } else { nil }
    }

    /// What single values mean in the study's words: labels of a scale, choices, yes and no.
    package var meanings: [(value: Answer, text: LocalizedText)] {
        switch domain {
        case .interval:
            (scale?.labels ?? []).compactMap { label in answer(label.value).map { ($0, label.text) } }
        case .oneOf(let choices), .severalOf(let choices):
            choices.map { (kind == .boolean ? .boolean($0.value == "true") : .choice($0.value), $0.text) }
        case .ordered, .free: []
        }
    }

    /// The answer that a number stands for, whether or not it is within the limits; `nil` if no number can be one.
    private func answer(_ number: Double) -> Answer? {
        switch self {
        case .scale: .scale(Int(max(-1e15, min(1e15, number.rounded()))))
        case .continuous: .continuous(number)
        case .number: .number(number)
        case .choice, .choices, .boolean, .text, .date, .timeOfDay: nil
        }
    }

    /// The answer that a text of ordered answers stands for, such as `1987-03-25`; `nil` if it stands for none.
    package func answer(dated text: String) -> Answer? {
        switch self {
        case .date: CivilDate(text).map { .date(year: $0.year, month: $0.month, day: $0.day) }
        case .timeOfDay: Answer(timeOfDay: text)
        case .scale, .continuous, .choice, .choices, .boolean, .number, .text: nil
        }
    }

    /// The answer that values of conditions stand for.
    ///
    /// - Parameter words: the words for a choice that asks for words.
    /// - Returns: `nil` if values of this kind, or this many, are not an answer.
    package func answer(_ values: [Navigation.Value], inOtherWords words: String?) -> Answer? {
        if case .severalOf(let choices) = domain {
            // The choices in the study's order.
            let chosen = choices.filter { values.contains(.text($0.value)) }
            return .choices(chosen.map(\.value), other: chosen.contains(where: \.isOther) ? words : nil)
        }
        guard let value = values.first, values.count == 1 else { return nil }
        switch (domain, value) {
        case (.interval, .number(let number)): return answer(number)
        case (.oneOf, .boolean(let isYes)): return kind == .boolean ? .boolean(isYes) : nil
        case (.oneOf(let choices), .text(let text)):
            let isOther = choices.contains { $0.value == text && $0.isOther }
            return kind == .boolean ? nil : .choice(text, other: isOther ? words : nil)
        case (.ordered, .text(let text)): return answer(dated: text)
        case (.free, .text(let text)): return .text(text)
        case (.interval, _), (.oneOf, _), (.severalOf, _), (.ordered, _), (.free, _): return nil
        }
    }
}

extension Answer {
    /// Reads a time of day such as `07:45`; `nil` for everything else. Such times have the same order as their texts.
    package init?(timeOfDay text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [2, 2], text.utf8.allSatisfy({ (0x30...0x3A).contains($0) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        self = .timeOfDay(hour: hour, minute: minute)
    }

    public var kind: AnswerKind {
        switch self {
        case .scale: .scale
        case .continuous: .continuous
        case .choice: .choice
        case .choices: .choices
        case .boolean: .boolean
        case .number: .number
        case .text: .text
        case .date: .date
        case .timeOfDay: .timeOfDay
        case .consent, .declined: .consent
        }
    }

    /// The answer in words: one text, or one for each choice.
    package var words: [String] {
        switch self {
        case .scale(let value): ["\(value)"]
        case .continuous(let value), .number(let value): ["\(value)"]
        case .choice(let value, _), .text(let value): [value]
        case .choices(let values, _): values
        case .boolean(let value): [value ? "yes" : "no"]
        case .date(let year, let month, let day): ["\(year)-\(month)-\(day)"]
        case .timeOfDay(let hour, let minute): ["\(digits(hour, 2)):\(digits(minute, 2))"]
        case .consent: ["agreed"]
        case .declined: ["declined"]
        }
    }

    /// The words of a choice that asks for words.
    package var other: String? {
        if case .choice(_, let other) = self { return other }
        if case .choices(_, let other) = self { return other }
        return nil
    }

    /// The level of a factor that the answer chooses, one of its format's `levels`.
    package var level: String? {
        if case .boolean(let isYes) = self { return isYes ? "true" : "false" }
        if case .choice(let value, _) = self { return value }
        return nil
    }

    /// What conditions can compare about the answer.
    package var compared: Compared {
        switch self {
        case .scale(let value): .number(Double(value))
        case .continuous(let value), .number(let value): .number(value)
        case .choice(let value, _), .text(let value): .anyOf([value])
        case .choices(let values, _): .anyOf(values)
        case .boolean(let value): .boolean(value)
        case .date(let year, let month, let day):
            .ordered("\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))")
        case .timeOfDay(let hour, let minute): .ordered("\(digits(hour, 2)):\(digits(minute, 2))")
        case .consent, .declined: .nothing
        }
    }

    /// What conditions can compare about an answer.
    package enum Compared: Hashable, Sendable {
        case number(Double)
        case boolean(Bool)
        /// Text that is ordered by its meaning, such as a date.
        case ordered(String)
        /// Texts; the comparison asks whether one of them is equal.
        case anyOf([String])
        case nothing
    }
}
