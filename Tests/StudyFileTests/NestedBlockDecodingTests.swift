import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Blocks within blocks, insertions, and studies of several tasks.
@Suite struct NestedBlockDecodingTests {
    private static let head = """
        stimuli: {clips: {catalogue: clips.yaml}}
        conditions:
          tempi: {rows: [{identifier: slow, tempo: 60, wait: 20 s}, {identifier: fast, tempo: 120, wait: 10 s}]}
          loud: {rows: [{identifier: soft, level: -9 dB}, {identifier: full, level: 0 dB, tempo: 1}]}
        """

    private static func text(_ inner: String, more: String = "") -> String {
        study(
            """
            - type: block
              identifier: outer
              forEach: tempi
              order: {draw: shuffle}
              steps:
                - {type: instruction, identifier: page, title: "At {tempo}"}
                - type: block
                  identifier: inner
                  forEach: loud
                  order: {draw: shuffle, firstOf: soft}
                  steps: [\(inner)]
            \(more)
            """, head: head)
    }

    @Test func `values of both rounds stand in the inner steps, those of the inner one first`() throws {
        let parsed = parse(
            Self.text(
                "{type: active, identifier: hear, title: \"{id} {tempo} {wait}\", duration: $wait, stimulus: {play: dark_1, gain: $level}}"
            ))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        guard case .block(let outer) = parsed.study?.tasks[0].steps[0].kind else {
            Issue.record("no block")
            return
        }
        let read = outer.filled.map { steps -> [String] in
            guard case .block(let inner) = steps[1].kind else { return [] }
            return inner.filled.flatMap { $0 }.map { step in
                guard case .active(let active) = step.kind else { return "" }
                return "\(step.title?.text(in: nil) ?? "") \(active.duration)"
            }
        }
        #expect(
            read == [
                ["soft 60 20 s 20.0 seconds", "full 1 20 s 20.0 seconds"],
                ["soft 120 10 s 10.0 seconds", "full 1 10 s 10.0 seconds"],
            ])
    }

    @Test func `an inner block has as many rounds, and the table, that the outer round says`() throws {
        let text = study(
            """
            - type: block
              identifier: outer
              forEach: lists
              steps:
                - type: block
                  identifier: practice
                  repeat: $trials
                  steps: [{type: instruction, identifier: go, title: "{list}"}]
                - type: block
                  identifier: inner
                  forEach: $list
                  steps: [{type: active, identifier: look, title: "{word} {trials}", duration: $wait}]
            """,
            head: """
                conditions:
                  lists: {rows: [{identifier: x, trials: 2, list: short}, {identifier: y, trials: 3, list: long}]}
                  short: {rows: [{identifier: p, word: one, wait: 1 s}]}
                  long: {rows: [{identifier: q, word: two, wait: 2 s}, {identifier: r, word: three, wait: 3 s}]}
                """)
        let parsed = parse(text)
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let rounds = try #require(parsed.study?.tasks[0].steps[0].block).filled
        let inner = rounds.map { steps in
            (
                steps[0].block?.repetitions, steps[1].block?.set,
                steps[1].block?.filled.flatMap(\.self).map {
                    "\($0.title?.text(in: nil) ?? "") \($0.active?.duration.components.seconds ?? 0)"
                }
            )
        }
        #expect(inner[0].0 == 2 && inner[0].1 == "short" && inner[0].2 == ["one 2 1"])
        #expect(inner[1].0 == 3 && inner[1].1 == "long" && inner[1].2 == ["two 3 2", "three 3 3"])
        expectDiagnostics(
            text.replacing("list: long", with: "list: 1️⃣lang"), ["1️⃣": "unknown-set"], library: .sample)
        expectDiagnostics(
            text.replacing("trials: 3", with: "trials: 1️⃣many"), ["1️⃣": "wrong-type"], library: .sample)
    }

    private static let page = "{type: instruction, identifier: a, title: \"{level}\"}"

    @Test(arguments: [
        ("{type: instruction, identifier: 1️⃣page, title: \"{level}\"}", "", "duplicate-identifier"),
        ("{type: active, identifier: a, title: \"{level}\", duration: 1️⃣$wayt}", "", "unknown-attribute"),
        (
            "{type: block, identifier: b, repeat: 2, steps: [{type: 1️⃣block, identifier: c, repeat: 2, steps: []}]}",
            "", "nested-block"
        ),
        (
            page,
            "- {type: block, identifier: 1️⃣x, repeat: 1000, steps: [{type: block, identifier: y, repeat: 1000, steps: [{type: instruction, identifier: z}]}]}",
            "out-of-range"
        ),
        (
            page,
            "- {type: block, identifier: x, repeat: 1, insert: 1️⃣{steps: [{type: instruction, identifier: y}]}, steps: [{type: instruction, identifier: z}]}",
            "out-of-range"
        ),
        (
            page,
            "- {type: block, identifier: x, repeat: 2, insert: {place: 1️⃣befor, steps: [{type: instruction, identifier: y}]}, steps: [{type: instruction, identifier: z}]}",
            "unknown-word"
        ),
        (
            page,
            "- {type: block, identifier: x, repeat: 2, insert: {steps: [{type: 1️⃣block, identifier: y}]}, steps: [{type: instruction, identifier: z}]}",
            "nested-block"
        ),
        (
            page,
            "- {type: block, identifier: x, repeat: 2, insert: {steps: [{type: instruction, identifier: 1️⃣z}]}, steps: [{type: instruction, identifier: z}]}",
            "duplicate-identifier"
        ),
    ])
    func `finds a mistake at its place, with help`(inner: String, more: String, expected: String) {
        let found = parse(Self.text(inner, more: more).replacing("1️⃣", with: "")).diagnostics
        #expect(found.map(\.code.rawValue).contains(expected), "\(found.rendered(isColoured: false))")
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    @Test func `reads an insertion`() throws {
        let parsed = parse(
            Self.text(
                Self.page,
                more:
                    "- {type: block, identifier: x, repeat: 2, insert: {place: anywhere, steps: [{type: instruction, identifier: y}]}, steps: [{type: instruction, identifier: z}]}"
            ))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        guard case .block(let block) = parsed.study?.tasks[0].steps[1].kind else {
            Issue.record("no block")
            return
        }
        #expect(block.insertion?.steps.map(\.identifier) == ["y"] && block.insertion?.isAnywhere == true)
        #expect(parsed.study?.tasks[0].allSteps.map(\.identifier).contains("y") == true)
    }

    private static func tasks(_ next: String, count: Int = 2, seed: String = ", seed: 1") -> String {
        let tasks = (1...count).map {
            "  - {identifier: T\($0), title: Task \($0), steps: [{type: completion, identifier: end}]}\n"
        }
        return "entrain: 1\nstudy: {identifier: s, title: T\(seed)}\nnextTask: \(next)\ntasks:\n"
            + tasks.joined()
    }

    @Test func `reads which task is next`() {
        for next in Study.NextTask.allCases {
            let parsed = parse(Self.tasks(next.rawValue))
            #expect(parsed.diagnostics.isEmpty && parsed.study?.nextTask == next)
            #expect(parsed.study?.tasks[1].title == .plain("Task 2"))
        }
    }

    @Test func `finds mistakes of which task is next`() {
        expectDiagnostics(Self.tasks("1️⃣menue"), ["1️⃣": "unknown-word"], library: .sample)
        expectDiagnostics(Self.tasks("1️⃣menu", count: 1), ["1️⃣": "misplaced-key"], library: .sample)
        let unseeded = parse(Self.tasks("shuffle", seed: ""))
        #expect((unseeded.diagnostics + unseeded.hints).map(\.code.rawValue) == ["no-seed"])
    }
}
