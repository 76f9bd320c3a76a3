import StudyModel
import StudySession
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
