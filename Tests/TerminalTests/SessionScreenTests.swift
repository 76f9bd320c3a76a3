import SessionPorts
import StudyModel
import Testing

@testable import Terminal

@Suite struct SessionScreenTests {
    private static let wide = TerminalSize(columns: 200, rows: 60)

    private func text(_ interview: Interview, at now: RunInstant = .seconds(20)) -> String {
        interview.picture(at: now, in: TerminalSize(columns: 80, rows: 40)).frame.lines.map(\.text)
            .joined(separator: "\n")
    }

    @Test func `on a large terminal the text stands in the middle, and so does the cursor`() {
        let interview = Interview(.question(.date()), size: Self.wide)
        let frame = interview.picture(at: .seconds(20), in: Self.wide).frame
        #expect(frame.lines.count == 60)
        let shown = frame.lines.filter { !$0.text.isEmpty }
        #expect(
            shown.allSatisfy { $0.text.hasPrefix(String(repeating: " ", count: 62)) && $0.columns <= 138 })
        #expect(frame.lines.prefix(8).allSatisfy { $0.text.isEmpty })
        #expect(frame.cursor.map { frame.lines[$0.row].text.hasSuffix("> ") } == true)
    }

    @Test func `ASCII draws every step in as many columns`() {
        var painter = Painter(on: Colour(red: 0, green: 0, blue: 0), usesUnicode: false)
        for screen in Screen.all {
            var interview = Interview(screen)
            interview.handle(.heartRate(72, at: .seconds(19)))
            let frame = interview.picture(at: .seconds(20), in: TerminalSize(columns: 80, rows: 40)).frame
            #expect(painter.paint(frame).allSatisfy { $0.isASCII })
            for line in frame.lines { #expect(line.text.map(\.ascii).joined().count == line.columns) }
        }
        #expect("日é–♥".map(\.ascii).joined() == "??e-*")
    }

    @Test func `a clip says that it plays, or that it is not heard`() {
        var interview = Interview(.sample(Screen.thirtySeconds, phase: Screen.running))
        #expect(!text(interview).contains("playing"))
        interview.handle(.clip(isHeard: true))
        #expect(text(interview).contains("♪ Sound is playing."))
        interview.handle(.clip(isHeard: false))
        #expect(text(interview).contains("There is no sound: the clip cannot be heard."))
        interview.handle(.clip(isHeard: nil))
        #expect(!text(interview).contains("sound"))
    }

    @Test func `a lost signal says for how long`() {
        var interview = Interview(.sample(Screen.thirtySeconds, phase: Screen.running))
        interview.handle(.source("heartRate", problem: "gone"), at: .seconds(21))
        #expect(text(interview, at: .seconds(21)).contains("Heart rate: no signal"))
        interview.handle(.source("heartRate", problem: "gone for good"), at: .seconds(24))
        #expect(text(interview, at: .seconds(25.5)).contains("Heart rate: no signal for 4 s"))
        interview.handle(.source("heartRate", problem: nil), at: .seconds(26))
        #expect(text(interview, at: .seconds(26)).contains("Heart rate: the signal is back"))
    }

    @Test func `a step that may not be paused offers no pause`() {
        var screen = Screen.sample(Screen.thirtySeconds, phase: Screen.running)
        screen.allows.remove(.pause)
        var interview = Interview(screen)
        #expect(interview.type(.typed("p")) == [])
        #expect(!text(interview).contains("pause"))
    }

    @Test func `a locked run lets only those leave and pause who know the word`() {
        var interview = Interview(lock: "sesame")
        let screen = Screen.sample(Screen.thirtySeconds, phase: Screen.running)
        interview.handle(.screen(screen))
        let size = TerminalSize(columns: 80, rows: 40)
        #expect(
            interview.type(.typed("qyp") + [.control("c"), .control("c"), .control("c")], size: size) == [])
        #expect(interview.type(.typed("wrong") + [.return], size: size) == [])
        #expect(interview.isLocked && !text(interview).contains("wrong"))
        #expect(interview.handle(.character("s")) == [])
        #expect(interview.type([.control("u")] + .typed("sesame") + [.return], size: size) == [])
        #expect(!interview.isLocked)
        #expect(interview.type(.typed("qy"), size: size) == [.withdrawn])
        var next = screen
        next.ordinal += 1
        interview.handle(.screen(next))
        #expect(interview.isLocked)
    }

    @Test func `the word is neither a command nor an answer, however often it is typed`() {
        for word in ["ruby", "sesame", "quay"] {
            var interview = Interview(lock: word)
            interview.handle(
                .screen(.sample(Screen.thirtySeconds, phase: Screen.running, canSkip: true, canGoBack: true)))
            func events(_ keys: [Key]) -> [Event] {
                keys.flatMap { interview.handle($0, at: Interview.nextSecond()) }.answersAndCommands
            }
            #expect(events([.control("c")] + .typed(word) + [.return] + .typed(word)) == [], "\(word)")
            #expect(events([.control("c")] + .typed(word)) == [], "\(word)")
            #expect(interview.mode == .leaving)
            #expect(events(.typed("n")) == [] && interview.mode == .plain)
            // A command that only begins like the word counts with the next key.
            #expect(events(.typed("qy")) == [.withdrawn], "\(word)")
            var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false, lock: word)
            _ = dialogue.handle(.screen(.sample(.instruction)), at: .seconds(20))
            _ = dialogue.handle(.control("c"), at: .seconds(21))
            _ = dialogue.handle(line: word)
            #expect(dialogue.handle(line: word).events == [])
            _ = dialogue.handle(.control("c"), at: Interview.nextSecond())
            #expect(dialogue.handle(line: word).events == [] && dialogue.isLeaving)
        }
    }

    @Test func `the experimenter intervenes once the word was typed`() {
        var interview = Interview(lock: "sesame")
        interview.handle(.screen(.sample(Screen.thirtySeconds, phase: Screen.running)))
        func acts(_ keys: [Key]) -> [ParticipantAct] {
            keys.flatMap { interview.handle($0, at: Interview.nextSecond()) }
        }
        #expect(acts(.typed("!pause x") + [.return]).allSatisfy { if case .key = $0 { true } else { false } })
        _ = acts([.control("c")] + .typed("sesame") + [.return])
        #expect(text(interview).contains("! intervene"))
        #expect(acts(.typed("!paus the strap") + [.return]) == [])
        #expect(
            text(interview).contains("Not done: 'paus' is none of:")
                && text(interview).contains("! paus the strap"))
        #expect(acts([.escape] + .typed("!pause the strap")) == [])
        guard case .marked(let mark)? = acts([.return]).last else {
            Issue.record("no mark")
            return
        }
        #expect(mark.control == .pause && mark.text == "the strap")
        interview.handle(.notDone("no timed step is running"))
        #expect(text(interview).contains("Not done: no timed step is running"))
    }

    @Test func `a message stays for ten seconds, and until the next page`() {
        let screen = Screen.sample(.instruction)
        var interview = Interview(screen)
        interview.handle(.message("Please sit still."), at: .seconds(100))
        var next = screen
        next.ordinal += 1
        interview.handle(.screen(next), at: .seconds(105))
        #expect(text(interview).contains("The experimenter says: Please sit still."))
        next.ordinal += 1
        interview.handle(.screen(next), at: .seconds(111))
        #expect(!text(interview).contains("Please sit still."))
    }

    @Test func `a pause of the experimenter offers no way to go on`() {
        var screen = Screen.sample(Screen.thirtySeconds, phase: .paused(remaining: .seconds(20)))
        #expect(text(Interview(screen)).contains("p go on"))
        screen.allows.remove(.resume)
        #expect(!text(Interview(screen)).contains("p go on"))
        #expect(text(Interview(screen)).contains("Paused by the experimenter."))
    }

    @Test func `a held Control-C asks and does not end the run`() {
        var interview = Interview(.sample(.instruction))
        let moments = [100.0, 100.5, 100.533, 100.566].map { RunInstant.seconds($0) }
        #expect(moments.flatMap { interview.handle(.control("c"), at: $0).answersAndCommands } == [])
        #expect(interview.mode == .leaving)
    }

    @Test func `a reviewed form shows all answers above the line that sends them`() {
        var screen = Screen.sample(
            .questions([
                .sample("a", .boolean(yes: .plain("Of course"), no: .plain("No"))),
                .sample("b", .text(maximumLength: nil, pattern: nil), isOptional: true),
            ]))
        screen.answering.insert(.reviewed)
        var interview = Interview(screen)
        #expect(text(interview).contains("Question 1 of 2"))
        #expect(interview.type(.typed("1") + [.return, .return]) == [])
        let review = text(interview)
        #expect(review.contains("Please look at your answers once more."))
        #expect(review.contains("Of course") && review.contains("not answered") && !review.contains("( )"))
        #expect(interview.type([.backTab]) == [] && interview.form?.place == 1)
        #expect(interview.type([.return, .return]).count == 1)
    }

    @Test func `a review lists the answers of several steps, and leads back to the one that is chosen`() {
        var interview = Interview(.sample(.review(.sample)))
        #expect(
            text(interview).contains("( ) 1  Question a: No")
                && text(interview).contains("( ) 2  Mood: not answered"))
        #expect(text(interview).contains("( ) 3  Send these answers") && text(interview).contains("send"))
        #expect(interview.type(.typed("2")) == [] && text(interview).contains("change an answer"))
        #expect(interview.type([.return]) == [.wentBackTo(7)])
        interview = Interview(.sample(.review(.sample)))
        #expect(interview.type([.return]) == [.confirmed])
        interview = Interview(.sample(.review(.sample)))
        #expect(interview.type([.up, .return]) == [.confirmed], "the last line sends")
        interview = Interview(.sample(.review(.sample)))
        #expect(interview.type(.typed("9") + [.return]) == [] && text(interview).contains("! "))
        interview = Interview(.sample(.review(.sample)))
        #expect(interview.handle(.character("1"), at: .seconds(30)) == [.key("1")], "nothing to keep")
        #expect(!interview.hasDrafts)
    }

    @Test func `a review that is longer than the terminal is read before it is sent`() {
        let many = (1...40).map { number in
            ReviewedAnswers(
                ordinal: number, title: "Step \(number)",
                questions: [.sample("q", .text(maximumLength: nil, pattern: nil))], drafts: [:])
        }
        let size = TerminalSize(columns: 60, rows: 20)
        var interview = Interview(.sample(.review(many)), size: size)
        var reads = 0
        while interview.type([.return], size: size) == [], reads < 20 { reads += 1 }
        #expect((2...6).contains(reads))
    }

    @Test func `a text serves another region of its language`() {
        let text = LocalizedText.translated([
            .init(language: Language("en"), text: "colour"), .init(language: Language("fr"), text: "couleur"),
        ])
        #expect(text.text(in: Language("fr-CA")) == "couleur")
        #expect(text.text(in: Language("en-GB")) == "colour")
        #expect(text.text(in: Language("de")) == "colour")
    }
}
