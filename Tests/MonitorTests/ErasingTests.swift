import Glibc
import Platform
import Results
import Testing
import TextFormat

@testable import Monitor

/// A participant whose data are deleted from the monitor's store.
@Suite struct ErasingTests {
    private static let start = 1_700_000_000.0

    /// A run of each participant with readings of its own, and notes.
    private func fill(_ store: Store) async throws {
        var entries: [Entry] = []
        for (run, participant) in [("one", "P01"), ("two", "P02"), ("three", "P02"), ("last", "P020")] {
            let description: JSON = [
                "id": .text(run), "startedAt": .real(Self.start), "participant": .text(participant),
                "title": .text("Study \(participant)"),
            ]
            entries.append(.begin(try SessionDescription(json: description, now: 0)))
            entries.append(.readings([Reading(beatsPerMinute: 60)], session: run, key: "key-\(run)"))
        }
        entries.append(
            .pushed(
                [Reading(beatsPerMinute: 60)], by: Sender(source: "phone", participant: "P02"), key: nil))
        for (text, participant) in [
            ("xylophone", "P02" as String?), ("quiet", "P01"), ("P02 came late, P020 did not", nil),
        ] {
            var note = JSON.Object(["t": .real(Self.start + 1), "text": .text(text)])
            note["participant"] = participant.map { .text($0) }
            entries.append(.note(try Note(json: .object(note))))
        }
        let commit = try await store.commit(entries, now: Self.start + 2)
        for receipt in commit.receipts { _ = try receipt.get() }
    }

    private func text(in folder: String) throws -> String {
        let folder = try Folder(folder)
        return try ["monitor.sqlite", "monitor.sqlite-wal"].map { name in
            String(decoding: try folder.read(name).map { $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self)
        }.joined()
    }

    @Test func `data are kept in no folder that a link leads to or that everybody may write to`() throws {
        let folder = scratchFolder()
        _ = try Store(folder: folder)
        #expect(unsafe symlink(folder, folder + ".link") == 0)
        #expect(throws: StoreFailure.self) { try Store(folder: folder + ".link") }
        #expect(unsafe chmod(folder, 0o777) == 0)
        #expect(throws: StoreFailure.self) { try Store(folder: folder) }
    }

    @Test func `nothing of a participant is left in the files, beside a server, and a trace counts them`()
        async throws
    {
        let folder = scratchFolder()
        let server = try Store(folder: folder)
        try await fill(server)
        let last = try await server.lastNumber()
        let store = try Store(folder: folder)
        let erasure = try store.erase(participant: "P02", now: Self.start + 60)
        #expect(erasure == Erasure(extent: Extent(series: 3, readings: 3, notes: 1), mentions: 1))
        for trace in ["P02\"", "xylophone", "key-two", "key-three", "phone"] {
            #expect(!(try text(in: folder)).contains(trace), "\(trace)")
        }
        #expect(try text(in: folder).contains("(withdrawn) came late, P020 did not"))
        let sessions = try await server.sessions(now: Self.start + 61)
        #expect(Set(sessions.compactMap { $0["id"]?.text }) == ["one", "last"])
        let records = try await server.records(of: .all, after: last)
        #expect(records.map(\.number) == [last + 1], "no number comes again")
        let trace = try #require(records.first?.json)
        #expect(trace["what"] == "participant" && trace["series"] == 3)
        #expect(trace["reason"] == "a participant has withdrawn" && trace["participant"] == nil)
        let again = try store.erase(participant: "P02", now: Self.start + 70)
        #expect(again == Erasure(extent: Extent(), mentions: 0))
        #expect(try await server.lastNumber() == last + 1)
    }
}
