import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Files whose reading ends early: what stands before the end is told, what may still follow is not.
@Suite struct EarlyEndTests {
    @Test func `mistakes before a syntax error are told with it`() {
        expectDiagnostics(
            """
            entrain: 1
            study: {identifier: s, 1️⃣titel: T}
            2️⃣sorces: {}
            tasks:
              - identifier: Task
                steps:
                  - {type: 3️⃣activ, identifier: a, duration: 30 s}
                  - 4️⃣type: active
                    identifier: b
                  - type: active
                    identifier: 5️⃣b
                    duration: 6️⃣30
                    7️⃣recorder: x
                   8️⃣title: T
                    text: x
            """,
            [
                "1️⃣": "unknown-key", "2️⃣": "unknown-key", "3️⃣": "unknown-type", "4️⃣": "missing-key",
                "5️⃣": "duplicate-identifier", "6️⃣": "duration-format", "7️⃣": "unknown-key",
                "8️⃣": "bad-indentation",
            ], library: .sample)
    }

    @Test(arguments: [
        "1️⃣\ttitle: x", "title: 1️⃣\"x\n        text: y", "title: a1️⃣: b", "title: 1️⃣[a, b", "title: 1️⃣@x",
        "1️⃣title",
    ])
    func `what may still follow is not told`(lines: String) {
        let codes = ["tab-indentation", "unclosed-quote", "yaml-syntax", "unclosed-bracket"]
        let marked = MarkedText(
            """
            entrain: 1
            study: {identifier: s, title: T}
            tasks:
              - identifier: Task
                recorders:
                  - {type: heartRate, identifier: hr, source: strap, from: a, to: z}
                steps:
                  - {type: instruction, identifier: a, goTo: z, skipIf: {answer: q, is: eq, value: 1}}
                  - type: active
                    identifier: b
                    stimulus: {from: clips, draw: random}
                    recorders: []
                    \(lines)
            """)
        let found = parse(marked.text).diagnostics
        #expect(
            found.count == 1 && codes.contains(found.first?.code.rawValue ?? ""), "\(found.map(\.message))")
        #expect(found.first?.range.start == marked.places["1️⃣"])
    }

    @Test func `a group that only the broken line ends may still go on`() {
        expectDiagnostics(
            """
            entrain: 1
            study: {identifier: s, title: T}
            tasks:
              - identifier: Task
                steps:
                  - type: active
                    identifier: a
            duration: 301️⃣: s
            """, ["1️⃣": "yaml-syntax"], library: .sample)
    }

    @Test func `what a section that was read whole does not have is told`() {
        expectDiagnostics(
            """
            entrain: 1
            study: {identifier: s, title: T}
            sources: {strap: {type: simulated}}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: Task
                steps:
                  - {type: active, identifier: a, duration: 1 s, stimulus: {from: 1️⃣clip, draw: random}}
                  - type: instruction
                    identifier: b
                    recorders: [{type: heartRate, identifier: hr, source: 2️⃣strip}]
                  - 3️⃣]
            """, ["1️⃣": "unknown-set", "2️⃣": "unknown-source", "3️⃣": "yaml-syntax"], library: .sample)
    }

    @Test(arguments: [
        ("title: 2️⃣!!str x", "tag"), ("title: 2️⃣*none", "unknown-anchor"),
        ("\n2️⃣---\na: b", "several-documents"),
    ])
    func `other ends of the reading are no different`(lines: String, code: String) {
        expectDiagnostics(
            "entrain: 1\nstudy:\n  identifier: s\n  1️⃣titel: x\n  \(lines)",
            ["1️⃣": "unknown-key", "2️⃣": code], library: .sample)
    }

    /// Nothing is wrong with these studies but the line that is put in.
    @Test(
        arguments: Fixture.all("valid").filter {
            ["complete.yaml", "format-page.yaml", "goto-kinds.yaml", "merge.yaml"].contains(
                $0.testDescription)
        })
    func `wherever a study is cut, nothing untrue is told`(fixture: Fixture) throws {
        let lines = try fixture.text().split(separator: "\n", omittingEmptySubsequences: false)
        var cuts = 0
        for line in lines.indices {
            let indent = String(lines[line].prefix { $0 == " " })
            for broken in [
                "\t- x", indent + "@x", indent + (indent.isEmpty ? "\"x" : "- \"x"),
                String(indent.dropFirst()) + "a: b: c",
            ] {
                let text = (lines[..<line] + [Substring(broken)] + lines[line...]).joined(separator: "\n")
                let found = parse(text).diagnostics.map(\.code).filter { $0 != .otherReaders }
                guard let last = found.last, Self.ends.contains(last) else { continue }
                cuts += 1
                #expect(found.count == 1, "line \(line + 1), \(broken): \(found.map(\.rawValue))")
            }
        }
        #expect(cuts > lines.count)
    }

    private static let ends: Set<DiagnosticCode> = [
        .tabIndentation, .unclosedQuote, .unclosedBracket, .badIndentation, .yamlSyntax,
    ]

    @Test func `a catalogue that ends early does not hide the study's mistakes`() {
        let library = Library(
            text: { _ in .success(Array("entrain: 1\nclips:\n  - {identifer: a, file: a.wav}\n  - {".utf8)) },
            media: { _ in nil })
        let text = study(
            "- {type: active, identifier: a, duration: 1, stimulus: {from: clips, draw: random}}",
            head: "stimuli: {clips: {catalogue: clips.yaml}}")
        let found = ParsedStudy(Array(text.utf8), named: "study.yaml", library: library).diagnostics
        #expect(found.map(\.file) == ["study.yaml", "clips.yaml", "clips.yaml"])
        #expect(found.map(\.code) == [.durationFormat, .missingKey, .unclosedBracket])
    }
}
