import StudyTesting
import Testing
import TextFormat

/// Allocation from the study to the ledger and the tables, as those who run sessions meet it.
@Suite struct AllocationCommandTests {
    private let program = Program()
    private static let scripts = "\(Program.root)Tests/AllocatingTests"

    private static func study(_ allocation: String = "{method: blocks, blocks: [2], stratify: [sex]}")
        -> String
    {
        """
        entrain: 1
        study: {identifier: allocated, title: Allocated, seed: 1}
        arms:
          - {identifier: music, title: With music, values: {word: music}}
          - {identifier: quiet, values: {word: silence}}
        allocation: \(allocation)
        tasks:
          - identifier: Task
            steps:
              - {type: question, identifier: sex, title: Sex, answer: {choice: [female, male]}}
              - {type: question, identifier: adult, title: Adult, answer: {boolean: {}}, goTo: {answer: adult, is: ne, value: true, target: young}}
              - {type: allocation, identifier: arm, title: One moment}
              - {type: instruction, identifier: tell, title: "You get {word}."}
              - {type: instruction, identifier: only, title: Only for music., skipIf: {arm: quiet}}
              - {type: completion, identifier: end}
              - {type: completion, identifier: young, reason: tooYoung}
        """
    }

    /// Writes a study whose ledger is made.
    private func prepare(_ allocation: String = "method: blocks, blocks: [2], stratify: [sex]") {
        _ = program.write(Self.study("{\(allocation)}"), "study.yaml")
        let created = program.run("allocation create study.yaml --out ledger")
        #expect(created.code == 0, "\(created.errors)")
        let line = created.output.split(separator: "\n").first.map(String.init) ?? ""
        #expect(line.hasPrefix("  commitment: ") && line.utf8.count == 14 + 64)
        _ = program.write(Self.study("{\(allocation),\(line)}"), "study.yaml")
        #expect(program.run("check study.yaml").code == 0)
    }

    /// A participant by lines: the number of the sex, and whether they are adult.
    private func run(
        _ participant: String, sex: Int = 1, adult: String = "y", _ options: String = "--ledger ledger"
    )
        -> Program.Outcome
    {
        _ = program.write("\(sex)\n\(adult)\n\n\n\n\n", "keys")
        return program.run(
            "run study.yaml --plain --audio none --participant \(participant) --out results \(options)",
            input: "keys")
    }

    private func arm(in outcome: Program.Outcome) -> String? {
        outcome.output.contains("You get music.")
            ? "music" : outcome.output.contains("You get silence.") ? "quiet" : nil
    }

    @Test(.enabled(if: LastSyncTests.canTrace)) func `nobody is told an arm that is not on disk`() throws {
        prepare()
        _ = program.write("1\ny\n\n\n\n\n", "keys")
        let run = "\(Program.executables)/entrain run study.yaml --plain --audio none --participant P01 "
        let traced = program.run(
            "-f -qq -s 400 -o calls -e trace=write,fdatasync \(run) --out results --ledger ledger",
            of: "strace",
            input: "keys")
        #expect(traced.code == 0, "\(traced.errors)")
        let calls = Program.text(of: program.folder.path + "/calls").split(separator: "\n")
        let written = try #require(calls.firstIndex { $0.contains("arm") && $0.contains("P01") })
        let descriptor = try #require(calls[written].split(separator: "write(").dropFirst().first)
            .prefix { $0.isNumber }
        // A call that another thread's comes between is written in two lines: begun, and resumed.
        let synced = calls[written...].firstIndex { line in
            ["fdatasync(\(descriptor))", "fdatasync(\(descriptor) <"].contains { line.contains($0) }
        }
        let told = calls[written...].firstIndex { $0.contains("You get ") }
        #expect(try #require(synced) < (try #require(told)))
    }

