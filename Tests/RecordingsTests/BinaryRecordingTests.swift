import Glibc
import Physiology
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Recordings

private func read(_ bytes: [UInt8], _ guide: RecordingGuide = RecordingGuide()) throws(SourceFailure)
    -> HeartRateRecording
{ try HeartRateRecording(reading: bytes, named: "made", guide) }

private func refusal(_ bytes: [UInt8], _ guide: RecordingGuide = RecordingGuide()) -> String {
    let failure = #expect(throws: SourceFailure.self) { try read(bytes, guide) }
    #expect(failure?.isBadData == true)
    return failure?.description ?? ""
}

@Suite struct EDFRecordingTests {
    private let waves = MadeEDF.channel("ECG I", "uV", Array(0..<12), perRecord: 4)

    @Test(arguments: [false, true])
    func `reads the channel of heart rates, and says what it does not read`(isBioSemi: Bool) throws {
        var file = MadeEDF(channels: [waves, MadeEDF.channel("Heart Rate", "bpm", [60, 0, 63])])
        file.isBioSemi = isBioSemi
        if isBioSemi { for index in 0..<2 { file.channels[index].physical = -8_388_608...8_388_607 } }
        let recording = try read(file.bytes)
        #expect(recording.entries.map(\.sample.rate) == [60, nil, 63])
        #expect(recording.entries.map(\.time) == [0, 1, 2])
        #expect(recording.reading.isDated)
        let words = recording.reading.assumptions.joined(separator: "; ")
        #expect(words.contains("heart rates from the channel 'Heart Rate' (bpm); not read: 'ECG I'"))
        #expect(words.hasPrefix(isBioSemi ? "a BDF file" : "an EDF+ file"))
    }

    @Test func `several values a second are their mean, zeros left out`() throws {
        let rates = [60, 62, 0, 64, 0, 0, 0, 0, 70, 70, 70, 70]
        let recording = try read(MadeEDF(channels: [MadeEDF.channel("HR", "", rates, perRecord: 4)]).bytes)
        #expect(recording.entries.map(\.sample.rate) == [62, nil, 70])
    }

