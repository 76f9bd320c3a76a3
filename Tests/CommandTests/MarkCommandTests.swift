import StudyTesting
import Testing
import TextFormat

/// What an experimenter does to a run from another terminal.
@Suite struct MarkCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: room, title: Room, seed: 1}
        tasks:
          - identifier: task
            steps:
              - {type: question, identifier: mood, title: Mood, answer: {text: {}}}
              - {type: completion, identifier: done, title: Done}
        """

    private static let timed = """
        entrain: 1
        study: {identifier: room, title: Room, seed: 1}
        tasks:
          - identifier: task
            steps:
              - {type: active, identifier: rest, title: Mood of a long rest, duration: 60 min, timer: {pause: false}}
              - {type: question, identifier: mood, title: Mood, answer: {text: {}}}
              - {type: completion, identifier: done, title: Done}
        """

    /// Runs a study beside shell commands: `$mark` marks, `$control` controls, and the run goes on until they are
    /// done.
    private func beside(
        _ commands: String, study: String = study,
        ending: String = "printf 'fine\\n\\n' >&3; wait $run; echo code $?"
    ) -> [String] {
        _ = program.write(study, "study.yaml")
        _ = program.write(
            """
            exec 2>&1
            mark="\(Program.executables)/entrain mark --run results"
            control="\(Program.executables)/entrain control --run results"
            rm -f keys said; mkfifo keys said
            \(Program.executables)/entrain run study.yaml --participant P01 --plain --out results <keys >said 2>errors &
            run=$!
            exec 3>keys 4<said
            while read -r line <&4; do case "$line" in *Mood*) break;; esac; done
            cat <&4 >rest &
            \(commands)
            \(ending)
            """, "beside.sh")
        return program.lines(of: "bash beside.sh")
    }

    @Test func `a mark is in the journal, the result, the tables, and on every page`() throws {
        let said = beside(
            """
            $mark coughed
            $mark --type disturbance 'door <b>banged</b> "twice"'
            $mark --type adverse --severity moderate dizzy
            """)
        #expect(said.filter { $0.hasPrefix("marked in results/") }.count == 3, "\(said)")
        let verified = program.run("verify results/*-*")
        #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
        let result = try JSON(parsing: Array(program.lines(of: "cat results/*/result.json").joined().utf8))
        let marks = try #require(result["results"]?.list?.first?["userInfo"]?["marks"]?.list)
        #expect(marks.map { $0["kind"]?.text } == ["note", "disturbance", "adverse"])
        #expect(marks.last?["severity"] == "moderate" && marks.first?["text"] == "coughed")
        let offsets = marks.compactMap { $0["offset"]?.number }
        #expect(offsets.count == 3 && offsets == offsets.sorted() && offsets.allSatisfy { $0 > 0 })
        #expect(program.lines(of: "grep -c '\"event\":{\"marked\"' results/*/journal.jsonl") == ["3"])
        let shown = program.run("show results/*-*").output
        #expect(shown.contains("s, adverse (moderate): dizzy"))
        #expect(program.run("report results/*-* --out page.html").code == 0)
        let page = program.lines(of: "cat page.html").joined(separator: "\n")
        #expect(page.contains("marked by the experimenter") && page.contains("coughed"))
        #expect(!page.contains("<b>banged"))
        #expect(program.run("collate results --out dataset").code == 0)
        let rows = program.lines(of: "cat dataset/marks/*/*/*.csv")
        #expect(rows.count == 4 && rows[3].hasSuffix("adverse,moderate,,dizzy,,"), "\(rows)")
        let analysed = program.run("analyse dataset").output
        #expect(analysed.contains("adverse (moderate): P01, session 1, mood at "), "\(analysed)")
        #expect(analysed.contains("s: dizzy\nalso marked: 1 disturbance and 1 note\n"), "\(analysed)")
        let told = try JSON(parsing: Array(program.run("analyse dataset --format json").output.utf8))
        #expect(told["marks"]?.list?.map { $0["offset"]?.number } == [offsets[2], offsets[0], offsets[1]])
        #expect(program.run("report dataset --out dataset.html").code == 0)
        let report = program.lines(of: "cat dataset.html").joined(separator: "\n")
        #expect(report.contains("What was marked") && report.contains("adverse (moderate)"))
        #expect(report.contains("dizzy") && !report.contains("<b>banged"))
        _ = program.lines(of: "head -c 32 /dev/urandom > key; chmod 600 key")
        #expect(program.run("report results --out hidden.html --pseudonymise key").code == 0)
        let hidden = program.lines(of: "cat hidden.html").joined()
        #expect(
            hidden.contains("adverse (moderate)") && !hidden.contains("dizzy") && !hidden.contains("coughed"))
        #expect(program.run("collate results --out hidden --pseudonymise key").code == 0)
        #expect(program.lines(of: "grep -rl 'coughed\\|dizzy' hidden; true") == [])
        #expect(program.lines(of: "cat hidden/marks/*/*/*.csv | grep -c moderate") == ["1"])
    }

    @Test func `a run is paused, begun anew, repeated and skipped, and says by whom and why`() throws {
        let said = beside(
            """
            $control resume; echo code $?
            $control pause "the strap fell off" --by "R. A. Kim"
            $control message "Please sit still."
            $control resume --by "R. A. Kim"
            $control restart "door banged"
            $control skip "no time"
            $control repeat "he was asleep"
            $control repeat twice; echo code $?
            $control skip "no time"
            """, study: Self.timed)
        #expect(said.filter { $0.hasPrefix("done in results/") }.count == 7, "\(said)")
        #expect(said.filter { $0 == "code 69" }.count == 2 && said.last == "code 0", "\(said)")
        #expect(said.contains { $0.contains("nothing was done: nothing is paused") })
        #expect(program.run("verify results/*-*").code == 0)
        let lines = program.lines(of: "cat rest")
        #expect(lines.contains("The experimenter says: Please sit still."), "\(lines)")
        #expect(lines.contains("Paused by the experimenter. Only the experimenter can go on."))
        #expect(!lines.contains { $0.contains("resume") })
        let result = try JSON(parsing: Array(program.lines(of: "cat results/*/result.json").joined().utf8))
        let steps = try #require(result["results"]?.list).map { $0["userInfo"] }
        let reasons = ["restarted", "experimenter", "experimenter", "experimenter", nil, nil]
        #expect(steps.map { $0?["skipReason"]?.text } == reasons)
        #expect(steps.map { $0?["repeats"]?.integer } == [nil, 1, nil, 2, nil, nil])
        let marks = steps.flatMap { $0?["marks"]?.list ?? [] }
        #expect(
            marks.compactMap { $0["control"]?.text } == [
                "pause", "message", "resume", "restart", "skip", "repeat", "skip",
            ])
        #expect(marks.first?["by"] == "R. A. Kim" && marks.first?["text"] == "the strap fell off")
        #expect(steps.first??["pauses"]?.list?.count == 1)
        #expect(program.run("collate results --out dataset").code == 0)
        let rows = try program.lines(of: "cat dataset/steps/*/*/*.ndjson")
            .map { try JSON(parsing: Array($0.utf8)) }
        #expect(rows.map { $0["replaced"]?.boolean } == [true, true, true, false, false, false])
        let analysed = program.run("analyse dataset").output
        #expect(
            analysed.contains(
                "done by experimenters: 1 × message, 1 × pause, 1 × repeat, 1 × restart, 1 × resume and 2 × skip\n"
            ), "\(analysed)")
        #expect(
            program.run("show results/*-*").output.contains("control (pause): the strap fell off – R. A. Kim")
        )
    }

    @Test func `a run that is ended says by whom and why`() throws {
        let said = beside(
            "$control end \"fire alarm\" --by \"R. A. Kim\"", study: Self.timed,
            ending: "wait $run; echo code $?")
        #expect(said.last == "code 130", "\(said)")
        let shown = program.run("show results/*-*").output
        #expect(shown.contains("control (end): fire alarm – R. A. Kim"), "\(shown)")
        #expect(program.run("verify results/*-*").code == 0)
    }

    @Test func `a run that is killed keeps its marks`() throws {
        let said = beside("$mark coughed", ending: "kill -KILL $run; wait $run; $mark late; echo code $?")
        #expect(said.contains { $0.hasPrefix("marked in ") } && said.last == "code 69", "\(said)")
        #expect(said.contains { $0.contains("no run goes on in results; 1 run there was killed") }, "\(said)")
        #expect(program.run("recover results").code == 0)
        #expect(program.run("verify results/*-*").code == 0)
        #expect(program.run("show results/*-*").output.contains("note: coughed"))
    }

    @Test func `a run that was killed is called stopped, and no longer running`() {
        let status = "\(Program.executables)/entrain study status results | grep P01"
        let desk = "\(Program.executables)/entrain desk study.yaml --out results --once | grep -A 1 Running"
        let said = beside(
            "\(status); \(desk)", ending: "kill -KILL $run; wait $run; \(status); \(desk)")
        let lines = said.filter { $0.contains("P01") && !$0.contains("Killed") }
        #expect(lines.count == 4, "\(said)")
        #expect(lines.prefix(2).allSatisfy { $0.contains("running") }, "\(lines)")
        #expect(lines.suffix(2).allSatisfy { $0.contains("stopped") && !$0.contains("running") }, "\(lines)")
    }

    @Test func `the desk shows what a run does, and what can be done to it`() {
        let desk = "\(Program.executables)/entrain desk study.yaml --out results --once | grep '^1 \\|^P01:'"
        let said = beside(
            """
            \(desk)
            $control pause "the strap fell off"
            \(desk)
            $control resume
            $control skip "no time"
            \(desk)
            """, study: Self.timed)
        let rows = said.filter { $0.hasPrefix("1 ") }
        let keys = said.filter { $0.hasPrefix("P01:") }
        #expect(rows.count == 3 && keys.count == 3, "\(said)")
        #expect(rows[0].contains("running") && rows[0].contains("Mood of a long rest"), "\(rows)")
        #expect(rows[1].contains("paused for 0:"), "\(rows)")
        #expect(rows[2].contains("running") && rows[2].hasSuffix("Mood"), "\(rows)")
        #expect(keys[0].contains("p pause") && !keys[0].contains("g go on"), "\(keys)")
        #expect(keys[1].contains("g go on") && !keys[1].contains("p pause"), "\(keys)")
        #expect(keys[2].contains("o once more") && !keys[2].contains("p pause"), "\(keys)")
    }

    @Test func `keys of the desk in lines mark a run, and leaving waits for its answer`() {
        let desk = "\(Program.executables)/entrain desk study.yaml --out results --plain --by Kim"
        let said = beside("printf 'a\n2\nfeels dizzy\nq\n' | \(desk)")
        #expect(said.contains { $0.contains("How bad was it?") }, "\(said)")
        #expect(said.contains { $0.hasSuffix("adverse event, P01: received") }, "\(said)")
        #expect(program.run("show results/*-*").output.contains("adverse (moderate): feels dizzy – Kim"))
    }

    @Test func `says why there is no mark`() {
        #expect(program.run("mark coughed --run missing").code == 69)
        _ = program.lines(of: "mkdir results")
        #expect(program.run("mark coughed --run results").code == 69)
        #expect(program.run("mark coughed --run results/0B8A4C02-7E2F-4B38-8F62-0E6C4F1B1E11").code == 69)
        for arguments in [
            "mark ''", "mark \"$(printf 'a\\nb')\"", "mark x --type adverse", "mark x --severity mild",
            "mark \"$(head -c 600 /dev/zero | tr '\\0' a)\"", "mark x --type other", "mark x --type control",
            "control pause",
            "control message", "control stop x", "control skip ''", "control skip x --by ''",
        ] {
            #expect(program.run("\(arguments) --run results").code == 64, "\(arguments)")
        }
    }
}
