import GRDB
import Hashing
import MonitorInterface
import Results
import TextFormat

/// What one transaction did.
struct Commit: Sendable {
    /// One for each entry, in order.
    var receipts: [Result<Receipt, Refusal>]
    /// All records that were written, in order of number.
    var records: [Record]
}

extension Store {
    /// Writes entries in one transaction. When this returns, they are on disk.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: if nothing was written because the disk failed.
    func commit(_ entries: [Entry], now: Double) async throws -> Commit {
        let isFull = isFull
        return try await pool.write { database in
            var transaction = Transaction(database: database, now: now, isFull: isFull)
            var receipts: [Result<Receipt, Refusal>] = []
            receipts.reserveCapacity(entries.count)
            for entry in entries { receipts.append(try transaction.write(entry)) }
            return Commit(receipts: receipts, records: transaction.records)
        }
    }
}

/// One transaction in progress.
///
/// An entry is refused before any part of it is written, so that the transaction's other entries can stay.
struct Transaction {
    let database: Database
    let now: Double
    var isFull = false
    var records: [Record] = []

    /// After this many seconds of silence, readings without a session begin a new one.
    static let silence = 900.0

    struct Session {
        var row: Int64
        var identifier: String
        var start: Double
        var kind: String
        /// How many times faster than real time it goes.
        var speed: Double
        /// The columns that a session is read from.
        static let columns = "session.number, session.id, session.started, session.kind, session.speed"
        var isImported: Bool { kind == SeriesKind.imported.rawValue }
    }

    mutating func write(_ entry: Entry) throws -> Result<Receipt, Refusal> {
        switch entry {
        case .alive(let identifier): return try record(signOf: identifier)
        case .delete(let deletion): return try delete(deletion).map { receipt(of: $0.extent.records) }
        case _ where isFull:
            return .failure(
                Refusal(.full, "the storage quota is used up: enlarge --quota or move old data away"))
        case .begin(let description): return try begin(description)
        case .readings(let readings, let identifier, let key):
            guard let session = try session(identifier) else { return .failure(try absence(of: identifier)) }
            if let refusal = refusal(ofFuture: readings) { return .failure(refusal) }
            return .success(try write(readings, to: session, key: key))
        case .pushed(let readings, let sender, let key):
            if let refusal = refusal(ofFuture: readings) { return .failure(refusal) }
            return .success(try push(readings, by: sender, key: key))
        case .events(let events, let identifier):
            guard let session = try session(identifier) else { return .failure(try absence(of: identifier)) }
            return .success(try write(events, to: session))
        case .note(let note): return try write(note)
        case .noteChanged(let change): return try write(change)
        }
    }

    /// Under which keys of notes stand: no session has such a name.
    private static let notes = "/api/notes"

    private mutating func write(_ note: Note) throws -> Result<Receipt, Refusal> {
        if let receipt = try receipt(key: note.key, session: Self.notes) { return .success(receipt) }
        let session = try note.participant.flatMap { try nearestSession(of: $0, at: note.time) }
        if let participant = note.participant, session == nil {
            return .failure(
                .notFound("nothing is known of participant '\(participant)': begin a session first"))
        }
        try append(
            .note(note.text, author: note.author), session: session, time: note.time,
            details: note.details?.json.string)
        return .success(try keptReceipt(of: 1, key: note.key, keySession: Self.notes))
    }

