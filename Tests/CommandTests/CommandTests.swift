import Results
import StudyTesting
import Testing
import TextFormat

@Suite struct CommandTests {
    let program = Program()

    @Test func `a new study checks, rehearses, and is never overwritten`() {
        #expect(program.run("init breath").code == 0)
        #expect(program.run("check breath.yaml").code == 0)
        #expect(program.run("rehearse breath.yaml").output.hasSuffix("end: completed\n"))
        let again = program.run("init breath")
        #expect(again.code == 64)
        #expect(again.errors.contains("exists already"))
        #expect(program.run("init 'no good'").code == 64)
    }

    static let broken = """
        entrain: 1
        study: {identifier: broken, title: Broken}
        tasks:
          - identifier: task
            steps:
              - {type: active, identifier: rest, duration: 30 fortnights}
              - {type: completion, identifier: done, titel: Done}
        """

    @Test func `says all that is wrong with a study, and ends with 65`() throws {
        let path = program.write(Self.broken, "broken.yaml")
        let outcome = program.run("check broken.yaml")
        #expect(outcome.code == 65)
        #expect(outcome.output.contains("--> broken.yaml:6:"))
        #expect(outcome.output.contains("did you mean 'title'?"))
        #expect(outcome.output.hasSuffix("2 errors\n"))
        #expect(!outcome.output.contains("\u{1B}"))
        let json = try JSON(parsing: Array(program.run("check --format json \(path)").output.utf8))
        #expect(json.list?.map { $0["line"] } == [6, 7])
        for command in ["run", "plan"] {
            #expect(program.run("\(command) broken.yaml --participant P01").code == 65)
        }
        #expect(program.run("rehearse broken.yaml").code == 65)
    }

    @Test func `a file that is missing ends with 69`() {
        for arguments in [
            "check none.yaml", "run none.yaml --participant P01", "plan none.yaml --participant P01",
        ] {
            let outcome = program.run(arguments)
            #expect(outcome.code == 69, "\(arguments)")
            #expect(outcome.errors.contains("none.yaml"))
        }
    }

    @Test func `a file that is missing keeps no other from being checked, and may be meant with its ending`()
    {
        _ = program.write(Self.broken, "broken.yaml")
        let both = program.run("check none.yaml broken.yaml")
        #expect(both.code == 65 && both.errors.contains("none.yaml") && both.output.hasSuffix("2 errors\n"))
        let stem = program.run("check broken")
        #expect(stem.code == 69 && stem.errors.contains("did you mean 'broken.yaml'?"))
    }

    @Test func `a study in one language has the program's own words in it`() {
        #expect(program.run("init breath").code == 0)
        let french = program.run(
            "run breath.yaml --participant P01 --auto --speed max --language fr --out out")
        #expect(french.code == 0 && french.output.contains("Vous avez terminé."))
        #expect(program.run("verify out/*").code == 0)
        let unknown = program.run("run breath.yaml --participant P01 --auto --language french --out out")
        #expect(unknown.code == 64 && unknown.errors.contains("did you mean 'fr'?"))
    }

    @Test func `shows several bundles, as a list for programs`() throws {
        #expect(program.run("init breath").code == 0)
        #expect(program.run("rehearse breath.yaml --participants 2 --out out").code == 0)
        #expect(program.run("show out/*").output.split(separator: "participant ").count == 3)
        let json = try JSON(parsing: Array(program.run("show --format json out/*").output.utf8))
        #expect(json.list?.count == 2)
    }

    @Test(arguments: ["'P01 '", "' P01'", "''", "$(printf 'P\\001')"])
    func `a participant's code that cannot be told from another is refused`(code: String) {
        #expect(program.run("init breath").code == 0)
        #expect(program.run("plan breath.yaml --participant=\(code)").code == 64)
    }

    static let needy = """
        entrain: 1
        study: {identifier: needy, title: Needy}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: rest
                duration: 5 s
                recorders: [{type: heartRate, identifier: heartRate, required: true}]
              - {type: completion, identifier: done, title: Done}
        """

    @Test func `a required source must be given, and be there`() {
        _ = program.write(Self.needy, "needy.yaml")
        let without = program.run("run needy.yaml --participant P01 --auto --speed max")
        #expect(without.code == 69)
        #expect(without.errors.contains("--source heartRate="))
        let run = "run needy.yaml --participant P01 --auto --speed max --source heartRate="
        #expect(program.run(run + "replay:none.csv").code == 69)
        #expect(program.run(run + "simulatde").errors.contains("did you mean 'simulated'?"))
        _ = program.write("time,hr\nx,y\n", "bad.csv")
        #expect(program.run(run + "replay:bad.csv").code == 65)
        _ = program.write("time,hr\n0,60\n1,61\n2,62\n3,63\n4,64\n5,65\n6,66\n", "good.csv")
        #expect(program.run(run + "replay:good.csv").code == 0)
    }

    @Test func `interrupted runs are recovered at the next start`() {
        let welcome = "- {type: instruction, identifier: welcome, title: Welcome}\n      - type: active"
        _ = program.write(
            Self.needy.replacing("- type: active", with: welcome).replacing("5 s", with: "600 s"),
            "needy.yaml")
        // Killed as soon as it says that the first result is on disk, in the middle of the long step.
        _ = program.lines(of: "mkfifo said")
        _ = program.lines(
            of:
                "{ \(Program.executables)/entrain run needy.yaml --participant P01 --auto --speed 20 --out out "
                + "--source heartRate=simulated >said & grep -q -m 1 Saved said; kill -9 $!; }")
        #expect(program.lines(of: "ls out").first?.hasSuffix(".running") == true)
        let next = program.run(
            "run needy.yaml --participant P02 --auto --speed max --out out --source heartRate=simulated")
        #expect(next.code == 0)
        #expect(next.errors.contains("Recovered"))
        #expect(program.lines(of: "ls out").count == 2)
        for bundle in program.lines(of: "ls -d out/*") { #expect(program.run("verify \(bundle)").code == 0) }
        #expect(program.run("recover out").output.contains("nothing to recover"))
    }

    @Test func `a folder that cannot be written ends with 74`() {
        _ = program.write(Self.needy, "needy.yaml")
        _ = program.write("", "out")
        let outcome = program.run(
            "run needy.yaml --participant P01 --auto --speed max --out out --source heartRate=simulated")
        #expect(outcome.code == 74)
        #expect(!outcome.errors.isEmpty)
    }

    @Test func `answers typed on a pipe are taken, and leaving early ends with 130`() {
        _ = program.write(
            """
            entrain: 1
            study: {identifier: asked, title: Asked}
            tasks:
              - identifier: task
                steps:
                  - {type: question, identifier: calm, title: How calm?, answer: {scale: {from: 1, to: 9}}}
                  - {type: completion, identifier: done, title: Done}
            """, "asked.yaml")
        let answers = program.write("7\n\n", "answers")
        let outcome = program.run("run asked.yaml --participant P01 --plain --out out", input: answers)
        #expect(outcome.code == 0)
        let bundle = program.lines(of: "ls -d out/*").first ?? ""
        #expect(program.run("show \(bundle)").output.contains("calm  7"))
        let leaving = program.write("quit\ny\n", "leaving")
        #expect(
            program.run("run asked.yaml --participant P02 --plain --out left", input: leaving).code == 130)
    }
}
