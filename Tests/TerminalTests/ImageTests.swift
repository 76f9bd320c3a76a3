import Glibc
import Platform
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Terminal

/// Pictures on a terminal: their size, their place, and what is sent.
@Suite struct ImageTests {
    private static let size = TerminalSize(columns: 80, rows: 24)

    private func image(
        _ columns: Int, _ rows: Int, _ form: StepImage.Form = .kitty, _ text: String = "<face>"
    )
        -> RenderedImage
    {
        RenderedImage(columns: columns, rows: rows, form: form, text: text)
    }

    private func interview(_ image: RenderedImage?, text: String = "Look.") -> Interview {
        var interview = Interview()
        interview.images = image.map { [ImagePlace(path: "a.png", isChoice: false): $0] } ?? [:]
        var screen = Screen.sample(.instruction, text: text)
        screen.image = Screen.Image(path: "a.png", alternative: "A calm face")
        interview.handle(.screen(screen))
        return interview
    }

    @Test func `a picture stands below the text, and its alternative text where it cannot be shown`() throws {
        let shown = interview(image(20, 8)).picture(at: .start, in: Self.size).frame
        let placed = try #require(shown.images.first)
        let above = shown.lines[..<placed.position.row].map(\.text).joined()
        #expect(above.contains("Look.") && !shown.lines.map(\.text).joined().contains("calm"))
        #expect(shown.lines[placed.position.row..<placed.position.row + 8].allSatisfy { $0 == .empty })
        let words = interview(nil).picture(at: .start, in: Self.size).frame
        #expect(words.images.isEmpty && words.lines.map(\.text).joined().contains("[A calm face]"))
    }

    @Test func `the time left makes room for a picture`() {
        var interview = Interview(images: [ImagePlace(path: "a.png", isChoice: false): image(26, 13)])
        var screen = Screen.sample(Screen.thirtySeconds, phase: Screen.running)
        screen.image = Screen.Image(path: "a.png", alternative: "A calm face")
        interview.handle(.screen(screen))
        let frame = interview.picture(at: .seconds(20), in: Self.size).frame
        #expect(frame.images.count == 1)
        #expect(frame.lines.map(\.text).joined().contains("0:18"))
    }

    @Test func `a picture that is not wholly visible is read until it is scrolled to`() throws {
        var interview = interview(image(20, 8), text: String(repeating: "Line\n", count: 14))
        let before = interview.picture(at: .start, in: Self.size)
        #expect(before.frame.images.isEmpty)
        interview.handle(before.view)
        _ = interview.handle(Keystroke(.return), at: .start)
        #expect(interview.picture(at: .start, in: Self.size).frame.images.count == 1)
    }

    @Test func `choices have their pictures below them, and keys choose as without them`() throws {
        let choices = ["bad", "good"].map { value in
            var choice = AnswerFormat.Choice(value: value, text: .plain(value))
            choice.image = "\(value).png"
            return choice
        }
        var interview = Interview()
        interview.images = Dictionary(
            uniqueKeysWithValues: ["bad", "good"].map {
                (ImagePlace(path: "\($0).png", isChoice: true), image(6, 3, .sixel, $0))
            })
        interview.handle(.screen(.question(.choice(choices))))
        let picture = interview.picture(at: .start, in: Self.size)
        let rows = picture.frame.images.map(\.position.row)
        #expect(picture.frame.images.map(\.image.text) == ["bad", "good"])
        #expect(rows.count == 2 && picture.frame.lines[rows[0] - 1].text.contains("bad"))
        #expect(rows.count == 2 && rows[1] == rows[0] + 4)
        interview.handle(picture.view)
        _ = interview.handle(Keystroke(.character("2")), at: .start)
        let acts = interview.handle(Keystroke(.return), at: .start)
        #expect("\(acts)".contains("good"), "\(acts)")
    }

    @Test func `a picture is sent once, stays while words change, and is taken away with its cells`() {
        var painter = Painter()
        var frame = Frame(lines: Array(repeating: .empty, count: 6), bells: 0)
        frame.lines[0] = StyledLine(Span("Look"))
        frame.images = [.init(position: .init(row: 2, column: 3), image: image(4, 2))]
        let first = painter.paint(frame)
        #expect(first.contains("\u{1B}[3;4H<face>"))
        frame.lines[0] = StyledLine(Span("Listen"))
        #expect(!painter.paint(frame).contains("<face>"))
        frame.images = []
        frame.lines[2] = StyledLine(Span("abc"))
        let last = painter.paint(frame)
        #expect(last.contains("\u{1B}_Ga=d,d=A\u{1B}\\") && last.contains("\u{1B}[4;1H\u{1B}[K"))
        #expect(last.contains("abc"))
        painter.forget()
        frame.images = [.init(position: .init(row: 2, column: 3), image: image(4, 2, .blocks, "ab\ncd"))]
        let blocks = painter.paint(frame)
        #expect(blocks.contains("\u{1B}[3;4Hab\u{1B}[4;4Hcd\u{1B}[0m"))
    }

