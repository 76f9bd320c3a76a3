/// A question that is asked while a timed step goes on.
///
/// Its times are those of the step's clock, which stops during pauses.
public struct Prompt: Hashable, Sendable {
    /// What is asked.
    public var question: Question
    /// When it is asked first, after the step's start; above 0.
    public var first: Duration
    /// The time from one asking to the next, at least 1 s; `nil` asks once.
    public var every: Duration?
    /// How long it can be answered; `nil` until the next prompt is due, or until the step ends.
    public var timeLimit: Duration?

    public init(_ question: Question, first: Duration, every: Duration? = nil, timeLimit: Duration? = nil) {
        (self.question, self.first, self.every, self.timeLimit) = (question, first, every, timeLimit)
    }

    /// When it is asked for the `number`th time, from 1, as time since the step's start; `nil` if that never
    /// happens.
    package func time(of number: Int) -> Duration? {
        guard number > 1 else { return first }
        return every.map { first + $0 * (number - 1) }
    }
}

extension Step {
    /// What only a timed step has; `nil` if it is not one.
    package var active: ActiveStep? { if case .active(let active) = kind { active } else { nil } }
    /// Whether questions are asked while it goes on.
    package var hasPrompts: Bool { active?.prompts.isEmpty == false }
}

/// One asking of a prompt, answered or not.
public struct Asking: Hashable, Sendable {
    /// Number of this asking of the question within the visit, from 1.
    public var number: Int
    /// When it was due.
    public var planned: RunInstant
    /// When it was shown; `nil` if another question stood in its place until it was over.
    public var shown: RunInstant?
    /// When it was over.
    public var ended: RunInstant
    public var endedBy: End

    /// What ends an asking.
    public enum End: String, Hashable, Sendable, CaseIterable {
        /// The participant's answer, or the decision to leave out an optional question.
        case answer
        case timeLimit
        /// It had no time limit and another prompt was due, or its own question was due again.
        case nextPrompt
        case stepEnd
    }

    public init(
        number: Int, planned: RunInstant, shown: RunInstant?, ended: RunInstant, endedBy: End
    ) {
        (self.number, self.planned, self.shown) = (number, planned, shown)
        (self.ended, self.endedBy) = (ended, endedBy)
    }

    /// Whether it ended before an answer was sent.
    public var isTimedOut: Bool { endedBy != .answer }
}
