import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Orders that two blocks share, halves that are alike, and clips that participants choose.
@Suite struct SharedOrderDecodingTests {
    private static let head = "stimuli: {clips: {catalogue: clips.yaml}}"

    private static func blocks(_ second: String) -> String {
        study(
            """
            - type: block
              identifier: first
              forEach: clips
              order: {draw: shuffle, equalHalves: mood}
              steps: [{type: active, identifier: one, duration: 30 s, stimulus: {from: clips}}]
            - type: block
              identifier: second
              \(second)
              steps: [{type: active, identifier: two, duration: 30 s, stimulus: {from: clips, draw: fixed}}]
            """, head: head)
    }

    @Test func `reads a shared order and equal halves`() throws {
        let parsed = parse(Self.blocks("forEach: clips\n  order: {as: first}"))
        let orders = parsed.study?.tasks[0].steps.prefix(2).map { step in
            if case .block(let block) = step.kind { block.order } else { Block.Order.fixed }
        }
        #expect(orders == [.shuffle([.equalHalves(attribute: "mood")]), .sameAs("first")])
    }

    @Test(arguments: [
        ("forEach: clips\n  order: {as: 1️⃣frist}", "unknown-step"),
        ("forEach: clips\n  order: {as: 1️⃣second}", "unknown-step"),
        ("forEach: clips\n  repeat: 2\n  order: {as: 1️⃣first}", "conflicting-keys"),
        ("forEach: clips\n  order: {as: first, 1️⃣draw: shuffle}", "conflicting-keys"),
        ("forEach: clips\n  order: {as: first, 1️⃣equalHalves: mood}", "conflicting-keys"),
        ("forEach: clips\n  order: {draw: shuffle, equalHalves: 1️⃣moood}", "unknown-attribute"),
    ])
    func `finds a mistake of an order at its place, with help`(second: String, expected: String) {
        expectDiagnostics(Self.blocks(second), ["1️⃣": expected], library: .sample)
        let found = parse(Self.blocks(second).replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    private static func choice(_ play: String, values: String = "dark_1, chill_1", more: String = "")
        -> String
    {
        let choices = values.split(separator: ", ").map { "{value: \($0), text: Piece}" }
        return study(
            """
            - {type: question, identifier: q, answer: {scale: {from: 1, to: 9}}}
            - {type: question, identifier: favourite, \(more)title: Which one, answer: {choice: [\(choices.joined(separator: ", "))]}}
            - {type: active, identifier: music, duration: 30 s, stimulus: {play: \(play)}}
            - {type: question, identifier: later, answer: {choice: [{value: dark_1, text: Piece}, {value: chill_1, text: B}]}}
            """, head: head)
    }

    @Test func `reads a clip that is chosen`() throws {
        let parsed = parse(Self.choice("{answer: favourite, from: clips, otherwise: dark_1}"))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        guard case .active(let active) = parsed.study?.tasks[0].steps[2].kind else {
            Issue.record("no timed step")
            return
        }
        #expect(
            active.stimulus?.choice == .answered(question: "favourite", set: "clips", otherwise: "dark_1"))
    }

    @Test(arguments: [
        ("{answer: 1️⃣favorite, from: clips}", "unknown-question"),
        ("{answer: 1️⃣q, from: clips}", "condition-value"),
        ("{answer: 1️⃣later, from: clips}", "unknown-question"),
        ("{answer: favourite, from: 1️⃣clps}", "unknown-set"),
        ("{answer: favourite, from: clips, otherwise: 1️⃣drak_1}", "unknown-clip"),
        ("1️⃣{answer: favourite}", "missing-key"),
    ])
    func `finds a mistake of a chosen clip at its place, with help`(play: String, expected: String) {
        expectDiagnostics(Self.choice(play), ["1️⃣": expected], library: .sample)
        let found = parse(Self.choice(play).replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    @Test func `every choice must be a clip`() {
        expectDiagnostics(
            Self.choice("{answer: 1️⃣favourite, from: clips}", values: "dark_1, loud_1"),
            ["1️⃣": "unknown-clip"], library: .sample)
    }

    @Test func `a question that can be passed over wants another clip`() throws {
        let text = Self.choice("{answer: 1️⃣favourite, from: clips}", more: "optional: true, ")
        expectDiagnostics(text, ["1️⃣": "no-clip"], library: .sample)
        let finding = try #require(parse(text.replacing("1️⃣", with: "")).diagnostics.first)
        #expect(finding.severity == .warning && finding.fix.isEmpty)
        #expect(finding.help?.contains("such as 'otherwise: chill_1'") == true)
    }
}
