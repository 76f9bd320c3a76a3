import GRDB
import MonitorInterface
import Results
import TextFormat

/// Which records to read.
enum Selection: Hashable, Sendable {
    /// Everybody's.
    case all
    /// One session's.
    case session(String)
    /// What was pushed without a session: by everybody, or by one source.
    case readings(source: String?)
    /// None: what experimenters want of a run is no record.
    case requests(run: String)
}

extension Store {
    /// The greatest number of records that one call returns; the cursor continues from there.
    static let page = 50_000

    /// Records after a number, oldest first.
    ///
    /// - Parameters:
    ///   - moment: only records measured after it, seconds since 1970.
    ///   - samplesOnly: whether only heart rates are returned.
    ///   - limit: the greatest number of records.
    /// - Throws: `Refusal` for an unknown session.
    func records(
        of selection: Selection, after number: Int64, measuredAfter moment: Double? = nil,
        samplesOnly: Bool = false, limit: Int = page
    ) async throws -> [Record] {
        if case .requests = selection { return [] }
        return try await pool.read { database in
            let filter: String
            var arguments: StatementArguments = [number]
            switch selection {
            case .all, .requests: filter = ""
            case .readings(let source):
                filter = """
                    AND record.session IN (SELECT number FROM session
                        WHERE kind = 'readings' AND (? IS NULL OR source IS ?))
                    """
                arguments += [source, source]
            case .session(let identifier):
                guard
                    let row = try Int64.fetchOne(
                        database, sql: "SELECT number FROM session WHERE id = ?", arguments: [identifier])
                else { throw Refusal.notFound("there is no session '\(identifier)'") }
                filter = "AND record.session = ?"
                arguments += [row]
            }
            let kinds = samplesOnly ? "AND record.kind = 0" : ""
            let times = moment == nil ? "" : "AND record.time > ?"
            if let moment { arguments += [moment] }
            arguments += [limit]
            let statement = try database.cachedStatement(
                sql: """
                    SELECT record.*, session.id AS sessionID FROM record
                    LEFT JOIN session ON session.number = record.session
                    WHERE record.number > ? \(filter) \(kinds) \(times) ORDER BY record.number LIMIT ?
                    """)
            return try Row.fetchAll(statement, arguments: arguments).compactMap(Record.init)
        }
    }

