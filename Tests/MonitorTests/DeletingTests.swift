import HTTPTypes
import MonitorInterface
import Results
import Testing
import TextFormat

@testable import Monitor

/// Data that somebody deletes: what is gone, what stays known, and who may.
@Suite struct DeletingTests {
    private static let start = 1_700_000_000.0

    /// A run of P01 and one of P02, with readings, an event and a note each; the first has a second note beside it.
    private func filled() async throws -> Store {
        let store = try scratchStore()
        for (run, participant) in [("one", "P01"), ("two", "P02")] {
            try await take(
                [
                    .begin(
                        try SessionDescription(
                            json: [
                                "id": .text(run), "startedAt": .real(Self.start),
                                "participant": .text(participant),
                            ], now: 0)),
                    .readings(
                        [60, 61, 62].map { Reading(beatsPerMinute: $0) }, session: run, key: "key-\(run)"),
                    .events(
                        try RunEvent.all(
                            in: ["events": [["sequence": 1, "kind": "over", "elapsed": 9, "text": "failed"]]]
                        ),
                        session: run),
                    .note(
                        try Note(
                            json: [
                                "t": .real(Self.start + 5), "text": "coughed",
                                "participant": .text(participant),
                            ])),
                ], store)
        }
        return store
    }

    @discardableResult
    private func take(_ entries: [Entry], _ store: Store, at now: Double = start + 20) async throws -> Commit
    {
        let commit = try await store.commit(entries, now: now)
        for receipt in commit.receipts { _ = try receipt.get() }
        return commit
    }

    private func refusal(_ entry: Entry, _ store: Store, at now: Double = start + 30) async throws -> String?
    {
        switch try await store.commit([entry], now: now).receipts[0] {
        case .success: nil
        case .failure(let refusal): refusal.reason
        }
    }

    @Test func `a reading goes, and its moment stays known with who and why`() async throws {
        let store = try await filled()
        let records = try await store.records(of: .session("one"), after: 0, samplesOnly: true)
        let number = records[1].number
        let deletion = Deletion(of: .reading(number), because: "the strap slipped", by: "kim")
        #expect(try await store.extent(of: deletion, now: Self.start) == Extent(readings: 1))
        try await take([.delete(deletion)], store)
        let left = try await store.records(of: .session("one"), after: 0, samplesOnly: true)
        #expect(left.map(\.number) == [records[0].number, records[2].number])
        let trace = try #require(try await store.deletions().first)
        #expect(trace["what"] == "reading" && trace["session"] == "one" && trace["participant"] == "P01")
        #expect(trace["author"] == "kim" && trace["reason"] == "the strap slipped")
        #expect(trace["measured"]?.number == records[1].time && trace["t"]?.number == Self.start + 20)
        #expect(trace["bpm"] == nil, "what it was is gone")
        #expect(try await refusal(.delete(deletion), store) == "there is no reading \(number)")
    }

    @Test func `a session goes with all that is in it, and is not taken again`() async throws {
        let store = try await filled()
        let wanted = Deletion(of: .session("one"), because: "a trial", by: "kim")
        let extent = try await store.extent(of: wanted, now: Self.start + 60)
        #expect(extent == Extent(series: 1, readings: 3, events: 1, notes: 1))
        let last = try await store.lastNumber()
        let commit = try await take([.delete(wanted)], store)
        #expect(commit.records.map(\.number) == [last + 1], "no number comes again")
        #expect(try await store.participants() == ["P02"])
        let known = try await store.sessions(now: Self.start + 60).compactMap { $0["id"]?.text }
        #expect(known == ["two"])
        await #expect(throws: Refusal.self) { try await store.records(of: .session("one"), after: 0) }
        let days = try await store.chart(
            of: CivilDay(at: Self.start), participant: nil, now: Self.start)["events"]?.list
        #expect(days?.filter { $0["session"] == "one" } == [])
        let trace = try #require(try await store.deletions().first)
        #expect(trace["of"] == "run" && trace["readings"] == 3 && trace["startedAt"]?.number == Self.start)
        // What was left in a room's spool would bring it back.
        let again = try SessionDescription(
            json: ["id": "one", "startedAt": .real(Self.start), "participant": "P01"], now: 0)
        for entry in [
            Entry.begin(again), .readings([Reading(beatsPerMinute: 60)], session: "one", key: "k"),
            .alive(session: "one"),
        ] {
            let reason = try await refusal(entry, store)
            #expect(reason == "the session 'one' was deleted here, and is not taken again")
        }
        await #expect(throws: Refusal.self) { try await store.mustNotBeDeleted("one") }
        try await store.mustNotBeDeleted("two")
    }

