import SessionPorts
import StudyModel
import Testing

@testable import Terminal

/// Colours that can be read, and no more bytes than a change needs.
@Suite struct ThemeTests {
    private static let styles: [Style] = [.quiet, .problem, .good, .accent, .chosen, .warning]

    /// The colour of a style; `nil` if it has the terminal's own.
    private static func colour(of style: Style, on background: Colour) -> Colour? {
        let parts = Theme(on: background).rendition(style).split(separator: ";")
        return parts.firstIndex(of: "38").flatMap { Int(parts[$0 + 2]) }.map { Colour(indexed: $0) }
    }

    @Test func `every colour stands out from every background`() {
        for background in (16...255).map({ Colour(indexed: $0) }) {
            for style in Self.styles {
                // Reversed letters have the same contrast.
                guard let colour = Self.colour(of: style, on: background) else { continue }
                #expect(colour.contrast(to: background) >= 4.5, "\(style)")
            }
        }
    }

    @Test(
        arguments: [
            (0, 0, 0), (1, 1, 1), (0.12, 0.12, 0.18), (0, 0.17, 0.21), (0.99, 0.96, 0.89), (0.16, 0.17, 0.21),
            (0.93, 0.93, 0.93),
        ] as [(Double, Double, Double)])
    func `usual backgrounds have all five colours`(red: Double, green: Double, blue: Double) {
        let background = Colour(red: red, green: green, blue: blue)
        #expect(Set(Self.styles.compactMap { Self.colour(of: $0, on: background) }).count == 5)
    }

    @Test func `colours are used where the background is known, and only there`() {
        let dark = Theme(on: Colour(red: 0, green: 0, blue: 0))
        #expect(
            Self.styles.map(dark.rendition) == [
                "38;5;244", "1;38;5;203", "38;5;34", "1;38;5;75", "7;1;38;5;75", "1;38;5;214",
            ])
        let bright = Theme(on: Colour(red: 1, green: 1, blue: 1))
        #expect(
            Self.styles.map(bright.rendition) == [
                "38;5;243", "1;38;5;160", "38;5;28", "1;38;5;26", "7;1;38;5;26", "1;38;5;130",
            ])
        #expect(Self.styles.map(Theme(on: nil).rendition) == ["", "1", "", "1", "7;1", "1"])
    }

    @Test(arguments: [
        ("xterm-256color", true), ("xterm", true), ("screen-256color-bce", true), ("xterm-kitty", true),
        ("linux", false), ("vt220", false), ("xterm-16color", false), ("xterm-mono", false),
    ])
    func `a terminal with sixteen colours gets none`(type: String, hasColours: Bool) {
        let facts = TerminalFacts(answers: Array("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\".utf8), type: type)
        #expect((facts.background != nil) == hasColours)
    }

    @Test func `contrast is that of WCAG`() {
        let (black, white) = (Colour(red: 0, green: 0, blue: 0), Colour(red: 1, green: 1, blue: 1))
        #expect(abs(black.contrast(to: white) - 21) < 1e-9)
        #expect(abs(white.contrast(to: Colour(indexed: 243)) - 4.54) < 0.01)
        #expect(Colour("rgb:ffff/0000/8080") == Colour(red: 1, green: 0, blue: 128 / 255))
        #expect(Colour("rgb:f/0/8") == Colour(red: 1, green: 0, blue: 8.0 / 15))
        for text in ["", "rgb:", "rgb:12345/0/0", "red", "rgb:-1/0/0"] { #expect(Colour(text) == nil) }
    }

    private static let size = TerminalSize(columns: 80, rows: 24)

    @Test func `a letter takes at most 40 bytes`() {
        var interview = Interview(.question(.text(maximumLength: nil, pattern: nil)), size: Self.size)
        var painter = Painter(on: Colour(red: 0, green: 0, blue: 0))
        _ = painter.paint(interview.picture(at: .seconds(20), in: Self.size).frame)
        for letter in "hello" {
            _ = interview.type([.character(letter)], size: Self.size)
            let text = painter.paint(interview.picture(at: .seconds(20), in: Self.size).frame)
            #expect(text.utf8.count <= 40 && text.contains(letter))
        }
    }

    @Test func `a second of a countdown takes at most 300 bytes`() {
        var interview = Interview()
        interview.handle(.screen(.sample(Screen.thirtySeconds, phase: Screen.running)), at: .seconds(8))
        var painter = Painter(on: Colour(red: 0, green: 0, blue: 0))
        _ = painter.paint(interview.picture(at: .seconds(8), in: Self.size).frame)
        for second in 9...37 {
            let text = painter.paint(interview.picture(at: .seconds(Double(second)), in: Self.size).frame)
            #expect(1...300 ~= text.utf8.count)
        }
    }
}
