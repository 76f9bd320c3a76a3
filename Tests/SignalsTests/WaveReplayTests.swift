import Recordings
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Signals

/// Waveforms of recordings, played again.
@Suite struct WaveReplayTests {
    private let folder = TemporaryFolder()

    private func source(_ text: String, _ signals: [Signal]) throws -> any SampleSource {
        let path = folder.path + "/lab.csv"
        try #require(writeFile(Array(text.utf8), to: path))
        var setting = SourceSetting(
            signals: Set(signals), random: SeededRandom(seed: 1), isVirtual: true, token: nil,
            remarks: SourceRemarks())
        setting.recorders = signals.map { RecorderConfiguration(identifier: "r", signal: $0) }
        return try SourceConfiguration.replay(path: path).open(setting)
    }

    private func blocks(_ trace: SampleSourceTrace, _ signal: Signal) -> [Timed<WaveBlock>] {
        trace.measured.compactMap { sample in
            guard case .wave(let block) = sample.value, block.signal == signal else { return nil }
            return sample.map { _ in block }
        }
    }

    private let table =
        "time_s,ecg,temp,hr\n"
        + (0..<200).map {
            "\(1_600_000_000 + Double($0) / 100),\($0),\($0 < 100 ? "3\($0 % 10)" : ""),6\($0 / 100)\n"
        }
        .joined()

    @Test func `every sample comes once, at its own time since the first`() async throws {
        let source = try source(table, [.ecg, .skinTemperature])
        #expect(await checkSampleSourceContract(source) == [])
        let trace = await SampleSourceTrace(of: source, turns: 100, from: .seconds(4))
        for signal in [Signal.ecg, .skinTemperature] {
            let blocks = blocks(trace, signal)
            let instants = blocks.flatMap(\.value.instants)
            #expect(instants.count == 200)
            for (index, instant) in instants.enumerated() {
                let due = RunInstant.seconds(4 + Double(index) / 100)
                #expect(abs(due.duration(to: instant) / .microseconds(1)) < 1)
            }
            // A block arrives with its last sample, and is never longer than a fifth of a second.
            for block in blocks {
                let last = try #require(block.value.instants.last)
                #expect(last == block.arrival)
                #expect(block.value.instants[0].duration(to: last) < .microseconds(200_001))
            }
        }
        #expect(blocks(trace, .ecg).flatMap(\.value.values) == (0..<200).map(Double.init))
        #expect(trace.hasReturnedByItself && trace.reports.last?.what == .lost("the recording has ended"))
        #expect(trace.samples.isEmpty)
    }

    @Test func `rates and waveforms of one recording share its clock`() async throws {
        let text = "time_s,ecg,hr\n10,1,\n10.01,2,\n10.5,3,61\n11.5,4,62\n"
        let trace = await SampleSourceTrace(of: try source(text, [.ecg, .heartRate]), turns: 20)
        #expect(trace.brokenLaws == [])
        #expect(trace.samples.map(\.instant) == [.seconds(0.5), .seconds(1.5)])
        #expect(blocks(trace, .ecg).flatMap(\.value.instants).suffix(2) == [.seconds(0.5), .seconds(1.5)])
    }

    @Test func `beats come from the ECG of a recording that has no heart rates`() async throws {
        let rows = (0..<2500).map { index in
            let since = Double(index % 200) / 250
            let peak = max(0, 1 - abs(since - 0.4) / 0.03) + (index % 2 == 0 ? 0.002 : -0.002)
            return "\(Double(index) / 250),\(peak)"
        }
        let text = "time_s,ecg [mV]\n" + rows.joined(separator: "\n") + "\n"
        let trace = await SampleSourceTrace(of: try source(text, [.ecg, .rrIntervals]), turns: 200)
        let intervals = trace.samples.flatMap(\.value.rrIntervals)
        #expect(intervals.count >= 9 && intervals.allSatisfy { abs($0 - 0.8) < 0.003 })
        let beats = trace.samples.map { ($0.instant.offset / .seconds(1) - 0.4) / 0.8 }
        #expect(beats.allSatisfy { abs($0 - $0.rounded()) < 0.01 })
        #expect(blocks(trace, .ecg).flatMap(\.value.values).count == 2500)
    }

    @Test func `a recording without what is wanted is refused`() throws {
        for signals in [[Signal.breathing], [.breathing, .ecg], [.ecg, .heartRate]] {
            let failure = #expect(throws: SourceFailure.self) {
                try source("time_s,ecg,resp rate\n0,1,15\n0.01,2,15\n", signals)
            }
            #expect(failure?.isBadData == true, "\(signals)")
        }
    }
}
