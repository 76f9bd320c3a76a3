import GRDB
import Results
import TextFormat

/// Whose records to read.
enum Selection: Hashable, Sendable {
    /// Everybody's.
    case all
    /// One session's.
    case session(String)
    /// All that was pushed without a session.
    case readings
}

extension Store {
    /// At most so many records come out of one reading; the cursor leads on from there.
    static let page = 50_000

    /// Records after a number, oldest first.
    ///
    /// - Parameters:
    ///   - samplesOnly: leaves out all but heart rates.
    ///   - limit: at most so many.
    /// - Throws: `Refusal` for a session that is not there.
    func records(
        of selection: Selection, after number: Int64, samplesOnly: Bool = false, limit: Int = page
    ) async throws -> [Record] {
        try await pool.read { database in
            let filter: String
            var arguments: StatementArguments = [number]
            switch selection {
            case .all: filter = ""
            case .readings:
                filter = "AND record.session IN (SELECT number FROM session WHERE kind = 'readings')"
            case .session(let identifier):
                guard
                    let row = try Int64.fetchOne(
                        database, sql: "SELECT number FROM session WHERE id = ?", arguments: [identifier])
                else { throw Refusal.notFound("there is no session '\(identifier)'") }
                filter = "AND record.session = ?"
                arguments += [row]
            }
            arguments += [limit]
            let kinds = samplesOnly ? "AND record.kind = 0" : ""
            let statement = try database.cachedStatement(
                sql: """
                    SELECT record.*, session.id AS sessionID FROM record
                    LEFT JOIN session ON session.number = record.session
                    WHERE record.number > ? \(filter) \(kinds) ORDER BY record.number LIMIT ?
                    """)
            return try Row.fetchAll(statement, arguments: arguments).compactMap(Record.init)
        }
    }

    /// The number of the last record.
    func lastNumber() async throws -> Int64 {
        try await pool.read { try Int64.fetchOne($0, sql: "SELECT max(number) FROM record") ?? 0 }
    }

    /// Sessions as the API shows them, those that began last first.
    ///
    /// - Parameters:
    ///   - identifier: only this one, with its whole description.
    ///   - now: seconds since 1970.
    func sessions(only identifier: String? = nil, now: Double) async throws -> [JSON] {
        try await pool.read { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT session.*, latest.rate, latest.received, latest.elapsed,
                            (SELECT max(received) FROM record WHERE session = session.number
                             AND number >= coalesce(latest.number, 0)) AS heard
                        FROM session LEFT JOIN record AS latest ON latest.number =
                            (SELECT number FROM record WHERE session = session.number AND kind = 0
                             ORDER BY number DESC LIMIT 1)
                        WHERE ?1 IS NULL OR id = ?1 ORDER BY started DESC LIMIT 500
                        """), arguments: [identifier])
            return rows.compactMap { Self.session($0, isWhole: identifier != nil, now: now) }
        }
    }

    /// A run that said nothing for so many seconds is no longer called running.
    private static let silence = 900.0

    private static func session(_ row: Row, isWhole: Bool, now: Double) -> JSON? {
        let stored: String = row["description"]
        guard var object = JSON(stored: stored)?.object else { return nil }
        if !isWhole {
            object["steps"] = nil
        }
        let ended: Double? = row["ended"]
        let heard: Double? = row["heard"]
        let isImported = row["kind"] == "import"
        let state =
            ended != nil || isImported
            ? "over" : now - (heard ?? row["started"]) > silence ? "silent" : "running"
        object["state"] = .text(state)
        object["endedAt"] = ended.map(JSON.real)
        object["outcome"] = (row["outcome"] as String?).map(JSON.text)
        if let rate: Double = row["rate"] {
            object["last"] = [
                "bpm": .real(rate), "received": .real(row["received"]), "elapsed": .real(row["elapsed"]),
            ]
        }
        return .object(object)
    }
}

extension Record {
    /// Reads a row of `record` with the session's identifier as `sessionID`.
    init?(_ row: Row) {
        number = row["number"]
        session = row["sessionID"]
        time = row["time"]
        elapsed = row["elapsed"]
        received = row["received"]
        let content: String? = row["content"]
        let code: Int = row["kind"]
        switch (code, content, row["rate"] as Double?, row["name"] as String?, row["sequence"] as Int?) {
        case (0, let rr, let rate?, _, _): kind = .heartRate(rate, rr: rr)
        case (1, let description?, _, _, _): kind = .begun(description)
        case (2, let content?, _, let name?, let sequence?):
            kind = .event(name, sequence: sequence, content: content)
        case (3, let text?, _, _, _): kind = .note(text)
        default: return nil
        }
    }
}
