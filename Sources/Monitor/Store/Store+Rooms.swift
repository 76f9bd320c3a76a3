import GRDB
import TextFormat

/// What the overview of rooms says about running sessions, besides their last heart rate.
struct RoomReading {
    let database: Database
    /// Seconds since 1970.
    let now: Double

    /// The seconds of heart rates in a room's small curve, and those in one of its points.
    private static let recent = 300.0
    private static let stride = 10.0

    /// `[t, mean]` for each stride of the last minutes, by the number of the session's row. Strides begin at round
    /// times.
    func recent() throws -> [Int64: [JSON]] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT session, CAST(time / ?1 AS INTEGER) AS stride, avg(rate) FROM record
                    WHERE kind = 0 AND time > ?2 AND time <= ?3 GROUP BY session, stride ORDER BY session, stride
                    """),
            arguments: [Self.stride, now - Self.recent, now + Self.stride])
        var recent: [Int64: [JSON]] = [:]
        while let row = try rows.next() {
            let (session, stride, rate): (Int64, Double, Double) = (row[0], row[1], row[2])
            recent[session, default: []].append(
                [.real(stride * Self.stride), .real((rate * 10).rounded() / 10)])
        }
        return recent
    }

    /// The step that was last shown or begun, with the moment when it began, later by its pauses, and since when it is
    /// paused: `{step, since, paused}`.
    func progress(of session: Int64) throws -> JSON? {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT name, time, content FROM record WHERE session = ?1 AND sequence >= (
                        SELECT max(sequence) FROM record
                        WHERE session = ?1 AND sequence IS NOT NULL AND name IN ('stepShown', 'stepStarted'))
                    AND name IN ('stepShown', 'stepStarted', 'paused', 'resumed') ORDER BY sequence
                    """), arguments: [session])
        guard let first = rows.first, let step = JSON(stored: first["content"])?["step"] else { return nil }
        var since: Double? = first["name"] == "stepStarted" ? first["time"] : nil
        var paused: Double?
        for row in rows.dropFirst() {
            if row["name"] == "paused" {
                paused = row["time"]
            } else if let begun = paused {
                since = since.map { $0 + (row["time"] as Double) - begun }
                paused = nil
            }
        }
        return .members(["step": step, "since": since.map { .real($0) }, "paused": paused.map { .real($0) }])
    }

    /// The last report of each source: `{name, state, text, condition}`, in the order of their names.
    func sources(of session: Int64) throws -> [JSON] {
        let contents = try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT content FROM record WHERE session = ? AND sequence IS NOT NULL
                        AND name IN ('sourceState', 'source') ORDER BY sequence
                    """), arguments: [session])
        var sources: [String: JSON] = [:]
        for content in contents.compactMap({ JSON(stored: $0) }) {
            guard let name = content["source"]?.text else { continue }
            var source = sources[name]?.object ?? JSON.Object(["name": .text(name)])
            if let condition = content["condition"] {
                source["condition"] = condition
            } else {
                for key in ["state", "text"] { source[key] = content[key] }
            }
            sources[name] = .object(source)
        }
        return sources.sorted { $0.key < $1.key }.map(\.value)
    }

    /// By how many seconds the sender's moments are at least behind this machine's clock, by its last readings: its
    /// clock's offset and what readings take to arrive. Negative where it is ahead; `nil` where too few came one by
    /// one, because those that waited for a connection say nothing of clocks.
    func clockOffset(of session: Int64) throws -> Double? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT min(received - time), count(DISTINCT received) FROM (SELECT received, time FROM record
                        WHERE session = ? AND kind = 0 ORDER BY number DESC LIMIT 60)
                    """), arguments: [session])
        guard let row, row[1] as Int >= Self.arrivals, let offset = row[0] as Double? else { return nil }
        return (offset * 1000).rounded() / 1000
    }

    /// A sender's clock is judged by this many arrivals.
    private static let arrivals = 10

    /// The steps, with the expected curves of the step that the room is in and of the next one. The others are long,
    /// and SQLite removes them many times faster than we could read them.
    ///
    /// - Parameter current: the step that the room is in; `nil` if it is in none.
    func steps(of session: Int64, in current: String?) throws -> JSON? {
        let steps = try String.fetchOne(
            database.cachedStatement(
                sql: """
                    WITH steps AS (
                        SELECT key AS place, value,
                            lag(json_extract(value, '$.identifier')) OVER (ORDER BY key) AS before
                        FROM json_each((SELECT description FROM session WHERE number = ?1), '$.steps'))
                    SELECT json_group_array(json(
                        CASE WHEN ?2 IN (json_extract(value, '$.identifier'), before) THEN value
                            ELSE json_remove(value, '$.expected') END))
                    FROM (SELECT * FROM steps ORDER BY place)
                    """), arguments: [session, current])
        return steps.flatMap { JSON(stored: $0) }
    }
}