    @Test func `intervals that are held until the next beat are each taken once`() throws {
        // 800, 800 and 1000 ms, at 10 values a second: two equal ones follow each other.
        let values =
            Array(repeating: 800, count: 16) + Array(repeating: 1000, count: 10) + [500, 500, 500, 500]
        let file = MadeEDF(channels: [MadeEDF.channel("RR", "ms", values, perRecord: 10)])
        let recording = try read(file.bytes)
        #expect(recording.entries.flatMap(\.sample.rrIntervals) == [0.8, 0.8, 1, 0.5])
        #expect(recording.entries.map(\.time) == [0, 0.8, 1.6, 2.6])
        let resampled = (0..<40).map { 800 + $0 }
        #expect(
            refusal(MadeEDF(channels: [MadeEDF.channel("RR", "ms", resampled, perRecord: 4)]).bytes)
                .contains("does not hold each interval until the next beat"))
    }

    @Test(arguments: [
        ("ECG I", "C"), ("Pulse", "mV"), ("Resp Rate", "1/min"), ("RR", "1/min"), ("SpO2", "%"),
        ("HR", "mV"),
        ("Temp", "C"), ("Pleth", ""), ("Pulse", ""),
    ])
    func `nothing else is taken for a heart's, and each channel is named`(label: String, unit: String) throws
    {
        let file = MadeEDF(channels: [MadeEDF.channel(label, unit, [60, 61, 62])])
        let words = refusal(file.bytes)
        #expect(
            words.contains("no channel says that it is a heart rate or intervals")
                && words.contains("'\(label)'"))
        #expect(words.contains("--as hr=NAME"))
        let guide = try #require(RecordingGuide(values: "hr=\(label)", times: nil))
        #expect(try read(file.bytes, guide).entries.map(\.sample.rate) == [60, 61, 62])
    }

    @Test(arguments: [false, true])
    func `beats are detected in a channel that is an ECG in volts`(isBioSemi: Bool) throws {
        // Pointed beats every 0.8 s for 20 s, at 200 values a second.
        let values = (0..<4000).map { max(0, 1000 - 200 * abs($0 % 160 - 60)) + $0 % 2 }
        var file = MadeEDF(channels: [
            MadeEDF.channel("ECG II", "uV", values, perRecord: 200),
            MadeEDF.channel("EDA", "uS", Array(0..<20)),
        ])
        file.isBioSemi = isBioSemi
        if isBioSemi { for index in 0..<2 { file.channels[index].physical = -8_388_608...8_388_607 } }
        let recording = try read(file.bytes)
        let intervals = recording.entries.flatMap(\.sample.rrIntervals)
        #expect(intervals.count == 24 && intervals.allSatisfy { abs($0 - 0.8) < 0.003 })
        let words = recording.reading.assumptions.joined(separator: "; ")
        #expect(words.contains("an ECG from the channel 'ECG II' (uV); not read: 'EDA'"))
        #expect(words.contains("25 beats detected by Entrain in the ECG 'ECG II', 200 samples a second"))
        file.channels.append(MadeEDF.channel("ECG V5", "uV", values, perRecord: 200))
        #expect(
            refusal(file.bytes).contains("'ECG II' (uV) and 'ECG V5' (uV). Choose one with --as ecg=NAME"))
        let guide = try #require(RecordingGuide(values: "ecg=ECG V5", times: nil))
        #expect(try read(file.bytes, guide).reading.ecg?.channel == "ECG V5")
        let slow = MadeEDF(channels: [MadeEDF.channel("ECG", "mV", values, perRecord: 50)])
        #expect(refusal(slow.bytes).contains("50.0 samples a second: beats are detected at 100 to 4000"))
    }

    @Test func `records that overlap, and a file that goes on after them, are told`() throws {
        var file = MadeEDF(channels: [MadeEDF.channel("HR", "bpm", [60, 61, 62])])
        file.onsets = ["0", "1", "1.5"]
        #expect(
            try read(file.bytes).reading.doubts == [
                "data record 3 begins 0.500 s before the one before it ends"
            ])
        file.onsets = ["0", "1", "5"]
        #expect(try read(file.bytes).reading.doubts.isEmpty)
        file.told = 2
        let longer = try read(file.bytes)
        #expect(
            longer.entries.count == 2
                && longer.reading.damage?.contains("the file goes on after the 2 data records") == true)
    }

    @Test func `of two hearts one is to be chosen`() throws {
        let file = MadeEDF(channels: [
            MadeEDF.channel("HR", "bpm", [60, 61]), MadeEDF.channel("Pulse", "bpm", [80, 81]),
        ])
        #expect(refusal(file.bytes).contains("'HR' (bpm) and 'Pulse' (bpm). Choose one with --as hr=NAME"))
        let guide = try #require(RecordingGuide(values: "hr=Pulse", times: nil))
        #expect(try read(file.bytes, guide).entries.map(\.sample.rate) == [80, 81])
    }

    @Test func `a file without a day tells none, and one that is cut off says where`() throws {
        var file = MadeEDF(channels: [MadeEDF.channel("HR", "bpm", Array(60..<90))])
        file.recording = "Startdate X X X X"
        file.told = 40
        let recording = try read(file.bytes)
        #expect(
            !recording.reading.isDated
                && recording.reading.damage == "the file ends after 30 of 40 data records")
        let whole = file.bytes
        for length in stride(from: 0, to: whole.count, by: 7) {
            do { #expect(try read(Array(whole[..<length])).reading.damage != nil) } catch {
                #expect(error.isBadData)
            }
        }
        #expect(refusal(Array(whole[..<300])).contains("ends in its header"))
    }

    @Test func `a column of times is not asked of a file that has its own`() throws {
        let file = MadeEDF(channels: [MadeEDF.channel("HR", "bpm", [60])])
        let guide = try #require(RecordingGuide(values: nil, times: "stamp"))
        #expect(refusal(file.bytes, guide).contains("leave out --time"))
    }
}

@Suite struct XDFRecordingTests {
    @Test func `rates and intervals keep their own stamps on one clock`() throws {
        var file = MadeXDF()
        file.stream(1, "HR Polar H10", "HR", labels: [("heartrate", "bpm")])
        file.stream(2, "RR Polar H10", "RR", labels: [("rr", "ms")])
        file.stream(3, "Flow", "Respiration", labels: [("flow", "au")])
        file.samples(1, [(100, [60]), (101, [61]), (102, [0])])
        file.samples(2, [(600.5, [800]), (601.25, [750])])
        file.samples(3, [(100, [1])])
        file.offset(2, at: 600, -500)
        file.offset(2, at: 610, -500)
        let recording = try read(file.bytes)
        #expect(recording.entries.map(\.time) == [0, 0.5, 1, 1.25, 2])
        #expect(recording.entries.map(\.sample.rate) == [60, nil, 61, nil, nil])
        #expect(recording.entries.map(\.sample.rrIntervals) == [[], [0.8], [], [0.75], []])
        #expect(recording.reading.withoutReading == 1)
        #expect(recording.reading.assumptions.contains("not read: 'Flow'"))
    }

