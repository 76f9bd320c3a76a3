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
        ("80s pop", "80s pop"), ("2 Unlimited: all of it", "2 Unlimited: all of it"), ("4 cats", "cats"),
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
