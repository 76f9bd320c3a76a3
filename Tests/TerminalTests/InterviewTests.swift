import SessionPorts
import StudyModel
import StudySession
import StudyTesting
import Testing

@testable import Terminal

@Suite struct InterviewTests {
    struct Answering: Sendable, CustomTestStringConvertible {
        var kind: Identifier
        var keys: [Key]
        var answer: Answer
        var testDescription: String { "\(kind) \(keys.map(\.name))" }
    }

    private static func screen(_ kind: Identifier) throws -> Screen {
        .question(try #require(AskedQuestion.everyKind.first { $0.identifier == kind }).format)
    }

    static let answers: [Answering] = [
        Answering(kind: "scale", keys: [.right, .right, .left, .right], answer: .scale(2)),
        Answering(kind: "scale", keys: [.end, .left], answer: .scale(8)),
        Answering(kind: "scale", keys: [.end, .right, .right], answer: .scale(9)),
        Answering(kind: "scale", keys: [.right] + .typed("7"), answer: .scale(7)),
        Answering(kind: "wide", keys: .typed("42"), answer: .scale(42)),
        Answering(kind: "continuous", keys: [.home, .right, .right], answer: .continuous(0.2)),
        Answering(kind: "continuous", keys: [.right] + .typed("7.5"), answer: .continuous(7.5)),
        Answering(kind: "choice", keys: [.down, .down], answer: .choice("glad")),
        Answering(
            kind: "choices", keys: [.character(" "), .down, .down, .character(" ")],
            answer: .choices(["calm", "sad"])),
        Answering(
            kind: "choices", keys: .typed("3") + [.up, .character(" "), .down, .character(" ")],
            answer: .choices(["calm", "glad", "sad"])),
        Answering(kind: "choices", keys: [.character(" ")] + .typed("3"), answer: .choices(["calm", "sad"])),
        Answering(kind: "text", keys: .typed("Zoe\u{308}"), answer: .text("Zoë")),
        Answering(
            kind: "text", keys: .typed("Ae\u{301}") + [.backspace] + .typed("q s"), answer: .text("Aq s")),
        Answering(kind: "text", keys: .typed("bc") + [.home] + .typed("A"), answer: .text("Abc")),
    ]

    @Test(arguments: answers)
    func `takes an answer from keys`(answering: Answering) throws {
        var interview = Interview(try Self.screen(answering.kind))
        let given = GivenAnswer(question: "q", answer: answering.answer)
        #expect(interview.type(answering.keys + [.return]) == [.answered([given])])
    }

    @Test func `an optional question may stay open`() {
        var interview = Interview(.question(.date(), isOptional: true))
        #expect(interview.type([.return]) == [.answered([GivenAnswer(question: "q", answer: nil)])])
    }

    private static let form: [AskedQuestion] = [
        .sample("a", .text(maximumLength: nil, pattern: nil)), .sample("b", .date(), isOptional: true),
        .sample("c", .boolean(yes: .plain("Yes"), no: .plain("No"))),
    ]

    @Test func `a form shows every item, and ends on the line that sends it`() {
        var interview = Interview(.sample(.questions(Self.form)))
        #expect(interview.type([.return]) == [])
        #expect(interview.form?.place == 0 && interview.form?.problem?.arguments == ["Question a"])
        #expect(interview.type(.typed("hm") + [.return]) == [] && interview.form?.place == 1)
        #expect(interview.type([.return]) == [] && interview.form?.place == 2)
        #expect(interview.type(.typed("y") + [.return]) == [] && interview.form?.isAtSendLine == true)
        #expect(
            interview.type([.return]) == [
                .answered([
                    GivenAnswer(question: "a", answer: .text("hm")), GivenAnswer(question: "b", answer: nil),
                    GivenAnswer(question: "c", answer: .boolean(true)),
                ])
            ])
    }

    @Test func `a form without required items is not sent by one Return`() {
        let questions = Self.form.map { question in
            var question = question
            question.isOptional = true
            return question
        }
        var interview = Interview(.sample(.questions(questions)))
        #expect(interview.type([.return]) == [])
        // The line that sends is reached the other way round: what was never seen comes first.
        #expect(interview.type([.backTab, .backTab, .return]) == [] && interview.form?.place == 2)
        #expect(interview.type([.return, .return]).count == 1)
    }

    @Test func `letters are never commands where something can be typed`() throws {
        for kind in AskedQuestion.everyKind {
            for text in ["sixty", "abc", "quit", "pbsq"] {
                var interview = Interview(
                    .question(kind.format, isOptional: true, canSkip: true, canGoBack: true))
                #expect(interview.type(.typed(text)) == [] && interview.mode == .plain)
                #expect(interview.form?.items[0].text == text)
            }
        }
    }

    @Test func `Escape shows what else can be done, and typing goes on in the answer`() {
        let screen = Screen.question(.text(maximumLength: nil, pattern: nil), canSkip: true, canGoBack: true)
        var interview = Interview(screen)
        #expect(interview.type(.typed("bs") + [.escape] + .typed("q")) == [])
        #expect(interview.form?.items[0].text == "bsq" && interview.mode == .plain)
        #expect(interview.type([.escape, .return]) == [.skipped])
        interview = Interview(screen)
        #expect(interview.type([.escape, .down, .return]) == [.wentBack])
        interview = Interview(screen)
        #expect(interview.type([.escape, .down, .down, .return]) == [] && interview.mode == .leaving)
        #expect(interview.type(.typed("y")) == [.withdrawn])
    }

