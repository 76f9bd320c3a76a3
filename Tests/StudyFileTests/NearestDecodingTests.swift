import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Clips that are nearest to something when their step begins.
@Suite struct NearestDecodingTests {
    private static func choice(_ play: String, inBlock: Bool = false) -> String {
        let head = "stimuli: {clips: {catalogue: clips.yaml}}\nsources: {heartRate: {type: simulated}}\n"
        let step = "{type: active, identifier: music, duration: 30 s, stimulus: {play: \(play)}}"
        return study(
            """
            - {type: question, identifier: q, answer: {scale: {from: 1, to: 9}}}
            - {type: question, identifier: words, answer: {text: {}}}
            - \(inBlock ? "{type: block, identifier: b, repeat: 3, steps: [\(step)]}" : step)
            - {type: question, identifier: later, answer: {scale: {from: 1, to: 9}}}
            """, head: head)
    }

    private func nearest(_ play: String, inBlock: Bool = false) throws -> NearestClip {
        let parsed = parse(Self.choice(play, inBlock: inBlock))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let step = try #require(parsed.study?.tasks[0].allSteps.first { $0.identifier == "music" })
        guard case .nearest(let nearest)? = step.active?.stimulus?.choice else {
            Issue.record("another choice")
            return NearestClip(set: "none", aims: [])
        }
        return nearest
    }

    @Test func `reads what the clip is to be near`() throws {
        #expect(
            try nearest("{nearest: tempo, to: heartRate, from: clips, otherwise: dark_1}")
                == NearestClip(
                    set: "clips", aims: [.init(attribute: "tempo", goal: .value(.heartRate))],
                    otherwise: "dark_1"))
        let path = try nearest(
            "{nearest: tempo, to: {from: {answer: q}, towards: 120}, from: clips, again: true}", inBlock: true
        )
        #expect(path.aims[0].goal == .path(from: .answer("q"), to: .number(120)))
        #expect(path.repeats && path.otherwise == nil)
    }

    @Test(arguments: [
        ("{nearest: 1️⃣tmpo, to: heartRate, from: clips}", "unknown-attribute"),
        ("{nearest: 1️⃣mood, to: heartRate, from: clips}", "unknown-attribute"),
        ("{nearest: tempo, to: 1️⃣heartrate, from: clips}", "wrong-type"),
        ("{nearest: [tempo, 1️⃣tempo], to: [60, 70], from: clips}", "duplicate-identifier"),
        ("{nearest: tempo, to: 1️⃣[60, 70], from: clips}", "out-of-range"),
        ("{nearest: tempo, to: {answer: 1️⃣nobody}, from: clips}", "unknown-question"),
        ("{nearest: tempo, to: {answer: 1️⃣words}, from: clips}", "condition-value"),
        ("{nearest: tempo, to: {answer: 1️⃣later}, from: clips}", "unknown-question"),
        ("{nearest: tempo, to: heartRate, from: 1️⃣clps}", "unknown-set"),
        ("{nearest: tempo, to: heartRate, from: clips, otherwise: 1️⃣drak_1}", "unknown-clip"),
        ("1️⃣{nearest: tempo, to: heartRate}", "missing-key"),
        ("{nearest: tempo, to: 1️⃣{from: 60, towards: 120}, from: clips}", "misplaced-key"),
    ])
    func `finds a mistake at its place, with help`(play: String, expected: String) {
        expectDiagnostics(Self.choice(play), ["1️⃣": expected], library: .sample)
        let found = parse(Self.choice(play).replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }
}
