import Glibc
import SessionPorts
import StudyModel
import StudyTesting
import Testing
import TextFormat

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

    @Test func `intervals that differ in rows that come as often as beats are told, but not those of beats`()
        throws
    {
        let beats = Self.heart(300, mean: 1)
        let rows = Self.sampled(beats, every: 1)
        #expect(try read(rows).reading.doubts.first?.hasPrefix("a row comes every 1.000 s, though") == true)
        let exact = Self.ends(of: beats)
        #expect(try read(Array(zip(exact, beats))).reading.doubts.isEmpty)
        let even = (1...300).map { (Double($0), $0 % 20 == 0 ? 1.002 : 1) }
        #expect(try read(even).reading.doubts.isEmpty)
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
        let slow = Self.sampled(Self.heart(100), every: 0.5).map { "\($0.1 * 1000)\n" }.joined()
        for text in [rows, "rr\n" + rows, "rr\n" + slow] {
            let failure = #expect(throws: SourceFailure.self) { try list(text) }
            #expect(
                failure?.description.contains("too many intervals are equal to the one before") == true)
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

    @Test(arguments: [0, 0.1])
    func `one beat that is missing is a gap where times are those of beats`(resolution: Double) throws {
        let beats = Self.heart(300)
        for starts in [false, true] {
            let rows = zip(Self.ends(of: beats), beats).map { end, beat in
                let time = starts ? end - beat : end
                return (resolution > 0 ? (time / resolution).rounded() * resolution : time, beat)
            }
            #expect(try stretches(rows).map(\.count) == [300])
            #expect(
                try stretches(rows.enumerated().filter { $0.offset % 3 != 2 }.map(\.element)).map(\.count)
                    == Array(repeating: 2, count: 100))
        }
    }

    private func stretches(_ rows: [(Double, Double)]) throws -> [[Double]] {
        let entries = try read(rows).entries
        return IntervalStretches(
            times: entries.map(\.time), intervals: entries.map(\.sample.rrIntervals),
            gapsBefore: entries.map(\.isAfterGap)
        ).stretches
    }

    @Test(arguments: [0.02, 0.056, 0.1, 0.25])
    func `an interval that changes its sign at each beat is one beat until it changes`(step: Double) throws {
        let beats = Self.heart(100)
        var last = (beat: 0.0, sign: 1.0)
        let rows = Self.sampled(beats, every: step).map { time, beat in
            if beat != last.beat { last = (beat, -last.sign) }
            return (time, beat * last.sign)
        }
        // Equal neighbours cannot be told apart here, but by a logger.
        let own = beats.indices.filter { $0 == 0 || beats[$0] != beats[$0 - 1] }.map { beats[$0] }
        let found = try read(rows)
        #expect(found.entries.flatMap(\.sample.rrIntervals) == own)
        #expect(found.reading.assumptions.contains("a beat where the interval changes its sign"))
        let text = rows.map { "\(($0.1 * 1000).rounded())\n" }.joined()
        #expect(try list(text).intervals.stretches.map { $0.map { $0 / 1000 } } == [own])
    }

    @Test func `what contradicts is told, a line for each`() throws {
        let beats = Self.heart(300)
        let ends = Self.ends(of: beats)
        let rates = zip(ends, beats).map { "\($0.0),120,\($0.1)\n" }.joined()
        let contrary = try HeartRateRecording(
            reading: Array(("time_s,hr,rr_s\n" + rates).utf8), named: "made")
        #expect(
            contrary.reading.doubts == [
                "the heart rates are 120 per minute on average, and the intervals beside them mean 71: one of the two columns is "
                    + "something else"
            ])
        let counts = try read(Array(zip(ends, beats.map { $0 * 1.024 })))
        #expect(
            counts.reading.doubts.first?.hasPrefix("each interval is 2.4 % longer than the time that passes")
                == true)
        #expect(try read(Array(zip(ends, beats))).reading.doubts.isEmpty)
        let words = refusal(zip(ends, beats).map { ($0 / 1000, $1) })
        #expect(
            words.contains("each interval is 1000 times the time from its row to the one before"), "\(words)")
    }

    @Test(arguments: [
        ("P01_2026-01-02.csv", false), ("2026_01_20-export.csv", false), ("a/20260102T1000.csv", false),
        ("P01_2025-12-24.csv", true), ("20280101.csv", true), ("run_1984_02_30.csv", false),
        ("12345678.csv", false),
    ]) func `a date in the name that is not that of the times is told`(name: String, isTold: Bool) throws {
        let rows = (0..<60).map { "\(1_767_348_000 + $0),\(70 + $0 % 5)\n" }.joined()
        let recording = try HeartRateRecording(reading: Array(("time,hr\n" + rows).utf8), named: name)
        #expect(recording.reading.doubts.isEmpty != isTold, "\(recording.reading.doubts)")
    }

    @Test(arguments: [20.0, 100])
    func `where the clock was set back there is a gap, and no beat among others`(back: Double) throws {
        let beats = Self.heart(300)
        let rows = zip(Self.ends(of: beats), beats).enumerated().map { beat, row in
            (row.0 - (beat >= 150 ? back : 0), row.1)
        }
        #expect(try stretches(rows).map(\.count) == [150, 150])
        let doubts = try read(rows).reading.doubts
        #expect(
            doubts.first?.hasPrefix("at line 152 the times jump back by \(Int(back) - 1) s") == true,
            "\(doubts)")
    }

    @Test func `a part that is written again, and beats in whole seconds written twice, count once`() throws {
        let beats = Self.heart(300)
        let rows = Array(zip(Self.ends(of: beats), beats))
        #expect(try read(rows + rows).reading.duplicates == 300)
        #expect(try stretches(rows + rows).map(\.count) == [300])
        // Two equal beats in a second cannot be told from one that was written twice.
        let twice = rows.flatMap { [($0.rounded(.down), $1), ($0.rounded(.down), $1)] }
        #expect(try (295...300).contains(read(twice).entries.flatMap(\.sample.rrIntervals).count))
    }

    @Test(arguments: ["", "rr\n"])
    func `an interval that is too long for one is a gap, in a list and in a table`(names: String) throws {
        var beats = Self.heart(60).map { "\($0 * 1000)" }
        beats[20] = "9000"
        beats[40] = "12500"
        let guide = try #require(RecordingGuide(values: "rr", times: nil))
        for guide in [guide, RecordingGuide()] {
            let found = try list(names + beats.joined(separator: "\n"), guide)
            #expect(
                found.intervals.stretches.map(\.count) == [20, 19, 19]
                    && found.reading.skipped.first?.count == 2)
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
        #expect(found.intervals.count == 300 && found.reading.reservation != nil)
        #expect(try list("800\n810\n790").reading.reservation == nil)
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

    @Test func `a time of the day in a spreadsheet is a part of 1`() throws {
        let rows = (0..<120).map { "\((36_000 + Double($0)) / 86_400),\(70 + $0 % 5)\n" }
        let recording = try read("Time,HR\n" + rows.joined())
        #expect(abs((recording.entries.last?.time ?? 0) - 119) < 0.002 && !recording.reading.isDated)
    }

    @Test func `times before there were such devices are asked about`() throws {
        let rows = (0..<60).map { "\(452_441_088_000 + 256 * $0),\(70 + $0 % 5)\n" }.joined()
        let failure = #expect(throws: SourceFailure.self) { try read("time,hr\n" + rows) }
        #expect(failure?.description.contains("have no unit, and begin in 1984 if they are ms") == true)
        #expect(try read("time [s/256],hr\n" + rows).entries.last?.time == 59)
    }

    @Test
    func `times whose unit no name says are those that the intervals beside them say, or are asked about`()
        throws
    {
        var time = 0.0
        let beats = (0..<60).map { 800 + 10 * ($0 % 5) }
        let rows = beats.map { beat in
            time += Double(beat) / 60_000
            return "\(time),\(beat)\n"
        }
        #expect(try abs((read("time,rr\n" + rows.joined()).entries.last?.time ?? 0) - 59 * 0.82) < 0.1)
        let fast = (0..<60).map { "\(Double($0) / 250),\(70 + $0 % 5)\n" }.joined()
        #expect(try read("time,hr\n" + fast).entries.last?.time == 0.236)
        for unit in [60.0, 3600] {
            let rates = (0..<60).map { "\(Double($0) / unit),\(70 + $0 % 5)\n" }.joined()
            let failure = #expect(throws: SourceFailure.self) { try read("time,hr\n" + rates) }
            #expect(failure?.description.contains("have no unit, and advance by only") == true)
            let named = try read((unit == 60 ? "time_min,hr\n" : "time (h),hr\n") + rates)
            #expect(abs((named.entries.last?.time ?? 0) - 59) < 0.001)
        }
    }

    @Test(arguments: [
        ("R_peak_s", 1.0, 3), ("R peak [1/250 s]", 250, 0), ("beat_time_ms", 1000, 0), ("", 1, 3),
    ])
    func `times of beats give the intervals between them`(name: String, perSecond: Double, digits: Int) throws
    {
        let beats = (0..<60).map { 800 + 12 * ($0 % 5) }
        var time = 100.0
        let text = beats.map { beat in
            time += Double(beat) / 1000
            return "\(decimals(time * perSecond, digits))\n"
        }.joined()
        let found = try read((name.isEmpty ? "" : name + "\n") + text).entries.flatMap(\.sample.rrIntervals)
        #expect(found.map { Int(($0 * 1000).rounded()) } == Array(beats.dropFirst()))
    }

    @Test func `whole times of beats without a unit are asked about`() {
        let text = (0..<60).map { "\(1000 + 212 * $0 + $0 % 7)\n" }.joined()
        for names in ["", "R-peaks\n", "R_peaks_samples\n"] {
            let failure = #expect(throws: SourceFailure.self) { try read(names + text) }
            #expect(failure?.description.contains("in ms or counted in samples") == true)
        }
    }

    @Test func `columns without names are chosen by their numbers`() throws {
        let rows = (0..<30).map { "\($0).0\t5\t\(800 + 10 * ($0 % 5))\t\(70 + $0 % 5)\n" }.joined()
        let guide = try #require(RecordingGuide(values: "hr=4", times: "1"))
        let recording = try HeartRateRecording(reading: Array(rows.utf8), named: "made", guide)
        #expect(recording.entries.map(\.sample.rate) == (0..<30).map { Double(70 + $0 % 5) })
        #expect(recording.entries.last?.time == 29)
        let failure = #expect(throws: SourceFailure.self) { try read(rows) }
        #expect(failure?.description.contains("or say --as rr=2") == true)
    }

    @Test func `an empty list of intervals is none`() throws {
        let samples = (0..<30).map { second in
            "{\"dateTime\": \"2026-01-02T10:00:\(second < 10 ? "0" : "")\(second).000\", \"value\": \(60 + second % 5)}"
        }
        for (name, none) in [("heartRate", "[]"), ("heartRate", "null"), ("hr", "[]")] {
            let recording = try read(
                """
                {"exercises": [{"startTime": "2026-01-02T10:00:00.000", "samples": {"\(name)": [\(samples.joined(separator: ", "))],
                "speed": [{"dateTime": "2026-01-02T10:00:00.000", "value": 10}], "rr": \(none)}}]}
                """)
            #expect(recording.entries.map(\.sample.rate) == (0..<30).map { Double(60 + $0 % 5) })
        }
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
