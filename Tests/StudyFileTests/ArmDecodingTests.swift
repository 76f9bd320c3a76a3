import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Arms, and what their values make of a study.
@Suite struct ArmDecodingTests {
    private static func text(_ arms: String, _ steps: String, head: String = "") -> String {
        study(
            steps,
            head: "stimuli: {clips: {catalogue: clips.yaml}}\narms: \(arms)"
                + (head.isEmpty ? "" : "\n\(head)"))
    }

    private static let values = """

          - {identifier: music, values: {song: dark_1, wait: 20 s}}
          - {identifier: quiet, values: {song: dark_2, wait: 30 s}}
        """

    @Test func `values of an arm stand in steps and texts`() throws {
        let parsed = parse(
            Self.text(
                Self.values,
                "- {type: active, identifier: a, title: 'Wait {wait}', duration: $wait, stimulus: {play: $song}}"
            ))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let study = try #require(parsed.study)
        let steps = study.arms.map { $0.tasks[0].steps[0] }
        #expect(steps.map(\.title) == [.plain("Wait 20 s"), .plain("Wait 30 s")])
        let actives = steps.compactMap { if case .active(let active) = $0.kind { active } else { nil } }
        #expect(actives.map(\.duration) == [.seconds(20), .seconds(30)])
        let clips = actives.map { active -> Identifier? in
            if case .play(let clip) = active.stimulus?.choice { clip.identifier } else { nil }
        }
        #expect(clips == ["dark_1", "dark_2"])
        #expect(study.arms.map(study.inArm).map(\.tasks) == study.arms.map(\.tasks))
    }

    @Test func `each arm can go through conditions of its own, whose rows have its values`() throws {
        let parsed = parse(
            Self.text(
                "\n  - {identifier: a, values: {table: short, much: 7}}\n  - {identifier: b, values: {table: long, much: 8}}",
                """
                - type: block
                  identifier: b
                  forEach: $table
                  steps: [{type: instruction, identifier: i, text: 'Do it {times} times.'}]
                """,
                head: """
                    conditions:
                      short: {rows: [{identifier: one, times: 1}]}
                      long: {rows: [{identifier: one, times: $much}, {identifier: two, times: 2}]}
                    """))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let study = try #require(parsed.study)
        let blocks = study.arms.compactMap { arm -> Block? in
            if case .block(let block) = arm.tasks[0].steps[0].kind { block } else { nil }
        }
        #expect(
            blocks.map { $0.filled.map { $0[0].text } } == [
                [.plain("Do it 1 times.")], [.plain("Do it 8 times."), .plain("Do it 2 times.")],
            ])
        #expect(study.arms.map { $0.conditions[1].pool[0].attributes["times"] } == ["7", "8"])
    }

    @Test func `a rule asks for the arm`() throws {
        let parsed = parse(
            Self.text("[music, quiet]", "- {type: instruction, identifier: a, skipIf: {arm: quiet}}"))
        let rule = try #require(parsed.study?.tasks[0].steps[0].navigation.skipIf.first)
        #expect(rule == .init(subject: .arm, comparison: .eq, value: .text("quiet")))
    }

    @Test(arguments: [
        ("1️⃣[music]", "empty-list"), ("[music, 1️⃣music]", "duplicate-identifier"),
        ("[music, 1️⃣quiet room]", "identifier-format"), ("[music, 1️⃣{values: {}}]", "missing-key"),
        ("[1️⃣music, {identifier: b, values: {a: 1}}]", "missing-value"),
        (
            "[{identifier: a, values: {1️⃣answer.x: 1}}, {identifier: b, values: {answer.x: 1}}]",
            "attribute-name"
        ),
        ("[a, {identifier: b, 1️⃣share: 2}]", "unknown-key"),
    ])
    func `finds mistakes`(arms: String, code: String) {
        let marked = MarkedText(Self.text(arms, "- {type: instruction, identifier: a}"))
        let found = parse(marked.text).diagnostics
        #expect(
            found.contains { $0.code.rawValue == code && $0.range.start == marked.places["1️⃣"] },
            "\(found.rendered(isColoured: false))")
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    @Test(arguments: [("[music, quiet]", "muzic"), ("[a, b]", "music")])
    func `a rule names one of the arms`(arms: String, name: String) {
        expectDiagnostics(
            Self.text(arms, "- {type: instruction, identifier: a, skipIf: {arm: 1️⃣\(name)}}"),
            ["1️⃣": "unknown-arm"], library: .sample)
    }

    @Test func `a value of the wrong kind is reported where it stands`() throws {
        let arms = "\n  - {identifier: a, values: {wait: 20 s}}\n  - {identifier: b, values: {wait: soon}}"
        let found = parse(
            Self.text(arms, "- {type: active, identifier: a, duration: $wait}")
        ).diagnostics
        #expect(found.map(\.code) == [.durationFormat])
        #expect(found.first?.message.contains("soon") == true)
    }

    @Test func `a value is not called like that of a condition`() {
        let arms = "\n  - {identifier: a, values: {wait: 20 s}}\n  - {identifier: b, values: {wait: 30 s}}"
        let found = parse(
            Self.text(
                arms, "- {type: active, identifier: a, duration: $wait}",
                head: "conditions: {t: {rows: [{identifier: one, wait: 3 s}]}}")
        ).diagnostics
        #expect(found.contains { $0.code == .attributeName })
    }
}
