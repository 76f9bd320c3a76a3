import SessionPorts
import StudyModel
import Testing

@testable import Recordings

private func hrm(
    interval: String, _ data: [String], parameters: String = "Date=20260131\r\nStartTime=08:00:05.0\r\n"
) throws -> HeartRateRecording {
    let text =
        "[Params]\r\nVersion=106\r\nSMode=111111100\r\n\(parameters)Interval=\(interval)\r\nMaxHR=185\r\n\r\n"
        + "[Note]\r\n120\r\n\r\n[Summary-123]\r\n0\t0\t120\r\n\r\n[HRData]\r\n"
        + data.map { $0 + "\r\n" }.joined()
    return try HeartRateRecording(reading: Array(text.utf8), named: "polar.hrm")
}

private func rows(_ recording: HeartRateRecording) -> [[Double]] {
    recording.entries.map { [$0.time, $0.sample.rate ?? -1] + $0.sample.rrIntervals }
}

@Suite struct PolarFileTests {
    @Test(arguments: [["60", "0", "62"], ["60\t100\t80\t12", "0\t100\t80\t12", "62\t300\t60\t13"]])
    func `takes the rate of each line and the time from the interval`(data: [String]) throws {
        let recording = try hrm(interval: "5", data)
        #expect(rows(recording) == [[0, 60], [5, -1], [10, 62]])
        #expect(recording.reading.isDated)
    }

    @Test func `the interval 238 stands for times between beats`() throws {
        let recording = try hrm(interval: "238", ["1000", "800", "9000", "750"], parameters: "")
        #expect(rows(recording) == [[0, 60, 1], [0.8, 75, 0.8], [1.55, 80, 0.75]])
        #expect(recording.reading.skipped.map(\.firstPlace) == ["line 16"])
        #expect(!recording.reading.isDated)
    }

    @Test func `a length in the header that the readings do not cover is told`() throws {
        let rates = Array(repeating: "60", count: 20)
        let half = try hrm(interval: "5", rates, parameters: "Length=00:03:20.0\r\n")
        #expect(
            half.reading.doubts == ["the header says that it is 200 s long, but its readings cover 100 s"])
        #expect(try hrm(interval: "5", rates, parameters: "Length=00:01:42.5\r\n").reading.doubts.isEmpty)
    }

    @Test(arguments: [
        ("204", ["60"]), ("", ["60"]), ("x", ["60"]), ("1e308", ["60", "61"]), ("-1", ["60"]), ("5", []),
        ("5", ["a", "b", "60"]),
    ])
    func `says what is missing`(interval: String, data: [String]) {
        let failure = #expect(throws: SourceFailure.self) { try hrm(interval: interval, data) }
        #expect(failure?.isBadData == true)
    }
}
