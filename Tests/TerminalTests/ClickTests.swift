import SessionPorts
import StudyModel
import Testing
import TextFormat

@testable import Terminal

/// Answering with the pointer: a click does what the keys would do, where it is shown, and nothing elsewhere.
@Suite struct ClickTests {
    private static let sizes = [(40, 12), (80, 24), (120, 40), (200, 60)]
        .map { TerminalSize(columns: $0.0, rows: $0.1) }

    private final class Person {
        var interview: Interview
        let size: TerminalSize

        init(_ screen: Screen, _ size: TerminalSize = TerminalSize(columns: 80, rows: 24)) {
            (interview, self.size) = (Interview(screen, size: size), size)
        }

        var lines: [String] {
            interview.picture(at: .seconds(20), in: size).frame.lines.map(\.text)
        }

        /// Clicks where these words begin, one after the other.
        func click(_ words: String...) throws -> [Event] {
            try words.flatMap { words in
                let lines = lines
                let row = try #require(lines.firstIndex { $0.contains(words) }, "\(words)")
                let start = try #require(lines[row].firstRange(of: words)).lowerBound
                return type([.pointer(column: String(lines[row][..<start]).columns, row: row)])
            }
        }

        func type(_ keys: [Key]) -> [Event] { interview.type(keys, size: size) }
    }

    @Test(arguments: sizes)
    func `a click on an option chooses it, as the keys do`(size: TerminalSize) throws {
        for (format, words, keys) in [
            (AnswerFormat.choice(.sample), "I feel glad", [Key.down, .down]),
            (.choices(.sample), "I feel sad", [.down, .down, .character(" ")]),
            (.boolean(yes: .plain("Yes"), no: .plain("No")), "No", .typed("2")),
            (.scale(from: 1, to: 9), " 7 ", .typed("7")),
        ] {
            let (clicked, typed) = (Person(.question(format), size), Person(.question(format), size))
            #expect(try clicked.click(words) == [])
            let answer = try clicked.click("confirm")
            #expect(answer == typed.type(keys + [.return]) && answer.count == 1)
        }
    }

