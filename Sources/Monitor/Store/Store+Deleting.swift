import GRDB
import Hashing
import MonitorInterface
import NIOPosix
import Results
import TextFormat

/// How much of the monitor's data something comprises.
package struct Extent: Hashable, Sendable {
    /// Runs, imports and series of readings.
    package var series = 0
    package var readings = 0
    package var events = 0
    package var notes = 0

    package init(series: Int = 0, readings: Int = 0, events: Int = 0, notes: Int = 0) {
        (self.series, self.readings, self.events, self.notes) = (series, readings, events, notes)
    }

    var records: Int { readings + events + notes }

    /// For the API and the trace of a deletion.
    var members: [(String, JSON)] {
        [
            ("series", .integer(series)), ("readings", .integer(readings)), ("events", .integer(events)),
            ("notes", .integer(notes)),
        ]
    }
}

extension Store {
    static func registerDeletions(in migrations: inout DatabaseMigrator) {
        migrations.registerMigration("4: what was deleted, and how far studies have come") { database in
            // By the digests of their names, deleted runs are known again when they are reported once more.
            try database.execute(
                sql: """
                    CREATE TABLE deleted (number INTEGER PRIMARY KEY, digest TEXT NOT NULL) STRICT;
                    CREATE INDEX deleted_digest ON deleted (digest);
                    CREATE TABLE progress (
                        study TEXT NOT NULL,
                        source TEXT NOT NULL,
                        date REAL NOT NULL,
                        received REAL NOT NULL,
                        content TEXT NOT NULL,
                        PRIMARY KEY (study, source)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrations.registerMigration("5: notes of several kinds") { database in
            try database.execute(sql: "ALTER TABLE record ADD COLUMN details TEXT")
        }
    }

    /// What a deletion would delete.
    ///
    /// - Throws: `Refusal` if there is no such thing, or if it cannot be deleted now.
    func extent(of deletion: Deletion, now: Double) async throws -> Extent {
        try await pool.read { database in
            try Doomed.find(deletion, now: now, in: database).get().extent(in: database)
        }
    }

    /// The traces of deletions, the newest first.
    func deletions() async throws -> [JSON] {
        try await pool.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT record.*, NULL AS sessionID FROM record WHERE kind = \(Record.Kind.deletion)
                    ORDER BY number DESC LIMIT 1000
                    """
            ).compactMap(Record.init).map { record in
                var object = record.json.object ?? JSON.Object([:])
                object["number"] = .integer(Int(record.number))
                return .object(object)
            }
        }
    }

    /// Whether a run was deleted here, so that nothing of it is taken again.
    ///
    /// - Throws: `Refusal` if so.
    func mustNotBeDeleted(_ run: String) async throws {
        if let refusal = try await pool.read({ try Deletion.refusal(of: run, in: $0) }) { throw refusal }
    }

    /// Writes the database anew, because pages that were split or moved may still contain bytes of what was deleted,
    /// and empties its log.
    func rewrite() throws {
        try pool.vacuum()
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    }

    /// `rewrite` on a thread that may wait, unlike those of tasks.
    func rewriteApart() async throws {
        try await NIOThreadPool.singleton.runIfActive { try self.rewrite() }
    }
}

extension Deletion {
    /// Why a deleted session is not taken again; `nil` if it was not deleted.
    static func refusal(of session: String, in database: Database) throws -> Refusal? {
        let isDeleted = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM deleted WHERE digest = ?)"),
            arguments: [SHA256.hexadecimal(of: session)])
        return isDeleted == true
            ? Refusal(.conflict, "the session '\(session)' was deleted here, and is not taken again") : nil
    }
}

/// What a deletion is about, found in the database.
private struct Doomed {
    let deletion: Deletion
    /// The sessions to delete; for a single reading, its session.
    let sessions: [Row]
    /// The moment of the reading, seconds since 1970.
    var time: Double?

    private var target: Deletion.Target { deletion.target }

