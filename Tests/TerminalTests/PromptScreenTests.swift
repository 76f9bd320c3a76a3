import SessionPorts
import StudyModel
import StudySession
import Testing

@testable import Terminal

/// Answering a prompt while the step goes on: by keys, and by lines.
@Suite struct PromptScreenTests {
    private static let question = AskedQuestion.sample(
        "effort", .scale(from: 1, to: 9, fromLabel: nil, toLabel: nil))

    private static func screen(
        _ number: Int?, phase: Presentation.Phase = Screen.running, rating: Bool = false
    ) -> Screen {
        var screen = Screen.sample(Screen.thirtySeconds, phase: phase, title: "Keep going.")
        screen.prompt = number.map { Screen.Prompt(question, number: $0) }
        if rating {
            let dimension = RatingScale.Dimension(
                name: "tension", from: 0, to: 8, fromLabel: .plain("calm"), toLabel: .plain("tense"),
                start: 4,
                step: 1)
            screen.rating = Screen.Rating(
                recorder: "tension", scale: RatingScale(dimensions: [dimension], rate: 10))
        }
        return screen
    }

    private static func interview(_ rating: Bool = false, lock: String? = nil) -> Interview {
        var interview = Interview(lock: lock)
        interview.handle(.screen(screen(nil, rating: rating)), at: .seconds(8))
        interview.handle(.screen(screen(1, rating: rating)), at: .seconds(10))
        return interview
    }

    private static func answers(_ acts: [ParticipantAct]) -> [Answer?]? {
        for case .event(.answered(let given), _) in acts { return given.map(\.answer) }
        return nil
    }

