/// Where a run goes besides "the next step".
public struct Navigation: Hashable, Sendable {
    /// The step is left out if any of these holds.
    public var skipIf: [Condition]
    /// Tested in order when the step has been left; the first that holds says where to go.
    public var goTo: [Jump]
    /// How often the step may be visited; needed if a jump leads back.
    public var maximumVisits: Int

    public init(skipIf: [Condition] = [], goTo: [Jump] = [], maximumVisits: Int = 1) {
        self.skipIf = skipIf
        self.goTo = goTo
        self.maximumVisits = maximumVisits
    }

    /// A rule that leads elsewhere.
    public struct Jump: Hashable, Sendable {
        /// When it holds; `nil` means always.
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

    /// Every condition of the rules.
    package var conditions: [Condition] { skipIf + goTo.compactMap(\.condition) }
}

extension Step {
    /// Every condition that is tested before, in or after the step: those of its rules, its end and its cues.
    package var conditions: [Navigation.Condition] {
        navigation.conditions + [active?.until?.condition].compactMap(\.self)
            + (active?.cues ?? []).compactMap(\.condition)
    }
}
