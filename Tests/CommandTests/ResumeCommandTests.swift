import StudyTesting
import Testing
import TextFormat

/// Runs that were left and go on, as people at the keyboard meet them.
@Suite struct ResumeCommandTests {
    let program = Program()

    private static func study(_ resume: String, title: String = "Visits") -> String {
        """
        entrain: 1
        study: {identifier: visits, title: \(title), seed: 1\(resume)}
        tasks:
          - identifier: day
            steps:
              - {type: question, identifier: p, title: P, answer: {scale: {from: 1, to: 9}}}
              - {type: question, identifier: q, title: Q, answer: {scale: {from: 1, to: 9}}}
              - {type: question, identifier: r, title: R, answer: {scale: {from: 1, to: 9}}}
              - {type: completion, identifier: done, title: Done}
        """
    }

    private func prepare(_ resume: String = ", resume: {within: 24 h}") {
        _ = program.write(Self.study(resume), "study.yaml")
    }

    /// Answers by lines; the run is ended where there are no more.
    private func run(_ options: String = "", _ lines: String...) -> Program.Outcome {
        _ = program.write(lines.map { $0 + "\n" }.joined(), "keys")
        return program.run("run study.yaml --participant P01 --plain --out results \(options)", input: "keys")
    }

    private func runs() throws -> [JSON] {
        let told = try JSON(parsing: Array(program.run("study status results --format json").output.utf8))
        return told["studies"]?.list?.first?["runs"]?.list ?? []
    }

    private func answers(of run: JSON) throws -> [String] {
        let path = "\(program.folder.path)/\(run["path"]?.text ?? "")/result.json"
        let result = try JSON(parsing: Array(Program.text(of: path).utf8))
        return (result["results"]?.list ?? []).flatMap { step in
            (step["results"]?.list ?? []).map {
                "\($0["identifier"]?.text ?? "") \($0["scaleAnswer"]?.integer ?? 0)"
            }
        }
    }

    /// The later bundle has the recordings of the earlier one, which is no copying between runs.
    @Test func `both bundles of a continued run are whole beside each other`() throws {
        _ = program.write(
            """
            entrain: 1
            study: {identifier: visits, title: Visits, seed: 1, resume: {within: 24 h}}
            sources: {heartRate: {type: simulated}}
            tasks:
              - identifier: day
                recorders: [{type: heartRate, identifier: heart, from: rest, to: q}]
                steps:
                  - {type: active, identifier: rest, title: Rest, duration: 60 s}
                  - {type: question, identifier: p, title: P, answer: {scale: {from: 1, to: 9}}}
                  - {type: question, identifier: q, title: Q, answer: {scale: {from: 1, to: 9}}}
                  - {type: completion, identifier: done, title: Done}
            """, "study.yaml")
        #expect(run("--speed 100", "4").code == 130)
        #expect(run("--resume --speed 100", "5", "").code == 0)
        #expect(program.lines(of: "cat results/*-*/steps/*/HKQ*.json | grep -o runOffset | wc -l") != ["0"])
        let verified = program.run("verify results/*-*")
        #expect(verified.code == 0, "\(verified.output)")
    }

    @Test func `a run that was left goes on in a bundle of its own`() throws {
        prepare()
        #expect(run("", "4").code == 130)
        let sums = program.lines(of: "cd results && find *-* -type f | sort | xargs cksum")
        let refused = run("", "5")
        #expect(refused.code == 64 && refused.errors.contains("Go on with --resume"))
        #expect(try runs().first?["resumable"] == true)
        let ready = "ready study.yaml --participant P01 --for 1s --out results"
        #expect(program.run(ready).code == 69)
        #expect(program.run("\(ready) --resume").output.contains("session 1: can be continued"))
        #expect(run("--resume", "7").code == 130)
        #expect(run("--resume", "2", "").code == 0)
        let parts = try runs()
        #expect(parts.map { $0["counts"] } == [false, false, true])
        #expect(parts[1]["continues"] == parts[0]["run"] && parts[2]["continues"] == parts[1]["run"])
        #expect(try answers(of: parts[2]) == ["p 4", "q 7", "r 2"])
        for part in parts { #expect(program.run("verify \(part["path"]?.text ?? "")").code == 0) }
        let left = Set(program.lines(of: "cd results && find *-* -type f | sort | xargs cksum"))
        #expect(left.isSuperset(of: sums))
        let shown = program.run("show \(parts[2]["path"]?.text ?? "")").output
        #expect(shown.contains("continues the run") && shown.contains("interrupted from"))
        for options in ["", "--resume"] {
            let again = run(options, "1")
            #expect(again.code == 64, "\(again.errors)")
        }
        let status = program.run("study status results").output
        #expect(status.contains("1 participant, 1 session completed, 0 incomplete"))
    }

    @Test func `tables have a continued session once`() throws {
        prepare()
        #expect(run("", "4").code == 130)
        #expect(program.run("collate results --out early").code == 0)
        #expect(run("--resume", "7", "2", "").code == 0)
        #expect(program.run("collate results --out dataset").output.contains("another run continues it"))
        let rows = program.lines(of: "cat dataset/sessions/*/*/*.ndjson")
        #expect(
            rows.count == 1 && rows[0].contains("\"continues\"") && rows[0].contains("interrupted_seconds"))
        let answers = program.lines(of: "cat dataset/answers/*/*/*.ndjson | grep -o '\"question\":\"[a-z]\"'")
        #expect(answers.sorted() == ["p", "q", "r"].map { "\"question\":\"\($0)\"" })
        let analysis = program.run("analyse dataset")
        #expect(analysis.output.contains("counted, though interrupted (1): P"), "\(analysis)")
        #expect(program.run("report dataset --out report.html").code == 0)
        #expect(program.lines(of: "grep -c '>Interruptions<' report.html") == ["1"])
        let late = program.run("collate results --out early")
        #expect((late.output + late.errors).contains("collate the bundles into a new folder"), "\(late)")
        #expect(program.lines(of: "cat early/sessions/*/*/*.ndjson").count == 1)
        let export = program.run("export results --to bids --out bids")
        #expect(export.code == 0 && export.output.contains("another run continues it"), "\(export)")
    }

