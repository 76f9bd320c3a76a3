import StudyTesting
import Testing
import TextFormat

/// A list of slots that somebody else made, from the CSV file to the revealed ledger.
@Suite struct AllocationListCommandTests {
    private let program = Program()
    private static let scripts = "\(Program.root)Tests/AllocatingTests"

    private static func study(_ allocation: String) -> String {
        """
        entrain: 1
        study: {identifier: listed, title: Listed, seed: 1}
        arms:
          - {identifier: music, values: {word: music}}
          - {identifier: quiet, values: {word: silence}}
        allocation: {\(allocation)}
        tasks:
          - identifier: Task
            steps:
              - {type: question, identifier: sex, title: Sex, answer: {choice: [female, male]}}
              - {type: question, identifier: adult, title: Adult, answer: {boolean: {}}}
              - {type: allocation, identifier: arm, title: One moment}
              - {type: instruction, identifier: tell, title: "You get {word}."}
              - {type: completion, identifier: end}
        """
    }

    /// Writes a study whose ledger is made from a list.
    private func prepare(_ list: String, _ allocation: String = "method: list, stratify: [sex]") {
        _ = program.write(list, "list.csv")
        _ = program.write(Self.study(allocation), "study.yaml")
        let created = program.run("allocation create study.yaml --list list.csv --out ledger")
        #expect(created.code == 0 && created.errors.contains("the list has"), "\(created.errors)")
        let line = created.output.split(separator: "\n").first.map(String.init) ?? ""
        #expect(line.hasPrefix("  commitment: "))
        _ = program.write(Self.study("\(allocation),\(line)"), "study.yaml")
        #expect(program.run("check study.yaml").code == 0)
    }

    private func run(_ participant: String, sex: Int = 1, _ options: String = "--ledger ledger")
        -> Program.Outcome
    {
        _ = program.write("\(sex)\ny\n\n\n\n\n", "keys")
        return program.run(
            "run study.yaml --plain --audio none --participant \(participant) --out results \(options)",
            input: "keys")
    }

    private static let short = """
        slot,arm,sex
        1,quiet,female
        2,music,female
        1,music,male

        """

