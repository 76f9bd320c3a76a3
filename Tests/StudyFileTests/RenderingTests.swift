import StudyFile
import Testing

@Suite struct RenderingTests {
    @Test func `diagnostics look as they always did`() throws {
        try expectGolden(parse(faultyStudy).diagnostics.rendered(isColoured: false), "diagnostics.txt")
        try expectGolden(parse(faultyStudy).diagnostics.rendered(isColoured: true), "diagnostics.ansi.txt")
        try expectGolden(parse(faultyStudy).diagnostics.json + "\n", "diagnostics.json")
    }

    @Test func `no diagnostics are nothing to show`() {
        #expect([Diagnostic]().rendered(isColoured: true).isEmpty && [Diagnostic]().json == "[]")
    }

    @Test func `counts errors and warnings`() {
        let all = [
            diagnostic("a", 1..<2), diagnostic("a", 1..<2),
            Diagnostic(
                .warning, .unknownWord, "m", file: "f", range: range(1..<2), sourceLine: SourceLine("a")),
        ]
        #expect(all.rendered(isColoured: false).hasSuffix("\n2 errors, 1 warning\n"))
    }

    @Test(arguments: [
        ("a\tb", 3..<4, "a    b", "     ^"), ("日本x", 3..<4, "日本x", "    ^"), ("日本x", 1..<3, "日本x", "^^^^"),
        ("e\u{301}x", 3..<4, "e\u{301}x", " ^"), ("\u{1B}[2Jx", 5..<6, "\\u{1b}[2Jx", "         ^"),
        ("\u{202E}x", 2..<3, "\\u{202e}x", "        ^"), ("abc", 4..<4, "abc", "   ^"),
        ("abc", 9..<12, "abc", "   ^"),
    ])
    func `the caret stands below what it means`(
        line: String, columns: Range<Int>, shown: String, caret: String
    ) {
        let lines = diagnostic(line, columns).rendered(isColoured: false).split(separator: "\n")
        #expect(lines[3] == "1 | \(shown)")
        #expect(lines[4] == "  | \(caret)")
    }

    @Test(arguments: [1, 50, 5_000, 9_998])
    func `a long line is cut to what matters`(column: Int) throws {
        let text = "comment: " + String(repeating: "x", count: 9_989) + "1️⃣"
        let cut = String(text.unicodeScalars.prefix(9_998).map(Character.init))
        let parsed = parse(cut).diagnostics
        let shown = parsed.rendered(isColoured: false).split(separator: "\n")
        #expect(shown.allSatisfy { $0.unicodeScalars.count <= 200 })
        let window = diagnostic(cut, column..<(column + 3)).rendered(isColoured: false).split(separator: "\n")
        #expect(window[3].unicodeScalars.count <= 130)
        #expect(window[4].filter { $0 == "^" }.count == (column == 9_998 ? 1 : 3))
    }

    @Test func `nothing of a study reaches the terminal raw`() {
        let message = Diagnostic(
            .error, .unknownKey, "a\u{1B}b", file: "f\u{7}", range: range(1..<2),
            sourceLine: SourceLine("\u{9B}x"),
            help: "c\u{1B}\nd")
        let text = message.rendered(isColoured: false)
        #expect(
            !text.unicodeScalars.contains { $0 != "\n" && ($0.value < 32 || (127..<160).contains($0.value)) })
        #expect([message].json.contains(#""a\u001bb""#))
    }

    private func range(_ columns: Range<Int>) -> SourceRange {
        SourceRange(
            start: SourcePlace(line: 1, column: columns.lowerBound),
            end: SourcePlace(line: 1, column: columns.upperBound))
    }

    private func diagnostic(_ line: String, _ columns: Range<Int>) -> Diagnostic {
        Diagnostic(.error, .unknownKey, "m", file: "f", range: range(columns), sourceLine: SourceLine(line))
    }
}

/// One mistake of each of several shapes.
private let faultyStudy = """
    entrain: 1
    study: {identifier: music, title: Music, title: Again}
    sources:
      heart: {type: bluetoth}
    stimuli:
      clips: {catalogue: broken.yaml}
    tasks:
      - identifier: Task
        steps:
          - {type: instuction, identifier: hello}
          - type: active
            identifier: listen
            duration: 30 fortnights
            recorder: heartRate
            stimulus: {from: clipz, draw: random}
          - {type: instruction, identifier: listen, title: {en: Now, fr: 日本 maintenant}, text: {en: Wait}}
    """
