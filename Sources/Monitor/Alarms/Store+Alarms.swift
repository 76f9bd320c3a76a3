import GRDB
import MonitorInterface
import StudyModel
import TextFormat

/// A run that a monitor watches, by the number of its row.
struct WatchedRun: Hashable, Sendable {
    var row: Int64
    var identifier: String
    /// The rules of its study; `nil` if it names none.
    var rules: [AlarmRule]?
    /// When its last sign of life came.
    var contact: Double
}

extension Store {
    /// A record that alarms depend on.
    struct AlarmNews: Sendable {
        var number: Int64
        var session: Int64
        var news: AlarmWatch.News
        var time: Double
    }

    static func registerAlarms(in migrations: inout DatabaseMigrator) {
        migrations.registerMigration("3: alarms") { database in
            try database.execute(
                sql: """
                    CREATE TABLE alarm (
                        number INTEGER PRIMARY KEY,
                        session INTEGER NOT NULL REFERENCES session (number),
                        kind TEXT NOT NULL,
                        "limit" REAL,
                        seconds REAL,
                        rate REAL,
                        began REAL NOT NULL,
                        ended REAL,
                        acknowledged REAL,
                        author TEXT,
                        mark TEXT,
                        acknowledgementMark TEXT
                    ) STRICT;
                    CREATE INDEX alarm_began ON alarm (began);
                    CREATE INDEX alarm_session ON alarm (session);
                    CREATE UNIQUE INDEX alarm_standing ON alarm (session, kind) WHERE ended IS NULL;
                    """)
        }
    }