    @Test func `a code that has an arm and no run is asked about, and not proposed`() throws {
        prepare()
        #expect(run("P01").code == 0)
        #expect(!run("P01", "--ledger ledger --session 2").errors.contains("was allocated on"))
        #expect(program.run("withdraw --participant P01 --erase --yes results").code == 0)
        let next = program.run("ready study.yaml --out results --ledger ledger --for 1s").output
        #expect(next.contains("participant P02, session 1: free"), "\(next)")
        let again = run("P01")
        #expect(again.code == 64 && again.errors.contains("P01 was allocated on "), "\(again.errors)")
        #expect(program.lines(of: "ls results").filter { !$0.hasSuffix(".json") }.isEmpty)
        #expect(run("P01", "--ledger ledger --same-person").code == 0)
        #expect(!run("P02").errors.contains("was allocated on"))
    }

    @Test func `participants are allocated, and every place says so`() throws {
        prepare()
        let told = [run("P01"), run("P02", sex: 2), run("P03")]
        #expect(told.map(\.code) == [0, 0, 0], "\(told.map(\.errors))")
        let arms = told.map(arm(in:))
        // A block of two holds both arms.
        #expect(Set([arms[0], arms[2]]) == ["music", "quiet"], "\(told[0].output)")
        #expect(told[0].output.contains("Only for music.") == (arms[0] == "music"))
        let young = run("P04", adult: "n")
        #expect(young.code == 0 && arm(in: young) == nil, "\(young.errors)")
        for bundle in program.lines(of: "ls -d results/*-*") {
            let verified = program.run("verify \(bundle)")
            #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
        }
        let asked = """
            import json, glob
            for b in glob.glob('results/*-*'):
                m, p = (json.load(open(b + '/' + n)) for n in ('manifest.json', 'plan.json'))
                u = json.load(open(b + '/result.json'))['userInfo']
                print(m['participant'], m.get('arm'), p.get('arm'), u.get('arm'))
            """
        _ = program.write(asked, "asked.py")
        #expect(
            program.lines(of: "python3 asked.py | sort")
                == zip(["P01", "P02", "P03"], arms).map { "\($0) \($1 ?? "") \($1 ?? "") \($1 ?? "")" }
                + ["P04 None None None"])
        let status = program.run("study status results").output
        #expect(status.contains("; arms: "), "\(status)")
        let beside = program.run("study status results --ledger ledger")
        #expect(beside.code == 0 && beside.output.contains("ledger of allocated: 3 participants allocated ("))
        #expect(!beside.output.contains("without a run") && !beside.output.contains("another arm"))
        _ = program.lines(of: "mkdir none")
        let none = program.run("study status none --ledger ledger").output
        #expect(none.contains("allocated, and without a run: P01, P02, P03") && none.contains("code: P04"))
        let verified = program.run("allocation verify ledger --results results")
        #expect(verified.code == 0 && verified.output.contains("allocated: 3 participants"), "\(verified)")
        #expect(
            program.lines(of: "python3 \(Self.scripts)/second_implementation.py ledger 2>&1") == ["3 derived"]
        )
        #expect(program.run("collate results --out data").code == 0)
    }

    @Test func `a second session has the same arm, and another participant's bundle is told`() throws {
        prepare()
        let first = run("P01")
        let second = run("P01", sex: 2, "--ledger ledger --session 2")
        #expect(arm(in: first) != nil && arm(in: first) == arm(in: second), "\(second.errors)")
        #expect(program.lines(of: "grep -c participant ledger/ledger.jsonl") == ["1"])
        let other = program.run("allocation verify ledger --results results")
        #expect(
            other.code == 65 && other.errors.contains("P01, session 2, asked for its arm with"),
            "\(other.errors)")
        _ = program.lines(of: #"sed -i '3,$d; 2s/"time":"[0-9]*/"time":"2001/' ledger/ledger.jsonl"#)
        let early = program.run("allocation verify ledger")
        #expect(
            early.code == 0 && early.errors.contains("Line 2 of the ledger says an earlier time"),
            "\(early.errors)")
        _ = program.lines(of: "head -n 1 ledger/ledger.jsonl >cut && mv cut ledger/ledger.jsonl")
        let verified = program.run("allocation verify ledger --results results")
        #expect(verified.code == 65 && verified.errors.contains("is not in the ledger"), "\(verified.errors)")
    }

    @Test func `an answer is put right in a line of its own, and both are told`() throws {
        prepare("method: minimisation, factors: [sex], probability: 1")
        let first = arm(in: run("P01"))
        let correct = "allocation correct ledger --by 'Dr. A' --reason"
        let told = program.run("\(correct) slip --participant P01 --answer sex=male")
        #expect(
            told.output == "P01, slot 1, is sex male, and was taken for sex female\n", "\(told.output)")
        #expect(told.errors.contains("Nobody else has the answer 'male'"))
        // A man counts beside the first one now, so he gets the other arm.
        let second = arm(in: run("P02", sex: 2))
        #expect(second != nil && second != first)
        #expect(arm(in: run("P01", sex: 2, "--ledger ledger --session 2")) == first)
        #expect(program.run("\(correct) young --participant P02 --in-error").code == 0)
        for (options, code) in [
            ("slip --participant P01 --answer sex=male", 64), ("slip --participant P09 --in-error", 64),
            ("slip --participant P01 --answer age=3", 64), ("slip --participant P01", 64),
            ("young --participant P02 --in-error", 64),
        ] { #expect(program.run("\(correct) \(options)").code == Int32(code), "\(options)") }
        let verified = program.run("allocation verify ledger --results results")
        #expect(verified.code == 0 && verified.output.contains("corrected: P01 is sex male, by Dr. A"))
        #expect(verified.output.contains("allocated in error: P02, by Dr. A"), "\(verified.errors)")
        let status = program.run("study status results --ledger ledger").output
        #expect(
            status.contains("  corrected since: P01 (sex male)\n  allocated in error: P02\n"), "\(status)")
        #expect(
            program.lines(of: "python3 \(Self.scripts)/second_implementation.py ledger 2>&1") == ["2 derived"]
        )
        let revealed = program.run("allocation reveal ledger --yes --format json")
        let slots = try JSON(parsing: Array(revealed.output.utf8))["slots"]?.list
        #expect(slots?.map { $0["correctedLevels"] } == [["male"], .null])
        #expect(slots?.map { $0["levels"] } == [["female"], ["male"]])
        #expect(slots?.map { $0["allocatedInError"] } == [false, true])
        // Nobody is asked anything in vain.
        let late = run("P03")
        #expect(late.code == 65 && late.errors.contains("was revealed") && !late.output.contains("Sex"))
        #expect(program.lines(of: "ls results").count == 3)
    }

    @Test func `nothing runs without the right ledger, and nobody names an arm`() {
        prepare()
        for (options, code, words) in [
            ("", 64, "--ledger"), ("--ledger elsewhere", 69, "elsewhere"),
            ("--ledger ledger --arm music", 64, "leave --arm out"),
        ] {
            let refused = run("P01", options)
            #expect(refused.code == Int32(code) && refused.errors.contains(words), "\(refused.errors)")
        }
        _ = program.lines(of: "sed -i 's/blocks: .2./blocks: [4]/' study.yaml")
        let changed = run("P01")
        #expect(changed.code == 65 && changed.errors.contains("was made"), "\(changed.errors)")
        #expect(program.lines(of: "ls results 2>/dev/null | wc -l") == ["0"])
        #expect(program.run("allocation create study.yaml --out other").code == 64)
    }

    @Test func `rehearsals have secrets of their own, and are the same each time`() throws {
        prepare()
        let rehearsed = program.run("rehearse study.yaml --participants 40")
        #expect(rehearsed.code == 0 && rehearsed.output.contains("arms: "), "\(rehearsed.errors)")
        #expect(program.run("rehearse study.yaml --participants 40").output == rehearsed.output)
        let automatic = program.run("run study.yaml --auto --speed max --participant P01 --out tried")
        #expect(automatic.code == 0, "\(automatic.errors)")
        let bundle = try #require(program.lines(of: "ls -d tried/*").first)
        #expect(program.run("verify \(bundle)").code == 0)
        #expect(program.run("rehearse study.yaml --participants 3 --out more").code == 0)
        for one in program.lines(of: "ls -d more/*") { #expect(program.run("verify \(one)").code == 0) }
        #expect(program.lines(of: "wc -l <ledger/ledger.jsonl") == ["1"])
        let plan = program.run("plan study.yaml --participant P01 --arm music").output
        #expect(plan.contains("arm music"))
    }

    @Test func `sixteen programs share a ledger, and two of them are killed`() {
        prepare()
        let many = "\(Program.executables)/AllocateMany"
        #expect(
            program.lines(of: "python3 \(Self.scripts)/race.py \(many) ledger 2>&1") == ["200 allocated"])
        #expect(
            program.lines(of: "python3 \(Self.scripts)/second_implementation.py ledger 2>&1")
                == ["200 derived"])
    }

    @Test
    func `three machines share a ledger through a monitor that is killed, and what is wrong is refused`() {
        let told = program.lines(
            of:
                "python3 \(Self.scripts)/race_monitor.py \(Program.executables) --participants 12 --programs 4 --kills 1 --loopback 2>&1"
        )
        #expect(told.last == "12 allocated", "\(told)")
    }

    @Test(arguments: [
        ("http://192.0.2.1:8080", 64, "--token-over-http"), ("ftp://lab.example", 64, "ftp://lab.example"),
        ("http://localhost:8080/?x=1", 64, "localhost"),
    ])
    func `a ledger is at an address where its token may go`(url: String, code: Int32, words: String) {
        prepare()
        let outcome = program.run(
            "run study.yaml --plain --participant P01 --ledger \(url)",
            environment: "ENTRAIN_LEDGER_TOKEN=entrain_secret")
        #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome.errors)")
        #expect(!outcome.errors.contains("entrain_secret"))
    }

    @Test func `looks at the ledger before the participant comes`() {
        prepare()
        let ready = "ready study.yaml --audio none --for 1s --out results"
        let found = program.run("\(ready) --ledger ledger")
        #expect(found.code == 0 && found.output.contains("ledger: whole, 0 participants"), "\(found)")
        let missing = program.run(ready)
        #expect(missing.code == 69 && missing.output.contains("--ledger"), "\(missing)")
        let away = program.run("\(ready) --ledger http://127.0.0.1:9")
        #expect(away.code == 69 && away.output.contains("cannot be reached"), "\(away)")
        #expect(program.lines(of: "wc -l <ledger/ledger.jsonl") == ["1"])
        #expect(program.run("allocation reveal ledger --yes").code == 0)
        let late = program.run("\(ready) --ledger ledger")
        #expect(late.code == 69 && late.output.contains("revealed"), "\(late)")
    }

    @Test(arguments: [
        "method: simple", "method: blocks, blocks: [2, 4, 6], stratify: [sex]",
        "method: minimisation, factors: [sex, {question: adult, weight: 3}], imbalance: variance, burnIn: 4",
        "method: minimisation, probability: 0.7",
    ])
    func `a second implementation derives every arm`(allocation: String) {
        prepare(allocation)
        let codes = (1...60).map { "P\($0)" }.joined(separator: " ")
        let many = program.run("ledger \(codes)", of: "\(Program.executables)/AllocateMany")
        #expect(many.code == 0, "\(many.output)")
        #expect(
            program.lines(of: "python3 \(Self.scripts)/second_implementation.py ledger 2>&1")
                == ["60 derived"])
        let revealed = program.run("allocation reveal ledger --yes")
        #expect(revealed.code == 0 && revealed.output.contains("secret: "), "\(revealed.errors)")
        #expect(run("P99").code != 0)
    }

    @Test func `minimisation balances factors no worse than a plain one`() throws {
        _ = program.write(
            Self.study("{method: minimisation, factors: [sex, adult], probability: 0.8}"), "study.yaml")
        let told = program.run(
            "allocation simulate study.yaml --participants 50 --trials 400 --format json")
        #expect(told.code == 0, "\(told.errors)")
        let own = try JSON(parsing: Array(told.output.utf8)).object?["spreadInLevels"]?.object?["mean"]?
            .number
        let plain = program.lines(
            of: "python3 \(Self.scripts)/minimisation_reference.py 0.8 50 400 2 2"
        ).first.flatMap(Double.init)
        #expect(try #require(own) <= #require(plain) * 1.06, "\(own ?? 0) \(plain ?? 0)")
        #expect(program.run("allocation simulate study.yaml").output.contains("right guesses"))
    }

    @Test func `a full disk and a ledger that cannot be written give no arm, and what was there stays`() {
        prepare()
        let many = "\(Program.executables)/AllocateMany"
        #expect(program.run("ledger P01", of: many).code == 0)
        let size = program.lines(of: "wc -c <ledger/ledger.jsonl")
        // Nothing more can be written to any file: as on a full disk, but with another word of the system.
        let full = program.lines(of: "sh -c 'trap \"\" XFSZ; ulimit -f 0; \(many) ledger P02' | cat")
        #expect(full.count == 1 && full[0].hasPrefix("refused: cannot write"), "\(full)")
        #expect(program.lines(of: "wc -c <ledger/ledger.jsonl") == size)
        #expect(program.run("ledger P01 P02", of: many).code == 0)
        // A folder in the ledger's place cannot be opened for writing, whoever asks.
        _ = program.lines(of: "mv ledger/ledger.jsonl kept; mkdir ledger/ledger.jsonl")
        let unreadable = program.run("ledger P03", of: many)
        #expect(unreadable.code == 74 && unreadable.output.contains("ledger.jsonl"), "\(unreadable.output)")
    }

    @Test func `a step whose ledger fails waits, says why, and goes on when it is there again`() {
        prepare()
        // The ledger is taken away while the run asks its first question, and brought back after the second try.
        _ = program.write(
            """
            import os, subprocess, sys
            run = subprocess.Popen([*sys.argv[1:], 'study.yaml', '--plain', '--audio', 'none', '--participant', 'P01',
                '--out', 'results', '--ledger', 'ledger'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            def until(words):
                for line in run.stdout:
                    if words in line:
                        return
                sys.exit('never said: ' + words)
            def say(text):
                run.stdin.write(text)
                run.stdin.flush()
            until('Sex')
            os.rename('ledger/ledger.jsonl', 'kept')
            say('1\\ny\\n')
            until('try again')
            say('\\n')
            until('try again')
            os.rename('kept', 'ledger/ledger.jsonl')
            say('\\n')
            until('You get')
            say('\\n\\n\\n')
            run.stdin.close()
            run.stdout.read()
            print(run.wait())
            """, "person.py")
        let lines = program.lines(of: "python3 person.py \(Program.executables)/entrain run")
        #expect(lines == ["0"], "\(lines)")
        let bundle = program.lines(of: "ls -d results/*-*").first ?? ""
        #expect(program.run("verify \(bundle)").code == 0)
        #expect(program.lines(of: "grep -c notAllocated \(bundle)/journal.jsonl") == ["2"])
    }

    @Test func `who asks for an arm is written down`() {
        prepare()
        #expect(run("P01").code == 0)
        let told = program.run(
            "allocation unblind ledger --participant P01 --by 'Dr. Abel' --reason 'a rash'")
        #expect(told.code == 0 && told.output.contains("P01 is in the arm"), "\(told.errors)")
        #expect(
            program.run("allocation unblind ledger --participant P02 --by x --reason y").code == 64)
        let verified = program.run("allocation verify ledger")
        #expect(verified.output.contains("unblinded: P01, by Dr. Abel") && verified.output.contains("a rash"))
        _ = program.lines(
            of: "{ sed -i 's/a rash/a rush/' ledger/ledger.jsonl; echo '{}' >>ledger/ledger.jsonl; }")
        let broken = program.run("allocation verify ledger")
        #expect(broken.code == 65 && broken.errors.contains("line 5 "), "\(broken.errors)")
    }
}
