import GRDB
import Physiology
import Results
import TextFormat

extension Store {
    /// Participants' codes, in order.
    func participants() async throws -> [String] {
        try await pool.read {
            try String.fetchAll(
                $0, sql: "SELECT DISTINCT participant FROM session WHERE participant IS NOT NULL ORDER BY 1")
        }
    }

    /// A day's chart.
    ///
    /// - Parameters:
    ///   - participant: whose sessions to take; `nil` takes all, pushed readings too.
    ///   - now: seconds since 1970, for the forecast of today.
    func chart(of day: CivilDay, participant: String?, now: Double) async throws -> JSON {
        try await pool.read { database in
            let reading = DayReading(database: database, day: day, participant: participant)
            let sessions = try reading.descriptions()
            var object = JSON.Object([
                "date": .text(day.text), "previous": .text(day.previous.text), "next": .text(day.next.text),
                "start": .real(day.start), "end": .real(day.end), "hours": day.hours, "now": .real(now),
                "today": .text(CivilDay(at: now).text),
                "heartRate": try reading.minutes(), "events": try reading.events(of: sessions),
                "expected": try reading.expected(of: sessions), "limits": try reading.limits().json,
            ])
            object["summary"] = try reading.summary()
            let origins = try reading.origins()
            if !origins.isEmpty { object["origins"] = .texts(origins) }
            object["people"] = try reading.people()
            if object["people"] == nil { object["forecast"] = try reading.forecast(now: now) }
            return .object(object)
        }
    }
}

/// What one day's chart is made of.
private struct DayReading {
    let database: Database
    let day: CivilDay
    let participant: String?

    private var filter: String {
        participant == nil
            ? "" : "AND session IN (SELECT number FROM session WHERE participant = :participant)"
    }

    private func arguments(from start: Double? = nil, to end: Double? = nil) -> StatementArguments {
        let ends: [String: (any DatabaseValueConvertible)?] = [
            "from": start ?? day.start, "to": end ?? day.end,
        ]
        guard let participant else { return StatementArguments(ends) }
        return StatementArguments(ends.merging(["participant": participant]) { $1 })
    }