    private mutating func write(_ change: NoteChange) throws -> Result<Receipt, Refusal> {
        let note = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT session, time, details FROM record WHERE number = ? AND kind = 3"),
            arguments: [change.note])
        guard let note else { return .failure(.notFound("there is no note \(change.note)")) }
        let isDeleted = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT content ->> 1 IS NULL FROM record WHERE \(Record.changesOfNote) ORDER BY number DESC
                    """),
            arguments: [change.note])
        if isDeleted == true { return .failure(.notFound("the note was deleted")) }
        let kind = (note["details"] as String?).flatMap { JSON(stored: $0)?["kind"]?.text }
        if let details = change.details, details.kind.rawValue != kind {
            return .failure(.unprocessable("'kind' should be that of the note, \(kind ?? "note")"))
        }
        let session = try (note["session"] as Int64?).flatMap { row in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT \(Session.columns) FROM session WHERE number = ?"),
                arguments: [row]
            ).map(Session.init)
        }
        // The change is recorded at the note's own moment, so that its day is drawn again.
        try append(
            .noteChanged(change.note, text: change.text, author: change.author), session: session,
            time: note["time"], details: change.details?.json.string)
        return .success(receipt(of: 1))
    }

    private mutating func record(signOf identifier: String) throws -> Result<Receipt, Refusal> {
        try database.cachedStatement(sql: "UPDATE session SET contact = ? WHERE id = ?")
            .execute(arguments: [now, identifier])
        return database.changesCount > 0 ? .success(receipt(of: 0)) : .failure(try absence(of: identifier))
    }

    /// A reading cannot have been measured after it arrived; the sender's clock is wrong.
    private func refusal(ofFuture readings: [Reading]) -> Refusal? {
        guard let last = readings.compactMap(\.time).max(), last - now > MonitorLimits.ahead else {
            return nil
        }
        return .unprocessable(
            """
            't' is \(Int((last - now).rounded())) seconds ahead of the monitor's clock, and nothing of this request was \
            kept: set the sender's clock, or leave out 't'
            """)
    }

    /// Why there is no such session: nobody began it, or it was deleted.
    private func absence(of identifier: String) throws -> Refusal {
        try Deletion.refusal(of: identifier, in: database)
            ?? .notFound("there is no session '\(identifier)': begin it with POST /api/sessions")
    }

    private mutating func begin(_ description: SessionDescription) throws -> Result<Receipt, Refusal> {
        let text = description.json.string
        let known = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT description FROM session WHERE id = ?"),
            arguments: [description.identifier])
        if let known {
            return Self.isSame(known["description"], description)
                ? .success(Receipt(isNew: false, count: 1, cursor: 0))
                : .failure(Refusal(.conflict, "a session with this name exists already, with other content"))
        }
        if let refusal = try Deletion.refusal(of: description.identifier, in: database) {
            return .failure(refusal)
        }
        try insert(description, text: text)
        return .success(receipt(of: 1))
    }

    /// Whether a description repeats a stored one. The token may differ: what a room has reported, somebody else may
    /// deliver later.
    private static func isSame(_ stored: String, _ description: SessionDescription) -> Bool {
        guard var known = JSON(stored: stored)?.object, var told = description.json.object else {
            return false
        }
        known["source"] = nil
        told["source"] = nil
        return JSON.object(known) == JSON.object(told)
    }

    @discardableResult
    private mutating func insert(_ description: SessionDescription, text: String) throws -> Session {
        try database.cachedStatement(
            sql: """
                INSERT INTO session (number, id, kind, started, participant, source, speed, secret, description)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            try nextNumber(), description.identifier, description.kind.rawValue, description.start,
            description.participant,
            description.source, description.speed,
            description.secret.map { SHA256.hexadecimal(of: $0) }, text,
        ])
        let session = Session(
            row: database.lastInsertedRowID, identifier: description.identifier, start: description.start,
            kind: description.kind.rawValue, speed: description.speed ?? 1)
        try append(.begun(text), session: session, time: description.start)
        return session
    }

    private mutating func write(_ readings: [Reading], to session: Session, key: String?) throws -> Receipt {
        if let receipt = try receipt(key: key, session: session.identifier) { return receipt }
        for reading in readings { try write(reading, to: session) }
        return try keptReceipt(of: readings.count, key: key, keySession: session.identifier)
    }

    private mutating func push(_ readings: [Reading], by sender: Sender, key: String?) throws -> Receipt {
        if let receipt = try receipt(key: key, session: "") { return receipt }
        var current: (session: Session, span: ClosedRange<Double>)?
        for reading in readings {
            let time = reading.time ?? now
            var found = current.flatMap { $0.span.contains(time) ? $0 : nil }
            if found == nil {
                let session = try pushedSession(of: sender, at: time)
                found = (session, session.start...max(session.start, time))
            }
            guard let (session, span) = found else { continue }
            try write(reading, to: session)
            current = (session, span.lowerBound...max(span.upperBound, time + Self.silence))
        }
        return try keptReceipt(of: readings.count, key: key, keySession: "")
    }

    private mutating func write(_ reading: Reading, to session: Session) throws {
        let time = reading.time ?? reading.elapsed.map { session.start + $0 / session.speed } ?? now
        if session.isImported, try isImported(reading.beatsPerMinute, at: time, as: session) { return }
        let rr = reading.rrIntervals.isEmpty ? nil : JSON.list(reading.rrIntervals.map(JSON.real)).string
        try append(
            .heartRate(reading.beatsPerMinute, rr: rr), session: session, time: time, elapsed: reading.elapsed
        )
    }

    private func keptReceipt(of count: Int, key: String?, keySession: String) throws -> Receipt {
        let receipt = receipt(of: count)
        if let key {
            try database.cachedStatement(
                sql: "INSERT INTO delivery (key, session, count, last) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [key, keySession, receipt.count, receipt.cursor])
        }
        return receipt
    }

    private mutating func write(_ events: [RunEvent], to session: Session) throws -> Receipt {
        var isNew = false
        for event in events where try !isThere(event.sequence, in: session) {
            isNew = true
            let time = session.start + event.elapsed / session.speed
            try append(
                .event(event.kind.rawValue, sequence: event.sequence, content: event.content.string),
                session: session, time: time, elapsed: event.elapsed)
            if event.kind == .over {
                try database.execute(
                    sql: "UPDATE session SET ended = ?, outcome = ? WHERE number = ?",
                    arguments: [time, event.details.text, session.row])
            }
        }
        return Receipt(isNew: isNew, count: events.count, cursor: records.last?.number ?? 0)
    }

    func receipt(of count: Int) -> Receipt {
        Receipt(isNew: true, count: count, cursor: records.last?.number ?? 0)
    }

    mutating func append(
        _ kind: Record.Kind, session: Session?, time: Double, elapsed: Double? = nil, details: String? = nil
    ) throws {
        let elapsed = elapsed ?? session.map { ((time - $0.start) * 1000).rounded() / 1000 } ?? 0
        let columns: (rate: Double?, name: String?, sequence: Int?, content: String?) =
            switch kind {
            case .heartRate(let rate, let rr): (rate, nil, nil, rr)
            case .begun(let description): (nil, nil, nil, description)
            case .event(let name, let sequence, let content): (nil, name, sequence, content)
            case .note(let text, let author): (nil, author, nil, text)
            case .noteChanged(let note, let text, let author):
                (nil, author, nil, JSON.list([.integer(Int(note)), text.map(JSON.text) ?? .null]).string)
            case .deleted(let content, let author): (nil, author, nil, content)
            }
        try database.cachedStatement(
            sql: """
                INSERT INTO record (session, kind, time, elapsed, received, rate, name, sequence, content, details)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            session?.row, kind.code, time, elapsed, now, columns.rate, columns.name, columns.sequence,
            columns.content, details,
        ])
        records.append(
            Record(
                number: database.lastInsertedRowID, session: session?.identifier, kind: kind, time: time,
                elapsed: elapsed, received: now, details: details))
    }
}

extension Transaction {
    private func session(_ identifier: String) throws -> Session? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(Session.columns) FROM session WHERE id = ?"),
            arguments: [identifier]
        ).map(Session.init)
    }

    /// The participant's session that had most recently begun at a moment; their first one if none had.
    private func nearestSession(of participant: String, at time: Double) throws -> Session? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(Session.columns) FROM session WHERE participant = ?
                    ORDER BY started > ?, abs(started - ?) LIMIT 1
                    """),
            arguments: [participant, time, time]
        ).map(Session.init)
    }

    /// The sender's session of readings for a moment: the last one, or for a late reading the one of that time; a
    /// new one if the sender was silent for a long time before and after.
    private mutating func pushedSession(of sender: Sender, at time: Double) throws -> Session {
        let latest = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(Session.columns), (SELECT time FROM record WHERE session = session.number AND kind = 0
                               ORDER BY time DESC LIMIT 1) AS last
                    FROM session WHERE \(Self.pushed) ORDER BY number DESC LIMIT 1
                    """), arguments: Self.arguments(of: sender))
        if let latest {
            let last: Double = latest["last"] ?? latest["started"]
            let start: Double = latest["started"]
            if (start...max(start, last + Self.silence)).contains(time) { return Session(latest) }
            let near = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT \(Session.columns) FROM record JOIN session ON session.number = record.session
                        WHERE record.kind = 0 AND record.time BETWEEN :from AND :to AND \(Self.pushed)
                        ORDER BY abs(record.time - :time) LIMIT 1
                        """),
                arguments: Self.arguments(of: sender) + [
                    "from": time - Self.silence, "to": time + Self.silence, "time": time,
                ])
            if let near { return Session(near) }
        }
        var description = SessionDescription(
            identifier: Sender.session(try nextNumber(), of: sender.source), kind: .readings, start: time)
        description.source = sender.source
        (description.participant, description.origin) = (sender.participant, sender.origin)
        return try insert(description, text: description.json.string)
    }

    /// The number of the next session: no deleted one had it.
    func nextNumber() throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT max(coalesce((SELECT max(number) FROM session), 0),
                               coalesce((SELECT max(number) FROM deleted), 0)) + 1
                    """)) ?? 1
    }

    /// The condition for sessions of a sender's readings.
    private static let pushed = """
        session.kind = 'readings' AND session.participant IS :participant AND session.source IS :source
        AND json_extract(session.description, '$.origin') IS :origin
        """

    private static func arguments(of sender: Sender) -> StatementArguments {
        ["participant": sender.participant, "source": sender.source, "origin": sender.origin]
    }

    private func receipt(key: String?, session: String) throws -> Receipt? {
        guard let key else { return nil }
        return try Row.fetchOne(
            database.cachedStatement(sql: "SELECT count, last FROM delivery WHERE key = ? AND session = ?"),
            arguments: [key, session]
        ).map { Receipt(isNew: false, count: $0["count"], cursor: $0["last"]) }
    }

    /// Whether a recording of the same participant already contained this reading, because exports grow and repeat
    /// earlier readings.
    private func isImported(_ rate: Double, at time: Double, as session: Session) throws -> Bool {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT 1 FROM record JOIN session AS other ON other.number = record.session
                    WHERE record.time = ?1 AND record.kind = 0 AND record.rate = ?2 AND other.kind = ?3
                    AND other.participant IS (SELECT participant FROM session WHERE number = ?4)
                    """), arguments: [time, rate, session.kind, session.row]) != nil
    }

    private func isThere(_ sequence: Int, in session: Session) throws -> Bool {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM record WHERE session = ? AND sequence = ?"),
            arguments: [session.row, sequence]) != nil
    }
}

extension Transaction.Session {
    fileprivate init(_ row: Row) {
        self.init(
            row: row["number"], identifier: row["id"], start: row["started"], kind: row["kind"],
            speed: row["speed"] ?? 1)
    }
}
