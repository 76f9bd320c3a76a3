import SessionPorts
import StudyModel
import Testing

@testable import Terminal

/// Cues for those who do not hear, and bells.
@Suite struct CueTests {
    private static let screen = Screen.sample(Screen.thirtySeconds, phase: Screen.running)

    @Test(
        arguments: [
            (.bell, 20, "♪ A bell rings."), (.sound("tone"), 20, "♪ A tone sounds."),
            (.sound("countdown"), 35.004, "3"), (.sound("lastSecond"), 37.01, "1"),
            (.say(.plain("Half-way")), 20, "Half-way"),
        ] as [(Cue.Signal, Double, String)])
    func `a cue is shown and said, whether or not it sounds`(
        signal: Cue.Signal, second: Double, words: String
    ) {
        for update in [ScreenUpdate.cue(signal), .sounded(signal)] {
            var interview = Interview()
            interview.handle(.screen(Self.screen), at: .seconds(8))
            interview.handle(update, at: .seconds(second))
            #expect(interview.notice == .said(words))
            #expect(interview.bells == (update == .sounded(signal) || !signal.isTone ? 0 : 1))
            var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
            _ = dialogue.handle(.screen(Self.screen), at: .seconds(8))
            let outcome = dialogue.handle(update, at: .seconds(second))
            #expect(outcome.lines == [words])
            #expect(outcome.isRung == (update == .cue(signal) && signal.isTone))
        }
    }

    @Test func `the experimenter's message rings in plain mode, too`() {
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        _ = dialogue.handle(.screen(Self.screen), at: .seconds(8))
        #expect(dialogue.handle(.message("Please sit still."), at: .seconds(9)).isRung)
    }

    @Test func `a number that a scale hides stays hidden in the review`() {
        var scale = AnswerFormat.Scale(from: 0, to: 100, decimals: 0)
        scale.areNumbersShown = false
        var screen = Screen.sample(
            .questions([.sample("a", .continuous(scale)), .sample("b", .date(), isOptional: true)]))
        screen.answering.insert(.reviewed)
        var interview = Interview(screen)
        _ = interview.type(.typed("73") + [.return, .return])
        #expect(interview.form?.isReview == true)
        let lines = interview.picture(at: .seconds(20), in: TerminalSize(columns: 80, rows: 40)).frame.lines
            .map(\.text)
        #expect(lines.contains { $0.contains("●") } && !lines.contains { $0.contains("73") })
    }
}

/// Scales on a screen.
@Suite struct ScaleTests {
    @Test func `what the ends of a scale mean stands below its ends`() {
        let nine = AnswerFormat.scale(from: 1, to: 9, fromLabel: .plain("low"), toLabel: .plain("high"))
        let lines = Interview(.question(nine)).picture(
            at: .seconds(20), in: TerminalSize(columns: 80, rows: 24)
        )
        .frame.lines.map(\.text)
        let points = lines.first { $0.contains(" 1  2 ") } ?? ""
        let labels = lines.first { $0.contains("low") } ?? ""
        #expect(labels.contains("low") && labels.contains("high") && !labels.contains("="))
        // From the first number to the last one.
        #expect(labels.prefix { $0 == " " }.count <= points.prefix { $0 == " " }.count)
        #expect((points.trimmed.count - 2...points.trimmed.count + 2).contains(labels.trimmed.count))
    }

    @Test(arguments: [40, 60, 80])
    func `every arrow moves something on a scale without numbers`(columns: Int) {
        var scale = AnswerFormat.Scale(from: 0, to: 100, decimals: 0)
        scale.areNumbersShown = false
        let size = TerminalSize(columns: columns, rows: 20)
        var interview = Interview(.question(.continuous(scale)), size: size)
        _ = interview.type([.home], size: size)
        var before = interview.picture(at: .seconds(20), in: size).frame
        for _ in 0..<100 {
            _ = interview.type([.right], size: size)
            let after = interview.picture(at: .seconds(20), in: size).frame
            #expect(after.lines != before.lines)
            before = after
        }
    }
}
