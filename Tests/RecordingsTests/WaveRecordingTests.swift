import Physiology
import StudyModel
import StudyTesting
import Testing

@testable import Recordings

private func wanted(_ signal: Signal, _ channels: String...) -> RecorderConfiguration {
    var recorder = RecorderConfiguration(identifier: "r", signal: signal)
    recorder.channels = channels
    return recorder
}

private func read(
    _ bytes: [UInt8], _ recorders: RecorderConfiguration..., named name: String = "made"
) throws(SourceFailure) -> WaveRecording {
    try WaveRecording(reading: bytes, named: name, WantedWaves(recorders))
}

private func refusal(
    _ text: String, _ recorder: RecorderConfiguration, named name: String = "made.csv"
) -> String {
    let failure = #expect(throws: SourceFailure.self) {
        try read(Array(text.utf8), recorder, named: name)
    }
    #expect(failure?.isBadData == true)
    return failure?.description ?? ""
}

private let glucose = Signal.quantity(named: "glucose", unit: "mmol/L")

@Suite struct WaveTableTests {
    /// Ten samples a second apart by `step`.
    private func table(_ head: String, step: Double, from start: Double = 0) -> String {
        let width = head.split(separator: ",").count
        let rows = (0..<10).map { row in
            let cells = (1..<width).map { "\(Double(row) + Double($0) / 10)" }
            return ([(start + Double(row) * step).description] + cells).joined(separator: ",")
        }
        return ([head] + rows).joined(separator: "\n") + "\n"
    }

    @Test(arguments: [
        ("time,ecg", 0.004, 250.0, "ecg", ""), ("timestamp [ms],ECG [mV]", 4, 250, "ECG", "mV"),
        ("time,EKG lead II (uV)", 2, 500, "EKG lead II", "uV"), ("runOffset,ecg", 0.5, 2, "ecg", ""),
        ("unix_time,hr,Polar ECG", 0.01, 100, "Polar ECG", ""),
    ])
    func `the column that is called an ECG is read, with the unit of its times by its steps`(
        head: String, step: Double, rate: Double, name: String, unit: String
    ) throws {
        let recording = try read(Array(table(head, step: step, from: 12).utf8), wanted(.ecg))
        let wave = try #require(recording.waves.first)
        #expect(recording.waves.count == 1 && wave.signal == .ecg)
        #expect(wave.layout.channels == [.init(name, unit: unit.isEmpty ? nil : unit)])
        #expect(abs(try #require(wave.layout.rate) - rate) < 0.01)
        let column = Double(head.split(separator: ",").count - 1) / 10
        for (row, (time, value)) in zip(wave.times, wave.values).enumerated() {
            #expect(abs(time - wave.times[0] - Double(row) / rate) < 1e-9)
            #expect(abs(value - Double(row) - column) < 1e-12)
        }
        #expect(wave.times.count == 10)
    }

    @Test func `several signals, several channels, and missing samples`() throws {
        let text = "time_s,acc_x,acc_y,resp_belt,EDA,t2\n0,1,2,3,4,9\n0.1,,6,n/a,8,9\n0.2,9,10,11,12,9\n"
        let recording = try read(
            Array(text.utf8), wanted(.acceleration), wanted(.breathing), wanted(.skinConductance))
        #expect(recording.waves.map(\.signal) == [.acceleration, .breathing, .skinConductance])
        #expect(recording.waves[0].layout.channels.map(\.name) == ["acc_x", "acc_y"])
        #expect(recording.waves[0].values.map { $0.isNaN ? -1 : $0 } == [1, 2, -1, 6, 9, 10])
        #expect(recording.waves[1].values.map { $0.isNaN ? -1 : $0 } == [3, -1, 11])
        #expect(recording.waves[2].times == [0, 0.1, 0.2])
    }

