import Glibc
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Physiology
@testable import Recordings

/// Recordings that contradict themselves, beside those of the same form that do not.
@Suite struct IntervalWitnessTests {
    private let folder = TemporaryFolder()

    /// The intervals of a heart that breathes and wanders, s.
    private static func heart(_ count: Int, mean: Double = 0.85, seed: UInt64 = 5) -> [Double] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { beat in
            let breath = 0.04 * sin(Double(beat) * 1.4)
            return ((mean + breath + 0.02 * random.normal()) * 1000).rounded() / 1000
        }
    }

    private static func ends(of intervals: [Double]) -> [Double] {
        var sum = 0.0
        return intervals.map { interval in
            sum += interval
            return sum
        }
    }

    /// Rows at a fixed rate, each with the interval of the moment.
    private static func sampled(_ intervals: [Double], every step: Double) -> [(Double, Double)] {
        let ends = ends(of: intervals)
        var beat = 0
        return stride(from: 0, to: ends.last ?? 0, by: step).map { time in
            while beat < ends.count - 1, ends[beat] < time { beat += 1 }
            return (time, intervals[beat])
        }
    }

    private func read(_ rows: [(Double, Double)], names: String = "time_s,rr_ms") throws -> HeartRateRecording
    {
        let text = rows.map { "\($0.0),\(($0.1 * 1000).rounded())\n" }.joined()
        return try HeartRateRecording(reading: Array((names + "\n" + text).utf8), named: "made.csv")
    }

    private func refusal(_ rows: [(Double, Double)]) -> String {
        let failure = #expect(throws: SourceFailure.self) { try read(rows) }
        return failure?.description ?? ""
    }

    private func list(_ text: String, _ guide: RecordingGuide = RecordingGuide()) throws -> IntervalList {
        let path = folder.path + "/made.txt"
        try #require(writeFile(Array(text.utf8), to: path))
        return try IntervalList(contentsOf: path, guide)
    }

    @Test(arguments: [0.05, 0.1, 0.25, 0.5])
    func `an interval that is held at a fixed rate is no beat`(step: Double) {
        let words = refusal(Self.sampled(Self.heart(200), every: step))
        #expect(words.contains("an interval stands in several rows"), "\(words)")
    }

    @Test(arguments: [0.7, 0.85, 1.05])
    func `an interval a second is no beat, whatever the heart's rate`(mean: Double) {
        let words = refusal(Self.sampled(Self.heart(300, mean: mean), every: 1))
        #expect(words.contains("a row comes every 1.000 s, whatever its interval is"), "\(words)")
    }

    @Test func `the rates beside such intervals are read`() throws {
        let rows = Self.sampled(Self.heart(300), every: 1).map { "\($0.0),70,\($0.1 * 1000)\n" }.joined()
        let bytes = Array(("time_s,hr,rr\n" + rows).utf8)
        let failure = #expect(throws: SourceFailure.self) {
            try HeartRateRecording(reading: bytes, named: "made.csv")
        }
        #expect(failure?.description.hasSuffix("or take only the heart rates, with --as hr") == true)
        let guide = try #require(RecordingGuide(values: "hr", times: nil))
        let recording = try HeartRateRecording(reading: bytes, named: "made.csv", guide)
        #expect(recording.entries.allSatisfy { $0.sample.rrIntervals.isEmpty && $0.sample.rate == 70 })
    }

    @Test func `a list without times in which each interval is repeated is no list of beats`() throws {
        let rows = Self.sampled(Self.heart(100), every: 0.2).map { "\($0.1 * 1000)\n" }.joined()
        for text in [rows, "rr\n" + rows] {
            let failure = #expect(throws: SourceFailure.self) { try list(text) }
            #expect(
                failure?.description.contains("most intervals are repeated several times in a row") == true)
        }
        // A paced heart, and one of a coarse device.
        let paced = String(repeating: "800\n800\n800\n801\n", count: 30)
        let coarse = String(repeating: "800\n800\n800\n820\n820\n820\n820\n", count: 30)
        #expect(try list("rr\n" + paced).intervals.count == 120)
        #expect(try list("rr\n" + coarse).intervals.count == 210)
    }

    @Test func `beats with exact times, with times of their packets, and in whole seconds are read`() throws {
        let beats = Self.heart(300)
        let ends = Self.ends(of: beats)
        for times in [ends, ends.map { ($0 * 10).rounded(.up) / 10 }, ends.map { $0.rounded(.down) }] {
            let recording = try read(Array(zip(times, beats)))
            #expect(recording.entries.flatMap(\.sample.rrIntervals).count == 300)
        }
    }

    @Test func `equal beats of one second count, and rows that were written twice do not`() throws {
        // Two equal beats begin and end in one second.
        let beats = (0..<75).map { [0.62, 0.6, 0.6][$0 % 3] }
        let times = Self.ends(of: beats).map { $0.rounded(.down) }
        let whole = try read(Array(zip(times, beats)))
        #expect(whole.entries.flatMap(\.sample.rrIntervals).count == 75 && whole.reading.duplicates == 0)
        // The same with seconds that are a little longer than the beats in them.
        let loose = (0..<75).map { (beat: Int) -> (Double, Double) in
            let second = (2 * beat + 1) / 3
            return (Double(second), beats[beat])
        }
        #expect(try read(loose).entries.flatMap(\.sample.rrIntervals).count == 75)
        let exact = Array(zip(Self.ends(of: beats), beats))
        let twice = try read(exact.flatMap { [$0, $0] })
        #expect(twice.entries.flatMap(\.sample.rrIntervals).count == 75 && twice.reading.duplicates == 75)
    }

    @Test func `one beat that is missing is a gap where times are exact`() throws {
        let beats = Self.heart(300)
        let rows = Array(zip(Self.ends(of: beats), beats)).enumerated().filter { $0.offset % 3 != 2 }.map(
            \.element)
        let recording = try read(rows)
        let stretches = IntervalStretches(
            times: recording.entries.map(\.time), intervals: recording.entries.map(\.sample.rrIntervals))
        #expect(stretches.stretches.map(\.count) == Array(repeating: 2, count: 100))
    }

    @Test(arguments: ["", "rr\n"])
    func `an interval that is too long for one is a gap, in a list and in a table`(names: String) throws {
        var beats = Self.heart(60).map { "\($0 * 1000)" }
        beats[20] = "9000"
        beats[40] = "12500"
        let guide = try #require(RecordingGuide(values: "rr", times: nil))
        for guide in [guide, RecordingGuide()] {
            let found = try list(names + beats.joined(separator: "\n"), guide)
            #expect(found.intervals.stretches.map(\.count) == [20, 19, 19] && found.skipped == 2)
        }
        beats[20] = "-1"
        beats[40] = "0"
        let silent = try list(names + beats.joined(separator: "\n"), guide)
        #expect(silent.intervals.stretches.map(\.count) == [20, 19, 19])
    }

    @Test func `doubt about a list is told`() throws {
        var random = SeededRandom(seed: 3)
        let noise = (0..<300).map { _ in "\(Double.random(in: 800...900, using: &random))" }.joined(
            separator: "\n")
        let found = try list(noise)
        #expect(found.intervals.count == 300 && found.doubt != nil)
        #expect(try list("800\n810\n790").doubt == nil)
        let wave = (0..<300).map { "\(800 + 300 * sin(Double($0) / 15))" }.joined(separator: "\n")
        let failure = #expect(throws: SourceFailure.self) { try list(wave) }
        #expect(failure?.description.contains("they rise and fall like a waveform") == true)
    }
}

