import HTTPTypes
import Logging
import MonitorInterface
import StudyModel
import Testing
import TextFormat

@testable import Monitor

@Suite struct AlarmKeeperTests {
    private static let start = 1_700_000_000.0

    private let store: Store
    private let feed = Feed(limits: Limits())

    init() throws { store = try scratchStore() }

    private func keeper(_ rules: [AlarmRule] = [], now: Double = start) -> AlarmKeeper {
        AlarmKeeper(
            store: store, feed: feed, requests: RunRequests(feed), rules: rules,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { now })
    }

    private func begin(alarms: String?) async throws {
        let alarms = alarms.map { ", \"alarms\": \($0)" } ?? ""
        let description = try SessionDescription(
            json: json(
                #"{"id": "run", "startedAt": 1700000000, "participant": "P07", "origin": "simulated"\#(alarms)}"#
            ), now: 0)
        try await commit([.begin(description), .alive(session: "run")], at: 0)
    }

    private func commit(_ entries: [Entry], at second: Double) async throws {
        let commit = try await store.commit(entries, now: Self.start + second)
        for receipt in commit.receipts { _ = try receipt.get() }
    }

    private func rate(_ rate: Double) -> Entry {
        .readings([Reading(beatsPerMinute: rate)], session: "run", key: nil)
    }

    private func alarms() async throws -> [StoredAlarm] { try await store.alarms(of: "run") }

