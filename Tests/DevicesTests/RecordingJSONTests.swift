import StudyModel
import StudySession
import Testing

@testable import Devices

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
    ]) func `reads objects in many forms`(text: String) throws {
        #expect(rows(try read(text)) == [[0, 60, 0.98, 0.99], [1.5, 62]])
    }

    @Test func `a number on its own is a value`() throws {
        #expect(rows(try read("[60, 61]")) == [[0, 60], [1, 61]])
        #expect(rows(try read("[800, 750]")) == [[0, 75, 0.8], [0.75, 80, 0.75]])
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
        ("{\"time\":0,\"hr\":60}\n{\"time\":1,\n", ", line 2: this is not JSON: "),
        ("{\n\"hr\": 60,\n\"time\": }\n", ", line 3: this is not JSON: "),
        ("{\"a\":1,\"b\":2}", ", item 1: no column is a heart rate ('a', 'b')"),
        ("[]", ": the file has no items"), ("{\"items\":[]}", ": the file has no items"),
        ("[[1],[2]]", ", item 1: this is no object"), ("[{},{}]", ": the file has no items"),
        (
            "[{\"time\":0,\"hr\":60},{\"time\":1e9,\"hr\":61}]",
            ", item 2: from item 1 to item 2 more than a year"
        ),
        ("[{\"hr\":5},{\"hr\":6}]", ", item 1: '5.0' is not a heart rate"),
    ]) func `says where a file is wrong`(text: String, expected: String) {
        let failure = #expect(throws: SourceFailure.self) { try read(text) }
        #expect(failure?.isBadData == true)
        #expect(failure?.description.hasPrefix("'heart.json'" + expected) == true, "\(failure as Any)")
    }
}
