import StudyTesting
import Testing
import TextFormat

/// A participant who comes again, and is reminded of what was answered before.
@Suite struct EarlierAnswerCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: again, title: Again, seed: 1, resume: {incomplete: resume}}
        sessions:
          - {identifier: baseline, task: First}
          - {identifier: later, task: Second, after: {session: baseline}}
        tasks:
          - identifier: First
            scores: {worry: {sum: [mood], levels: {0: low, 3: high}}}
            steps:
              - {type: question, identifier: name, title: Name, answer: {text: {}}}
              - {type: question, identifier: colour, title: Colour, answer: {choice: [{value: r, text: Deep red}, {value: g, text: Green}]}}
              - {type: question, identifier: mood, title: Mood, answer: {scale: {from: 1, to: 5}}}
              - {type: completion, identifier: done, title: Done}
          - identifier: Second
            steps:
              - {type: instruction, identifier: hello, title: "Hello {answer.baseline.name}, {answer.baseline.colour}, {score.baseline.worry}, {answer.baseline.worry.level}."}
              - {type: instruction, identifier: high, title: You were worried., skipIf: {answer: baseline.worry, is: lt, value: 3}}
              - {type: instruction, identifier: low, title: You were well., skipIf: {answer: baseline.mood, is: ge, value: 3}}
              - {type: completion, identifier: done, title: Done}
        """

    private func run(_ keys: String, _ options: String = "", output: String = "results") -> Program.Outcome {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write(keys, "keys")
        return program.run(
            "run study.yaml --plain --participant P07 --out \(output) \(options)", input: "keys")
    }

    private func bundles(_ folder: String = "results") -> [String] {
        program.lines(of: "ls -dtr \(folder)/*-*")
    }

    @Test func `texts and rules of a later session use the answers of the one that counts`() throws {
        #expect(run("Anna\n1\n2\n\n").code == 0)
        #expect(run("Ben\n1\n4\n\n", "--session baseline --repeat 'wrong chair'").code == 0)
        let later = run("\n\n\n\n")
        #expect(later.code == 0, "\(later.errors)")
        #expect(later.output.contains("Hello Ben, Deep red, 4, high."), "\(later.output)")
        #expect(later.output.contains("You were worried.") && !later.output.contains("You were well."))
        let bundle = try #require(bundles().last)
        #expect(program.run("verify \(bundle)").code == 0)
        let journal = program.lines(of: "cat \(bundle)/journal.jsonl")
        #expect(journal.filter { $0.contains("\"recalled\"") }.count == 1)
        // The run repeats itself from its own bundle alone.
        _ = program.lines(of: "mkdir alone && cp -r \(bundle) alone/")
        let alone = try #require(bundles("alone").first)
        #expect(program.run("verify \(alone)").code == 0)
    }

    @Test func `a step that only an earlier answer leads to is reached, whatever tasks lie between`() {
        _ = program.write(
            """
            entrain: 1
            study: {identifier: again, title: Again, seed: 1}
            sessions:
              - {identifier: baseline, task: First}
              - {identifier: middle, task: Between, after: {session: baseline}}
              - {identifier: later, task: Last, after: {session: baseline}}
            tasks:
              - identifier: First
                steps:
                  - {type: question, identifier: mood, title: Mood, answer: {scale: {from: 1, to: 5}}}
                  - {type: completion, identifier: done, title: Done}
              - identifier: Between
                steps: [{type: instruction, identifier: rest, title: Rest}, {type: completion, identifier: done, title: Done}]
              - identifier: Last
                steps:
                  - type: instruction
                    identifier: hello
                    title: Hello
                    goTo: [{answer: baseline.mood, is: ge, value: 3, target: well}, {target: done}]
                  - {type: instruction, identifier: well, title: You were well.}
                  - {type: completion, identifier: done, title: Done}
            """, "tasks.yaml")
        let told = program.run("check tasks.yaml")
        #expect(told.output.contains("tasks.yaml: nothing wrong"), "\(told.output)")
    }

    @Test func `without an answer nothing is invented`() {
        #expect(run("Anna\n1\n2\n\n").code == 0)
        let elsewhere = run("\n\n\n\n", "--session later --deviation moved", output: "elsewhere")
        #expect(elsewhere.code == 0, "\(elsewhere.errors)")
        #expect(elsewhere.errors.contains("baseline.colour, baseline.mood, baseline.name, baseline.worry"))
        #expect(elsewhere.output.contains("Hello (no answer), (no answer), (no answer), (no answer)."))
        #expect(elsewhere.output.contains("You were worried.") && elsewhere.output.contains("You were well."))
    }

    @Test func `a run that goes on keeps what it knew`() throws {
        #expect(run("Anna\n2\n1\n\n").code == 0)
        #expect(run("\n").code != 0)
        let on = run("\n\n\n\n", "--resume")
        #expect(on.code == 0, "\(on.errors)")
        #expect(on.output.contains("You were well.") && !on.output.contains("You were worried."))
        let bundle = try #require(bundles().last)
        #expect(program.run("verify \(bundle)").code == 0)
    }

    @Test func `answers of a run that was killed count although nothing has recovered it yet`() throws {
        #expect(run("Anna\n1\n2\n").code != 0)
        let bundle = try #require(bundles().last)
        // As a kill leaves it: nothing is sealed.
        _ = program.lines(of: "cd \(bundle) && rm result.json manifest.json SHA256SUMS")
        _ = program.lines(of: "mv \(bundle) \(bundle).running")
        let later = run("\n\n\n\n", "--session later --deviation 'the first was killed'")
        #expect(later.code == 0, "\(later.errors)")
        #expect(later.output.contains("Hello Anna, Deep red, 2, low."), "\(later.output)")
        #expect(later.errors.contains("Recovered"), "\(later.errors)")
    }

    @Test func `rehearsals go on from session to session`() throws {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write("{name: Cleo, colour: g, mood: 5}", "answers.yaml")
        let told = program.run("rehearse study.yaml --answers answers.yaml")
        #expect(told.code == 0 && told.output.contains("known from earlier sessions: "), "\(told.output)")
        #expect(told.output.contains("Hello Cleo") || told.output.contains("Cleo"))
        #expect(
            program.run("rehearse study.yaml --participants 3 --answers answers.yaml --out made").code == 0)
        let made = bundles("made")
        #expect(made.count == 6)
        for bundle in made { #expect(program.run("verify \(bundle)").code == 0) }
        let alone = program.run("rehearse study.yaml --session later")
        #expect(alone.code == 0 && alone.errors.contains("leave --session out"))
    }

    @Test func `answers of simulated participants are not taken for a person`() {
        _ = program.write(Self.study, "study.yaml")
        #expect(program.run("run study.yaml --auto --speed max --participant P07 --out results").code == 0)
        let later = run("\n\n\n\n", "--session later --deviation 'tried out'")
        #expect(later.code == 0 && later.output.contains("Hello (no answer)"), "\(later.errors)")
        let auto = program.run(
            "run study.yaml --auto --speed max --plain --participant P08 --out results --session baseline")
        #expect(auto.code == 0)
        let on = program.run(
            "run study.yaml --auto --speed max --plain --participant P08 --out results --session later")
        #expect(on.code == 0 && !on.output.contains("Hello (no answer)"), "\(on.output)")
    }
}
