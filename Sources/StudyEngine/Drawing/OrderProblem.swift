/// Why no order that keeps the constraints could be drawn.
package enum OrderProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// No order keeps them all.
    case infeasible
    /// Counting the orders takes too long.
    case tooLarge

    package var description: String {
        switch self {
        case .infeasible: "no order of these items keeps every constraint"
        case .tooLarge:
            "the orders of these items cannot be counted in a few seconds, so none can be drawn uniformly; use fewer items, "
                + "repetitions or constraints"
        }
    }
}
