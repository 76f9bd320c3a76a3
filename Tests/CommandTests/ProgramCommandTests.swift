import StudyTesting
import Testing
import TextFormat

/// Steps in which another program works, from the study to the tables.
@Suite struct ProgramCommandTests {
    private let program = Program()

    private func write(_ script: String, duration: String = "30 s", command: String = "[./task.sh, $level]") {
        _ = program.write("#!/bin/sh\n" + script, "task.sh")
        _ = program.lines(of: "chmod +x task.sh")
        _ = program.write(
            """
            entrain: 1
            study: {identifier: own, title: Own, seed: 1}
            conditions: {levels: {rows: [{identifier: easy, level: 2}]}}
            tasks:
              - identifier: Task
                steps:
                  - {type: question, identifier: name, title: Name, answer: {text: {}}}
                  - type: block
                    identifier: rounds
                    forEach: levels
                    steps:
                      - type: program
                        identifier: nback
                        title: Press keys.
                        command: \(command)
                        duration: \(duration)
                        values: {name: "{answer.name}", level: $level}
                        answers: [{identifier: hits, answer: {number: {min: 0}}}, {identifier: told, answer: {text: {}}}]
                  - {type: completion, identifier: end, title: "You had {answer.hits}."}
            """, "study.yaml")
    }

    /// Runs as somebody called Ann who answers and goes on.
    private func run(_ environment: String = "") -> Program.Outcome {
        _ = program.write("Ann\n\n\n\n", "keys")
        return program.run(
            "run study.yaml --participant P01 --plain --out out", input: "keys", environment: environment)
    }

    private func visit() throws -> JSON {
        let bundle = try #require(program.lines(of: "ls -d out/*").first)
        let result = try JSON(parsing: Array(program.lines(of: "cat \(bundle)/result.json").joined().utf8))
        return try #require(result["results"]?.list?[1])
    }

