import SessionPorts
import StudyModel
import Testing

@testable import Terminal

/// What is typed or chosen and not confirmed yet.
@Suite struct DraftTests {
    private static let form: [AskedQuestion] = [
        .sample("a", .text(maximumLength: nil, pattern: nil)),
        .sample("b", .choice(.sample), isOptional: true),
    ]

    private static func drafts(_ acts: [ParticipantAct]) -> [DraftedAnswer] {
        acts.compactMap { if case .event(.drafted(let draft), _) = $0 { draft } else { nil } }
    }

    @Test func `half a word is told, with its times`() {
        var interview = Interview(.sample(.questions(Self.form)))
        for (second, key) in [Key.character("h"), .character("m"), .left].enumerated() {
            _ = interview.handle(key, at: .seconds(21 + Double(second)))
        }
        #expect(interview.hasDrafts)
        let drafts = Self.drafts(interview.drafts())
        #expect(drafts.map(\.text) == ["hm"] && drafts.map(\.question) == ["a"])
        let times = drafts.first?.times
        #expect(
            times?.shown == .seconds(20) && times?.touched == .seconds(21) && times?.changed == .seconds(22))
        #expect(times?.changes == 2 && times?.confirmed == nil)
        #expect(!interview.hasDrafts && interview.drafts() == [])
    }

    @Test func `what was not told yet is told before the page is left`() {
        var interview = Interview(.sample(.questions(Self.form), canGoBack: true))
        let keys: [Key] = [.character("x"), .tab, .down, .escape, .return]
        let acts = keys.flatMap { interview.handle($0, at: .seconds(30)) }
        #expect(Self.drafts(acts).map(\.text) == ["x", "#1"])
        #expect(acts.last == .event(.wentBack))
    }

    @Test func `arrows never leave their question, so nothing is chosen on the way`() {
        let choice = [AskedQuestion.sample("size", .choice(.sample)), .sample("mood", .choice(.sample))]
        let line = [AskedQuestion.sample("age", .number(unit: nil, minimum: nil, maximum: nil))]
        var interview = Interview(.sample(.questions(choice + line + choice)))
        _ = interview.type([.end, .tab, .home])
        let before = interview.form?.items.map(\.text)
        #expect(before?.prefix(2) == ["#3", "#1"])
        // Up from the first option, and down from the last.
        _ = interview.type([.up, .up, .up])
        #expect(interview.form?.place == 1 && interview.form?.items.map(\.text) == before)
        _ = interview.type([.backTab, .down, .down])
        #expect(interview.form?.place == 0 && interview.form?.items.map(\.text) == before)
        // A line has no options; the lists beside it stay as they are.
        _ = interview.type([.tab, .tab, .down, .down, .up, .up])
        #expect(interview.form?.place == 2 && interview.form?.items.map(\.text) == before)
        _ = interview.type([.tab, .tab, .tab, .up, .up])
        #expect(interview.form?.isAtSendLine == true && interview.form?.items.map(\.text) == before)
    }

    @Test(arguments: [
        ("80s pop", "80s pop"), ("2 Unlimited: all of it", "2 Unlimited: all of it"), ("4 cats", "4 cats"),
        ("31 songs, 1 dance", "31 songs, 1 dance"),
        ("pop", "pop"),
    ])
    func `own words keep the options that are ticked`(typed: String, words: String) {
        var choices = [AnswerFormat.Choice].sample
        choices.append(AnswerFormat.Choice(value: "else", text: .plain("Other"), isOther: true))
        var interview = Interview(.sample(.questions([.sample("genres", .choices(choices))])))
        _ = interview.type([.character(" "), .down, .character(" ")] + .typed(typed))
        #expect(interview.form?.current?.picked == [0, 1, 3] && interview.form?.current?.otherWords == words)
        let answer = interview.type([.return]).first
        #expect(
            answer
                == .answered([
                    GivenAnswer(
                        question: "genres",
                        answer: .choices(choices.prefix(2).map(\.value) + ["else"], other: words))
                ]))
    }

    /// Keys at these seconds, and the answer.
    private static let numbers: [(format: AnswerFormat, keys: [(Character, Double)], answer: Answer?)] = {
        let nine = AnswerFormat.scale(from: 1, to: 9, fromLabel: nil, toLabel: nil)
        let hundred = AnswerFormat.scale(from: 0, to: 100, fromLabel: nil, toLabel: nil)
        let twelve = (1...12).map { AnswerFormat.Choice(value: "v\($0)", text: .plain("Option \($0)")) }
        return [
            (nine, [("3", 30), ("5", 30.2)], .scale(5)), (nine, [("5", 30), ("7", 32)], .scale(7)),
            (hundred, [("5", 30), ("7", 30.5)], .scale(57)), (hundred, [("5", 30), ("7", 31.5)], .scale(7)),
            (hundred, [("1", 30), ("0", 30.2), ("0", 30.4)], .scale(100)),
            (hundred, [("1", 30), ("0", 30.2), ("1", 30.4)], nil),
            (.scale(from: 15, to: 30, fromLabel: nil, toLabel: nil), [("2", 30), ("5", 30.2)], .scale(25)),
            (
                .scale(from: -20, to: -5, fromLabel: nil, toLabel: nil),
                [("-", 30), ("1", 30.2), ("2", 30.4)], .scale(-12)
            ),
            (
                .continuous(from: 0, to: 10, decimals: 1), [("7", 30), (".", 30.2), ("5", 30.4)],
                .continuous(7.5)
            ),
            (.continuous(from: 0, to: 10, decimals: 1), [("7", 30), ("5", 30.4)], nil),
            (.continuous(from: 0, to: 10, decimals: 1), [("7", 30), ("5", 32)], .continuous(5)),
            (.choice(twelve), [("1", 30), ("2", 30.3)], .choice("v12")),
            (.choice(twelve), [("1", 30), ("2", 32)], .choice("v2")),
            (.choice(twelve), [("1", 30), ("3", 30.3)], nil),
            (.choices(twelve), [("1", 30), ("2", 30.3)], .choices(["v12"])),
            (.choices(twelve), [("1", 30), ("2", 32)], .choices(["v1", "v2"])),
            (.choices(twelve), [("1", 30), ("2", 32), ("1", 34)], .choices(["v1", "v2"])),
        ]
    }()

    /// Where answers have two digits, a number that is too high stays, as by lines, and is refused.
    @Test(arguments: numbers.indices)
    func `a digit goes on with a number within a second, if there is such a number`(index: Int) {
        let (format, keys, answer) = Self.numbers[index]
        var interview = Interview(.question(format))
        for (key, second) in keys { _ = interview.handle(.character(key), at: .seconds(second)) }
        #expect(interview.form?.current?.understood == answer)
    }

    @Test(arguments: [("-2", "-2"), ("-2.5", "-2.5"), ("2.5", "2.5"), ("25", "5")])
    func `whoever waits within a signed or decimal number goes on with it`(typed: String, text: String) {
        let scale = AnswerFormat.continuous(from: -5, to: 5, decimals: 1)
        var interview = Interview(.sample(.questions([.sample("a", scale)])))
        for (index, character) in typed.enumerated() {
            _ = interview.handle(.character(character), at: .seconds(21 + 1.4 * Double(index)))
        }
        #expect(interview.form?.items[0].text == text)
    }

    @Test func `a digit replaces what stood there from an earlier visit`() {
        var screen = Screen.question(.scale(from: 0, to: 100, fromLabel: nil, toLabel: nil))
        screen.drafts = ["q": "5"]
        var interview = Interview(screen)
        _ = interview.type([.character("7")])
        #expect(interview.form?.current?.understood == .scale(7))
    }

    @Test func `own words of the option that was chosen begin as one likes`() {
        let choices =
            [AnswerFormat.Choice].sample + [.init(value: "else", text: .plain("Other"), isOther: true)]
        for keys in [[Key.end], .typed("4")] {
            for words in ["cats", "3 cats", "4 cats", "#2", "#1 #2: x"]
            where keys == [.end] || words == "cats" {
                var interview = Interview(.question(.choice(choices)))
                _ = interview.type(keys + .typed(words))
                let draft = interview.form?.current
                #expect(draft?.understood == .choice("else", other: words))
                // A page that is shown again holds the same.
                var screen = Screen.question(.choice(choices))
                screen.drafts = ["q": draft?.text ?? ""]
                #expect(Interview(screen).form?.current?.understood == .choice("else", other: words))
            }
        }
    }

    @Test func `a page that is shown again holds what stood there`() {
        var screen = Screen.sample(.questions(Self.form))
        screen.drafts = ["a": "half a se", "b": "#2"]
        var interview = Interview(screen)
        #expect(interview.form?.items.map(\.text) == ["half a se", "#2"])
        #expect(
            interview.type(.typed("ntence") + [.return, .return, .return]) == [
                .answered([
                    GivenAnswer(question: "a", answer: .text("half a sentence")),
                    GivenAnswer(question: "b", answer: .choice("glad")),
                ])
            ])
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        #expect(
            dialogue.handle(.screen(screen), at: .seconds(20)).lines.contains { $0.contains("half a se") })
        _ = dialogue.handle(line: "")
        _ = dialogue.handle(line: "")
        #expect(
            dialogue.handle(line: "").events == [
                .answered([
                    GivenAnswer(question: "a", answer: .text("half a se")),
                    GivenAnswer(question: "b", answer: .choice("glad")),
                ])
            ])
    }

    @Test func `each answer has its own times`() throws {
        var interview = Interview(.sample(.questions(Self.form)))
        var acts: [ParticipantAct] = []
        for (second, key) in ([Key.character("x"), .return, .down, .down, .return, .return]).enumerated() {
            acts += interview.handle(key, at: .seconds(30 + Double(second)))
        }
        guard case .event(.answered(let answers), _)? = acts.last else {
            Issue.record("nothing was answered: \(acts)")
            return
        }
        let times = answers.compactMap(\.times)
        #expect(times.map(\.shown) == [.seconds(20), .seconds(31)])
        #expect(times.map(\.confirmed) == [.seconds(31), .seconds(34)])
        #expect(times.map(\.changed) == [.seconds(30), .seconds(33)])
        #expect(times.map(\.changes) == [1, 2])
    }
}
