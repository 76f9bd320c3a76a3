import BundleReplay
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import StudySession

/// Runs in which a clip answers the heart.
@Suite struct FollowingSessionTests {
    let folder = TemporaryFolder()

    private static let catalogue = """
        entrain: 1
        clips:
          - {identifier: tune, file: tune.ogg, duration: 30 s, tempo: 100, beats: {tempo: 100 bpm}}
        """

    private static func study(_ keys: String, more: String = "", duration: Int = 40) -> String {
        """
        entrain: 1
        study: {identifier: following, title: Following}
        stimuli: {clips: {catalogue: clips.yaml}}
        sources: {heartRate: {type: simulated}}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: listen
                duration: \(duration) s
                stimulus: {play: tune, onset: 1 s, \(keys)}
                \(more)
              - {type: completion, identifier: thanks, title: Thank you}
        """
    }

    private func run(_ study: String, rates: [Double]) async throws -> ResultBundle {
        let source = ScriptedSource(script: ScriptedSource.steady(rates))
        let (sealed, bundle) = try await Sittings(study, in: folder, catalogue: Self.catalogue)
            .run(sources: ["heartRate": source])
        #expect(sealed.reason == .completed)
        #expect(try Verification.problems(at: bundle.path) == [])
        return bundle
    }

    @Test func `the tempo follows the mean of the last seconds, and says when`() async throws {
        // The heart beats at 80 for ten seconds, and at 120 from then on.
        let rates = Array(repeating: 80.0, count: 10) + Array(repeating: 120, count: 40)
        let bundle = try await run(
            Self.study("loop: true, follow: {tempo: {of: heartRate, target: -5 %, every: 2 s, smooth: 4 s}}"),
            rates: rates)
        let visit = bundle.visits[0]
        let clip = try #require(visit.clip)
        let onset = try #require(clip.onset)
        // It begins as the heart is. From then on it is decided every 2 s, and heard 0.3 s later. At 11 s after the step's
        // start, the last 4 s have three rates of 80 and one of 120.
        let expected: [(Double, Double)] = [(0, 1), (0, 0.8), (10.3, 0.855), (12.3, 1.045), (14.3, 1.14)]
        #expect(clip.changes.count == expected.count)
        var position = 0.0
        for (place, (change, (offset, tempo))) in zip(clip.changes, expected).enumerated() {
            if place > 0 {
                position += (offset - expected[place - 1].0) * expected[place - 1].1
            }
            #expect(abs(change.offset - onset - offset) < 1e-6, "\(change)")
            #expect(abs(change.tempo - tempo) < 1e-4, "\(change)")
            #expect(abs(change.position - position) < 1e-6, "\(change)")
            #expect(change.gain == 0 && change.frame == nil)
        }
        let end = try #require(clip.end)
        let last = expected[4]
        let whole = position + (end - onset - last.0) * last.1
        #expect(abs(try #require(visit.meanTempo) - whole / (end - onset)) < 1e-9)
    }

    @Test func `without a heart rate the clip stays as it is`() async throws {
        let bundle = try await run(Self.study("loop: true, follow: {tempo: {of: heartRate}}"), rates: [])
        #expect(bundle.visits[0].clip?.changes == [] && bundle.visits[0].meanTempo == nil)
    }

    @Test func `the mean may be that of ten minutes, and of no more`() async throws {
        // 300 rates of 80, then 120: after ten minutes the mean is 100, after eleven 104, after fifteen 120.
        let rates = Array(repeating: 80.0, count: 301) + Array(repeating: 120, count: 620)
        let follow = "follow: {tempo: {of: heartRate, every: 60 s, smooth: 600 s}}"
        let bundle = try await run(Self.study("loop: true, \(follow)", duration: 910), rates: rates)
        let clip = try #require(bundle.visits[0].clip)
        let onset = try #require(clip.onset)
        for (seconds, tempo) in [(0, 0.8), (600.3, 1), (660.3, 1.04), (900.3, 1.2)] {
            let change = try #require(clip.changes.last { $0.offset - onset <= seconds + 1e-6 })
            #expect(abs(change.tempo - tempo) < 2e-3, "\(seconds) s: \(change)")
        }
    }

    /// Pauses 10 s after the clip's onset, for 5 s.
    private struct Pausing: Prompter {
        var ordinal = 1
        var times = [(Event.paused, 11.0), (.resumed, 16)]

