/// Why no order could be drawn that keeps the constraints.
package enum OrderProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// No order keeps them all.
    case infeasible
    /// There are more orders than 64 bits can number, or counting them takes too long.
    case tooLarge

    package var description: String {
        switch self {
        case .infeasible: "no order of these items keeps every constraint"
        case .tooLarge:
            "there are too many orders of these items to draw one of them uniformly; use fewer items or repetitions"
        }
    }
}
