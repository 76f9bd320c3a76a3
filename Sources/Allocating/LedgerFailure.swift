/// Why a ledger yields no arm, or cannot be read.
package struct LedgerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    package var description: String
    package var kind: Kind

    /// What went wrong.
    package enum Kind: Hashable, Sendable {
        /// The command asks for something that is not possible.
        case usage
        /// The ledger or its secret was changed, or does not belong to this study.
        case damaged
        /// It does not exist, or lies where locks cannot be trusted.
        case unreachable
        /// The disk failed.
        case disk
    }

    init(_ description: String, _ kind: Kind) { (self.description, self.kind) = (description, kind) }
}
