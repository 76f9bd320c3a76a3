import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Clips that answer the heart, and that are softer under prompts.
@Suite struct FollowDecodingTests {
    private static func step(_ keys: String, sources: String = "{heartRate: {type: simulated}}") -> String {
        study(
            "- {type: active, identifier: s, duration: 60 s, stimulus: {from: all, draw: random, \(keys)}}",
            head: "stimuli: {all: {catalogue: clips.yaml}}\nsources: \(sources)\n")
    }

    private func settings(_ keys: String) throws -> Playback.Settings {
        let parsed = parse(Self.step(keys))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        return try #require(parsed.study?.tasks[0].steps[0].active?.stimulus?.settings)
    }

    @Test func `reads what follows, and its usual values`() throws {
        let usual = try settings("follow: {tempo: {of: heartRate}}")
        #expect(usual.following == Following(tempo: .init(range: -0.2...0.2)))
        let whole = try settings(
            """
            underPrompts: -12 dB, follow: {tempo: {of: heartRate, target: -5 %, between: [-10 %, 15.5 %], \
            beatsPerHeartbeat: [0.5, 2], every: 1 s, smooth: 20 s}, \
            loudness: {of: heartRate, points: [[60, -6 dB], [90.5, 0 dB]], every: 500 ms, smooth: 10 min}}
            """)
        #expect(whole.gainUnderPrompts == -12)
        let tempo = try #require(whole.following?.tempo)
        #expect(tempo.target == -0.05 && tempo.range == -0.1...0.155)
        #expect(tempo.beatsPerHeartbeat == [0.5, 2])
        #expect(tempo.pace == .init(interval: .seconds(1), smoothing: .seconds(20)))
        let loudness = try #require(whole.following?.loudness)
        #expect(loudness.points == [.init(rate: 60, gain: -6), .init(rate: 90.5, gain: 0)])
        #expect(loudness.pace == .init(interval: .milliseconds(500), smoothing: .seconds(600)))
    }

    @Test(arguments: [
        ("follow: 1️⃣{}", "missing-key"), ("follow: {tempo: {of: heartRate}, 1️⃣pitch: {}}", "unknown-key"),
        ("follow: {tempo: 1️⃣{target: 5 %}}", "missing-key"),
        ("follow: {tempo: {of: 1️⃣breathing}}", "unknown-word"),
        ("follow: {tempo: {of: heartRate, target: 1️⃣60 %}}", "out-of-range"),
        ("follow: {tempo: {of: heartRate, target: 1️⃣5}}", "quantity-format"),
        ("follow: {tempo: {of: heartRate, between: 1️⃣[5 %, 20 %]}}", "out-of-range"),
        ("follow: {tempo: {of: heartRate, between: 1️⃣[-5 %, 10 %, 20 %]}}", "out-of-range"),
        ("follow: {tempo: {of: heartRate, beatsPerHeartbeat: [1️⃣0]}}", "out-of-range"),
        ("follow: {tempo: {of: heartRate, every: 1️⃣100 ms}}", "out-of-range"),
        ("follow: {tempo: {of: heartRate, smooth: 1️⃣11 min}}", "out-of-range"),
        ("follow: {loudness: {of: heartRate, points: 1️⃣[[60, 0 dB]]}}", "empty-list"),
        ("follow: {loudness: {of: heartRate, points: [[60, 0 dB], 1️⃣[60, 3 dB]]}}", "out-of-range"),
        ("follow: {loudness: {of: heartRate, points: [[60, 0 dB], 1️⃣90]}}", "wrong-type"),
        ("underPrompts: 1️⃣-70 dB", "out-of-range"),
        ("crossFade: 1️⃣11 s", "out-of-range"), ("fade: 1 s, 1️⃣crossFade: 1 s", "conflicting-keys"),
        ("follow: {yokedTo: 1️⃣nobody}", "unknown-step"), ("follow: {yokedTo: 1️⃣s}", "no-clip"),
        ("follow: {yokedTo: s, 1️⃣tempo: {of: heartRate}}", "conflicting-keys"),
    ])
    func `finds a mistake at its place, with help`(keys: String, expected: String) {
        expectDiagnostics(Self.step(keys), ["1️⃣": expected], library: .sample)
        let found = parse(Self.step(keys).replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    @Test func `a clip is yoked to a step whose clip follows, and needs neither a tempo nor a heart`() throws
    {
        let text = study(
            """
            - {type: active, identifier: led, duration: 9 s, stimulus: {play: chill_1, follow: {tempo: {of: heartRate}}}}
            - {type: active, identifier: same, duration: 9 s, stimulus: {play: dark_1, follow: {yokedTo: led}}}
            """,
            head: """
                stimuli: {clips: {catalogue: clips.yaml}}
                sources: {heartRate: {type: simulated}}

                """)
        let parsed = parse(text)
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let task = try #require(parsed.study?.tasks[0])
        #expect(task.yokedSteps == ["led"] && task.followsHeartRate)
    }

    @Test func `a clip without a tempo cannot follow, and a level needs none`() {
        let head =
            "sources: {heartRate: {type: simulated}}\nstimuli: {previews: {catalogue: ../Media/clips.yaml}}\n"
        let step = { (keys: String) in
            study(
                "- {type: active, identifier: s, duration: 9 s, stimulus: {from: previews, draw: random, \(keys)}}",
                head: head)
        }
        let text = step("follow: 1️⃣{tempo: {of: heartRate}}")
        expectDiagnostics(text, ["1️⃣": "no-tempo"], library: .sample)
        #expect(
            parse(text.replacing("1️⃣", with: "")).diagnostics[0].message
                == "the catalogue gives no tempo for 6 clips, 'chill_preview_3' first")
        let level = step("follow: {loudness: {of: heartRate, points: [[60, 0 dB], [90, -6 dB]]}}")
        #expect(parse(level).diagnostics.isEmpty)
    }

    @Test func `a heart rate that no source gives is asked for`() {
        expectDiagnostics(
            Self.step("follow: 1️⃣{tempo: {of: heartRate}}", sources: "{belt: {type: simulated}}"),
            ["1️⃣": "no-source"], library: .sample)
    }
}
