import BundleReplay
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import StudySession

@Suite struct TapTests {
    let folder = TemporaryFolder()

    private static let catalogue = """
        entrain: 1
        clips:
          - {identifier: click, file: click.ogg, duration: 8 s, beats: {tempo: 120 bpm, first: 250 ms}}
        """

    private static let study = """
        entrain: 1
        study: {identifier: tapping, title: Tapping}
        stimuli:
          clips: {catalogue: clips.yaml}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: tap
                duration: 10 s
                stimulus: {from: clips, draw: random, onset: 1 s}
                recorders: [{type: taps, identifier: taps, keys: [space, f]}]
              - {type: completion, identifier: thanks, title: Thank you}
        """

    private func run(_ finger: Finger, study: String = Self.study) async throws -> ResultBundle {
        let (sealed, bundle) = try await Sittings(study, in: folder, catalogue: Self.catalogue)
            .run(prompter: finger, isAutomatic: false)
        #expect(sealed.reason == .completed)
        #expect(try Verification.problems(at: bundle.path) == [])
        return bundle
    }

    private func taps(_ bundle: ResultBundle) throws -> [ResultBundle.Tap] {
        try bundle.visits.flatMap(\.recordings).filter { $0.taps != nil }
            .flatMap { try bundle.recordedItems(in: $0).taps }
    }

    @Test func `each tap stands at its moment, with the beat that was heard`() async throws {
        // Beats are heard at 1.25, 1.75 … 8.75 s after the step's start.
        let pressed: [(Double, Int?, Double)] = [
            (0.3, nil, 0), (1.22, 1, -0.03), (1.8, 2, 0.05), (2.25, 3, 0), (8.74, 16, -0.01), (9.4, nil, 0),
        ]
        let finger = Finger(presses: pressed.map { ("space", $0.0) } + [("f", 5), ("x", 6)])
        let bundle = try await run(finger)
        let found = try taps(bundle)
        let start = bundle.visits[0].start
        #expect(found.map(\.key) == ["space", "space", "space", "space", "f", "space", "space"])
        for (moment, number, asynchrony) in pressed {
            let tap = try #require(found.first { abs($0.runOffset - start - moment) < 1e-9 })
            #expect(tap.beat == number, "at \(moment)")
            #expect(number == nil ? tap.asynchrony == nil : abs((tap.asynchrony ?? 9) - asynchrony) < 1e-9)
            let isHeard = moment >= 1 && moment < 9
            #expect(isHeard ? abs((tap.position ?? 99) - (moment - 1)) < 1e-9 : tap.position == nil)
        }
        let said = try #require(bundle.visits[0].recordings.first?.taps)
        #expect(said == FileResult.Taps(Tapping(keys: ["space", "f"]), onBeats: 5, held: 0))
    }

    @Test func `while the device stands still, no part of the clip is heard, and all that follows is later`()
    {
        var clip = Stimulus(identifier: "click", file: "click.ogg", path: "click.ogg")
        clip.beats = .steady(interval: .milliseconds(500), first: .milliseconds(250))
        var heard = HeardClip(
            ordinal: 1, clip: clip, loops: false, onset: .seconds(10), position: .seconds(1))
        // From 12 s to 13.5 s nothing is heard; how long it was is known exactly only later.
        heard.changes = [(12.0, 0.0), (13.4, 1), (13.5, 1)].map {
            Playback.Change(at: .seconds($0.0), frame: 96_000, position: .seconds(3), tempo: $0.1, gain: 0)
        }
        let places = [(11.9, 2.9), (12.5, 3), (13.45, 3.05), (13.5, 3), (14, 3.5)].map { moment, place in
            abs((heard.position(at: .seconds(moment)) - .seconds(place)) / .seconds(1))
        }
        #expect(places.allSatisfy { $0 < 1e-9 })
        #expect(heard.tempo(at: .seconds(12.5)) == 0 && heard.beat(after: .seconds(12.5)) == nil)
        #expect(heard.beat(after: .seconds(13.5)) == .seconds(13.75))
        #expect(
            heard.instant(of: .seconds(2.5)) == .seconds(11.5)
                && heard.instant(of: .seconds(4)) == .seconds(14.5))
    }

    @Test func `a held key counts once, and says how often it came`() async throws {
        let held = [2.0] + (0..<20).map { 2.5 + 0.033 * Double($0) }
        let bundle = try await run(Finger(presses: (held + [4.0]).map { ("space", $0) }))
        #expect(try taps(bundle).count == 2)
        #expect(bundle.visits[0].recordings.first?.taps?.held == 20)
    }

    @Test func `nobody taps: the file is there, empty, with the reason`() async throws {
        let bundle = try await run(Finger(presses: []))
        let file = try #require(bundle.visits[0].recordings.first)
        #expect(file.sampleCount == 0 && file.reason == "nobody tapped" && file.gaps.isEmpty)
    }

    @Test func `a simulated participant taps a little before the beat`() async throws {
        let (_, bundle) = try await Sittings(Self.study, in: folder, catalogue: Self.catalogue).run()
        let found = try taps(bundle)
        let asynchronies = found.compactMap(\.asynchrony)
        #expect(asynchronies.count >= 12)
        let mean = asynchronies.reduce(0, +) / Double(asynchronies.count)
        #expect(abs(mean + 0.03) < 0.025)
        #expect(try Verification.problems(at: bundle.path) == [])
    }

    @Test func `what is heard counts, not what was planned`() {
        let clip = Stimulus(
            identifier: "click", file: "click.ogg", path: "click.ogg", duration: .seconds(8),
            beats: .steady(interval: .milliseconds(500), first: .milliseconds(250)))
        // Planned at 10 s, heard at 10.5 s, and 3 s of it before a pause.
        var heard = HeardClip(
            ordinal: 1, clip: clip, loops: false, onset: .seconds(10.5), position: .seconds(3))
        #expect(heard.position(at: .seconds(10.5)) == .seconds(3))
        #expect(heard.position(at: .seconds(11)) == .seconds(3.5))
        #expect(heard.beat(after: .seconds(10.625)) == .seconds(10.75))
        heard.end = .seconds(10.7)
        #expect(heard.beat(after: .seconds(10.625)) == nil)
    }

    @Test func `a clip that starts again has its beats again`() {
        let clip = Stimulus(
            identifier: "click", file: "click.ogg", path: "click.ogg", duration: .seconds(2),
            beats: .positions([.milliseconds(500), .milliseconds(1500)]))
        let heard = HeardClip(ordinal: 1, clip: clip, loops: true, onset: .seconds(0), position: .zero)
        #expect(heard.position(at: .seconds(4.5)) == .milliseconds(500))
        #expect(heard.position(at: .seconds(1.5)) == .milliseconds(1500))
    }
}

/// Presses keys at moments since the step's start, and goes on from each other screen.
private struct Finger: Prompter {
    var presses: [(key: String, at: Double)]

    func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        for await case .screen(let screen) in updates {
            guard let tapping = screen.tapping, case .running(let start, _) = screen.phase else {
                act(.event(.confirmed, ordinal: screen.ordinal))
                continue
            }
            for press in presses.sorted(by: { $0.at < $1.at }) {
                let moment = start.advanced(by: .seconds(press.at))
                do { try await clock.sleep(until: moment, tolerance: nil) } catch { return }
                guard tapping.keys.contains(press.key) else { continue }
                act(
                    .tapped(
                        Tapped(
                            ordinal: screen.ordinal, recorder: tapping.recorder, key: press.key, at: moment)))
            }
        }
    }
}
