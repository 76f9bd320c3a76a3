import SessionPorts
import StudyModel
import Testing

@testable import Terminal

/// Grids, scales without numbers, and texts of several lines.
@Suite struct MatrixTests {
    private static let items = ["calm", "glad", "sad"].map {
        AskedQuestion.sample(Identifier(stringLiteral: $0), .scale(from: 1, to: 5))
    }
    private static let matrix = Screen.sample(.questions(items, isMatrix: true))

    private static func text(_ interview: Interview, _ columns: Int, _ rows: Int) -> String {
        interview.picture(at: .seconds(20), in: TerminalSize(columns: columns, rows: rows)).frame.lines
            .map(\.text).joined(separator: "\n")
    }

    @Test func `items that share a scale stand in a grid where there is room`() {
        let interview = Interview(Self.matrix)
        #expect(Self.text(interview, 80, 24).contains("1    2    3    4    5"))
        #expect(Self.text(interview, 80, 24).contains("( )  ( )  ( )  ( )  ( )"))
        #expect(!Self.text(interview, 30, 24).contains("( )"))
        #expect(!Self.text(interview, 80, 10).contains("( )"))
    }

    @Test func `the keys fill a grid, and each item has an answer of its own`() {
        let size = TerminalSize(columns: 80, rows: 24)
        var interview = Interview(Self.matrix, size: size)
        let keys: [Key] = [
            .right, .right, .down, .left, .down, .character("3"), .up, .left, .down, .return, .return,
        ]
        let answers: [GivenAnswer] = [
            .init(question: "calm", answer: .scale(2)), .init(question: "glad", answer: .scale(4)),
            .init(question: "sad", answer: .scale(3)),
        ]
        #expect(interview.type(keys, size: size) == [.answered(answers)])
    }

    @Test func `choices are columns of a grid, and a list where they have no room`() {
        let items = ["a", "b"].map { AskedQuestion.sample(Identifier(stringLiteral: $0), .choice(.sample)) }
        let screen = Screen.sample(.questions(items, isMatrix: true))
        for (size, keys) in [
            (TerminalSize(columns: 80, rows: 24), [Key.right, .right, .down, .left, .return, .return]),
            (
                TerminalSize(columns: 30, rows: 40),
                [.down, .down, .tab, .down, .down, .down, .return, .return]
            ),
        ] {
            var interview = Interview(screen, size: size)
            #expect(
                interview.type(keys, size: size) == [
                    .answered([
                        .init(question: "a", answer: .choice("glad")),
                        .init(question: "b", answer: .choice("sad")),
                    ])
                ])
        }
    }

    @Test func `nothing is chosen before the first arrow, which goes where the study says`() {
        let scale = AnswerFormat.Scale(
            from: 0, to: 100, decimals: 0, labels: [.init(value: 50, text: .plain("moderate"))], start: 50,
            areNumbersShown: false)
        var interview = Interview(.question(.continuous(scale)))
        #expect(!Self.text(interview, 80, 24).contains("●"))
        #expect(interview.type([.return]) == [] && interview.form?.problem?.phrase == .pleaseChoose)
        _ = interview.type([.left])
        let shown = Self.text(interview, 80, 24)
        #expect(shown.contains { "▎▌▊█".contains($0) } && shown.contains("moderate") && !shown.contains("50"))
        #expect(
            interview.type([.right, .return]) == [
                .answered([GivenAnswer(question: "q", answer: .continuous(51))])
            ])
    }

    @Test func `a text of several lines ends with an empty one, on a screen and by lines`() {
        let screen = Screen.question(.text(hasSeveralLines: true))
        let expected = [Event.answered([GivenAnswer(question: "q", answer: .text("one\ntwo\n3"))])]
        var interview = Interview(screen)
        let keys: [Key] =
            .typed("one") + [.return, .paste("two\n3"), .up, .end, .down, .end, .return, .return]
        #expect(interview.type(keys) == expected)
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        _ = dialogue.handle(.screen(screen), at: .seconds(20))
        for line in ["one", "two", "3"] { #expect(dialogue.handle(line: line).events == []) }
        #expect(dialogue.handle(line: "").events == expected)
    }

    @Test func `what excludes everything else takes the other ticks away`() {
        let choices = [AnswerFormat.Choice](
            [
                .init(value: "a", text: .plain("A")),
                .init(value: "n", text: .plain("None"), isExclusive: true),
            ])
        var interview = Interview(.question(.choices(choices)))
        _ = interview.type([.character(" "), .down, .character(" ")])
        #expect(interview.form?.items[0].text == "#2")
        _ = interview.type([.up, .character(" ")])
        #expect(interview.form?.items[0].text == "#1")
    }
}
