import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Terminal

@Suite struct DialogueTests {
    private static func dialogue(_ screen: Screen, keepsEarlyLines: Bool = false) -> Dialogue {
        var dialogue = Dialogue(keepsEarlyLines: keepsEarlyLines, isShowOnly: false)
        _ = dialogue.handle(.screen(screen), at: .seconds(20))
        return dialogue
    }

    private static func events(_ outcome: Dialogue.Outcome) -> [Event] {
        outcome.events
    }

    @Test(arguments: ["en", "fr", "de", "es"])
    func `each kind of step is told in lines`(tag: String) {
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        var text = ""
        for (index, var screen) in Screen.all.enumerated() {
            screen.language = Language(tag)
            screen.ordinal = index
            text +=
                dialogue.handle(.screen(screen), at: .seconds(20)).lines.map { $0 + "\n" }.joined() + "--\n"
        }
        text += dialogue.handle(line: "?").lines.joined(separator: "\n") + "\n"
        #expect(goldenDifference(text, "lines.\(tag).txt") == nil)
    }

    @Test func `words do what is offered, in the participant's language and in English`() {
        var screen = Screen.sample(
            Screen.thirtySeconds, phase: Screen.running, canSkip: true, language: Language("fr"))
        for (word, event) in [("passer", .skipped), ("Skip", .skipped), ("pause", .paused)]
            as [(String, Event)]
        {
            var dialogue = Self.dialogue(screen)
            #expect(Self.events(dialogue.handle(line: word)) == [event])
        }
        screen.allows.remove(.skip)
        var dialogue = Self.dialogue(screen)
        #expect(Self.events(dialogue.handle(line: "passer")) == [])
        #expect(Self.events(dialogue.handle(line: "retour")) == [])
        #expect(Self.events(dialogue.handle(line: "quitter") + dialogue.handle(line: "non")) == [])
        #expect(Self.events(dialogue.handle(line: "quit") + dialogue.handle(line: "oui")) == [.withdrawn])
    }

    @Test func `what was refused is not kept by an empty line, which leaves an optional question unanswered`()
    {
        let questions: [AskedQuestion] = [
            .sample("a", .date(), isOptional: true),
            .sample("b", .number(unit: nil, minimum: 1, maximum: nil)),
        ]
        var dialogue = Self.dialogue(.sample(.questions(questions)))
        #expect(dialogue.handle(line: "tomorrow").lines.last?.contains("Question b") != true)
        #expect(dialogue.handle(line: "").lines.joined().contains("Question b"))
        _ = dialogue.handle(line: "0")
        _ = dialogue.handle(line: "")
        #expect(Self.events(dialogue.handle(line: "7") + dialogue.handle(line: "")).count == 1)
    }

