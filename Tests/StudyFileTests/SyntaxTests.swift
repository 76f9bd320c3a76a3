import StudyFile
import StudyModel
import StudyTesting
import Testing

@Suite struct SyntaxTests {
    @Test(arguments: [
        "study:\n1️⃣\tidentifier: x", "study:\n  identifier: x\n1️⃣\ttitle: y",
        "study:\n  identifier: x\n  1️⃣\ttitle: y", "a:\n  - b: c\n1️⃣\t- d: e",
    ])
    func `points at a tab that indents`(marked: String) {
        expectEnd(marked, "tab-indentation")
    }

    @Test(arguments: [
        "title: 1️⃣\"Hello\ntext: x", "title: 1️⃣\"Hello\ntext: \"Hi\"\nb: c", "title: 1️⃣'Hello\ntext: it's\nb: c",
        "a: {x: 1️⃣\"foo, y: 2}\nb: \"c\"", "a: b\nc:\n  - 1️⃣'d\n  - e",
    ])
    func `points at the quote that was left open`(marked: String) {
        expectEnd(marked, "unclosed-quote")
    }

    @Test(arguments: [
        "study:\n  title: Music\n    1️⃣text: foo", "tasks:\n  - identifier: a\n   1️⃣steps: b",
        "a:\n    b: 1\n  1️⃣c: 2", "steps:\n  - a\n 1️⃣- b", "steps:\n  - a\n    - b\n  1️⃣c: d",
    ])
    func `points at the line that is indented wrongly`(marked: String) {
        expectEnd(marked, "bad-indentation")
    }

    @Test(arguments: [
        (
            "a:\n  b: 1\n c: 2",
            "keys of one group begin in the same column: 3 as in line 2, or 1 as in line 1"
        ),
        ("a:\n  - b\n - c", "begin each '- ' of a list in the same column: 3 as in line 2"),
        ("a: 'Don't move'", "put double quotes around the whole text"),
        (
            "a: \"say \"hi\"\"",
            #"put double quotes around the whole text, and write \" for a quotation mark within it"#
        ),
        ("a: 1\nb:2\nc: 3", "write 'key: value'"),
    ])
    func `says what would be right`(text: String, help: String) {
        #expect(parse(text).diagnostics.last?.help == help)
    }

    @Test(arguments: [
        "a: 1️⃣[1, 2\nb: c", "a: 1️⃣{x: 1, y: 2\nb: c", "a: [{x: 1 y1️⃣: 2}]", "a: 1️⃣[1, 2", "a: 1️⃣[", "a: 1️⃣[1,",
        "a: 1️⃣{", "b: 1️⃣{x: ",
        "a: [1, 1️⃣{b:\n",
    ])
    func `points at the bracket or the missing comma`(marked: String) {
        expectEnd(marked, "unclosed-bracket")
    }

    @Test(arguments: [
        "text: Note1️⃣: this", "study:\n  1️⃣identifier\n  title: x", "1️⃣a:b\nc: d", "steps: 1️⃣- a", "a: 1️⃣@foo",
        "a: 1️⃣`x`", "a: \"1️⃣\\q\"", "a: &1️⃣\nb: c", "a: [1]1️⃣]\nb: c", "[a]\n1️⃣b: c", "\"a\": \"b\" 1️⃣c\nd: e",
        "a: |1️⃣x\n  foo", "a: 1️⃣!x!y z", "a: [b, 1️⃣, c]", "1️⃣%YAML 3.0\n---\na: b",
    ])
    func `points at whatever else is not YAML`(marked: String) {
        expectEnd(marked, "yaml-syntax")
    }

    @Test func `points at both of two equal keys`() throws {
        let marked = MarkedText("entrain: 1\ncomment: a\n1️⃣comment: b")
        let found = try #require(parse(marked.text).diagnostics.first { $0.code == .duplicateKey })
        #expect(found.range.start == marked.places["1️⃣"])
        #expect(found.note?.range.start == SourcePlace(line: 2, column: 1))
        #expect(found.message == "'comment' is given twice, first in line 2")
    }