    @Test func `keys answer it, and go to the step before and after`() {
        var interview = Self.interview()
        #expect(
            interview.isAnswering && interview.offers == [.leave],
            "what is typed just now was not meant for it")
        #expect(interview.handle(.character("3"), at: .seconds(10.1)) == [.key("3")])
        #expect(Self.answers(interview.handle(.return, at: .seconds(10.2))) == nil)
        #expect(interview.handle(.character("7"), at: .seconds(11)) == [.key("7")])
        let sent = interview.handle(.return, at: .seconds(12))
        #expect(Self.answers(sent) == [.scale(7)])
        #expect(Self.answers(interview.handle(.return, at: .seconds(12.1))) == nil, "a held Return")
        interview.handle(.screen(Self.screen(nil)), at: .seconds(12.2))
        #expect(!interview.isAnswering)
        #expect(interview.handle(.character("p"), at: .seconds(13)) == [.key("p"), .event(.paused)])
    }

    @Test func `a Return that is held from before answers nothing, and leaves nothing`() {
        var interview = Interview()
        interview.handle(.screen(Self.screen(nil)), at: .seconds(8))
        for place in 0..<100 {
            let now = RunInstant.seconds(9 + Double(place) * 0.033)
            if place == 30 { interview.handle(.screen(Self.screen(1)), at: now) }
            #expect(Self.answers(interview.handle(.return, at: now)) == nil)
        }
    }

    @Test func `the menu behind Escape pauses, and the pause keeps what was chosen`() {
        var interview = Self.interview()
        _ = interview.handle(.character("7"), at: .seconds(11))
        _ = interview.handle(.escape, at: .seconds(11.5))
        let acts = interview.handle(.return, at: .seconds(12))
        #expect(acts.last == .event(.paused))
        interview.handle(.screen(Self.screen(1, phase: .paused(remaining: .seconds(26)))), at: .seconds(12))
        #expect(!interview.isAnswering && Self.answers(interview.handle(.return, at: .seconds(13))) == nil)
        let phase = Presentation.Phase.running(start: .seconds(20), end: .seconds(46))
        interview.handle(.screen(Self.screen(1, phase: phase)), at: .seconds(20))
        #expect(Self.answers(interview.handle(.return, at: .seconds(21))) == [.scale(7)])
    }

    @Test func `a locked run has no pause`() {
        var interview = Self.interview(lock: "word")
        interview = interview.waiting(until: .seconds(11))
        #expect(interview.menu.isEmpty)
    }

    @Test func `the keys of a rating belong to the prompt while it is on show`() {
        var interview = Self.interview(true)
        let moved = { (acts: [ParticipantAct]) in
            acts.contains { if case .rated = $0 { true } else { false } }
        }
        #expect(!moved(interview.handle(.right, at: .seconds(10.1))))
        #expect(!moved(interview.handle(.character("9"), at: .seconds(11))))
        #expect(Self.answers(interview.handle(.return, at: .seconds(12))) == [.scale(9)])
        interview.handle(.screen(Self.screen(nil, rating: true)), at: .seconds(12))
        #expect(moved(interview.handle(.right, at: .seconds(12.5))))
        // It goes by itself: what is typed just then was meant for it.
        interview.handle(.screen(Self.screen(2, rating: true)), at: .seconds(20))
        interview.handle(.screen(Self.screen(nil, rating: true)), at: .seconds(22))
        #expect(!moved(interview.handle(.right, at: .seconds(22.2))))
        #expect(moved(interview.handle(.right, at: .seconds(23))))
    }

    @Test(arguments: [(80, 24), (40, 12), (120, 40), (60, 16)])
    func `it stands below the step, beside the clock`(columns: Int, rows: Int) {
        let interview = Self.interview(true)
        let size = TerminalSize(columns: columns, rows: rows)
        let frame = interview.picture(at: .seconds(11), in: size).frame
        let text = frame.lines.map(\.text).joined(separator: "\n")
        #expect(text.contains("Question effort"))
        #expect(text.contains("0:27") || text.contains("█"), "the step's clock goes on")
        #expect(frame.lines.count <= rows)
    }

    @Test func `it is said once by lines, and a line answers it`() {
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        _ = dialogue.handle(.screen(Self.screen(nil)), at: .seconds(8))
        let asked = dialogue.handle(.screen(Self.screen(1)), at: .seconds(10))
        #expect(asked.lines.first == "Question effort")
        #expect(dialogue.handle(.screen(Self.screen(1)), at: .seconds(10)).lines.isEmpty)
        #expect(
            dialogue.handle(line: "7", at: .seconds(10.1)).acts.isEmpty, "it was typed before it was read")
        #expect(Self.answers(dialogue.handle(line: "10", at: .seconds(11)).acts) == nil)
        #expect(Self.answers(dialogue.handle(line: "7", at: .seconds(12)).acts) == [.scale(7)])
        #expect(dialogue.handle(.screen(Self.screen(nil)), at: .seconds(12)).lines.isEmpty)
        _ = dialogue.handle(.screen(Self.screen(2)), at: .seconds(20))
        #expect(dialogue.handle(line: "pause", at: .seconds(21)).acts.last == .event(.paused))
        let paused = Self.screen(2, phase: .paused(remaining: .seconds(17)))
        _ = dialogue.handle(.screen(paused), at: .seconds(21))
        let phase = Presentation.Phase.running(start: .seconds(30), end: .seconds(47))
        let resumed = dialogue.handle(.screen(Self.screen(2, phase: phase)), at: .seconds(30))
        #expect(resumed.lines.contains("Question effort"), "it is asked again")
        var gone = Self.screen(nil, phase: phase)
        gone.prompt = nil
        #expect(
            dialogue.handle(.screen(gone), at: .seconds(35)).lines == [
                "The question is over; the step goes on."
            ])
    }

    @Test func `lines from a file answer it, and their end is not the run's`() {
        var dialogue = Dialogue(keepsEarlyLines: true, isShowOnly: false)
        _ = dialogue.handle(.screen(Self.screen(nil)), at: .seconds(8))
        #expect(dialogue.handle(line: "7", at: .seconds(8)).acts.isEmpty)
        #expect(Self.answers(dialogue.handle(.screen(Self.screen(1)), at: .seconds(10)).acts) == [.scale(7)])
        #expect(dialogue.handleEnd(isTerminal: false, at: .seconds(11)).acts.isEmpty)
        _ = dialogue.handle(.screen(Self.screen(nil)), at: .seconds(11))
        #expect(dialogue.handle(.screen(Self.screen(2)), at: .seconds(20)).acts.isEmpty)
    }
}
