/// A number that the program works out from answers. From then on it is an answer itself.
public struct AnswerScore: Hashable, Sendable {
    /// The name that rules and results use for it, like that of a question.
    public var identifier: Identifier
    public var method: Method
    /// The questions that it is worked out from; at least one.
    public var inputs: [Input]
    /// The step whose result holds it: the last one that asks one of its questions.
    public var step: Identifier
    /// How many answers may be missing.
    public var mostMissing: Int
    /// Whether a missing answer counts as the mean of the others.
    public var replacesMissing: Bool
    /// Names of ranges, from the lowest on.
    public var levels: [Level]
    /// The reversals of a staircase whose mean it is; `nil` for every other score.
    public var reversals: Reversals?

    public init(
        identifier: Identifier, method: Method, inputs: [Input], step: Identifier, mostMissing: Int = 0,
        replacesMissing: Bool = true, levels: [Level] = []
    ) {
        (self.identifier, self.method, self.inputs, self.step) = (identifier, method, inputs, step)
        (self.mostMissing, self.replacesMissing, self.levels) = (mostMissing, replacesMissing, levels)
    }

    /// How it is worked out.
    public enum Method: String, Hashable, Sendable, CaseIterable {
        case sum, mean, minimum, maximum
        /// How many answers there are, or how many pass their test.
        case count
        /// From the first of two times of day to the second, which is on the next day if it is not later, in minutes.
        case minutes
        /// How many trials with a signal were answered so, and how many were not.
        case hits, misses
        /// How many trials without a signal were answered as if there were one, and how many were not.
        case falseAlarms, correctRejections
        /// How well trials with and without a signal are told apart, and how much it takes to answer that there is one;
        /// both in standard deviations of the noise.
        case dPrime, criterion

        /// Whether it is worked out from trials with and without a signal.
        package var detects: Bool {
            switch self {
            case .sum, .mean, .minimum, .maximum, .count, .minutes: false
            case .hits, .misses, .falseAlarms, .correctRejections, .dPrime, .criterion: true
            }
        }
    }

    /// A question, and how its answer counts.
    public struct Input: Hashable, Sendable {
        public var question: Identifier
        /// What a reversed answer is subtracted from: the sum of the lowest and the highest possible answer.
        public var reversedFrom: Double?
        /// Which answers are counted; `nil` counts all. Where a signal is detected, the answer that says so; with `nil`
        /// there is one wherever a key is right, and no key is right without one.
        public var counted: Test?
        /// Whether only answers that were right when they were given are counted.
        public var isRightCounted = false
        /// Values of choices that say that there is no answer.
        public var missing: [String] = []

        public init(question: Identifier, reversedFrom: Double? = nil, counted: Test? = nil) {
            (self.question, self.reversedFrom, self.counted) = (question, reversedFrom, counted)
        }
    }

    /// The last reversals of a staircase.
    public struct Reversals: Hashable, Sendable {
        /// The block that is the staircase.
        public var block: Identifier
        /// How many of each track; an even number.
        public var last: Int
        /// The track; `nil` for all of them.
        public var track: Identifier?

        public init(of block: Identifier, last: Int, track: Identifier? = nil) {
            (self.block, self.last, self.track) = (block, last, track)
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

    /// A range of the score, from a number up to the next level.
    public struct Level: Hashable, Sendable {
        public var from: Double
        public var name: String

        public init(from: Double, name: String) { (self.from, self.name) = (from, name) }
    }

    /// The score and its level, in the form of questions that nobody is asked.
    package var values: [Question] {
        let levels = AnswerFormat.choice(levels.map { .init(value: $0.name, text: .plain($0.name)) })
        return [Question(identifier: identifier, isOptional: true, format: .number())]
            + (levelIdentifier.map { [Question(identifier: $0, isOptional: true, format: levels)] } ?? [])
    }

    /// The name that rules and results use for its level; `nil` if it has none.
    package var levelIdentifier: Identifier? {
        levels.isEmpty ? nil : Identifier("\(identifier).level")
    }
}

/// An answer as it went into a score.
public struct ScoredInput: Hashable, Sendable {
    public var question: Identifier
    /// The number that counted, after reversing; `nil` if there was no answer.
    public var value: Double?

    public init(question: Identifier, value: Double?) { (self.question, self.value) = (question, value) }
}

extension Answer {
    /// Minutes since midnight, if it is a time of the day.
    package var minuteOfDay: Double? {
        if case .timeOfDay(let hour, let minute) = self { Double(60 * hour + minute) } else { nil }
    }

    /// The answer as a number for scores; a choice by its value, if that is a number.
    package var number: Double? {
        if case .choice(let value, _) = self { return Double(value) }
        return switch compared {
        case .number(let value): value
        case .boolean(let value): value ? 1 : 0
        case .ordered, .anyOf, .nothing: nil
        }
    }
}