    @Test func `an explicit key wins over a merged one, an earlier merge over a later`() {
        let parsed = parse(
            study(
                """
                - &a {type: instruction, identifier: a, title: A, text: X}
                - &b {type: instruction, identifier: b, title: B, text: Y, detail: D}
                - {identifier: c, <<: [*a, *b], text: Z}
                """))
        let step = parsed.study?.tasks[0].steps[2]
        #expect(step?.title == .plain("A") && step?.text == .plain("Z") && step?.detail == .plain("D"))
    }

    @Test func `accepts a byte order mark, line ends of all kinds and a document marker`() {
        let text = study("- {type: instruction, identifier: a}")
        let windows = String(text.flatMap { $0 == "\n" ? "\r\n" : String($0) })
        for variant in ["\u{FEFF}" + text, windows, "---\n" + text + "\n...\n"] {
            #expect(parse(variant).diagnostics.isEmpty)
        }
    }

    @Test func `counts columns in characters and lines as editors do`() {
        expectDiagnostics(
            study("- {type: instruction, identifier: a, title: 'é👍🏽 2️⃣\u{2028} 日本', 1️⃣titel: x}"),
            ["1️⃣": "'titel' means nothing here", "2️⃣": "other-readers"], library: .sample)
    }

    @Test(
        arguments: zip(
            [
                [0x61, 0xFF], [0xFF, 0xFE, 0x61, 0x00], [0x61, 0x3A, 0x20, 0xC3, 0x28], [0xED, 0xA0, 0x80],
                [0x0A, 0xF0, 0x9F], [0x00, 0x65, 0x00, 0x6E], [0x65, 0x00, 0x6E, 0x00],
            ],
            [(1, 2), (1, 1), (1, 4), (1, 1), (2, 1), (1, 1), (1, 1)]) as Zip2Sequence<[[UInt8]], [(Int, Int)]>
    )
    func `points at the first byte that is not UTF-8`(bytes: [UInt8], place: (Int, Int)) {
        let found = ParsedStudy(bytes, named: "study.yaml", library: .sample).diagnostics
        #expect(found.map(\.code) == [.notUTF8])
        #expect(found.first?.range.start == SourcePlace(line: place.0, column: place.1))
    }

    @Test(arguments: ["\u{0}", "\u{7}", "\u{7F}", "\u{85}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{FFFE}"])
    func `points at a control character`(character: String) {
        expectDiagnostics(
            "entrain: 1\n# a 1️⃣\(character) b\n\(study("- {type: instruction, identifier: a}").dropFirst(11))",
            ["1️⃣": "control-character"], library: .sample)
    }

    @Test(arguments: [" \t", "\t ", "  \t# words"])
    func `a line of blanks with a tab is told where it stands`(line: String) {
        let text = study("- {type: instruction, identifier: a}").replacing("tasks:", with: "\(line)\ntasks:")
        let found = parse(text).diagnostics
        #expect(found.map(\.code.rawValue).contains("tab-indentation"), "\(found)")
    }

    @Test(arguments: ["", " \n", "# only words\n", "---\n", "---\n...\n", "null\n", "[]\n", "word\n"])
    func `an empty or odd file is an error, not a crash`(text: String) {
        let parsed = parse(text)
        #expect(parsed.study == nil && parsed.diagnostics.count == 1)
    }
}

/// Expects the reading to end with that mistake at the mark `1️⃣`; mistakes in lines before are welcome.
private func expectEnd(
    _ marked: String, _ code: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    let marked = MarkedText(marked)
    let found = parse(marked.text).diagnostics
    #expect(found.last?.code.rawValue == code, sourceLocation: sourceLocation)
    #expect(found.last?.range.start == marked.places["1️⃣"], sourceLocation: sourceLocation)
    let line = found.last?.range.start.line ?? 1
    #expect(found.dropLast().allSatisfy { $0.range.end.line < line }, sourceLocation: sourceLocation)
}
