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

    /// A scale to answer on.
    public struct Scale: Hashable, Sendable {
        public var from: Double
        public var to: Double
        /// How many decimals a number has, 0...6; 0 for whole numbers.
        public var decimals: Int
        /// What values mean, from the lowest on.
        public var labels: [Label]
        /// Where the first arrow key puts the mark; `nil` is the end from which the arrow comes.
        public var start: Double?
        /// Whether the participant sees the numbers; a scale without them is a visual analogue scale.
        public var areNumbersShown: Bool

        public init(
            from: Double, to: Double, decimals: Int, labels: [Label] = [], start: Double? = nil,
            areNumbersShown: Bool = true
        ) {
            self.from = from
            self.to = to
            self.decimals = decimals
            self.labels = labels
            self.start = start
            self.areNumbersShown = areNumbersShown
        }

        /// The scale's whole numbers, none further from 0 than 10¹⁵.
        package var wholeNumbers: ClosedRange<Int> {
            let whole = { (number: Double) in Int(max(-1e15, min(1e15, number.rounded()))) }
            return whole(from)...max(whole(from), whole(to))
        }

        /// What one value means.
        public struct Label: Hashable, Sendable {
            public var value: Double
            public var text: LocalizedText

            public init(value: Double, text: LocalizedText) {
                self.value = value
                self.text = text
            }
        }
    }

    /// One of the things to choose from.
    public struct Choice: Hashable, Sendable {
        public var value: String
        /// What the participant reads.
        public var text: LocalizedText
        /// Whether a participant who chooses it adds words of their own.
        public var isOther: Bool
        /// Whether it excludes all other choices.
        public var isExclusive: Bool

        public init(value: String, text: LocalizedText, isOther: Bool = false, isExclusive: Bool = false) {
            self.value = value
            self.text = text
            self.isOther = isOther
            self.isExclusive = isExclusive
        }
    }
}

extension AnswerFormat {
    /// A scale of whole numbers, with what its ends mean.
    public static func scale(
        from: Int, to: Int, fromLabel: LocalizedText? = nil, toLabel: LocalizedText? = nil
    ) -> AnswerFormat {
        let labels = [(from, fromLabel), (to, toLabel)].compactMap { value, text in
            text.map { Scale.Label(value: Double(value), text: $0) }
        }
        return .scale(Scale(from: Double(from), to: Double(to), decimals: 0, labels: labels))
    }

    /// A scale of numbers with this many decimals.
    public static func continuous(from: Double, to: Double, decimals: Int) -> AnswerFormat {
        .continuous(Scale(from: from, to: to, decimals: decimals))
    }

    /// What participants choose from, in the study's order, and the order in which it is shown; `nil` if the answer
    /// is not a choice.
    package var offer: (choices: [Choice], order: ItemOrder)? {
        if case .choice(let choices, let order) = self { return (choices, order) }
        if case .choices(let choices, let order) = self { return (choices, order) }
        return nil
    }

    /// The same format with these choices in this order; unchanged if it has no choices.
    package func offering(_ choices: [Choice], order: ItemOrder) -> AnswerFormat {
        if case .choice = self { return .choice(choices, order: order) }
        if case .choices = self { return .choices(choices, order: order) }
        return self
    }

    /// What single values mean in the study's words: labels of a scale, choices, yes and no.
    package var meanings: [(value: Answer, text: LocalizedText)] {
        if case .scale(let scale) = self {
            return scale.labels.map { (.scale(Int(max(-1e15, min(1e15, $0.value.rounded())))), $0.text) }
        }
        if case .continuous(let scale) = self { return scale.labels.map { (.continuous($0.value), $0.text) } }
        if case .boolean(let yes, let no) = self { return [(.boolean(true), yes), (.boolean(false), no)] }
        return offer?.choices.map { (.choice($0.value), $0.text) } ?? []
    }

    /// The answers as the levels of a factor; `nil` if they do not divide people into a few groups.
    package var levels: [String]? {
        if case .boolean = self { return ["true", "false"] }
        if case .choice(let choices, _) = self { return choices.map(\.value) }
        return nil
    }

    /// The choices in the order in which they are shown.
    package var shownChoices: [Choice] { offer.map { $0.order.applied(to: $0.choices) } ?? [] }

    /// The values of the choices in the drawn order; `nil` if no order was drawn.
    var drawnChoices: [String]? {
        guard case .drawn? = offer?.order else { return nil }
        return shownChoices.map(\.value)
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