    @Test func `the rules of a study go before those of the server`() async throws {
        let server = [AlarmRule.below(80, for: .seconds(1))]
        for (own, kinds) in [
            (nil, [AlarmRule.Kind.below]), (#"[{"kind": "above", "limit": 60, "for": 1}]"#, [.above]),
        ] {
            let test = try Self()
            try await test.begin(alarms: own)
            let keeper = test.keeper(server)
            for second in 0...3 {
                try await test.commit([test.rate(70)], at: Double(second))
                try await keeper.look(at: Self.start + Double(second))
            }
            #expect(try await test.alarms().map(\.rule.kind) == kinds)
        }
    }

    @Test func `an alarm is kept with its times, and outlives the monitor`() async throws {
        try await begin(alarms: #"[{"kind": "above", "limit": 170, "for": 2}, {"kind": "runDead"}]"#)
        let first = keeper()
        for second in 0...3 {
            try await commit([rate(180 + Double(second))], at: Double(second))
            try await first.look(at: Self.start + Double(second))
        }
        var alarm = try #require(try await alarms().first)
        #expect(alarm.rule == .above(170, for: .seconds(2)) && alarm.rate == 182)
        #expect(alarm.began == Self.start + 2 && alarm.ended == nil && alarm.acknowledged == nil)
        _ = try await store.acknowledge(alarm.number, by: "anna", at: Self.start + 5)
        _ = try await store.acknowledge(alarm.number, by: "bob", at: Self.start + 6)
        // Another monitor takes over a minute later: the alarm goes on, and nobody was dead meanwhile.
        let second = keeper()
        try await commit([.alive(session: "run")], at: 60)
        try await second.look(at: Self.start + 60)
        try await second.look(at: Self.start + 61)
        #expect(try await alarms().count == 1)
        try await commit([rate(120)], at: 62)
        try await second.look(at: Self.start + 62)
        alarm = try #require(try await alarms().first)
        #expect(alarm.ended == Self.start + 62)
        #expect(alarm.acknowledged == Self.start + 5 && alarm.author == "anna")
        #expect(alarm.json["began"] == .real(Self.start + 2) && alarm.json["author"] == "anna")
        #expect(alarm.json["mark"] == nil)
    }

    @Test func `runs without rules, and readings without a run, raise nothing`() async throws {
        try await begin(alarms: nil)
        let keeper = keeper()
        try await commit(
            [rate(250), .pushed([Reading(beatsPerMinute: 250)], by: Sender(), key: nil)], at: 1)
        for second in 1...20 { try await keeper.look(at: Self.start + Double(second)) }
        #expect(try await store.alarms(now: Self.start + 20).isEmpty)
    }

    @Test func `a killed run raises an alarm once, which ends with the run`() async throws {
        try await begin(alarms: #"[{"kind": "runDead"}]"#)
        let keeper = keeper()
        try await keeper.look(at: Self.start)
        for second in 1...8 { try await keeper.look(at: Self.start + Double(second)) }
        #expect(try await alarms().map(\.began) == [Self.start + 5])
        let over = try RunEvent.all(in: json(#"{"events": [{"sequence": 1, "kind": "over", "elapsed": 1}]}"#))
        try await commit([.events(over, session: "run")], at: 9)
        try await keeper.look(at: Self.start + 9)
        #expect(try await alarms().map(\.ended) == [Self.start + 9])
    }

    @Test func `a silent microphone is heard of by events`() async throws {
        try await begin(alarms: #"[{"kind": "microphoneSilent", "for": 5}]"#)
        let keeper = keeper()
        let event = #"{"events": [{"sequence": 1, "kind": "microphone", "elapsed": 1, "state": "silent"}]}"#
        try await commit([.events(try RunEvent.all(in: json(event)), session: "run")], at: 1)
        for second in 1...8 {
            try await commit([.alive(session: "run")], at: Double(second))
            try await keeper.look(at: Self.start + Double(second))
        }
        #expect(try await alarms().map(\.began) == [Self.start + 6])
    }

    @Test func `erasing a participant erases the alarms`() async throws {
        try await begin(alarms: #"[{"kind": "runDead"}]"#)
        let keeper = keeper()
        for second in 0...8 { try await keeper.look(at: Self.start + Double(second)) }
        let raised = try await store.alarms(now: Self.start + 9)
        #expect(raised.map { $0.json["origin"] } == ["simulated"], "an alarm says that no person is at risk")
        _ = try store.erase(participant: "P07", now: Self.start + 10)
        #expect(try await store.alarms(now: Self.start + 11).isEmpty)
        try await keeper.look(at: Self.start + 12)
    }

    @Test func `what a run is told is a mark of a kind of its own`() throws {
        var alarm = StoredAlarm(
            number: 1, session: "run", rule: .above(170, for: .seconds(10)), rate: 182.4, began: 5)
        #expect(alarm.untold == [.beginning])
        (alarm.acknowledged, alarm.author) = (7, "anna")
        #expect(alarm.untold == [.beginning, .acknowledgement])
        #expect(
            alarm.request(.beginning).json == [
                "kind": "alarm", "pressed": 5.0, "text": "heart rate above 170 bpm for 10 s (182 bpm)",
                "uncertainty": 0.0,
            ])
        let acknowledgement = alarm.request(.acknowledgement).json
        #expect(acknowledgement["kind"] == "acknowledgement" && acknowledgement["by"] == "anna")
        alarm.marks = [.beginning: .kept, .acknowledgement: .unknown]
        #expect(alarm.untold == [] && alarm.json["acknowledgementMark"] == "unknown")
    }

    @Test(arguments: [
        #"{"kind": "above", "limit": 170, "for": 10}"#, #"["above"]"#, #"[{"kind": "above", "for": 10}]"#,
        #"[{"kind": "above", "limit": 170, "for": 1e300}]"#, #"[{"kind": "loud", "for": 10}]"#,
        #"[{"kind": "signalLost", "for": 10, "more": 1}]"#, #"[{"kind": "runDead"}, {"kind": "runDead"}]"#,
    ])
    func `rules that mean nothing are refused`(alarms: String) throws {
        let body = #"{"id": "run", "alarms": \#(alarms)}"#
        #expect(throws: Refusal.self) { try SessionDescription(json: json(body), now: 0) }
    }

    @Test func `only a token for it acknowledges an alarm, and nobody else makes one up`() async throws {
        try await begin(alarms: #"[{"kind": "runDead"}]"#)
        let keeper = keeper()
        for second in 0...8 { try await keeper.look(at: Self.start + Double(second)) }
        let number = try #require(try await alarms().first).number
        let tokens = try Scope.allCases.map { try store.createToken(named: "\($0)", scopes: [$0], now: 0) }
        try await withMonitor(store: store) { client in
            let path = "/api/alarms/\(number)"
            #expect(try await client.post(path, "{}").status == .unauthorized)
            for (scope, token) in zip(Scope.allCases, tokens) {
                let headers: HTTPFields = [.authorization: "Bearer \(token)"]
                let answer = try await client.post(path, "{}", headers: headers)
                #expect(answer.status == (scope == .control ? .ok : .forbidden), "\(scope)")
                guard scope == .control else { continue }
                #expect(try answer.json["author"] == "control")
                let missing = try await client.post("/api/alarms/99", "{}", headers: headers)
                #expect(missing.status == .notFound)
                let own = #"{"kind":"alarm","text":"x","pressed":1479686400}"#
                let made = try await client.post("/api/sessions/run/requests", own, headers: headers)
                #expect(made.status.code == 422)
            }
            let listed = try await client.get("/api/sessions/run/alarms").json["alarms"]?.list
            #expect(listed?.map { $0["author"] } == ["control"])
            #expect(try await client.get("/api/sessions/other/alarms").status == .notFound)
            #expect(try await client.get("/api/alarms").status == .ok)
        }
    }
}
