/// How participants are allocated to the arms of a study.
public struct Allocation: Hashable, Sendable {
    /// How each arm is drawn.
    public var method: Method
    /// The questions and levels of scores by whose answers blocks are kept apart, or the factors of a minimisation.
    public var factors: [Identifier]
    /// Lower-case hexadecimal SHA-256 of the secret of all draws; `nil` while the study names none.
    public var commitment: String?

    public init(_ method: Method, by factors: [Identifier] = [], commitment: String? = nil) {
        (self.method, self.factors, self.commitment) = (method, factors, commitment)
    }

    /// How each arm is drawn.
    public enum Method: Hashable, Sendable {
        /// Each by a draw of its own.
        case simple
        /// In blocks of these sizes, in which every arm has its share; the size of each block is drawn.
        case blocks([Int])
        /// So that the arms become alike in the factors (Pocock and Simon 1975).
        case minimisation(Minimisation)
    }

    /// What a minimisation does.
    public struct Minimisation: Hashable, Sendable {
        /// How much each factor counts, in their order; at least 1.
        public var weights: [Int]
        /// How far apart arms are in a factor: by the variance of their numbers, and not by the range.
        public var usesVariance: Bool
        /// How probable the arm is that leaves the least imbalance, 0...1.
        public var probability: Double
        /// How many participants are drawn simply before it begins.
        public var burnIn: Int

        public init(weights: [Int], usesVariance: Bool = false, probability: Double, burnIn: Int = 0) {
            (self.weights, self.usesVariance) = (weights, usesVariance)
            (self.probability, self.burnIn) = (probability, burnIn)
        }
    }
}

extension Study.Task {
    /// The place of the step in its own list that allocates the arm; `nil` if there is none.
    package var allocationPlace: Int? { steps.firstIndex { $0.kind == .allocation } }
}