    @Test func `a recorder's channels name the columns, whatever they are called`() throws {
        let bytes = Array(table("time_ms,ch1,ch2,ch3", step: 4).utf8)
        let wave = try read(bytes, wanted(.ecg, "CH3", "ch1")).waves[0]
        #expect(wave.layout.channels.map(\.name) == ["CH3", "ch1"])
        #expect(wave.values.prefix(4) == [0.3, 0.1, 1.3, 1.1])
        let own = try read(bytes, wanted(glucose, "ch2")).waves[0]
        #expect(own.layout.channels == [.init("ch2", unit: "mmol/L")])
    }

    @Test func `a bundle's own columns are what the file's name says`() throws {
        let text = "runOffset,x,channel 2\n8,12,\n8.02,12,1\n"
        let wave = try read(
            Array(text.utf8), wanted(.breathing), named: "steps/a/breathing_belt_1.csv.gz"
        ).waves[0]
        #expect(wave.layout.channels.map(\.name) == ["x", "channel 2"])
        #expect(wave.times == [8, 8.02])
    }

    @Test func `a bundle's items are read, each channel in its place`() throws {
        let items = [(0.0, "a", 1.0), (0, "b", 2), (0.5, "a", 3), (1, "a", 5), (1, "b", 6)].map {
            #"{"type":"skinTemperature","channel":"\#($1)","value":\#($2),"unit":"Cel","metadata":{"runOffset":\#($0)}}"#
        }
        let text = #"{"items":["# + items.joined(separator: ",") + "]}"
        let wave = try read(Array(text.utf8), wanted(.skinTemperature)).waves[0]
        #expect(wave.times == [0, 0.5, 1])
        #expect(wave.values.map { $0.isNaN ? -1 : $0 } == [1, 2, 3, -1, 5, 6])
        #expect(wave.layout.channels == [.init("a", unit: "Cel"), .init("b", unit: "Cel")])
        #expect(refusal(text, wanted(.ecg)).contains("no channel says that it is the ECG: 'a' (Cel)"))
    }

    @Test(arguments: [
        ("time_s,resp", "0,1\n0.1,2\n", Signal.ecg, "no column says that it is the ECG: 'resp'"),
        ("time,ecg [bpm]", "0,1\n0.004,2\n", .ecg, "'ecg' (bpm)"),
        ("time,Respiration rate", "0,1\n0.1,2\n", .breathing, "channels: [NAME]"),
        ("ecg", "1\n2\n", .ecg, "nothing says when the samples were taken"),
        ("time,ecg", "0,1\n50000,2\n", .ecg, "nothing says when the samples were taken"),
        ("time,ecg", "0,1\n0.004,high\n", .ecg, "line 3: 'high' is not a number"),
        ("time,ecg", "0,1\n,2\n0.008,3\n", .ecg, "line 3: the row has no time"),
    ])
    func `what is not certain is refused`(head: String, rows: String, signal: Signal, reason: String) {
        let told = refusal(head + "\n" + rows, wanted(signal))
        #expect(told.contains(reason), "\(told)")
    }

    @Test func `a channel that is not there is named, with those that are`() {
        let told = refusal("time_s,a,b\n0,1,2\n1,1,2\n", wanted(.ecg, "c"))
        #expect(told.contains("there is no column 'c', only 'a', 'b'"))
        #expect(refusal(#"[{"hr": 60}]"#, wanted(.ecg)).contains("not from other JSON"))
    }

    @Test func `rows are put in order of their times`() throws {
        let wave = try read(Array("time_s,ecg\n0,1\n1,2\n3,4\n2,3\n4,5\n5,6\n".utf8), wanted(.ecg)).waves[0]
        #expect(wave.times == [0, 1, 2, 3, 4, 5] && wave.values == [1, 2, 3, 4, 5, 6])
    }
}

