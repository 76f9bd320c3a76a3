import SessionPorts
import StudyModel
import StudySession
import StudyTesting
import Testing

@testable import Terminal

/// What people type, and what is stored: the same on a screen and by lines.
@Suite struct ReadingTests {
    struct Typed: Sendable, CustomTestStringConvertible {
        var kind: Identifier
        var text: String
        var language: String?
        /// `nil` if it is refused.
        var answer: Answer?
        var phrase: Phrase?
        /// What a screen takes instead, where a digit begins a new number because none is so long.
        var onScreen: Answer?
        var testDescription: String { "\(kind) \(text) \(language ?? "")" }

        init(_ kind: Identifier, _ text: String, in language: String? = nil, _ answer: Answer) {
            (self.kind, self.text, self.language, self.answer) = (kind, text, language, answer)
        }

        init(
            _ kind: Identifier, _ text: String, in language: String? = nil, refused phrase: Phrase,
            onScreen: Answer? = nil
        ) {
            (self.kind, self.text, self.language, self.phrase) = (kind, text, language, phrase)
            self.onScreen = onScreen
        }
    }

    private static let march = Answer.date(year: 1987, month: 3, day: 25)

    static let typed: [Typed] = [
        Typed("scale", "7", .scale(7)), Typed("scale", "7.0", .scale(7)),
        Typed("scale", "13", refused: .numberBetween, onScreen: .scale(3)),
        Typed("scale", "7.5", refused: .wholeNumber),
        Typed("scale", "seven", refused: .notANumber), Typed("scale", "", refused: .pleaseChoose),
        Typed("wide", "-12", .scale(-12)), Typed("wide", "−12", .scale(-12)),
        Typed("wide", "1007", refused: .numberBetween), Typed("wide", "-300", refused: .numberBetween),
        Typed("wide", "-٢", .scale(-2)), Typed("wide", "١٢", .scale(12)), Typed("wide", "-１２", .scale(-12)),
        Typed("continuous", "11", refused: .numberBetween),
        Typed("continuous", "75", refused: .numberBetween),
        Typed("choice", "２", .choice("glad")), Typed("choice", "٢", .choice("glad")),
        Typed("cups", "1", refused: .twoReadings), Typed("cups", "4", refused: .noSuchOption),
        Typed("cups", "2 cups", .choice("2")), Typed("ages", "45-54", .choice("45")),
        Typed("ages", "45", refused: .noSuchOption), Typed("ages", "2", .choice("25")),
        Typed("months", "12", .choice("12")), Typed("months", "１٢", .choice("12")),
        Typed("months", "13", refused: .noSuchOption), Typed("date", "1407-07-25", refused: .outsideLimits),
        Typed("date", "5747-07-25", refused: .outsideLimits),
        Typed("continuous", "7,2", .continuous(7.2)), Typed("continuous", "5,25", refused: .fewerDecimals),
        Typed("continuous", "1.2.3", refused: .notANumber),
        Typed("continuous", "10.1", refused: .numberBetween),
        Typed("choice", "2", .choice("glad")), Typed("choice", "i feel SAD", .choice("sad")),
        Typed("choice", "13", refused: .noSuchOption, onScreen: .choice("sad")),
        Typed("choice", "1 2", refused: .noSuchOption),
        Typed("choices", "3 1", .choices(["calm", "sad"])),
        Typed("choices", "1,3", .choices(["calm", "sad"])),
        Typed("choices", "31", refused: .noSuchOption, onScreen: .choices(["calm", "sad"])),
        Typed("boolean", "n", .boolean(false)), Typed("boolean", "yes", .boolean(true)),
        Typed("boolean", "j", in: "de", .boolean(true)), Typed("boolean", "maybe", refused: .noSuchOption),
        Typed("number", "70.5", .number(70.5)), Typed("number", "70,5 kg", .number(70.5)),
        Typed("number", "70.5x", refused: .notANumber), Typed("number", "1e2", refused: .notANumber),
        Typed("number", "sixty", refused: .notANumber), Typed("number", "19.9", refused: .numberBetween),
        Typed("amount", "1 500", .number(1500)), Typed("amount", "1,500,000", .number(1_500_000)),
        Typed("amount", "1.500,25", in: "de", .number(1500.25)),
        Typed("amount", "1,500.25", .number(1500.25)),
        Typed("amount", "0,500", .number(0.5)), Typed("amount", "1.500", in: "en", .number(1.5)),
        Typed("amount", "1,500", refused: .twoReadings),
        Typed("amount", "1,500", in: "de", refused: .twoReadings),
        Typed("amount", "1.500", in: "de", refused: .twoReadings),
        Typed("amount", "1234567890123456", refused: .notANumber),
        Typed("text", "Abc def", .text("Abc def")), Typed("text", "Abcdefghijklmno", refused: .tooLong),
        Typed("text", "Back", .text("Back")), Typed("text", "\"Skip\"", refused: .otherForm),
        Typed("date", "1987-03-25", march), Typed("date", "25.3.1987", march),
        Typed("date", "25. 3. 1987", march),
        Typed("date", "3/25/1987", march), Typed("date", "25/3/1987", in: "en-US", march),
        Typed("date", "3/4/1987", in: "en-US", .date(year: 1987, month: 3, day: 4)),
        Typed("date", "3/4/1987", in: "fr", .date(year: 1987, month: 4, day: 3)),
        Typed("date", "3/4/1987", in: "en", refused: .twoReadings),
        Typed("date", "3/4/1987", refused: .twoReadings),
        Typed("date", "3/3/1987", .date(year: 1987, month: 3, day: 3)),
        Typed("date", "2023-02-29", refused: .noSuchDay), Typed("date", "31.2.2023", refused: .noSuchDay),
        Typed("date", "25.3.87", refused: .notADay), Typed("date", "today", refused: .notADay),
        Typed("date", "25. März 1987", in: "de", march), Typed("date", "25 mars 1987", in: "fr", march),
        Typed("date", "March 25th, 1987", in: "en", march),
        Typed("date", "25 de marzo de 1987", in: "es", march),
        Typed("date", "25 Mar 1987", in: "nl", march), Typed("date", "２５．３．１９８７", march),
        Typed("date", "25 juil. 1987", in: "fr", .date(year: 1987, month: 7, day: 25)),
        Typed("date", "25 jui 1987", in: "fr", refused: .notADay),
        Typed("date", "25 March 87", in: "en", refused: .notADay),
        Typed("date", "March 1987", in: "en", refused: .notADay),
        Typed("date", "31. Februar 1987", in: "de", refused: .noSuchDay),
        Typed("date", "4.3.1987", in: "en", refused: .twoReadings),
        Typed("date", "4.3.1987", .date(year: 1987, month: 3, day: 4)),
        Typed("date", "4.3.1987", in: "en-GB", .date(year: 1987, month: 3, day: 4)),
        Typed("amount", "–5", .number(-5)), Typed("amount", "４４", .number(44)),
        Typed("amount", "44 Jahre", in: "de", .number(44)), Typed("amount", "44 years", .number(44)),
        Typed("amount", "44 weeks", refused: .notANumber), Typed("number", "44 years", refused: .notANumber),
        Typed("number", "70 Kilogramm.", in: "de", .number(70)),
        Typed("number", "70 κιλα", in: "el", .number(70)),
        Typed("tastes", "١ و٢", in: "ar", .choices(["a", "b"])),
        Typed("amount", "١٬٥٠٠", in: "ar", .number(1500)),
        Typed("amount", "١٠٠٠٬٥", in: "ar", refused: .notANumber),
        Typed("number", "70'", refused: .notANumber), Typed("amount", "6'", refused: .notANumber),
        Typed("number", "kg 70", .number(70)), Typed("number", "70000 g", refused: .notANumber),
        Typed("amount", "5.", .number(5)), Typed("amount", "- 5", .number(-5)),
        Typed("amount", "moins 5", in: "fr", .number(-5)), Typed("amount", "7 1/2", .number(7.5)),
        Typed("amount", "-7½", .number(-7.5)), Typed("amount", "7/2", refused: .notANumber),
        Typed("amount", "7,5½", refused: .notANumber), Typed("amount", "72'5", in: "es", .number(72.5)),
        Typed("amount", "1'500", in: "es", refused: .twoReadings),
        Typed("amount", "1'500", in: "de", .number(1500)),
        Typed("amount", "1'234.567", in: "es", refused: .notANumber),
        Typed("date", "Wednesday, 25 March 1987", in: "en", march),
        Typed("date", "Mi 25. März 1987", in: "de", march),
        Typed("date", "Tuesday, 25 March 1987", in: "en", refused: .notADay),
        Typed("date", "25 μαρτιου 1987", in: "el", march), Typed("date", "25 مارس 1987", in: "ar", march),
        Typed("time", "7:30 in the evening", in: "en", .timeOfDay(hour: 19, minute: 30)),
        Typed("time", "19 Uhr 30 abends", in: "de", .timeOfDay(hour: 19, minute: 30)),
        Typed("time", "12 Uhr abends", in: "de", refused: .notATime),
        Typed("time", "14 Uhr morgens", in: "de", refused: .notATime),
        Typed("time", "7 heures 30", in: "fr", .timeOfDay(hour: 7, minute: 30)),
        Typed("time", "7:30 μ.μ.", in: "el", .timeOfDay(hour: 19, minute: 30)),
        Typed("denial", "yes", refused: .noSuchOption), Typed("denial", "no", refused: .noSuchOption),
        Typed("boolean", "Yes.", .boolean(true)), Typed("boolean", "YES!", .boolean(true)),
        Typed("tastes", "1 to 2", refused: .twoReadings), Typed("tastes", "all but 2", refused: .twoReadings),
        Typed("tastes", "1 (mild)", refused: .twoReadings), Typed("tastes", "all", refused: .noSuchOption),
        Typed("tastes", "keine", in: "de", refused: .noSuchOption),
        Typed("home", "In towm", refused: .twoReadings),
        Typed("time", "19 Uhr 30", in: "de", .timeOfDay(hour: 19, minute: 30)),
        Typed("time", "７：４５", .timeOfDay(hour: 7, minute: 45)),
        Typed("time", "11:15 PM", .timeOfDay(hour: 23, minute: 15)),
        Typed("time", "7:45 pm", .timeOfDay(hour: 19, minute: 45)),
        Typed("time", "12:30 a.m.", .timeOfDay(hour: 0, minute: 30)),
        Typed("time", "12pm", .timeOfDay(hour: 12, minute: 0)),
        Typed("time", "7:45", .timeOfDay(hour: 7, minute: 45)),
        Typed("time", "19h30", in: "fr", .timeOfDay(hour: 19, minute: 30)),
        Typed("time", "19.30 Uhr", in: "de", .timeOfDay(hour: 19, minute: 30)),
        Typed("time", "13:15 pm", refused: .notATime), Typed("time", "24:00", refused: .notATime),
        Typed("time", "7:5", refused: .notATime), Typed("time", "7", refused: .notATime),
        Typed("whole", "30", .number(30)), Typed("whole", "30,5", refused: .wholeNumber),
        Typed("whole", "17", refused: .numberBetween),
        Typed("born", "25.3.1987", march), Typed("born", "1899-12-31", refused: .outsideLimits),
        Typed("late", "17:59", refused: .outsideLimits),
        Typed("late", "6 pm", .timeOfDay(hour: 18, minute: 0)),
        Typed("tastes", "9", refused: .noSuchOption),
        Typed("tastes", "1 4", refused: .onlyAlone), Typed("tastes", "4", .choices(["none"])),
        Typed("tastes", "3", refused: .pleaseSayWhat),
        Typed("tastes", "1 3: jazz", .choices(["a", "other"], other: "jazz")),
        Typed("tastes", "jazz", .choices(["other"], other: "jazz")),
        Typed("tastes", "3 jazz hands", .choices(["other"], other: "3 jazz hands")),
        Typed("tastes", "2 cats", .choices(["other"], other: "2 cats")),
        Typed("tastes", "2 1", .choices(["a", "b"])),
        Typed("tastes", "1 and 2", .choices(["a", "b"])), Typed("tastes", "A, b", .choices(["a", "b"])),
        Typed("tastes", "b and jazz", refused: .twoReadings), Typed("tastes", "non", refused: .twoReadings),
        Typed("tastes", "1, more or less", refused: .twoReadings),
        Typed("tastes", "3 : jazz", .choices(["other"], other: "jazz")),
        Typed("home", "12 years at sea", .choice("other", other: "12 years at sea")),
        Typed("home", "30th street", .choice("other", other: "30th street")),
        Typed("home", "not in town", refused: .twoReadings), Typed("home", "1 and 2", refused: .twoReadings),
        Typed("home", "2: not in town", .choice("other", other: "not in town")),
        Typed("home", "2: by the sea", .choice("other", other: "by the sea")),
        Typed("home", "by the sea", .choice("other", other: "by the sea")),
        Typed("home", "1: by the sea", refused: .noSuchOption), Typed("home", "1", .choice("town")),
        Typed("drunk", "1 Tasse", .number(1)), Typed("drunk", "2 Tassen", .number(2)),
        Typed("smoked", "1 cigarette", .number(1)), Typed("smoked", "1 cigar", refused: .notANumber),
        Typed("own", "x", refused: .asItStands), Typed("own", "1,500", refused: .twoReadings),
    ]

