import GRDB
import Results
import Testing
import TextFormat

@testable import Monitor

@Suite struct StoreTests {
    static let start = 1_700_000_000.0

    private func run(_ identifier: String = "run") throws -> Entry {
        .begin(
            try SessionDescription(json: ["id": .text(identifier), "startedAt": .real(Self.start)], now: 0))
    }

    private func receipts(_ store: Store, _ entries: [Entry], now: Double = start) async throws -> [Receipt] {
        try await store.commit(entries, now: now).receipts.map { try $0.get() }
    }

    private func rates(_ store: Store, _ selection: Selection, after number: Int64 = 0) async throws
        -> [Double]
    {
        try await store.records(of: selection, after: number, samplesOnly: true).map { record in
            guard case .heartRate(let rate, _) = record.kind else { return .nan }
            return rate
        }
    }

    @Test func `syncs every transaction`() throws {
        let store = try scratchStore()
        let (mode, synchronous) = try store.pool.write { database in
            (
                try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(database, sql: "PRAGMA synchronous")
            )
        }
        #expect(mode == "wal" && synchronous == 2)
    }

    @Test func `keeps a request once, however often it comes`() async throws {
        let store = try scratchStore()
        let batch = Entry.readings(
            [Reading(beatsPerMinute: 60), Reading(beatsPerMinute: 61)], session: "run", key: "batch-1")
        let first = try await receipts(store, [try run(), batch, batch])
        let later = try await receipts(store, [batch])
        #expect(first[1].isNew && !first[2].isNew && !later[0].isNew)
        #expect(first[1].cursor == first[2].cursor && first[1].cursor == later[0].cursor)
        #expect(try await rates(store, .session("run")) == [60, 61])
    }

    @Test func `knows a key for its own session only`() async throws {
        let store = try scratchStore()
        let entries = try ["a", "b"].flatMap { name in
            [try run(name), .readings([Reading(beatsPerMinute: 70)], session: name, key: "1")]
        }
        #expect(try await receipts(store, entries).allSatisfy(\.isNew))
    }

    @Test func `passes over events that it has`() async throws {
        let store = try scratchStore()
        func events(_ numbers: ClosedRange<Int>) throws -> Entry {
            let list = numbers.map { ["sequence": .integer($0), "kind": "saved", "elapsed": 1.5] as JSON }
            return .events(try RunEvent.all(in: ["events": .list(list)]), session: "run")
        }
        let told = try await receipts(
            store, [try run(), try events(1...3), try events(2...5), try events(1...5)])
        #expect(told.map(\.isNew) == [true, true, true, false])
        let kept = try await store.records(of: .session("run"), after: 0).compactMap { record -> Int? in
            guard case .event(_, let sequence, _) = record.kind else { return nil }
            return sequence
        }
        #expect(kept == [1, 2, 3, 4, 5])
    }

    @Test func `refuses one entry and keeps its neighbours`() async throws {
        let store = try scratchStore()
        let reading = [Reading(beatsPerMinute: 80)]
        let commit = try await store.commit(
            [
                .readings(reading, session: "nobody", key: nil), try run(),
                .readings(reading, session: "run", key: nil),
            ], now: Self.start)
        let kinds = commit.receipts.map { result -> Refusal.Kind? in
            if case .failure(let refusal) = result { refusal.kind } else { nil }
        }
        #expect(kinds == [.notFound, nil, nil])
        #expect(try await rates(store, .session("run")) == [80])
    }

    @Test func `takes the same session twice and another of its name never`() async throws {
        let store = try scratchStore()
        let other = Entry.begin(try SessionDescription(json: ["id": "run", "startedAt": 1.6e9], now: 0))
        let commit = try await store.commit([try run(), try run(), other], now: Self.start)
        #expect(try commit.receipts.prefix(2).map { try $0.get().isNew } == [true, false])
        guard case .failure(let refusal) = commit.receipts[2] else {
            Issue.record("taken")
            return
        }
        #expect(refusal.kind == .conflict)
    }

    @Test func `gathers pushed readings until a quarter of an hour of silence`() async throws {
        let store = try scratchStore()
        for (index, time) in [0.0, 60, 900, 1900, 1901].enumerated() {
            let reading = Reading(beatsPerMinute: 60 + Double(index))
            _ = try await receipts(
                store, [.pushed([reading], by: Sender(), key: nil)], now: Self.start + time)
        }
        let sessions = try await store.sessions(now: Self.start + 1901)
        #expect(sessions.compactMap { $0["id"]?.text } == ["readings-2", "readings-1"])
        #expect(try await rates(store, .readings(source: nil)) == [60, 61, 62, 63, 64])
        #expect(try await rates(store, .session("readings-2")) == [63, 64])
    }