    @Test func `participants get the slots of the list, and nobody more than there are`() {
        prepare(Self.short)
        let told = [run("P01"), run("P02", sex: 2), run("P03")]
        #expect(told.map(\.code) == [0, 0, 0], "\(told.map(\.errors))")
        #expect(
            told[2].errors.contains("no slot left for participants with 'male'"), "\(told[2].errors)")
        for (outcome, word) in zip(told, ["silence", "music", "music"]) {
            #expect(outcome.output.contains("You get \(word)."), "\(outcome.output)")
        }
        let late = run("P04")
        #expect(late.code == 65 && late.errors.contains("used up"), "\(late.errors)")
        #expect(program.lines(of: "ls -d results/*-* | wc -l") == ["3"])
        let again = run("P01", "--ledger ledger --session 2")
        #expect(again.code == 0 && again.output.contains("You get silence."), "\(again.errors)")
        let ready = program.run("ready study.yaml --audio none --for 1s --out results --ledger ledger")
        #expect(ready.code == 69 && ready.output.contains("used up"), "\(ready)")
        let verified = program.run("allocation verify ledger --results results")
        #expect(
            verified.code == 0 && verified.output.contains("list: 3 slots, 0 not taken"), "\(verified)")
        let status = program.run("study status results --ledger ledger")
        #expect(status.code == 0 && status.output.contains("3 participants allocated ("), "\(status)")
        let second = "python3 \(Self.scripts)/second_implementation.py ledger 2>&1"
        #expect(program.lines(of: second) == ["3 derived"])
        let revealed = program.run("allocation reveal ledger --yes")
        #expect(revealed.code == 0 && revealed.errors.contains("follows from the list"), "\(revealed)")
        for bundle in program.lines(of: "ls -d results/*-*") {
            #expect(program.run("verify \(bundle)").code == 0)
        }
        // The arm of the last slot is changed, and the line that reveals is gone: no checksum follows it.
        _ = program.lines(
            of:
                "{ head -n 6 ledger/ledger.jsonl | sed '6s/\"arm\":\"music\"/\"arm\":\"quiet\"/' >cut; mv cut ledger/ledger.jsonl; }"
        )
        let changed = program.run("allocation verify ledger")
        #expect(changed.code == 65 && changed.errors.contains("slot 3 has the arm quiet"), "\(changed)")
        #expect(program.lines(of: "\(second) | tail -n 1").last?.contains("does not follow") == true)
    }

    @Test func `a second implementation derives every arm of a long list`() {
        let rows = (1...80).map { "\($0),\($0 * 7 % 5 < 2 ? "music" : "quiet")\n" }
        prepare("slot,arm\n" + rows.joined(), "method: list")
        let codes = (1...60).map { "P\($0)" }.joined(separator: " ")
        #expect(program.run("ledger \(codes)", of: "\(Program.executables)/AllocateMany").code == 0)
        #expect(
            program.lines(of: "python3 \(Self.scripts)/second_implementation.py ledger 2>&1")
                == ["60 derived"])
        let more = (61...81).map { "P\($0)" }.joined(separator: " ")
        let many = program.run("ledger \(more)", of: "\(Program.executables)/AllocateMany")
        #expect(many.output.contains("refused: the list of allocations is used up"), "\(many.output)")
    }

    @Test func `a list that cannot be used makes no ledger`() {
        _ = program.write(Self.study("method: list, stratify: [sex]"), "study.yaml")
        _ = program.write(Self.short.replacing("1,music,male", with: "1,talk,male"), "list.csv")
        for (options, code, words) in [
            ("--list list.csv", 65, "list.csv:4: there is no arm 'talk'"), ("", 64, "--list"),
            ("--list missing.csv", 69, "missing.csv"),
        ] {
            let refused = program.run("allocation create study.yaml --out ledger \(options)")
            #expect(refused.code == Int32(code) && refused.errors.contains(words), "\(refused)")
        }
        #expect(program.run("allocation simulate study.yaml").code == 64)
        _ = program.write(Self.study("method: simple"), "study.yaml")
        let useless = program.run("allocation create study.yaml --out ledger --list list.csv")
        #expect(useless.code == 64 && useless.errors.contains("uses no list"), "\(useless)")
        #expect(program.lines(of: "ls -d ledger 2>/dev/null | wc -l") == ["0"])
    }

    @Test func `rehearsals and simulations say what they do about the list`() {
        prepare(Self.short)
        let rehearsed = program.run("rehearse study.yaml --participants 10")
        #expect(
            rehearsed.code == 0 && rehearsed.errors.contains("does not know what lies with the ledger"),
            "\(rehearsed)")
        let automatic = program.run("run study.yaml --auto --speed max --participant P01 --out tried")
        #expect(
            automatic.code == 0 && automatic.errors.contains("does not know what lies with the ledger"),
            "\(automatic)")
        #expect(program.lines(of: "wc -l <ledger/ledger.jsonl") == ["1"])
        let simulated = program.run("allocation simulate study.yaml --list list.csv --participants 10")
        #expect(
            simulated.code == 0 && simulated.output.contains("find no slot in the list: 7"),
            "\(simulated)")
        let page = program.run("protocol study.yaml --out page.html")
        #expect(page.code == 0, "\(page)")
        let words = Program.text(of: program.folder.path + "/page.html")
        #expect(words.contains("The list is sealed") && words.contains("a secret and the list is"))
    }

    @Test func `a lost answer of the monitor takes no second slot`() {
        prepare(Self.short)
        #expect(
            program.lines(of: "python3 \(Self.scripts)/drop_answer.py \(Program.executables) 2>&1").last
                == "1 lost, 2 answers, 1 slot")
    }

    @Test func `hidden sizes of blocks stay with the ledger, and a noted head finds one that was put back`() {
        let allocation = "method: blocks, blocks: hidden"
        _ = program.write(Self.study(allocation), "study.yaml")
        for options in ["", " --blocks 3", " --blocks 2,x"] {
            #expect(program.run("allocation create study.yaml --out ledger" + options).code == 64)
        }
        #expect(program.run("allocation simulate study.yaml --trials 20").code == 64)
        #expect(program.run("allocation simulate study.yaml --trials 20 --blocks 2").code == 0)
        let created = program.run("allocation create study.yaml --out ledger --blocks '2, 4'")
        #expect(created.code == 0 && created.errors.contains("the sizes of blocks"), "\(created.errors)")
        let line = created.output.split(separator: "\n").first.map(String.init) ?? ""
        _ = program.write(Self.study("\(allocation),\(line)"), "study.yaml")
        #expect(program.run("check study.yaml").code == 0)
        var heads: [Substring] = []
        for number in 1...3 {
            _ = program.write("1\ny\n\n\n", "keys")
            let ran = program.run(
                "run study.yaml --plain --audio none --participant P0\(number) --out results --ledger ledger --by Abel",
                input: "keys")
            #expect(ran.code == 0, "\(ran.errors)")
            let verified = program.run("allocation verify ledger --results results")
            #expect(verified.code == 0, "\(verified)")
            let head = verified.output.split(separator: "\n").last?.split(separator: " ") ?? []
            heads.append(head.count > 1 ? head[1] : "")
            if number == 2 { _ = program.lines(of: "cp -a ledger backup") }
        }
        #expect(program.lines(of: "cat results/*/study.yaml | grep -c 'blocks: hidden'") == ["3"])
        #expect(program.lines(of: "grep -c '\"askedBy\":\"Abel@' ledger/ledger.jsonl") == ["3"])
        let log = program.run("study log results")
        #expect(
            log.code == 0 && log.output.split(separator: "\n").count { $0.contains("  allocated  ") } == 3,
            "\(log)")
        let derived = program.lines(of: "python3 \(Self.scripts)/second_implementation.py ledger")
        #expect(derived == ["3 derived"])
        #expect(program.run("allocation verify ledger --head \(heads[1])").code == 0)
        let restored = program.run("allocation verify backup --head \(heads[2])")
        #expect(restored.code == 65 && restored.errors.contains("put back"), "\(restored)")
        #expect(program.run("allocation reveal ledger --yes").output.contains("sizes of blocks: 2, 4"))
    }
}
