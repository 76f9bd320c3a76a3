import Physiology
import StudyModel
import StudyTesting
import Testing

@testable import Recordings

/// A lead with pointed beats every 0.8 s, from 0.4 s on, and a wave after each.
private struct MadeLead {
    var rate = 250.0
    var seconds = 40.0

    var beats: [Double] { (0..<Int(seconds / 0.8)).map { 0.4 + 0.8 * Double($0) } }

    /// Millivolts.
    var samples: [Double] {
        (0..<Int(seconds * rate)).map { index in
            let since = (Double(index) / rate + 0.4).truncatingRemainder(dividingBy: 0.8)
            let near = min(since, 0.8 - since)
            let peak = max(0, 1 - near / 0.03)
            let after = max(0, 0.25 - abs(since - 0.28) * 3)
            // A little ripple, because no amplifier gives the same value for long.
            return peak + after + (index % 2 == 0 ? 0.002 : -0.002)
        }
    }
}

private func intervals(_ recording: HeartRateRecording) -> [Double] {
    recording.entries.flatMap(\.sample.rrIntervals)
}

/// Whether all are the lead's 0.8 s.
private func areRegular(_ intervals: [Double]) -> Bool {
    intervals.allSatisfy { abs($0 - 0.8) < 0.003 }
}

private func guide(_ values: String?, times: String? = nil, rate: Double? = nil) throws -> RecordingGuide {
    try #require(RecordingGuide(values: values, times: times, rate: rate))
}

private func read(_ text: String, _ guide: RecordingGuide) throws(SourceFailure) -> HeartRateRecording {
    try HeartRateRecording(reading: Array(text.utf8), named: "made.csv", guide)
}

private func refusal(_ text: String, _ guide: RecordingGuide) -> String {
    let failure = #expect(throws: SourceFailure.self) { try read(text, guide) }
    #expect(failure?.isBadData == true)
    return failure?.description ?? ""
}

@Suite struct ECGTableTests {
    private let lead = MadeLead()

    private func table(_ head: String, _ row: (Int, Double) -> String) -> String {
        ([head] + lead.samples.enumerated().map { row($0.offset, $0.element) }).joined(separator: "\n")
    }

    @Test(arguments: [
        ("time,ecg", 1.0), ("time [s],resp,ecg [mV]", 1), ("timestamp [ms],ECG", 1000), ("t_us,x,ekg", 1e6),
    ])
    func `beats of a column are found by its times, in any unit`(head: String, perSecond: Double) throws {
        let middle = String(repeating: "5,", count: head.count { $0 == "," } - 1)
        let text = table(head) { "\(Double($0) / lead.rate * perSecond),\(middle)\($1)" }
        let recording = try read(text, guide("ecg", times: head.hasPrefix("t_us") ? "t_us" : nil))
        #expect(intervals(recording).count == lead.beats.count - 1)
        #expect(areRegular(intervals(recording)))
        let ecg = try #require(recording.reading.ecg)
        #expect(ecg.beats == lead.beats.count && abs(ecg.samplingRate - 250) < 0.01)
        #expect(abs(ecg.seconds - 40) < 0.1 && ecg.missingSeconds == 0)
        #expect(abs(ecg.coveredSeconds - 0.8 * Double(lead.beats.count - 1)) < 0.01)
        #expect(recording.reading.assumptions.joined().contains("50 beats detected by Entrain in the ECG"))
    }

    @Test func `values alone need a rate`() throws {
        let text = lead.samples.map { "\($0)" }.joined(separator: "\n")
        #expect(areRegular(intervals(try read(text, guide("ecg", rate: 250)))))
        #expect(try intervals(read(text, guide("ecg", rate: 250))).count == 49)
        #expect(refusal(text, try guide("ecg")).contains("give --rate, such as --rate 250"))
        let named = table("time,ecg") { "\(Double($0) / 250),\($1)" }
        #expect(refusal(named, try guide("ecg", times: "none")).contains("give --rate"))
        #expect(try read(named, guide("ecg", times: "none", rate: 250)).reading.ecg?.beats == 50)
        #expect(
            refusal(named, try guide("ecg", rate: 500)).contains(
                "are those of 250 samples a second, not of 500, which --rate says"))
        #expect(try read(named, guide("ecg", rate: 250)).reading.ecg?.beats == 50)
    }

    @Test func `of two columns one is to be chosen`() throws {
        let text = table("time,ecg1,ecg2") { "\(Double($0) / 250),\($1),\(-$1)" }
        #expect(refusal(text, try guide("ecg")).contains("'ecg1', 'ecg2'? Name it, as in --as ecg=NAME"))
        let recording = try read(text, guide("ecg=ecg2"))
        #expect(recording.reading.ecg?.channel == "ecg2" && areRegular(intervals(recording)))
        #expect(refusal(text, try guide("ecg=ecg3")).contains("no column 'ecg3'"))
    }

    @Test func `missing samples and missing rows part the beats`() throws {
        let gap = 3000..<4000
        let empty = table("time,ecg") { "\(Double($0) / 250),\(gap.contains($0) ? "" : "\($1)")" }
        let rows = lead.samples.enumerated().filter { !gap.contains($0.offset) }
            .map { "\(Double($0.offset) / 250),\($0.element)" }
        for text in [empty, (["time,ecg"] + rows).joined(separator: "\n")] {
            let recording = try read(text, guide("ecg"))
            #expect(areRegular(intervals(recording)))
            let list = IntervalStretches(
                times: recording.entries.map(\.time), intervals: recording.entries.map(\.sample.rrIntervals))
            #expect(list.stretches.count == 2)
        }
        #expect(try abs((read(empty, guide("ecg")).reading.ecg?.missingSeconds ?? 0) - 4) < 0.01)
    }

    @Test func `a rate that is too low, words and other files are refused`() throws {
        let slow = (["time,ecg"] + (0..<500).map { "\(Double($0) / 50),\($0 % 9)" }).joined(separator: "\n")
        #expect(
            refusal(slow, try guide("ecg")).contains(
                "50.0 samples a second: beats are detected at 100 to 4000"))
        let words = table("time,ecg") { "\(Double($0) / 250),\($0 == 70 ? "off" : "\($1)")" }
        #expect(refusal(words, try guide("ecg")).contains("line 72: 'off' is not a number"))
        #expect(
            refusal("{\"t\":0,\"ecg\":1}\n{\"t\":1,\"ecg\":2}", try guide("ecg")).contains("not from JSON"))
        let flat = (["time,ecg"] + (0..<5000).map { "\(Double($0) / 250),0" }).joined(separator: "\n")
        #expect(refusal(flat, try guide("ecg")).contains("there are no intervals between beats: 0 beats"))
    }
}

