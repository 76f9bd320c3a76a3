/// How participants are allocated to the arms of a study.
public struct Allocation: Hashable, Sendable {
    /// How each arm is drawn.
    public var method: Method
    /// The questions, and the levels of scores, by whose answers blocks or a list are stratified; or the factors of
    /// a minimisation.
    public var factors: [Identifier]
    /// Lower-case hexadecimal SHA-256 of the secret that all draws come from, followed by the list if there is one;
    /// `nil` until the study names it.
    public var commitment: String?
    /// Whether places of participants who did not complete are given again, in arms whose places are limited.
    public var refills = false
    /// The public chance that all draws come from beside the secret, in words that name its source and moment.
    public var publicChance: String?

    public init(_ method: Method, by factors: [Identifier] = [], commitment: String? = nil) {
        (self.method, self.factors, self.commitment) = (method, factors, commitment)
    }

    /// How each arm is drawn.
    public enum Method: Hashable, Sendable {
        /// Each arm by a draw of its own.
        case simple
        /// In blocks of these sizes. Each arm has its share of every block, and the size of each block is drawn. No sizes
        /// are those that the study hides: the ledger has them.
        case blocks([Int])
        /// So that the arms become alike in the factors (Pocock and Simon 1975).
        case minimisation(Minimisation)
        /// From a list that was made outside of the program.
        case list
    }

    /// Whether the ledger decides about arms by what the study does not say: a list, or hidden sizes of blocks.
    package var isSealed: Bool { method == .list || method == .blocks([]) }

    /// What a minimisation does.
    public struct Minimisation: Hashable, Sendable {
        /// The weight of each factor, in the order of the factors; at least 1.
        public var weights: [Int]
        /// Whether imbalance in a factor is measured by the variance of the arms' numbers, rather than by their
        /// range.
        public var usesVariance: Bool
        /// The probability of choosing the arm that leaves the least imbalance, 0...1.
        public var probability: Double
        /// How many participants are drawn simply before minimisation begins.
        public var burnIn: Int

        public init(weights: [Int], usesVariance: Bool = false, probability: Double, burnIn: Int = 0) {
            (self.weights, self.usesVariance) = (weights, usesVariance)
            (self.probability, self.burnIn) = (probability, burnIn)
        }
    }
}

extension Study.Task {
    /// Index, in the task's own list, of the step that allocates the arm; `nil` if there is none.
    package var allocationPlace: Int? { steps.firstIndex { $0.kind == .allocation } }
}