    @Test func `a picture fits beside the words, keeps its shape, and is not blown up`() throws {
        func cells(
            _ width: Int, _ height: Int, isChoice: Bool = false, rows: UInt16 = 24,
            form: StepImage.Form = .kitty
        )
            throws -> TerminalSize
        {
            let image = try #require(ImageSize(of: Self.png(width, height)))
            return ImageRenderer.cells(
                of: image, isChoice: isChoice, as: form,
                in: winsize(ws_row: rows, ws_col: 80, ws_xpixel: 800, ws_ypixel: 480 * rows / 24))
        }
        #expect(try cells(1_000, 1_000) == TerminalSize(columns: 26, rows: 13))
        #expect(try cells(8_000, 100) == TerminalSize(columns: 72, rows: 1))
        #expect(try cells(10, 10) == TerminalSize(columns: 4, rows: 2))
        #expect(try cells(160, 160, isChoice: true) == TerminalSize(columns: 6, rows: 3))
        #expect(try cells(160, 160, isChoice: true, form: .blocks) == TerminalSize(columns: 12, rows: 6))
        #expect(try cells(1_000, 1_000, rows: 12).rows == 3)
    }

    @Test(
        .enabled(if: ImageRenderer.isThere, "chafa is not installed")
    )
    func `pictures are drawn for the terminal, and what is none is left out`() async {
        let folder = TemporaryFolder()
        let faces = "\(#filePath.dropLast("Tests/TerminalTests/ImageTests.swift".count))Media/faces"
        _ = writeFile(readFile("\(faces)/face-5.png") ?? [], to: folder.path + "/good.png")
        _ = writeFile(Self.png(20, 20), to: folder.path + "/cut.png")
        let terminal = PseudoTerminal(habits: [])
        let places = ["good.png", "cut.png", "absent.png"].map { ImagePlace(path: $0, isChoice: false) }
        for form in [StepImage.Form.kitty, .sixel, .blocks] {
            let drawn = ImageRenderer(
                folder: folder.path, places: Set(places), form: form, background: nil,
                terminal: terminal.program
            ).all()
            #expect(Set(drawn.keys) == [places[0]])
            let image = drawn[places[0]]
            #expect((image?.text.utf8.count ?? 0) > 100 && image?.text.last != "\n")
            if form == .blocks { #expect(image?.text.split(separator: "\n").count == image?.rows) }
        }
        await terminal.finish()
    }

    @Test func `what a terminal says of pictures is known`() {
        func form(_ answer: String) -> StepImage.Form { TerminalFacts(answers: Array(answer.utf8)).imageForm }
        #expect(form("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c") == .kitty)
        #expect(form("\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?62;4c") == .sixel)
        #expect(form("\u{1B}]11;rgb:00/00/00\u{1B}\\\u{1B}[?62;22c") == .blocks)
        #expect(form("\u{1B}[?64;1;2c") == .alternative)
    }

    @Test func `only PNG and JPEG have a size`() {
        #expect(ImageSize(of: Self.png(300, 200)).map { [$0.width, $0.height] } == [300, 200])
        // An application segment, a filler byte, a table, and the frame.
        let jpeg: [UInt8] =
            [
                0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC4, 0, 3, 9, 0xFF, 0xC2, 0, 11, 8, 1, 0, 2,
                0, 1,
            ]
            + [0, 0, 0]
        #expect(ImageSize(of: jpeg).map { [$0.width, $0.height] } == [512, 256])
        for length in 0..<jpeg.count - 4 { #expect(ImageSize(of: Array(jpeg.prefix(length))) == nil) }
        #expect(ImageSize(of: Array("GIF89a".utf8)) == nil && ImageSize(of: Self.png(0, 5)) == nil)
        #expect(ImageSize(of: Self.png(9_000, 5)) == nil)
    }

    private static func png(_ width: Int, _ height: Int) -> [UInt8] {
        let number = { (value: Int) in [0, 0, UInt8(value >> 8), UInt8(value & 0xFF)] }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + number(width) + number(height)
    }
}
