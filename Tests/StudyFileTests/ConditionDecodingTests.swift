import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Rules that ask more than one thing, and other things than answers.
@Suite struct ConditionDecodingTests {
    private static let head = "stimuli: {clips: {catalogue: clips.yaml}}"
    private static let steps = """
        - {type: question, identifier: q, optional: true, answer: {scale: {from: 1, to: 9}}}
        - {type: active, identifier: rest, duration: 30 s, recorders: [{type: heartRate, identifier: h}]}
        - {type: active, identifier: music, duration: 30 s, stimulus: {from: clips, draw: random}}
        - type: block
          identifier: b
          forEach: clips
          steps:
            - {type: active, identifier: piece, duration: 30 s, stimulus: {from: clips}}
            - {type: instruction, identifier: inner, skipIf: INNER}
        - {type: instruction, identifier: last, skipIf: RULE}
        """

    private static func text(_ rule: String, inner: String = "{answered: q}") -> String {
        study(steps.replacing("RULE", with: rule).replacing("INNER", with: inner), head: head)
    }

    private func rule(_ text: String) throws -> Navigation.Condition {
        let parsed = parse(Self.text(text))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        return try #require(parsed.study?.tasks[0].steps[4].navigation.skipIf.first)
    }

    @Test func `reads each kind of condition`() throws {
        let low = Navigation.Condition(subject: .answer("q"), comparison: .lt, value: .number(3))
        #expect(try rule("{answered: q}") == .isAnswered("q"))
        #expect(try rule("{not: {answer: q, is: lt, value: 3}}") == .not(low))
        #expect(
            try rule("{all: [{answered: q}, {any: [{answer: q, is: lt, value: 3}]}]}")
                == .all([.isAnswered("q"), .any([low])]))
        #expect(
            try rule("{run: session, is: ge, value: 2}")
                == .init(subject: .session, comparison: .ge, value: .number(2)))
        #expect(
            try rule("{clip: music, attribute: mood, is: ne, value: dark}")
                == .init(
                    subject: .clip(of: "music", attribute: "mood"), comparison: .ne, value: .text("dark")))
        #expect(
            try rule("{clip: b, attribute: tempo, is: lt, value: 80}").subjects
                == [.clip(of: "b", attribute: "tempo")])
        #expect(
            try rule("{clip: piece, is: eq, value: dark_1}")
                == .init(subject: .clip(of: "piece", attribute: nil), comparison: .eq, value: .text("dark_1"))
        )
        #expect(
            try rule("{heartRate: {last: 60 s, relativeTo: rest}, is: le, value: 5 bpm}")
                == .init(
                    subject: .heartRate(
                        .init(.last(.seconds(60)), relativeTo: .init(step: "rest", isShare: false))),
                    comparison: .le, value: .number(5)))
        #expect(
            try rule("{heartRate: {during: rest, relativeTo: rest}, is: gt, value: -10.5 %}")
                == .init(
                    subject: .heartRate(
                        .init(.during("rest"), relativeTo: .init(step: "rest", isShare: true))),
                    comparison: .gt, value: .number(-10.5)))
        #expect(
            try rule("{heartRate: {last: 30 s, measure: rmssd, relativeTo: rest}, is: gt, value: -5 ms}")
                == .init(
                    subject: .heartRate(
                        .init(
                            .last(.seconds(30)), variability: .rmssd,
                            relativeTo: .init(step: "rest", isShare: false))),
                    comparison: .gt, value: .number(-5)))
        #expect(
            try rule("{heartRate: {during: rest, measure: sdnn}, is: lt, value: 40 ms}")
                == .init(
                    subject: .heartRate(.init(.during("rest"), variability: .sdnn)), comparison: .lt,
                    value: .number(40)))
    }

    @Test(arguments: [
        ("{not: {answer: 1️⃣nobody, is: lt, value: 3}}", "unknown-question"),
        ("{all: [{answered: 1️⃣nobody}]}", "unknown-question"), ("{all: 1️⃣[]}", "empty-list"),
        ("{any: 1️⃣{answered: q}}", "wrong-type"), ("{not: 1️⃣q}", "wrong-type"),
        ("{answered: q, 1️⃣is: eq}", "missing-key"),
        ("{answered: q, 1️⃣answer: q, is: eq, value: 3}", "conflicting-keys"),
        ("{1️⃣run: session, is: ge}", "missing-key"),
        ("{run: 1️⃣sesion, is: ge, value: 2}", "unknown-word"),
        ("{run: session, is: ge, value: 1️⃣0}", "out-of-range"),
        ("{run: session, is: ge, value: 1️⃣2.5}", "wrong-type"),
        ("{run: 1️⃣round, is: eq, value: 1}", "misplaced-key"),
        ("{clip: 1️⃣q, is: eq, value: dark_1}", "no-clip"),
        ("{clip: 1️⃣musik, is: eq, value: dark_1}", "unknown-step"),
        ("{clip: music, is: eq, value: 1️⃣dark_9}", "condition-value"),
        ("{clip: music, attribute: 1️⃣moood, is: eq, value: dark}", "unknown-attribute"),
        ("{clip: music, attribute: mood, is: eq, value: 1️⃣drak}", "condition-value"),
        ("{clip: music, attribute: mood, is: 1️⃣lt, value: dark}", "condition-value"),
        ("{clip: music, attribute: tempo, is: lt, value: 1️⃣slow}", "condition-value"),
        ("{answer: q, is: lt, value: 3, 1️⃣attribute: mood}", "missing-key"),
        ("{heartRate: {last: 1️⃣61 min}, is: gt, value: 90}", "out-of-range"),
        ("{heartRate: 1️⃣{relativeTo: rest}, is: gt, value: 5 bpm}", "missing-key"),
        ("{heartRate: {last: 60 s, 1️⃣during: rest}, is: gt, value: 90}", "conflicting-keys"),
        ("{heartRate: {last: 60 s, relativeTo: rest}, is: gt, value: 1️⃣5}", "quantity-format"),
        ("{heartRate: {last: 60 s, relativeTo: rest}, is: gt, value: 1️⃣400 bpm}", "out-of-range"),
        ("{heartRate: {last: 60 s}, is: gt, value: 1️⃣5 bpm}", "condition-value"),
        ("{heartRate: {last: 60 s, measure: rmssd}, is: gt, value: 1️⃣40}", "quantity-format"),
        ("{heartRate: {last: 60 s, measure: rmssd}, is: gt, value: 1️⃣40 bpm}", "quantity-format"),
        ("{heartRate: {last: 60 s, measure: sdnn}, is: gt, value: 1️⃣4000 ms}", "out-of-range"),
        ("{heartRate: {last: 1️⃣5 s, measure: sdnn}, is: gt, value: 40 ms}", "out-of-range"),
        ("{heartRate: {last: 60 s, measure: 1️⃣hf}, is: gt, value: 40 ms}", "unknown-word"),
        (
            "{heartRate: {last: 60 s, measure: rmssd, relativeTo: rest}, is: gt, value: 1️⃣5 bpm}",
            "quantity-format"
        ),
        ("{heartRate: {during: 1️⃣music}, is: gt, value: 90}", "no-recorder"),
    ])
    func `finds a mistake at its place, with help`(rule: String, expected: String) throws {
        expectDiagnostics(Self.text(rule), ["1️⃣": expected], library: .sample)
        let found = parse(Self.text(rule).replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    @Test func `a round has as many as the block has`() {
        #expect(
            parse(Self.text("{answered: q}", inner: "{run: round, is: eq, value: 6}")).diagnostics.isEmpty)
        expectDiagnostics(
            Self.text("{answered: q}", inner: "{run: round, is: eq, value: 1️⃣7}"), ["1️⃣": "out-of-range"],
            library: .sample)
    }

    @Test func `the last seconds need a recorder somewhere`() {
        expectDiagnostics(
            study(
                "- {type: instruction, identifier: a, skipIf: {heartRate: {last: 1️⃣60 s}, is: gt, value: 90}}"),
            ["1️⃣": "no-recorder"], library: .sample)
    }

    /// A step that others come before, with cues.
    private static func text(cues: String) -> String {
        study(
            """
            - {type: active, identifier: rest, duration: 60 s, recorders: [{type: heartRate, identifier: h}]}
            - {type: active, identifier: practice, duration: 60 s, recorders: [{type: heartRate, identifier: h}], cues: [\(cues)]}
            - {type: active, identifier: later, duration: 60 s, recorders: [{type: heartRate, identifier: h}]}
            """)
    }

    @Test func `a cue can have a condition in place of a moment`() throws {
        let reward = "{heartRate: {last: 30 s, measure: rmssd, relativeTo: rest}, is: gt, value: 10 %}"
        let parsed = parse(Self.text(cues: "{countdown: 2}, {while: \(reward), bell: true, every: 500 ms}"))
        #expect(parsed.diagnostics.isEmpty)
        let steps = try #require(parsed.study?.tasks.first?.steps)
        let condition = Navigation.Condition(
            subject: .heartRate(
                .init(
                    .last(.seconds(30)), variability: .rmssd, relativeTo: .init(step: "rest", isShare: true))),
            comparison: .gt, value: .number(10))
        #expect(
            steps[1].active?.cues.last
                == Cue(moment: .whilst(condition, every: .milliseconds(500)), signal: .bell))
        #expect(steps[1].conditions == [condition])
    }

    @Test(arguments: [
        ("{while: {heartRate: {last: 9 s}, is: gt, value: 90}, bell: true, every: 1️⃣100 ms}", "out-of-range"),
        ("{while: 1️⃣{heartRate: rest, is: gt, value: 90}, bell: true}", "condition-value"),
        (
            "{while: {heartRate: {last: 9 s, relativeTo: 1️⃣later}, is: gt, value: 9 %}, bell: true}",
            "idle-rule"
        ),
        ("{while: {heartRate: {last: 9 s}, is: gt, value: 90}, 1️⃣at: 3 s, bell: true}", "conflicting-keys"),
        ("{at: 3 s, bell: true, 1️⃣every: 3 s}", "missing-key"), ("1️⃣{bell: true}", "missing-key"),
        ("{while: {heartRate: {last: 9 s}, is: 1️⃣gt, value: 300}, bell: true}", "idle-rule"),
    ])
    func `finds a mistake of a cue with a condition`(cue: String, expected: String) {
        expectDiagnostics(Self.text(cues: cue), ["1️⃣": expected], library: .sample)
    }
}
