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
        #"{"kind":"medication"}"#, #"{"kind":"mood","mood":6}"#, #"{"text":"x","mood":3}"#,
        #"{"kind":"note"}"#,
    ])
    func `refuses figures that a note cannot have`(body: String) throws {
        var object = try #require(try json(body).object)
        object["t"] = .real(Self.start)
        #expect(throws: Refusal.self) { try Note(json: .object(object)) }
    }
}
