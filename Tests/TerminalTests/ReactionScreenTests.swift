import SessionPorts
import StudyModel
import StudySession
import Testing

@testable import Terminal

/// Reacting with a key: on the screen and by lines.
@Suite struct ReactionScreenTests {
    private static func screen() -> Screen {
        var screen = Screen.sample(Screen.thirtySeconds, phase: Screen.running, title: "Happy or sad?")
        screen.reactionKeys = [.init(name: "f", words: "Happy"), .init(name: "j", words: "")]
        return screen
    }

    private static func reactions(_ acts: [ParticipantAct]) -> [Reacted] {
        acts.compactMap { if case .reacted(let reacted) = $0 { reacted } else { nil } }
    }

    @Test func `a key counts at its moment, on the screen and by lines`() {
        let expected = Reacted(ordinal: 2, key: "f", at: .seconds(9))
        var interview = Interview()
        interview.handle(.screen(Self.screen()), at: .seconds(8))
        #expect(interview.handle(.character("F"), at: .seconds(9)) == [.key("F"), .reacted(expected)])
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        let lines = dialogue.handle(.screen(Self.screen()), at: .seconds(8)).lines
        #expect(lines.contains("Answer with one key, without Return: F = Happy, J."))
        #expect(Self.reactions(dialogue.handle(.character("f"), at: .seconds(9)).acts) == [expected])
        #expect(dialogue.shown.isEmpty)
    }

    @Test func `the keys and what they say are on the screen`() {
        var interview = Interview()
        interview.handle(.screen(Self.screen()), at: .seconds(8))
        #expect(interview.hints.contains { $0.key == "F = Happy   J" && $0.action == "answer" })
    }

    @Test func `a held key is told apart, also into the next step`() {
        var interview = Interview()
        interview.handle(.screen(Self.screen()), at: .seconds(8))
        _ = interview.handle(.character("f"), at: .seconds(9))
        var next = Self.screen()
        next.ordinal = 3
        interview.handle(.screen(next), at: .seconds(9.1))
        let held = [9.5, 9.533, 9.566, 9.9].flatMap {
            Self.reactions(interview.handle(.character("f"), at: .seconds($0)))
        }
        // The last of them comes after a break, and more than 0.7 s after the key that ended the step before.
        #expect(held.map(\.isRepetition) == [true, true, true, false])
        let pressed = Self.reactions(interview.handle(.character("f"), at: .seconds(10.2)))
        #expect(pressed.map(\.isRepetition) == [false])
        let again = Self.reactions(interview.handle(.character("f"), at: .seconds(10.5)))
        #expect(again.map(\.isRepetition) == [false], "an early key may be followed by a right one")
        let other = Self.reactions(interview.handle(.character("j"), at: .seconds(10.75)))
        #expect(other.map(\.isRepetition) == [false])
    }

    @Test func `by lines, a stray key costs nothing, and commands can be typed`() {
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        _ = dialogue.handle(.screen(Self.screen()), at: .seconds(8))
        #expect(Self.reactions(dialogue.handle(.character("x"), at: .seconds(8.5)).acts).isEmpty)
        #expect(Self.reactions(dialogue.handle(.character("f"), at: .seconds(9)).acts).map(\.key) == ["f"])
        for letter in "pause" {
            #expect(Self.reactions(dialogue.handle(.character(letter), at: .seconds(9.5)).acts).isEmpty)
        }
        #expect(dialogue.handle(.return, at: .seconds(9.9)).acts.contains(.event(.paused)))
    }

    @Test func `lines of a file cannot react, and are told so`() {
        var dialogue = Dialogue(keepsEarlyLines: true, isShowOnly: false)
        let lines = dialogue.handle(.screen(Self.screen()), at: .seconds(8)).lines
        #expect(lines.contains("Lines from a file cannot press keys: no reaction is measured in this step."))
    }

    @Test func `nothing counts while a prompt, a pause or the question about leaving is shown`() {
        var paused = Self.screen()
        paused.phase = .paused(remaining: .seconds(3))
        var interview = Interview()
        interview.handle(.screen(paused), at: .seconds(8))
        #expect(Self.reactions(interview.handle(.character("f"), at: .seconds(9))).isEmpty)
        var leaving = Interview()
        leaving.handle(.screen(Self.screen()), at: .seconds(8))
        _ = leaving.handle(.character("q"), at: .seconds(9))
        #expect(Self.reactions(leaving.handle(.character("f"), at: .seconds(9.5))).isEmpty)
    }
}
