import SessionPorts
import StudyModel
import StudyTesting
import Synchronization
import Testing

@testable import Terminal

/// The presentation by lines at a terminal, where each key comes by itself.
@Suite(.timeLimit(.minutes(5))) struct HalfLineTests {
    private static let form: [AskedQuestion] = [
        .sample("a", .scale(from: 1, to: 20, fromLabel: nil, toLabel: nil)),
        .sample("b", .text(maximumLength: nil, pattern: nil, hasSeveralLines: true)),
    ]

    private static func dialogue(_ screen: Screen, lock: String? = nil) -> Dialogue {
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false, lock: lock)
        _ = dialogue.handle(.screen(screen), at: .seconds(20))
        return dialogue
    }

    private static func drafts(_ acts: [ParticipantAct]) -> [DraftedAnswer] {
        acts.compactMap { if case .event(.drafted(let draft), _) = $0 { draft } else { nil } }
    }

    @Test func `half a line is kept with its question, and counts as typed once it is whole`() {
        var dialogue = Self.dialogue(.sample(.questions(Self.form)))
        _ = dialogue.handle(Key.character("1"), at: .seconds(21))
        #expect(Self.drafts(dialogue.keepTyped(at: .seconds(21))).map(\.text) == ["1"])
        _ = dialogue.handle(Key.character("7"), at: .seconds(22))
        #expect(Self.drafts(dialogue.keepTyped(at: .seconds(22))).map(\.text) == ["17"])
        #expect(dialogue.shown == "17")
        let whole = dialogue.handle(Key.return, at: .seconds(23))
        #expect(whole.endsLine && whole.lines.contains { $0.contains("Question b") })
        for (index, character) in "ab".enumerated() {
            _ = dialogue.handle(Key.character(character), at: .seconds(24 + Double(index)))
        }
        _ = dialogue.handle(Key.return, at: .seconds(26))
        _ = dialogue.handle(Key.character("c"), at: .seconds(27))
        #expect(Self.drafts(dialogue.keepTyped(at: .seconds(27))).map(\.text) == ["ab\nc"])
        for second in [28.0, 30] { _ = dialogue.handle(Key.return, at: .seconds(second)) }
        let acts = dialogue.handle(Key.return, at: .seconds(32)).acts
        guard case .event(.answered(let answers), _)? = acts.last else {
            Issue.record("nothing was sent: \(acts)")
            return
        }
        #expect(answers.map(\.answer) == [.scale(17), .text("ab\nc")])
        #expect(answers[0].times?.changes == 2 && answers[0].times?.changed == .seconds(22))
    }

    @Test(arguments: [nil, "sesame"])
    func `half a line comes back when it is not left after all`(lock: String?) {
        var dialogue = Self.dialogue(.sample(.questions(Self.form)), lock: lock)
        func press(_ keys: [Key], at second: Double) -> Dialogue.Outcome {
            keys.reduce(Dialogue.Outcome()) { outcome, key in
                let taken = outcome + dialogue.handle(key, at: .seconds(second))
                return taken + Dialogue.Outcome(acts: dialogue.keepTyped(at: .seconds(second)))
            }
        }
        _ = press(.typed("6"), at: 21)
        #expect(!press([.control("c")], at: 23).lines.isEmpty && dialogue.shown == "")
        let back = press(.typed(lock == nil ? "n" : lock ?? "") + [.return], at: 25)
        #expect(
            dialogue.shown == "6" && back.lines.contains { $0.contains("1 to 20") || $0.contains("between") })
        #expect(
            !back.lines.contains { $0.contains("So far") }, "an empty line keeps only what stood there before"
        )
        let sent = press([.return], at: 27)
        #expect(sent.lines.contains { $0.contains("Question b") }, "\(sent.lines)")
        _ = press(.typed("x") + [.return], at: 29)
        _ = press([.return], at: 31)
        let acts = press([.return], at: 33).acts
        guard case .event(.answered(let answers), _)? = acts.last else {
            Issue.record("nothing was sent: \(acts)")
            return
        }
        #expect(answers.first?.answer == .scale(6))
    }

    @Test func `a command that is being typed is no answer`() {
        for word in ["back", "/back"] {
            var screen = Screen.sample(.questions(Self.form), canGoBack: true)
            screen.drafts = ["a": "5"]
            var dialogue = Self.dialogue(screen)
            var acts: [ParticipantAct] = []
            for (index, character) in word.enumerated() {
                acts += dialogue.handle(Key.character(character), at: .seconds(21 + Double(index))).acts
                acts += dialogue.keepTyped(at: .seconds(21 + Double(index)))
            }
            acts += dialogue.handle(Key.return, at: .seconds(40)).acts
            acts += dialogue.keepTyped(at: .seconds(40))
            #expect(acts.contains(.event(.wentBack)))
            #expect(Self.drafts(acts).last?.text ?? "5" == "5")
        }
    }

    @Test func `the cursor goes through the line`() {
        var dialogue = Self.dialogue(.sample(.questions(Self.form)))
        for key in [Key].typed("57") + [.left, .backspace, .home] + .typed("1") {
            _ = dialogue.handle(key, at: Interview.nextSecond())
        }
        #expect(dialogue.echo == ("1", "7"))
        for key in [Key.end, .backspace, .delete] { _ = dialogue.handle(key, at: Interview.nextSecond()) }
        #expect(dialogue.echo == ("1", ""))
    }

    @Test func `a note of the experimenter gives the line back, and is told`() {
        var dialogue = Self.dialogue(.sample(.questions(Self.form)), lock: "sesame")
        let keys = [Key].typed("6") + [.control("c")] + .typed("sesame") + [.return] + .typed("!note coughed")
        for key in keys { _ = dialogue.handle(key, at: Interview.nextSecond()) }
        #expect(dialogue.shown == "!note coughed")
        let taken = dialogue.handle(.return, at: Interview.nextSecond())
        #expect(taken.acts.contains { if case .marked = $0 { true } else { false } })
        #expect(taken.lines.first == "Noted." && dialogue.shown == "6")
        // Control-C goes back without a note, too.
        for key in [Key].typed("!no") + [.control("c")] + .typed("n") + [.return] {
            _ = dialogue.handle(key, at: Interview.nextSecond())
        }
        #expect(dialogue.shown == "6")
    }

    @Test func `how a line was understood stands before the next question`() {
        let languages = ["Greek", "Latin"].map { AnswerFormat.Choice(value: $0, text: .plain($0)) }
        let questions: [AskedQuestion] = [
            .sample("a", .choice(languages)), .sample("b", .date()),
            .sample("c", .text(maximumLength: nil, pattern: nil)),
        ]
        for (language, lines) in [
            ("en", ["= Greek", "= 3 April 1987"]), ("de", ["= Greek", "= 3. April 1987"]),
            ("fr", ["= Greek", "= 3 avril 1987"]), ("es", ["= Greek", "= 3 de abril de 1987"]),
        ] {
            var screen = Screen.sample(.questions(questions))
            screen.language = Language(language)
            var dialogue = Self.dialogue(screen)
            #expect(["1", "1987-04-03"].compactMap { dialogue.handle(line: $0).lines.first } == lines)
            #expect(dialogue.handle(line: "words").lines.first?.hasPrefix("= ") == false)
        }
    }

    @Test func `a line is edited as at a shell`() {
        var dialogue = Self.dialogue(.sample(.questions(Self.form)))
        let keys = [Key].typed("two words") + [.control("w")] + .typed("men") + [.backspace, .up, .tab]
        for key in keys { _ = dialogue.handle(key, at: Interview.nextSecond()) }
        #expect(dialogue.shown == "two me")
        _ = dialogue.handle(Key.control("u"), at: Interview.nextSecond())
        #expect(dialogue.shown == "")
        #expect(
            dialogue.handle(Key.control("d"), at: Interview.nextSecond()).acts.contains(.event(.interrupted)))
    }

    @Test func `a locked run asks for the word, and shows none of it`() {
        var dialogue = Self.dialogue(.sample(.questions(Self.form)), lock: "sesame")
        #expect(dialogue.isLocked && !dialogue.handle(line: "/quit").acts.contains(.event(.withdrawn)))
        _ = dialogue.handle(Key.control("c"), at: .seconds(30))
        for key in [Key].typed("wrong") { #expect(dialogue.handle(key, at: .seconds(31)).acts == []) }
        #expect(dialogue.shown == "*****")
        let refused = dialogue.handle(Key.return, at: .seconds(32)).lines
        #expect(refused.first == "This is not the word." && refused.count == 2 && dialogue.isLocked)
        for key in [Key].typed("sesame") { _ = dialogue.handle(key, at: .seconds(33)) }
        #expect(dialogue.handle(Key.return, at: .seconds(34)).lines.first == "Unlocked.")
        #expect(!dialogue.isLocked)
        _ = dialogue.handle(line: "quit")
        #expect(dialogue.handle(line: "yes").acts.contains(.event(.withdrawn)))
        _ = dialogue.handle(.screen(.sample(.instruction, ordinal: 3)), at: .seconds(50))
        #expect(dialogue.isLocked)
    }

    @Test func `an unlocked run takes what the experimenter types, and logs none of it`() {
        var dialogue = Self.dialogue(.sample(.questions(Self.form)), lock: "sesame")
        #expect(dialogue.handle(line: "!note coughed").acts.allSatisfy { !$0.isMark }, "it is locked")
        _ = dialogue.handle(Key.control("c"), at: .seconds(30))
        _ = dialogue.handle(line: "sesame", at: .seconds(31))
        for key in [Key].typed("!note coughed") {
            #expect(dialogue.handle(key, at: .seconds(32)).acts == [])
            #expect(dialogue.keepTyped(at: .seconds(32)).isEmpty)
        }
        let mark = RunMark(.note, text: "coughed", at: .seconds(33))
        #expect(dialogue.handle(Key.return, at: .seconds(33)).acts == [mark.map(ParticipantAct.marked)])
        let refused = dialogue.handle(line: "!dance now", at: .seconds(34))
        #expect(
            refused.acts.isEmpty && refused.lines.first?.hasPrefix("Not done: 'dance' is none of:") == true)
        #expect(
            dialogue.handle(.notDone("nothing is paused"), at: .seconds(35)).lines.first
                == "Not done: nothing is paused")
    }

    @Test(arguments: [
        (
            "pause the strap fell off",
            RunMark(.control, control: .pause, text: "the strap fell off", at: .start)
        ),
        (
            "Without-Source  battery empty",
            RunMark(.control, control: .withoutSource, text: "battery empty", at: .start)
        ),
        ("resume", RunMark(.control, control: .resume, text: "goes on", at: .start)),
        ("disturbance door banged", RunMark(.disturbance, text: "door banged", at: .start)),
        ("adverse mild dizzy", RunMark(.adverse, .mild, text: "dizzy", at: .start)),
        ("adverse dizzy", nil), ("pause", nil), ("adverse mild", nil), ("control x", nil), ("", nil),
    ])
    func `understands what to do and why`(line: String, mark: RunMark?) {
        #expect((try? Intervention.mark(line, at: .start).get()) == mark)
    }

    @Test func `what is said meanwhile stands before the line that is half typed`() async {
        let terminal = PseudoTerminal(habits: [("20", "1"), ("1\r\nHalfway.\r\n", "7\u{7F}8")])
        let (updates, sink) = AsyncStream.makeStream(of: ScreenUpdate.self)
        let (acts, actSink) = AsyncStream.makeStream(of: ParticipantAct.self)
        let prompter = PlainPrompter(input: terminal.program, output: terminal.program)
        async let running: Void = prompter.run(updates, on: ManualClock()) { actSink.yield($0) }
        sink.yield(.screen(.sample(.questions(Self.form))))
        var told: [ParticipantAct] = []
        for await act in acts {
            told.append(act)
            let drafts = Self.drafts(told).map(\.text)
            if case .event = act, drafts == ["1"] { sink.yield(.cue(.say(.plain("Halfway.")))) }
            if drafts.last == "18" { break }
        }
        sink.yield(.over(.completed, folder: "results/P01", problem: nil))
        sink.finish()
        await running
        #expect(told.first == .key("1") && told.contains(.key("backspace")))
        #expect(terminal.isSane)
        await terminal.finish()
    }

    @Test func `the study may keep a lost signal from the participant`() {
        for isShown in [true, false] {
            var screen = Screen.sample(Screen.thirtySeconds, phase: Screen.running)
            if !isShown { screen.shows.remove(.lostSignal) }
            var interview = Interview(screen)
            interview.handle(.source("heartRate", problem: .other("silent")))
            let picture = interview.picture(at: .seconds(24), in: TerminalSize(columns: 80, rows: 24))
            let text = picture.frame.lines.map(\.text).joined(separator: "\n")
            #expect(text.contains("no signal") == isShown)
            var dialogue = Self.dialogue(screen)
            let lines = dialogue.handle(.source("heartRate", problem: .other("silent")), at: .seconds(24))
                .lines
            #expect(lines.isEmpty != isShown)
        }
    }
}

extension ParticipantAct {
    fileprivate var isMark: Bool { if case .marked = self { true } else { false } }
}