    @Test func `a damaged continuation takes the run that it continues from nobody`() throws {
        prepare()
        #expect(run("", "4").code == 130)
        #expect(run("--resume", "7", "2", "").code == 0)
        let parts = try runs().compactMap { $0["path"]?.text }
        _ = program.lines(of: "sed -i s/scaleAnswer/scaleanswer/ \(parts[1])/result.json")
        let collated = program.run("collate results --out dataset")
        #expect(collated.code == 65, "\(collated.output)\(collated.errors)")
        let rows = program.lines(of: "cat dataset/sessions/*/*/*.ndjson")
        #expect(rows.count == 1 && !rows[0].contains("\"continues\":\""), "\(rows)")
        #expect(program.run("export results --to bids --out bids").code == 65)
        #expect(program.lines(of: "ls bids | grep -c sub-") == ["1"])
    }

    @Test func `the study says what is allowed, and a deviation goes before it`() throws {
        for (rule, words) in [
            ("", "does not let a run be continued"),
            (", resume: {incomplete: refuse}", "does not let a run be continued"),
            (", resume: {incomplete: restart}", "leave --resume out"),
            (", resume: {within: 0.0001 min}", "and the study lets a run be continued within"),
        ] {
            _ = program.lines(of: "rm -rf results")
            prepare(rule)
            #expect(run("", "4").code == 130)
            let refused = run("--resume", "5")
            #expect(refused.code == 65 && refused.errors.contains(words), "\(refused.errors)")
            #expect(run("--resume --deviation 'a fire alarm'", "7", "2", "").code == 0)
            let parts = try runs()
            #expect(try answers(of: parts[1]) == ["p 4", "q 7", "r 2"])
            #expect(parts[1]["deviation"] == "a fire alarm")
            #expect(program.lines(of: "\(Program.executables)/entrain deviations results").count == 3)
        }
        _ = program.lines(of: "rm -rf results")
        prepare(", resume: {incomplete: restart}")
        #expect(run("", "4").code == 130)
        #expect(run("", "1", "2", "3", "").code == 0, "it is begun anew without a reason")
    }

    @Test func `another text of the study is refused, a comment is not`() throws {
        prepare()
        #expect(run("", "4").code == 130)
        let rule = ", resume: {within: 24 h}"
        _ = program.write(Self.study(rule, title: "Views"), "study.yaml")
        let refused = run("--resume", "5")
        #expect(refused.code == 65 && refused.errors.contains("not the one with which the run began"))
        #expect(run("--resume --deviation 'a typing mistake'", "7").code == 130)
        _ = program.write("# a comment\n" + Self.study(rule), "study.yaml")
        #expect(run("--resume", "2", "").code == 0)
        let last = try #require(try runs().last)
        #expect(last["deviation"] == "a typing mistake", "it stands for the whole session")
        #expect(try answers(of: last) == ["p 4", "q 7", "r 2"])
    }

    @Test func `who leaves for good has left, who goes on later is put aside`() throws {
        prepare()
        let asked = run("", "4", "quit", "later")
        #expect(asked.code == 130 && asked.output.contains("yes / later / no"), "\(asked.output)")
        #expect(try runs().first?["status"] == "saved")
        #expect(run("--resume", "quit", "yes").code == 130)
        let last = try #require(try runs().last)
        #expect(last["status"] == "discarded" && last["resumable"] == nil)
        let refused = run("--resume", "5")
        #expect(refused.code == 64 && refused.errors.contains("left for good"))
        #expect(run("--resume --repeat again", "5").code == 64)
        #expect(run("--resume --session 2").errors.contains("there is nothing to continue"))
    }
}
