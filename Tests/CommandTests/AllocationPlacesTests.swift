import StudyTesting
import Testing

/// Limited places, public chance, lists of codes, and what the ledger learns when runs end.
@Suite struct AllocationPlacesTests {
    private let program = Program()
    private static let second = "\(Program.root)Tests/AllocatingTests/second_implementation.py"

    private static func study(_ allocation: String) -> String {
        """
        entrain: 1
        study: {identifier: limited, title: Limited, seed: 1}
        arms:
          - {identifier: music, places: 2, values: {word: music}}
          - {identifier: quiet, places: 1, values: {word: silence}}
        allocation: {\(allocation)}
        tasks:
          - identifier: Task
            steps:
              - {type: question, identifier: sex, title: Sex, answer: {choice: [female, male]}}
              - {type: allocation, identifier: arm, title: One moment}
              - {type: instruction, identifier: tell, title: "You get {word}."}
              - {type: completion, identifier: end}
        """
    }

    private func prepare(_ allocation: String, _ options: String = "") {
        _ = program.write(Self.study(allocation), "study.yaml")
        let created = program.run("allocation create study.yaml \(options) --out ledger")
        #expect(created.code == 0, "\(created.errors)")
        let line = created.output.split(separator: "\n").first.map(String.init) ?? ""
        _ = program.write(Self.study("\(allocation), \(line)"), "study.yaml")
        #expect(program.run("check study.yaml").code == 0)
    }

    private func run(_ participant: String, _ keys: String = "1\\n\\n\\n\\n") -> Program.Outcome {
        _ = program.write(keys.replacing("\\n", with: "\n"), "keys")
        return program.run(
            "run study.yaml --plain --audio none --participant \(participant) --out results --ledger ledger",
            input: "keys")
    }

    @Test func `places are filled up by those who complete, and everybody derives the same`() {
        prepare("method: blocks, blocks: [2], refill: true, publicChance: \"Lotto, 6 March 2027\"")
        let early = run("P01")
        #expect(early.code == 65 && early.errors.contains("Lotto, 6 March 2027"), "\(early)")
        let mixed = program.run("allocation chance ledger --value '4 11 19' --by Anna")
        #expect(mixed.code == 0, "\(mixed.errors)")
        #expect(program.run("allocation chance ledger --value '4' --by Anna").code == 64)
        for code in ["P01", "P02"] { #expect(run(code).code == 0) }
        // Input that ends early ends the run.
        #expect(run("P03", "1\\n").code != 0)
        #expect(run("P04").code == 0)
        let full = run("P05")
        #expect(full.code == 65 && full.errors.contains("all places"), "\(full)")
        let left = program.run("allocation end ledger --participant P01 --by 'Dr. A' --reason 'moved away'")
        #expect(left.output == "P01 did not complete\n", "\(left)")
        #expect(run("P05").code == 0)
        let verified = program.run("allocation verify ledger --results results")
        #expect(verified.code == 0, "\(verified.errors)")
        for words in [
            "5 participants", "public chance: 4 11 19, by Anna", "did not complete: P01, by Dr. A, ",
            "did not complete: P03, ", "shown: nobody chose the secret", "not shown: who ran sessions",
            "not shown: codes may have been made up",
        ] { #expect(verified.output.contains(words), "\(words): \(verified.output)") }
        #expect(program.lines(of: "python3 \(Self.second) ledger 2>&1") == ["5 derived"])
        let simulated = program.run("allocation simulate study.yaml --participants 5 --trials 50")
        #expect(
            simulated.output.contains("participants who find no place: 2 on average"), "\(simulated.output)")
        #expect(program.run("rehearse study.yaml --participants 9").code == 0)
    }

    @Test(arguments: ["method: simple", "method: minimisation"])
    func `other methods pass over full arms, too`(method: String) {
        prepare(method)
        for code in ["P01", "P02", "P03"] { #expect(run(code).code == 0) }
        #expect(run("P04").code == 65)
        #expect(program.lines(of: "python3 \(Self.second) ledger 2>&1") == ["3 derived"])
        #expect(program.run("allocation verify ledger").output.contains("2 in music and 1 in quiet"))
    }

    @Test func `only listed codes are allocated, and a list that can be mistaken is refused`() {
        for (codes, words) in [
            ("P01\np1\n", "mistaken"), ("P01\nP01\n", "twice"), ("\n", "no codes"), (" P1\n", "space"),
        ] {
            _ = program.write(codes, "codes.txt")
            _ = program.write(Self.study("method: simple"), "study.yaml")
            let refused = program.run("allocation create study.yaml --codes codes.txt --out never")
            #expect(refused.code == 65 && refused.errors.contains(words), "\(refused)")
        }
        _ = program.write("P01\nP02\n", "codes.txt")
        prepare("method: simple", "--codes codes.txt")
        #expect(run("P01").code == 0)
        let other = run("P03")
        #expect(other.code == 65 && other.errors.contains("list of codes"), "\(other)")
        let alike = run("p01")
        #expect(alike.code == 65, "\(alike)")
        #expect(program.run("allocation verify ledger").output.contains("shown: codes were fixed"))
    }

    @Test(arguments: [
        ("method: list", "places each arm has"), ("method: list, publicChance: x", "publicChance"),
    ])
    func `what cannot be is refused`(allocation: String, words: String) {
        _ = program.write(Self.study(allocation), "study.yaml")
        let checked = program.run("check study.yaml")
        #expect(checked.code == 65 && checked.output.contains(words), "\(checked)")
        let unlimited = Self.study("method: simple, refill: true")
            .replacing(", places: 2", with: "").replacing(", places: 1", with: "")
        _ = program.write(unlimited, "study.yaml")
        #expect(program.run("check study.yaml").output.contains("could be refilled"))
    }
}