    @Test func `a drifting clock is followed, single bad measurements are not`() throws {
        var file = MadeXDF()
        file.stream(7, "RR", "RR", labels: [("rr", "s")])
        file.samples(7, (0..<50).map { (Double($0) * 1.01, [1]) })
        for second in stride(from: 0.0, through: 50, by: 5) {
            file.offset(7, at: second, 10 - second / 101 + (second == 20 ? 3 : 0))
        }
        let recording = try read(file.bytes)
        for (index, entry) in recording.entries.enumerated() {
            #expect(abs(entry.time - Double(index)) < 1e-3)
        }
    }

    @Test func `beats are detected in a stream of ECG, whatever the jitter of its times`() throws {
        for rate in [130, 500, 0] {
            var file = MadeXDF()
            file.stream(1, "Polar H10", "ECG", labels: [("chest", "uV")], rate: rate)
            for chunk in 0..<20 {
                file.samples(
                    1,
                    (0..<130).map { index in
                        let place = chunk * 130 + index
                        let jitter = 0.03 * sin(Double(place) * 0.37)
                        return (
                            50 + Double(place) / 130 + jitter,
                            [max(0, 900 - 200 * abs(Double(place % 104) - 52))]
                        )
                    })
            }
            guard rate > 0 else {
                #expect(refusal(file.bytes).contains("has no sampling rate"))
                continue
            }
            let recording = try read(file.bytes)
            #expect(recording.reading.doubts.isEmpty == (rate == 130))
            let intervals = recording.entries.flatMap(\.sample.rrIntervals)
            #expect(intervals.count == 24 && intervals.allSatisfy { abs($0 - 0.8) < 0.004 }, "\(intervals)")
        }
    }

    @Test func `two people's hearts are not joined, and channels are named with their stream`() throws {
        var file = MadeXDF()
        file.stream(1, "Anna", "Physio", labels: [("hr", "bpm"), ("eda", "uS")])
        file.stream(2, "Ben", "Physio", labels: [("hr", "bpm"), ("eda", "uS")])
        for id in 1...2 as ClosedRange<UInt32> {
            file.samples(id, [(1, [60 + Double(id), 5]), (2, [60, 5])])
        }
        #expect(
            refusal(file.bytes).contains("'Anna/hr' (bpm) and 'Ben/hr' (bpm). Choose one with --as hr=NAME"))
        let guide = try #require(RecordingGuide(values: "hr=Ben/hr", times: nil))
        #expect(try read(file.bytes, guide).entries.map(\.sample.rate) == [62, 60])
    }

    @Test func `of two streams of one name the second is chosen by its number`() throws {
        var file = MadeXDF()
        for id in 1...2 as ClosedRange<UInt32> {
            file.stream(id, "HeartRate", "HR")
            file.samples(id, [(1, [60 + Double(id)]), (2, [60])])
        }
        #expect(refusal(file.bytes).contains("'HeartRate' and 'HeartRate (2)'. Choose one"))
        let guide = try #require(RecordingGuide(values: "hr=HeartRate (2)", times: nil))
        #expect(try read(file.bytes, guide).entries.map(\.sample.rate) == [62, 60])
    }

    @Test func `wherever it is cut off, what stands before is read or the damage is told`() throws {
        var file = MadeXDF()
        file.stream(1, "HR", "HR")
        for second in 0..<5 { file.samples(1, [(Double(second), [60])]) }
        for length in 5..<file.bytes.count {
            do {
                let recording = try read(Array(file.bytes[..<length]))
                #expect(recording.entries.allSatisfy { $0.sample.rate == 60 })
                #expect(recording.reading.damage != nil || recording.entries.count <= 5)
            } catch { #expect(error.isBadData) }
        }
    }
}

@Suite struct WFDBRecordTests {
    private let folder = TemporaryFolder()

