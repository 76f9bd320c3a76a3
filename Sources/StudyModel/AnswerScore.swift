/// A number that the program works out of answers, and that is an answer itself from then on.
public struct AnswerScore: Hashable, Sendable {
    /// The name under which rules and results know it, like that of a question.
    public var identifier: Identifier
    public var method: Method
    /// The questions that it is computed from; at least one.
    public var inputs: [Input]
    /// The step whose result holds it: the last one that asks one of its questions.
    public var step: Identifier
    /// How many answers may be missing.
    public var mostMissing: Int
    /// Whether a missing answer counts as the mean of the others.
    public var replacesMissing: Bool
    /// Names of ranges, from the lowest on.
    public var levels: [Level]

    public init(
        identifier: Identifier, method: Method, inputs: [Input], step: Identifier, mostMissing: Int = 0,
        replacesMissing: Bool = true, levels: [Level] = []
    ) {
        (self.identifier, self.method, self.inputs, self.step) = (identifier, method, inputs, step)
        (self.mostMissing, self.replacesMissing, self.levels) = (mostMissing, replacesMissing, levels)
    }

    /// How it is computed.
    public enum Method: String, Hashable, Sendable, CaseIterable {
        case sum, mean, minimum, maximum
        /// How many answers there are, or how many compare as they should.
        case count
    }

    /// A question, with what is done with its answer.
    public struct Input: Hashable, Sendable {
        public var question: Identifier
        /// What a reversed answer is taken from: the lowest and the highest possible one together.
        public var reversedFrom: Double?
        /// Which answers are counted; `nil` is any.
        public var counted: Test?
        /// Whether only those are counted that were right when they were given.
        public var isRightCounted = false

        public init(question: Identifier, reversedFrom: Double? = nil, counted: Test? = nil) {
            (self.question, self.reversedFrom, self.counted) = (question, reversedFrom, counted)
        }
    }

    /// A comparison.
    public struct Test: Hashable, Sendable {
        public var comparison: Navigation.Comparison
        public var value: Navigation.Value

        public init(comparison: Navigation.Comparison, value: Navigation.Value) {
            (self.comparison, self.value) = (comparison, value)
        }
    }

    /// A range of the score: from a number up to the next level.
    public struct Level: Hashable, Sendable {
        public var from: Double
        public var name: String

        public init(from: Double, name: String) { (self.from, self.name) = (from, name) }
    }

    /// The name under which rules and results know its level; `nil` if it has none.
    package var levelIdentifier: Identifier? {
        levels.isEmpty ? nil : Identifier("\(identifier).level")
    }
}

/// An answer as a score took it in.
public struct ScoredInput: Hashable, Sendable {
    public var question: Identifier
    /// The number that counted, reversed where it was to be; `nil` if there was no answer.
    public var value: Double?

    public init(question: Identifier, value: Double?) { (self.question, self.value) = (question, value) }
}

extension Answer {
    /// The answer as a score takes it: a choice by its value, where that is a number.
    package var number: Double? {
        if case .choice(let value, _) = self { return Double(value) }
        return switch compared {
        case .number(let value): value
        case .boolean(let value): value ? 1 : 0
        case .ordered, .anyOf, .nothing: nil
        }
    }
}
