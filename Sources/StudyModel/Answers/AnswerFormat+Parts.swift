extension AnswerFormat {
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
        /// The file of the picture below the text, a PNG or a JPEG, relative to the study file, in normal form.
        public var image: String?
        /// Whether a participant who chooses it adds words of their own.
        public var isOther: Bool
        /// Whether it excludes all other choices.
        public var isExclusive: Bool
        /// Whether it says that there is no answer, such as -99 for "I do not know": it never counts as a number.
        public var isMissing: Bool

        public init(
            value: String, text: LocalizedText, isOther: Bool = false, isExclusive: Bool = false,
            isMissing: Bool = false
        ) {
            self.value = value
            self.text = text
            self.isOther = isOther
            self.isExclusive = isExclusive
            self.isMissing = isMissing
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

    /// The choices in the order in which they are shown.
    package var shownChoices: [Choice] { offer.map { $0.order.applied(to: $0.choices) } ?? [] }

    /// The values of the choices in the drawn order; `nil` if no order was drawn.
    var drawnChoices: [String]? {
        guard case .drawn? = offer?.order else { return nil }
        return shownChoices.map(\.value)
    }
}
