import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Physiology
@testable import Recordings

/// The path of a shared case.
private func path(_ name: String) -> String {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(root)/../shared/cases/hearts/\(name)"
}

private let areCasesHere = readFile(path("labchart.txt")) != nil

/// Small recordings that are shared beside the repository; each stands for a kind that was misread once.
@Suite(.enabled(if: areCasesHere, "the shared cases are not beside the repository")) struct SharedCaseTests {
    private func refusal(_ name: String) -> String {
        let failure = #expect(throws: SourceFailure.self) { try IntervalList(contentsOf: path(name)) }
        return failure?.description ?? ""
    }

    @Test(arguments: [
        ("held-at-10-hz.csv", "an interval stands in several rows"),
        ("interpolated-at-1-hz.csv", "a row comes every 1.000 s, whatever its interval is"),
    ]) func `rows that are no beats are refused`(name: String, words: String) {
        #expect(refusal(name).contains(words))
    }

    @Test(arguments: [
        ("held-with-signs.csv", 59, 0, 15.1), ("equal-pairs.csv", 75, 0, 16.3),
        ("every-third-missing.csv", 280, 139, 26.8), ("two-of-9000-ms.txt", 300, 2, 20.1),
    ]) func `intervals are told from gaps`(name: String, count: Int, gaps: Int, rmssd: Double) throws {
        let found = try #require(
            VariabilityFindings(IntervalList(contentsOf: path(name)).intervals))
        #expect(found.raw.time.count == count && found.gaps == gaps)
        #expect(abs(found.raw.time.rmssd - rmssd) < 0.05)
    }

    @Test(arguments: [
        ("spreadsheet-days.csv", 120, 119.0), ("time-in-256ths.csv", 120, 119),
        ("polarflow-empty-rr.json", 120, 119),
        ("labchart.txt", 394, 39.3),
    ]) func `times are those of the calendar`(name: String, count: Int, seconds: Double) throws {
        let digest = try RecordingDigest(of: path(name))
        #expect(digest.count == count && abs(digest.end - digest.start - seconds) < 0.01)
        // 2026-01-02T10:00:00Z
        #expect(abs(digest.start - 1_767_348_000) < 0.01)
    }

    @Test func `exports of laboratories are read by their headers`() throws {
        let rates = try RecordingDigest(of: path("acqknowledge.txt"))
        #expect(rates.count == 391 && abs(rates.end - 39) < 0.01)
        #expect(rates.reading.doubts.count == 1)
        let ecg = try IntervalList(contentsOf: path("opensignals.txt"))
        #expect(ecg.reading.ecg?.samplingRate == 1000 && ecg.reading.ecg?.beats == 24)
    }
}
