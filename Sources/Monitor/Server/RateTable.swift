import GRDB
import HTTPTypes
import Hummingbird
import NIOCore
import Results
import StudyModel
import TextFormat

/// Heart rates as CSV, in the order in which they were measured, read from the store piece by piece.
struct RateTable: AsyncSequence, Sendable {
    let store: Store
    /// Which heart rates.
    let selection: Selection

    /// Which heart rates a table holds.
    enum Selection: Hashable, Sendable {
        case session(String)
        /// Those measured between two moments, seconds since 1970, of everybody or of one participant.
        case times(Range<Double>, participant: String?)
    }

    static let contentType = "text/csv; charset=utf-8"

    func makeAsyncIterator() -> Iterator { Iterator(store: store, selection: selection) }

    /// Pieces of the table: its head, then whole lines.
    struct Iterator: AsyncIteratorProtocol {
        let store: Store
        let selection: Selection
        /// The last heart rate of the piece before; `nil` before the head.
        private var last: RateRow.Place?

        init(store: Store, selection: Selection) { (self.store, self.selection) = (store, selection) }

        mutating func next() async throws -> ByteBuffer? {
            guard let last else {
                self.last = RateRow.Place(time: -.infinity, number: 0)
                return ByteBuffer(string: RateRow.head)
            }
            let rows = try await store.rates(selection, after: last)
            guard let newest = rows.last else { return nil }
            self.last = newest.place
            return ByteBuffer(string: rows.map(\.line).joined())
        }
    }
}

/// A line of such a table.
struct RateRow: Sendable {
    /// Where a heart rate stands among all.
    struct Place: Hashable, Sendable {
        /// Seconds since 1970.
        var time: Double
        /// The number of its record.
        var number: Int64
    }

    static let head = "session,participant,source,origin,time,t_seconds,elapsed_seconds,bpm,rr_seconds\n"

    var place: Place
    /// Seconds since the session's start.
    var elapsed: Double
    /// Beats per minute.
    var rate: Double
    /// Seconds between beats, as a JSON list; `nil` if none were sent.
    var intervals: String?
    var session: String
    var participant: String?
    var source: String?
    /// `simulated` or `replayed`; `nil` for a participant's own heart.
    var origin: String?

    /// The moment in UTC, to the millisecond.
    private var time: String {
        let milliseconds = Int64((place.time * 1000).rounded())
        let (second, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let clock = WallClock(seconds: second, nanoseconds: 0, utcOffset: 0, zone: "UTC")
        return "\(clock.date(of: .start).prefix(19)).\(digits(Int(rest), 3))Z"
    }

    /// The line, with its end. Intervals stand in one cell, with blanks between them.
    var line: String {
        let texts = [session, participant, source, origin].map { $0.map(CommaSeparated.cell) ?? "" }
        let intervals = intervals.flatMap { JSON(stored: $0) }?.list?.compactMap(\.number) ?? []
        let numbers = [place.time, elapsed, rate].map { "\($0)" }
        let all = texts + [time] + numbers + [intervals.map { "\($0)" }.joined(separator: " ")]
        return all.joined(separator: ",") + "\n"
    }
}

extension Store {
    /// How many lines are read at a time.
    private static let rowsAtATime = 5000

    /// The next heart rates of a table.
    func rates(_ selection: RateTable.Selection, after last: RateRow.Place) async throws -> [RateRow] {
        try await pool.read { database in
            var arguments: StatementArguments = [
                "time": last.time, "number": last.number, "limit": Self.rowsAtATime,
            ]
            let filter: String
            switch selection {
            case .session(let identifier):
                filter = "session.id = :session"
                arguments += ["session": identifier]
            case .times(let span, let participant):
                filter = """
                    record.time >= :from AND record.time < :to
                    AND (:participant IS NULL OR session.participant = :participant)
                    """
                arguments += ["from": span.lowerBound, "to": span.upperBound, "participant": participant]
            }
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT record.number, time, elapsed, rate, content, session.id, session.participant,
                            session.source, json_extract(session.description, '$.origin')
                        FROM record JOIN session ON session.number = record.session
                        WHERE record.kind = 0 AND (record.time, record.number) > (:time, :number) AND \(filter)
                        ORDER BY record.time, record.number LIMIT :limit
                        """), arguments: arguments)
            return rows.map { row in
                RateRow(
                    place: RateRow.Place(time: row[1], number: row[0]), elapsed: row[2], rate: row[3],
                    intervals: row[4], session: row[5], participant: row[6], source: row[7], origin: row[8])
            }
        }
    }
}

extension MonitorResponder {
    func table(ofSession identifier: String) async throws(Refusal) -> Response {
        // An unknown session is no empty table.
        _ = try await session(identifier)
        return table(.session(identifier), named: identifier)
    }

    func table(of day: CivilDay?, _ request: Request) throws(Refusal) -> Response {
        let (day, participant) = try asked(day, request)
        let name = [day.text, participant.map { $0.filter { Route.isIdentifier(String($0)) } }]
        return table(
            .times(day.start..<day.end, participant: participant),
            named: name.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "-"))
    }

    private func table(_ selection: RateTable.Selection, named name: String) -> Response {
        var headers: HTTPFields = [.contentType: RateTable.contentType, .cacheControl: "no-store"]
        headers[.contentDisposition] = "attachment; filename=\"heart-rate-\(name).csv\""
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody(asyncSequence: RateTable(store: store, selection: selection)))
    }
}
