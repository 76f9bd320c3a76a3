import SessionPorts
import StudyModel
import Testing
import TextFormat

@testable import Terminal

/// Where everything stands on terminals of every size, and where the cursor is.
@Suite struct LayoutTests {
    private static let sizes = [(40, 12), (80, 24), (120, 40), (200, 60)]
        .map { TerminalSize(columns: $0.0, rows: $0.1) }

    private static func frame(_ interview: Interview, _ size: TerminalSize) -> Frame {
        interview.picture(at: .seconds(20), in: size).frame
    }

    @Test(arguments: sizes)
    func `title, question, answer and help stand together in a column`(size: TerminalSize) throws {
        for asked in AskedQuestion.everyKind {
            let lines = Self.frame(Interview(.question(asked.format), size: size), size).lines.map(\.text)
            let used = try #require(lines.firstIndex { !$0.isEmpty })...(lines.lastIndex { !$0.isEmpty } ?? 0)
            #expect(
                lines[used].contains { $0.contains("confirm") }
                    && lines[used].contains { $0.contains("How was it?") })
            // Between them are two blank lines at most.
            #expect(!lines[used].joined(separator: "\n").contains("\n\n\n\n"))
            #expect(used.lowerBound <= size.rows / 5)
            let columns = lines[used].flatMap { line in
                line.isEmpty ? [] : [line.prefix { $0 == " " }.count, line.columns]
            }
            let (left, right) = (columns.min() ?? 0, columns.max() ?? 0)
            #expect(right - left <= 76)
            if size.columns >= 100 { #expect(abs(left - (size.columns - 76) / 2) <= 1) }
        }
    }

    @Test(arguments: sizes)
    func `the first line is at the same height on all pages that leave room for it`(size: TerminalSize) {
        let heights = [Screen.question(.choice(.sample)), .sample(.instruction, text: "Please listen.")].map {
            Self.frame(Interview($0, size: size), size).lines.firstIndex { $0 != .empty }
        }
        #expect(Set(heights).count == 1)
    }

    @Test func `what a rating asks stays above it on a small terminal`() {
        let dimension = RatingScale.Dimension(
            name: "tension", from: 0, to: 100, fromLabel: .plain("calm"), toLabel: .plain("tense"), start: 50,
            step: 5)
        var screen = Screen.sample(
            Screen.thirtySeconds, phase: Screen.running, title: "How tense is it?", canSkip: true,
            showsHeartRate: true)
        screen.rating = Screen.Rating(
            recorder: "tension", scale: RatingScale(dimensions: [dimension], rate: 10))
        var interview = Interview(screen)
        interview.handle(.saved("Music and tension"))
        interview.handle(.source("heartRate", problem: "no notification for 5 s"))
        let frame = Self.frame(interview, TerminalSize(columns: 40, rows: 12))
        for words in ["How tense is it?", "●", "calm", "tense"] {
            #expect(frame.lines.contains { $0.text.contains(words) }, "\(words)")
        }
        #expect(frame.cursor.map { Array(frame.lines[$0.row].text)[$0.column] } == "●")
    }

    @Test(arguments: sizes)
    func `the cursor is where the person is`(size: TerminalSize) throws {
        func cell(_ screen: Screen, _ keys: [Key]) throws -> Character {
            var interview = Interview(screen, size: size)
            _ = interview.type(keys, size: size)
            let frame = Self.frame(interview, size)
            let cursor = try #require(frame.cursor)
            let text = Array(frame.lines[cursor.row].text)
            return cursor.column < text.count ? text[cursor.column] : " "
        }
        let yesOrNo = AnswerFormat.boolean(yes: .plain("Yes"), no: .plain("No"))
        #expect(try cell(.question(.choice(.sample)), [.down, .down]) == "•")
        #expect(try cell(.question(.choices(.sample)), [.down, .character(" ")]) == "x")
        #expect(try cell(.question(.scale(from: 1, to: 9)), .typed("7")) == "7")
        #expect(try cell(.question(.scale(from: 1, to: 9)), []) == "1")
        #expect(try cell(.question(.text(maximumLength: nil, pattern: nil)), .typed("abc") + [.left]) == "c")
        let page = Screen.sample(.questions([.sample("a", yesOrNo), .sample("b", yesOrNo)]))
        #expect(try cell(page, [.tab, .tab]) == "›")
        // Also where the program itself asks.
        #expect(try cell(.question(yesOrNo, canSkip: true), [.escape, .down]) == "l")
        #expect(try cell(.sample(.instruction), [.character("q")]) == "y")
    }

    @Test func `what a page waits for stands out among the keys, and nothing does where it waits for nobody`()
    {
        func style(_ words: String, _ screen: Screen, _ keys: [Key] = []) -> Style? {
            var interview = Interview(screen)
            _ = interview.type(keys)
            let lines = Self.frame(interview, Self.sizes[1]).lines
            return lines.last { $0.text.contains(words) }?.spans.last { words.hasPrefix($0.text) }?.style
        }
        #expect(style("Return confirm", .question(.choice(.sample))) == .accent)
        #expect(style("Return go on", .sample(.instruction)) == .accent)
        #expect(style("y leave", .sample(.instruction), [.character("q")]) == .heading)
        let running = Screen.sample(Screen.thirtySeconds, phase: Screen.running, canSkip: true)
        #expect(style("p pause", running) == .heading)
    }

    @Test(arguments: ["en", "de", "fr", "es"])
    func `a page that waits says who has to act`(tag: String) {
        let size = TerminalSize(columns: 80, rows: 24)
        func shows(_ screen: Screen, _ phrase: Phrase) -> Bool {
            var screen = screen
            screen.language = Language(tag)
            let words = Wording(screen.language)(phrase)
            return Self.frame(Interview(screen, size: size), size).lines.contains { $0.text.contains(words) }
        }
        var silent = Screen.sample(.timed(duration: .seconds(30), isCountdown: false), phase: Screen.running)
        silent.shows.remove(.countdown)
        #expect(shows(silent, .nothingToPress))
        silent.reactionKeys = [Screen.ReactionKey(name: "f", words: "")]
        #expect(!shows(silent, .nothingToPress) && shows(silent, .running))
        #expect(shows(.sample(.instruction, phase: .waitingForArm(problem: nil)), .goesOnByItself))
        #expect(
            shows(
                .sample(Screen.thirtySeconds, phase: .waitingForSource("heart", problem: "not found")),
                .beginsWhenThere))
        var paused = Screen.sample(Screen.thirtySeconds, phase: .paused(remaining: .seconds(9)))
        #expect(shows(paused, .paused))
        paused.allows.remove(.resume)
        #expect(shows(paused, .pausedForYou) && !shows(paused, .paused))
    }
}