    static func find(
        _ deletion: Deletion, now: Double, in database: Database
    ) throws -> Result<Doomed, Refusal> {
        var time: Double?
        let sessions: [Row]
        // Of a run that the monitor never watched, there is only a bundle.
        let isThere = { (rows: [Row]) in !rows.isEmpty || !deletion.bundles.isEmpty }
        switch deletion.target {
        case .reading(let number):
            let reading = try Row.fetchOne(
                database, sql: "SELECT session, time FROM record WHERE number = ? AND kind = 0",
                arguments: [number])
            guard let reading else { return .failure(.notFound("there is no reading \(number)")) }
            time = reading["time"]
            sessions = try rows("number = ?", reading["session"] as Int64?, in: database)
        case .session(let identifier):
            sessions = try rows("id = ?", identifier, in: database)
            guard isThere(sessions) else {
                return .failure(.notFound("there is no session '\(identifier)'"))
            }
        case .participant(let code):
            sessions = try rows("participant = ?", code, in: database)
            guard isThere(sessions) else {
                return .failure(.notFound("there is nothing of a participant '\(code)'"))
            }
        }
        // Nothing waits for a participant who has withdrawn.
        if time == nil, !deletion.isWithdrawal, sessions.contains(where: { goesOn($0, now: now) }) {
            return .failure(
                Refusal(.conflict, "a run goes on, and would report more: end it first, then delete"))
        }
        return .success(Doomed(deletion: deletion, sessions: sessions, time: time))
    }

    private static func rows(
        _ condition: String, _ value: (any DatabaseValueConvertible)?, in database: Database
    ) throws -> [Row] {
        try Row.fetchAll(database, sql: "SELECT * FROM session WHERE \(condition)", arguments: [value])
    }

    /// Whether a run gives signs of life.
    private static func goesOn(_ session: Row, now: Double) -> Bool {
        guard session["ended"] as Double? == nil, let contact: Double = session["contact"] else {
            return false
        }
        return now - contact <= MonitorLimits.silence
    }

    /// The SQL condition for the records to delete.
    private var condition: String {
        if case .reading = target { return "number = ?" }
        return "session IN (\(sessions.map { String($0["number"] as Int64) }.joined(separator: ",")))"
    }

    private var arguments: StatementArguments {
        if case .reading(let number) = target { return [number] }
        return []
    }

    func extent(in database: Database) throws -> Extent {
        var extent = Extent()
        if time == nil { extent.series = sessions.count }
        let counts = try Row.fetchAll(
            database, sql: "SELECT kind, count(*) FROM record WHERE \(condition) GROUP BY kind",
            arguments: arguments)
        for row in counts {
            switch row[0] as Int {
            case 0: extent.readings = row[1]
            case 2: extent.events = row[1]
            case 3: extent.notes = row[1]
            default: continue
            }
        }
        return extent
    }

    /// What stays known. Nothing of it tells who a participant was that is deleted as a whole.
    func trace(_ extent: Extent) -> String {
        var object = JSON.Object(["reason": .text(deletion.reason)])
        switch target {
        case .reading(let number):
            object["what"] = "reading"
            object["reading"] = .integer(Int(number))
            object["measured"] = time.map(JSON.real)
        case .session: object["what"] = "session"
        case .participant: object["what"] = "participant"
        }
        if case .participant = target {
        } else if let session = sessions.first {
            object["session"] = .text(session["id"])
            object["of"] = .text(session["kind"])
            object["startedAt"] = .real(session["started"])
            object["participant"] = (session["participant"] as String?).map(JSON.text)
        } else if let bundle = deletion.bundles.first {
            object["session"] = .text(bundle.run)
            object["of"] = .text(SeriesKind.run.rawValue)
            object["startedAt"] = bundle.start.map(JSON.real)
            object["participant"] = bundle.participant.map(JSON.text)
        }
        for (key, value) in extent.members { object[key] = value }
        object["bundles"] = .integer(deletion.bundles.count)
        return JSON.object(object).string
    }

