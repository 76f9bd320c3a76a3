import Physiology
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Recordings

@Suite struct IntervalListTests {
    private let folder = TemporaryFolder()

    private func read(_ text: String) throws -> IntervalList {
        let path = folder.path + "/rr.txt"
        try #require(writeFile(Array(text.utf8), to: path))
        return try IntervalList(contentsOf: path)
    }

    @Test(arguments: [
        "800\n810\n790\n", "800 810 790", "800,810,790", "800, 810\n790", "800;810;790", "800\t810\t790\n",
        "800\r\n810\r\n790\r\n", "# from a strap\n800\n\n810 # second\n790\n", "\u{FEFF}800\n810\n790\n",
        "RR [ms]\n800\n810\n790\n", "[800, 810, 790]", "0.8\n0.81\n0.79\n", "0,8\n0,81\n0,79\n",
        "800,0\n810,0\n790,0\n", "800,0;810,0;790,0",
    ]) func `reads intervals in many forms`(text: String) throws {
        let stretches = try read(text).intervals.stretches
        #expect(stretches.map { $0.map { ($0 * 1000).rounded() / 1000 } } == [[800, 810, 790]])
    }

    @Test func `a value for none is a gap, and counted`() throws {
        let list = try read("800\n810\n0\n790\n-1\n805")
        #expect(list.intervals.stretches == [[800, 810], [790], [805]])
        #expect(list.skipped == 2)
    }

    @Test(arguments: [
        (
            "800\n0.81\n790\n",
            "0.81 is not an interval like the others, which are around 790.0: write all in milliseconds"
        ),
        ("800\n810\n1e9\n", "1000000000.0 is not an interval like the others"),
        ("800000\n810000\n790000\n", "around 800000.0 is not a time between beats"),
        ("70\n71\n72\n", "there are no intervals between beats, only heart rates"), ("", "the file is empty"),
    ]) func `says what is wrong`(text: String, words: String) {
        let failure = #expect(throws: SourceFailure.self) { try read(text) }
        #expect(failure?.isBadData == true)
        #expect(failure?.description.contains(words) == true, "\(failure as Any)")
    }
}