/// A record of PhysioNet's with signals.
@Suite struct WFDBSignalTests {
    private let folder = TemporaryFolder()
    private let lead = MadeLead(rate: 360)

    private func record(_ name: String, _ signals: [String], _ bytes: [UInt8], frames: Int) throws -> String {
        let lines = ["\(name) \(signals.count) 360 \(frames)"] + signals
        let path = folder.path + "/\(name).hea"
        try #require(writeFile(Array(lines.joined(separator: "\n").utf8), to: path))
        try #require(writeFile(bytes, to: folder.path + "/\(name).dat"))
        return path
    }

    private static func bytes(_ format: Int, _ values: [Int]) -> [UInt8] {
        if format == 212 {
            return stride(from: 0, to: values.count - 1, by: 2).flatMap { index in
                let (a, b) = (values[index] & 0xFFF, values[index + 1] & 0xFFF)
                return [UInt8(a & 0xFF), UInt8(a >> 8 | (b >> 8) << 4), UInt8(b & 0xFF)]
            }
        }
        if format == 80 { return values.map { UInt8($0 + 128) } }
        return values.flatMap { value in
            stride(from: 0, to: format, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
        }
    }

    @Test(arguments: [16, 24, 32, 80, 212])
    func `beats of a record without annotations are detected in every format`(format: Int) throws {
        let values = lead.samples.flatMap { [Int(100 * $0), 7] }
        let path = try record(
            "r\(format)",
            [
                "r\(format).dat \(format) 100(0)/mV 12 0 0 0 0 MLII",
                "r\(format).dat \(format) 1/C 12 0 0 0 0 Temp",
            ],
            Self.bytes(format, values), frames: lead.samples.count)
        let recording = try HeartRateRecording(contentsOf: path)
        #expect(intervals(recording).count == 49 && areRegular(intervals(recording)))
        #expect(recording.reading.ecg?.channel == "MLII" && recording.reading.damage == nil)
        #expect(try IntervalList(contentsOf: path).reading.ecg?.samplingRate == 360)
    }

    @Test func `of two leads one is to be chosen, and a short file says so`() throws {
        let values = lead.samples.flatMap { [Int(-200 * $0), Int(100 * $0), 3] }
        let path = try record(
            "two", ["two.dat 16 200 12 0 0 0 0 V5", "two.dat 16x2 200 12 0 0 0 0 ECG"],
            Self.bytes(16, values),
            frames: lead.samples.count + 5)
        let failure = #expect(throws: SourceFailure.self) { try HeartRateRecording(contentsOf: path) }
        #expect(
            failure?.description.contains("'V5' (mV) and 'ECG' (mV). Choose one with --as ecg=NAME") == true)
        let recording = try HeartRateRecording(contentsOf: path, guide("ecg=V5"))
        #expect(areRegular(intervals(recording)) && intervals(recording).count == 49)
        #expect(recording.reading.damage?.contains("ends after 14400 of 14405 frames") == true)
        #expect(try HeartRateRecording(contentsOf: path, guide("ecg=ECG")).reading.ecg?.samplingRate == 720)
    }

    @Test func `what is not read says what would be`() throws {
        for (line, words) in [
            ("x.dat 516 200 12 0 0 0 0 II", "format 516, which is not read"),
            ("x.dat 16 1/C 12 0 0 0 0 Temp", "no signal says"),
        ] {
            let path = try record("x", [line], [0, 0], frames: 1)
            let failure = #expect(throws: SourceFailure.self) { try HeartRateRecording(contentsOf: path) }
            #expect(failure?.description.contains(words) == true && failure?.isBadData == true)
        }
        let path = folder.path + "/many.hea"
        try #require(writeFile(Array("many/2 1 360 10\na 5\nb 5\n".utf8), to: path))
        let failure = #expect(throws: SourceFailure.self) {
            try HeartRateRecording(contentsOf: path, guide("ecg"))
        }
        #expect(failure?.description.contains("several segments") == true)
    }
}
