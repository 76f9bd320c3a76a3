import Testing
import TextFormat

@testable import Monitor

/// Notes with figures of their own.
@Suite struct NoteTests {
    private static let start = 1_700_000_000.0

    private func receipts(_ store: Store, _ entries: [Entry]) async throws -> [Receipt] {
        try await store.commit(entries, now: Self.start).receipts.map { try $0.get() }
    }

    @Test(arguments: [
        (#"{"kind":"meal","carbohydrates":60,"protein":20.5}"#, #"{"carbohydrates":60,"protein":20.5}"#),
        (
            #"{"kind":"exercise","text":"Bicycle","duration":30,"intensity":"vigorous"}"#,
            #"{"duration":30,"intensity":"vigorous"}"#
        ),
        (#"{"kind":"dose","units":4,"text":"of insulin"}"#, #"{"units":4}"#),
        (#"{"kind":"dose","units":0.125,"unit":"mg"}"#, #"{"units":0.125,"unit":"mg"}"#),
        (#"{"kind":"dose","units":2,"unit":"pump strokes"}"#, #"{"units":2,"unit":"pump strokes"}"#),
        (#"{"kind":"medication","text":"Propranolol"}"#, "{}"),
        (#"{"kind":"mood","mood":4}"#, #"{"mood":4}"#),
        (#"{"kind":"note","text":"coughed"}"#, "{}"), (#"{"text":"coughed"}"#, "{}"),
    ])
    func `a note of a kind of its own keeps its figures, and can be changed`(body: String, figures: String)
        async throws
    {
        let store = try scratchStore()
        let day = CivilDay(at: Self.start)
        var object = try #require(try json(body).object)
        object["t"] = .real(Self.start)
        _ = try await receipts(store, [.note(try Note(json: .object(object)))])
        let told = try #require(
            try await store.chart(of: day, participant: nil, now: Self.start)["events"]?.list?.first)
        #expect(told["kind"] == object["kind"] ?? "note" && told["text"] == object["text"] ?? "")
        for member in try json(figures).object?.members ?? [] {
            let kept = told[member.key]
            #expect(kept?.number == member.value.number && kept?.text == member.value.text, "\(member.key)")
        }
        let number = Int64(try #require(told["number"]?.integer))
        _ = try await receipts(
            store, [.noteChanged(try NoteChange(of: number, json: ["text": "another"]))])
        let changed = try await store.chart(of: day, participant: nil, now: Self.start)["events"]?.list?.first
        #expect(changed?["text"] == "another" && changed?["kind"] == told["kind"])
    }

    @Test(arguments: [
        #"{"kind":"meal"}"#, #"{"kind":"snack","text":"x"}"#, #"{"kind":"meal","carbohydrates":-1}"#,
        #"{"kind":"meal","units":1,"fat":1}"#, #"{"kind":"exercise","duration":30}"#,
        #"{"kind":"exercise","text":"x","intensity":"high"}"#, #"{"kind":"dose","units":"4"}"#,
        #"{"kind":"dose","text":"x","unit":"mg"}"#, #"{"kind":"dose","units":4,"unit":"0 mg"}"#,
        #"{"kind":"dose","units":4,"unit":""}"#, #"{"kind":"dose","units":4,"unit":" mg"}"#,
        #"{"kind":"dose","units":4,"unit":"½ tablet"}"#, #"{"kind":"dose","units":4,"unit":".5 ml"}"#,
        #"{"kind":"dose","units":4,"unit":5}"#, #"{"kind":"dose","units":4,"unit":"m\u0007g"}"#,
        #"{"kind":"dose","units":4,"unit":"abcdefghijklmnopqrstuvwxyzabcdefg"}"#,
        #"{"kind":"meal","fat":4,"unit":"mg"}"#,
        #"{"kind":"medication"}"#, #"{"kind":"mood","mood":6}"#, #"{"text":"x","mood":3}"#,
        #"{"kind":"note"}"#,
    ])
    func `refuses figures that a note cannot have`(body: String) throws {
        var object = try #require(try json(body).object)
        object["t"] = .real(Self.start)
        #expect(throws: Refusal.self) { try Note(json: .object(object)) }
    }

    private func change(_ store: Store, _ number: Int64, _ body: JSON) async throws -> Receipt {
        try await receipts(store, [.noteChanged(try NoteChange(of: number, json: body))])[0]
    }

    private func kept(_ store: Store) async throws -> [JSON] {
        try await store.chart(of: CivilDay(at: Self.start), participant: nil, now: Self.start)["events"]?.list
            ?? []
    }

    @Test func `figures are changed with trace, and stay when only the text is changed`() async throws {
        let store = try scratchStore()
        let dose: JSON = [
            "t": .real(Self.start), "kind": "dose", "units": 40, "unit": "mg", "text": "propranolol",
        ]
        let number = try await receipts(store, [.note(try Note(json: dose))])[0].cursor
        _ = try await change(store, number, ["kind": "dose", "units": 10, "text": "propranolol"])
        _ = try await change(store, number, ["text": "Propranolol"])
        let told = try #require(try await kept(store).first)
        #expect(told["units"]?.number == 10 && told["unit"] == nil && told["text"] == "Propranolol")
        _ = try await change(store, number, ["kind": "dose", "units": 10, "unit": "drops"])
        let last = try #require(try await kept(store).first)
        #expect(last["unit"] == "drops" && last["text"] == "")
        let versions = try await store.versions(ofNote: number)
        #expect(versions.map { $0["units"]?.number } == [40, 10, nil, 10])
        #expect(versions.map { $0["unit"]?.text } == ["mg", nil, nil, "drops"])
    }

    @Test(arguments: [
        #"{"kind":"meal","fat":4,"text":"x"}"#, #"{"kind":"exercise","duration":4}"#, #"{"text":" "}"#,
        #"{"kind":"dose","units":4,"deleted":true}"#, #"{"kind":"dose"}"#, #"{"units":4}"#, "{}",
    ])
    func `refuses a change that says nothing, or something of another kind`(body: String) async throws {
        let store = try scratchStore()
        let dose: JSON = ["t": .real(Self.start), "kind": "dose", "units": 40]
        let number = try await receipts(store, [.note(try Note(json: dose))])[0].cursor
        await #expect(throws: Refusal.self) { try await change(store, number, try json(body)) }
        #expect(try await kept(store).first?["units"]?.number == 40)
    }

    @Test func `a note that was deleted stays deleted`() async throws {
        let store = try scratchStore()
        let number = try await receipts(
            store, [.note(try Note(json: ["t": .real(Self.start), "text": "coughed"]))])[0].cursor
        _ = try await change(store, number, ["deleted": true])
        for again: JSON in [["text": "sneezed"], ["deleted": true]] {
            await #expect(throws: Refusal.self) { try await change(store, number, again) }
        }
        #expect(try await kept(store).isEmpty)
    }

    @Test func `a request with a key that was sent again is one note`() async throws {
        let store = try scratchStore()
        var note = try Note(json: ["t": .real(Self.start), "text": "coughed"])
        note.key = "note-1"
        let sent =
            try await receipts(store, [.note(note), .note(note)]) + (try await receipts(store, [.note(note)]))
        #expect(sent.map(\.isNew) == [true, false, false] && Set(sent.map(\.cursor)).count == 1)
        note.key = "note-2"
        _ = try await receipts(store, [.note(note)])
        #expect(try await kept(store).count == 2)
    }

    @Test func `a note before a participant's first session is theirs alone`() async throws {
        let store = try scratchStore()
        for person in ["P01", "P02"] {
            let sender = Sender(source: person, participant: person)
            let reading: JSON = ["bpm": 70, "t": .real(Self.start)]
            _ = try await receipts(store, [.pushed(try Reading.all(in: reading), by: sender, key: nil)])
        }
        let note: JSON = ["t": .real(Self.start - 60), "text": "slept badly", "participant": "P01"]
        _ = try await receipts(store, [.note(try Note(json: note))])
        for (person, count) in [("P01", 1), ("P02", 0)] {
            let day = try await store.chart(
                of: CivilDay(at: Self.start), participant: person, now: Self.start)
            #expect(day["events"]?.list?.count { $0["kind"] == "note" } == count, "\(person)")
        }
        let stranger: JSON = ["t": .real(Self.start), "text": "x", "participant": "P99"]
        await #expect(throws: Refusal.self) {
            try await receipts(store, [.note(try Note(json: stranger))])
        }
    }
}