    /// `[t, mean, minimum, maximum]` of each minute that has samples.
    func minutes() throws -> JSON {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT CAST((time - :from) / 60 AS INTEGER) AS minute, avg(rate), min(rate), max(rate)
                FROM record WHERE kind = 0 AND time >= :from AND time < :to \(filter) GROUP BY minute
                """, arguments: arguments())
        return .list(
            rows.map { row in
                let minute: Double = row[0]
                return [
                    .real(day.start + minute * 60 + 30), .real(rounded(row[1])), .real(rounded(row[2])),
                    .real(rounded(row[3])),
                ]
            })
    }

    /// What made readings of the day, besides people: `simulated`, `replayed`.
    func origins() throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT DISTINCT json_extract(description, '$.origin') AS origin FROM session
                WHERE origin IS NOT NULL AND number IN (SELECT session FROM record
                    WHERE kind = 0 AND time >= :from AND time < :to \(filter)) ORDER BY origin
                """, arguments: arguments())
    }

    /// A line of the chart: what one sensor told of one heart, or several that took turns.
    private struct Line {
        var name: String
        var origin: String?
        /// The sender, where another one told of the same heart in the same minute.
        var source: String?
        var minutes: [(minute: Double, rate: Double)]
    }

    /// The minutes of each whose readings the day holds, by participant or else by source, and apart what people did not
    /// make and what several sensors told at once; `nil` for one alone. The mean of several is no heart's rate.
    func people() throws -> JSON? {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT coalesce(session.participant, session.source, '') AS person,
                    json_extract(session.description, '$.origin') AS origin, session.source AS sender,
                    CAST((record.time - :from) / 60 AS INTEGER) AS minute, avg(record.rate)
                FROM record JOIN session ON session.number = record.session
                WHERE record.kind = 0 AND record.time >= :from AND record.time < :to \(filter)
                GROUP BY person, origin, sender, minute ORDER BY person, origin, sender, minute
                """, arguments: arguments())
        var lines: [Line] = []
        for row in rows {
            let (name, origin, source): (String, String?, String?) = (row[0], row[1], row[2])
            if lines.last.map({ ($0.name, $0.origin, $0.source) == (name, origin, source) }) != true {
                lines.append(Line(name: name, origin: origin, source: source, minutes: []))
            }
            lines[lines.count - 1].minutes.append((row[3], row[4]))
        }
        lines = Self.merged(lines)
        guard lines.count > 1 else { return nil }
        return .list(
            lines.map { line in
                .members([
                    "name": .text(line.name), "origin": line.origin.map { .text($0) },
                    "source": line.source.map { .text($0) },
                    "heartRate": .list(
                        line.minutes.map {
                            [.real(day.start + $0.minute * 60 + 30), .real(rounded($0.rate))]
                        }),
                ])
            })
    }

    /// Sensors of one heart that never told of the same minute are one line.
    private static func merged(_ lines: [Line]) -> [Line] {
        var made: [Line] = []
        var rest = lines[...]
        while let first = rest.first {
            let own = rest.prefix { ($0.name, $0.origin) == (first.name, first.origin) }
            rest = rest.dropFirst(own.count)
            let minutes = own.flatMap(\.minutes).sorted { $0.minute < $1.minute }
            let isShared = zip(minutes, minutes.dropFirst()).contains { $0.minute == $1.minute }
            if isShared {
                made += own
            } else {
                made.append(Line(name: first.name, origin: first.origin, source: nil, minutes: minutes))
            }
        }
        return made
    }

    /// To a tenth.
    private func rounded(_ rate: Double) -> Double { (rate * 10).rounded() / 10 }

    /// The mean is that of minutes, so that a run at one sample a second weighs no more than a watch.
    func summary() throws -> JSON? {
        guard
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT sum(count), min(minimum), avg(mean), max(maximum) FROM (
                        SELECT count(*) AS count, min(rate) AS minimum, avg(rate) AS mean, max(rate) AS maximum
                        FROM record WHERE kind = 0 AND time >= :from AND time < :to \(filter)
                        GROUP BY CAST((time - :from) / 60 AS INTEGER))
                    """, arguments: arguments()), let count = row[0] as Int?
        else { return nil }
        return [
            "count": .integer(count), "minimum": .real(rounded(row[1])), "mean": .real(rounded(row[2])),
            "maximum": .real(rounded(row[3])),
        ]
    }

    /// Sessions' beginnings, what a researcher looks for among their events, and notes; steps with their titles.
    func events(of sessions: [AnnouncedSession]) throws -> JSON {
        let notes = participant == nil ? "" : "OR (kind = 3 AND session IS NULL)"
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT record.*, (SELECT id FROM session WHERE number = record.session) AS sessionID FROM record
                WHERE time >= :from AND time < :to AND kind BETWEEN 1 AND 3
                AND (kind <> 2 OR name IN ('stepStarted', 'stimulusOnset', 'rating', 'marked', 'over'))
                AND (1 \(filter) \(notes)) ORDER BY time LIMIT 2000
                """, arguments: arguments())
        let changes = try changedNotes()
        let titles = Dictionary(sessions.map { ($0.identifier, $0.titles) }) { $1 }
        return .list(
            rows.compactMap(Record.init).compactMap { record in
                guard var object = record.json.object else { return nil }
                object["number"] = .integer(Int(record.number))
                if case .event = record.kind, let step = object["step"]?.text {
                    object["title"] = record.session.flatMap { titles[$0]?[step] }
                }
                if case .note = record.kind, let change = changes[record.number] {
                    guard let text = change["text"] else { return nil }
                    object["text"] = text
                    if let figures = change["figures"]?.object {
                        for key in NoteDetails.keys { object[key] = figures[key] }
                    }
                    object["changedBy"] = change["author"]
                    object["changedAt"] = change["received"]
                }
                if case .begun = record.kind {
                    object["kind"] = "begun"
                    if var description = object["description"]?.object {
                        description["steps"] = nil
                        object["description"] = .object(description)
                    }
                }
                return .object(object)
            })
    }

    /// The last change of each of the day's notes, with the figures that it has since then.
    private func changedNotes() throws -> [Int64: JSON] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT record.*, NULL AS sessionID FROM record
                WHERE kind = 4 AND time >= :from AND time < :to ORDER BY number
                """, arguments: StatementArguments(["from": day.start, "to": day.end]))
        var changes: [Int64: JSON] = [:]
        for record in rows.compactMap(Record.init) {
            guard case .noteChanged(let note, _, _) = record.kind, var change = record.json.object else {
                continue
            }
            change["figures"] = change["figures"] ?? changes[note]?["figures"]
            changes[note] = .object(change)
        }
        return changes
    }

    /// A session as it was told of when it began.
    struct AnnouncedSession {
        var row: Int64
        var identifier: String
        var speed: Double
        var steps: [JSON]
        /// The titles of steps by their identifiers.
        var titles: [String: JSON] {
            Dictionary(
                steps.compactMap { step in
                    guard let identifier = step["identifier"]?.text, let title = step["title"] else {
                        return nil
                    }
                    return (identifier, title)
                }
            ) { $1 }
        }
    }

    /// The sessions that the day may hold something of.
    func descriptions() throws -> [AnnouncedSession] {
        let own = participant == nil ? "" : "AND participant = :participant"
        return try Row.fetchAll(
            database,
            sql: """
                SELECT number, id, speed, description FROM session WHERE started >= :from - 86400 AND started < :to \(own)
                ORDER BY started
                """, arguments: arguments()
        ).compactMap { row in
            JSON(stored: row["description"]).map { description in
                AnnouncedSession(
                    row: row["number"], identifier: row["id"], speed: row["speed"] ?? 1,
                    steps: description["steps"]?.list ?? [])
            }
        }
    }

    /// Expected curves where their steps were: lists of `[t, rate, low, high]`. Each ends with its step; a step that
    /// lasts longer than planned expects its last value until then.
    func expected(of sessions: [AnnouncedSession]) throws -> JSON {
        var curves: [JSON] = []
        for session in sessions {
            let steps = session.steps.filter { $0["expected"] != nil }
            guard !steps.isEmpty else { continue }
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT name, time, content FROM record
                    WHERE session = ? AND name IN ('stepStarted', 'stepEnded') ORDER BY number
                    """, arguments: [session.row])
            let told = rows.map { row in
                (
                    isStart: row["name"] == "stepStarted", time: row["time"] as Double,
                    step: JSON(stored: row["content"])?["step"]
                )
            }
            for (place, start) in told.enumerated() where start.isStart {
                guard let step = start.step,
                    let points = steps.first(where: { $0["identifier"] == step })?["expected"]?.list
                else { continue }
                let end = told[place...].first { !$0.isStart && $0.step == step }?.time
                let curve = points.compactMap(\.list).map { point in
                    [start.time + (point.first?.number ?? 0) / session.speed]
                        + point.dropFirst().map { $0.number ?? 0 }
                }
                curves.append(.list(Self.ending(curve, at: end).map { .list($0.map(JSON.real)) }))
            }
        }
        return .list(curves)
    }

    /// A curve that ends at a moment: cut there, or with its last value up to there; `nil` leaves it as it is.
    private static func ending(_ curve: [[Double]], at end: Double?) -> [[Double]] {
        guard let end, let last = curve.last, let first = curve.first, end > first[0] else { return curve }
        let kept = curve.filter { $0[0] < end }
        guard let before = kept.last, let after = curve.first(where: { $0[0] >= end }), after[0] > before[0]
        else { return kept + [[end] + last.dropFirst()] }
        let share = (end - before[0]) / (after[0] - before[0])
        return kept + [zip(before, after).map { $0 + share * ($1 - $0) }]
    }

    /// Of the day's last session that says so, else of the participant's last one before; else of an adult at rest.
    func limits() throws -> HeartRateLimits {
        let own = participant == nil ? "AND started >= :from - 86400" : "AND participant = :participant"
        let stored = try String.fetchOne(
            database,
            sql: """
                SELECT description -> 'limits' FROM session
                WHERE started < :to AND description -> 'limits' IS NOT NULL \(own) ORDER BY started DESC
                """, arguments: arguments())
        guard let json = stored.flatMap(JSON.init(stored:)) else { return .adultAtRest }
        do throws(Refusal) { return try HeartRateLimits(json: json) } catch { return .adultAtRest }
    }

    /// Steps of 5 s with a reading, within the last hour, from which on there is a forecast: ten minutes' worth.
    private static let forecastSteps = 120

    /// `[t, rate, low, high]` of the next half hour, a minute apart, where something was measured within the last
    /// minute and enough before; it begins with the last measurement.
    func forecast(now: Double) throws -> JSON? {
        guard (day.start..<day.end).contains(now) else { return nil }
        // What the forecast looks at: an hour, in steps of 5 s.
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT max(time), avg(rate) FROM record WHERE kind = 0 AND time >= :from AND time < :to \(filter)
                GROUP BY CAST((time - :from) / 5 AS INTEGER) ORDER BY 1
                """, arguments: arguments(from: now - HeartRateForecast.farthest, to: now))
        let times: [Double] = rows.map { $0[0] }
        guard let last = times.last, now - last < 60, times.count >= Self.forecastSteps,
            let forecast = HeartRateForecast(times: times, rates: rows.map { $0[1] })
        else { return nil }
        return .list(
            (0...30).map { minute in
                let value = forecast.value(after: Double(minute) * 60)
                return .list(
                    [.real(last + value.after)]
                        + [value.rate, value.low, value.high].map { .real(rounded($0)) })
            })
    }
}