@Suite struct RecordedUnitTests {
    private func read(_ text: String) throws -> HeartRateRecording {
        try HeartRateRecording(reading: Array(text.utf8), named: "made.csv")
    }

    private static let start = 1_767_348_000.0

    @Test func `the days of a spreadsheet are those of the calendar`() throws {
        let rows = (0..<120).map { second in
            let days = ((46_024 + (36_000 + Double(second)) / 86_400) * 1e8).rounded() / 1e8
            return "\(days),\(70 + second % 5)\n"
        }
        let recording = try read("Time,HR\n" + rows.joined())
        #expect(abs((recording.entries.last?.time ?? 0) - 119) < 0.002 && recording.reading.isDated)
        #expect(abs((recording.timedSamples.first?.time ?? 0) - Self.start) < 0.001)
        let seconds = (0..<120).map { "\(46_024 + $0),\(70 + $0 % 5)\n" }.joined()
        #expect(try read("Time,HR\n" + seconds).reading.isDated == false)
    }

    @Test(arguments: ["time [s/256]", "time (1/256 s)"])
    func `parts of a second are a unit`(name: String) throws {
        let rows = (0..<120).map { "\(Int(Self.start * 256) + 256 * $0),\(70 + $0 % 5),14\n" }.joined()
        let recording = try read(
            "\(name),heart_rate [bpm](/api/datatype/19/),breathing_rate [rpm](/api/datatype/33/)\n" + rows)
        #expect(recording.entries.last?.time == 119 && recording.timedSamples.first?.time == Self.start)
        #expect(recording.reading.assumptions.contains("times in 1/256 s"))
    }

