import Testing
import TextFormat

@Suite struct TerminalTextTests {
    private static let everyScalar = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)

    @Test(arguments: [
        ("plain", "plain", "plain"), ("a\u{1B}[2Jb", "a\\u{1b}[2Jb", "a\\u{1b}[2Jb"),
        ("\u{9B}", "\\u{9b}", "\\u{9b}"), ("\u{202E}x", "\\u{202e}x", "\\u{202e}x"),
        ("a\tb", "a b", "a\\u{9}b"), ("a\r\nb", "a\\u{a}b", "a\\u{d}\\u{a}b"),
        ("👩\u{200D}👧", "👩\u{200D}👧", "👩\\u{200d}👧"), ("\u{E000}", "\u{E000}", "\\u{e000}"),
        ("日本é", "日本é", "日本é"),
    ])
    func `spells out what must not reach a terminal`(text: String, safe: String, shown: String) {
        #expect(text.safe() == safe)
        #expect(printable(text) == shown)
    }

    @Test func `keeps the ends of lines where it is told to`() {
        #expect("a\r\nb\n\u{7}".safe(keepsLines: true) == "a\nb\n\\u{7}")
        #expect(printable("a\nb\u{7}", keepsLines: true) == "a\nb\\u{7}")
    }

    @Test func `whatever is unsafe is invisible too`() {
        #expect(Self.everyScalar.filter { $0.isUnsafeOnTerminals && !$0.isInvisible } == [])
    }

    @Test func `what is printed holds texts from outside only spelled out`() {
        let name = "a\u{1B}[2J\nb\u{202E}"
        let text: TerminalText = "\(name): \(1) of \("x" as TerminalText)\n"
        #expect(text.text == "a\\u{1b}[2J\\u{a}b\\u{202e}: 1 of x\n")
        #expect(TerminalText.lines("a\u{1B}\nb").text == "a\\u{1b}\nb")
        #expect(
            TerminalText.coloured("\u{1B}[1;31mred\u{1B}[0m\u{1B}[2J").text
                == "\u{1B}[1;31mred\u{1B}[0m\\u{1b}[2J")
    }

    @Test func `JSON that is printed is the same JSON without anything unsafe`() throws {
        let json: JSON = ["key\u{9B}": "\u{202E}\u{2028}\u{85}é"]
        let printed = TerminalText.json(json.encoded()).text
        #expect(printed.unicodeScalars.filter(\.isUnsafeOnTerminals) == [])
        #expect(try JSON(parsing: Array(printed.utf8)) == json)
    }

    @Test func `quotes the beginning of a long text`() {
        #expect(quoted("x\u{1B}") == "'x\\u{1b}'")
        #expect(quoted(String(repeating: "é", count: 61)) == "'" + String(repeating: "é", count: 60) + "…'")
    }
}
