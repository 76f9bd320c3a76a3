import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Signals

/// Waveforms from streams, scripts and simulated bodies.
@Suite struct WaveSourceTests {
    private func blocks(_ line: String, _ signals: [Signal]) throws -> [Timed<SignalValue>] {
        var inbox = LiveInbox(from: .start, usualAge: 5)
        let readings = try LiveReading.all(inLine: line.utf8, waves: signals)
        return inbox.take(readings, at: .seconds(100), wall: 1000)
    }

    private func block(_ sample: Timed<SignalValue>?) throws -> WaveBlock {
        guard case .wave(let block)? = sample?.value else { throw SourceFailure("no block") }
        return block
    }

    @Test func `a script sends one sample, several of one channel, or several channels`() throws {
        let one = try block(blocks(#"{"skinTemperature": 33.5}"#, [.skinTemperature]).first)
        #expect(one.values == [33.5] && one.layout.channels == [.init("skinTemperature", unit: "Cel")])
        let sample = try #require(
            try blocks(#"{"ECG": [1, 2, null, 4], "samplingRate": 4, "t": 997, "unit": "mV"}"#, [.ecg]).first)
        let several = try block(sample)
        #expect(several.values.prefix(2) == [1, 2] && several.values[2].isNaN)
        #expect(several.layout == WaveLayout([.init("ecg", unit: "mV")], rate: 4))
        #expect(several.instants == [97, 97.25, 97.5, 97.75].map { .seconds($0) })
        #expect(sample.arrival == .seconds(100))
        let axes = try block(
            blocks(#"{"acceleration": {"x": [0, 1], "z": [2, 3]}, "fs": 2}"#, [.acceleration]).first)
        #expect(axes.layout.channels.map(\.name) == ["x", "z"] && axes.values == [0, 2, 1, 3])
        // Without a time, the last sample was measured on arrival.
        #expect(axes.instants == [.seconds(99.5), .seconds(100)])
        let own = Signal.quantity(named: "glucose", unit: "mmol/L")
        let glucose = try block(blocks(#"{"glucose": 5.5, "t": 998}"#, [own]).first)
        #expect(glucose.layout.channels == [.init("glucose", unit: "mmol/L")])
        #expect(glucose.signal == own && glucose.instants == [.seconds(98)])
    }

    @Test func `a sample is never from the future`() throws {
        let ahead = try block(blocks(#"{"ecg": [1, 2, 3], "fs": 10, "t": 1001}"#, [.ecg]).first)
        #expect(ahead.instants.last == .seconds(100))
    }

    @Test(arguments: [
        #"{"ecg": [1, 2]}"#, #"{"ecg": []}"#, #"{"ecg": "high"}"#,
        #"{"ecg": {"a": [1], "b": [1, 2]}, "fs": 5}"#,
        #"{"ecg": {}}"#, #"{"ecg": [1, "2"], "fs": 5}"#, #"{"ppg": 1}"#,
    ])
    func `what is no waveform is refused`(line: String) {
        #expect(throws: LiveReading.Malformed.self) { try blocks(line, [.ecg]) }
    }

    @Test(arguments: [[Signal.ecg], [.ppg, .breathing], Signal.waves, [.heartRate, .ecg]])
    func `a simulated body keeps the laws of sources, without a hole`(signals: [Signal]) async {
        let source = SimulatedHeartSource(
            SimulatedSource(dropouts: 0.1, contactLoss: 0.2), random: SeededRandom(seed: 3),
            signals: Set(signals))
        #expect(await checkSampleSourceContract(source) == [])
        let trace = await SampleSourceTrace(of: source, turns: 120)
        for signal in signals.filter({ $0.waveForm != nil }) {
            let blocks = trace.measured.compactMap { sample -> WaveBlock? in
                if case .wave(let block) = sample.value, block.signal == signal { block } else { nil }
            }
            let instants = blocks.flatMap(\.instants)
            let step = 1 / (signal.waveForm?.simulatedRate ?? 1)
            #expect(Double(instants.count) > 115 / step)
            for (index, instant) in instants.enumerated() {
                let due = RunInstant.seconds(Double(index) * step)
                #expect(abs(due.duration(to: instant) / .microseconds(1)) < 1)
            }
        }
    }

    @Test func `samples of a stream keep the sender's times`() throws {
        let form = try #require(Signal.ecg.waveForm)
        var interpreter = LabStreamInterpreter(.waves(.ecg, form))
        let layout = WaveLayout([.init("lead", unit: "uV")], rate: 250)
        let samples = LabSamples(layout: layout, stamps: [50.1, 50.104, 50.108], values: [1, 2, 3])
        let reports = interpreter.take(.samples(samples), at: .seconds(10), layerTime: 50.2, doubt: 1e-6)
        let block = WaveBlock(
            .ecg, layout, at: [9.9, 9.904, 9.908].map { .nanoseconds(Int64($0 * 1e9)) }, [1, 2, 3])
        guard case .measured(let sample) = reports.last, case .wave(let told) = sample.value else {
            Issue.record("no samples")
            return
        }
        #expect(reports.first == .live && told.values == block.values && told.layout == layout)
        for (one, other) in zip(told.instants, block.instants) {
            #expect(abs(one.duration(to: other) / .microseconds(1)) < 1)
        }
        // A thread that is put aside between the two clocks moves no stamp.
        let next = LabSamples(layout: layout, stamps: [51], values: [4])
        let later = interpreter.take(.samples(next), at: .seconds(11.5), layerTime: 51.2, doubt: 0.5)
        guard case .measured(let moved) = later.last else { return }
        #expect(abs(moved.instant.duration(to: .seconds(10.8)) / .microseconds(1)) < 1)
    }

    @Test func `a stream is one waveform, or one other signal`() throws {
        #expect(throws: SourceFailure.self) { try LabStreamContent(of: [.ecg, .ppg]) }
        #expect(throws: SourceFailure.self) { try LabStreamContent(of: [.ecg, .heartRate]) }
        #expect(try LabStreamContent(of: [.breathing]).type == "RESP")
    }

    @Test func `a block gives the channels that are wanted, in their order`() {
        let block = WaveBlock(
            .ecg, WaveLayout([.init("a"), .init("b"), .init("c")], rate: 2), at: [.start, .seconds(0.5)],
            [1, 2, 3, 4, 5, 6])
        #expect(block.only(["c", "a"])?.values == [3, 1, 6, 4])
        #expect(block.only(["d"]) == nil)
    }
}