        func run<C: Clock>(
            _ updates: AsyncStream<ScreenUpdate>, on clock: C,
            act: @escaping @Sendable (ParticipantAct) -> Void
        ) async where C.Instant == RunInstant {
            var hasPaused = false
            for await case .screen(let screen) in updates {
                if screen.phase == .waiting { act(.event(.confirmed, ordinal: screen.ordinal)) }
                guard case .running = screen.phase, screen.ordinal == ordinal, !hasPaused else { continue }
                hasPaused = true
                for (event, seconds) in times {
                    try? await clock.sleep(until: .seconds(seconds), tolerance: nil)
                    act(.event(event, ordinal: screen.ordinal))
                }
            }
        }
    }

    @Test func `after a pause the clip has the tempo that it had`() async throws {
        let source = ScriptedSource(script: ScriptedSource.steady(Array(repeating: 80, count: 60)))
        let (sealed, bundle) = try await Sittings(
            Self.study("loop: true, follow: {tempo: {of: heartRate, smooth: 2 s}}"), in: folder,
            catalogue: Self.catalogue
        ).run(sources: ["heartRate": source], prompter: Pausing(), isAutomatic: false)
        #expect(sealed.reason == .completed)
        let clip = try #require(bundle.visits[0].clip)
        let after = clip.changes.filter { $0.offset >= 15.99 }
        // It begins again as each clip does, and has its tempo at the same moment.
        #expect(after.prefix(2).map(\.tempo) == [1, 0.8])
        #expect(after.prefix(2).allSatisfy { abs($0.offset - 16) < 1e-6 })
        #expect(after.dropFirst(2).isEmpty, "the heart did not change")
        #expect(try Verification.problems(at: bundle.path) == [])
    }

