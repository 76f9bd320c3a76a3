import StudyModel
import StudySession
import StudyTesting
import Testing

@testable import Platform
@testable import Signals

@Suite struct LabStreamDeskTests {
    @Test func `intervals go with the next rate, each once, and times are as old as they are`() {
        var registry = LabStreamDesk()
        #expect(registry.take(.opened("HR x"), at: .seconds(1)) == [.live])
        #expect(registry.take(.interval(800), at: .seconds(2)) == [])
        #expect(registry.take(.interval(-1), at: .seconds(2)) == [])
        let first = HeartRateSample(rate: 72, rrIntervals: [0.8])
        #expect(
            registry.take(.rate(72, age: 0.25), at: .seconds(3)) == [
                .sample(Timed(first, at: .seconds(2.75), arrival: .seconds(3)))
            ])
        let second = HeartRateSample(rate: nil)
        #expect(
            registry.take(.rate(0, age: -1), at: .seconds(4)) == [
                .sample(Timed(second, at: .seconds(4), arrival: .seconds(4)))
            ])
    }

    @Test func `a problem is told once, and forgets what was collected`() {
        var registry = LabStreamDesk()
        #expect(registry.take(.problem("gone"), at: .start) == [.lost("gone")])
        #expect(registry.take(.problem("gone"), at: .seconds(1)) == [])
        _ = registry.take(.interval(900), at: .seconds(1))
        _ = registry.take(.problem("away"), at: .seconds(1))
        #expect(
            registry.take(.rate(60, age: 0), at: .seconds(2)) == [
                .live, .sample(Timed(HeartRateSample(rate: 60), at: .seconds(2), arrival: .seconds(2))),
            ])
    }
}

@Suite(
    .enabled(if: LabStreamSource.problem == nil, "liblsl is not on this machine: name it in LSL_LIB"),
    .timeLimit(.minutes(30)), .serialized)
struct LabStreamLoopbackTests {
    /// A plan of no steps: only its streams matter.
    private static let plan = RunPlan(
        study: "s", revision: 1, task: Study.Task(identifier: "t", steps: []), participant: "P", session: 1,
        seed: 1)

    @Test func `what is published is received, with its intervals and its age`() async throws {
        let name = Identifier("loop\(UInt32.random(in: 0 ... .max))") ?? "loop"
        let publisher = try LabStreamPublisher(Self.plan, sources: [name], source: "entrain-test-\(name)")
        let source = try LabStreamSource("HR \(name)")
        let (reports, sink) = AsyncStream.makeStream(of: SourceReport.self)
        let log = ReportLog()
        defer { #expect(SampleSourceTrace(of: log.reports).brokenLaws == []) }
        await withTaskGroup { group in
            group.addTask {
                do throws(SourceFailure) {
                    try await source.run(
                        on: ManualClock(), circumstances: { Circumstances() },
                        report: { report in
                            log.append(report)
                            sink.yield(report)
                        })
                } catch { Issue.record("\(error)") }
            }
            let queue = Queue(reports)
            while let report = await queue.next(), report != .live {}
            let sample = HeartRateSample(rate: 64, rrIntervals: [0.9375, 0.875])
            publisher.send(.measured(name, Timed(sample, at: .seconds(1), arrival: .seconds(3))))
            var received: [Timed<HeartRateSample>] = []
            var intervals: [Double] = []
            // The streams of rates and of intervals are two: the intervals may come with the next rate.
            while intervals.count < 2, let report = await queue.next() {
                guard let sample = report.heart else { continue }
                received.append(sample)
                intervals += sample.value.rrIntervals
                if intervals.count < 2 {
                    publisher.send(
                        .measured(
                            name,
                            Timed(HeartRateSample(rate: 65), at: .seconds(4), arrival: .seconds(4))))
                }
            }
            #expect(intervals == [0.9375, 0.875])
            #expect(received.first?.value.rate == 64)
            let age = received.first.map { $0.instant.duration(to: $0.arrival) / .seconds(1) } ?? 0
            #expect(age >= 2)
            group.cancelAll()
        }
    }
}
