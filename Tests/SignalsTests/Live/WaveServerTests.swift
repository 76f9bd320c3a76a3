import Platform
import SessionPorts
import StudyModel
import StudySession
import StudyTesting
import Testing

@testable import Signals

/// Waveforms from servers: asked for again and again, and as events.
@Suite(.enabled(if: HTTPClient.problem == nil, "libcurl is not on this machine"), .timeLimit(.minutes(30)))
struct WaveServerTests {
    private func blocks(_ trace: SampleSourceTrace) -> [WaveBlock] {
        trace.measured.compactMap { sample in
            guard case .wave(let block) = sample.value else { return nil }
            return block
        }
    }

    @Test func `a server that is asked sends samples of several waveforms, at their own times`() async throws
    {
        let first =
            #"{"cursor":"c","samples":[{"t":1000000000,"ecg":[1,2,null,4],"samplingRate":4,"unit":"mV"},"#
            + #"{"t":1000000000.5,"acceleration":{"x":[0,1],"y":[2,3]},"samplingRate":4},{"t":1000000001,"bpm":61}]}"#
        let second = #"{"cursor":"d","samples":[{"t":1000000001,"ecg":[5,6],"samplingRate":4,"unit":"mV"}]}"#
        // A run takes nothing from before it began.
        let nothing = #"{"cursor":"b","samples":[]}"#
        let server = ScriptedServer([.status(200, nothing), .status(200, first), .status(200, second)])
        defer { server.stop() }
        let source = try PollSource(
            PolledServer(url: server.url(), interval: .seconds(1)),
            signals: [.ecg, .acceleration, .heartRate],
            wallClock: { 1_000_000_001 })
        let trace = await SampleSourceTrace(of: source, turns: 4, from: .seconds(10))
        #expect(trace.brokenLaws == [])
        let blocks = blocks(trace)
        let ecg = blocks.filter { $0.signal == .ecg }
        #expect(ecg.map { $0.values.map { $0.isNaN ? -1 : $0 } } == [[1, 2, -1, 4], [5, 6]])
        #expect(ecg.allSatisfy { $0.layout == WaveLayout([.init("ecg", unit: "mV")], rate: 4) })
        // The server is asked a second after the run began, at its moment 1000000001.
        let instants = ecg.first?.instants.map { $0.offset / .seconds(1) } ?? []
        #expect(instants == [10, 10.25, 10.5, 10.75])
        let axes = blocks.filter { $0.signal == .acceleration }
        #expect(axes.map(\.values) == [[0, 2, 1, 3]])
        #expect(axes.first?.layout.channels.map(\.name) == ["x", "y"])
        #expect(trace.samples.map(\.value.rate) == [61])
    }

    @Test func `waveforms that nobody records are left out, and broken ones are told`() async throws {
        let text = #"{"samples":[{"ecg":[1,2],"samplingRate":4},{"ppg":1},{"ecg":[1,2]},{"ecg":"high"}]}"#
        let server = ScriptedServer([.status(200, text)])
        defer { server.stop() }
        let remarks = SourceRemarks()
        let source = try PollSource(
            PolledServer(url: server.url(), interval: .seconds(1)), signals: [.ecg], remarks: remarks,
            wallClock: { 0 })
        let trace = await SampleSourceTrace(of: source, turns: 2)
        #expect(blocks(trace).map(\.values).first == [1, 2])
        #expect(blocks(trace).allSatisfy { $0.signal == .ecg })
        #expect(!remarks.all.isEmpty, "nothing is said of the broken ones")
    }

    @Test func `a server's events are samples, too`() async throws {
        let events =
            "data: {\"skinConductance\":[4.5,4.6],\"samplingRate\":8}\n\ndata: {\"skinConductance\":4.7}\n\n"
        let server = ScriptedServer([
            ScriptedServer.Answer(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n\(events)", isHeld: true)
        ])
        defer { server.stop() }
        let source = try PushSource(
            .events(url: server.url()), signals: [.skinConductance], wallClock: { 0 })
        let (reports, sink) = AsyncStream.makeStream(of: SourceReport.self)
        let values = await withTaskGroup(of: [Double].self) { group in
            group.addTask {
                defer { sink.finish() }
                do throws(SourceFailure) {
                    try await source.run(
                        on: ManualClock(), circumstances: { Circumstances() }, report: { sink.yield($0) })
                } catch {}
                return []
            }
            var values: [Double] = []
            for await report in reports {
                guard case .measured(let sample) = report, case .wave(let block) = sample.value else {
                    continue
                }
                values += block.values
                if values.count >= 3 { break }
            }
            group.cancelAll()
            return values
        }
        #expect(values == [4.5, 4.6, 4.7])
    }
}
