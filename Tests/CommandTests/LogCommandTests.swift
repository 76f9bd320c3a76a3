import StudyTesting
import Testing
import TextFormat

/// The log of a results folder, as a laboratory keeps it and as others verify it.
@Suite struct LogCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: calm, title: Calm, seed: 1}
        outcomes: {primary: {measure: answer, of: mood}}
        tasks:
          - identifier: task
            steps:
              - {type: question, identifier: mood, title: Mood, answer: {scale: {from: 1, to: 5}}}
              - {type: completion, identifier: done, title: Done}
        """

    /// A participant's run.
    @discardableResult private func run(_ code: String, to output: String = "results") -> Program.Outcome {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write("3\n\n", "keys")
        let outcome = program.run(
            "run study.yaml --plain --out \(output) --participant \(code)", input: "keys")
        #expect(outcome.code == 0, "\(outcome.errors)")
        return outcome
    }

    private func bundle(of code: String) throws -> String {
        try #require(
            program.lines(
                of: "grep -l '\"participant\":\"\(code)\"' results/*/manifest.json | xargs -n 1 dirname"
            ).first)
    }

    private func log(_ options: String = "results") throws -> (code: Int32, told: JSON) {
        let outcome = program.run("study log \(options) --format json")
        return (outcome.code, try JSON(parsing: Array(outcome.output.utf8)))
    }

    private func counts(_ command: String) throws -> [JSON?] {
        let log = try JSON(parsing: Array(program.run("\(command) --format json").output.utf8))["log"]
        return ["began", "here", "damaged", "erased", "missing"].map { log?[$0] }
    }

    /// Makes a bundle's sums fit what it holds.
    private func reseal(_ bundle: String) {
        _ = program.lines(
            of: "(cd \(bundle) && sha256sum $(cut -c 67- SHA256SUMS) >new && mv new SHA256SUMS)")
    }

    @Test func `a whole folder is no news, also moved, copied or beside another site`() throws {
        for code in ["P01", "P02", "P03"] { run(code) }
        _ = program.lines(of: "mv results lab && cp -r lab copy")
        run("P11", to: "site")
        _ = program.lines(
            of: "mkdir all && cp -r lab site all && mv $(ls -d all/lab/*-* | tail -n 1) all/renamed")
        for folder in ["lab", "copy", "all"] {
            let (code, told) = try log(folder)
            #expect(code == 0 && told["unlogged"] == [] && told["unsaid"] == [], "\(told)")
            for command in ["study status", "analyse"] {
                let outcome = program.run("\(command) \(folder)")
                #expect(!outcome.output.contains("log"), "\(outcome.output)")
            }
        }
        #expect(try counts("analyse all") == [4, 4, 0, 0, 0])
        #expect(try counts("analyse lab copy") == [3, 3, 0, 0, 0])
        // Bundles alone.
        _ = program.lines(of: "mkdir bare && cp -r lab/*-* bare")
        let bare = try JSON(parsing: Array(program.run("study status bare --format json").output.utf8))
        #expect(bare["log"] == .null)
        #expect(program.run("study log bare").code == 69)
        // A bundle of another site.
        _ = program.lines(of: "cp -r site/*-* lab")
        let (code, told) = try log("lab")
        #expect(code == 0 && told["elsewhere"]?.object?.members.count == 1 && told["log"]?["began"] == 3)
    }

    @Test func `what was deleted is said before any result`() throws {
        for code in ["P01", "P02", "P03"] { run(code) }
        _ = program.lines(of: "rm -r \(try bundle(of: "P02"))")
        let line = "by the log, 3 runs began, 2 are here, 1 is missing; 'entrain study log' lists them"
        for command in ["study status results", "analyse results"] {
            #expect(program.run(command).output.hasPrefix(line + "\n"))
        }
        #expect(try counts("study status results") == [3, 2, 0, 0, 1])
        #expect(program.run("report results --out page.html").code == 0)
        let page = Program.text(of: program.folder.path + "/page.html")
        #expect(page.contains("By the log, 3 runs began") && page.contains(">1 is missing<"))
        let (code, told) = try log()
        #expect(code == 65)
        let states = told["logs"]?.list?.first?["entries"]?.list?.map { $0["state"] }
        #expect(states == ["here", "here", "missing", "missing", "here", "here"])
    }

    @Test func `a log that was deleted with bundles is missed by the proofs of the others`() throws {
        for code in ["P01", "P02", "P03", "P04"] { run(code) }
        _ = program.lines(
            of: "cp -r results bare && rm -r bare/.log && cp -r results lost && rm -r lost/.log")
        _ = program.lines(
            of: "rm -r $(grep -l '\"participant\":\"P02\"' lost/*/manifest.json | xargs -n 1 dirname)")
        for command in ["study status", "analyse"] {
            #expect(!program.run("\(command) bare").output.contains("log"))
            let outcome = program.run("\(command) lost")
            #expect(
                outcome.output.hasPrefix(
                    "by their proofs, 3 runs here are of a log that is not here: it had 7 entries"))
            let told = try JSON(parsing: Array(program.run("\(command) lost --format json").output.utf8))
            #expect(told["log"]?["absent"] == [["runs": 3, "entries": 7, "explained": 5]])
        }
        #expect(program.run("study log lost").code == 69)
        // With the log, each run is known.
        _ = program.lines(of: "cp -r results/.log lost")
        #expect(try counts("analyse lost") == [4, 3, 0, 0, 1])
    }

    @Test func `a bundle that was sealed anew or swapped is damaged, and not taken`() throws {
        for code in ["P01", "P02", "P03"] { run(code) }
        let (first, second) = (try bundle(of: "P01"), try bundle(of: "P02"))
        _ = program.lines(of: "sed -i 's/:3,/:5,/' \(first)/journal.jsonl \(first)/result.json")
        reseal(first)
        _ = program.lines(of: "rm -r \(second) && cp -r \(try bundle(of: "P03")) \(second)")
        for command in ["study status", "analyse"] {
            #expect(
                program.run("\(command) results").output.contains("3 runs began, 1 is here, 2 are damaged"))
        }
        #expect(program.run("analyse results").output.contains("1 session (1 completed) of 1 participant"))
        let outcome = program.run("study log results")
        #expect(outcome.code == 65)
        #expect(
            outcome.output.contains("damaged: \(first): it is not the bundle that the log says was sealed"))
    }

    @Test func `bundles show that their log was rolled back, written anew or continued in two places`() throws
    {
        run("P01")
        _ = program.lines(of: "cp -r results/.log old; cp -r results fork")
        run("P02")
        let path = try bundle(of: "P02")
        #expect(
            program.lines(of: "head -n 2 \(path)/begun.tlog-proof") == ["c2sp.org/tlog-proof@v1", "index 2"])
        #expect(program.run("verify \(path)").code == 0)
        _ = program.lines(of: "mv results/.log new; mv old results/.log")
        let rolledBack = program.run("study log results")
        #expect(rolledBack.code == 65)
        #expect(
            rolledBack.output.contains(
                "\(path): the checkpoint has 3 entries, and the log has 2: it was rolled back"))
        // Of a copy with which somebody went on.
        run("P03", to: "fork")
        _ = program.lines(of: "rm -r results/.log; mv new results/.log; cp -r fork/*-* results")
        let forked = program.run("study log results")
        let third = try bundle(of: "P03")
        #expect(forked.code == 65 && forked.output.contains("\(third): the log does not continue"))
        _ = program.lines(of: "rm -r \(third) results/.log")
        run("P04")
        let (code, told) = try log()
        #expect(code == 0 && told["elsewhere"]?.object?.members.first?.value.list?.count == 2, "\(told)")
    }

    @Test func `who is erased is not missing, and who is marked stays`() throws {
        for code in ["P01", "P02", "P03"] { run(code) }
        #expect(program.run("withdraw --participant P01 --yes results").code == 0)
        #expect(program.run("withdraw --participant 2 --yes results").code == 64)
        _ = program.lines(of: "mkdir results/old && mv \(try bundle(of: "P02")) results/old")
        #expect(program.run("withdraw --participant P02 --erase --yes results").code == 0)
        #expect(try counts("analyse results") == [3, 2, 0, 1, 0])
        let (code, told) = try log()
        #expect(code == 0, "\(told)")
        let entries = told["logs"]?.list?.first?["entries"]?.list ?? []
        #expect(entries.suffix(2).map { $0["kind"] } == ["withdrawn", "erased"])
        #expect(!program.run("study status results").output.contains("log"))
        // A code that is also a number in the names of the log's files.
        run("6")
        #expect(!program.run("withdraw --participant 6 --erase --yes results").output.contains(".log"))
        #expect(try counts("analyse results") == [4, 2, 0, 2, 0])
    }

    @Test func `the log tells whether a study was frozen before its runs`() throws {
        _ = program.write(Self.study, "study.yaml")
        #expect(program.run("freeze study.yaml --out first --results results").code == 0)
        for code in ["P01", "P02"] { run(code) }
        _ = program.write(Self.study, "again.yaml")
        #expect(program.run("freeze again.yaml --out second --results results").code == 0)
        let early = program.run("analyse results --registered first").output
        #expect(early.hasPrefix("the registered analysis of calm, registered on "), "\(early)")
        #expect(early.contains(", entry 0 of the log, SHA-256 "))
        let late = program.run("analyse results --registered second")
        #expect(late.output.hasPrefix("registered after 2 of 2 sessions: exploratory"), "\(late.output)")
        run("P03")
        let some = try JSON(
            parsing: Array(program.run("analyse results --registered second --format json").output.utf8))
        #expect(some["registered"]?["earlier"] == 2 && some["registered"]?["logEntry"] == 5)
        #expect(some["beforeRegistration"]?.list?.count == 2)
    }

    @Test func `a log that cannot be written is said once, and stops nothing`() throws {
        _ = program.lines(of: "mkdir results && touch results/.log")
        let outcome = run("P01")
        #expect(outcome.errors.split(separator: "\n").count { $0.contains("The log of results") } == 1)
        #expect(program.run("verify \(try bundle(of: "P01"))").code == 0)
        _ = program.lines(of: "rm results/.log")
        run("P02")
        let (code, told) = try log()
        #expect(code == 0)
        #expect(told["unlogged"] == [.text(try bundle(of: "P01"))] && told["log"]?["began"] == 1)
        // Edited, so that nothing more is signed.
        _ = program.lines(of: "sed -i s/sealed/erased/ results/.log/tile/entries/000.p/2")
        #expect(run("P03").errors.contains("its entries are not those of its checkpoint"))
        #expect(program.run("study status results").output.hasPrefix("a log of runs is not to be trusted"))
        #expect(try log().code == 65)
    }

    /// The program on the page, which knows nothing of this one.
    private func verify(_ words: String) throws -> [String] {
        let page = Program.text(of: Program.root + "Sources/Documentation/Entrain.docc/TransparencyLog.md")
        let code = try #require(page.split(separator: "```python\n").last?.split(separator: "```").first)
        #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
        _ = program.write(String(code), "verify.py")
        return program.lines(of: "(python3 verify.py \(words) 2>&1)")
    }

    private static let hasPython =
        Program().lines(of: "(command -v python3 && command -v openssl)").count == 2

    @Test(.enabled(if: hasPython, "python3 or openssl is not installed"))
    func `the verifier on the page finds what this program finds`() throws {
        for code in ["P01", "P02", "P03", "P04"] { run(code) }
        #expect(try verify("results") == ["8 entries, signed and whole"])
        _ = program.lines(of: "cp results/.log/checkpoint kept; cp -r results fork")
        #expect(program.run("withdraw --participant P04 --erase --yes results").code == 0)
        #expect(try verify("results kept") == ["9 entries, signed and whole"])
        #expect(program.run("study log results --checkpoint kept").code == 0)
        let first = try bundle(of: "P01")
        _ = program.lines(of: "rm -r \(try bundle(of: "P02"))")
        #expect(try verify("results").first?.hasPrefix("missing ") == true)
        _ = program.lines(of: "sed -i 's/:3,/:5,/' \(first)/result.json")
        reseal(first)
        #expect(try verify("results").contains("changed \(first)"))
        // Two labs went on with the same folder.
        run("P05", to: "fork")
        _ = program.lines(of: "cp results/.log/checkpoint kept")
        let told = program.run("study log fork --checkpoint kept")
        #expect(told.code == 65 && told.output.contains("continued in two places"), "\(told.output)")
        #expect(try verify("fork kept").last?.hasSuffix("the log does not continue the checkpoint") == true)
        _ = program.lines(of: "sed -i s/begun/sealed/ results/.log/tile/entries/000.p/9")
        #expect(try verify("results").last?.hasSuffix("the entries are not those of the checkpoint") == true)
        _ = program.lines(of: "sed -i s/^9/8/ results/.log/checkpoint")
        #expect(try verify("results").last?.hasSuffix("the signature is wrong") == true)
    }

    @Test func `simulated runs keep no log`() {
        _ = program.write(Self.study, "study.yaml")
        #expect(program.run("run study.yaml --auto --participant P01 --out results").code == 0)
        #expect(program.run("rehearse study.yaml --out results").code == 0)
        #expect(program.lines(of: "ls -A results | grep -c log") == ["0"])
    }

    @Test func `a killed run is recovered in the log, too`() throws {
        run("P01")
        _ = program.write(Self.study, "study.yaml")
        // The question is shown, and nobody answers.
        _ = program.lines(
            of: """
                (mkfifo in out; \(Program.executables)/entrain run study.yaml --plain --out results --participant P02 \
                <in >out 2>/dev/null & exec 8>in; grep -m 1 Mood out; kill -9 $!; wait $!) 2>/dev/null
                """)
        #expect(program.lines(of: "ls -d results/*.running").count == 1)
        #expect(try counts("study status results") == [2, 2, 0, 0, 0])
        #expect(program.run("recover results").code == 0)
        let (code, told) = try log()
        #expect(code == 0)
        let kinds = told["logs"]?.list?.first?["entries"]?.list?.map { $0["kind"] }
        #expect(kinds == ["begun", "sealed", "begun", "recovered"])
    }

    @Test(arguments: [1, 2, 3, 5, 8])
    func `the seal of a bundle is proved to whoever does not have the log`(runs: Int) throws {
        for number in 1...runs { run("P\(number)") }
        _ = program.write(
            """
            import base64, hashlib, sys
            sha = lambda data: hashlib.sha256(data).digest()
            head, note = open("proof").read().split("\\n\\n", 1)
            title, index, *beside = head.split("\\n")
            assert title == "c2sp.org/tlog-proof@v1"
            index, size, root = int(index.split()[1]), int(note.split("\\n")[1]), note.split("\\n")[2]
            name = hashlib.sha256(sys.argv[1].encode()).hexdigest()
            seal = hashlib.sha256(open(f"results/{sys.argv[1]}/SHA256SUMS", "rb").read()).hexdigest()
            hash, last = sha(b"\\0" + f"sealed {name} {seal}".encode()), size - 1
            for other in map(base64.b64decode, beside):
                if index % 2 or index == last:
                    hash = sha(b"\\1" + other + hash)
                    while index % 2 == 0 and index: index, last = index >> 1, last >> 1
                else:
                    hash = sha(b"\\1" + hash + other)
                index, last = index >> 1, last >> 1
            print(last == 0 and base64.b64encode(hash).decode() == root)
            """.replacing("\\\\", with: "\\"), "prove.py")
        for path in program.lines(of: "ls -d results/*-*") {
            let proved = program.run("study log results --seal \(path)")
            #expect(proved.code == 0, "\(proved.errors)")
            _ = program.write(proved.output, "proof")
            let name = path.split(separator: "/").last ?? ""
            #expect(program.lines(of: "python3 prove.py \(name) 2>&1") == ["True"])
        }
        _ = program.lines(of: "cp -r $(ls -d results/*-* | head -n 1) stranger && rm -r results/.log/tile")
        #expect(program.run("study log results --seal stranger").code == 65)
    }
}
