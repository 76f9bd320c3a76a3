import StudyFile
import StudyModel
import StudyTesting
import Testing

/// How a study says that its arms are allocated, and what cannot work.
@Suite struct AllocationDecodingTests {
    private static let commitment = String(repeating: "0a", count: 32)

    private static func text(_ allocation: String, _ steps: String, arms: String = "[music, quiet]") -> String
    {
        study(steps, head: "arms: \(arms)\nallocation: {\(allocation), commitment: \(commitment)}")
    }

    private static let asked = """
        - {type: question, identifier: sex, title: Sex, answer: {choice: [female, male]}}
        - {type: allocation, identifier: arm}
        """

    @Test func `reads every method`() throws {
        let methods: [(String, Allocation)] = [
            ("method: simple", Allocation(.simple)),
            ("method: blocks, blocks: [4, 6], stratify: [sex]", Allocation(.blocks([4, 6]), by: ["sex"])),
            (
                "method: minimisation, factors: [{question: sex, weight: 3}], imbalance: variance, probability: 0.7, burnIn: 5",
                Allocation(
                    .minimisation(.init(weights: [3], usesVariance: true, probability: 0.7, burnIn: 5)),
                    by: ["sex"])
            ),
            (
                "method: minimisation, factors: [sex]",
                Allocation(.minimisation(.init(weights: [1], probability: 0.8)), by: ["sex"])
            ),
            ("method: blocks, blocks: hidden", Allocation(.blocks([]))),
            ("method: list", Allocation(.list)),
            ("method: list, stratify: [sex]", Allocation(.list, by: ["sex"])),
        ]
        for (text, expected) in methods {
            let parsed = parse(Self.text(text, Self.asked))
            #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
            var wanted = expected
            wanted.commitment = Self.commitment
            #expect(parsed.study?.allocation == wanted)
            #expect(parsed.study?.tasks[0].steps[1].kind == .allocation)
        }
    }

    @Test func `what the study says for all tasks differs in no arm`() {
        let text = Self.text("method: simple", Self.asked).replacing(
            "title: T}", with: "title: T, audio: required, resume: {within: 24 h}}")
        let parsed = parse(text)
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        #expect(parsed.study?.arms.map(\.tasks[0].resume?.within) == [.seconds(86_400), .seconds(86_400)])
        #expect(parsed.study?.tasks[0].isAudioRequired == true)
    }

    @Test func `arms have titles and ratios`() throws {
        let parsed = parse(
            Self.text(
                "method: blocks, blocks: [3]", Self.asked,
                arms: "[{identifier: music, title: With music, ratio: 2}, quiet]"))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        #expect(parsed.study?.arms.map(\.ratio) == [2, 1])
        #expect(parsed.study?.arms.map(\.title) == [.plain("With music"), nil])
    }

    @Test(arguments: [
        ("method: blocks, blocks: [4, 1️⃣5]", "allocation-design"),
        ("method: blocks, blocks: [1️⃣1]", "out-of-range"),
        ("method: 1️⃣blocks", "missing-key"),
        ("method: simple, 1️⃣stratify: [sex]", "conflicting-keys"),
        ("method: blocks, blocks: [4], 1️⃣burnIn: 3", "conflicting-keys"),
        ("method: list, 1️⃣blocks: [4]", "conflicting-keys"),
        ("method: list, stratify: [1️⃣slot]", "allocation-design"),
        ("method: 1️⃣coin", "unknown-word"),
        ("method: blocks, blocks: [4], stratify: [1️⃣age]", "allocation-design"),
        ("method: blocks, blocks: [4], stratify: [1️⃣gender]", "unknown-question"),
        ("method: blocks, blocks: [4], stratify: [1️⃣late]", "allocation-order"),
        ("method: blocks, blocks: [4], stratify: [sex, 1️⃣sex]", "duplicate-identifier"),
        ("method: minimisation, probability: 1️⃣0.2", "out-of-range"),
    ])
    func `names what cannot work in the design`(allocation: String, code: String) {
        expectDiagnostics(
            Self.text(
                allocation,
                """
                - {type: question, identifier: sex, title: Sex, answer: {choice: [female, male]}}
                - {type: question, identifier: age, title: Age, answer: {number: {}}}
                - {type: question, identifier: slot, title: Slot, answer: {boolean: {}}}
                - {type: allocation, identifier: arm}
                - {type: question, identifier: late, title: Late, answer: {boolean: {}}}
                """), ["1️⃣": code], library: .sample)
    }

