import GRDB
import TextFormat

/// What was deleted for a participant.
package struct Erasure: Hashable, Sendable {
    /// Runs, recordings and series of readings.
    package var series: Int
    /// Readings, events and notes in them.
    package var records: Int
    /// Notes that belong to none of the participant's series, in which the code was replaced.
    package var notes: Int
}

extension Store {
    /// Deletes all series of a participant, with every trace of them in the database's files.
    ///
    /// A note says how many series were deleted, but not whose. It has the highest number, so that no record's
    /// number is used again. If the program is killed, a second call completes the deletion. A server may be
    /// running at the same time.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: if the disk fails, or if a reader keeps the log from being emptied.
    package func erase(participant: String, now: Double) throws(StoreFailure) -> Erasure {
        do {
            let erasure = try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA secure_delete = ON")
                var erasure = Erasure(series: 0, records: 0, notes: 0)
                try database.inTransaction(.immediate) {
                    erasure = try Self.erase(participant, now, in: database)
                    return .commit
                }
                return erasure
            }
            // Pages that were split or moved earlier may still contain bytes of the deleted records.
            try pool.vacuum()
            try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            return erasure
        } catch {
            throw StoreFailure("cannot delete everything of the participant, do it again: \(error)")
        }
    }

    private static func erase(_ participant: String, _ now: Double, in database: Database) throws -> Erasure {
        let own = "session IN (SELECT number FROM session WHERE participant = ?)"
        let series = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM session WHERE participant = ?", arguments: [participant])
        var erasure = Erasure(series: series ?? 0, records: 0, notes: 0)
        if erasure.series > 0 {
            let text = "A participant has withdrawn; series deleted: \(erasure.series)"
            try database.execute(
                sql: """
                    INSERT INTO record (session, kind, time, elapsed, received, content)
                    VALUES (NULL, 3, ?, 0, ?, ?)
                    """, arguments: [now, now, text])
            try database.execute(sql: "DELETE FROM record WHERE \(own)", arguments: [participant])
            erasure.records = database.changesCount
            try database.execute(sql: "DELETE FROM alarm WHERE \(own)", arguments: [participant])
            try database.execute(
                sql: "DELETE FROM delivery WHERE session IN (SELECT id FROM session WHERE participant = ?)",
                arguments: [participant])
            try database.execute(sql: "DELETE FROM session WHERE participant = ?", arguments: [participant])
        }
        erasure.notes = try replace(participant, in: database)
        return erasure
    }

    /// Replaces the code in the remaining notes, where it is a separate word.
    private static func replace(_ participant: String, in database: Database) throws -> Int {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT number, content FROM record WHERE kind IN (3, 4) AND instr(content, ?) > 0",
            arguments: [participant])
        var count = 0
        for row in rows {
            let content: String = row["content"]
            var changed = content
            for place in content.ranges(of: participant).reversed()
            where !isInWord(content[..<place.lowerBound].last)
                && !isInWord(content[place.upperBound...].first)
            {
                changed.replaceSubrange(place, with: "(withdrawn)")
            }
            guard changed != content else { continue }
            count += 1
            let number: Int64 = row["number"]
            try database.execute(
                sql: "UPDATE record SET content = ? WHERE number = ?", arguments: [changed, number])
        }
        return count
    }

    private static func isInWord(_ neighbour: Character?) -> Bool {
        neighbour.map { $0.isLetter || $0.isNumber } ?? false
    }
}