    @Test func `what it says stands in the result, the tables and the texts, and verifies`() throws {
        write(
            """
            read start
            echo '{"text": "Look here."}'
            told=$(printf %s "$start" | tr -d '"{}' | tr ' ' _)
            echo "{\\"answer\\": {\\"hits\\": 8, \\"told\\": \\"$1 $told\\"}, \\"sample\\": {\\"rt\\": 0.43}}"
            """)
        let told = run()
        #expect(
            told.code == 0 && told.output.contains("Look here.") && told.output.contains("You had 8."),
            "\(told)")
        let visit = try visit()
        let info = try #require(visit["userInfo"])
        #expect(info["endedBy"] == "program" && info["program"]?["problem"] == nil)
        let answers = try #require(visit["results"]?.list)
        #expect(answers[0]["numericAnswer"]?.number == 8)
        let start = try #require(answers[1]["textAnswer"]?.text)
        #expect(start.hasPrefix("2 ") && start.contains("name:Ann") && start.contains("level:2"), "\(start)")
        #expect(start.contains("round:1") && start.contains("step:nback") && start.contains("duration:30"))
        let sample = try #require(info["program"]?["samples"]?.list?.first)
        #expect(sample["identifier"] == "rt" && sample["value"]?.number == 0.43)
        #expect(program.run("verify out/*").code == 0)
        #expect(program.run("show out/*").output.contains("rt: 1 sample of the program"))
        #expect(program.run("collate out --out data").code == 0)
        #expect(program.lines(of: "cat data/numbers/*/*/*.csv | grep -c ,rt,") == ["1"])
        #expect(program.run("export out/* --to bids --out bids").code == 0)
        #expect(program.run("report out/* --out page.html").code == 0)
    }

    @Test(arguments: [
        ("echo nonsense; echo oh no >&2; exit 3", "ended with the exit code 3: oh no", 1),
        ("kill -9 $$", "was ended by signal 9", 0),
    ])
    func `what goes wrong with it is told, and the run goes on`(script: String, problem: String, unclear: Int)
        throws
    {
        write(script)
        let told = run()
        #expect(told.code == 0 && told.output.contains("You had (no answer)."), "\(told)")
        let outcome = try #require(try visit()["userInfo"]?["program"])
        #expect(outcome["problem"]?.text == problem && outcome["unclear"]?.integer == unclear)
        #expect(program.run("show out/*").output.contains("the program \(problem)"))
        #expect(program.run("verify out/*").code == 0)
    }

    @Test func `its files are pinned: a script that says something else is told`() throws {
        write("echo '{\"answer\": {\"hits\": 3}}'", command: "[sh, task.sh]")
        #expect(program.run("freeze study.yaml --out registration").code == 0)
        #expect(program.lines(of: "grep -c task.sh registration/registration.json") == ["1"])
        #expect(run().code == 0)
        let pinned = program.lines(of: "grep -o 'programs.*task.sh' out/*/manifest.json")
        #expect(pinned.count == 1 && pinned[0].contains("\"sh\""), "\(pinned)")
        _ = program.lines(of: "sed -i s/3/30/ task.sh")
        _ = program.write("Ann\n\n\n\n", "keys")
        let again = { (more: String) in
            program.run("run study.yaml --participant P02 --plain --out out \(more)", input: "keys")
        }
        let refused = again("")
        #expect(
            refused.code == 65 && refused.errors.contains("'task.sh' is another one"), "\(refused.errors)")
        #expect(again("--deviation mended").code == 0)
        let told = program.run("deviations out")
        #expect(told.output.contains("'task.sh' is another one"), "\(told)")
        #expect(program.run("verify out/*").code == 0)
    }

    @Test func `one that never ends is ended with its step, with all that it started`() throws {
        write(
            """
            trap '' TERM HUP INT PIPE
            sh -c 'trap "" TERM; echo $$ > inner; exec tail -f /dev/null' &
            echo $$ > outer
            exec tail -f /dev/null
            """, duration: "800 ms")
        let told = run("ENTRAIN_SECRET=x")
        #expect(told.code == 0, "\(told)")
        #expect(try visit()["userInfo"]?["endedBy"] == "duration")
        for name in ["inner", "outer"] {
            #expect(
                program.lines(of: "timeout 20 tail --pid=$(cat \(name)) -f /dev/null && echo gone") == [
                    "gone"
                ],
                "\(name) lives")
        }
    }

    @Test func `it does not outlive a run that is killed, and the run is recovered`() throws {
        write("echo $$ > ready; trap '' TERM PIPE; exec tail -f /dev/null")
        _ = program.write("Ann\n", "keys")
        let entrain = Program.executables + "/entrain"
        let told = program.lines(
            of: """
                mkfifo held ready
                (cat keys; cat held) | \(entrain) run study.yaml --participant P01 --plain --out out >shown 2>&1 &
                exec 3>held; read number <ready; kill -9 $!; exec 3>&-
                timeout 20 tail --pid=$number -f /dev/null && echo gone
                """)
        #expect(told == ["gone"], "\(told)")
        let recovered = program.run("recover out")
        #expect(recovered.code == 0, "\(recovered)")
        #expect(program.run("verify out/*").code == 0)
    }

    @Test func `a program that is missing is found by check, and before the run begins`() {
        write("exit 0", command: "[no-such-program]")
        let checked = program.run("check study.yaml")
        #expect(checked.code == 0 && checked.output.contains("missing-program"))
        #expect(checked.output.contains("study.yaml:15:23"), "\(checked.output)")
        let told = run()
        #expect(told.code == 69 && told.errors.contains("no-such-program"), "\(told)")
        #expect(program.lines(of: "ls out 2>/dev/null").isEmpty)
        write("exit 0", command: "[./other.sh]")
        #expect(program.run("check study.yaml").code == 65)
        write("exit 0", command: "[/bin/sh]")
        #expect(program.run("check study.yaml").code == 65)
        write("exit 0")
        _ = program.lines(of: "chmod -x task.sh")
        #expect(program.run("check study.yaml").output.contains("chmod +x"))
        #expect(run().code == 69)
    }

    @Test func `rehearsals start nothing, and say so`() {
        write("touch started")
        let told = program.run("rehearse study.yaml")
        #expect(told.code == 0 && told.errors.contains("Programs of steps are not started"), "\(told.errors)")
        #expect(told.output.contains("program answers hits"), "\(told.output)")
        #expect(program.run("run study.yaml --participant P01 --auto --speed max --out out").code == 0)
        #expect(program.lines(of: "ls started 2>/dev/null").isEmpty)
        #expect(program.run("verify out/*").code == 0)
    }
}
