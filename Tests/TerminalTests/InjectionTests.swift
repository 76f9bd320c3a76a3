import SessionPorts
import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import Terminal

/// Nothing that a study, a source or a file name says can command a terminal.
@Suite struct InjectionTests {
    static let evil =
        "a\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\u{90}x\u{9C}\r\u{8}\u{7F}\u{0}\t\u{202E}txt\u{2066}\u{2069}\u{2028}\u{85}z"

    private static func isHarmless(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control && !(0x202A...0x202E).contains(scalar.value)
                && !(0x2066...0x2069).contains(scalar.value) && scalar != "\u{2028}" && scalar != "\u{2029}"
        }
    }

    private static func evilScreen(_ content: Screen.Content, _ phase: Presentation.Phase = .waiting)
        -> Screen
    {
        var screen = Screen.sample(content, phase: phase, title: evil, text: evil + "\n" + evil, detail: evil)
        screen.studyTitle = evil
        return screen
    }

    static let screens: [Screen] = {
        let choice = [AnswerFormat.Choice(value: evil, text: .plain(evil))]
        let formats: [AnswerFormat] = [
            .scale(from: 1, to: 2, fromLabel: .plain(evil), toLabel: .plain(evil)), .choice(choice),
            .choices(choice),
            .boolean(yes: .plain(evil), no: .plain(evil)), .number(unit: evil, minimum: nil, maximum: nil),
        ]
        let questions = formats.map { format in
            AskedQuestion(identifier: "q", title: evil, text: evil, isOptional: false, format: format)
        }
        return [
            evilScreen(.instruction),
            evilScreen(Screen.thirtySeconds, .waitingForSource("heartRate", problem: SourceProblem(evil))),
            evilScreen(.instruction, .waitingForArm(problem: evil)),
            evilScreen(.consent(question: "c", document: "# \(evil)\n\n\(evil)", isSignatureTyped: true)),
            evilScreen(.questions(questions)),
        ]
    }()

    static let updates: [ScreenUpdate] =
        screens.map(ScreenUpdate.screen) + [
            .saved(evil), .source("heartRate", problem: SourceProblem(evil)), .cue(.say(.plain(evil))),
            .over(.failed, folder: evil, problem: evil),
        ]

    @Test func `the terminal is sent no command but our own`() {
        for columns in [7, 20, 80] {
            var interview = Interview()
            for update in Self.updates {
                interview.handle(update)
                for key in [Key.pageDown, .return, .paste("x"), .tab, .return] { _ = interview.handle(key) }
                let size = TerminalSize(columns: columns, rows: 400)
                let picture = interview.picture(at: .seconds(20), in: size)
                interview.handle(picture.view)
                let frame = picture.frame
                #expect(frame.lines.allSatisfy { Self.isHarmless($0.text) })
                #expect(columns < 20 || frame.lines.contains { $0.text.contains("\\u{1b}") })
                var painter = Painter(on: Colour(red: 0, green: 0, blue: 0))
                let commands = painter.paint(frame).split(separator: "\u{1B}").dropFirst()
                #expect(
                    commands.allSatisfy { command in
                        command.first == "[" && Self.isHarmless(String(command))
                    })
            }
        }
    }

    @Test func `lines hold no command at all`() {
        var dialogue = Dialogue(keepsEarlyLines: true, isShowOnly: false)
        for update in Self.updates {
            let lines = dialogue.handle(update, at: .start).lines
            // What was saved is told when the next question was answered.
            let isLater = if case .saved = update { true } else { false }
            #expect(lines.joined().contains("a") || isLater)
            #expect(lines.allSatisfy { Self.isHarmless($0.safe(keepsLines: true).replacing("\n", with: "")) })
        }
    }

    @Test func `every scalar that commands is spelled out, and no other`() {
        for value in (0...0x2FFF as ClosedRange<UInt32>) {
            guard let scalar = UnicodeScalar(value) else { continue }
            let shown = String(scalar).safe()
            #expect(Self.isHarmless(shown), "\(value)")
            if !scalar.isUnsafeOnTerminals { #expect(shown == String(scalar)) }
        }
        #expect(String(Self.evil).safe().safe() == Self.evil.safe())
    }
}
