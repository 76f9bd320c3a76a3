import SessionPorts
import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import Terminal

@Suite struct FrameTests {
    private static let sizes = [(20, 5), (30, 8), (44, 12), (80, 24), (120, 34)]
        .map { TerminalSize(columns: $0.0, rows: $0.1) }

    /// The lines of a frame within a border, so that trailing blanks show.
    private func picture(_ interview: Interview, _ size: TerminalSize) -> String {
        let frame = interview.picture(at: .seconds(20), in: size).frame
        let edge = "+" + String(repeating: "-", count: size.columns) + "+\n"
        let lines = frame.lines.map { line in
            "|" + line.text + String(repeating: " ", count: size.columns - line.columns) + "|\n"
        }
        return edge + lines.joined() + edge
    }

    private func interview(_ screen: Screen) -> Interview {
        var interview = Interview()
        interview.handle(.screen(screen))
        for second in 0..<20 {
            interview.handle(.heartRate(70 + Double(second % 7) * 2, at: .seconds(Double(second))))
        }
        return interview
    }

    @Test(arguments: ["en", "fr", "de", "es"])
    func `each kind of step looks as it should`(tag: String) {
        var text = ""
        for var screen in Screen.all {
            screen.language = Language(tag)
            text += picture(interview(screen), TerminalSize(columns: 64, rows: 22))
        }
        #expect(goldenDifference(text, "steps.\(tag).txt") == nil)
    }

    @Test func `a step fits terminals of every size`() {
        let screen = Screen.sample(
            Screen.thirtySeconds, phase: Screen.running, title: "Please listen for 30 seconds.",
            text: "Sit comfortably, and breathe as you like.", canSkip: true, showsHeartRate: true,
            expected: .flat(75))
        let text = Self.sizes.map { picture(interview(screen), $0) }.joined()
        #expect(goldenDifference(text, "sizes.txt") == nil)
    }

    @Test func `how loud the microphone hears is drawn while the step runs`() {
        let size = TerminalSize(columns: 64, rows: 22)
        var interview = interview(.sample(Screen.thirtySeconds, phase: Screen.running))
        func meter() -> String? {
            picture(interview, size).split(separator: "\n").first { $0.contains("Microphone") }.map(
                String.init)
        }
        #expect(meter() == nil)
        for (level, full) in [(-90.0, 0), (-60, 0), (-30, 15), (0, 30), (3, 30), (-.infinity, 0)] {
            interview.handle(.soundLevel(level))
            let bar = meter() ?? ""
            #expect(bar.filter { $0 == "▮" }.count == full && bar.filter { $0 == "▯" }.count == 30 - full)
        }
        interview.handle(.soundLevel(nil))
        #expect(meter() == nil)
        interview.handle(.soundLevel(-20))
        interview.handle(.screen(.sample(Screen.thirtySeconds, phase: .timeUp)))
        #expect(meter() == nil)
    }

    @Test func `what happens beside the step is said`() {
        let size = TerminalSize(columns: 64, rows: 16)
        var interview = interview(.sample(Screen.thirtySeconds, phase: Screen.running))
        var text = ""
        for update: ScreenUpdate in [
            .saved("Rest"), .source("heartRate", problem: "no notification for 5 s"),
            .source("heartRate", problem: nil), .batteryLow("heartRate", percent: 12),
            .cue(.say(.plain("Half way there."))),
        ] {
            interview.handle(update)
            text += picture(interview, size)
        }
        _ = interview.type([.character("q")])
        text += picture(interview, size)
        for reason in FinishReason.words + [.ended("screenedOut")] {
            interview.handle(
                .over(
                    reason, folder: reason == .failed ? nil : "results/P01",
                    problem: reason == .failed ? "The disk is full." : nil))
            text += picture(interview, TerminalSize(columns: 64, rows: 6))
        }
        #expect(goldenDifference(text, "beside.txt") == nil)
    }

    @Test func `answers and complaints show`() {
        let size = TerminalSize(columns: 64, rows: 20)
        var text = ""
        for (index, keys) in [
            .typed("7"), .typed("42"), .typed("3.5"), [.down, .down], [.down, .character(" ")], .typed("y"),
            .typed("7"),
            .typed("zoë"), .typed("1999-"), .typed("7:"),
        ].enumerated() as EnumeratedSequence<[[Key]]> {
            var interview = Interview(.question(AskedQuestion.everyKind[index].format))
            _ = interview.type(keys)
            if index > 5 { _ = interview.type([.return]) }
            text += picture(interview, size)
        }
        #expect(goldenDifference(text, "answers.txt") == nil)
    }

    @Test(arguments: 0..<15 as Range<UInt64>)
    func `no line is wider and no frame higher than the terminal`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let words = [
            "日本語", "👩‍👩‍👧‍👦", "naïve", "e\u{301}\u{302}", "\n", "supercalifragilisticexpialidocious", " ", "क्षि", "🇩🇪",
            "\t", "ｆｕｌｌ", "\u{1B}[31m",
        ]
        func text() throws -> String {
            try (0..<Int.random(in: 0...40, using: &random)).map { _ in
                try #require(words.randomElement(using: &random))
            }
            .joined(separator: Bool.random(using: &random) ? " " : "")
        }
        for var screen in Screen.all {
            (screen.title, screen.text, screen.detail, screen.studyTitle) = (
                try text(), try text(), try text(), try text()
            )
            var interview = interview(screen)
            interview.handle(.source("heartRate", problem: SourceProblem(try text())))
            for _ in 0..<4 {
                let size = TerminalSize(
                    columns: .random(in: 1...130, using: &random), rows: .random(in: 1...60, using: &random))
                let picture = interview.picture(at: .seconds(20), in: size)
                interview.handle(picture.view)
                let frame = picture.frame
                #expect(frame.lines.count == size.rows)
                #expect(frame.lines.allSatisfy { $0.columns <= size.columns })
                if let cursor = frame.cursor {
                    #expect(cursor.row < size.rows && cursor.column < size.columns)
                }
                _ = interview.type([.character("q")], size: size)
                _ = interview.type([.character("n"), .tab, .character("日")], size: size)
            }
        }
    }

    /// The clock's face changes at these moments, and at no other.
    @Test func `the frame is due when the second changes`() {
        let screen = Screen.sample(
            .timed(duration: .seconds(3), isCountdown: false),
            phase: .running(start: .milliseconds(10_250), end: .milliseconds(13_250)))
        var interview = Interview()
        interview.handle(.screen(screen))
        var moments: [RunInstant] = [.milliseconds(10_250)]
        while let last = moments.last, let next = interview.nextChange(after: last) { moments.append(next) }
        #expect(moments == [10_250, 11_250, 12_250, 13_250].map(RunInstant.milliseconds))
        #expect(
            moments.compactMap { screen.remaining(at: $0)?.clockFace } == ["0:03", "0:02", "0:01", "0:00"])
        #expect(screen.remaining(at: .milliseconds(11_249))?.clockFace == "0:03")
    }
}

extension RunInstant {
    fileprivate static func milliseconds(_ count: Int) -> RunInstant {
        RunInstant(offset: .milliseconds(count))
    }
}
