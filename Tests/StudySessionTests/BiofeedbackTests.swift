import BundleReplay
import Physiology
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Synchronization
import Testing

@testable import StudySession

/// What displays show during a run, and what is left of it.
@Suite struct BiofeedbackTests {
    let folder = TemporaryFolder()

    private static func study(_ recorder: String, duration: String = "60 s") -> String {
        """
        entrain: 1
        study: {identifier: breath, title: Breath}
        sources: {heartRate: {type: simulated}}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: breathe
                duration: \(duration)
                recorders: [{type: biofeedback, identifier: display, \(recorder)}]
              - {type: completion, identifier: thanks, title: Thank you}
        """
    }

    /// What the participant saw, and what the bundle says of it: since when, since the step's start.
    private func run(
        _ recorder: String, duration: String = "60 s", source: ScriptedSource? = nil, pausing: Bool = false
    ) async throws -> (seen: [Seen], kept: [Seen], bundle: ResultBundle) {
        let watcher = Watcher(isPausing: pausing)
        let (sealed, bundle) = try await Sittings(Self.study(recorder, duration: duration), in: folder)
            .run(sources: source.map { ["heartRate": $0] }, prompter: watcher, isAutomatic: false)
        #expect(sealed.reason == .completed)
        #expect(try Verification.problems(at: bundle.path) == [])
        let kept = try bundle.visits.flatMap(\.recordings).flatMap {
            try bundle.recordedItems(in: $0).displays
        }
        return (
            watcher.seen.withLock { $0 },
            kept.map { Seen(shown: $0.shown, offset: ($0.runOffset * 1000).rounded() / 1000) }, bundle
        )
    }