    @Test func `Alt and a letter is no letter`() {
        var interview = Interview(.sample(.instruction, canSkip: true, canGoBack: true))
        #expect(interview.type([.alt("b"), .alt("s"), .alt("q")]) == [] && interview.mode == .plain)
    }

    @Test(arguments: [5, 8, 12, 24, 60])
    func `a question opens at its top, and marks say truly where there is more`(rows: Int) {
        let choices = (1...40).map { AnswerFormat.Choice(value: "v\($0)", text: .plain("Option \($0)")) }
        let size = TerminalSize(columns: 60, rows: rows)
        var interview = Interview(.question(.choice(choices)), size: size)
        for index in 0..<41 {
            let lines = interview.picture(at: .seconds(20), in: size).frame.lines.map(\.text)
            if index == 0, rows > 8 { #expect(lines.contains { $0.contains("How was it?") }) }
            let shown = (1...40).filter { number in
                lines.contains { $0.trimmed.hasSuffix("Option \(number)") }
            }
            #expect(index == 0 || shown.contains(index))
            if rows > 5 {
                #expect(lines.contains { $0.contains("▼") } == !shown.contains(40))
                #expect(lines.contains { $0.contains("▲") } == !lines.contains { $0.contains("How was it?") })
            }
            _ = interview.type([.down], size: size)
        }
    }

    @Test func `an act is told once, until the next screen`() {
        var interview = Interview(.sample(.instruction, canSkip: true))
        #expect(interview.type([.return, .return, .character("s")]) == [.confirmed])
        interview.handle(.screen(.sample(.instruction, ordinal: 3)))
        interview.handle(interview.picture(at: .seconds(20), in: TerminalSize(columns: 80, rows: 24)).view)
        #expect(interview.type([.return]) == [.confirmed])
    }

    @Test func `leaving is asked for, and may be taken back`() {
        var interview = Interview(.sample(.instruction))
        #expect(interview.type(.typed("qx") + [.return] + .typed("n")) == [])
        #expect(interview.mode == .plain)
        #expect(interview.type(.typed("qy")) == [.withdrawn])
        #expect(interview.type(.typed("qy") + [.return]) == [])
    }

    @Test func `who may go on another time can put the run aside, and no other`() {
        var screen = Screen.sample(.instruction)
        var interview = Interview(screen)
        #expect(interview.type(.typed("ql")) == [], "it is not offered")
        screen.allows.insert(.putAside)
        interview = Interview(screen)
        #expect(interview.type(.typed("qn")) == [])
        #expect(interview.type(.typed("ql")) == [.putAside])
        #expect(interview.type(.typed("qy")) == [])
        screen.language = Language("de")
        interview = Interview(screen)
        #expect(interview.type(.typed("qs")) == [.putAside])
    }

    @Test func `the second Control-C leaves at once`() {
        var interview = Interview(.sample(.instruction))
        #expect(interview.type([.control("c")]) == [])
        #expect(interview.mode == .leaving)
        #expect(interview.type([.control("c")]) == [.interrupted])
    }

    @Test func `pause and resume are one key`() {
        var interview = Interview(.sample(Screen.thirtySeconds, phase: Screen.running))
        #expect(interview.type(.typed("p")) == [.paused])
        interview.handle(.screen(.sample(Screen.thirtySeconds, phase: .paused(remaining: .seconds(4)))))
        #expect(interview.type(.typed("p")) == [.resumed])
    }

    @Test func `typed answers survive a new phase of the same step, not a new step`() {
        let screen = Screen.question(.text(maximumLength: nil, pattern: nil))
        var interview = Interview(screen)
        _ = interview.type(.typed("half"))
        interview.handle(.screen(screen))
        #expect(interview.type([.return]).count == 1)
        var next = screen
        next.ordinal += 1
        interview.handle(.screen(next))
        #expect(interview.type([.return]) == [])
    }

    private static let keys: [Key] =
        [
            .return, .tab, .backTab, .escape, .backspace, .delete, .up, .down, .left, .right, .home, .end,
            .pageUp,
            .pageDown, .control("c"), .control("u"), .control("x"), .paste("a\u{301}1-2"), .paste(""),
        ] + .typed("pPsSbBqQyn 0123456789-:.,aé日\u{301}👍\u{200D}")

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `no sequence of keys does what the screen does not offer`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var interview = Interview()
        var ordinal = 0
        for _ in 0..<12 {
            var screen = try #require(Screen.all.randomElement(using: &random))
            ordinal += Int.random(in: 0...1, using: &random)
            screen.ordinal = ordinal
            screen.allows = [.pause, .resume]
            for liberty in [Screen.Liberty.skip, .goBack] where Bool.random(using: &random) {
                screen.allows.insert(liberty)
            }
            interview.handle(.screen(screen))
            for _ in 0..<20 {
                let key = try #require(Self.keys.randomElement(using: &random))
                let size = TerminalSize(
                    columns: .random(in: 1...90, using: &random), rows: .random(in: 1...40, using: &random))
                for event in interview.type([key], size: size) where event != .interrupted {
                    let offer = try #require(AvailableAction(event))
                    #expect(screen.offers.contains(offer))
                    if case .answered(let answers) = event { expectComplete(answers, on: screen) }
                }
            }
        }
    }

    private func expectComplete(_ answers: [GivenAnswer], on screen: Screen) {
        guard case .questions(let questions, _) = screen.content else {
            #expect(answers.count == 1)
            return
        }
        #expect(answers.map(\.question) == questions.map(\.identifier))
        for (question, answer) in zip(questions, answers) {
            #expect(question.isOptional || answer.answer != nil)
        }
    }
}
