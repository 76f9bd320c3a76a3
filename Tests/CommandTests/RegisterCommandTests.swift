import StudyTesting
import Testing
import TextFormat

/// Who took part, and what is refused, as a person at the keyboard meets it.
@Suite struct RegisterCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: visits, title: Visits, seed: 1}
        tasks:
          - identifier: day
            steps:
              - {type: question, identifier: adult, title: Adult, answer: {boolean: {}}, goTo: {answer: adult, is: ne, value: true, target: young}}
              - {type: completion, identifier: done, title: Done}
              - {type: completion, identifier: young, title: Too young, reason: screenedOut}
        """

    /// Answers like a person by lines; `answer` is `y` or `n`.
    private func run(_ options: String, answer: String = "y") -> Program.Outcome {
        _ = program.write("\(answer)\n\n\n", "keys")
        return program.run("run study.yaml --plain --out results \(options)", input: "keys")
    }

    private func status(_ options: String = "") throws -> JSON {
        let outcome = program.run("study status results --format json \(options)")
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSON(parsing: Array(outcome.output.utf8))
    }

    private func prepare() { _ = program.write(Self.study, "study.yaml") }

    @Test func `the status is what the runs were, person by person`() throws {
        prepare()
        #expect(run("--participant P03").code == 0)
        #expect(run("--participant P07", answer: "n").code == 0)
        #expect(run("--participant P03 --session 2", answer: "").code != 0)
        #expect(program.run("rehearse study.yaml --participants 20 --out results").code == 0)
        let told = try status()
        let study = try #require(told["studies"]?.list?.first)
        #expect(study["participants"] == 2 && told["nextCode"] == "P08")
        #expect(told["invented"] == ["simulated": 20])
        let runs = study["runs"]?.list?.map {
            "\($0["participant"]?.text ?? "") \($0["session"]?.integer ?? 0) \($0["status"]?.text ?? "")"
        }
        #expect(runs?.count == 3)
        #expect(runs?.first == "P03 1 completed" && runs?.last == "P07 1 screenedOut")
        #expect(study["completed"] == 1 && study["incomplete"] == 1 && study["excluded"] == 1)
        let text = program.run("study status results").output
        #expect(text.contains("visits: 2 participants, 1 session completed, 1 incomplete, 1 excluded"))
        #expect(text.hasSuffix("next free code: P08\n") && text.contains("20 simulated runs"))
        let all = try status("--include-simulated")["studies"]?.list?.first
        #expect(all?["runs"]?.list?.count == 23)
    }

    @Test func `the status counts how often each order came, by the plans of the bundles`() throws {
        _ = program.write(
            """
            entrain: 1
            study: {identifier: orders, title: Orders, seed: 1}
            conditions: {music: {rows: [{identifier: slow}, {identifier: fast}]}}
            tasks:
              - identifier: day
                steps:
                  - type: block
                    identifier: listen
                    forEach: music
                    order: {draw: williams}
                    steps: [{type: instruction, identifier: hear, title: Listen}]
                  - {type: completion, identifier: done, title: Done}
            """, "study.yaml")
        _ = program.write(String(repeating: "\n", count: 9), "keys")
        for number in 1...3 {
            let run = program.run(
                "run study.yaml --plain --out results --participant P0\(number)", input: "keys")
            #expect(run.code == 0, "\(run.errors)")
        }
        let orders = try status()["studies"]?.list?.first?["orders"]
        let drawn = (1...3).map { number in
            program.run("plan study.yaml --participant P0\(number) --format json").output
        }
        let slowFirst = try drawn.count { plan in
            let draws = try JSON(parsing: Array(plan.utf8))["draws"]?.list
            return draws?.first?["chosen"] == ["slow", "fast"]
        }
        #expect(
            orders == [
                [
                    "block": "music", "distinct": 2,
                    "counts": ["slow, fast": .integer(slowFirst), "fast, slow": .integer(3 - slowFirst)],
                ]
            ])
        let text = program.run("study status results").output
        #expect(
            text.contains(
                "orders of music: \(3 - slowFirst) \u{d7} fast, slow; \(slowFirst) \u{d7} slow, fast"))
        #expect(program.run("study status results --to nowhere").code == 64)
        let away = program.run("study status results --to http://127.0.0.1:9")
        #expect(away.code == 69 && away.errors.contains("the monitor does not show the progress"))
    }

    @Test func `a session is run once, unless there is a reason`() throws {
        prepare()
        #expect(run("--participant P01", answer: "n").code == 0)
        let again = run("--participant P01")
        #expect(again.code == 64)
        #expect(
            again.errors.contains("was run already: screenedOut") && again.errors.contains("--repeat REASON"))
        #expect(program.lines(of: "ls results").count == 1)
        #expect(run("--participant P01 --session 2").code == 0)
        #expect(run("--participant P02 --repeat again").errors.contains("there is nothing to repeat"))
        #expect(run("--participant P01 --repeat ' '").code == 64)
        #expect(run("--participant P01 --repeat 'strap fell, \"twice\"'").code == 0)
        // The last completed run counts, though another came later.
        #expect(run("--participant P01 --repeat late", answer: "n").code == 0)
        let runs = try status()["studies"]?.list?.first?["runs"]?.list ?? []
        let counting = runs.filter { $0["counts"] == true }
        #expect(runs.count == 4 && counting.count == 2)
        let kept = try #require(counting.first { $0["session"] == 1 })
        #expect(kept["repeat"] == #"strap fell, "twice""# && kept["status"] == "completed")
        for path in runs.compactMap({ $0["path"]?.text }) { #expect(program.run("verify \(path)").code == 0) }
        let shown = program.run("show \(kept["path"]?.text ?? "")").output
        #expect(shown.contains("a repeated session: strap fell"))
        #expect(program.run("collate results --out dataset").code == 0)
        let rows = try program.lines(of: "cat dataset/sessions/*/*/*.ndjson").map {
            try JSON(parsing: Array($0.utf8))
        }
        #expect(Set(rows.map { $0["repeat_reason"]?.text ?? "-" }) == ["-", #"strap fell, "twice""#, "late"])
        for source in ["results", "dataset"] {
            let said = program.run("analyse \(source) --format json").output
            let analysis = try JSON(parsing: Array(said.utf8))
            #expect(analysis["studies"]?.list?.first?["sessions"] == 2)
            let left = analysis["repeated"]?.list?.compactMap { $0["run"]?.text } ?? []
            #expect(
                Set(left) == Set(runs.filter { $0["counts"] == false }.compactMap { $0["run"]?.text }))
        }
        #expect(
            program.run("analyse dataset").output.contains("because the session was repeated: P01, session 1")
        )
    }

    @Test func `a session that runs in another window is refused`() throws {
        prepare()
        let codes = program.lines(
            of: """
                (mkfifo keys; (sleep 20 >keys & echo $! >holder); \
                for n in 1 2 3 4; do \(Program.executables)/entrain run study.yaml --plain --out results --participant P01 \
                  <keys >said$n 2>err$n & echo $! >pid$n; done; \
                n=0; until [ "$(cat err* 2>/dev/null | grep -c 'another window')" = 3 ] || [ $n = 100 ]; do \
                  n=$((n+1)); perl -e 'select undef, undef, undef, 0.1'; done; \
                cat err* | grep -c 'another window'; ls results | grep -c running; kill $(cat holder pid*) 2>/dev/null; wait; true)
                """)
        #expect(codes == ["3", "1"])
    }

    @Test func `rehearsals take nobody's session, and need no reason`() throws {
        prepare()
        for _ in 0..<2 { #expect(run("--participant P01 --auto").code == 0) }
        #expect(run("--participant P01").code == 0)
        #expect(run("--participant P01 --auto").code == 0)
        #expect(try status()["studies"]?.list?.first?["completed"] == 1)
    }

    @Test func `without a code and without a terminal the run says what is missing`() {
        prepare()
        let outcome = run("")
        #expect(outcome.code == 64 && outcome.errors.contains("--participant"))
    }

    @Test func `the code is asked for at a terminal, and a name is warned of`() throws {
        prepare()
        #expect(run("--participant K-009").code == 0)
        let typed =
            "(printf '\\n'; perl -e 'select undef, undef, undef, 1'; printf '\\ny\\n\\n\\n') | "
            + "TERM=dumb script -qec '\(Program.executables)/entrain run study.yaml --plain --out results' said >/dev/null"
        _ = program.lines(of: typed)
        let said = Program.text(of: program.folder.path + "/said")
        #expect(said.contains("The participant's code [K-010]: "), "\(said)")
        #expect(said.contains("participant K-010, session 1, revision "), "\(said)")
        #expect(try status()["nextCode"] == "K-011")
        for code in ["k-9", "K-O09", "Κ-009"] {
            let errors = run("--participant \(code)").errors
            #expect(errors.contains("\(code) can be taken for K-009, who has taken part."), "\(errors)")
        }
        #expect(run("--participant 'Anna Meier'").errors.contains("looks like a name"))
        for code in ["P12", "VPN", "x", "7", "S-03b"] {
            #expect(!run("--participant \(code)").errors.contains("looks like a name"), "\(code)")
        }
    }
}