    private func pushed(_ rate: Double, at time: Double? = nil, by sender: Sender = Sender()) -> Entry {
        .pushed([Reading(beatsPerMinute: rate, time: time.map { Self.start + $0 })], by: sender, key: nil)
    }

    @Test func `readings that come late join the session in which they were measured`() async throws {
        let store = try scratchStore()
        _ = try await receipts(store, [pushed(60, at: 0), pushed(61, at: 600)], now: Self.start + 600)
        _ = try await receipts(store, [pushed(90)], now: Self.start + 7200)
        // A phone that was away sends what it kept, and goes on with what it measures now.
        _ = try await receipts(
            store, [pushed(62, at: 660), pushed(59, at: -30), pushed(91, at: 7201), pushed(40, at: 3600)],
            now: Self.start + 7202)
        #expect(try await rates(store, .session("readings-1")) == [60, 61, 62, 59])
        #expect(try await rates(store, .session("readings-2")) == [90, 91])
        #expect(try await rates(store, .session("readings-3")) == [40])
        let last = try #require(try await store.sessions(only: "readings-1", now: Self.start + 7300).first)
        #expect(last["last"]?["bpm"] == 62.0 && last["last"]?["t"] == .real(Self.start + 660))
    }

    @Test func `two senders are two sessions, each with its participant`() async throws {
        let store = try scratchStore()
        let phones = [Sender(source: "phone-3"), Sender(source: "phone-4", participant: "P07"), Sender()]
        for second in 0..<3 {
            for (index, phone) in phones.enumerated() {
                _ = try await receipts(
                    store, [pushed(60 + 10 * Double(index), at: Double(second), by: phone)],
                    now: Self.start + 3)
            }
        }
        let sessions = try await store.sessions(now: Self.start + 3)
        #expect(
            Set(sessions.compactMap { $0["id"]?.text })
                == ["readings-1-phone-3", "readings-2-phone-4", "readings-3"])
        #expect(try await rates(store, .readings(source: "phone-4")) == [70, 70, 70])
        #expect(try await rates(store, .readings(source: nil)).count == 9)
        #expect(try await store.participants() == ["P07"])
        #expect(
            Sender.isSession("readings-12-a-1", of: "a-1") && !Sender.isSession("readings-12-a-1", of: "1"))
    }

    @Test func `a reading from the future is refused with the time that it is ahead`() async throws {
        let store = try scratchStore()
        _ = try await receipts(store, [pushed(60, at: 4), try run()])
        let ahead = Reading(beatsPerMinute: 61, time: Self.start + 294)
        for entry in [pushed(61, at: 294), Entry.readings([ahead], session: "run", key: nil)] {
            guard case .failure(let refusal) = try await store.commit([entry], now: Self.start).receipts[0]
            else {
                Issue.record("taken")
                return
            }
            #expect(refusal.kind == .unprocessable && refusal.reason.contains("294 seconds ahead"))
        }
        _ = try await receipts(store, [pushed(62)], now: Self.start + 1)
        #expect(try await rates(store, .readings(source: nil)) == [60, 62])
    }

    @Test func `a run that gives no more signs of life is lost after some seconds`() async throws {
        let store = try scratchStore()
        let start = Self.start
        func state(_ now: Double) async throws -> String? {
            try await store.sessions(only: "run", now: start + now).first?["state"]?.text
        }
        _ = try await receipts(store, [try run()])
        #expect(try await state(60) == "running", "it has given none yet, and may be an older program")
        _ = try await receipts(store, [.alive(session: "run")], now: start + 1)
        #expect(try await state(4) == "running")
        #expect(try await state(5.5) == "lost")
        _ = try await receipts(
            store, [.readings([Reading(beatsPerMinute: 70)], session: "run", key: nil)], now: start + 6)
        #expect(try await state(9) == "running")
        #expect(try await store.conditions(now: start + 9) == ["run": .running])
        #expect(try await store.conditions(now: start + 12) == ["run": .lost])
        let over = #"{"events":[{"sequence":1,"kind":"over","elapsed":13,"text":"failed"}]}"#
        _ = try await receipts(
            store, [.events(try RunEvent.all(in: json(over)), session: "run")], now: start + 20)
        #expect(try await state(100) == "over")
        let unknown = try await store.commit([.alive(session: "nobody")], now: start).receipts[0]
        #expect(throws: Refusal.self) { try unknown.get() }
    }

    @Test func `what a run at tenfold speed tells is not in the future`() async throws {
        let store = try scratchStore()
        let about = try SessionDescription(
            json: ["id": "run", "startedAt": .real(Self.start), "speed": 10], now: 0)
        let event = #"{"events":[{"sequence":1,"kind":"stepStarted","elapsed":300,"step":"effort"}]}"#
        _ = try await receipts(
            store,
            [
                .begin(about), .events(try RunEvent.all(in: json(event)), session: "run"),
                .readings([Reading(beatsPerMinute: 70, elapsed: 600)], session: "run", key: nil),
            ], now: Self.start + 60)
        let records = try await store.records(of: .session("run"), after: 0)
        #expect(records.map { $0.time - Self.start } == [0, 30, 60])
        #expect(records.map(\.elapsed) == [0, 300, 600])
    }

    @Test func `a changed note keeps what it said before`() async throws {
        let store = try scratchStore()
        let day = CivilDay(at: Self.start)
        func texts() async throws -> [String?]? {
            try await store.chart(of: day, participant: nil, now: day.end)["events"]?.list?.map {
                $0["text"]?.text
            }
        }
        func change(_ text: String) throws -> Entry {
            var change = try NoteChange(of: 1, json: try json(text))
            change.author = "bob"
            return .noteChanged(change)
        }
        var note = try Note(json: ["t": .real(Self.start), "text": "cofee"])
        note.author = "anna"
        _ = try await receipts(store, [.note(note)])
        _ = try await receipts(store, [try change(#"{"text":"coffee"}"#)], now: Self.start + 60)
        #expect(try await texts() == ["coffee"])
        _ = try await receipts(store, [try change(#"{"deleted":true}"#)], now: Self.start + 90)
        #expect(try await texts() == [])
        let versions = try await store.versions(ofNote: 1)
        #expect(versions.map { $0["text"]?.text } == ["cofee", "coffee", nil])
        #expect(versions.map { $0["author"]?.text } == ["anna", "bob", "bob"])
        #expect(versions.last?["deleted"] == .boolean(true))
        let unknown = try NoteChange(of: 2, json: ["text": "a"])
        let refused = try await store.commit([.noteChanged(unknown)], now: Self.start).receipts[0]
        #expect(throws: Refusal.self) { try refused.get() }
    }

    @Test func `everybody's day has a line for each`() async throws {
        let store = try scratchStore()
        let day = CivilDay(at: Self.start)
        func people(_ participant: String? = nil) async throws -> [String]? {
            try await store.chart(of: day, participant: participant, now: day.end)["people"]?.list?.compactMap
            {
                $0["name"]?.text
            }
        }
        let noon = day.second(ofHour: 12) - Self.start
        _ = try await receipts(
            store, [pushed(60, at: noon, by: Sender(participant: "P01"))], now: day.end)
        #expect(try await people() == nil)
        _ = try await receipts(
            store, [pushed(160, at: noon, by: Sender(participant: "P02")), pushed(50, at: noon)], now: day.end
        )
        #expect(try await people() == ["", "P01", "P02"])
        #expect(try await people("P02") == nil)
    }

    @Test func `reads on from a cursor`() async throws {
        let store = try scratchStore()
        _ = try await receipts(store, [try run()])
        var cursor: Int64 = 0
        var seen: [Double] = []
        for round in 0..<20 {
            let new = (0..<(round % 4)).map { Reading(beatsPerMinute: Double(60 + round + $0)) }
            if !new.isEmpty { _ = try await receipts(store, [.readings(new, session: "run", key: nil)]) }
            let records = try await store.records(of: .session("run"), after: cursor, samplesOnly: true)
            seen += records.compactMap { if case .heartRate(let rate, _) = $0.kind { rate } else { nil } }
            cursor = records.last?.number ?? cursor
        }
        #expect(try await rates(store, .session("run")) == seen)
        #expect(seen.count == 30)
    }

    @Test func `refuses when its quota is used up, and reads on`() async throws {
        let store = try scratchStore(quota: 1)
        let commit = try await store.commit([try run()], now: Self.start)
        guard case .failure(let refusal) = commit.receipts[0] else {
            Issue.record("taken")
            return
        }
        #expect(refusal.kind == .full)
        #expect(try await store.sessions(now: Self.start).isEmpty)
    }

    @Test func `draws a day from its sessions, readings and notes`() async throws {
        let store = try scratchStore()
        let day = CivilDay(at: Self.start)
        let session = try SessionDescription(
            json: json(
                """
                {"id":"run","startedAt":\(day.start + 3600),"participant":"P01","limits":{"low":50,"high":90},"steps":\
                [{"identifier":"effort","duration":60,"expected":[[0,64,58,70],[60,110,99,121]]}]}
                """), now: 0)
        let event = #"{"events":[{"sequence":1,"kind":"stepStarted","elapsed":30,"step":"effort"}]}"#
        let readings = (0..<120).map { Reading(beatsPerMinute: 60 + Double($0 % 60), elapsed: Double($0)) }
        _ = try await receipts(
            store,
            [
                .begin(session), .events(try RunEvent.all(in: json(event)), session: "run"),
                .readings(readings, session: "run", key: nil),
                .note(try Note(json: ["t": .real(day.start + 7200), "text": "slept badly"])),
                .pushed([Reading(beatsPerMinute: 200, time: day.end + 1)], by: Sender(), key: nil),
            ], now: day.end + 5)
        let chart = try await store.chart(of: day, participant: nil, now: day.end + 5)
        #expect(chart["summary"] == ["count": 120, "minimum": 60.0, "mean": 89.5, "maximum": 119.0])
        #expect(chart["heartRate"]?.list?.count == 2)
        #expect(chart["limits"] == ["low": 50.0, "high": 90.0])
        #expect(chart["events"]?.list?.compactMap { $0["kind"]?.text } == ["begun", "stepStarted", "note"])
        #expect(
            chart["expected"]?.list?.first?.list?.first == .list([.real(day.start + 3630), 64.0, 58.0, 70.0]))
        #expect(chart["forecast"] == nil)
        let others = try await store.chart(of: day, participant: "P02", now: day.end + 5)
        #expect(others["summary"] == nil)
        #expect(try await store.participants() == ["P01"])
    }

    private func imported(_ identifier: String, of participant: String?) throws -> Entry {
        var about = JSON.Object([
            "id": .text(identifier), "kind": "import", "startedAt": .real(Self.start),
        ])
        about["participant"] = participant.map(JSON.text)
        return .begin(try SessionDescription(json: .object(about), now: 0))
    }

    @Test func `takes of a recording what an earlier one of the participant did not bring`() async throws {
        let store = try scratchStore()
        func readings(_ count: Int, _ session: String) -> Entry {
            .readings(
                (0..<count).map {
                    Reading(beatsPerMinute: 60 + Double($0 % 3), time: Self.start + Double($0))
                },
                session: session, key: nil)
        }
        let told = try await receipts(
            store,
            [
                try imported("may", of: "P01"), readings(10, "may"), try imported("june", of: "P01"),
                readings(15, "june"), try imported("other", of: "P02"), readings(10, "other"),
                try imported("nobody", of: nil), readings(10, "nobody"), readings(10, "nobody"),
                try run(), readings(10, "run"), readings(10, "run"),
            ], now: Self.start + 20)
        #expect(told.count == 12)
        let counts = try await ["may", "june", "other", "nobody", "run"].asyncMap {
            try await rates(store, .session($0)).count
        }
        #expect(counts == [10, 5, 10, 10, 20])
    }

    @Test func `draws the zones of the participant's last session on days without one`() async throws {
        let store = try scratchStore()
        let session = try SessionDescription(
            json: json(
                #"{"id":"run","startedAt":1700000000,"participant":"P01","limits":{"low":50,"high":90}}"#),
            now: 0)
        _ = try await receipts(store, [.begin(session)])
        let later = CivilDay(at: Self.start + 20 * 86_400)
        func limits(_ day: CivilDay, _ participant: String?) async throws -> JSON? {
            try await store.chart(of: day, participant: participant, now: Self.start)["limits"]
        }
        let adult = HeartRateLimits.adultAtRest.json
        #expect(try await limits(later, "P01") == ["low": 50.0, "high": 90.0])
        #expect(try await limits(later, "P02") == adult)
        #expect(try await limits(later, nil) == adult)
        #expect(try await limits(CivilDay(at: Self.start - 86_400), "P01") == adult)
    }

    @Test func `forecasts from the last reading, always with a band, and only where there is one`()
        async throws
    {
        let store = try scratchStore()
        let noon = CivilDay(at: Self.start).second(ofHour: 12)
        var random = SplitMixForTests(seed: 3)
        let readings = (0..<600).map {
            Reading(
                beatsPerMinute: Double.random(in: 66...78, using: &random), time: noon - 600 + Double($0))
        }
        _ = try await receipts(store, [.pushed(readings, by: Sender(), key: nil)], now: noon)
        func forecast(_ now: Double) async throws -> [[Double]]? {
            try await store.chart(of: CivilDay(at: noon), participant: nil, now: now)["forecast"]?.list?
                .map { $0.list?.compactMap(\.number) ?? [] }
        }
        let points = try #require(try await forecast(noon))
        #expect(points.map { $0[0] } == (0...30).map { noon - 1 + Double($0) * 60 })
        #expect(points.allSatisfy { $0[2] < $0[1] && $0[1] < $0[3] && (60...85).contains($0[1]) })
        #expect(points[30][3] - points[30][2] > points[1][3] - points[1][2])
        #expect(try await forecast(noon + 61) == nil)
        #expect(try await forecast(noon + 86_400) == nil)
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
