/// Why a ledger gives no arm, or cannot be read.
package struct LedgerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    package var description: String
    package var kind: Kind

    /// What went wrong.
    package enum Kind: Hashable, Sendable {
        /// The command asks for what cannot be done.
        case usage
        /// The ledger or its secret is not what it was, or is not of this study.
        case damaged
        /// It is not there, or lies where locks cannot be trusted.
        case unreachable
        /// The disk failed.
        case disk
    }

    init(_ description: String, _ kind: Kind) { (self.description, self.kind) = (description, kind) }
}