    /// All versions of a note, oldest first, with their authors and times.
    ///
    /// - Throws: `Refusal` for an unknown note.
    func versions(ofNote number: Int64) async throws -> [JSON] {
        try await pool.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT record.*, NULL AS sessionID FROM record
                    WHERE (number = ?1 AND kind = 3) OR (\(Record.changesOfNote))
                    ORDER BY number
                    """, arguments: [number])
            guard !rows.isEmpty else { throw Refusal.notFound("there is no note \(number)") }
            return rows.compactMap(Record.init).map { record in
                var version = JSON.Object(["received": .real(record.received)])
                let json = record.json
                for key in ["text", "author"] { version[key] = json[key] }
                for key in NoteDetails.keys { version[key] = (json["figures"] ?? json)[key] }
                if json["text"] == nil { version["deleted"] = .boolean(true) }
                return .object(version)
            }
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
                        SELECT session.number, id, session.kind, started, ended, outcome, contact,
                            CASE WHEN ?1 IS NULL THEN json_remove(description, '$.steps') ELSE description END
                                AS description,
                            latest.rate, latest.received, latest.elapsed, latest.time,
                            (SELECT received FROM record WHERE session = session.number
                             ORDER BY number DESC LIMIT 1) AS heard
                        FROM session LEFT JOIN record AS latest ON latest.number =
                            (SELECT number FROM record WHERE session = session.number AND kind = 0
                             ORDER BY time DESC, number DESC LIMIT 1)
                        WHERE ?1 IS NULL OR id = ?1 ORDER BY started DESC LIMIT 500
                        """), arguments: [identifier])
            let rooms = RoomReading(database: database, now: now)
            let recent = identifier == nil ? try rooms.recent() : [:]
            return try rows.compactMap { row in
                guard var object = Self.session(row, now: now) else { return nil }
                guard identifier == nil else { return .object(object) }
                if [Condition.running, .lost].map({ .text($0.rawValue) }).contains(object["state"]) {
                    let number: Int64 = row["number"]
                    object["recent"] = recent[number].map(JSON.list)
                    object["progress"] = try rooms.progress(of: number)
                    object["steps"] = try rooms.steps(of: number, in: object["progress"]?["step"]?.text)
                    let sources = try rooms.sources(of: number)
                    if !sources.isEmpty { object["sources"] = .list(sources) }
                    if object["speed"] == nil {
                        object["clockOffset"] = try rooms.clockOffset(of: number).map(JSON.real)
                    }
                }
                return .object(object)
            }
        }
    }

    /// The state of a session.
    enum Condition: String, Hashable, Sendable {
        /// It has ended, or is an import.
        case over
        /// Data are coming.
        case running
        /// A run that gave signs of life no longer does: it was killed or cut off.
        case lost
        /// Nothing came for so long that nothing more is expected.
        case silent
    }

    /// After this many seconds without data, a sender that gives no signs of life is no longer called running.
    private static let patience = 900.0

    private static func condition(of row: Row, heard: Double, now: Double) -> Condition {
        if row["ended"] as Double? != nil || row["kind"] == SeriesKind.imported.rawValue { return .over }
        if row["contact"] as Double? != nil { return now - heard > MonitorLimits.silence ? .lost : .running }
        return now - heard > patience ? .silent : .running
    }

    /// When a session was last heard from, by this machine's clock.
    private static func heard(_ row: Row) -> Double {
        max(row["contact"] ?? 0, row["heard"] ?? row["started"])
    }

    /// The state of the sessions of the last day that give signs of life.
    func conditions(now: Double) async throws -> [String: Condition] {
        try await pool.read { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id, kind, started, ended, contact, (SELECT received FROM record
                            WHERE session = session.number ORDER BY number DESC LIMIT 1) AS heard
                        FROM session WHERE contact > ?
                        """), arguments: [now - 86_400])
            return Dictionary(
                uniqueKeysWithValues: rows.map {
                    ($0["id"], Self.condition(of: $0, heard: Self.heard($0), now: now))
                })
        }
    }

    static func session(_ row: Row, now: Double) -> JSON.Object? {
        let stored: String = row["description"]
        guard var object = JSON(stored: stored)?.object else { return nil }
        let ended: Double? = row["ended"]
        let heard = heard(row)
        object["state"] = .text(condition(of: row, heard: heard, now: now).rawValue)
        object["heardAt"] = .real(heard)
        object["endedAt"] = ended.map(JSON.real)
        object["outcome"] = (row["outcome"] as String?).map(JSON.text)
        if let rate: Double = row["rate"] {
            object["last"] = [
                "bpm": .real(rate), "t": .real(row["time"]), "received": .real(row["received"]),
                "elapsed": .real(row["elapsed"]),
            ]
        }
        return object
    }
}

extension Record {
    /// Which records are changes of the note whose number is the first argument.
    static let changesOfNote = "kind = 4 AND number > ?1 AND content ->> 0 = ?1"

    /// Reads a row of `record` with the session's identifier as `sessionID`.
    init?(_ row: Row) {
        number = row["number"]
        session = row["sessionID"]
        time = row["time"]
        elapsed = row["elapsed"]
        received = row["received"]
        details = row["details"]
        let content: String? = row["content"]
        let code: Int = row["kind"]
        switch (code, content, row["rate"] as Double?, row["name"] as String?, row["sequence"] as Int?) {
        case (0, let rr, let rate?, _, _): kind = .heartRate(rate, rr: rr)
        case (1, let description?, _, _, _): kind = .begun(description)
        case (2, let content?, _, let name?, let sequence?):
            kind = .event(name, sequence: sequence, content: content)
        case (3, let text?, _, let author, _): kind = .note(text, author: author)
        case (4, let content?, _, let author, _):
            guard let change = JSON(stored: content)?.list, let note = change.first?.integer else {
                return nil
            }
            kind = .noteChanged(Int64(note), text: change.last?.text, author: author)
        case (Kind.deletion, let content?, _, let author, _): kind = .deleted(content, author: author)
        default: return nil
        }
    }
}