@Suite struct WaveFileTests {
    @Test(arguments: [false, true])
    func `EDF's channels are chosen by name and unit, each with its own rate`(isBioSemi: Bool) throws {
        var file = MadeEDF(channels: [
            MadeEDF.channel("ECG I", "uV", Array(0..<12), perRecord: 4),
            MadeEDF.channel("ECG II", "uV", Array(20..<32), perRecord: 4),
            MadeEDF.channel("Resp chest", "", [7, 8, 9]),
            MadeEDF.channel("Resp rate", "bpm", [15, 15, 15]),
        ])
        file.isBioSemi = isBioSemi
        if isBioSemi { for index in 0..<4 { file.channels[index].physical = -8_388_608...8_388_607 } }
        let recording = try read(file.bytes, wanted(.ecg), wanted(.breathing))
        let (breath, ecg) = (recording.waves[0], recording.waves[1])
        #expect(breath.values == [7, 8, 9] && breath.layout.rate == 1)
        #expect(ecg.layout.channels == [.init("ECG I", unit: "uV"), .init("ECG II", unit: "uV")])
        #expect(ecg.layout.rate == 4 && ecg.values.prefix(4) == [0, 20, 1, 21])
        // Whatever is read of a file lies on one clock.
        #expect(ecg.times[0] == breath.times[0] && ecg.times[5] == ecg.times[0] + 1.25)
        #expect(breath.times[0] > 1.7e9)
        let one = try read(file.bytes, wanted(.ecg, "ecg ii"))
        #expect(one.waves[0].values == (20..<32).map(Double.init))
        #expect(throws: SourceFailure.self) { try read(file.bytes, wanted(.ecg, "ECG I", "Resp chest")) }
    }

    @Test func `what comes before an early end is read, and the end is told`() throws {
        var file = MadeEDF(channels: [MadeEDF.channel("ECG", "mV", Array(0..<12), perRecord: 4)])
        file.told = 5
        let recording = try read(file.bytes, wanted(.ecg))
        #expect(recording.waves[0].values.count == 12)
        #expect(recording.damage == "the file ends after 3 of 5 data records")
    }

    @Test func `XDF's streams are known by their type, on the recorder's clock`() throws {
        var file = MadeXDF()
        file.stream(1, "Chest", "ECG", labels: [("lead", "uV"), ("other", "uV")], rate: 100)
        file.stream(2, "Belt", "Respiration", rate: 10)
        file.stream(3, "Markers", "Markers")
        file.samples(1, [(5, [1, 2]), (5.01, [3, 4])])
        file.samples(2, [(5, [7]), (5.1, [8])])
        file.offset(1, at: 5, 100)
        let recording = try read(file.bytes, wanted(.ecg), wanted(.breathing))
        let (breath, ecg) = (recording.waves[0], recording.waves[1])
        #expect(ecg.layout.channels == [.init("lead", unit: "uV"), .init("other", unit: "uV")])
        #expect(ecg.times == [105, 105.01] && ecg.values == [1, 2, 3, 4] && ecg.layout.rate == 100)
        #expect(breath.values == [7, 8] && breath.times == [5, 5.1])
        #expect(throws: SourceFailure.self) { try read(file.bytes, wanted(.skinTemperature)) }
    }

    @Test func `a WFDB record's leads and its other signals are read`() throws {
        let folder = TemporaryFolder()
        let head =
            "r 3 250 4\nr.dat 16 200/mV 16 0 0 0 0 MLII\nr.dat 16 200/mV 16 0 0 0 0 V5\n"
            + "r.dat 16 10(5)/NU 16 0 0 0 0 RESP\n"
        let stored = (0..<4).flatMap { frame in [200 * frame, -200, 5 + 10 * frame] }
        let bytes = stored.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        try #require(writeFile(Array(head.utf8), to: folder.path + "/r.hea"))
        try #require(writeFile(bytes, to: folder.path + "/r.dat"))
        let recording = try WaveRecording(
            contentsOf: folder.path + "/r.hea", WantedWaves([wanted(.ecg), wanted(.breathing)]))
        #expect(recording.waves[0].values == [0, 1, 2, 3])
        #expect(recording.waves[1].values == [0, -1, 1, -1, 2, -1, 3, -1])
        #expect(recording.waves[1].layout.channels.map(\.name) == ["MLII", "V5"])
        #expect(recording.waves[0].times == [0, 0.004, 0.008, 0.012])
    }
}
