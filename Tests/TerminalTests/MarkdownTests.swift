import Testing

@testable import Terminal

@Suite struct MarkdownTests {
    private static let document = """
        # What **we** do

        We *really* record your
        heart, see [our page](https://example.org).

        - One **bold** thing
          on two lines
        2. A second_thing_here

        | Day | Dose |
        |:----|-----:|
        | 1 | 10 mg |
        > Quoted \\*words\\*
        ---
        """

    @Test func `a document is shown without its marks`() {
        let texts = Markdown.blocks(of: Self.document).map(\.text)
        #expect(
            texts == [
                "What we do", "We really record your heart, see our page (https://example.org).",
                "- One bold thing on two lines", "2. A second_thing_here", "Day, Dose\n1, 10 mg",
                "Quoted *words*", "",
            ])
    }

    @Test func `bold and stressed words stand out`() {
        let spans = Markdown.spans(in: "a **b** *c* __d__ _e_ 2*3*4 **open")
        #expect(spans.filter { $0.style == .strong }.map(\.text) == ["b", "d"])
        #expect(spans.filter { $0.style == .emphasis }.map(\.text).prefix(2) == ["c", "e"])
        #expect(spans.last?.text.hasSuffix("**open") == true)
    }

    @Test(arguments: [1, 8, 20, 80])
    func `no line is wider than there is room, and no word is lost`(width: Int) {
        let blocks = Markdown.blocks(of: Self.document)
        let lines = blocks.flatMap { $0.lines(to: width) }
        #expect(lines.allSatisfy { $0.columns <= max(width, 4) })
        let words = lines.map(\.text).joined().filter { !$0.isWhitespace }
        #expect(words.contains("Werealyrecord") || words.contains("Wereallyrecordyourheart"))
        for style in [Style.strong, .emphasis] {
            #expect(lines.contains { $0.spans.contains { $0.style == style } })
        }
    }
}
