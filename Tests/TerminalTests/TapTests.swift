import SessionPorts
import StudyModel
import Testing

@testable import Terminal

/// Tapping keys: on the screen and by lines.
@Suite struct TapTests {
    private static func screen(
        _ keys: [String] = ["space"], phase: Presentation.Phase = Screen.running
    ) -> Screen {
        var screen = Screen.sample(Screen.thirtySeconds, phase: phase, title: "Tap to the beat")
        screen.tapping = Screen.Tapping(recorder: "taps", keys: keys)
        return screen
    }

    private static func interview(_ screen: Screen) -> Interview {
        var interview = Interview()
        interview.handle(.screen(screen), at: .seconds(8))
        return interview
    }

    private static func dialogue(_ screen: Screen, isTyped: Bool = true) -> (Dialogue, [String]) {
        var dialogue = Dialogue(keepsEarlyLines: !isTyped, isShowOnly: false)
        let lines = dialogue.handle(.screen(screen), at: .seconds(8)).lines
        return (dialogue, lines)
    }

    private static func taps(_ acts: [ParticipantAct]) -> [String] {
        acts.compactMap { if case .tapped(let tapped) = $0 { tapped.key } else { nil } }
    }

    private static let expected: [ParticipantAct] = [
        .key("space"),
        .tapped(Tapped(ordinal: 2, recorder: "taps", key: "space", at: .seconds(9))),
    ]

    @Test func `a key is a tap at its moment, on the screen and by lines`() {
        var interview = Self.interview(Self.screen())
        #expect(interview.handle(.character(" "), at: .seconds(9)) == Self.expected)
        var (dialogue, lines) = Self.dialogue(Self.screen())
        #expect(dialogue.handle(.character(" "), at: .seconds(9)) == Dialogue.Outcome(acts: Self.expected))
        #expect(lines.contains("Tap with: Space."))
        #expect(dialogue.shown.isEmpty)
    }

    @Test func `every arrival counts here, since the recording tells held keys apart`() {
        var interview = Self.interview(Self.screen())
        let told = (0..<20).flatMap {
            Self.taps(interview.handle(.character(" "), at: .seconds(9 + 0.125 * Double($0))))
        }
        #expect(told.count == 20)
    }

    @Test(arguments: [
        (Key.character("f"), "f"), (.character("F"), "f"), (.character("7"), "7"), (.return, "return"),
    ])
    func `letters count in either case, and Return if it is listed`(key: Key, name: String) {
        let keys = ["f", "7", "return"]
        var interview = Self.interview(Self.screen(keys))
        #expect(Self.taps(interview.handle(key, at: .seconds(9))) == [name])
        var (dialogue, _) = Self.dialogue(Self.screen(keys))
        #expect(Self.taps(dialogue.handle(key, at: .seconds(9)).acts) == [name])
    }

    @Test(arguments: [Key.character("x"), .character("p"), .return, .up, .tab])
    func `other keys are no taps, and commands stay`(key: Key) {
        var interview = Self.interview(Self.screen())
        let acts = interview.handle(key, at: .seconds(9))
        #expect(Self.taps(acts).isEmpty)
        #expect((acts.last == .event(.paused)) == (key == .character("p")))
    }

    @Test func `a word that is being typed takes the keys`() {
        var (dialogue, _) = Self.dialogue(Self.screen(["a", "space"]))
        #expect(Self.taps(dialogue.handle(.character("p"), at: .seconds(9)).acts).isEmpty)
        #expect(Self.taps(dialogue.handle(.character("a"), at: .seconds(9.1)).acts).isEmpty)
        #expect(dialogue.shown == "pa")
    }

    @Test(arguments: [
        Presentation.Phase.waiting, .paused(remaining: .seconds(20)), .timeUp, .saving,
    ])
    func `nothing is tapped while the step does not run`(phase: Presentation.Phase) {
        var interview = Self.interview(Self.screen(phase: phase))
        #expect(Self.taps(interview.handle(.character(" "), at: .seconds(9))).isEmpty)
        var (dialogue, _) = Self.dialogue(Self.screen(phase: phase))
        #expect(Self.taps(dialogue.handle(.character(" "), at: .seconds(9)).acts).isEmpty)
    }

    @Test func `a prompt takes the keys while it is shown`() {
        var screen = Self.screen(["5"])
        screen.prompt = Screen.Prompt(
            AskedQuestion(
                identifier: "effort", title: "How hard?", text: "", isOptional: false,
                format: .boolean(yes: .plain("Yes"), no: .plain("No"))), number: 1)
        var interview = Self.interview(screen)
        #expect(Self.taps(interview.handle(.character("5"), at: .seconds(9))).isEmpty)
    }

    @Test func `a tap that comes a moment after the step goes nowhere`() {
        var next = Screen.sample(.instruction, phase: .waiting, title: "Well done")
        next.ordinal = 3
        var interview = Self.interview(Self.screen(["return"]))
        _ = interview.handle(.return, at: .seconds(37.6))
        interview.handle(.screen(next), at: .seconds(38))
        // It has been read to its end.
        interview.handle(interview.picture(at: .seconds(38), in: TerminalSize(columns: 80, rows: 24)).view)
        #expect(interview.handle(.return, at: .seconds(38.2)) == [.key("return")])
        #expect(interview.handle(.return, at: .seconds(38.8)) == [.key("return")])
        #expect(interview.handle(.return, at: .seconds(39.9)).last == .event(.confirmed))
        var (dialogue, _) = Self.dialogue(Self.screen(["return"]))
        _ = dialogue.handle(.screen(next), at: .seconds(38))
        #expect(!dialogue.handle(.return, at: .seconds(38.2)).acts.contains(.event(.confirmed)))
        #expect(dialogue.handle(.return, at: .seconds(39.9)).acts.contains(.event(.confirmed)))
    }

    @Test func `lines from a file say that they cannot tap`() {
        let (_, lines) = Self.dialogue(Self.screen(), isTyped: false)
        #expect(lines.contains { $0.hasPrefix("Lines from a file cannot tap") })
    }

    @Test func `the screen says which key to tap`() {
        let interview = Self.interview(Self.screen(["f", "j"]))
        #expect(interview.hints.contains { $0.key == "F J" && $0.action == "tap" })
    }
}
