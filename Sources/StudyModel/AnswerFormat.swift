/// One question of a form.
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

    /// A question.
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
    /// A number.
    case number(unit: String?, minimum: Double?, maximum: Double?)
    /// Words; `pattern` is a regular expression that the whole answer must match.
    case text(maximumLength: Int?, pattern: String?)
    /// A calendar day.
    case date
    /// A time of the day.
    case timeOfDay

    /// One of the things to choose from.
    public struct Choice: Hashable, Sendable {
        /// What the result bears.
        public var value: String
        /// What the participant reads.
        public var text: LocalizedText

        /// A choice.
        public init(value: String, text: LocalizedText) {
            self.value = value
            self.text = text
        }
    }
}

/// What a participant answered.
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
    /// A number.
    case number(Double)
    /// Words.
    case text(String)
    /// A day of the Gregorian calendar.
    case date(year: Int, month: Int, day: Int)
    /// Hour 0...23 and minute 0...59.
    case timeOfDay(hour: Int, minute: Int)
    /// Agreement to a consent document, with the name where it was to be typed.
    case consent(signature: String?)
}
