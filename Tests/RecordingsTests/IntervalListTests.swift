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
        "800\r\n810\r\n790\r\n", "800,\n810,\n790,\n", "# from a strap\n800\n\n810 # second\n790\n",
        "\u{FEFF}800\n810\n790\n",
        "RR [ms]\n800\n810\n790\n", "[800, 810, 790]", "0.8\n0.81\n0.79\n", "0,8\n0,81\n0,79\n",
        "800,0\n810,0\n790,0\n", "800,0;810,0;790,0",
    ]) func `reads intervals in many forms`(text: String) throws {
        let stretches = try read(text).intervals.stretches
        #expect(stretches.map { $0.map { ($0 * 1000).rounded() / 1000 } } == [[800, 810, 790]])
    }

    @Test func `a value for none is a gap, and counted`() throws {
        let list = try read("800\n810\n0\n790\n-1\n805")
        #expect(list.intervals.stretches == [[800, 810], [790], [805]])
        #expect(list.reading.withoutReading == 2)
    }

    @Test(arguments: [
        "nan\n800\n810\nnan\nNaN\n790\n805", "rr\nnan\n800\n810\n0.81\n790\n805", "800 810 nan 790 805",
        "800\n810\n12\n790\n805", "800\n810\n9000\n790\n805", "800\n810\nlost\n790\n805",
    ]) func `what is no interval is a gap, wherever it stands`(text: String) throws {
        #expect(try read(text).intervals.stretches == [[800, 810], [790, 805]])
    }

    @Test func `rows whose numbers are missing are gaps, and told`() throws {
        let rows = (0..<60).filter { ![20, 40, 41].contains($0) }.map {
            "\($0),\(800 + 7 * abs(4 - $0 % 8))\n"
        }
        let list = try read("index,rr\n" + rows.joined())
        #expect(list.intervals.stretches.map(\.count) == [20, 19, 18])
        #expect(list.reading.assumptions.contains("3 rows missing by their numbers, which are gaps"))
    }

    @Test func `import and variability find the same intervals, whatever the name`() throws {
        for name in ["rr.txt", "ecg_1.txt", "P01.csv"] {
            let path = folder.path + "/" + name
            let beats = (0..<40).map { "\(800 + 7 * abs(4 - $0 % 8))\n" }.joined()
            try #require(writeFile(Array(("9000\n" + beats).utf8), to: path))
            let list = try IntervalList(contentsOf: path)
            #expect(list.intervals.count == 40 && (list.reading.reservation == nil) == (name != "ecg_1.txt"))
            let guide = try #require(RecordingGuide(values: "rr", times: nil))
            #expect(try RecordingDigest(of: path, guide).intervalCount == 40)
        }
    }

    @Test(arguments: [
        ("800000\n810000\n790000\n", "'800.0 s' is not a heart rate or an interval between beats"),
        (
            "rr\n" + (0..<100).map { "\(850 + $0 % 50)\n" }.joined(),
            "they rise and fall like a waveform, as in a series that was resampled"
        ),
        ("70\n71\n72\n", "there are no intervals between beats, only heart rates"), ("", "the file is empty"),
    ]) func `says what is wrong`(text: String, words: String) {
        let failure = #expect(throws: SourceFailure.self) { try read(text) }
        #expect(failure?.isBadData == true)
        #expect(failure?.description.contains(words) == true, "\(failure as Any)")
    }
}
