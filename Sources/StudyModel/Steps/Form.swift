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
    /// What the participant reads if an answer is refused; `nil` for the program's own words.
    public var invalidMessage: LocalizedText?

    public init(
        identifier: Identifier, title: LocalizedText? = nil, text: LocalizedText? = nil,
        isOptional: Bool = false, format: AnswerFormat, invalidMessage: LocalizedText? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.text = text
        self.isOptional = isOptional
        self.format = format
        self.invalidMessage = invalidMessage
    }
}

/// Several questions shown together.
public struct Form: Hashable, Sendable {
    /// The questions in the study's order, which is that of the results.
    public var questions: [Question]
    /// The order in which they are shown.
    public var order: ItemOrder
    /// Whether all questions have the same format. It is shown once above them if a grid fits on the screen.
    public var isMatrix: Bool
    /// Whether all answers are shown once more before they are sent.
    public var isReviewed: Bool

    public init(
        _ questions: [Question], order: ItemOrder = .fixed, isMatrix: Bool = false, isReviewed: Bool = false
    ) {
        self.questions = questions
        self.order = order
        self.isMatrix = isMatrix
        self.isReviewed = isReviewed
    }

    /// The questions in the order in which they are shown.
    package var shown: [Question] { order.applied(to: questions) }
}

/// The order in which things are shown to a participant.
public enum ItemOrder: Hashable, Sendable {
    /// The study's order.
    case fixed
    /// Any order, drawn for each participant.
    case shuffle
    /// The study's order or its reverse, drawn for each participant.
    case reverse
    /// The order that a plan has drawn, as places in the study's order.
    case drawn([Int])

    /// The things in this order; in the study's order if none has been drawn.
    func applied<Thing>(to things: [Thing]) -> [Thing] {
        switch self {
        case .fixed, .shuffle, .reverse: things
        case .drawn(let places): places.map { things[$0] }
        }
    }
}

/// The drawn orders of what a step shows.
public struct ShownOrders: Hashable, Sendable {
    /// The questions of a form; `nil` if their order is not drawn.
    public var items: [Identifier]?
    /// The values of the choices, by question.
    public var choices: [Identifier: [String]] = [:]

    /// No drawn orders.
    public init() {}

    /// Whether no order was drawn.
    package var isEmpty: Bool { items == nil && choices.isEmpty }
}

extension Study.Task {
    /// The format of a question, or of an answer of an earlier session; `nil` for scores.
    package func format(of question: Identifier) -> AnswerFormat? {
        for step in allSteps {
            if let asked = step.questions.first(where: { $0.identifier == question }) { return asked.format }
        }
        return recalled.first { $0.identifier == question }?.format
    }
}