    private static let arms = "[{identifier: a, values: {word: x}}, {identifier: b, values: {word: y}}]"

    @Test(arguments: [
        ("- {type: allocation, identifier: 1️⃣arm, optional: true}", "allocation-step"),
        (
            "- {type: allocation, identifier: arm}\n- {type: allocation, identifier: 1️⃣again}",
            "allocation-step"
        ),
        (
            "- {type: block, identifier: b, repeat: 2, steps: [{type: 1️⃣allocation, identifier: in}]}\n- {type: allocation, identifier: arm}",
            "allocation-step"
        ),
        (
            "- {type: instruction, identifier: i, text: '{word}'}\n- {type: allocation, identifier: 1️⃣arm}",
            "allocation-order"
        ),
        (
            "- {type: instruction, identifier: i, skipIf: {arm: a}}\n- {type: allocation, identifier: 1️⃣arm}",
            "allocation-order"
        ),
        (
            "- {type: question, identifier: q, answer: {boolean: {}}, goTo: {answer: q, is: eq, value: true, target: later}}\n"
                + "- {type: allocation, identifier: 1️⃣arm}\n- {type: instruction, identifier: later}",
            "allocation-order"
        ),
        (
            "- {type: allocation, identifier: 1️⃣arm}\n- {type: consent, identifier: c, document: I agree to all of this.}",
            "allocation-order"
        ),
    ])
    func `names what cannot work around the step`(steps: String, code: String) {
        expectDiagnostics(
            Self.text("method: simple", steps, arms: Self.arms), ["1️⃣": code], library: .sample)
    }

    @Test func `what follows the allocation may differ, and who is screened out goes past it`() {
        let parsed = parse(
            Self.text(
                "method: simple",
                """
                - {type: question, identifier: q, answer: {boolean: {}}, goTo: {answer: q, is: eq, value: true, target: out}}
                - {type: allocation, identifier: arm}
                - {type: instruction, identifier: i, text: '{word}', goTo: end}
                - {type: completion, identifier: out, reason: screenedOut}
                """, arms: Self.arms))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
    }

    @Test(arguments: [("before", "1️⃣"), ("after", "")])
    func `music of an arm begins behind the allocation`(from: String, place: String) {
        let text = """
            entrain: 1
            study: {identifier: s, title: T}
            stimuli: {clips: {catalogue: clips.yaml}}
            arms: [{identifier: a, values: {song: chill_1}}, {identifier: b, values: {song: dark_1}}]
            allocation: {method: simple, commitment: \(Self.commitment)}
            tasks:
              - identifier: Task
                music: [{identifier: m, from: \(from), to: after, stimulus: {play: $song, loop: true}}]
                steps:
                  - {type: instruction, identifier: before, title: Hello}
                  - {type: allocation, identifier: \(place)arm}
                  - {type: instruction, identifier: after, title: Listen}
                  - {type: completion, identifier: end}
            """
        expectDiagnostics(text, place.isEmpty ? [:] : ["1️⃣": "allocation-order"], library: .sample)
    }

    @Test func `a step needs the key, and the key a secret`() {
        expectDiagnostics(
            study("- {type: allocation, identifier: 1️⃣arm}", head: "arms: [a, b]"),
            ["1️⃣": "allocation-step"], library: .sample)
        expectDiagnostics(
            study(
                "- {type: allocation, identifier: arm}", head: "arms: [a, b]\nallocation: {method: 1️⃣simple}"),
            ["1️⃣": "no-commitment"], library: .sample)
        expectDiagnostics(
            study(
                "- {type: allocation, identifier: arm}",
                head: "allocation: {method: 1️⃣simple, commitment: \(Self.commitment)}"),
            ["1️⃣": "allocation-design"], library: .sample)
    }
}
