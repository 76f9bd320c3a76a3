import SessionPorts
import StudyModel
import Testing

@testable import Recordings

private func read(_ text: String) throws -> HeartRateRecording {
    try HeartRateRecording(reading: Array(text.utf8), named: "heart.json")
}

/// Time, rate (-1 where the source has none) and intervals of each entry.
private func rows(_ recording: HeartRateRecording) -> [[Double]] {
    recording.entries.map { [$0.time, $0.sample.rate ?? -1] + $0.sample.rrIntervals }
}

@Suite struct RecordingJSONTests {
    @Test(arguments: [
        """
        {"time": 10, "hr": 60, "rr": [980, 990]}

        {"hr": 62, "time": 11.5, "rr": []}
        """,
        #"[{"timestamp":1600000010000,"bpm":60,"ibi":[0.98,0.99]},{"timestamp":1600000011500,"bpm":"62"}]"#,
        #"""
        {"dateTime":"2026-01-31T10:00:10Z","value":{"bpm":60,"rr_ms":[980,990]}}
        {"dateTime":"2026-01-31T10:00:11.5Z","value":{"bpm":62,"confidence":2}}
        """#,
        """
        {"items":[{"endDate":"2026-01-31T10:00:10+0100","metadata":{"arrivalOffset":10.1,"rrIntervals":[0.98,0.99],\
        "runOffset":10.0},"source":"x","startDate":"2026-01-31T10:00:10+0100","timestampSince1970":1769850010.0,\
        "type":"HKQuantityTypeIdentifierHeartRate","unit":"count/min","value":60.0},{"endDate":\
        "2026-01-31T10:00:11+0100","metadata":{"arrivalOffset":11.6,"rrIntervals":[],"runOffset":11.5},\
        "source":"x","startDate":"2026-01-31T10:00:11+0100","timestampSince1970":1769850011.5,\
        "type":"HKQuantityTypeIdentifierHeartRate","unit":"count/min","value":62.0}]}
        """,
        """
        {"configuration":{"identifier":"heartRate"},"from":0,"key":{"ordinal":1},"source":"heartRate"}
        {"a":10100000000,"bpm":60.0,"rr":[0.98,0.99],"t":10000000000}
        {"lost":"out of range","t":10500000000}
        {"a":11600000000,"bpm":62.0,"rr":[],"t":11500000000}
        """,
        #"{"time":[10,11.5],"hr":[60,62],"rr":["0.98 0.99",null],"units":["s","bpm","s"]}"#,
    ]) func `reads objects in many forms`(text: String) throws {
        #expect(rows(try read(text)) == [[0, 60, 0.98, 0.99], [1.5, 62]])
    }

    @Test func `a number on its own is a value`() throws {
        #expect(rows(try read("[60, 61]")) == [[0, 60], [1, 61]])
        #expect(rows(try read("[800, 750]")) == [[0, 75, 0.8], [0.75, 80, 0.75]])
    }

    @Test func `its own exports are in seconds, however rare the readings`() throws {
        let rare = (0..<4).map { "{\"t\":\(900 * $0).0,\"bpm\":6\($0).0}\n" }.joined()
        #expect(rows(try read(rare)) == [[0, 60], [900, 61], [1800, 62], [2700, 63]])
        let milliseconds = rare.replacing(".0,", with: ",")
        #expect(rows(try read(milliseconds)) == [[0, 60], [0.9, 61], [1.8, 62], [2.7, 63]])
    }

    @Test func `null is no reading, contact and quality are kept`() throws {
        let recording = try read(
            #"""
            {"runOffset": 1000, "hr": null, "sensorContact": false}
            {"runOffset": 2000, "hr": 61, "sensorContact": true, "quality": 0.5}
            """#)
        #expect(
            recording.entries == [
                .init(time: 0, sample: HeartRateSample(rate: nil, sensorContact: false)),
                .init(time: 1000, sample: HeartRateSample(rate: 61, sensorContact: true, quality: 0.5)),
            ])
    }

    @Test(arguments: [
        "[[1600000010, 60], [1600000011.5, 62]]",
        #"{"time":{"data":[10,11.5]},"heartrate":{"data":[60,62]}}"#,
    ]) func `reads lists of times and rates`(text: String) throws {
        #expect(rows(try read(text)) == [[0, 60], [1.5, 62]])
    }

    @Test(
        arguments: [
            ("{\"t\":1,\"hr\":60}\n{\"t\":2,\"hr\":61}\n{\"t\":3,\"h", [[0, 60], [1, 61]], 3),
            ("{\"t\":1,\"hr\":60}\n{\"t\":2,\"h\n{\"t\":3,\"hr\":62}\n", [[0, 60], [2, 62]], 2),
            ("{\"t\":1,\"hr\":60}\n{\"t\":2,\"hr\":61}\n\0\0\0\0", [[0, 60], [1, 61]], 3),
            ("{\"t\":1,\"h\n{\"t\":2,\"hr\":61}\n{\"t\":3,\"hr\":62}", [[0, 61], [1, 62]], 1),
            ("{\"t\":1,\"hr\":60}\n17\n{\"t\":3,\"hr\":62}", [[0, 60], [2, 62]], 2),
        ] as [(String, [[Double]], Int)])
    func `a broken line costs no more than itself, and is named`(
        text: String, expected: [[Double]], line: Int
    )
        throws
    {
        let recording = try read(text)
        #expect(rows(recording) == expected)
        #expect(
            recording.reading.skipped == [
                .init(reason: "that are not a complete JSON object", count: 1, firstPlace: "line \(line)")
            ])
    }

    @Test func `a long log with broken lines is read a block at a time`() throws {
        let line = { (second: Int) in "{\"t\":\(second),\"hr\":\(60 + second % 20)}\n" }
        let count = 2 * RecordingFile.blockSize / 16
        let text = "{\"t\n" + (1...count).map(line).joined() + "{\"t\":9\n" + line(count + 1) + "{\"t\":"
        let recording = try read(text)
        #expect(recording.entries.count == count + 1)
        #expect(recording.reading.skipped.first?.count == 3)
        #expect(recording.reading.skipped.first?.firstPlace == "line 1")
    }

    @Test(arguments: [
        #"[{"t":1,"hr":60},{"t":2,"hr":61},{"t":3,"h"#,
        #"{"a":{"dataset":[{"time":"08:00:01","value":60},{"time":"08:00:02","value":61},{"ti"#
            .replacing("a\"", with: "heart\""),
        "[\n{\"t\":1,\n\"hr\":60},\n{\"t\":2,\n\"hr\":61},\n{\"t\":3,\n\"hr\":\n",
    ]) func `a list that was cut off gives the readings before, and says so`(text: String) throws {
        let recording = try read(text)
        #expect(rows(recording) == [[0, 60], [1, 61]])
        #expect(recording.reading.damage?.hasSuffix(": 2 readings come before that") == true)
    }

    @Test(arguments: [
        ("{\"time\":0,\n", ", line 2: this is not JSON: "),
        ("{\n\"hr\": 60,\n\"time\": }\n", ", line 3: this is not JSON: "),
        ("{\"a\":1,\"b\":2}", ", item 1: no column is a heart rate ('a', 'b')"),
        ("[]", ": the file has no items"), ("{\"items\":[]}", ": the file has no items"),
        ("[[1],[2]]", ", item 1: this is not an object"), ("[{},{}]", ": the file has no items"),
        (
            "[{\"time\":0,\"hr\":60},{\"time\":1e9,\"hr\":61}]",
            ", item 2: from item 1 to item 2 it spans more than a year"
        ),
        ("[{\"hr\":5},{\"hr\":6}]", ", item 1: '5.0' is not a heart rate"),
    ]) func `says where a file is wrong`(text: String, expected: String) {
        let failure = #expect(throws: SourceFailure.self) { try read(text) }
        #expect(failure?.isBadData == true)
        #expect(failure?.description.hasPrefix("'heart.json'" + expected) == true, "\(failure as Any)")
    }
}
