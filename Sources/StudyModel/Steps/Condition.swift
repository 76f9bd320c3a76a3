extension Navigation {
    /// What a rule tests: a comparison with something that the run has seen, or several conditions together.
    ///
    /// A comparison with something that was never seen is neither true nor false, and a condition that depends on
    /// it does not hold.
    public indirect enum Condition: Hashable, Sendable {
        case compare(Subject, Comparison, Value)
        /// Whether the question was answered when it was last asked, and not left out.
        case isAnswered(Identifier)
        /// Whether all of them hold.
        case all([Condition])
        /// Whether at least one of them holds.
        case any([Condition])
        case not(Condition)

        public init(subject: Subject, comparison: Comparison, value: Value) {
            self = .compare(subject, comparison, value)
        }

        /// Everything that it looks at, at any depth.
        package var subjects: [Subject] {
            switch self {
            case .compare(let subject, _, _): [subject]
            case .isAnswered(let question): [.answer(question)]
            case .all(let conditions), .any(let conditions): conditions.flatMap(\.subjects)
            case .not(let condition): condition.subjects
            }
        }
    }

    /// What a condition looks at.
    public enum Subject: Hashable, Sendable {
        /// The last answer to a question step, or to a form's question by its identifier.
        case answer(Identifier)
        /// Whether the time for answering ended before an answer was sent, when the question was last asked.
        case timedOut(Identifier)
        /// A mean of the observed heart rates, beats per minute, or their variability, ms; or its difference from
        /// another one.
        case heartRate(HeartRate)
        /// How loud the microphone was during the last visit of a step: root mean square, 0...1 of full scale.
        case soundLevel(during: Identifier)
        /// The clip that a step last played, or that the current round of a block is for.
        ///
        /// - Parameter attribute: a key of its catalogue entry; `nil` is the clip's own identifier.
        case clip(of: Identifier, attribute: String?)
        /// The number of the session, from 1.
        case session
        /// The round of the block around the step, from 1.
        case round
        /// The name of the participant's arm.
        case arm
    }

    /// Which heart rate, or which variability of it, a condition looks at.
    public struct HeartRate: Hashable, Sendable {
        public var span: Span
        /// How the variability is measured; `nil` for the mean rate.
        public var variability: Biofeedback.Measure?
        /// What it is compared with first, if anything.
        public var baseline: Baseline?

        public init(
            _ span: Span, variability: Biofeedback.Measure? = nil, relativeTo baseline: Baseline? = nil
        ) {
            (self.span, self.variability, self.baseline) = (span, variability, baseline)
        }

        /// Over which time it is taken.
        public enum Span: Hashable, Sendable {
            /// The last visit of a step.
            case during(Identifier)
            /// Over this time before the rule is tested.
            case last(Duration)
        }

        /// What the difference is taken from.
        public struct Baseline: Hashable, Sendable {
            /// The step whose last visit has the other value.
            public var step: Identifier
            /// Whether the difference is in percent of that value, rather than in its unit.
            public var isShare: Bool

            public init(step: Identifier, isShare: Bool) {
                self.step = step
                self.isShare = isShare
            }
        }
    }

    /// Comparison words, as in the formats of Sage Bionetworks.
    public enum Comparison: String, Hashable, Sendable, CaseIterable {
        /// Equal.
        case eq
        /// Not equal.
        case ne
        /// Less than.
        case lt
        /// Greater than.
        case gt
        /// Less than or equal.
        case le
        /// Greater than or equal.
        case ge

        /// Whether the comparison is true of two values.
        package func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
            switch self {
            case .eq: left == right
            case .ne: left != right
            case .lt: left < right
            case .gt: left > right
            case .le: left <= right
            case .ge: left >= right
            }
        }
    }

    /// What a condition compares with.
    public enum Value: Hashable, Sendable {
        case number(Double)
        /// A text, or a choice's value.
        case text(String)
        /// Yes or no.
        case boolean(Bool)
    }
}
