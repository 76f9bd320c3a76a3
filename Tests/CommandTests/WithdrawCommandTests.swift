import StudyTesting
import Testing
import TextFormat

/// Participants who withdraw: left out, or destroyed to the last byte.
@Suite struct WithdrawCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: calm, title: Calm, seed: 1}
        sources: {heartRate: {type: simulated}}
        tasks:
          - identifier: task
            steps:
              - {type: active, identifier: rest, duration: 10 s, recorders: [{type: heartRate, identifier: heartRate}]}
              - {type: question, identifier: mood, title: Mood, answer: {text: {multipleLines: true}}}
              - {type: completion, identifier: done, title: Done}
        """

    /// P01, P02 and P03, who answer with words of their own; P02 comes twice.
    private func rehearse(into output: String = "results") {
        _ = program.write(Self.study, "study.yaml")
        for (participant, session, word) in [
            ("P01", 1, "marmalade"), ("P02", 1, "xylophone"), ("P02", 2, "xylophone"),
            ("P03", 1, "porcupine"),
        ] {
            _ = program.write("{mood: \"\(word), \\\"and\\\"\\nmore\"}", "answers.yaml")
            let outcome = program.run(
                "rehearse study.yaml --participant \(participant) --session \(session) --answers answers.yaml --out \(output)"
            )
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
    }

    /// What tells of P02 in any file: the code, the answer, the names of the runs, and the checksums of their files.
    private var traces: [String] {
        let bundles = program.lines(
            of: "grep -l '\"participant\":\"P02\"' results/*/manifest.json | xargs -n 1 dirname")
        #expect(bundles.count == 2)
        let runs = bundles.map { String($0.dropFirst("results/".count)) }
        let sums = program.lines(
            of:
                "cat \(bundles.map { $0 + "/SHA256SUMS" }.joined(separator: " ")) | grep -v study.yaml | cut -c 1-64"
        )
        let manifests = program.lines(
            of: "sha256sum \(bundles.map { $0 + "/manifest.json" }.joined(separator: " ")) | cut -c 1-64")
        return ["P02", "xylophone"] + runs + sums + manifests
    }

    /// The files and names below a folder that hold one of these texts.
    private func found(_ traces: [String], below folder: String = "results dataset") -> [String] {
        _ = program.write(traces.joined(separator: "\n") + "\n", "traces.txt")
        return program.lines(
            of: "grep -rlaF -f traces.txt \(folder); find \(folder) | grep -F -f traces.txt; true")
    }

    @Test func `the code of somebody who was erased is not given again`() throws {
        _ = program.write("y\n\n\n", "keys")
        _ = program.write(Self.asking, "asking.yaml")
        for code in ["P01", "P02"] {
            #expect(
                program.run("run asking.yaml --plain --out taken --participant \(code)", input: "keys").code
                    == 0)
        }
        #expect(try nextCode() == "P03")
        #expect(program.run("withdraw --participant P02 --erase --yes taken").code == 0)
        #expect(program.lines(of: "grep -r --exclude-dir .log P02 taken").isEmpty)
        #expect(try nextCode() == "P03")
        #expect(program.run("withdraw --participant P01 --erase --yes taken").code == 0)
        #expect(try nextCode() == "P03")
        let ready = program.run("ready asking.yaml --out taken --for 1s").output
        #expect(ready.contains("participant P03, session 1: free"), "\(ready)")
    }

    private static let asking = """
        entrain: 1
        study: {identifier: ask, title: Ask, seed: 1}
        tasks:
          - identifier: task
            steps:
              - {type: question, identifier: well, title: Well, answer: {boolean: {}}}
              - {type: completion, identifier: done, title: Done}
        """

    private func nextCode() throws -> String? {
        let told = program.run("study status taken --format json").output
        return try JSON(parsing: Array(told.utf8))["nextCode"]?.text
    }

    @Test func `who is marked is left out everywhere, and counted`() throws {
        rehearse()
        #expect(program.run("collate results --out dataset").code == 0)
        let outcome = program.run("withdraw --participant P02 --yes results dataset")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.output.contains(
                "withdrawn: P02; 2 runs left out from now on, rows of 2 runs taken out of datasets"))
        #expect(program.lines(of: "ls -d results/*-*").count == 4, "the results stay")
        for command in [
            "study status results --include-simulated", "analyse results --include-simulated",
            "analyse dataset --include-simulated", "collate results --out new",
            "export results --to openmhealth --out exported --include-simulated",
        ] {
            let told = program.run(command)
            #expect(told.code == 0, "\(command): \(told.errors)")
            #expect((told.output + told.errors).contains("withdrawn: 1\n"), "\(command): \(told.output)")
            #expect(!told.output.contains("P02"), "\(command)")
        }
        let report = program.run("report results --include-simulated --out page.html")
        #expect(report.errors.contains("withdrawn: 1\n"))
        #expect(
            found(
                ["P02", "xylophone"], below: "page.html new/sessions new/answers dataset/sessions exported")
                == [])
        #expect(program.lines(of: "cat dataset/sessions/*/*/*.ndjson | wc -l") == ["2"])
        let json = try JSON(
            parsing: Array(program.run("study status results --format json").output.utf8))
        #expect(json["withdrawn"] == 1)
        #expect(
            program.run("withdraw --participant P02 --yes results dataset").code == 0,
            "a second time changes nothing")
    }

    @Test func `of who is erased no byte is left, and the others are whole`() {
        rehearse()
        #expect(program.run("collate results --out dataset").code == 0)
        let traces = traces
        let outcome = program.run("withdraw --participant P02 --erase --yes results dataset")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("destroyed: 2 runs, rows of 2 runs in datasets"))
        #expect(found(traces) == [])
        #expect(program.run("verify results/*-*").code == 0)
        #expect(program.run("collate results --out new").output.contains("withdrawn: 1\n"))
        // The same tables as of somebody who never came.
        for table in ["sessions", "samples", "answers", "events", "codebook", "outcomes"] {
            for form in ["csv", "ndjson"] {
                let both = ["dataset", "new"].map { program.lines(of: "cat \($0)/\(table)/*/*/*.\(form)") }
                #expect(both[0] == both[1], "\(table).\(form)")
            }
        }
        #expect(
            program.run("collate results --out dataset").output.hasPrefix(
                "0 bundles added, 2 held already"))
        let analysis = program.run("analyse dataset --include-simulated")
        #expect(analysis.code == 0 && analysis.output.contains("withdrawn: 1\n"))
        #expect(program.run("withdraw --participant P02 --erase --yes results dataset").code == 64)
    }

    @Test func `nobody runs under the code of who has withdrawn`() {
        _ = program.write(
            """
            entrain: 1
            study: {identifier: visits, title: Visits, seed: 1}
            tasks:
              - {identifier: day, steps: [{type: completion, identifier: done, title: Done}]}
            """, "study.yaml")
        _ = program.write("\n\n", "keys")
        let run = "run study.yaml --plain --out results/room --participant"
        #expect(program.run("\(run) P02", input: "keys").code == 0)
        #expect(program.run("withdraw --participant P02 --yes results").code == 0)
        let refused = program.run("\(run) P02 --session 2", input: "keys")
        #expect(
            refused.code == 64 && refused.errors.contains("participant P02 has withdrawn from 'results/room'")
        )
        #expect(program.run("\(run) P03", input: "keys").code == 0)
        #expect(program.run("study status results").output.contains("withdrawn: 1\nnext free code: P04\n"))
    }

    @Test func `what waits for a monitor is thrown away, and copies are named`() {
        rehearse()
        let runs = program.lines(
            of: "grep -l '\"participant\":\"P02\"' results/*/manifest.json | cut -d / -f 2")
        _ = program.lines(of: "mkdir results/.monitor")
        _ = program.write("{\"sessions\":{\"participant\":\"P01\"}}\n", "results/.monitor/other.ndjson")
        _ = program.write("{\"events\":[]}\n", "results/.monitor/\(runs[0]).ndjson")
        _ = program.write("{\"run\":\"\(runs[1])\"}\n", "results/.monitor/second.ndjson")
        _ = program.lines(of: "mkdir results/.receipts")
        _ = program.write("https://lab\n\nentrain receipt\n\(runs[0])\n", "results/.receipts/\(runs[0]).0")
        _ = program.write("https://lab\n\nentrain receipt\nOTHER\n", "results/.receipts/OTHER.0")
        let outcome = program.run("withdraw --participant P02 --yes results")
        #expect(outcome.output.contains("what waited for a monitor of 2 runs\n"), "\(outcome)")
        #expect(program.lines(of: "ls results/.monitor") == ["other.ndjson"])
        let erased = program.run("withdraw --participant P02 --erase --yes results")
        #expect(erased.output.contains("1 run delivered to https://lab, which still has them"), "\(erased)")
        #expect(erased.code == 0 && program.lines(of: "ls results/.receipts") == ["OTHER.0"])
    }

    @Test func `with its key, a dataset under pseudonyms is left without the participant`() {
        rehearse()
        _ = program.lines(
            of: "head -c 32 /dev/urandom > key; head -c 32 /dev/urandom > other; chmod 600 key other")
        let collate = "collate --pseudonymise key --shift-dates --out dataset"
        #expect(program.run("\(collate) results").code == 0)
        _ = program.lines(of: "cp -a results copy && cp -a dataset whole")
        let pseudonyms = program.lines(
            of:
                "cat dataset/sessions/*/*/*.ndjson | grep -o '\"participant\":\"[a-z]*\"' | sort | uniq -d | cut -d '\"' -f 4"
        )
        #expect(pseudonyms.count == 1, "only P02 came twice")
        let blind = program.run("withdraw --participant P02 --yes results dataset")
        #expect(blind.code == 65 && blind.output.contains("nobody can be found in it: dataset; give its key"))
        #expect(
            program.run("withdraw --participant P02 --yes results dataset --key other").code == 65)
        #expect(found(["P02"], below: "dataset") == [], "no record names the code beside pseudonyms")
        #expect(program.run("withdraw --participant P02 --yes results dataset --key key").code == 0)
        #expect(program.lines(of: "cat dataset/sessions/*/*/*.ndjson | wc -l") == ["2"])
        #expect(found(["P02"], below: "dataset") == [])
        // Its own record keeps them out, and the two records count one person.
        for folder in ["copy", "results"] {
            let added = program.run("\(collate) \(folder)")
            #expect(added.code == 0 && added.output.hasPrefix("0 bundles added"), "\(folder): \(added)")
            #expect(added.output.contains("withdrawn: 1\n"))
        }
        let erased = program.run("withdraw --participant P02 --erase --yes results dataset whole --key key")
        #expect(erased.code == 0, "\(erased)")
        #expect(found(["P02", "xylophone"] + pseudonyms, below: "results dataset whole") == [])
        for table in ["sessions", "samples", "answers"] {
            #expect(
                program.lines(of: "cat whole/\(table)/*/*/*.csv")
                    == program.lines(of: "cat dataset/\(table)/*/*/*.csv"))
        }
        let analysis = program.run("analyse dataset whole --include-simulated")
        #expect(analysis.code == 0 && analysis.output.contains("withdrawn: 1\n"), "\(analysis)")
    }

    @Test func `the page of one run is refused, too`() {
        rehearse()
        let bundle = program.lines(
            of: "grep -l '\"participant\":\"P02\"' results/*/manifest.json | head -1 | xargs dirname")[0]
        #expect(program.run("withdraw --participant P02 --yes results").code == 0)
        let report = program.run("report \(bundle) --include-simulated --out page.html")
        #expect(report.code == 65 && report.errors.contains("; withdrawn: 1"), "\(report)")
        #expect(
            program.run("export \(bundle) --to fhir --include-simulated --out exported").code == 65)
    }

    @Test func `a monitor's data are reached where they are named`() {
        #expect(program.run("withdraw --participant P02 --monitor kept --yes").code == 64, "it needs --erase")
        #expect(program.run("withdraw --participant P02 --erase --monitor kept --yes").code == 74)
        #expect(program.lines(of: "ls -d kept 2>/dev/null") == [], "nothing is made")
        #expect(program.run("token create --scope read --name eyes --data kept").code == 0)
        let nothing = program.run("withdraw --participant P02 --erase --monitor kept --yes")
        #expect(
            nothing.code == 0 && nothing.output.contains("deleted from the monitor's data: 0 series"),
            "\(nothing)")
        #expect(program.run("token list --data kept").output == "eyes\tread\n")
    }

    @Test func `columns are written anew, too`() {
        rehearse()
        #expect(program.run("collate results --out columns --format parquet").code == 0)
        #expect(program.run("withdraw --participant P02 --erase --yes results columns").code == 0)
        #expect(program.run("collate results --out new --format parquet").code == 0)
        for table in ["sessions", "samples", "answers", "codebook"] {
            let both = ["columns", "new"].map {
                program.lines(of: "cat \($0)/parquet/\(table)/*.parquet | sha256sum")
            }
            #expect(both[0] == both[1], "\(table)")
        }
        #expect(program.lines(of: "ls columns/parquet/sessions").count == 1)
    }

    @Test func `the codebook stays where its part goes`() {
        rehearse()
        #expect(program.run("collate results --out dataset").code == 0)
        let codebook = program.lines(of: "cat dataset/codebook/*/*/*.csv")
        for participant in ["P01", "P02", "P03"] {
            #expect(
                program.run("withdraw --participant \(participant) --erase --yes results dataset").code == 0
            )
            if participant == "P02" {
                #expect(program.lines(of: "cat dataset/codebook/*/*/*.csv") == codebook)
            }
        }
        #expect(program.lines(of: "cat dataset/*/*/*/*.csv 2>/dev/null") == [])
        let analysis = program.run("analyse dataset")
        #expect(
            analysis.code == 0 && analysis.output.contains("withdrawn: 3\n"),
            "\(analysis.output)\(analysis.errors)")
    }

    @Test func `refuses what is no participant, nobody to ask, and a run that goes on`() {
        rehearse()
        #expect(program.run("withdraw --participant P09 --yes results").code == 64)
        #expect(program.run("withdraw --participant P02 results").code == 64)
        #expect(program.run("withdraw --participant P02 --yes").code == 64)
        #expect(program.run("withdraw --participant P02 --yes missing").code == 69)
        #expect(program.run("withdraw --participant P02 --yes results results/.").code == 65)
        let bundle = program.lines(
            of: "grep -l '\"participant\":\"P02\"' results/*/manifest.json | head -1 | xargs dirname")[0]
        #expect(program.run("withdraw --participant P02 --yes \(bundle)").code == 65)
        _ = program.lines(of: "mv \(bundle) \(bundle).running && rm \(bundle).running/manifest.json")
        let running = program.lines(
            of:
                "flock \(bundle).running/journal.jsonl \(Program.executables)/entrain withdraw --participant P02 --erase --yes results; echo $?"
        )
        #expect(running.last == "64")
        #expect(program.lines(of: "ls results/withdrawals.json 2>/dev/null") == [])
        let killed = program.run("withdraw --participant P02 --erase --yes results")
        #expect(
            killed.code == 0, "a run that was killed is destroyed: \(killed.output)\(killed.errors)")
        #expect(found(["P02", "xylophone"], below: "results") == [])
    }

    @Test func `follows no link, and names what it did not write`() {
        rehearse()
        rehearse(into: "elsewhere")
        _ = program.lines(of: "ln -s ../elsewhere results/link && ln -s ../study.yaml results/file")
        _ = program.write("P02 came late.", "results/notes.txt")
        _ = program.write("P020 and xP02x are others.", "results/others.txt")
        let outcome = program.run("withdraw --participant P02 --erase --yes results")
        #expect(outcome.code == 65)
        #expect(
            outcome.output.contains(
                "still names the participant, and was not written as a result: results/notes.txt\n"))
        #expect(!outcome.output.contains("others.txt") && !outcome.output.contains("elsewhere/"))
        #expect(program.lines(of: "ls elsewhere").count == 4)
        #expect(program.run("verify elsewhere/*").code == 0)
    }

    @Test func `a record that cannot be read lets nobody through`() {
        rehearse()
        _ = program.write("{\"withdrawals\":2}", "results/withdrawals.json")
        for command in [
            "collate results --out new", "analyse results", "study status results",
            "report results --out x.html",
        ] {
            let outcome = program.run(command)
            #expect(
                outcome.code == 65 && outcome.errors.contains("withdrawals.json"),
                "\(command): \(outcome.errors)")
        }
    }

    private static let canTrace = Program().lines(of: "strace -qq -o /dev/null true && echo yes")
        .contains("yes")

    // 'withdraw' is broken at one call after the other of each of these; of those that come often, at every fifth or so.
    @Test(
        .enabled(if: canTrace),
        arguments: [
            ("renameat", "signal=KILL", 5), ("renameat2", "signal=KILL", 1), ("unlinkat", "signal=KILL", 7),
            ("fsync", "signal=KILL", 7), ("mkdirat", "signal=KILL", 7), ("write", "signal=KILL", 9),
            ("write", "error=ENOSPC", 11), ("renameat", "error=EROFS", 6), ("unlinkat", "error=EROFS", 9),
        ])
    func `killed or refused between two calls, the second time ends it whole`(
        call: String, fault: String, step: Int
    ) {
        rehearse()
        #expect(program.run("collate results --out dataset").code == 0)
        let traces = traces
        _ = program.lines(of: "mkdir first && cp -a results dataset first")
        let withdraw = "withdraw --participant P02 --erase --yes results dataset"
        var count = 1
        while true {
            let place = "after \(call) \(count), \(fault)"
            _ = program.lines(of: "rm -rf results dataset && cp -a first/results first/dataset .")
            let broken = program.run(
                "-f -qq -o calls -e trace=\(call) -e inject=\(call):\(fault):when=\(count) \(Program.executables)/entrain \(withdraw)",
                of: "strace")
            // Whatever is there is whole, and nobody is half there.
            let told = program.run("analyse dataset --include-simulated")
            #expect(told.code == 0, "\(place): \(told.errors)")
            #expect(program.run("study status results --include-simulated").code == 0, "\(place)")
            let again = program.run(withdraw)
            #expect(
                again.code == 0 || (again.code == 64 && found(traces) == []), "\(place): \(again.errors)")
            #expect(found(traces) == [], "\(place)")
            #expect(program.run("verify results/*-*").code == 0, "\(place)")
            #expect(
                program.lines(of: "cat dataset/sessions/*/*/*.ndjson | wc -l") == ["2"], "\(place)")
            let held = program.run("collate results --out dataset")
            #expect(held.output.contains("withdrawn: 1\n"), "\(place): \(held.output)")
            // The shell tells the signal that ended strace, and with it the program, as its own code.
            let wasBroken =
                fault.hasPrefix("signal")
                ? broken.code == 137 : !program.lines(of: "grep INJECTED calls").isEmpty
            guard wasBroken else { break }
            count += step
        }
        #expect(count > 1, "there are such calls")
    }
}
