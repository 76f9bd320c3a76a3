import StudyTesting
import Testing

/// Arms from the study to the tables.
@Suite struct ArmCommandTests {
    private let program = Program()
    private static let study = """
        entrain: 1
        study: {identifier: armed, title: Armed, seed: 1}
        arms:
          - {identifier: short, values: {wait: 3 s, word: little}}
          - {identifier: long, values: {wait: 9 s, word: much}}
        tasks:
          - identifier: Task
            steps:
              - {type: active, identifier: rest, title: "Rest a {word}.", duration: $wait}
              - {type: instruction, identifier: only, title: Only for the long ones., skipIf: {not: {arm: long}}}
              - {type: completion, identifier: end}
        """
    private static let run = "run armed.yaml --participant P01 --auto --speed max --out out"

    @Test func `a run is of the arm that is given, and every place says so`() throws {
        _ = program.write(Self.study, "armed.yaml")
        let told = program.run(Self.run + " --arm long")
        #expect(told.code == 0 && told.output.contains("Rest a much."), "\(told.errors)")
        #expect(told.output.contains("Only for the long ones."))
        let bundle = try #require(program.lines(of: "ls -d out/*").first)
        #expect(program.run("verify \(bundle)").code == 0)
        let asked =
            "import json; r=json.load(open('\(bundle)/result.json')); p=json.load(open('\(bundle)/plan.json')); "
            + "m=json.load(open('\(bundle)/manifest.json')); h=json.loads(open('\(bundle)/journal.jsonl').readline()); "
            + "print(r['userInfo']['arm'], p['arm'], h['arm'], 'long' in json.dumps(m))"
        #expect(program.lines(of: "python3 -c \"\(asked)\"") == ["long long long True"])
        #expect(program.run("show \(bundle)").output.contains("session 1, arm long"))
        let status = program.run("study status out --include-simulated").output
        #expect(status.contains("arm") && status.contains("long"), "\(status)")
        #expect(program.run("collate out --out data").code == 0)
        #expect(
            program.lines(
                of: "python3 -c \"import csv,glob; print([r['arm'] for f in "
                    + "glob.glob('data/sessions/*/*/*.csv') for r in csv.DictReader(open(f))])\"")
                == ["['long']"])
    }

    @Test(arguments: [
        ("", "choose one with --arm: short, long"),
        (" --arm lang", "no arm 'lang'; it has: short, long"),
    ])
    func `a run needs one of the arms`(option: String, words: String) {
        _ = program.write(Self.study, "armed.yaml")
        let told = program.run(Self.run + option)
        #expect(told.code == 64 && told.errors.contains(words), "\(told.errors)")
        let plan = program.run("plan armed.yaml --participant P01" + option)
        #expect(plan.code == 64 && plan.errors.contains(words))
    }

    @Test func `a study without arms takes none`() {
        let plain = Self.study.split(separator: "\n").filter { line in
            !["arms:", "- {identifier: ", "arm: long"].contains { line.contains($0) }
        }
        _ = program.write(
            plain.joined(separator: "\n").replacing("{word}", with: "bit").replacing("$wait", with: "3 s"),
            "armed.yaml")
        let told = program.run(Self.run + " --arm short")
        #expect(told.code == 64 && told.errors.contains("the study has no arms"), "\(told.errors)")
        #expect(program.run(Self.run).code == 0)
    }

    @Test func `a rehearsal goes round the arms, or stays in one`() {
        _ = program.write(Self.study, "armed.yaml")
        let all = program.run("rehearse armed.yaml --participants 5").output
        #expect(all.contains("arms: 3 in short, 2 in long"), "\(all)")
        let one = program.run("rehearse armed.yaml --participants 5 --arm long").output
        #expect(one.contains("arms: 5 in long"), "\(one)")
        #expect(program.run("plan armed.yaml --participant P01 --arm short").output.contains("arm short"))
    }
}