    @Test func `a form is asked question by question, and back goes to the one before`() {
        let questions: [AskedQuestion] = [
            .sample("a", .date(), isOptional: true),
            .sample("b", .number(unit: nil, minimum: 1, maximum: nil)),
        ]
        var dialogue = Self.dialogue(.sample(.questions(questions)))
        #expect(Self.events(dialogue.handle(line: "2020-01-01")) == [])
        #expect(Self.events(dialogue.handle(line: "back")) == [])
        #expect(Self.events(dialogue.handle(line: "")) == [])
        #expect(Self.events(dialogue.handle(line: "0")) == [])
        #expect(Self.events(dialogue.handle(line: "1")) == [])
        #expect(
            Self.events(dialogue.handle(line: "")) == [
                .answered([
                    GivenAnswer(question: "a", answer: .date(year: 2020, month: 1, day: 1)),
                    GivenAnswer(question: "b", answer: .number(1)),
                ])
            ])
    }

    @Test func `where words are asked for, commands have a stroke before them`() {
        let words = Screen.question(.text(maximumLength: nil, pattern: nil), canSkip: true, canGoBack: true)
        var dialogue = Self.dialogue(words)
        #expect(
            Self.events(dialogue.handle(line: "skip")) == [
                .answered([GivenAnswer(question: "q", answer: .text("skip"))])
            ])
        dialogue = Self.dialogue(words)
        #expect(Self.events(dialogue.handle(line: "/skip")) == [.skipped])
        dialogue = Self.dialogue(.question(.date(), canSkip: true))
        #expect(Self.events(dialogue.handle(line: "skip")) == [.skipped])
    }

    @Test func `Control-C asks whether to leave, and ends the run the second time`() {
        var dialogue = Self.dialogue(.sample(.instruction))
        let asked = dialogue.handleInterruption()
        #expect(asked.acts == [] && asked.lines == ["Really leave? Your data so far are kept. yes / no"])
        #expect(Self.events(dialogue.handle(line: "no")) == [])
        _ = dialogue.handleInterruption()
        #expect(dialogue.handleInterruption().acts == [.event(.interrupted)])
    }

    @Test func `a run can be put aside where it may be continued`() {
        var screen = Screen.sample(.instruction)
        var dialogue = Self.dialogue(screen)
        #expect(Self.events(dialogue.handle(line: "quit") + dialogue.handle(line: "later")) == [])
        screen.allows.insert(.putAside)
        dialogue = Self.dialogue(screen)
        #expect(
            dialogue.handleInterruption().lines == [
                "Really leave? Your data so far are kept. yes / later / no"
            ])
        #expect(Self.events(dialogue.handle(line: " Later ")) == [.putAside])
    }

    @Test func `what is asked stands last, and Saved is never behind it`() {
        var dialogue = Self.dialogue(.question(.date()))
        #expect(dialogue.handle(.saved("Rest"), at: .seconds(20)).lines == [])
        let lost = dialogue.handle(.source("heartRate", problem: "gone"), at: .seconds(20)).lines
        #expect(lost.count == 2 && lost.last == "Write the day as year-month-day, such as 1987-03-25.")
        var next = Screen.sample(.instruction)
        next.ordinal += 1
        let lines = dialogue.handle(.screen(next), at: .seconds(21)).lines
        #expect(lines.first == "Saved: Rest" && lines.last == "Press Return to go on.")
    }

    @Test func `a reviewed form tells all answers before they are sent`() {
        var screen = Screen.sample(
            .questions([
                .sample("a", .boolean(yes: .plain("Yes"), no: .plain("No"))),
                .sample("b", .text(maximumLength: nil, pattern: nil), isOptional: true),
            ]))
        screen.answering.insert(.reviewed)
        var dialogue = Self.dialogue(screen)
        let second = dialogue.handle(line: "no").lines
        #expect(second.first == "Question 2 of 2")
        let review = dialogue.handle(line: "").lines
        #expect(review.contains("Question a: No") && review.contains("Question b: not answered"))
        #expect(review.last?.hasPrefix("Press Return to send") == true)
    }

    @Test
    func `a review tells the answers of several steps, and leads back to the one whose number is typed`() {
        let screen = Screen.sample(.review(.sample))
        var dialogue = Self.dialogue(screen)
        #expect(dialogue.handle(line: "9").acts == [])
        let back = dialogue.handle(line: "2").acts
        #expect(back == [.event(.wentBackTo(7))])
        dialogue = Self.dialogue(screen)
        #expect(dialogue.handle(line: "").acts == [.event(.confirmed)])
        var shown = Dialogue(keepsEarlyLines: true, isShowOnly: false)
        let lines = shown.handle(.screen(screen), at: .seconds(20)).lines
        #expect(
            lines.suffix(4) == [
                "1. Question a: No", "2. Mood: not answered", "3. Send these answers",
                "Type the number of an answer to change it, or press Return to send them all.",
            ])
    }

    @Test func `piped lines wait for their questions, typed ones do not`() {
        for keepsEarlyLines in [true, false] {
            var dialogue = Self.dialogue(
                .sample(Screen.thirtySeconds, phase: Screen.running), keepsEarlyLines: keepsEarlyLines)
            #expect(Self.events(dialogue.handle(line: "5")) == [])
            var question = Screen.question(.scale(from: 1, to: 9, fromLabel: nil, toLabel: nil))
            question.ordinal += 1
            let answered = Self.events(dialogue.handle(.screen(question), at: .start))
            #expect(answered.isEmpty != keepsEarlyLines)
        }
    }

    @Test func `the end of the answers ends the run when the next one is wanted`() {
        var dialogue = Self.dialogue(
            .sample(Screen.thirtySeconds, phase: Screen.running), keepsEarlyLines: true)
        #expect(dialogue.handleEnd(isTerminal: false).acts == [])
        var next = Screen.sample(.instruction)
        next.ordinal += 1
        #expect(dialogue.handle(.screen(next), at: .start).acts == [.event(.interrupted)])
        var typed = Self.dialogue(.sample(Screen.thirtySeconds, phase: Screen.running))
        #expect(typed.handleEnd(isTerminal: true).acts == [.event(.interrupted)])
    }

    @Test(arguments: [false, true])
    func `a run that waits for its arm takes no line of a file, and outlives it, if the arm comes by itself`(
        comesByItself: Bool
    ) {
        var dialogue = Dialogue(
            keepsEarlyLines: true, isShowOnly: false, armComesByItself: comesByItself)
        let waiting = Screen.sample(.instruction, phase: .waitingForArm(problem: "the monitor is away"))
        _ = dialogue.handle(.screen(waiting), at: .start)
        #expect(dialogue.handle(line: "").acts == (comesByItself ? [] : [.event(.confirmed)]))
        _ = dialogue.handle(.screen(waiting), at: .start)
        let ended = dialogue.handleEnd(isTerminal: false).acts
        guard comesByItself else { return #expect(ended == [.event(.interrupted)]) }
        #expect(ended == [])
        var next = Screen.sample(.instruction)
        next.ordinal += 1
        let acts = dialogue.handle(.screen(next), at: .start).acts
        #expect(acts == [.event(.confirmed)])
    }

    @Test func `the time left is told halfway and before the end`() {
        let screen = Screen.sample(Screen.thirtySeconds, phase: .running(start: .start, end: .seconds(30)))
        #expect(screen.momentsToTell(after: .start).map(\.at) == [15, 20, 25].map { RunInstant.seconds($0) })
        #expect(screen.momentsToTell(after: .seconds(20)).map(\.remaining) == [.seconds(5)])
        let short = Screen.sample(
            .timed(duration: .seconds(8), isCountdown: false),
            phase: .running(start: .start, end: .seconds(8)))
        #expect(short.momentsToTell(after: .start).map(\.remaining) == [.seconds(5)])
    }

    @Test func `lines are the same however the bytes are split`() {
        let bytes = Array("één\r\n\u{1B}[Atwo\nrest".utf8)
        for cut in bytes.indices {
            var splitter = LineSplitter()
            let lines =
                splitter.split(Array(bytes[..<cut])) + splitter.split(Array(bytes[cut...])) + splitter.rest()
            #expect(lines == ["één", "[Atwo", "rest"])
        }
    }
}
