import Platform
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Recordings

/// A real recording of the shared folder, or `nil` if there is none.
private func shared(_ name: String) -> String? {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let path = "/\(root)/shared/data/\(name)"
    if case .success = FileContents.read(path, limit: 1 << 24) { return path }
    return nil
}

private let isSharedHere = shared("wearable/garmin-watch.csv") != nil

@Suite(.enabled(if: isSharedHere, "the shared recordings are not on this machine"))
struct RecordingFileTests {
    @Test func `reads what a Garmin watch exports`() throws {
        let recording = try HeartRateRecording(contentsOf: try #require(shared("wearable/garmin-watch.csv")))
        #expect(
            recording.summary == """
                935 samples over 2136 s; left out: 2065 rows of another kind (first in line 1)
                cells separated by ';'; times of the calendar
                """)
        let first = try #require(recording.entries.first)
        #expect(first == .init(time: 0, sample: HeartRateSample(rate: 79)))
        #expect(recording.entries[1] == .init(time: 1.387, sample: HeartRateSample(rate: 78)))
    }

    @Test func `reads what an Empatica device exports`() throws {
        let recording = try HeartRateRecording(contentsOf: try #require(shared("wearable/empatica-HR.csv")))
        #expect(
            recording.summary == """
                4998 samples over 4997 s
                one value a line; values taken for beats per minute; one row every 1.0 s, as the file says
                """)
        #expect(recording.entries.prefix(3).map(\.sample.rate) == [93, 101, 100])
    }

    @Test func `reads a line of intervals`() throws {
        let recording = try HeartRateRecording(
            contentsOf: try #require(shared("camera/welltory/subject_01/RR.txt")))
        #expect(
            recording.summary == """
                100 samples over 109 s
                a list of values; values taken for intervals between beats; intervals in ms (by their size); \
                no times: the intervals are added up
                """)
        #expect(recording.entries.prefix(3).map(\.time) == [0, 1.124, 2.098])
    }

    /// Counted by other readers: `Tests/RecordingsTests/recording_agreement.py`.
    @Test(arguments: [
        ("apple-health-export.xml", 2, 74.0, 75.0), ("sup_activity_1.tcx", 111, 76, 106),
        ("gpx_with_garmin_extension.gpx", 1, 171, 171), ("activity-small-fenix2-run.fit", 2808, 69, 178),
        ("garmin-watch.csv", 935, 59, 148), ("empatica-HR.csv", 4998, 49.5, 113.48),
    ]) func `reads as many rates as others do`(name: String, count: Int, minimum: Double, maximum: Double)
        throws
    {
        let digest = try RecordingDigest(of: try #require(shared("wearable/" + name)))
        #expect(digest.count == count)
        #expect(digest.minimum == minimum)
        #expect(digest.maximum == maximum)
        #expect(digest.reading.damage == nil)
        #expect(digest.reading.isDated)
    }
}
