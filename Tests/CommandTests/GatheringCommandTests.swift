import StudyTesting
import Testing
import TextFormat

/// Several participants who take part in one run.
@Suite struct GatheringCommandTests {
    private let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: dyad, title: Dyad, seed: 4}
        sources: {heartRate: {type: simulated}}
        stimuli: {clips: {catalogue: clips.yaml}}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: listen
                duration: 60 s
                stimulus: {from: clips, draw: random}
                recorders: [{type: heartRate, identifier: heartRate}]
              - {type: question, identifier: mood, title: Mood, answer: {text: {}}}
              - {type: completion, identifier: thanks, title: Thanks}
        """

    private static let catalogue = """
        entrain: 1
        clips: [{identifier: calm, clicks: 60 s, beats: {tempo: 72 bpm}, mood: calm}]
        """

    private func run(_ arguments: String) -> Program.Outcome {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write(Self.catalogue, "clips.yaml")
        return program.run("run study.yaml \(arguments)")
    }

    private func rehearse(_ first: String, _ others: String...) {
        let with = others.map { "--with \($0)" }.joined(separator: " ")
        let outcome = run("--auto --speed max --participant \(first) \(with) --out results")
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    /// A run of P01 and P02 in which somebody types an answer.
    private func sit() {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write(Self.catalogue, "clips.yaml")
        let outcome = program.run(
            "run study.yaml --plain --speed 1000 --audio none --participant P01 --with P02 --out results",
            input: program.write("marmalade\n\n\n", "typed.txt"))
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    private func bundle(of participant: String) throws -> String {
        try #require(
            program.lines(
                of:
                    "grep -l '\"participant\":\"\(participant)\"' results/*/manifest.json | xargs -n 1 dirname"
            )
            .first)
    }

    private func gathering(of participant: String) throws -> JSON {
        let text = Program.text(of: "\(program.folder.path)/\(try bundle(of: participant))/manifest.json")
        return try #require(try JSON(parsing: Array(text.utf8))["gathering"])
    }

    @Test func `each participant has a bundle, and all of them say who took part together`() throws {
        rehearse("P01", "P02", "P03")
        #expect(program.lines(of: "ls results").count == 3)
        #expect(program.run("verify results/*").code == 0)
        let gatherings = try ["P01", "P02", "P03"].map { try gathering(of: $0) }
        #expect(Set(gatherings.compactMap { $0["uuid"]?.text }).count == 1)
        #expect(gatherings.map { $0["place"] } == [1, 2, 3])
        let shown = program.run("show \(try bundle(of: "P02"))").output
        #expect(shown.contains("3 participants took part at once: this one as number 2"), "\(shown)")
    }

    @Test func `a companion is asked for no source of a rating, which only the first makes`() {
        _ = program.write(
            """
            entrain: 1
            study: {identifier: felt, title: Felt}
            sources: {heartRate: {type: simulated}, slider: {type: midi, device: /dev/snd/midiC9D9}}
            tasks:
              - identifier: task
                steps:
                  - type: block
                    identifier: rounds
                    repeat: 2
                    steps:
                      - type: active
                        identifier: listen
                        duration: 10 s
                        recorders:
                          - {type: heartRate, identifier: heartRate}
                          - {type: rating, identifier: joy, source: slider, scale: {from: 0, to: 10, fromLabel: none, toLabel: much}}
                  - {type: completion, identifier: thanks, title: Thanks}
            """, "felt.yaml")
        let slider = program.lines(of: "mkfifo slider; pwd")[0] + "/slider"
        let found = program.run(
            "ready felt.yaml --participant P01 --with P02 --source slider=midi:\(slider) --for 1s --out results"
        ).output
        #expect(found.contains("heartRate@P02") && found.contains("slider"), "\(found)")
        #expect(!found.contains("slider@P02"), "\(found)")
    }

    @Test func `the answers of the first are in no bundle, table or analysis of the others`() throws {
        sit()
        #expect(program.run("collate results --out dataset").code == 0)
        let rows = program.lines(
            of: "cd dataset && grep -rl marmalade . ; grep -rh marmalade --include=*.csv . | cut -d , -f 1-12"
        )
        #expect(rows.contains { $0.contains("P01") } && !rows.contains { $0.contains("P02") }, "\(rows)")
        let result = Program.text(of: "\(program.folder.path)/\(try bundle(of: "P02"))/result.json")
        #expect(!result.contains("marmalade"))
        let sessions = program.lines(of: "cat dataset/sessions/*/*/*.csv")
        #expect(sessions.first?.contains("gathering,gathering_place") == true, "\(sessions.first ?? "")")
        let uuid = try #require(try gathering(of: "P02")["uuid"]?.text)
        #expect(sessions.filter { $0.contains("\(uuid),1") || $0.contains("\(uuid),2") }.count == 2)
    }

    @Test func `an analysis says how alike hearts of the same run were, and who was not asked`() throws {
        for pair in [("P01", "P02"), ("P03", "P04"), ("P05", "P06")] { rehearse(pair.0, pair.1) }
        let analysis = program.run("analyse results --include-simulated --format json")
        #expect(analysis.code == 0, "\(analysis.errors)")
        let found = try JSON(parsing: Array(analysis.output.utf8))
        let study = try #require(found["studies"]?.list?.first)
        let clip = try #require(study["together"]?.list?.first)
        #expect(clip["kind"]?.text == "clip" && clip["name"]?.text == "calm")
        #expect(clip["runs"] == 3 && clip["pairs"] == 3 && clip["pairsApart"] == 12)
        #expect(clip["r"]?.number != nil && clip["rApart"]?.number != nil && clip["p"]?.number != nil)
        let remarks = try #require(study["remarks"]?.list).compactMap(\.text).joined()
        #expect(remarks.contains("P02, P04, P06"), "\(remarks)")
        let text = program.run("analyse results --include-simulated").output
        #expect(text.contains("hearts of the same run, correlated") && text.contains("clip calm"), "\(text)")
        #expect(text.contains("3 participants took part in the run of another"), "\(text)")
    }

    @Test(
        arguments: [
            ("--with P01", "--with names other participants"),
            ("--with P02 --with P02", "--with names other participants"),
            ("--with ''", "a participant's code"),
            ("--source heartRate@P02=simulated", "whom no --with names"),
            ("--with P02 --source heartRate@P02=nonsense", "nonsense"),
            ("--with P02 --source heartRate=replay:a.csv --source heartRate@P02=replay:a.csv", "same source"),
            ("--with P02 --source heartRate@P02=bluetooth", "not whichever there is"),
        ])
    func `what cannot be is refused before anything is written`(options: String, words: String) {
        let outcome = run("--auto --participant P01 --out results \(options)")
        #expect(outcome.code == 64, "\(options): \(outcome.code) \(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(program.lines(of: "ls results 2>/dev/null").isEmpty)
    }

    @Test func `a run of several that was left goes on for all of them`() throws {
        let study = Self.study.replacing("seed: 4}", with: "seed: 4, resume: {within: 24 h}}")
        _ = program.write(Self.catalogue, "clips.yaml")
        let run = { (options: String, lines: String) in
            _ = program.write(study, "study.yaml")
            return program.run(
                "run study.yaml --plain --speed 1000 --audio none --out results \(options)",
                input: program.write(lines, "typed.txt"))
        }
        #expect(run("--participant P01 --with P02 --with P03", "").code == 130)
        for (options, words) in [
            ("--resume --participant P02", "give --participant P01"),
            ("--resume --participant P01", "give --with P02 --with P03"),
            ("--resume --participant P01 --with P03 --with P02", "in this order"),
        ] {
            let refused = run(options, "")
            #expect(refused.code == 64 && refused.errors.contains(words), "\(refused.errors)")
        }
        let outcome = run("--resume --participant P01 --with P02 --with P03", "marmalade\n\n\n")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(program.lines(of: "ls -d results/*-*").count == 6)
        let verified = program.run("verify results/*-*")
        #expect(verified.code == 0, "\(verified.output)")
        #expect(program.run("collate results --out dataset").code == 0)
        let rows = program.lines(of: "cat dataset/sessions/*/*/*.ndjson")
        #expect(rows.count == 3 && rows.allSatisfy { $0.contains("\"continues\"") }, "\(rows)")
        #expect(Set(rows.map { $0.firstMatch(of: /"gathering":"([^"]*)"/).map { String($0.1) } }).count == 1)
    }

    @Test func `a run goes on only if everybody's bundle is there`() throws {
        let study = Self.study.replacing("seed: 4}", with: "seed: 4, resume: {within: 24 h}}")
        _ = program.write(Self.catalogue, "clips.yaml")
        _ = program.write(study, "study.yaml")
        let options = "--plain --speed 1000 --audio none --out results --participant P01 --with P02"
        #expect(program.run("run study.yaml \(options)", input: program.write("", "typed.txt")).code == 130)
        _ = program.lines(of: "rm -r \(try bundle(of: "P02"))")
        let refused = program.run("run study.yaml \(options) --resume", input: "typed.txt")
        #expect(
            refused.code == 65 && refused.errors.contains("the bundles of 1 are here"), "\(refused.errors)")
    }

    @Test func `whoever is withdrawn leaves answers in the journals of others, which is said`() throws {
        sit()
        let other = try bundle(of: "P02")
        let outcome = program.run("withdraw --participant P01 --erase --yes results")
        #expect(outcome.code == 65, "\(outcome.output) \(outcome.errors)")
        #expect(
            (outcome.output + outcome.errors).contains("\(other)/journal.jsonl"),
            "\(outcome.output) \(outcome.errors)")
        #expect(program.run("verify \(other)").code == 0)
        #expect(program.lines(of: "ls results | grep -v withdrawals").count == 1)
    }
}
