import StudyFile
import StudyModel
import StudyTesting
import Testing

@Suite struct FieldTests {
    @Test(arguments: [
        ("30", "the unit is missing: write '30 s' for seconds, or '30 min' for minutes"),
        ("30s", "write '30 s'"),
        ("5 m", "write '5 min'"),
        ("2 hours", "write '120 min'"),
        ("1:30", "write '90 s' for minutes and seconds, or '90 min' for hours and minutes"),
        ("0,5 s", "write a point: '0.5 s'"),
        ("30 seconds", "write '30 s'"), ("1 h 30 min", "write '90 min'"), ("1 min 30.5 s", "write '90.5 s'"),
        (".5 s", "write '0.5 s'"), ("1.5e3 s", "write '1500 s'"), ("6 Minuten", "write '6 min'"),
        ("500 h", "write a duration of at most 1440 min (24 h)"),
        ("60\u{A0}s", "write '60 s' with plain characters: an ordinary space, ordinary quotes"),
        ("“60 s”", "write '60 s' with plain characters: an ordinary space, ordinary quotes"),
        ("fast", "write a number, a space and ms, s or min, such as '30 s'"),
    ])
    func `says how a duration is written`(text: String, help: String) {
        let found = parse(study("- {type: active, identifier: a, duration: '\(text)'}")).diagnostics
        #expect(found.map(\.code) == [.durationFormat] && found.first?.help == help)
        #expect(found.first?.range.start == SourcePlace(line: 7, column: 49))
    }

    @Test(
        arguments: zip(
            ["1 ms", "0.001 s", "0.1 s", "1.5 min", "1440 min", "86400 s"],
            [
                Duration.milliseconds(1), .milliseconds(1), .milliseconds(100), .seconds(90),
                .seconds(86_400),
                .seconds(86_400),
            ]))
    func `reads a duration exactly`(text: String, duration: Duration) {
        let parsed = parse(study("- {type: countdown, identifier: a, duration: \(text)}"))
        #expect(parsed.study?.tasks[0].steps[0].kind == .countdown(duration))
    }

    @Test(arguments: [
        ("\"30\"", DiagnosticCode.wrongType), ("0,5", .numberFormat), ("1:30", .numberFormat),
        ("0x10", .numberFormat),
        ("1_000", .numberFormat), (".nan", .numberFormat), ("nan", .numberFormat), ("inf", .numberFormat),
        ("30 years", .numberFormat), ("many", .wrongType), ("[1]", .wrongType), ("null", .missingValue),
        ("1e999", .outOfRange), ("-1e13", .outOfRange), ("true", .wrongType),
    ])
    func `reads numbers only`(text: String, code: DiagnosticCode) {
        expectDiagnostics(
            study("- type: question\n  identifier: q\n  answer:\n    number:\n      min: 1️⃣\(text)"),
            ["1️⃣": code.rawValue], library: .sample)
    }

    @Test func `reports every mistake of a file at once, each where it is`() {
        expectDiagnostics(
            """
            entrain: 1
            study: {identifier: 1️⃣my study, title: T, seed: 2️⃣-1, 3️⃣titel: x}
            sources: {h: {type: 4️⃣simulatd, restingRate: 60}}
            tasks:
              - identifier: Task
                steps:
                  - 5️⃣{type: active, duration: 6️⃣0 s, 7️⃣questions: []}
                  - {type: completion, identifier: end}
            """,
            [
                "1️⃣": "identifier-format", "2️⃣": "out-of-range", "3️⃣": "unknown-key", "4️⃣": "unknown-type",
                "5️⃣": "missing-key", "6️⃣": "out-of-range", "7️⃣": "misplaced-key",
            ], library: .sample)
    }

    @Test(arguments: [
        ("timr", "did you mean 'timer'?"), ("durration", "did you mean 'duration'?"),
        ("Title", "did you mean 'title'?"),
        ("recorder", "did you mean 'recorders'?"),
    ])
    func `suggests the key that was meant`(key: String, help: String) {
        let found = parse(study("- {type: active, identifier: a, duration: 1 s, \(key): x}")).diagnostics
        #expect(found.map(\.help) == [help])
    }

    @Test(arguments: [
        ("- {type: active, identifier: a, 1️⃣Duration: 9 s}", "duration"),
        ("- {1️⃣typ: instruction, identifier: a}", "type"),
        (
            "- {type: active, identifier: a, duration: 9 s, expected: {1️⃣point: [[0 s, 60], [9 s, 70]]}}",
            "points"
        ),
    ])
    func `a misspelt key is not called missing, too`(step: String, meant: String) {
        expectDiagnostics(study(step), ["1️⃣": "unknown-key"], library: .sample)
        let found = parse(study(step.filter { $0 != "1️⃣" })).diagnostics
        #expect(found.map(\.help) == ["did you mean '\(meant)'?"])
    }

    @Test func `an unknown type at the end may have been meant as the completion`() {
        let text = study("- {type: instruction, identifier: a}").replacing(
            "type: completion", with: "type: complete")
        #expect(parse(text).diagnostics.map(\.code) == [.unknownType])
    }

    @Test func `an expected curve ends with its step`() {
        expectDiagnostics(
            study(
                "- {type: active, identifier: a, duration: 9 s, expected: {points: [[0 s, 60], [9 s, 70], 1️⃣[10 s, 80], [11 s, 80]]}}"
            ),
            ["1️⃣": "this point is after the step's end"], library: .sample)
    }

    @Test func `shows how a missing key is written`() {
        let found = parse(study("- {type: question, identifier: q}")).diagnostics
        #expect(
            found.map(\.help) == ["add the key with its value, such as 'answer: {scale: {from: 1, to: 9}}'"])
    }

    @Test(arguments: ["interruption", "saveForLater"])
    func `keys to come are not yet supported anywhere`(key: String) {
        for text in [
            study("- {type: instruction, identifier: a, 1️⃣\(key): x}"),
            study("- {type: instruction, identifier: a}", head: "1️⃣\(key): x"),
            study("- {type: instruction, identifier: a}").replacing("Task\n", "Task\n    1️⃣\(key): x\n"),
        ] { expectDiagnostics(text, ["1️⃣": "not-yet-supported"], library: .sample) }
    }

    @Test(arguments: [
        ("EN", "en"), ("en_US", "en-US"), ("german", "de"), ("deu", "de"), ("jp", "ja"), ("frensh", "fr"),
    ])
    func `suggests the language that was meant`(tag: String, meant: String) {
        let found = parse(study("- {type: instruction, identifier: a, title: {\(tag): x}}")).diagnostics
        #expect(found.map(\.code) == [.unknownLanguage] && found.first?.help == "did you mean '\(meant)'?")
    }

    @Test(arguments: [
        "[A-Z", "a{2,1}", "(a", "*a(", "(a)\\1", "((a{1,255}){1,255}){1,255}",
        String(repeating: "(", count: 190),
        "a{99999999999999999999}", "a{,3}", "(?=a)", "[[.a.]]",
    ])
    func `refuses patterns that are none, or too much`(pattern: String) {
        expectDiagnostics(
            study("- {type: question, identifier: q, answer: {text: {pattern: 1️⃣'\(pattern)'}}}"),
            ["1️⃣": "pattern-format"], library: .sample)
    }
}

extension String {
    /// This text with the first occurrence of a piece replaced.
    fileprivate func replacing(_ piece: String, _ other: String) -> String {
        guard let range = self.firstRange(of: piece) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
