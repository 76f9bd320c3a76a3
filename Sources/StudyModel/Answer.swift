import TextFormat

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

extension Answer {
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

extension AnswerKind {
    /// What the rest of the program needs to know about a kind, in one place.
    package struct Traits: Sendable {
        /// Whether each answer is a number.
        package var isNumber = false
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
        case .scale, .boolean: Traits(isNumber: true, fitsGrid: true)
        case .continuous, .number: Traits(isNumber: true)
        // A number if all its values are numbers; a column if nothing has to be written.
        case .choice: Traits(fitsGrid: true)
        case .choices: Traits(fitsPrompt: false)
        case .text: Traits(isForOthers: false, isFreelyWritten: true, fitsPrompt: false)
        case .date, .timeOfDay, .consent: Traits(isForOthers: false, fitsPrompt: false)
        }
    }
}