    @Test func `a pacer shows each part of a breath at its moment, and the bundle has the same`() async throws
    {
        let (seen, kept, bundle) = try await run(
            "show: pacer, in: 4 s, hold: 1 s, out: 5 s", duration: "25 s")
        let parts: [(BreathingPacer.Phase, Double)] = [
            (.in, 0), (.hold, 4), (.out, 5), (.in, 10), (.hold, 14), (.out, 15), (.in, 20), (.hold, 24),
        ]
        let expected = parts.map { Seen(shown: .breath($0.0), offset: $0.1) }
        #expect(seen == expected)
        #expect(kept == expected)
        let file = try #require(bundle.visits[0].recordings.first)
        #expect(
            file.biofeedback
                == .pacer(
                    BreathingPacer(inhalation: .seconds(4), hold: .seconds(1), exhalation: .seconds(5))))
        #expect(file.coverage == 1 && file.gaps.isEmpty && file.reason == nil)
    }

    @Test func `after a pause the first breath begins again`() async throws {
        let (seen, kept, bundle) = try await run(
            "show: pacer, in: 4 s, out: 6 s", duration: "12 s", pausing: true)
        // Paused at 5 s, for 3 s.
        #expect(seen.map(\.offset) == [0, 4, 8, 12])
        #expect(kept == seen)
        #expect(bundle.visits[0].recordings.map(\.segment) == [1, 2])
    }

    @Test func `the heart rate is that of the source, then unknown or lost, each since when`() async throws {
        // Nothing for 2 s, 70 for 4 s, 80 for 3 s, then silence; at 20 s the source says that it is lost.
        var script = ScriptedSource.steady([70.2, 70.4, 69.6, 70, 80, 80.4, 80], from: 2.5)
        let last = RunInstant.seconds(15.5)
        script.append((last, .sample(Timed(HeartRateSample(rate: 91), at: last, arrival: last))))
        script.append((.seconds(17.2), .lost("the strap is gone")))
        let (seen, kept, _) = try await run(
            "show: heartRate", duration: "20 s", source: ScriptedSource(script: script))
        #expect(
            kept == [
                Seen(shown: .unknown, offset: 0), Seen(shown: .value(70), offset: 3),
                Seen(shown: .value(80), offset: 7), Seen(shown: .lost, offset: 14),
                Seen(shown: .value(91), offset: 16), Seen(shown: .lost, offset: 18),
            ])
        #expect(seen.map(\.offset) == (0..<20).map { Double($0) })
        for change in kept { #expect(seen.first { $0.offset == change.offset } == change) }
    }

    @Test func `the variability is that of the last seconds, once they are covered`() async throws {
        let lengths = (0..<60).map { (beat: Int) -> Double in
            let swing: Double = [0, 0.03, 0.05, 0.05, 0.03, 0, -0.03, -0.05, -0.05, -0.03][beat % 10]
            return 0.8 + swing
        }
        var (end, script) = (0.5, [(at: RunInstant, report: SourceReport)]())
        for length in lengths {
            end += length
            let instant = RunInstant.seconds(end)
            let heart = HeartRateSample(rate: 75, rrIntervals: [length])
            script.append((instant, .sample(Timed(heart, at: instant, arrival: instant))))
        }
        let (_, kept, _) = try await run(
            "show: rmssd, over: 10 s", duration: "45 s", source: ScriptedSource(script: script))
        // Four fifths of 10 s are covered when intervals of 8 s have come.
        #expect(kept.first == Seen(shown: .unknown, offset: 0))
        let first = try #require(kept.first { $0.shown.value != nil })
        #expect((8.5...9.5).contains(first.offset))
        for change in kept.filter({ $0.shown.value != nil }) {
            var (time, recent) = (0.5, [Double]())
            for length in lengths {
                if time >= change.offset - 10, time + length <= change.offset { recent.append(1000 * length) }
                time += length
            }
            let own = try #require(HeartRateVariability([recent]))
            #expect(change.shown == .value(own.rmssd.rounded()), "at \(change.offset)")
        }
    }

    @Test func `what a source sends twice, without contact or too late does not count`() {
        var history = HeartHistory(reach: .seconds(30))
        #expect(history.rate(at: .seconds(1)) == .unknown)
        #expect(history.variability(.sdnn, over: .seconds(30), at: .seconds(1)) == .unknown)
        history.take(HeartRateSample(rate: 60, rrIntervals: [1]), at: .seconds(2))
        history.take(HeartRateSample(rate: 150, sensorContact: false), at: .seconds(3))
        history.take(HeartRateSample(rate: 44), at: .seconds(1))
        #expect(history.rate(at: .seconds(4)) == .value(60))
        #expect(history.rate(at: .seconds(7.1)) == .lost)
        history.lose()
        #expect(history.rate(at: .seconds(4)) == .lost)
        // Every second beat is told twice, the second time a little later.
        let lengths = [1, 1.02, 1.03, 1.02, 1, 0.98, 0.97, 0.98]
        var once = HeartHistory(reach: .seconds(30))
        var end = 10.0
        for beat in 0..<60 {
            end += lengths[beat % 8]
            let heart = HeartRateSample(rate: 60, rrIntervals: [lengths[beat % 8]])
            once.take(heart, at: .seconds(end))
            history.take(heart, at: .seconds(end))
            if beat % 2 == 0 { history.take(heart, at: .seconds(end + 0.05)) }
        }
        let now = RunInstant.seconds(end + 0.5)
        let found = history.variability(.rmssd, over: .seconds(30), at: now)
        #expect(found == .value(16))
        #expect(found == once.variability(.rmssd, over: .seconds(30), at: now))
    }
}

/// Something shown, in seconds since the run's start.
private struct Seen: Hashable {
    var shown: Biofeedback.Shown
    var offset: Double
}

/// Looks at displays, and pauses at 5 s for 3 s if it is to.
private struct Watcher: Prompter {
    final class Notes: Sendable {
        private let list = Mutex<[Seen]>([])
        func withLock<Result: Sendable>(_ body: (inout sending [Seen]) -> sending Result) -> Result {
            list.withLock(body)
        }
    }

    var isPausing: Bool
    let seen = Notes()

    func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        await withDiscardingTaskGroup { group in
            var hasPaused = false
            for await update in updates {
                switch update {
                case .shown(_, let shown, let instant):
                    seen.withLock { $0.append(Seen(shown: shown, offset: instant.offset.seconds)) }
                case .screen(let screen):
                    guard case .timed = screen.content else {
                        act(.event(.confirmed, ordinal: screen.ordinal))
                        continue
                    }
                    guard isPausing, !hasPaused else { continue }
                    hasPaused = true
                    group.addTask {
                        do {
                            try await clock.sleep(until: .seconds(5), tolerance: nil)
                            act(.event(.paused))
                            try await clock.sleep(until: .seconds(8), tolerance: nil)
                        } catch { return }
                        act(.event(.resumed))
                    }
                default: continue
                }
            }
            group.cancelAll()
        }
    }
}
