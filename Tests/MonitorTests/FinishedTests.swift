import MonitorInterface
import Testing
import TextFormat

@testable import Monitor

/// Sessions that are over, and how far studies have come.
@Suite struct FinishedTests {
    private static let start = 1_700_000_000.0

    private func begin(_ identifier: String, kind: String = "run", at start: Double) throws -> Entry {
        .begin(
            try SessionDescription(
                json: ["id": .text(identifier), "kind": .text(kind), "startedAt": .real(start)], now: 0))
    }

    private func events(_ text: String, of session: String) throws -> Entry {
        .events(try RunEvent.all(in: json(#"{"events": [\#(text)]}"#)), session: session)
    }

    private func take(_ entries: [Entry], _ store: Store, at now: Double = start + 100) async throws {
        for receipt in try await store.commit(entries, now: now).receipts { _ = try receipt.get() }
    }

    @Test func `lists what is over with its end, its quality, and what was received`() async throws {
        let store = try scratchStore()
        let readings = [0.0, 1, 2, 9, 10].map { Reading(beatsPerMinute: 60, elapsed: $0) }
        try await take(
            [
                begin("over", at: Self.start), .readings(readings, session: "over", key: nil),
                events(
                    """
                    {"sequence": 1, "kind": "over", "elapsed": 11, "text": "completed"},
                    {"sequence": 2, "kind": "quality", "elapsed": 11,
                     "quality": {"coverage": 0.62, "longestGap": 7, "pauses": 0, "underruns": 0, "problems": 0, "poor": true}}
                    """, of: "over"),
                begin("killed", at: Self.start + 1), .alive(session: "killed"),
                begin("import-1", kind: "import", at: Self.start - 5), begin("on", at: Self.start + 2),
            ], store)
        try await take([.alive(session: "on")], store, at: Self.start + 110)
        let told = try await store.finished(before: nil, now: Self.start + 111)
        let sessions = try #require(told["sessions"]?.list)
        #expect(sessions.map { $0["id"] } == ["killed", "over", "import-1"] && told["more"] == false)
        #expect(sessions[0]["state"] == "lost" && sessions[0]["quality"] == nil)
        #expect(sessions[1]["outcome"] == "completed" && sessions[1]["quality"]?["poor"] == true)
        #expect(sessions[1]["quality"]?["coverage"] == 0.62)
        let received = sessions[1]["received"]
        #expect(received?["readings"] == 5 && received?["gaps"] == 1 && received?["gapSeconds"] == 7.0)
        #expect(sessions[2]["received"]?["readings"] == 0)
        // A reading that comes late is counted too.
        try await take(
            [.readings([Reading(beatsPerMinute: 60, elapsed: 5)], session: "over", key: nil)], store)
        let again = try await store.finished(before: Self.start + 1, now: Self.start + 111)
        #expect(again["sessions"]?.list?.map { $0["id"] } == ["over", "import-1"])
        #expect(again["sessions"]?.list?.first?["received"]?["gaps"] == 0)
    }

    @Test func `lists a hundred at a time`() async throws {
        let store = try scratchStore()
        try await take(
            try (0..<130).map { try begin("import-\($0)", kind: "import", at: Self.start + Double($0)) },
            store)
        let first = try await store.finished(before: nil, now: Self.start)
        #expect(first["sessions"]?.list?.count == 100 && first["more"] == true)
        let last = try #require(first["sessions"]?.list?.last?["startedAt"]?.number)
        let rest = try await store.finished(before: last, now: Self.start)
        #expect(rest["sessions"]?.list?.count == 30 && rest["more"] == false)
    }

    private static let progress = """
        {"study": "calm", "date": 1700000000, "participants": 3, "completed": 4, "incomplete": 1, "excluded": 0,
         "poor": 1, "arms": {"short": 2, "long": 1}, "orders": [{"block": "music", "distinct": 2, "counts": {"a, b": 2, "b, a": 1}}],
         "toCome": [{"participant": "P02", "session": "week2", "state": "due", "when": "today"}]}
        """

    @Test func `keeps the newest that each room tells of a study`() async throws {
        let store = try scratchStore()
        let early = try StudyProgress(of: "calm", json: json(Self.progress))
        let later = try StudyProgress(
            of: "calm",
            json: json(
                Self.progress.replacing("1700000000", with: "1700000060").replacing(": 4", with: ": 5")))
        try await store.keep(later, from: "room-1", now: Self.start + 60)
        try await store.keep(early, from: "room-1", now: Self.start + 70)
        try await store.keep(early, from: "room-2", now: Self.start + 70)
        let told = try await store.progress()
        #expect(told.map { $0["source"] } == ["room-1", "room-2"])
        #expect(told.map { $0["completed"] } == [5, 4])
        #expect(told[0]["arms"]?["short"] == 2 && told[0]["toCome"]?.list?.count == 1)
        #expect(told[0]["orders"]?.list?.first?["counts"]?["b, a"] == 1)
    }

    @Test(arguments: [
        ("calm", #"{"study": "other", "date": 1700000000}"#), ("calm", "{}"), ("calm", "[]"),
        ("calm", progress.replacing("1700000000", with: "17")),
        ("calm", progress.replacing(#""short": 2"#, with: #""short": -2"#)),
        ("calm", progress.replacing(#""short": 2"#, with: #""short": "two""#)),
        ("calm", progress.replacing(#""when": "today""#, with: #""why": "today""#)),
        ("calm", progress.replacing(#""poor": 1"#, with: #""poor": 1.5"#)),
        ("calm", progress.replacing(#""block": "music","#, with: "")),
    ])
    func `refuses other words`(study: String, body: String) throws {
        #expect(throws: Refusal.self) { try StudyProgress(of: study, json: try json(body)) }
    }
}
