/// Why a ledger yields no arm, or cannot be read.
package struct LedgerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    package var description: String
    package var kind: Kind

    /// What went wrong.
    package enum Kind: Hashable, Sendable {
        /// The command asks for something that is not possible.
        case usage
        /// The ledger, its secret or its list was changed, does not belong to this study, or gives no arm any more.
        case damaged
        /// It does not exist, or lies where locks cannot be trusted.
        case unreachable
        /// Too much is asked for within a short time.
        case tooMany
        /// The disk failed.
        case disk
    }

    /// The secret of the ledger is public, so the next arms are known.
    package static let revealed = LedgerFailure(
        "the allocation was revealed: nobody can be allocated any more", .damaged)

    /// Every arm has as many participants as it can have.
    static let full = LedgerFailure(
        "all places of the arms are taken: nobody can be allocated any more", .damaged)

    /// - Parameter levels: the levels of the participants for whom a list has no slot left; empty if it has none for
    ///   anybody.
    static func usedUp(for levels: [String] = []) -> LedgerFailure {
        LedgerFailure(
            "the list of allocations is used up"
                + (levels.isEmpty ? "" : " for participants with \(AllocationList.words(for: levels))")
                + ": nobody \(levels.isEmpty ? "" : "else of them ")can be allocated any more", .damaged)
    }

    static func notAllocated(_ participant: String) -> LedgerFailure {
        LedgerFailure("participant '\(participant)' was not allocated", .usage)
    }

    package init(_ description: String, _ kind: Kind) { (self.description, self.kind) = (description, kind) }
}