    /// Runs that have given signs of life within the last day and have not ended.
    func watchedRuns(now: Double) async throws -> [WatchedRun] {
        try await pool.read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT number, id, contact, description ->> '$.alarms' AS alarms FROM session
                        WHERE kind = 'run' AND ended IS NULL AND contact > ?
                        """), arguments: [now - 86_400]
            ).map { row in
                let rules = (row["alarms"] as String?).flatMap { JSON(stored: $0)?.list }
                return WatchedRun(
                    row: row["number"], identifier: row["id"],
                    rules: rules?.compactMap { AlarmRule(json: $0) }, contact: row["contact"])
            }
        }
    }

    /// The news of runs that alarms depend on: heart rates, states of microphones, and ends. Imports give none.
    ///
    /// - Parameters:
    ///   - number: only records after it.
    ///   - session: only of this run.
    func alarmNews(after number: Int64, of session: Int64? = nil, limit: Int = page) async throws
        -> [AlarmNews]
    {
        try await pool.read { database in
            let filter =
                session == nil ? "session IN (SELECT number FROM session WHERE kind = 'run')" : "session = ?2"
            var arguments: StatementArguments = [number]
            if let session { arguments += [session] }
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT number, session, kind, received, rate, name, content FROM record
                        WHERE number > ?1 AND \(filter)
                            AND (kind = 0 OR (kind = 2 AND name IN ('microphone', 'over')))
                        ORDER BY number LIMIT \(limit)
                        """), arguments: arguments)
            return rows.compactMap { row in
                guard let news = AlarmWatch.News(row) else { return nil }
                return AlarmNews(
                    number: row["number"], session: row["session"], news: news, time: row["received"])
            }
        }
    }

    /// A run's alarms that are still on, with the time at which each began.
    func standingAlarms(of session: Int64) async throws -> [AlarmRule.Kind: Double] {
        try await pool.read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT kind, began FROM alarm WHERE session = ? AND ended IS NULL",
                arguments: [session])
            return Dictionary(
                rows.compactMap { row in AlarmRule.Kind(rawValue: row["kind"]).map { ($0, row["began"]) } }
            ) { first, _ in first }
        }
    }

    /// Writes what began and ended, and returns the alarms that it concerns. An alarm that goes on already, because
    /// another monitor has written it into the same database, is not written again.
    func write(_ changes: [AlarmWatch.Change], of session: Int64, at now: Double) async throws
        -> [StoredAlarm]
    {
        try await pool.write { database in
            try changes.flatMap { change in
                if change.begins {
                    try database.execute(
                        sql: """
                            INSERT OR IGNORE INTO alarm (session, kind, "limit", seconds, rate, began)
                            VALUES (?, ?, ?, ?, ?, ?)
                            """,
                        arguments: [
                            session, change.rule.kind.rawValue, change.rule.limit,
                            change.rule.duration?.seconds, change.rate, now,
                        ])
                    guard database.changesCount > 0 else { return [StoredAlarm]() }
                    return try Self.alarms(
                        in: database, where: "alarm.number = ?", [database.lastInsertedRowID])
                }
                let number = try Int64.fetchOne(
                    database,
                    sql: "SELECT number FROM alarm WHERE session = ? AND kind = ? AND ended IS NULL",
                    arguments: [session, change.rule.kind.rawValue])
                guard let number else { return [] }
                try database.execute(
                    sql: "UPDATE alarm SET ended = ? WHERE number = ?", arguments: [now, number])
                return try Self.alarms(in: database, where: "alarm.number = ?", [number])
            }
        }
    }

    /// Records who has seen an alarm, and when. Only the first counts.
    func acknowledge(_ number: Int64, by author: String?, at now: Double) async throws -> StoredAlarm {
        try await pool.write { database in
            try database.execute(
                sql:
                    "UPDATE alarm SET acknowledged = ?, author = ? WHERE number = ? AND acknowledged IS NULL",
                arguments: [now, author, number])
            let alarms = try Self.alarms(in: database, where: "alarm.number = ?", [number])
            guard let alarm = alarms.first else { throw Refusal.notFound("there is no alarm \(number)") }
            return alarm
        }
    }

    /// Records that a run has a part of an alarm in its journal, or that this is unknown.
    func record(_ mark: StoredAlarm.Mark, for part: StoredAlarm.Part, of number: Int64) async throws
        -> StoredAlarm?
    {
        try await pool.write { database in
            let column = part == .beginning ? "mark" : "acknowledgementMark"
            try database.execute(
                sql: "UPDATE alarm SET \(column) = ? WHERE number = ?", arguments: [mark.rawValue, number])
            return try Self.alarms(in: database, where: "alarm.number = ?", [number]).first
        }
    }

    /// All alarms of a run, the newest first.
    ///
    /// - Throws: `Refusal` for an unknown session.
    func alarms(of session: String) async throws -> [StoredAlarm] {
        try await pool.read { database in
            guard
                let row = try Int64.fetchOne(
                    database, sql: "SELECT number FROM session WHERE id = ?", arguments: [session])
            else { throw Refusal.notFound("there is no session '\(session)'") }
            return try Self.alarms(in: database, where: "alarm.session = ?", [row])
        }
    }

    /// The alarms of the last day, the newest first.
    func alarms(now: Double) async throws -> [StoredAlarm] {
        try await pool.read { try Self.alarms(in: $0, where: "alarm.began > ?", [now - 86_400]) }
    }

    /// Alarms that their run has not marked yet, as long as it goes on.
    func untoldAlarms(now: Double) async throws -> [StoredAlarm] {
        try await pool.read { database in
            try Self.alarms(
                in: database,
                where: """
                    session.ended IS NULL AND session.contact > ? AND alarm.began > ?
                    AND (mark IS NULL OR (acknowledged IS NOT NULL AND acknowledgementMark IS NULL))
                    """, [now - MonitorLimits.silence, now - 86_400]
            ).reversed()
        }
    }

    private static func alarms(
        in database: Database, where condition: String, _ arguments: StatementArguments
    ) throws -> [StoredAlarm] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT alarm.*, session.id AS sessionID, coalesce(alarm.ended, session.ended) AS over,
                    json_extract(session.description, '$.origin') AS origin
                FROM alarm JOIN session ON session.number = alarm.session
                WHERE \(condition) ORDER BY alarm.number DESC LIMIT 1000
                """, arguments: arguments
        ).compactMap(StoredAlarm.init)
    }
}

extension StoredAlarm {
    fileprivate init?(_ row: Row) {
        let seconds: Double? = row["seconds"]
        guard let kind = AlarmRule.Kind(rawValue: row["kind"]),
            let rule = AlarmRule(kind, limit: row["limit"], for: seconds.map { .seconds($0) })
        else { return nil }
        self.init(
            number: row["number"], session: row["sessionID"], origin: row["origin"], rule: rule,
            rate: row["rate"],
            began: row["began"], ended: row["over"], acknowledged: row["acknowledged"], author: row["author"])
        marks[.beginning] = (row["mark"] as String?).flatMap(Mark.init)
        marks[.acknowledgement] = (row["acknowledgementMark"] as String?).flatMap(Mark.init)
    }
}

extension AlarmWatch.News {
    fileprivate init?(_ row: Row) {
        let content: String? = row["content"]
        switch (row["kind"] as Int, row["name"] as String?, row["rate"] as Double?) {
        case (0, _, let rate?): self = .rate(rate)
        case (2, "microphone", _):
            let state = content.flatMap { JSON(stored: $0)?["state"]?.text }.flatMap(MicrophoneState.init)
            guard let state else { return nil }
            self = .microphone(state)
        case (2, "over", _): self = .over
        default: return nil
        }
    }
}
