import GRDB

/// What was deleted for a participant.
package struct Erasure: Hashable, Sendable {
    /// Runs, recordings and series of readings, and what was in them.
    package var extent: Extent
    /// Notes and traces of other deletions, which belong to none of the participant's series, in which the code was
    /// replaced.
    package var mentions: Int
}

extension Store {
    /// Deletes all series of a participant who has withdrawn, with every trace of them in the database's files.
    ///
    /// A trace says how much was deleted, but not whose. If the program is killed, a second call completes the
    /// deletion. A server may be running at the same time.
    ///
    /// - Parameters:
    ///   - bundles: their result bundles, which are not taken again.
    ///   - now: seconds since 1970.
    /// - Throws: if the disk fails, or if a reader keeps the log from being emptied.
    package func erase(
        participant: String, bundles: [Deletion.Bundle] = [], now: Double
    ) throws(StoreFailure) -> Erasure {
        var deletion = Deletion(of: .participant(participant), because: "a participant has withdrawn")
        deletion.isWithdrawal = true
        deletion.bundles = bundles
        do {
            let erasure = try pool.writeWithoutTransaction { database in
                var erasure = Erasure(extent: Extent(), mentions: 0)
                try database.inTransaction(.immediate) {
                    var transaction = Transaction(database: database, now: now)
                    switch try transaction.delete(deletion) {
                    case .success(let done): erasure = done
                    // There is nothing of the participant, but perhaps a note that names them.
                    case .failure: erasure.mentions = try transaction.replaceCode(of: deletion)
                    }
                    return .commit
                }
                return erasure
            }
            try rewrite()
            return erasure
        } catch {
            throw StoreFailure("cannot delete everything of the participant, do it again: \(error)")
        }
    }
}
