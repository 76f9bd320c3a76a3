import StudyModel
import StudyTesting
import Testing

@testable import StudyFile

@Suite struct SoundCheckDecodingTests {
    private static let head = "stimuli: {clips: {catalogue: clips.yaml}}\n"

    private func check(_ keys: String) throws -> Step {
        let parsed = parse(study("- {type: soundCheck, identifier: level, \(keys)}", head: Self.head))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        return try #require(parsed.study?.tasks[0].steps.first)
    }

    @Test func `a volume is a scale of decibels, with tones or a clip`() throws {
        let step = try check("volume: {from: -40 dB, to: 0 dB, start: -20 dB}")
        #expect(step.kind == .question(.continuous(.init(from: -40, to: 0, decimals: 0, start: -20))))
        let use = try #require(step.soundCheck?.use)
        #expect(step.soundCheck?.purpose == .volume && use.choice == .play(ReferenceTone.sides.clip))
        #expect(use.settings.loops)
        let clip = try check(
            "volume: {from: -30 dB, to: 6 dB}, stimulus: {play: chill_1, loudness: -23 LUFS}")
        #expect(clip.kind == .question(.continuous(.init(from: -30, to: 6, decimals: 0, start: -12))))
        #expect(clip.soundCheck?.use.settings.loudness == -23)
    }

    @Test func `a measurement is a number in decibels, by a steady tone`() throws {
        let step = try check("measure: {at: -6 dB, limit: 85}")
        #expect(step.kind == .question(.number(unit: "dB(A)", minimum: 20, maximum: 140)))
        #expect(step.soundCheck?.purpose == .measured(limit: 85))
        #expect(step.soundCheck?.use.settings.gain == -6)
        let usual = try check("measure: {}")
        #expect(usual.soundCheck?.purpose == .measured(limit: nil))
        #expect(usual.soundCheck?.use.settings.gain == -10)
    }

    @Test(arguments: [
        ("1️⃣x: 1, volume: {from: -40 dB, to: 0 dB}", "unknown-key"),
        ("volume: {from: -40 dB, to: 1️⃣-50 dB}", "out-of-range"),
        ("volume: {from: -40 dB, to: 0 dB, start: 1️⃣6 dB}", "out-of-range"),
        ("volume: {from: -40 dB, to: 1️⃣20 dB}", "out-of-range"),
        ("measure: {limit: 1️⃣200}", "out-of-range"),
        ("measure: {at: 1️⃣-10}", "quantity-format"),
        ("volume: {from: -40 dB, to: 0 dB}, 1️⃣measure: {}", "conflicting-keys"),
    ])
    func `finds a mistake at its place, with help`(keys: String, expected: String) {
        let text = study("- {type: soundCheck, identifier: level, \(keys)}", head: Self.head)
        expectDiagnostics(text, ["1️⃣": expected], library: .sample)
        let found = parse(text.replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    @Test func `no music plays during a sound check`() {
        let text = """
            entrain: 1
            study: {identifier: s, title: T}
            \(Self.head)
            tasks:
              - identifier: Task
                music: [{identifier: m, from: hello, to: level, stimulus: {play: chill_1, loop: true}}]
                steps:
                  - {type: instruction, identifier: hello, title: Hello}
                  - {type: soundCheck, identifier: 1️⃣level, volume: {from: -40 dB, to: 0 dB}}
                  - {type: completion, identifier: end}
            """
        expectDiagnostics(text, ["1️⃣": "music-overlap"], library: .sample)
    }
}