    private static let other = AnswerFormat.Choice(value: "other", text: .plain("Other"), isOther: true)
    private static let details: [AskedQuestion] = [
        .sample("drunk", .number(unit: "Tassen")), .sample("smoked", .number(unit: "cigarettes")),
        .sample("whole", .number(unit: nil, minimum: 18, maximum: 99, isWhole: true)),
        .sample("born", .date(minimum: "1900-01-01", maximum: "2010-12-31")),
        .sample("denial", .boolean(yes: .plain("No, I have not"), no: .plain("Yes, I have"))),
        .sample("late", .timeOfDay(minimum: "18:00")), .sample("own", .number()),
        .sample(
            "tastes",
            .choices([
                .init(value: "a", text: .plain("A")), .init(value: "b", text: .plain("B")), other,
                .init(value: "none", text: .plain("None"), isExclusive: true),
            ])),
        .sample(
            "cups",
            .choice(
                ["0 cups", "1 cup", "2 cups"].map { .init(value: String($0.prefix(1)), text: .plain($0)) })),
        .sample(
            "ages",
            .choice(
                ["18-24", "25-34", "35-44", "45-54"].map {
                    .init(value: String($0.prefix(2)), text: .plain($0))
                })),
        .sample(
            "months", .choice((1...12).map { .init(value: "\($0)", text: .plain("After \($0) months")) })),
        .sample("home", .choice([.init(value: "town", text: .plain("In town")), other])),
    ]

