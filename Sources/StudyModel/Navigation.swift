/// Where a run goes besides "the next step".
public struct Navigation: Hashable, Sendable {
    /// The step is left out where any of these holds.
    public var skipIf: [Condition]
    /// Asked in order when the step was left; the first that holds says where to go.
    public var goTo: [Jump]
    /// How often the step may be visited; needed where a jump leads back.
    public var maximumVisits: Int

    public init(skipIf: [Condition] = [], goTo: [Jump] = [], maximumVisits: Int = 1) {
        self.skipIf = skipIf
        self.goTo = goTo
        self.maximumVisits = maximumVisits
    }

    /// A rule that leads elsewhere.
    public struct Jump: Hashable, Sendable {
        /// When it holds; `nil` is always.
        public var condition: Condition?
        /// Where it leads.
        public var target: Target

        public init(condition: Condition?, target: Target) {
            self.condition = condition
            self.target = target
        }
    }

    /// Where a jump leads.
    public enum Target: Hashable, Sendable {
        /// A step of the task's own list.
        case step(Identifier)
        case end
    }

    /// A comparison with something the run has seen.
    public struct Condition: Hashable, Sendable {
        public var subject: Subject
        /// How.
        public var comparison: Comparison
        /// With what.
        public var value: Value

        public init(subject: Subject, comparison: Comparison, value: Value) {
            self.subject = subject
            self.comparison = comparison
            self.value = value
        }
    }

    /// What a condition looks at.
    public enum Subject: Hashable, Sendable {
        /// The last answer to a question step, or to a form's question by its identifier.
        case answer(Identifier)
        /// The mean heart rate observed during the last visit of a step, beats per minute.
        case heartRate(during: Identifier)
        /// How loud the microphone was over the last visit of a step: root of the mean square, 0...1 of full scale.
        case soundLevel(during: Identifier)
    }

    /// Sage's comparison words.
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