    @Test func `a slower clip ends later`() async throws {
        let bundle = try await run(
            Self.study("follow: {tempo: {of: heartRate, smooth: 1 s}}"),
            rates: Array(repeating: 80, count: 50))
        let clip = try #require(bundle.visits[0].clip)
        let (onset, end) = (try #require(clip.onset), try #require(clip.end))
        #expect(abs(end - onset - 30 / 0.8) < 1e-6)
    }

    @Test func `the level follows its points, and is lower while a prompt is asked`() async throws {
        let prompts =
            #"prompts: [{identifier: effort, title: "How?", first: 11 s, every: 30 s, timeLimit: 5 s, "#
            + "answer: {scale: {from: 0, to: 10}}}]"
        let bundle = try await run(
            Self.study(
                """
                loop: true, underPrompts: -12 dB, follow: {loudness: {of: heartRate, every: 5 s, smooth: 1 s, \
                points: [[60, -6 dB], [100, 0 dB]]}}
                """, more: prompts), rates: Array(repeating: 80, count: 50))
        let clip = try #require(bundle.visits[0].clip)
        let asked = try #require(bundle.visits[0].answers.first?.prompt)
        #expect(clip.changes.map(\.gain) == [0, -3, -15, -3])
        #expect(clip.changes.allSatisfy { $0.tempo == 1 })
        let moments = clip.changes.map { $0.offset - bundle.visits[0].start }
        #expect(abs(moments[1] - 1) < 1e-6 && abs(moments[2] - 11) < 1e-6)
        #expect(moments[3] > 11 && moments[3] <= 16 && asked.endedBy == "answer")
    }

    @Test func `a yoked clip does what another participant's clip did, to the moment`() async throws {
        let rates = Array(repeating: 80.0, count: 20) + Array(repeating: 110, count: 30)
        let led = try await run(
            Self.study("loop: true, follow: {tempo: {of: heartRate, smooth: 2 s}}"), rates: rates)
        let step = """
            - {type: active, identifier: same, duration: 40 s, stimulus: {play: tune, onset: 1 s, loop: true, follow: \
            {yokedTo: listen}}}
            """
        let study = Self.study("loop: true, follow: {tempo: {of: heartRate, smooth: 2 s}}")
            .replacing("      - {type: completion", with: "      \(step)\n      - {type: completion")
        let source = ScriptedSource(script: ScriptedSource.steady(Array(repeating: 150, count: 50)))
        let (_, yoked) = try await Sittings(study, in: folder, catalogue: Self.catalogue)
            .run(sources: ["heartRate": source], name: "B", yoke: Yoke(of: led))
        let (own, other) = (try #require(yoked.visits[1].clip), try #require(led.visits[0].clip))
        #expect(own.changes.count > 3 && own.changes.count == other.changes.count)
        for (one, two) in zip(own.changes, other.changes) {
            #expect(one.tempo == two.tempo && abs(one.position - two.position) < 1e-6)
            let (here, there) = (yoked.visits[1].start, led.visits[0].start)
            #expect(abs(one.offset - here - two.offset + there) < 1e-6)
        }
        #expect(yoked.manifest.run.yokedTo == led.manifest.run.runUUID)
        #expect(try Verification.problems(at: yoked.path) == [])
    }

    @Test func `a yoked clip that is paused, before it begins and while it plays, keeps to the places`()
        async throws
    {
        let rates = Array(repeating: 80.0, count: 20) + Array(repeating: 110, count: 30)
        let following = Self.study("loop: true, follow: {tempo: {of: heartRate, smooth: 2 s}}")
        let led = try await run(following, rates: rates)
        let step = """
            - {type: active, identifier: same, duration: 40 s, stimulus: {play: tune, onset: 1 s, loop: true, follow: \
            {yokedTo: listen}}}
            """
        let study = following.replacing(
            "      - {type: completion", with: "      \(step)\n      - {type: completion")
        let source = ScriptedSource(script: ScriptedSource.steady(Array(repeating: 150, count: 120)))
        let (sealed, yoked) = try await Sittings(study, in: folder, catalogue: Self.catalogue).run(
            sources: ["heartRate": source], name: "B",
            prompter: Pausing(
                ordinal: 2,
                times: [(.paused, 40.5), (.resumed, 45.5), (.paused, 60.5), (.resumed, 70.5)]),
            isAutomatic: false, yoke: Yoke(of: led))
        #expect(sealed.reason == .completed)
        let (own, other) = (try #require(yoked.visits[1].clip), try #require(led.visits[0].clip))
        for change in other.changes {
            #expect(
                own.changes.contains {
                    $0.tempo == change.tempo && abs($0.position - change.position) < 1e-6
                },
                "\(change) of \(own.changes)")
        }
        // What comes on top is the beginning after the pause in mid clip.
        #expect(own.changes.count == other.changes.count + 2, "\(own.changes)")
        #expect(yoked.visits[1].pauses == [40.5..<45.5, 60.5..<70.5])
        #expect(try Verification.problems(at: yoked.path) == [])
    }

    private static func crossing(_ second: String) -> String {
        study("crossFade: 3 s, loop: true").replacing(
            "      - {type: completion",
            with: """
                      - {type: active, identifier: next, duration: 10 s, \(second)}
                      - {type: completion
                """)
    }

    @Test func `a clip goes on into the next step while it fades`() async throws {
        let bundle = try await run(Self.crossing("stimulus: {play: tune, crossFade: 3 s}"), rates: [])
        let (first, second) = (bundle.visits[0], bundle.visits[1])
        #expect(first.clip?.end == first.end + 3 && second.clip?.onset == second.start)
        // The last step's clip fades under the words of thanks.
        #expect(second.clip?.end == second.end + 3)
    }

    @Test func `taps keep to the beats that are heard`() async throws {
        let bundle = try await run(
            Self.study(
                "loop: true, follow: {tempo: {of: heartRate, smooth: 1 s}}",
                more: "recorders: [{type: taps, identifier: taps}]"), rates: Array(repeating: 80, count: 50))
        let taps = try bundle.visits.flatMap(\.recordings).flatMap { try bundle.recordedItems(in: $0).taps }
        let late = taps.filter { $0.runOffset - bundle.visits[0].start > 3 }
        let asynchronies = late.compactMap(\.asynchrony)
        // Beats are 0.75 s apart, and the simulated participant taps shortly before each.
        #expect(asynchronies.count > 20)
        #expect(abs(asynchronies.reduce(0, +) / Double(asynchronies.count) + 0.03) < 0.03)
        let steps = zip(late, late.dropFirst()).map { $1.runOffset - $0.runOffset }.sorted()
        #expect(abs(steps[steps.count / 2] - 0.75) < 0.05)
    }
}
