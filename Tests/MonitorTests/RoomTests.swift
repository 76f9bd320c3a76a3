import MonitorInterface
import Results
import Testing
import TextFormat

@testable import Monitor

@Suite struct RoomTests {
    private static let start = 1_700_000_000.0

    private func description(_ source: String? = nil) throws -> SessionDescription {
        var description = try SessionDescription(
            json: json(
                """
                {"id": "run", "startedAt": \(Int(Self.start)), "participant": "P01", "steps": [
                    {"identifier": "rest", "title": "Rest", "duration": 60, "expected": [[0, 60, 50, 70]]},
                    {"identifier": "end"}]}
                """), now: 0)
        description.source = source
        return description
    }

    private func event(_ sequence: Int, _ kind: RunEventKind, at elapsed: Double, _ details: String) throws
        -> Entry
    {
        .events(
            try RunEvent.all(
                in: json(
                    """
                    {"events": [{"sequence": \(sequence), "kind": "\(kind.rawValue)", "elapsed": \(elapsed), \(details)}]}
                    """)), session: "run")
    }

    private func room(_ store: Store, now: Double) async throws -> JSON {
        try #require(try await store.sessions(now: now).first)
    }

    @Test func `says the step, its beginning, the sources and the last minutes of a session that goes on`()
        async throws
    {
        let store = try scratchStore()
        let readings = [(12.0, 60.0), (18, 64), (25, 70)].map { Reading(beatsPerMinute: $1, elapsed: $0) }
        let entries = [
            .begin(try description("room-3")), .readings(readings, session: "run", key: nil),
            try event(1, .stepShown, at: 1, #""step": "rest""#),
            try event(2, .stepStarted, at: 5, #""step": "rest""#),
            try event(3, .sourceState, at: 6, #""source": "heartRate", "state": "lost", "text": "gone""#),
            try event(4, .sourceState, at: 7, #""source": "heartRate", "state": "live""#),
        ]
        _ = try await store.commit(entries, now: Self.start + 30)
        let room = try await room(store, now: Self.start + 31)
        #expect(room["source"] == "room-3")
        #expect(room["progress"] == ["step": "rest", "since": .real(Self.start + 5)])
        #expect(room["sources"] == [["name": "heartRate", "state": "live"]])
        #expect(
            room["recent"] == [[.real(Self.start + 10), .real(62)], [.real(Self.start + 20), .real(70)]])
        // Of what is expected, only that of now and of the next step is told.
        #expect(room["steps"]?.list?.map { $0["expected"] != nil } == [true, false])
        #expect(room["steps"]?.list?.first?["expected"] == [.list([0, 60, 50, 70].map(JSON.real))])
    }

    @Test func `says what the readings of each source are like, and how far the sender's clock is off`()
        async throws
    {
        let store = try scratchStore()
        let entries = [
            .begin(try description()),
            .readings(
                [Reading(beatsPerMinute: 60, elapsed: 1), Reading(beatsPerMinute: 60, elapsed: 2)],
                session: "run", key: nil),
            try event(1, .sourceState, at: 1, #""source": "heartRate", "state": "live""#),
            try event(
                2, .source, at: 2,
                #""source": "heartRate", "condition": {"battery": 87, "missing": 3, "model": "H10"}"#),
            try event(3, .source, at: 2, #""source": "cuff", "condition": {"gaps": 1}"#),
        ]
        _ = try await store.commit(entries, now: Self.start + 5.5)
        let room = try await room(store, now: Self.start + 6)
        #expect(room["steps"]?.list?.map { $0["expected"] != nil } == [false, false])
        #expect(
            room["sources"] == [
                ["name": "cuff", "condition": ["gaps": 1]],
                [
                    "name": "heartRate", "state": "live",
                    "condition": ["battery": 87, "missing": 3, "model": "H10"],
                ],
            ])
        #expect(room["clockOffset"] == nil, "what comes at once may have waited")
        for number in 0..<10 {
            let reading = Reading(beatsPerMinute: 60, elapsed: 10 + Double(number))
            _ = try await store.commit(
                [.readings([reading], session: "run", key: nil)],
                now: Self.start + 13.5 + Double(number) + (number == 4 ? 0 : 0.25))
        }
        let later = try await self.room(store, now: Self.start + 25)
        #expect(later["clockOffset"] == 3.5, "behind, what the way takes included")
    }

    @Test(arguments: [#"{"battery": "87"}"#, "[87]", #"{"battery": {}}"#])
    func `takes only figures of a source`(condition: String) {
        #expect(throws: Refusal.self) {
            try RunEvent.all(
                in: json(
                    #"{"events": [{"sequence": 1, "kind": "source", "elapsed": 1, "condition": \#(condition)}]}"#
                ))
        }
    }

    @Test func `says nothing of that for a session that is over, and nothing older than five minutes`()
        async throws
    {
        let store = try scratchStore()
        let readings = [Reading(beatsPerMinute: 60, elapsed: 1)]
        _ = try await store.commit(
            [.begin(try description()), .readings(readings, session: "run", key: nil)], now: Self.start + 2)
        #expect(try await room(store, now: Self.start + 400)["recent"] == nil)
        _ = try await store.commit(
            [
                try event(1, .stepShown, at: 1, #""step": "rest""#),
                try event(2, .over, at: 3, #""text": "completed""#),
            ],
            now: Self.start + 4)
        let room = try await room(store, now: Self.start + 5)
        for key in ["steps", "progress", "recent", "sources"] { #expect(room[key] == nil, "\(key)") }
    }

    @Test func `knows a run that another token tells of again`() async throws {
        let store = try scratchStore()
        var other = try description("room-3")
        other.participant = "P02"
        let commit = try await store.commit(
            [.begin(try description("room-3")), .begin(try description("deliverer")), .begin(other)],
            now: Self.start)
        #expect(try commit.receipts.prefix(2).map { try $0.get().isNew } == [true, false])
        #expect(throws: Refusal.self) { try commit.receipts[2].get() }
        #expect(try await room(store, now: Self.start)["source"] == "room-3")
    }

    @Test func `gives the events of a day the titles of their steps`() async throws {
        let store = try scratchStore()
        _ = try await store.commit(
            [
                .begin(try description()),
                try event(1, .stepStarted, at: 1, #""step": "rest", "ordinal": 1"#),
                try event(2, .stepStarted, at: 70, #""step": "end", "ordinal": 2"#),
            ], now: Self.start + 80)
        let day = try await store.chart(
            of: CivilDay(at: Self.start), participant: "P01", now: Self.start + 90)
        let titles = day["events"]?.list?.dropFirst().map { $0["title"] }
        #expect(titles == ["Rest", nil])
    }

    @Test func `reads tokens while others read, on however few cores`() async throws {
        let store = try scratchStore()
        _ = try store.createToken(named: "room-3", scopes: [.ingest], now: Self.start)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let count = try store.tokens().count
                    return try await count + store.sessions(now: Self.start).count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(counts == 200)
    }
}