    private static func screen(_ typed: Typed) throws -> Screen {
        let amount = AskedQuestion.sample("amount", .number(unit: nil, minimum: nil, maximum: nil))
        var question = try #require(
            (AskedQuestion.everyKind + details + [amount]).first { $0.identifier == typed.kind })
        if typed.kind == "own" { question.invalidMessage = "Only numbers, please." }
        question.identifier = "q"
        var screen = Screen.sample(
            .questions([question]), title: "How was it?", canSkip: true, canGoBack: true)
        screen.language = typed.language.map { Language($0) }
        return screen
    }

    @Test(arguments: typed)
    func `screen and lines understand the same`(typed: Typed) throws {
        let screen = try Self.screen(typed)
        let expected = typed.answer.map { [Event.answered([GivenAnswer(question: "q", answer: $0)])] } ?? []
        var interview = Interview(screen)
        let shown = typed.onScreen.map { [Event.answered([GivenAnswer(question: "q", answer: $0)])] }
        #expect(interview.type(.typed(typed.text) + [.return]) == shown ?? expected)
        #expect(interview.form?.problem?.phrase == (shown == nil ? typed.phrase : nil))
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        _ = dialogue.handle(.screen(screen), at: .seconds(20))
        let outcome = dialogue.handle(line: typed.text)
        #expect(outcome.events == expected)
        #expect(outcome.lines.allSatisfy { $0.hasPrefix("= ") } == (typed.answer != nil))
    }

    @Test(arguments: typed)
    func `what is shown is what would be stored`(typed: Typed) throws {
        var interview = Interview(try Self.screen(typed))
        _ = interview.type(.typed(typed.text))
        let draft = try #require(interview.form?.items.first)
        #expect(draft.understood == typed.onScreen ?? typed.answer)
        // What is typed in a line stands there as it was typed.
        if draft.control.widget == .line { #expect(draft.text == typed.text) }
    }

    @Test(arguments: [
        ("time", "11:15 PM", "= 23:15"), ("date", "25.3.1987", "= 25 March 1987"),
        ("number", "70,5", "= 70.5 kg"),
        ("continuous", "5,2", "= 5.2"),
    ])
    func `the screen says how it understands before Return`(kind: Identifier, text: String, shown: String)
        throws
    {
        let question = try #require(AskedQuestion.everyKind.first { $0.identifier == kind })
        var interview = Interview(.question(question.format))
        _ = interview.type(.typed(text))
        let frame = interview.picture(at: .seconds(20), in: TerminalSize(columns: 80, rows: 24)).frame
        #expect(frame.lines.contains { $0.text.trimmed == shown })
    }

    @Test func `a word that is an answer for one option and the number of another is refused`() {
        let options = ["0", "1", "2"].map { AnswerFormat.Choice(value: "v\($0)", text: .plain($0)) }
        var interview = Interview(.question(.choice(options)))
        #expect(interview.type(.typed("1") + [.return]) == [])
        #expect(interview.form?.problem?.phrase == .twoReadings)
        #expect(
            interview.type([.backspace, .down, .down, .return]) == [
                .answered([GivenAnswer(question: "q", answer: .choice("v1"))])
            ])
    }
}

extension Dialogue.Outcome {
    var events: [Event] { acts.answersAndCommands }
}
