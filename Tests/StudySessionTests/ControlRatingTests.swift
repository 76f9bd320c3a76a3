import BundleReplay
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Synchronization
import Testing

@testable import StudySession

/// A rating that a device moves.
@Suite struct ControlRatingTests {
    let folder = TemporaryFolder()

    private static func study(_ vertical: String = "") -> String {
        """
        entrain: 1
        study: {identifier: tension, title: Tension}
        sources: {slider: {type: midi, device: /dev/snd/midiC1D0}}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: listen
                duration: 10 s
                recorders:
                  - type: rating
                    identifier: tension
                    source: slider
                    scale: {name: x, from: 0, to: 100, fromLabel: calm, toLabel: tense}
                    \(vertical)
                    rate: 1 /s
              - {type: completion, identifier: thanks, title: Thank you}
        """
    }

    private static func moved(_ second: Double, _ x: Double? = nil, _ y: Double? = nil) -> (
        at: RunInstant, report: SourceReport
    ) {
        let instant = RunInstant.seconds(second)
        let arrival = instant.advanced(by: .milliseconds(3))
        return (
            arrival,
            .moved(Timed(ControlPosition(horizontal: x, vertical: y), at: instant, arrival: arrival))
        )
    }

    private func run(
        _ script: [(at: RunInstant, report: SourceReport)], plane: Bool = false
    ) async throws -> (changes: [[Double]], recording: ResultBundle.Recording, shown: [[Double]]) {
        let vertical =
            plane ? "vertical: {name: y, from: -1, to: 1, fromLabel: low, toLabel: high}" : ""
        let shown = Shown()
        let (sealed, bundle) = try await Sittings(Self.study(vertical), in: folder)
            .run(sources: ["slider": ScriptedSource(script: script)], prompter: shown, isAutomatic: false)
        #expect(sealed.reason == .completed)
        #expect(try Verification.problems(at: bundle.path) == [])
        let recording = try #require(bundle.visits[0].recordings.first)
        let items = try bundle.recordedItems(in: recording).ratings
        let width = plane ? 2 : 1
        let whole = stride(from: 0, to: items.count, by: width).map { Array(items[$0..<$0 + width]) }
        let changes = whole.filter { $0[0].runOffset.truncatingRemainder(dividingBy: 1) > 1e-6 }
            .map { [$0[0].runOffset] + $0.map(\.value) }
        return (changes, recording, shown.values.withLock { $0 })
    }

    @Test func `each movement is a change at its own moment, and moves the mark on the screen`() async throws
    {
        let found = try await run([
            (.seconds(0.1), .live), Self.moved(2.25, 0.25), Self.moved(2.5, 0.25), Self.moved(4.75, 1),
            Self.moved(9.998, 0),
        ])
        #expect(found.changes == [[2.25, 25], [4.75, 100], [9.998, 0]])
        #expect(found.shown == [[25], [100]] || found.shown == [[25], [100], [0]])
        #expect(found.recording.rating?.changes == 3)
        #expect(found.recording.rating?.lost == nil)
    }

    @Test func `on a plane, each axis moves its own dimension`() async throws {
        let found = try await run(
            [(.seconds(0.1), .live), Self.moved(2.25, nil, 1), Self.moved(3.5, 0.1, 0.25)], plane: true)
        #expect(found.changes == [[2.25, 50, 1], [3.5, 10, -0.5]])
    }

    @Test func `beside a rating by keys, a device moves the mark of its own person alone`() async throws {
        let keys = """
            - {type: rating, identifier: own, rate: 1 /s, scale: {from: 0, to: 10, fromLabel: calm, toLabel: tense}}
            """
        let study = Self.study().replacing(
            "      - type: rating", with: "      \(keys)\n          - type: rating")
        let shown = Shown()
        let script = [(at: RunInstant.seconds(0.1), report: SourceReport.live), Self.moved(2.25, 0.25)]
        let (sealed, bundle) = try await Sittings(study, in: folder)
            .run(sources: ["slider": ScriptedSource(script: script)], prompter: shown, isAutomatic: false)
        #expect(sealed.reason == .completed)
        #expect(try Verification.problems(at: bundle.path) == [])
        let rated = try bundle.visits[0].recordings.map { recording in
            (recording.recorder, Set(try bundle.recordedItems(in: recording).ratings.map(\.value)))
        }
        #expect(rated.map(\.0).sorted() == ["own", "tension"])
        for (recorder, values) in rated { #expect(values == (recorder == "own" ? [5] : [50, 25])) }
        #expect(shown.values.withLock { $0 }.isEmpty)
    }

    @Test func `what a device said before and after does not count, and a lost one is told`() async throws {
        let found = try await run([
            (.seconds(0.1), .live), Self.moved(5.5, 0.5), Self.moved(6.5, 0.6),
            (.seconds(7), .lost("'/dev/snd/midiC1D0' was taken away")), Self.moved(11, 0.9),
        ])
        #expect(found.changes == [[6.5, 60]])
        #expect(found.recording.rating?.lost == "'/dev/snd/midiC1D0' was taken away")
        #expect(found.recording.coverage == 1, "the keys still rated")
    }
}

/// Keeps where the mark was moved to, and goes on from each other screen.
private struct Shown: Prompter {
    final class Values: Sendable {
        private let list = Mutex<[[Double]]>([])
        func withLock<Result: Sendable>(_ body: (inout sending [[Double]]) -> sending Result) -> Result {
            list.withLock(body)
        }
    }

    let values = Values()

    func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        for await update in updates {
            if case .rated(let moved) = update { values.withLock { $0.append(moved) } }
            guard case .screen(let screen) = update, screen.rating == nil else { continue }
            act(.event(.confirmed, ordinal: screen.ordinal))
        }
    }
}
