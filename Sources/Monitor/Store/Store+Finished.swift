import GRDB
import MonitorInterface
import Synchronization
import TextFormat

extension Store {
    /// How many finished sessions one answer lists.
    static let finishedPage = 100

    /// Sessions that do not go on any more, those that began last first, with how they ended and how good they are.
    ///
    /// - Parameters:
    ///   - before: only those that began before it, seconds since 1970.
    ///   - now: seconds since 1970.
    func finished(before: Double?, now: Double) async throws -> JSON {
        try await pool.read { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT session.number, id, session.kind, started, ended, outcome, contact,
                            json_remove(description, '$.steps') AS description,
                            (SELECT max(number) FROM record WHERE session = session.number) AS last,
                            (SELECT received FROM record WHERE session = session.number
                             ORDER BY number DESC LIMIT 1) AS heard
                        FROM session WHERE started < ? ORDER BY started DESC LIMIT \(Self.finishedPage + 200)
                        """), arguments: [before ?? .greatestFiniteMagnitude])
            var sessions: [JSON] = []
            var more = false
            for row in rows {
                guard var object = Self.session(row, now: now),
                    object["state"] != .text(Condition.running.rawValue)
                else { continue }
                guard sessions.count < Self.finishedPage else {
                    more = true
                    break
                }
                let received = try finishedExtents.received(
                    of: row["number"], last: row["last"] ?? 0, in: database)
                object["received"] = received
                object["quality"] = try Self.quality(of: row["number"], in: database)
                sessions.append(.object(object))
            }
            return ["sessions": .list(sessions), "more": .boolean(more)]
        }
    }

    /// What a run said of its own quality when it was sealed.
    private static func quality(of session: Int64, in database: Database) throws -> JSON? {
        try String.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT content FROM record WHERE session = ? AND sequence IS NOT NULL AND name = 'quality'
                    ORDER BY sequence DESC LIMIT 1
                    """), arguments: [session]
        ).flatMap { JSON(stored: $0)?["quality"] }
    }
}

/// What came of finished sessions, which is worked out once: `{readings, gaps, gapSeconds, from, to}`.
final class FinishedExtents: Sendable {
    private let known = Mutex<[Int64: (last: Int64, json: JSON)]>([:])

    /// - Parameter last: the number of the session's last record.
    func received(of session: Int64, last: Int64, in database: Database) throws -> JSON {
        if let found = known.withLock({ $0[session] }), found.last == last { return found.json }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*), count(apart), sum(apart), min(time), max(time) FROM (
                        SELECT time, CASE WHEN elapsed - lag(elapsed) OVER moments > ?2
                            THEN elapsed - lag(elapsed) OVER moments END AS apart
                        FROM record WHERE session = ?1 AND kind = 0 WINDOW moments AS (ORDER BY elapsed))
                    """), arguments: [session, MonitorLimits.gap])
        guard let row else { return [:] }
        var object = JSON.Object(["readings": .integer(row[0]), "gaps": .integer(row[1])])
        object["gapSeconds"] = .real(((row[2] ?? 0.0) * 10).rounded() / 10)
        object["from"] = (row[3] as Double?).map(JSON.real)
        object["to"] = (row[4] as Double?).map(JSON.real)
        known.withLock { $0[session] = (last, .object(object)) }
        return .object(object)
    }
}

extension Store {
    /// Keeps how far a study has come, unless something newer from the same place is known.
    func keep(_ progress: StudyProgress, from source: String?, now: Double) async throws {
        try await pool.write { database in
            try database.execute(
                sql: """
                    INSERT INTO progress (study, source, date, received, content) VALUES (?1, ?2, ?3, ?4, ?5)
                    ON CONFLICT (study, source) DO UPDATE SET date = ?3, received = ?4, content = ?5
                    WHERE date <= ?3
                    """,
                arguments: [progress.study, source ?? "", progress.date, now, progress.json.string])
        }
    }

    /// How far all studies have come, as each room's register sees it.
    func progress() async throws -> [JSON] {
        try await pool.read { database in
            try Row.fetchAll(
                database, sql: "SELECT source, received, content FROM progress ORDER BY study, source"
            ).compactMap { row in
                guard var object = JSON(stored: row["content"])?.object else { return nil }
                let source: String = row["source"]
                if !source.isEmpty { object["source"] = .text(source) }
                object["received"] = .real(row["received"])
                return .object(object)
            }
        }
    }
}
