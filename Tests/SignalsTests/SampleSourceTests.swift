import Platform
import SessionPorts
import Signals
import StudyModel
import StudySession
import StudyTesting
import Testing

@testable import Recordings

private func simulated(
    _ configuration: SimulatedSource = SimulatedSource(), seed: UInt64 = 1
) -> SimulatedHeartSource<SeededRandom> {
    SimulatedHeartSource(configuration, random: SeededRandom(seed: seed))
}

private func replay(_ text: String) throws -> ReplaySource {
    ReplaySource(ReplayedRecording(try HeartRateRecording(reading: Array(text.utf8), named: "test.csv")))
}

/// Breaks every law that can be broken without hanging.
private struct LawlessSource: SampleSource {
    func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        let soon = clock.now.advanced(by: .seconds(1))
        report(.lost("not yet"))
        report(.sample(Timed(HeartRateSample(rate: 60), at: soon, arrival: clock.now)))
        do { try await clock.sleep(until: soon, tolerance: nil) } catch {}
        report(.sample(Timed(HeartRateSample(rate: 60), at: .start, arrival: .start)))
        report(.sample(Timed(HeartRateSample(rate: 60), at: .start, arrival: soon.advanced(by: .seconds(1)))))
    }
}

@Suite(.timeLimit(.minutes(30))) struct SampleSourceTests {
    @Test(arguments: [
        SimulatedSource(), SimulatedSource(dropouts: 0.3, duplicates: 0.3, contactLoss: 0.3),
    ]) func `a simulated heart keeps the laws of sources`(configuration: SimulatedSource) async {
        #expect(await checkSampleSourceContract(simulated(configuration)) == [])
    }

    @Test(arguments: ["time,hr\n0,60\n1.5,61\n1.7,-1\n9,62\n", "72\n"])
    func `a replay keeps the laws of sources`(text: String) async throws {
        #expect(await checkSampleSourceContract(try replay(text)) == [])
    }

    @Test func `the contract finds who keeps none`() async {
        let broken = await checkSampleSourceContract(LawlessSource())
        for law in [
            "before it is live", "after it was cancelled", "without being live again", "out of the order",
            "before it was measured", "before it arrived", "without saying", "cancelled before it began",
        ] {
            #expect(broken.contains { $0.contains(law) }, "\(law)")
        }
    }

    @Test func `a simulated heart sends once a second on absolute instants, however late it wakes`() async {
        let trace = await SampleSourceTrace(
            of: simulated(), turns: 500, from: .seconds(7), lateness: .milliseconds(300))
        let instants = trace.samples.map(\.instant)
        #expect(instants.count == 500)
        #expect((RunInstant.seconds(7)..<RunInstant.seconds(8)).contains(instants[0]))
        #expect(instants[0].nanoseconds % 1_000_000 == 500_000)
        for (index, instant) in instants.enumerated() {
            #expect(instant == instants[0].advanced(by: .seconds(index)))
        }
        #expect(trace.samples.allSatisfy { $0.arrival == $0.instant.advanced(by: .milliseconds(300)) })
        #expect(!trace.hasReturnedByItself)
    }

    @Test func `the same seed gives the same samples, another seed others`() async {
        let first = await SampleSourceTrace(of: simulated(seed: 5), turns: 60)
        #expect(await SampleSourceTrace(of: simulated(seed: 5), turns: 60) == first)
        #expect(await SampleSourceTrace(of: simulated(seed: 6), turns: 60) != first)
    }

    @Test func `the heart follows what the participant does`() async throws {
        let trace = await SampleSourceTrace(of: simulated(), turns: 240) { now in
            Circumstances(effort: now > .seconds(120) ? 0.6 : 0, musicEnergy: nil)
        }
        let rates = trace.samples.compactMap(\.value.rate)
        #expect(rates.prefix(120).allSatisfy { (54...74).contains($0) })
        #expect(try #require(rates.last) > 110)
    }

    @Test func `without contact there is neither rate nor interval, and the strap says so`() async {
        let trace = await SampleSourceTrace(of: simulated(SimulatedSource(contactLoss: 1)), turns: 20)
        #expect(trace.samples.count == 20)
        #expect(
            trace.samples.allSatisfy {
                $0.value == HeartRateSample(rate: nil, rrIntervals: [], sensorContact: false)
            })
    }

    @Test func `a replay keeps the recording's timing from where the run began to listen`() async throws {
        let source = try replay("timestamp;hr;rr\n1600000000,25;60;\n1600000001,5;61;980\n1600000003;-1;\n")
        let trace = await SampleSourceTrace(of: source, turns: 10, from: .seconds(4))
        #expect(
            trace.reports.map(\.what) == [
                .live,
                .sample(Timed(HeartRateSample(rate: 60), at: .seconds(4), arrival: .seconds(4))),
                .sample(
                    Timed(
                        HeartRateSample(rate: 61, rrIntervals: [0.98]), at: .seconds(5.25),
                        arrival: .seconds(5.25))),
                .sample(Timed(HeartRateSample(rate: nil), at: .seconds(6.75), arrival: .seconds(6.75))),
                .lost("the recording has ended"),
            ])
        #expect(trace.hasReturnedByItself)
    }
}
