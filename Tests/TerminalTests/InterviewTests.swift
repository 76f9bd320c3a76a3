import StudyModel
import StudySession
import StudyTesting
import Testing

@testable import Terminal

@Suite struct InterviewTests {
    struct Answering: Sendable, CustomTestStringConvertible {
        var kind: Identifier
        var keys: [Key]
        var answer: Answer?
        var testDescription: String { "\(kind) \(keys.map(\.name))" }
    }

    private static func screen(_ kind: Identifier) throws -> Screen {
        .question(try #require(AskedQuestion.everyKind.first { $0.identifier == kind }).format)
    }

    static let answers: [Answering] = [
        Answering(kind: "scale", keys: .typed("7"), answer: .scale(7)),
        Answering(kind: "scale", keys: [.right, .right, .left, .right], answer: .scale(2)),
        Answering(kind: "scale", keys: [.end, .left], answer: .scale(8)),
        Answering(kind: "scale", keys: [.end, .right, .right], answer: .scale(9)),
        Answering(kind: "wide", keys: .typed("42"), answer: .scale(42)),
        Answering(kind: "wide", keys: .typed("-12"), answer: .scale(-12)),
        Answering(kind: "wide", keys: .typed("1007"), answer: .scale(7)),
        Answering(kind: "continuous", keys: .typed("7,26"), answer: .continuous(7.3)),
        Answering(kind: "continuous", keys: [.home, .right, .right], answer: .continuous(0.2)),
        Answering(kind: "continuous", keys: [.right] + .typed("7.5"), answer: .continuous(7.5)),
        Answering(kind: "choice", keys: [.down, .down], answer: .choice("glad")),
        Answering(kind: "choice", keys: .typed("13"), answer: .choice("sad")),
        Answering(
            kind: "choices", keys: [.character(" "), .down, .down, .character(" ")],
            answer: .choices(["calm", "sad"])),
        Answering(kind: "choices", keys: .typed("3131"), answer: nil),
        Answering(kind: "choices", keys: .typed("31"), answer: .choices(["calm", "sad"])),
        Answering(kind: "boolean", keys: .typed("n"), answer: .boolean(false)),
        Answering(kind: "boolean", keys: .typed("1"), answer: .boolean(true)),
        Answering(kind: "number", keys: .typed("70.5x"), answer: .number(70.5)),
        Answering(kind: "text", keys: .typed("Zoe\u{308}"), answer: .text("Zoë")),
        Answering(
            kind: "text", keys: .typed("Ae\u{301}") + [.backspace] + .typed("q s"), answer: .text("Aq s")),
        Answering(kind: "text", keys: .typed("日本") + [.home, .paste("Ü👩‍👩‍👧"), .end], answer: nil),
        Answering(kind: "text", keys: .typed("bc") + [.home] + .typed("A"), answer: .text("Abc")),
        Answering(kind: "text", keys: .typed("Abcdefghijklmno"), answer: .text("Abcdefghijkl")),
        Answering(kind: "date", keys: .typed("2024-02-29"), answer: .date(year: 2024, month: 2, day: 29)),
        Answering(kind: "time", keys: .typed("7:45"), answer: .timeOfDay(hour: 7, minute: 45)),
    ]

    @Test(arguments: answers.filter { $0.answer != nil })
    func `takes an answer from keys`(answering: Answering) throws {
        var interview = Interview(try Self.screen(answering.kind))
        let given = GivenAnswer(question: "q", answer: answering.answer)
        #expect(interview.type(answering.keys + [.return]) == [.answered([given])])
    }

    static let refusals: [(Identifier, [Key], Phrase)] = [
        ("scale", [], .pleaseChoose), ("scale", .typed("0"), .pleaseChoose), ("choice", [], .pleaseChoose),
        ("choices", .typed("3131"), .pleaseChoose), ("boolean", .typed("3"), .pleaseChoose),
        ("continuous", .typed("10.1"), .numberBetween), ("continuous", .typed("1.2.3"), .numberBetween),
        ("number", .typed("19.9"), .numberBetween), ("number", .typed("--"), .writeNumber),
        ("number", [], .pleaseWrite), ("text", .typed("   "), .pleaseWrite),
        ("text", .typed("abc"), .otherForm),
        ("text", .typed("日本"), .otherForm), ("date", .typed("2023-02-29"), .noSuchDay),
        ("date", .typed("2023-13-01"), .noSuchDay), ("date", .typed("0000-01-01"), .noSuchDay),
        ("date", .typed("23-1-1"), .dateForm), ("time", .typed("24:00"), .timeForm),
        ("time", .typed("7:5"), .timeForm), ("time", .typed("07:60"), .timeForm),
    ]

    @Test(arguments: refusals)
    func `says what to do where an answer does not fit`(kind: Identifier, keys: [Key], phrase: Phrase) throws
    {
        var interview = Interview(try Self.screen(kind))
        #expect(interview.type(keys + [.return]) == [])
        #expect(interview.validationError?.phrase == phrase)
    }

    @Test func `an optional question may stay open`() {
        var interview = Interview(.question(.date, isOptional: true))
        #expect(interview.type([.return]) == [.answered([GivenAnswer(question: "q", answer: nil)])])
    }

    @Test func `a form leads to the question that is missing, and tells all answers at once`() {
        let questions: [AskedQuestion] = [
            .sample("a", .text(maximumLength: nil, pattern: nil)), .sample("b", .date, isOptional: true),
            .sample("c", .boolean(yes: .plain("Yes"), no: .plain("No"))),
        ]
        var interview = Interview(.sample(.questions(questions)))
        #expect(interview.type([.tab, .tab, .return]) == [])
        #expect(interview.focus == 0 && interview.validationError?.arguments == ["Question a"])
        #expect(
            interview.type(.typed("hm") + [.return, .down] + .typed("y") + [.return]) == [
                .answered([
                    GivenAnswer(question: "a", answer: .text("hm")), GivenAnswer(question: "b", answer: nil),
                    GivenAnswer(question: "c", answer: .boolean(true)),
                ])
            ])
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

    @Test func `the second Control-C leaves at once`() {
        var interview = Interview(.sample(.instruction))
        #expect(interview.type([.control("c")]) == [])
        #expect(interview.mode == .leaving)
        #expect(interview.type([.control("c")]) == [.interrupted])
    }

    @Test func `letters are typed where words are asked for, and commands after Escape`() {
        var interview = Interview(
            .question(.text(maximumLength: nil, pattern: nil), canSkip: true, canGoBack: true))
        #expect(interview.type(.typed("bsq")) == [])
        #expect(interview.type([.escape] + .typed("s")) == [.skipped])
    }

    @Test func `Return reads on before it agrees, and agreement needs the name`() {
        let small = TerminalSize(columns: 60, rows: 10)
        let consent = Screen.Content.consent(question: "c", document: Screen.document, isSignatureTyped: true)
        var interview = Interview(.sample(consent), size: small)
        #expect(interview.needsReading)
        #expect(interview.type(Array(repeating: .return, count: 30), size: small) == [])
        #expect(!interview.needsReading && interview.validationError?.phrase == .pleaseName)
        #expect(
            interview.type(.typed("Ada") + [.return], size: small) == [
                .answered([GivenAnswer(question: "c", answer: .consent(signature: "Ada"))])
            ])
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
            (screen.canSkip, screen.canGoBack) = (.random(using: &random), .random(using: &random))
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
        guard case .questions(let questions) = screen.content else {
            #expect(answers.count == 1)
            return
        }
        #expect(answers.map(\.question) == questions.map(\.identifier))
        for (question, answer) in zip(questions, answers) {
            #expect(question.isOptional || answer.answer != nil)
        }
    }
}
