import BundleReplay
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

/// A run that is killed keeps every step that it began, wherever its journal breaks off.
@Suite struct KilledRunTests {
    let folder = TemporaryFolder()

    static let spanning = """
        entrain: 1
        study: {identifier: spanning, title: Spanning}
        sources:
          heartRate: {type: simulated}
        stimuli:
          clips: {catalogue: clips.yaml}
        tasks:
          - identifier: task
            recorders:
              - {type: heartRate, identifier: both, from: rest, to: listen}
            steps:
              - {type: active, identifier: rest, title: Rest, duration: 3 s}
              - type: active
                identifier: listen
                title: Listen
                duration: 6 s
                stimulus: {from: clips, draw: random, onset: 1 s}
                recorders:
                  - {type: heartRate, identifier: heartRate}
              - {type: completion, identifier: thanks, title: Thank you}
        """

    @Test(arguments: [SessionTests.listening, Self.spanning])
    func `every step that began is in the result, whatever the journal still holds`(study: String)
        async throws
    {
        let (_, bundle) = try await Sittings(study, in: folder).run()
        let lines = try bundle.contents(of: "journal.jsonl").split(separator: UInt8(ascii: "\n"))
        let records = try bundle.journal().records
        let name = try #require(bundle.path.split(separator: "/").last.map(String.init))
        for count in 1...lines.count {
            let output = TemporaryFolder()
            let kept = lines[..<count].flatMap { $0 + [UInt8(ascii: "\n")] }
            try Sittings.copy(bundle, to: name + ".running", in: output.path, journal: kept)
            let begun = records[..<(count - 1)].compactMap { record in
                if case .effect(.show(let presentation)) = record.content {
                    presentation.ordinal
                } else {
                    nil
                }
            }
            _ = try Recovery.all(in: output.path)
            let path = "\(output.path)/\(name)"
            #expect(try Verification.problems(at: path) == [], "after \(count) lines")
            let recovered = try ResultBundle(at: path)
            #expect(recovered.visits.count >= Set(begun).count, "after \(count) lines")
        }
    }

    @Test func `programs that begin together recover a killed run once, and none thinks that it goes on`()
        async throws
    {
        let (_, bundle) = try await Sittings(SessionTests.listening, in: folder).run()
        let name = try #require(bundle.path.split(separator: "/").last.map(String.init))
        let journal = try bundle.contents(of: "journal.jsonl")
        let first = try #require(journal.firstIndex(of: UInt8(ascii: "\n")))
        for round in 1...40 {
            let output = TemporaryFolder()
            try Sittings.copy(
                bundle, to: name + ".running", in: output.path, journal: Array(journal[...first]))
            let recoveries = try await withThrowingTaskGroup { programs in
                for _ in 1...4 { programs.addTask { try Recovery.all(in: output.path) } }
                return try await programs.reduce(into: []) { $0 += $1 }
            }
            #expect(recoveries == [.sealed(folder: name, status: .failed)], "round \(round)")
        }
    }
}
