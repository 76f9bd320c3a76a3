import StudyEngine
import StudyModel
import Testing

@Suite struct AnswerTests {
    private static let choices = [
        AnswerFormat.Choice(value: "u", text: .plain("U")),
        AnswerFormat.Choice(value: "v", text: .plain("V")),
    ]
    private static let scale = AnswerFormat.scale(from: 1, to: 9, fromLabel: nil, toLabel: nil)

    static let good: [(AnswerFormat, Answer)] = [
        (scale, .scale(1)), (scale, .scale(9)), (.continuous(from: 0, to: 1, decimals: 1), .continuous(1)),
        (.choice(choices), .choice("v")), (.choices(choices), .choices([])),
        (.choices(choices), .choices(["v", "u"])),
        (.boolean(yes: .plain("y"), no: .plain("n")), .boolean(false)),
        (.number(unit: nil, minimum: 0, maximum: nil), .number(1e9)),
        (.text(maximumLength: 3, pattern: "x"), .text("a\u{308}öü")),
        (.date(), .date(year: 2024, month: 2, day: 29)),
        (.timeOfDay(), .timeOfDay(hour: 23, minute: 59)),
    ]

    @Test(arguments: good.indices)
    func `takes what is within the format`(index: Int) throws {
        let (format, answer) = Self.good[index]
        var sitting = try Sitting([ask("q", format), thanks])
        #expect(sitting.answer("q", answer, at: 1).shown?.section == 1)
        #expect(sitting.results.first?.answers == [GivenAnswer(question: "q", answer: answer)])
    }

    static let bad: [(AnswerFormat, Answer?)] = [
        (scale, nil), (scale, .scale(0)), (scale, .scale(10)), (scale, .number(5)),
        (.scale(from: 9, to: 1, fromLabel: nil, toLabel: nil), .scale(5)),
        (.continuous(from: 0, to: 1, decimals: 1), .continuous(1.01)),
        (.continuous(from: 0, to: 1, decimals: 1), .continuous(.nan)), (.choice(choices), .choice("w")),
        (.choice([]), .choice("")), (.choices(choices), .choices(["u", "u"])),
        (.choices(choices), .choices(["w"])), (.boolean(yes: .plain("y"), no: .plain("n")), .text("y")),
        (.number(unit: nil, minimum: 0, maximum: 5), .number(-1)),
        (.number(unit: nil, minimum: 0, maximum: 5), .number(6)),
        (.number(unit: nil, minimum: nil, maximum: nil), .number(.infinity)),
        (.text(maximumLength: 3, pattern: nil), .text("four")),
        (.date(), .date(year: 2023, month: 2, day: 29)),
        (.date(), .date(year: 1900, month: 2, day: 29)), (.date(), .date(year: 2023, month: 13, day: 1)),
        (.date(), .date(year: 2023, month: 4, day: 31)), (.date(), .date(year: 0, month: 1, day: 1)),
        (.timeOfDay(), .timeOfDay(hour: 24, minute: 0)), (.timeOfDay(), .timeOfDay(hour: 1, minute: 60)),
        (.date(), .consent(signature: nil)),
    ]

    @Test(arguments: bad.indices)
    func `has no ear for anything else`(index: Int) throws {
        let (format, answer) = Self.bad[index]
        var sitting = try Sitting([ask("q", format), thanks])
        #expect(sitting.answer("q", answer, at: 1).isEmpty)
        #expect(sitting.tell(.confirmed, at: 2).isEmpty, "a question is not confirmed away")
    }

    @Test func `a form wants all its questions answered but the optional ones`() throws {
        let form = Step(
            identifier: "f",
            kind: .form(
                Form([
                    Question(identifier: "age", format: Self.scale),
                    Question(
                        identifier: "word", isOptional: true, format: .text(maximumLength: nil, pattern: nil)),
                ])))
        let age = GivenAnswer(question: "age", answer: .scale(3))
        let word = GivenAnswer(question: "word", answer: .text("x"))
        var sitting = try Sitting([form, thanks])
        for wrong in [
            [], [word], [age, age], [age, GivenAnswer(question: "f", answer: .scale(3))],
            [age, GivenAnswer(question: "word", answer: .scale(3))],
            [GivenAnswer(question: "age", answer: nil)],
        ] {
            #expect(sitting.tell(.answered(wrong), at: 1).isEmpty)
        }
        var brief = sitting
        sitting.tell(.answered([word, age]), at: 2)
        #expect(sitting.results.first?.answers == [age, word], "in the order of the questions")
        brief.tell(.answered([age]), at: 2)
        #expect(brief.results.first?.answers == [age, GivenAnswer(question: "word", answer: nil)])
    }

    @Test func `an optional question may stay unanswered`() throws {
        var sitting = try Sitting([ask("q", optional: true), thanks])
        #expect(sitting.answer("q", nil, at: 1).shown?.section == 1)
    }

    @Test func `a consent wants the name where it is to be typed`() throws {
        func consent(typed: Bool) -> Step {
            Step(
                identifier: "c",
                kind: .consent(Consent(document: .plain("Do you agree?"), isSignatureTyped: typed)))
        }
        var typed = try Sitting([consent(typed: true), thanks])
        for signature in [nil, "", " \t"] {
            #expect(typed.answer("c", .consent(signature: signature), at: 1).isEmpty)
        }
        #expect(typed.answer("c", .boolean(true), at: 1).isEmpty)
        #expect(typed.answer("c", .consent(signature: "Ada"), at: 1).shown?.section == 1)
        var plain = try Sitting([consent(typed: false), thanks])
        #expect(plain.tell(.confirmed, at: 1).isEmpty)
        #expect(plain.answer("c", .consent(signature: nil), at: 1).shown?.section == 1)
    }

    @Test func `answers out of place are not heard`() throws {
        var sitting = try Sitting([timed("t"), read("r"), thanks])
        #expect(sitting.answer("t", .scale(1), at: 1).isEmpty)
        sitting.timeIsUp(1, at: 30)
        #expect(sitting.tell(.answered([]), at: 31).isEmpty)
    }

    @Test func `a refusal of the consent is its answer, and ends the run`() throws {
        let consent = Step(
            identifier: "c", kind: .consent(Consent(document: .plain("Please read."), isSignatureTyped: true))
        )
        var sitting = try Sitting([consent, read("a"), thanks])
        let effects = sitting.answer("c", .declined, at: 1)
        #expect(sitting.results.map(\.identifier) == ["c"])
        #expect(sitting.results.first?.answers.map(\.answer) == [.declined])
        #expect(sitting.results.first?.skip == nil)
        #expect(effects.finish == .declined)
    }
}
