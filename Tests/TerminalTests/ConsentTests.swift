import SessionPorts
import StudyModel
import Testing

@testable import Terminal

@Suite struct ConsentTests {
    private static let small = TerminalSize(columns: 60, rows: 14)

    private static func consent(signed: Bool = true) -> Screen {
        .sample(.consent(question: "c", document: Screen.document, isSignatureTyped: signed))
    }

    private func shows(_ text: String, _ interview: Interview) -> Bool {
        interview.picture(at: .seconds(100_000), in: Self.small).frame.lines.contains {
            $0.text.contains(text)
        }
    }

    @Test func `nothing is to agree to before the end of the document was on the screen`() {
        var interview = Interview(Self.consent(), size: Self.small)
        while interview.needsReading {
            #expect(!shows("I agree", interview))
            #expect(interview.type([.return], size: Self.small) == [])
        }
        #expect(shows("I agree", interview) && shows("I do not agree", interview))
        #expect(interview.type([.return], size: Self.small) == [])
        #expect(interview.form?.problem?.phrase == .pleaseChoose)
        #expect(interview.type([.down, .return], size: Self.small) == [] && interview.form?.place == 1)
        #expect(
            interview.type([.return], size: Self.small) == []
                && interview.form?.problem?.phrase == .pleaseWrite)
        #expect(
            interview.type(.typed("Ada") + [.return], size: Self.small) == [
                .answered([GivenAnswer(question: "c", answer: .consent(signature: "Ada"))])
            ])
    }

    @Test func `declining is an answer, and ends with the study's words`() {
        let refusal = Event.answered([GivenAnswer(question: "c", answer: .declined)])
        var interview = Interview(Self.consent())
        #expect(interview.type([.return, .down, .down, .return]) == [refusal])
        interview.handle(
            .over(.declined, words: "Thank you for reading.", folder: "results/P01", problem: nil))
        #expect(shows("Thank you for reading.", interview))
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        _ = dialogue.handle(.screen(Self.consent()), at: .seconds(20))
        #expect(dialogue.handle(line: "").events == [])
        #expect(dialogue.handle(line: "no").events == [refusal])
        let last = dialogue.handle(
            .over(.declined, words: "Thank you for reading.", folder: "results/P01", problem: nil),
            at: Interview.nextSecond())
        #expect(last.lines.first == "Thank you for reading.")
    }

    @Test func `lines agree like the screen`() {
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        _ = dialogue.handle(.screen(Self.consent()), at: .seconds(20))
        #expect(dialogue.handle(line: "yes").events == [])
        #expect(
            dialogue.handle(line: "Ada").events == [
                .answered([GivenAnswer(question: "c", answer: .consent(signature: "Ada"))])
            ])
    }

    /// When a key that is held from 20 s on is told: once, after the first delay, and then thirty times a second.
    private static func held(first delay: Double) -> [RunInstant] {
        [.seconds(20)] + (0..<60).map { .seconds(20 + delay + Double($0) * 0.033) }
    }

    @Test(arguments: [0.08, 0.25, 0.5, 0.66])
    func `a held or doubled key leaves one page and no more`(delay: Double) {
        var interview = Interview(.sample(.instruction, ordinal: 1))
        var left = 0
        for instant in Self.held(first: delay) {
            let acts = interview.handle(.return, at: instant)
            guard acts.answersAndCommands == [.confirmed] else { continue }
            left += 1
            interview.handle(.screen(.sample(.instruction, ordinal: 1 + left)), at: instant)
            interview.handle(interview.picture(at: instant, in: TerminalSize(columns: 80, rows: 24)).view)
        }
        #expect(left == 1)
        #expect(interview.handle(.return, at: .seconds(30)).answersAndCommands == [.confirmed])
    }

    @Test func `a key that is held at the end of a document does not give the decision made before`() {
        var screen = Screen.sample(
            .consent(question: "c", document: Screen.document, isSignatureTyped: false))
        screen.drafts = ["c": "#1"]
        let size = TerminalSize(columns: 80, rows: 24)
        var interview = Interview(screen, size: size)
        var start = 21.0
        while interview.needsReading {
            _ = interview.handle(.return, at: .seconds(start))
            interview.handle(interview.picture(at: .seconds(start), in: size).view)
            start += 2
        }
        // The last press was held.
        for instant in Self.held(first: 0.5).dropFirst() {
            let later = instant.advanced(by: .seconds(start - 22))
            #expect(interview.handle(.return, at: later).answersAndCommands == [])
        }
        #expect(interview.handle(.return, at: .seconds(start + 9)).answersAndCommands.count == 1)
    }

    @Test func `a held p pauses once`() {
        var interview = Interview(.sample(Screen.thirtySeconds, phase: Screen.running))
        var events: [Event] = []
        for instant in Self.held(first: 0.5) {
            for event in interview.handle(.character("p"), at: instant).answersAndCommands {
                events.append(event)
                let phase =
                    event == .paused ? Presentation.Phase.paused(remaining: .seconds(9)) : Screen.running
                interview.handle(.screen(.sample(Screen.thirtySeconds, phase: phase)), at: instant)
            }
        }
        #expect(events == [.paused])
    }

    @Test func `a page takes nothing but leaving before its least time, and says how long that is`() {
        var screen = Screen.sample(.instruction, canSkip: true)
        screen.leastTime = .seconds(3)
        var interview = Interview()
        interview.handle(.screen(screen), at: .seconds(20))
        let size = TerminalSize(columns: 80, rows: 24)
        interview.handle(interview.picture(at: .seconds(20), in: size).view)
        #expect(interview.handle(.return, at: .seconds(21.5)).answersAndCommands == [])
        #expect(interview.handle(.character("s"), at: .seconds(22)).answersAndCommands == [])
        let early = interview.picture(at: .seconds(21.5), in: size).frame.lines
        #expect(!early.contains { $0.text.contains("Return") })
        #expect(early.contains { $0.text.contains("you can go on in 2 s.") })
        #expect(interview.nextChange(after: .seconds(21.5)) == .seconds(22))
        #expect(interview.handle(.return, at: .seconds(23)).answersAndCommands == [.confirmed])
    }

    @Test func `before the least time a participant may leave`() {
        var screen = Screen.question(.text(maximumLength: nil, pattern: nil), canSkip: true)
        screen.leastTime = .seconds(3)
        var interview = Interview()
        interview.handle(.screen(screen), at: .seconds(20))
        #expect(interview.handle(.character("a"), at: .seconds(21)).answersAndCommands == [])
        #expect(interview.form?.current?.text == "")
        _ = interview.handle(.escape, at: .seconds(21))
        #expect(interview.menu == [.leave])
        _ = interview.handle(.return, at: .seconds(21.5))
        #expect(interview.handle(.character("y"), at: .seconds(22)).answersAndCommands == [.withdrawn])
    }

    @Test func `lines keep the least time, and a held Return leaves one page`() {
        var screen = Screen.sample(.instruction)
        screen.leastTime = .seconds(3)
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        _ = dialogue.handle(.screen(screen), at: .seconds(20))
        let early = dialogue.handle(line: "", at: .seconds(21))
        #expect(early.acts == [] && early.lines == ["Please take your time: you can go on in 2 s."])
        var left = 0
        for instant in Self.held(first: 0.5).map({ $0.advanced(by: .seconds(4)) }) {
            guard dialogue.handle(line: "", at: instant).events == [.confirmed] else { continue }
            left += 1
            screen.ordinal += 1
            screen.leastTime = .zero
            _ = dialogue.handle(.screen(screen), at: instant)
        }
        #expect(left == 1)
    }

    @Test func `a Return that is held on the last item does not send the answers`() {
        let items = AskedQuestion.everyKind.prefix(1).map { item in
            var item = item
            item.isOptional = true
            return item
        }
        var interview = Interview(.sample(.questions(items + [.sample("b", .date(), isOptional: true)])))
        #expect(interview.type([.return]) == [])
        let now = Interview.nextSecond()
        let moments = [0, 0.5, 0.533, 0.566].map { now.advanced(by: .seconds($0)) }
        #expect(moments.flatMap { interview.handle(.return, at: $0).answersAndCommands } == [])
        #expect(interview.form?.isAtSendLine == true)
        #expect(interview.type([.return]).count == 1)
    }

    @Test func `a half-typed name is kept, and there again`() {
        var interview = Interview(Self.consent(), size: Self.small)
        _ = interview.type(Array(repeating: .return, count: 20), size: Self.small)
        _ = interview.type([.down, .return] + .typed("Ada L"), size: Self.small)
        guard case .event(.drafted(let draft), _)? = interview.drafts().last else {
            Issue.record("no draft")
            return
        }
        #expect(draft.question == "c" && draft.text == "#1\nAda L")
        var again = Self.consent()
        again.drafts = ["c": draft.text]
        let form = AnswerForm(again, at: .seconds(20))
        #expect(form?.items.map(\.text) == ["#1", "Ada L"])
        #expect(form?.asked.count == 2)
    }
}
