import StudyTesting
import Testing
import TextFormat

/// Staircases from the study to the tables.
@Suite struct StaircaseCommandTests {
    let program = Program()
    private static let protocolPath = "\(Program.root)Studies/protocols/tempo-staircase.yaml"

    @Test func `a program that knows only the page finds every rung from the answers`() throws {
        #expect(program.run("rehearse \(Self.protocolPath) --participants 4 --out bundles").code == 0)
        let judged = program.lines(
            of: "python3 \(Program.root)Tests/CommandTests/staircase.py bundles/* 2>&1")
        let trials = program.lines(of: "cat bundles/*/result.json | grep -o '\"trial\":' | wc -l")
        #expect(judged == trials.map { $0.filter { $0 != " " } + " trials agree" })
        #expect(program.run("verify bundles/*").code == 0)
        #expect(program.run("collate bundles --out data").code == 0)
        let rows = program.lines(of: "find data/steps -name '*.ndjson' | xargs cat").filter {
            $0.contains("staircase.which") && !$0.contains("\"trial_value\":null")
        }
        #expect("\(rows.count) trials agree" == judged.first)
        let said = program.run("analyse data --include-simulated")
        #expect(said.code == 0 && said.output.contains("Primary outcome, score limen"), "\(said.output)")
    }

    private static let study = """
        entrain: 1
        study: {identifier: levels, title: Levels, seed: 1, resume: {within: 24 h}}
        conditions:
          levels: {cross: {level: [8, 4, 2]}}
        tasks:
          - identifier: day
            scores:
              limen: {reversals: stair, last: 2, levels: {0: fine, 4: coarse}}
            steps:
              - type: block
                identifier: stair
                forEach: levels
                adapt: {answer: which, value: level, down: 1, reversals: 2, atMost: 9}
                steps: [{type: question, identifier: which, title: "Level {level}?", answer: {number: {}, correct: 1}}]
              - {type: instruction, identifier: tell, title: "At {score.limen}, {score.limen.level}."}
              - {type: completion, identifier: done, title: Done}
        """

    /// Answers by lines; the run is ended where there are no more.
    private func run(_ options: String, _ lines: String) -> Program.Outcome {
        _ = program.write(lines.split(separator: " ").map { $0 + "\n" }.joined(), "keys")
        return program.run("run study.yaml --participant P01 --plain --out results \(options)", input: "keys")
    }

    @Test func `a run that was left goes on at its rung, and an end of the ladder is told`() throws {
        _ = program.write(Self.study, "study.yaml")
        let plan = program.run("plan study.yaml --participant P01")
        #expect(plan.output.contains("stair.which (round 1 to at most 9: the answers to which decide)"))
        let first = run("", "0 1 1")
        #expect(first.output.contains("Level 2?") && !first.output.contains("Done"), "\(first.output)")
        // At the last rung, a right answer leads nowhere.
        let second = run("--resume", "1 0 1 end")
        #expect(second.output.contains("Step 10 of 11: At 3, fine."), "\(second.output)")
        let shown = program.run("show results").output
        for words in [
            "rung 1, 8, wrong, at the end of the ladder", "rung 3, 2, wrong, reversal",
            "rung 2, 4, right, reversal",
        ] {
            #expect(shown.contains(words), "\(shown)")
        }
        #expect(
            shown.contains(
                "staircase stair.which: 6 trials, 2 reversals, at the end of the ladder in 2 of 6 trials"))
        #expect(program.run("verify results").code == 0)
    }
}