    @Test func `a participant goes, and nothing says who it was`() async throws {
        let store = try await filled()
        try await take([.delete(Deletion(of: .session("two"), because: "P02 was ill", by: "kim"))], store)
        try await take(
            [.note(try Note(json: ["t": .real(Self.start), "text": "P01 came late, P010 did not"]))], store)
        try await take(
            [.delete(Deletion(of: .participant("P01"), because: "P01 asked for it", by: "kim"))], store)
        #expect(try await store.participants() == [])
        let traces = try await store.deletions()
        #expect(traces.count == 2)
        #expect(traces[0]["what"] == "participant" && traces[0]["series"] == 1)
        #expect(traces[0]["reason"] == "(deleted) asked for it")
        #expect(traces[0]["participant"] == nil && traces[0]["session"] == nil)
        #expect(traces[1]["reason"] == "P02 was ill", "others stay named")
        let notes = try await store.records(of: .all, after: 0).compactMap { record in
            if case .note(let text, _) = record.kind { text } else { nil }
        }
        #expect(notes == ["(deleted) came late, P010 did not"])
    }

    @Test func `a run that goes on is not deleted, and an import can be sent again`() async throws {
        let store = try scratchStore()
        let run = try SessionDescription(
            json: ["id": "on", "startedAt": .real(Self.start), "participant": "P01"], now: 0)
        let recording = try SessionDescription(
            json: ["id": "import-1", "kind": "import", "startedAt": .real(Self.start)], now: 0)
        try await take([.begin(run), .alive(session: "on"), .begin(recording)], store)
        for target in [Deletion.Target.session("on"), .participant("P01")] {
            let reason = try await refusal(
                .delete(Deletion(of: target, because: "why")), store, at: Self.start + 21)
            #expect(reason == "a run goes on, and would report more: end it first, then delete")
        }
        try await take([.delete(Deletion(of: .session("import-1"), because: "another's"))], store)
        #expect(try await refusal(.begin(recording), store) == nil)
        // It was killed: nothing more comes.
        try await take([.delete(Deletion(of: .session("on"), because: "killed"))], store, at: Self.start + 60)
    }

    @Test func `the name of deleted readings is not used again`() async throws {
        let store = try scratchStore()
        let push = Entry.pushed([Reading(beatsPerMinute: 60)], by: Sender(), key: nil)
        try await take([push], store)
        #expect(try await store.sessions(now: Self.start).first?["id"] == "readings-1")
        try await take([.delete(Deletion(of: .session("readings-1"), because: "a trial"))], store)
        try await take([push], store)
        #expect(try await store.sessions(now: Self.start).first?["id"] == "readings-2")
    }

    @Test(arguments: [
        #"{"reason":"x","confirmed":true}"#, #"{"session":"a","participant":"P01","reason":"x"}"#,
        #"{"session":"a","confirmed":true}"#, #"{"session":"a","reason":"  ","confirmed":true}"#,
        #"{"session":"a","reason":"x","confirmed":1}"#, #"{"reading":0,"reason":"x"}"#,
        #"{"session":"a","reason":"x","all":true}"#, #"{"participant":"","reason":"x"}"#,
    ])
    func `refuses what is unclear`(body: String) throws {
        #expect(throws: Refusal.self) { try Deletion.Request(json: try json(body), by: nil) }
    }

    @Test func `only a token for it deletes, after it was confirmed, on this machine too`() async throws {
        let store = try await filled()
        let tokens = try [Scope.delete, .control, .read, .ingest].map {
            try store.createToken(named: $0.rawValue, scopes: [$0], now: 0)
        }
        try await withMonitor(store: store) { client in
            let body = #"{"session":"one","reason":"a trial","confirmed":true}"#
            #expect(try await client.post("/api/deletions", body).status == .unauthorized)
            for token in tokens.dropFirst() {
                let answer = try await client.post(
                    "/api/deletions", body, headers: [.authorization: "Bearer \(token)"])
                #expect(answer.status == .forbidden)
            }
            let own: HTTPFields = [.authorization: "Bearer \(tokens[0])"]
            let asked = try await client.post("/api/deletions", #"{"session":"one"}"#, headers: own)
            #expect(asked.status == .ok)
            #expect(
                try asked.json == [
                    "bundles": 0, "deleted": false, "events": 1, "notes": 1, "readings": 3, "series": 1,
                    "untoldBundles": 0,
                ])
            #expect(try await client.get("/api/sessions/one").status == .ok, "nobody has confirmed it")
            let done = try await client.post("/api/deletions", body, headers: own)
            #expect(try done.json["deleted"] == true)
            for path in ["", "/heart-rate", "/heart-rate.csv", "/events", "/alarms"] {
                #expect(try await client.get("/api/sessions/one\(path)").status == .notFound, "\(path)")
            }
            #expect(try await client.post("/api/deletions", body, headers: own).status == .notFound)
            let traces = try await client.get("/api/deletions").json["deletions"]?.list
            #expect(traces?.map { $0["author"] } == ["delete"])
            let page = try await client.get("/", headers: own).text
            #expect(
                page.contains(
                    #"<section id="removal" class="room-controls" aria-labelledby="removal-title">"#))
            #expect(try await client.get("/").text.contains(#"aria-labelledby="removal-title" hidden>"#))
        }
    }
}
