import Platform
import StudyModel
import StudyTesting
import Testing

@testable import Results

@Suite struct UnsealedRunTests {
    @Test func `is read on while it is written, and does not go on once nobody writes it`() throws {
        let place = TemporaryFolder()
        let name = Sample.uuid + ".running"
        let path = "\(place.path)/\(name)"
        var bundle = try Runs.begin(in: place.path, .synced)
        var run = try UnsealedRun(at: path)
        #expect(run.journal.journal.records.isEmpty && run.study == Sample.study)
        #expect(UnsealedRun.goesOn(path))
        try bundle.journal([.init(.event(.begin), at: .start)])
        try run.readOn()
        #expect(run.journal.journal.records == [.init(.event(.begin), at: .start)])
        #expect(try run.lastHeartRate() == nil)
        try Runs.record(in: &bundle)
        try run.readOn()
        #expect(run.journal.journal.records.count == 2)
        let last = try run.lastHeartRate()
        #expect(last?.arrival.nanoseconds == 37_520_000_000 && last.map { 40...200 ~= $0.value } == true)
        try bundle.append([.lost("no notification", at: .seconds(39))], to: Sample.key)
        #expect(try run.lastHeartRate() == nil)
        _ = consume bundle
        #expect(!UnsealedRun.goesOn(path))
        let recovered = try InterruptedRun(name, in: place.path)
        #expect(UnsealedRun.goesOn(path), "its recovery holds it")
        withExtendedLifetime(recovered) {}
    }

    @Test func `nothing goes on where there is no run`() throws {
        let place = TemporaryFolder()
        #expect(!UnsealedRun.goesOn("\(place.path)/missing.running"))
        #expect(throws: FileFailure.self) { try UnsealedRun(at: place.path) }
    }
}
