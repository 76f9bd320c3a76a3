import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Recordings

private let samples = [
    "time,hr,rr\n0,60,\"[980, 991]\"\n1.5,-1,\n2.25,62,985\n3,63,\n",
    "2019-10-16T12:08:58.041+02:00;HEART_RATE;79.0\n2019-10-16T12:08:59.030+02:00;HEART_RATE;78.0\n",
    "1560279835.000000\n1.000000\n93.00\n101.00\n100.00\n", "800 810 790 805\n",
    "\u{FEFF}Date;Time;Heart Rate (bpm);contact\r\n2026-01-31;09:00:00,5;60;true\r\n2026-01-31;09:00:01;61;no\r\n",
    #"{"time": 0, "hr": 60}"# + "\n" + #"{"time": 1.5, "hr": 61, "rr": [0.98, 0.99]}"# + "\n",
    #"{"items":[{"timestampSince1970":1.5,"value":72.0,"metadata":{"rrIntervals":[0.8],"runOffset":1.0}}]}"#,
    "[Params]\r\nVersion=106\r\nDate=20260131\r\nStartTime=08:00:05.0\r\nInterval=5\r\n[HRData]\r\n60\t1\r\n61\t2\r\n",
    "[Params]\nDate=20260131\nStartTime=08:00:05.0\nInterval=238\n\n[HRData]\n800\n810\n790\n",
    "start,duration,value\n2026-01-31T08:00:05+00:00,\"[60,60]\",\"[72,75]\"\n2026-01-31T08:10:05+00:00,[60],[70]\n",
    #"{"Data Points":[{"fitValue":[{"value":{"fpVal":60.0}}],"dataTypeName":"com.google.heart_rate.bpm","startTimeNanos":1769846405000000000}]}"#,
    #"{"data":{"metrics":[{"name":"heart_rate","data":[{"date":"2026-01-31 08:00:05 +0000","Min":58,"Avg":60}]}]}}"#,
    #"[{"type":"time","data":[10,15]},{"type":"heartrate","data":[60,62]}]"#,
]

private let hostile: [[UInt8]] = [
    [0], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x22], [0x22, 0x22], [0x0D], [0x0A], [0x2C], [0x3B],
    [0x09],
    Array("nan".utf8), Array("1e308".utf8), Array("-1e308".utf8), Array("9223372036854775808".utf8),
    Array("99999999999999999999999999999999999999".utf8), Array("1e-320".utf8), Array("9999-12-31".utf8),
    Array("0000-01-01T00:00:00Z".utf8), Array("9999:59:60".utf8), Array("[[[[".utf8), Array("{}".utf8),
    Array("\u{202E}\u{1B}[2J".utf8), Array("#".utf8), Array("\\ud800".utf8),
]

private func mutated(_ bytes: [UInt8], using random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int(random.next() % 5) {
        let place = Int(random.next() % UInt64(bytes.count + 1))
        switch random.next() % 4 {
        case 0 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1 where place < bytes.count:
            bytes.removeSubrange(place..<min(place + Int(random.next() % 8), bytes.count))
        case 2: bytes += bytes[..<min(place, bytes.count)]
        default: bytes.insert(contentsOf: hostile[Int(random.next() % UInt64(hostile.count))], at: place)
        }
    }
    return bytes
}

@Suite struct RecordingFuzzTests {
    @Test(arguments: samples.indices) func `whatever a file holds, a recording is sound or refused`(
        index: Int
    ) {
        var random = SeededRandom(seed: UInt64(index))
        var (sound, refused) = (0, 0)
        for _ in 0..<1000 {
            let bytes = mutated(Array(samples[index].utf8), using: &random)
            do {
                let recording = try HeartRateRecording(reading: bytes, named: "fuzz")
                sound += 1
                #expect(recording.entries.first?.time == 0)
                #expect(recording.entries.allSatisfy(isSound), "\(bytes)")
                #expect(
                    zip(recording.entries, recording.entries.dropFirst()).allSatisfy { $0.time < $1.time })
            } catch {
                refused += 1
                #expect(error.isBadData)
                #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
            }
        }
        #expect(sound > 20 && refused > 20)
    }

    private func isSound(_ entry: HeartRateRecording.Entry) -> Bool {
        (0...366 * 86_400).contains(entry.time)
            && entry.sample.rate.map { (15...300).contains($0) } != false
            && entry.sample.rrIntervals.allSatisfy { (0.2...4).contains($0) }
    }

    @Test(
        arguments: zip(["x", "\"", "1,", "[", "{\"a\":", "7 ", "\n", "#"], [10, 2, 2, 2, 2, 2, 1, 1]))
    func `megabytes of one thing are judged, not followed into the abyss`(piece: String, megabytes: Int) {
        let bytes = Array(String(repeating: piece, count: megabytes * 1_000_000 / piece.utf8.count).utf8)
        let failure = #expect(throws: SourceFailure.self) {
            try HeartRateRecording(reading: bytes, named: "big")
        }
        #expect(failure?.isBadData == true)
        #expect((failure?.description.count).map { $0 < 500 } == true)
    }
}
