import TextFormat

public struct Question: Hashable, Sendable {
    /// The question's name, unique in its form.
    public var identifier: Identifier
    /// The question itself.
    public var title: LocalizedText?
    /// More words below the question.
    public var text: LocalizedText?
    /// Whether it may be left unanswered.
    public var isOptional: Bool
    /// What an answer looks like.
    public var format: AnswerFormat

    public init(
        identifier: Identifier, title: LocalizedText? = nil, text: LocalizedText? = nil,
        isOptional: Bool = false,
        format: AnswerFormat
    ) {
        self.identifier = identifier
        self.title = title
        self.text = text
        self.isOptional = isOptional
        self.format = format
    }
}

/// What an answer looks like.
public enum AnswerFormat: Hashable, Sendable {
    /// A whole number on a scale.
    case scale(from: Int, to: Int, fromLabel: LocalizedText?, toLabel: LocalizedText?)
    /// A number on a scale with `decimals` (0...6) places.
    case continuous(from: Double, to: Double, decimals: Int)
    /// One of several.
    case choice([Choice])
    /// Any number of several.
    case choices([Choice])
    /// Yes or no, in the study's words.
    case boolean(yes: LocalizedText, no: LocalizedText)
    case number(unit: String?, minimum: Double?, maximum: Double?)
    /// Words; `pattern` is a regular expression that the whole answer must match.
    case text(maximumLength: Int?, pattern: String?)
    /// A calendar day.
    case date
    case timeOfDay

    /// One of the things to choose from.
    public struct Choice: Hashable, Sendable {
        public var value: String
        /// What the participant reads.
        public var text: LocalizedText

        public init(value: String, text: LocalizedText) {
            self.value = value
            self.text = text
        }
    }
}

public enum Answer: Hashable, Sendable {
    /// On a `scale`.
    case scale(Int)
    /// On a `continuous` scale.
    case continuous(Double)
    /// The value chosen.
    case choice(String)
    /// The values chosen, in the study's order.
    case choices([String])
    /// Yes or no.
    case boolean(Bool)
    case number(Double)
    /// Words.
    case text(String)
    /// A day of the Gregorian calendar.
    case date(year: Int, month: Int, day: Int)
    /// Hour 0...23 and minute 0...59.
    case timeOfDay(hour: Int, minute: Int)
    /// Agreement to a consent document, with the name where it was to be typed.
    case consent(signature: String?)
    /// Refusal of a consent document.
    case declined
}

/// A kind of answer; the raw value names it in study files and in bundles.
public enum AnswerKind: String, Hashable, Sendable, CaseIterable {
    /// Those of `AnswerFormat`, in the order in which the manual tells of them.
    case scale, continuous, choice, choices, boolean, number, text, date, timeOfDay
    /// Agreement to a document: a step of its own asks for it.
    case consent
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

    /// Whether an answer is of this format; a text's pattern is for whoever asks to check.
    package func accepts(_ answer: Answer) -> Bool {
        switch (self, answer) {
        case (.scale(let from, let to, _, _), .scale(let number)): from <= number && number <= to
        case (.continuous(let from, let to, _), .continuous(let number)): from <= number && number <= to
        case (.choice(let choices), .choice(let value)): choices.contains { $0.value == value }
        case (.choices(let choices), .choices(let values)):
            Set(values).count == values.count && Set(values).isSubset(of: choices.map(\.value))
        case (.boolean, .boolean): true
        case (.number(_, let minimum, let maximum), .number(let number)):
            number.isFinite && minimum.map { $0 <= number } ?? true && maximum.map { number <= $0 } ?? true
        case (.text(let maximumLength, _), .text(let text)): maximumLength.map { text.count <= $0 } ?? true
        case (.date, .date(let year, let month, let day)):
            (1...9_999).contains(year) && CivilDate(year: year, month: month, day: day).isInCalendar
        case (.timeOfDay, .timeOfDay(let hour, let minute)):
            (0...23).contains(hour) && (0...59).contains(minute)
        case (.scale, _), (.continuous, _), (.choice, _), (.choices, _), (.boolean, _), (.number, _),
            (.text, _), (.date, _), (.timeOfDay, _):
            false
        }
    }
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

    /// The answer in words: one, or as many as were chosen.
    package var words: [String] {
        switch self {
        case .scale(let value): ["\(value)"]
        case .continuous(let value), .number(let value): ["\(value)"]
        case .choice(let value), .text(let value): [value]
        case .choices(let values): values
        case .boolean(let value): [value ? "yes" : "no"]
        case .date(let year, let month, let day): ["\(year)-\(month)-\(day)"]
        case .timeOfDay(let hour, let minute): ["\(digits(hour, 2)):\(digits(minute, 2))"]
        case .consent: ["agreed"]
        case .declined: ["declined"]
        }
    }

    /// What conditions can compare.
    package var compared: Compared {
        switch self {
        case .scale(let value): .number(Double(value))
        case .continuous(let value), .number(let value): .number(value)
        case .choice(let value), .text(let value): .anyOf([value])
        case .choices(let values): .anyOf(values)
        case .boolean(let value): .boolean(value)
        case .date(let year, let month, let day):
            .ordered("\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))")
        case .timeOfDay(let hour, let minute): .ordered("\(digits(hour, 2)):\(digits(minute, 2))")
        case .consent, .declined: .nothing
        }
    }

    /// What conditions can compare of an answer.
    package enum Compared: Hashable, Sendable {
        case number(Double)
        case boolean(Bool)
        /// Text whose order is that of what it says.
        case ordered(String)
        /// Texts, of which one may be the same.
        case anyOf([String])
        case nothing
    }
}

extension AnswerKind {
    /// Whether others may see the answer during the run; what the participant writes is not for others.
    package var isForOthers: Bool {
        switch self {
        case .scale, .continuous, .choice, .choices, .boolean, .number: true
        case .text, .date, .timeOfDay, .consent: false
        }
    }
}