    private func word(_ kind: Int, _ distance: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: distance), UInt8(kind << 2 | distance >> 8)]
    }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = folder.path + "/" + name
        try #require(writeFile(bytes, to: path))
        return path
    }

    @Test func `the beats of a record are its intervals`() throws {
        let header = try file(
            "100.hea",
            Array("100 2 360 650000 10:20:30 05/11/2026\n100.dat 212 200 11 1024 995 0 0 MLII\n".utf8))
        let alone = #expect(throws: SourceFailure.self) { try HeartRateRecording(contentsOf: header) }
        #expect(alone?.isBadData == true)
        #expect(alone?.description.contains("no annotations of beats beside it") == true)
        #expect(alone?.description.contains("not read: the signals 'MLII'") == true)
        // A rhythm mark with text, three beats, a mark of noise, a long skip, and two beats.
        var bytes = word(28, 18) + word(63, 3) + Array("(N".utf8) + [0, 0] + word(1, 342) + word(5, 288)
        bytes +=
            word(1, 360) + word(14, 100) + word(62, 1) + word(59, 0) + [1, 0, 0, 0] + word(1, 1)
            + word(1, 270) + [0, 0]
        let annotations = try file("100.atr", bytes)
        for path in [header, annotations] {
            let recording = try HeartRateRecording(contentsOf: path)
            #expect(recording.entries.flatMap(\.sample.rrIntervals) == [0.8, 1, 0.75])
            #expect(recording.reading.skipped.first?.count == 1)
            #expect(try IntervalList(contentsOf: path).intervals.count == 3)
            #expect(recording.reading.isDated && recording.reading.damage == nil)
            #expect(recording.reading.assumptions.joined().contains("100.atr"))
        }
        _ = try file("100.atr", Array(bytes.dropLast(3)))
        #expect(try HeartRateRecording(contentsOf: header).reading.damage?.contains("ends within") == true)
    }

    @Test func `annotations of a finer clock than the record's are on theirs`() throws {
        let header = try file("r.hea", Array("r 1 100\n".utf8))
        let text = Array("## time resolution: 1000".utf8)
        _ = try file(
            "r.qrs", word(22, 0) + word(63, text.count) + text + word(1, 500) + word(1, 900) + [0, 0])
        #expect(try HeartRateRecording(contentsOf: header).entries.flatMap(\.sample.rrIntervals) == [0.9])
        let alone = try file("alone.atr", word(1, 500) + word(1, 900) + [0, 0])
        let missing = #expect(throws: SourceFailure.self) { try HeartRateRecording(contentsOf: alone) }
        #expect(missing?.description.contains("alone.hea' cannot be read") == true)
        let broken = try file("x.hea", Array("no record\n".utf8))
        #expect(throws: SourceFailure.self) { try HeartRateRecording(contentsOf: broken) }
    }
}

@Suite struct BIDSSidecarTests {
    private let folder = TemporaryFolder()

    @Test func `a recording of BIDS has the columns of the sidecar above it`() throws {
        for name in ["/sub-1", "/sub-1/beh"] { try #require(unsafe mkdir(folder.path + name, 0o755) == 0) }
        try #require(
            writeFile(
                Array(#"{"Columns":["cardiac","heart_rate"],"SamplingFrequency":0.5,"StartTime":0}"#.utf8),
                to: folder.path + "/task-x_physio.json"))
        let path = folder.path + "/sub-1/beh/sub-1_task-x_run-1_physio.tsv"
        try #require(writeFile(Array("5\t60\n6\tn/a\n7\t62\n".utf8), to: path))
        let recording = try HeartRateRecording(contentsOf: path)
        #expect(recording.entries.compactMap(\.sample.rate) == [60, 62])
        #expect(recording.entries.last?.time == 4)
        #expect(recording.reading.assumptions.contains { $0.contains("task-x_physio.json") })
        try #require(
            writeFile(
                Array(#"{"Columns":["cardiac"],"SamplingFrequency":100}"#.utf8),
                to: folder.path + "/sub-1/beh/sub-1_task-x_run-1_physio.json"))
        try #require(writeFile(Array("5\n6\n7\n".utf8), to: path))
        let failure = #expect(throws: SourceFailure.self) { try HeartRateRecording(contentsOf: path) }
        #expect(failure?.description.contains("'cardiac'") == true)
    }
}