    @Test func `minutes are a unit of times, and the lowest of several rates is none`() throws {
        let rows = (0..<60).map { "\(Double($0) / 60),\(70 + $0 % 5),60\n" }.joined()
        let recording = try read("Time (min),hr,hr_min\n" + rows)
        #expect(abs((recording.entries.last?.time ?? 0) - 59) < 0.001)
        #expect(recording.entries.last?.sample.rate == 74)
    }

    @Test(arguments: [
        ("Interval=\t0.1 s\nChannelTitle=\tECG\tHeart Rate\n0.0\t0.3794\t70\n", "LabChart"),
        (
            "P01.acq\n100 msec/sample\n2 channels\nECG\nmV\nRate\nBPM\nmin\tCH1\tCH2\n0\t0.1\t70\n",
            "AcqKnowledge"
        ),
        (
            "# OpenSignals Text File Format. Version 1\n# {}\n# EndOfHeader\n0\t0\t31960\n1\t0\t32030\n",
            "OpenSignals"
        ),
    ]) func `an export of a laboratory's program is refused by its name`(text: String, program: String) throws
    {
        for values in [nil, "hr", "rr", "ecg"] {
            let guide = try #require(RecordingGuide(values: values, times: nil))
            let failure = #expect(throws: SourceFailure.self) {
                try HeartRateRecording(reading: Array(text.utf8), named: "made.txt", guide)
            }
            #expect(failure?.description.contains("is a text export of \(program), whose header") == true)
        }
    }

    @Test func `an empty list of intervals is none`() throws {
        let samples = (0..<30).map { second in
            "{\"dateTime\": \"2026-01-02T10:00:\(second < 10 ? "0" : "")\(second).000\", \"value\": \(60 + second % 5)}"
        }
        let recording = try read(
            """
            {"exercises": [{"startTime": "2026-01-02T10:00:00.000", "samples": {"heartRate": [\(samples.joined(separator: ", "))],
            "speed": [{"dateTime": "2026-01-02T10:00:00.000", "value": 10}], "rr": []}}]}
            """)
        #expect(recording.entries.map(\.sample.rate) == (0..<30).map { Double(60 + $0 % 5) })
    }

    @Test func `of two heart rates in one point the first counts`() throws {
        let points = [
            ("<heartrate>89</heartrate>", "<hr>89</hr>"), ("<hr></hr>", "<heartrate>90</heartrate>"),
        ]
        .enumerated().map { second, rates in
            "<trkpt><time>2026-01-02T10:00:0\(second)Z</time>\(rates.0)<extensions>\(rates.1)</extensions></trkpt>"
        }
        let recording = try read("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
        #expect(recording.entries.map(\.sample.rate) == [89, 90])
    }
}
