import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Signals

@Suite struct RespirationTests {
    private func values(_ line: String) throws -> [SignalValue] {
        var inbox = LiveInbox(from: .start, usualAge: 5)
        return inbox.take(try LiveReading.all(inLine: line.utf8), at: .seconds(1), wall: 0).map(\.value)
    }

    @Test func `a line tells breaths, alone or beside a heart rate`() throws {
        #expect(try values(#"{"respiration": 14.2}"#) == [.number(14.2, of: .respiration)])
        #expect(
            try values(#"{"bpm": 60, "RespiratoryRate": 12}"#) == [
                .number(12, of: .respiration), .heart(HeartRateSample(rate: 60)),
            ])
    }

    @Test(arguments: [#"{"respiration": "deep"}"#, #"{"respiration": 121}"#, #"{"respiration": -1}"#])
    func `what cannot be a rate of breathing is no reading`(line: String) {
        #expect(throws: LiveReading.Malformed.self) { try values(line) }
    }

    @Test func `a simulated source that only breathes keeps the laws, within its range`() async {
        let source = SimulatedHeartSource(
            SimulatedSource(), random: SeededRandom(seed: 1), signals: [.respiration])
        #expect(await checkSampleSourceContract(source) == [])
        let trace = await SampleSourceTrace(of: source, turns: 120)
        #expect(trace.samples.isEmpty && trace.measured.count == 120)
        #expect(
            trace.measured.allSatisfy { sample in
                guard case .number(let rate, of: .respiration) = sample.value else { return false }
                return (12...18).contains(rate)
            })
    }

    @Test func `a stream's numbers are breaths where breaths are wanted`() throws {
        let content = try LabStreamContent(of: [.respiration])
        #expect(content.type == "RESP")
        var interpreter = LabStreamInterpreter(content)
        #expect(
            interpreter.take(.rate(14, at: 7), at: .seconds(2), layerTime: 7) == [
                .live, .measured(Timed(.number(14, of: .respiration), at: .seconds(2), arrival: .seconds(2))),
            ])
        #expect(interpreter.take(.rate(400, at: 8), at: .seconds(3), layerTime: 8) == [])
        #expect(throws: SourceFailure.self) { try LabStreamContent(of: [.respiration, .heartRate]) }
    }
}