    @Test func `a second click unticks`() throws {
        let person = Person(.question(.choices(.sample)))
        _ = try person.click("I feel glad")
        _ = try person.click("I feel sad")
        _ = try person.click("I feel glad")
        #expect(
            try person.click("confirm") == [
                .answered([GivenAnswer(question: "q", answer: .choices(["sad"]))])
            ]
        )
    }

    @Test func `outside of what can be clicked nothing happens, nor where the pointer is only dragged`() {
        let size = TerminalSize(columns: 64, rows: 22)
        for screen in Screen.all {
            let interview = Interview(screen, size: size)
            for row in 0..<size.rows {
                for column in 0..<size.columns {
                    let isTarget = interview.view.targets.contains {
                        $0.row == row && $0.columns.contains(column)
                    }
                    var after = interview
                    let key = Key.pointer(column: column, row: row)
                    let acts = after.handle(
                        Keystroke(key, isRepetition: !isTarget ? row % 2 == 0 : true), at: .seconds(25))
                    #expect(acts.allSatisfy { $0 == .key("pointer") })
                    #expect(after.form == interview.form && after.mode == interview.mode)
                }
            }
        }
    }

    @Test func `each cell of a line puts its mark there`() throws {
        let scale = AnswerFormat.Scale(from: 0, to: 100, decimals: 0, labels: [], areNumbersShown: false)
        let person = Person(.question(.continuous(scale)))
        let targets = person.interview.view.targets.filter { if case .value = $0.act { true } else { false } }
        #expect(targets.count == 50)
        for target in targets {
            let person = Person(.question(.continuous(scale)))
            _ = person.type([.pointer(column: target.columns.lowerBound, row: target.row)])
            #expect("▎▌▊█".contains(Array(person.lines[target.row])[target.columns.lowerBound]))
        }
    }

    @Test func `the cells of a grid are answers, and the last line sends them`() throws {
        let items = ["calm", "glad"].map {
            AskedQuestion.sample(Identifier(stringLiteral: $0), .scale(from: 1, to: 5))
        }
        let person = Person(.sample(.questions(items, isMatrix: true)))
        let cells = person.interview.view.targets.filter { $0.act == .value(4) }
        #expect(cells.map(\.place) == [0, 1])
        for cell in cells.reversed() {
            _ = person.type([.pointer(column: cell.columns.lowerBound, row: cell.row)])
        }
        #expect(
            try person.click("Send") == [
                .answered(items.map { GivenAnswer(question: $0.identifier, answer: .scale(4)) })
            ])
    }

    @Test func `answers that are read once more are sent by the second click`() throws {
        var screen = Screen.sample(
            .questions(["a", "b"].map { .sample($0, .boolean(yes: .plain("Yes"), no: .plain("No"))) }))
        screen.answering.insert(.reviewed)
        let person = Person(screen)
        _ = person.type([.character("1"), .tab, .character("2")])
        #expect(try person.click("Send") == [] && person.interview.form?.isReview == true)
        #expect(try person.click("Send").count == 1)
    }

    @Test func `a click on a question goes there, and one that was never seen is not sent`() throws {
        let person = Person(
            .sample(.questions(Array(AskedQuestion.everyKind.suffix(4)))), .init(columns: 80, rows: 60))
        let field = try #require(person.interview.view.targets.last { $0.act == .question })
        _ = person.type([.pointer(column: field.columns.upperBound - 1, row: field.row)])
        #expect(person.interview.form?.place == 3)
        #expect(try person.click("Send") == [] && person.interview.form?.place == 1)
    }

    @Test func `the names of keys are buttons`() throws {
        let person = Person(.sample(.instruction, text: "Please listen.", canGoBack: true))
        #expect(try person.click("back") == [.wentBack])
        #expect(try Person(.sample(.instruction)).click("go on") == [.confirmed])
        #expect(
            try Person(.sample(.instruction)).click("leave", "stay", "leave", "y leave   n") == [.withdrawn])
        #expect(
            try Person(.question(.choice(.sample), canSkip: true)).click("Esc", "› skip") == [.skipped])
        // A text of several lines is confirmed, whatever Return would do there.
        let text = Person(.question(.text(hasSeveralLines: true)))
        _ = text.type(.typed("one"))
        #expect(try text.click("confirm") == [.answered([GivenAnswer(question: "q", answer: .text("one"))])])
    }

    @Test func `keys that are timed have the terminal for themselves`() {
        var screen = Screen.sample(Screen.thirtySeconds, phase: Screen.running)
        #expect(!Interview(screen).view.targets.isEmpty)
        screen.reactionKeys = [Screen.ReactionKey(name: "f", words: "")]
        let picture = Interview(screen).picture(at: .seconds(20), in: Self.sizes[1])
        #expect(picture.view.targets.isEmpty && !picture.frame.wantsPointer)
    }

    @Test func `a click leaves it open whether a key is held, and the second of two turns no page`() {
        var gate = KeyGate()
        let (click, enter) = (Keystroke(.pointer(column: 3, row: 3)), Keystroke(.return))
        let held = [(enter, 1), (click, 1.05), (enter, 1.1)].map { gate.isPress($0, at: .seconds($1)) }
        #expect(held == [true, true, false])
        gate.turn(by: click.key, at: .seconds(2))
        let again = [2.3, 2.8].map { gate.isPress(Keystroke(.pointer(column: 9, row: 9)), at: .seconds($0)) }
        #expect(again == [false, true])
    }

    @Test func `the wheel scrolls, and chooses nothing`() {
        let size = TerminalSize(columns: 40, rows: 12)
        var interview = Interview(.sample(.questions(AskedQuestion.everyKind)), size: size)
        _ = interview.type([.wheel(3), .wheel(3)], size: size)
        #expect(interview.view.shownTop == 6)
        #expect(interview.form?.items.allSatisfy { $0.text.isEmpty } == true)
        _ = interview.type([.wheel(-3)], size: size)
        #expect(interview.view.shownTop == 3)
    }
}