    func delete(in database: Database) throws {
        try database.execute(sql: "DELETE FROM record WHERE \(condition)", arguments: arguments)
        if case .reading = target { return }
        for session in sessions {
            let (number, identifier): (Int64, String) = (session["number"], session["id"])
            try database.execute(sql: "DELETE FROM alarm WHERE session = ?", arguments: [number])
            try database.execute(sql: "DELETE FROM delivery WHERE session = ?", arguments: [identifier])
            try database.execute(sql: "DELETE FROM session WHERE number = ?", arguments: [number])
            // Readings get a new name, and somebody who imports a recording again wants it back.
            let isRun = session["kind"] == SeriesKind.run.rawValue
            try database.execute(
                sql: "INSERT INTO deleted (number, digest) VALUES (?, ?)",
                arguments: [number, isRun ? SHA256.hexadecimal(of: identifier) : ""])
        }
    }
}

extension Transaction {
    /// Deletes what somebody has confirmed. The trace is written first: it has the highest number, so that no
    /// record's number is used again.
    mutating func delete(_ deletion: Deletion) throws -> Result<Erasure, Refusal> {
        let doomed: Doomed
        switch try Doomed.find(deletion, now: now, in: database) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let found): doomed = found
        }
        let extent = try doomed.extent(in: database)
        try append(
            .deleted(doomed.trace(extent), author: deletion.author), session: nil, time: now)
        try doomed.delete(in: database)
        for run in Set(deletion.bundles.map(\.run)).sorted()
        where try Deletion.refusal(of: run, in: database) == nil {
            // It has no number among the sessions, and gets one that none has.
            try database.execute(
                sql: "INSERT INTO deleted (number, digest) VALUES (?, ?)",
                arguments: [try nextNumber(), SHA256.hexadecimal(of: run)])
        }
        return .success(Erasure(extent: extent, mentions: try replaceCode(of: deletion)))
    }

    /// Replaces the code of a participant of whom everything is deleted in what remains of notes and traces of other
    /// deletions, where it is a separate word.
    ///
    /// - Returns: in how many.
    func replaceCode(of deletion: Deletion) throws -> Int {
        guard case .participant(let code) = deletion.target else { return 0 }
        try leave(code)
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT number, content FROM record
                WHERE kind IN (3, 4, \(Record.Kind.deletion)) AND instr(content, ?) > 0
                """, arguments: [code])
        var count = 0
        for row in rows {
            let content: String = row["content"]
            var changed = content
            for place in content.ranges(of: code).reversed()
            where !Self.isInWord(content[..<place.lowerBound].last)
                && !Self.isInWord(content[place.upperBound...].first)
            {
                changed.replaceSubrange(place, with: deletion.isWithdrawal ? "(withdrawn)" : "(deleted)")
            }
            guard changed != content else { continue }
            count += 1
            let number: Int64 = row["number"]
            try database.execute(
                sql: "UPDATE record SET content = ? WHERE number = ?", arguments: [changed, number])
        }
        return count
    }

    /// Takes a participant out of what is to come of studies.
    private func leave(_ code: String) throws {
        let rows = try Row.fetchAll(
            database, sql: "SELECT study, source, content FROM progress WHERE instr(content, ?) > 0",
            arguments: [code])
        for row in rows {
            guard var object = JSON(stored: row["content"])?.object, let toCome = object["toCome"]?.list
            else { continue }
            object["toCome"] = .list(toCome.filter { $0["participant"] != .text(code) })
            try database.execute(
                sql: "UPDATE progress SET content = ? WHERE study = ? AND source = ?",
                arguments: [
                    JSON.object(object).string, row["study"] as String, row["source"] as String,
                ])
        }
    }

    private static func isInWord(_ neighbour: Character?) -> Bool {
        neighbour.map { $0.isLetter || $0.isNumber } ?? false
    }
}
