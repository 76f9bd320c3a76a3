import StudyTesting
import Testing

/// Prompts from the study to bundles, tables and exports.
@Suite struct PromptCommandTests {
    private let program = Program()
    private static let study = """
        entrain: 1
        study: {identifier: ride, title: Ride, seed: 1}
        sources: {heartRate: {type: simulated}}
        tasks:
          - identifier: Task
            scores: {mean: {mean: [effort]}}
            steps:
              - type: active
                identifier: cycling
                duration: 10 min
                PROMPTS
                recorders:
                  - {type: heartRate, identifier: heart}
                  - {type: rating, identifier: tension, rate: 2 /s, scale: {from: 0, to: 9, fromLabel: calm, toLabel: tense}}
              - {type: instruction, identifier: told, text: "Your last was {answer.effort}."}
              - {type: completion, identifier: end}
        """
    private static let prompts = """
        prompts:
                  - {identifier: effort, title: "How hard?", answer: {scale: {from: 6, to: 20}}, every: 60 s, timeLimit: 10 s}
                  - {identifier: pain, title: "Does it hurt?", answer: {boolean: {}}, first: 90 s, every: 3 min}
        """

    /// What a Python expression is of `rows`, the table of answers.
    private func answers(_ expression: String) -> String {
        let read =
            "import csv,glob; rows=[r for f in glob.glob('data/answers/*/*/*.csv') for r in csv.DictReader(open(f)) if r['prompt']]; "
        return program.lines(of: "python3 -c \"\(read)print(\(expression))\"").joined()
    }

    private func rehearse(_ prompts: String, _ folder: String, _ more: String = "") throws -> String {
        var study = Self.study.replacing("PROMPTS", with: prompts)
        if prompts.isEmpty {
            study.replace("{answer.effort}", with: "nothing")
            study.replace("scores: {mean: {mean: [effort]}}", with: "")
        }
        _ = program.write(study, "\(folder).yaml")
        let outcome = program.run("rehearse \(folder).yaml --participants 1 --out \(folder) \(more)")
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try #require(program.lines(of: "ls -d \(folder)/*").first)
    }

    @Test func `each asking stands in the bundle, the tables and the exports`() throws {
        let bundle = try rehearse(Self.prompts, "out")
        #expect(program.run("verify \(bundle)").code == 0)
        #expect(program.run("collate out --out data").code == 0)
        #expect(
            answers("[r['prompt'] for r in rows if r['question'] == 'effort']")
                == "['1', '2', '3', '4', '5', '6', '7', '8', '9']")
        #expect(
            answers("[float(r['prompt_planned_seconds']) for r in rows if r['question'] == 'pain']")
                == "[90.0, 270.0, 450.0]")
        #expect(
            answers("all((r['answer'] == '') == (r['prompt_ended_by'] != 'answer') for r in rows)") == "True")
        #expect(
            answers(
                "all(float(r['prompt_planned_seconds']) <= float(r['prompt_shown_seconds']) < float(r['prompt_ended_seconds']) for r in rows)"
            )
                == "True")
        let shown = program.run("show \(bundle)").output
        #expect(shown.contains("effort, asked 9 times: ") && shown.contains("pain, asked 3 times: "))
        #expect(program.run("show \(bundle) --format json").output.contains("\"endedBy\""))
        for format in ["bids", "xdf"] {
            let exported = program.run("export out --to \(format) --out \(format) --include-simulated")
            #expect(exported.code == 0, "\(exported.errors)")
        }
        #expect(program.lines(of: "cat bids/*/*/*/*_events.tsv | grep -c '\tprompt\t'").joined() == "12")
        #expect(program.lines(of: "grep -ao '\"prompted\"' xdf/*/*/*.xdf | wc -l").joined() == "12")
        let report = program.run("report --include-simulated \(bundle) --out page.html")
        #expect(report.code == 0 && program.lines(of: "grep -c 'effort at' page.html").joined() != "0")
    }

    @Test func `heart and rating are the same with prompts and without`() throws {
        let (with, without) = (try rehearse(Self.prompts, "with"), try rehearse("", "without"))
        for kind in ["HKQuantityTypeIdentifierHeartRate", "rating_"] {
            let read =
                "import glob,json,sys; print([[(i['metadata']['runOffset'], i['value']) for i in json.load(open(p))['items']] for p in sorted(glob.glob(sys.argv[1] + '/**/\(kind)*.json', recursive=True))])"
            let items = { (bundle: String) in
                program.lines(of: "python3 -c \"\(read)\" \(bundle)").joined()
            }
            #expect(items(with) == items(without) && items(with).count > 5_000)
        }
    }

    @Test func `answers of a file are given at each asking, and the last one is read and scored`() throws {
        _ = program.write("{effort: 13, pain: false}", "answers.yaml")
        let bundle = try rehearse(Self.prompts, "out", "--answers answers.yaml")
        #expect(program.run("collate out --out data").code == 0)
        #expect(answers("{r['answer'] for r in rows if r['question'] == 'effort'}") == #"{"'13"}"#)
        let told = program.run("run out.yaml --participant P02 --auto --speed max --out auto")
        #expect(told.code == 0 && told.output.contains("Your last was "), "\(told.errors)")
        #expect(
            told.output.split(separator: "\n").count { $0 == "How hard?" } == 9, "each asking is said once")
        let other = try #require(program.lines(of: "ls -d auto/*").first)
        #expect(program.run("verify \(other)").code == 0 && program.run("verify \(bundle)").code == 0)
    }
}
