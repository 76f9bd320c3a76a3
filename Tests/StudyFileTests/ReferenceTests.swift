import StudyFile
import StudyModel
import StudyTesting
import Testing

@Suite struct ReferenceTests {
    @Test func `what is wrong in a catalogue is shown in the catalogue`() {
        let parsed = ParsedStudy(
            Array(
                study("- {type: instruction, identifier: a}", head: "stimuli: {s: {catalogue: broken.yaml}}")
                    .utf8),
            named: "Studies/study.yaml", library: .sample)
        #expect(parsed.diagnostics.map(\.code) == [.missingFile, .duplicateIdentifier])
        #expect(parsed.diagnostics.map(\.file) == ["Studies/broken.yaml", "Studies/broken.yaml"])
        #expect(
            parsed.diagnostics.map(\.range.start) == [
                SourcePlace(line: 4, column: 32), SourcePlace(line: 5, column: 18),
            ])
    }

    @Test func `only clips that can be played need their files`() {
        let text = study(
            "- {type: instruction, identifier: a}", head: "stimuli: {s: {catalogue: c.yaml, pool: [here]}}")
        let catalogue =
            "entrain: 1\nclips: [{identifier: here, file: here.wav}, {identifier: gone, file: absent.wav}]"
        let library = Library(text: { _ in .success(Array(catalogue.utf8)) }, media: Library.sample.media)
        #expect(ParsedStudy(Array(text.utf8), named: "s", library: library).diagnostics.isEmpty)
    }

    @Test(arguments: [
        ("gone.yaml", DiagnosticCode.missingFile), ("folder", .unreadableFile),
        ("secret.yaml", .unreadableFile),
        ("large.yaml", .unreadableFile), ("../../x.yaml", .outsideLibrary), ("/etc/passwd", .outsideLibrary),
        ("~/x.yaml", .outsideLibrary), ("'a\\b.yaml'", .outsideLibrary),
    ])
    func `a catalogue that cannot be had is shown where it is named`(path: String, code: DiagnosticCode) {
        expectDiagnostics(
            study(
                "- {type: active, identifier: a, duration: 1 s, stimulus: {from: s, draw: random}}",
                head: "stimuli: {s: {catalogue: 1️⃣\(path), pool: [x]}}"),
            ["1️⃣": code.rawValue], library: .sample)
    }

    @Test func `finds every kind of dangling name`() {
        expectDiagnostics(
            """
            entrain: 1
            study: {identifier: s, title: T}
            sources: {strap: {type: simulated}}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: Task
                recorders: [{type: heartRate, identifier: r, from: 1️⃣hear1, to: mood}]
                steps:
                  - {type: active, identifier: hear, duration: 9 s, stimulus: {play: 2️⃣chill_9}, recorders: [{type: heartRate, identifier: h, source: 3️⃣strab}]}
                  - {type: question, identifier: mood, answer: {boolean: {}}, goTo: [{answer: 4️⃣mode, is: eq, value: true, target: 5️⃣heer}]}
                  - {type: block, identifier: b, forEach: 6️⃣clip, steps: [{type: instruction, identifier: i}]}
                  - {type: instruction, identifier: j, goTo: 7️⃣i}
                  - {type: completion, identifier: end}
            """,
            [
                "1️⃣": "unknown-step", "2️⃣": "unknown-clip", "3️⃣": "unknown-source", "4️⃣": "unknown-question",
                "5️⃣": "unknown-target", "6️⃣": "unknown-set", "7️⃣": "unknown-target",
            ], library: .sample)
    }

    @Test(arguments: [
        ("", "{heartRate: 1️⃣sit, is: gt, value: 90}", "no-recorder"),
        (
            "recorders: [{type: heartRate, identifier: h, source: strap}], ",
            "{heartRate: 1️⃣sit, is: gt, value: 90}", "no-recorder"
        ),
        (
            "recorders: [{type: heartRate, identifier: h}], ", "{soundLevel: 1️⃣sit, is: gt, value: 0.4}",
            "no-recorder"
        ),
        ("recorders: [{type: heartRate, identifier: h}], ", "{heartRate: sit, is: gt, value: 90}", nil),
        ("recorders: [{type: audio, identifier: a}], ", "{soundLevel: sit, is: gt, value: 0.4}", nil),
    ])
    func `a rule looks only at what is recorded`(recorders: String, rule: String, code: String?) {
        expectDiagnostics(
            study(
                "- {type: active, identifier: sit, \(recorders)duration: 9 s}\n- {type: instruction, identifier: i, skipIf: \(rule)}",
                head: "sources: {strap: {type: simulated}}"),
            code.map { ["1️⃣": $0] } ?? [:], library: .sample)
    }

    @Test(arguments: [
        ("sit", "sit", true), ("other", "other", false), ("other", "sit", false), ("sit", "other", true),
    ])
    func `a recorder of the task serves the rules about its steps`(from: String, to: String, isKept: Bool) {
        let text = study(
            """
            - {type: active, identifier: sit, duration: 9 s}
            - {type: active, identifier: other, duration: 9 s}
            - {type: instruction, identifier: i, skipIf: {heartRate: sit, is: gt, value: 90}}
            """
        ).replacing(
            "    steps:",
            with: "    recorders: [{type: heartRate, identifier: h, from: \(from), to: \(to)}]\n    steps:")
        #expect(parse(text).diagnostics.contains { $0.code == .noRecorder } != isKept)
    }

    @Test(arguments: [
        (
            "- {type: 1️⃣questio, identifier: q}\n- {type: instruction, identifier: i, skipIf: {answer: q, is: eq, value: 1}}",
            "unknown-type"
        ),
        (
            "- {type: block, identifier: b, 1️⃣foreach: s, steps: [{type: active, identifier: a, duration: 9 s, stimulus: {from: s}}]}",
            "unknown-key"
        ),
        (
            "- {type: block, identifier: b, forEach: 1️⃣t, steps: [{type: active, identifier: a, duration: 9 s, stimulus: {from: s}}]}",
            "unknown-set"
        ),
        (
            "- {type: block, identifier: b, forEach: s, order: {draw: 1️⃣shufle, maximumRun: {of: mood, length: 2}}, steps: [{type: instruction, identifier: a}]}",
            "unknown-word"
        ),
        (
            "- {type: question, identifier: q, maximumVisits: 1️⃣three, answer: {boolean: {}}, goTo: {answer: q, is: eq, value: false, target: q}}",
            "wrong-type"
        ),
        (
            "- {type: active, identifier: a, duration: 9 s, recorders: [{type: 1️⃣heartrate, identifier: h}], goTo: {heartRate: a, is: gt, value: 90, target: end}}",
            "unknown-type"
        ),
    ])
    func `what cannot be read has no further consequences`(steps: String, code: String) {
        expectDiagnostics(
            study(steps, head: "stimuli: {s: {catalogue: clips.yaml}}"), ["1️⃣": code], library: .sample)
    }

    @Test func `questions of one name may be asked again, with the same kind of answer`() {
        let again = "- {type: form, identifier: f, questions: [{identifier: q, answer: {boolean: {}}}]}"
        let rule = "- {type: instruction, identifier: i, skipIf: {answer: q, is: eq, value: true}}"
        let text = study(
            "\(again)\n- {type: form, identifier: g, questions: [{identifier: q, answer: {boolean: {}}}]}\n\(rule)"
        )
        #expect(parse(text).diagnostics.isEmpty)
    }

    @Test(arguments: [
        ("scale: {from: 1, to: 9}", "eq", "10"), ("scale: {from: 1, to: 9}", "eq", "2.5"),
        ("scale: {from: 1, to: 9}", "eq", "\"3\""), ("boolean: {}", "eq", "yes"),
        ("boolean: {}", "lt", "true"),
        ("choice: [a, b]", "eq", "c"), ("choice: [a, b]", "gt", "a"), ("text: {}", "le", "a"),
        ("date: {}", "eq", "2026-02-30"),
        ("timeOfDay: {}", "eq", "25:00"), ("number: {min: 18}", "lt", "17"),
        ("continuous: {from: 0, to: 1}", "eq", "x"),
    ])
    func `a condition compares only what an answer can be`(format: String, comparison: String, value: String)
    {
        let parsed = parse(
            study(
                "- {type: question, identifier: q, answer: {\(format)}, goTo: {answer: q, is: \(comparison), value: \(value), target: end}}"
            ))
        #expect(parsed.diagnostics.map(\.code) == [.conditionValue])
    }

    @Test func `a loop with a limit may go on behind it`() {
        expectDiagnostics(
            study(
                """
                - {type: instruction, identifier: a, maximumVisits: 3}
                - {type: instruction, identifier: b, maximumVisits: 3, goTo: a}
                - {type: instruction, identifier: c}
                """), [:], library: .sample)
    }

    @Test func `a step that rules may leave out does not always lead elsewhere`() {
        expectDiagnostics(
            study(
                """
                - {type: question, identifier: q, answer: {boolean: {}}}
                - {type: instruction, identifier: a, skipIf: {answer: q, is: eq, value: true}, goTo: c}
                - {type: instruction, identifier: b}
                - {type: instruction, identifier: c}
                - {type: instruction, identifier: d, goTo: f}
                - {type: instruction, identifier: 1️⃣e}
                - {type: instruction, identifier: f}
                """), ["1️⃣": "unreachable-step"], library: .sample)
    }

    @Test func `a mistake that an alias repeats is said once`() {
        expectDiagnostics(
            study(
                """
                - {type: active, identifier: a, duration: 1️⃣&d 30 h}
                - {type: active, identifier: b, duration: *d}
                """), ["1️⃣": "duration-format"], library: .sample)
    }
}
