import StudyTesting
import Testing
import TextFormat

/// What was invented must not pass for real, and what differs must not pass for the same.
@Suite struct ProvenanceCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: short, title: Short, seed: 1}
        sources: {heartRate: {type: simulated, restingRate: 64}}
        tasks:
          - identifier: first
            steps:
              - {type: active, identifier: rest, duration: 1 s, recorders: [{type: heartRate, identifier: heartRate}]}
              - {type: completion, identifier: done, title: Done}
          - identifier: asked
            steps:
              - {type: completion, identifier: done, title: Done}
        """

    private func json(_ arguments: String) throws -> JSON {
        let outcome = program.run("\(arguments) --format json")
        return try JSON(parsing: Array(outcome.output.utf8))
    }

    /// The line of `sessions` of each run, by participant.
    private func sessions(_ dataset: String) throws -> [JSON] {
        try program.lines(of: "cat \(dataset)/sessions/*/*/*.ndjson").map {
            try JSON(parsing: Array($0.utf8))
        }
        .sorted { ($0["participant"]?.text ?? "") < ($1["participant"]?.text ?? "") }
    }

    /// A rehearsal, a run of a program's answers, one of a recording and one of a person, each of its own participant.
    private func makeEveryKind() {
        _ = program.write(Self.study, "study.yaml")
        _ = program.lines(
            of: "seq 0 9 | sed 's/.*/&,70/; 1i seconds,bpm' >heart.csv; yes '' | head -99 >returns; true")
        #expect(program.run("rehearse study.yaml --task first --out bundles").code == 0)
        let run = "run study.yaml --plain --out bundles"
        #expect(program.run("\(run) --task first --auto --participant P02").code == 0)
        let replay = "\(run) --task first --participant P03 --source heartRate=replay:heart.csv"
        #expect(program.run(replay, input: "returns").code == 0)
        #expect(program.run("\(run) --task asked --participant P04", input: "returns").code == 0)
    }

    @Test func `how a run was made stands wherever the run is told of`() throws {
        makeEveryKind()
        #expect(program.run("collate bundles --out dataset").code == 0)
        let rows = try sessions("dataset")
        #expect(
            rows.map { $0["origin"] } == ["simulated", "simulated", "replayed", "recorded"])
        #expect(rows.map { $0["simulated_participant"] } == [true, true, false, false])
        #expect(rows.map { $0["speed"] } == [.null, 1.0, 1.0, 1.0])
        #expect(
            rows.map { $0["sources"]?.text } == [
                #"{"heartRate":"simulated"}"#, #"{"heartRate":"simulated"}"#, #"{"heartRate":"replay"}"#,
                "{}",
            ])
        for row in rows {
            let bundle = "bundles/\(row["run"]?.text ?? "")"
            let shown = try json("show \(bundle)")
            #expect(shown["origin"] == row["origin"])
            for command in ["hrv \(bundle)", "zones --age 40 \(bundle)"] {
                #expect(try json(command)["origin"] == row["origin"], "\(command)")
                let words = program.run(command).output
                #expect(
                    words.hasPrefix(row["origin"]?.text ?? "-") || words.hasPrefix("no intervals"), "\(words)"
                )
            }
            for file in ["manifest.json", "result.json"] {
                let text = Program.text(of: "\(program.folder.path)/\(bundle)/\(file)")
                let file = try JSON(parsing: Array(text.utf8))
                let provenance = (file["userInfo"] ?? file)["provenance"]
                let kind: JSON = row["simulated_participant"] == true ? "simulated" : "person"
                #expect(provenance?["participant"] == kind)
                #expect(
                    provenance?["sources"].map { String(decoding: $0.encoded(), as: UTF8.self) }
                        == row["sources"]?.text)
            }
            #expect(program.run("verify \(bundle)").code == 0)
        }
    }

    @Test func `invented runs are left out of every result unless asked for, and that is said`() throws {
        makeEveryKind()
        #expect(program.run("collate bundles --out dataset").code == 0)
        for source in ["bundles", "dataset"] {
            let analysis = try json("analyse \(source)")
            #expect(analysis["studies"]?.list?.first?["sessions"] == 1)
            #expect(analysis["invented"] == ["replayed": 1, "simulated": 2])
            let words = program.run("analyse \(source)").output
            #expect(
                words.contains(
                    "left out: 1 replayed run, 2 simulated runs; --include-simulated includes them"))
            #expect(
                try json("analyse \(source) --include-simulated")["studies"]?.list?.first?["sessions"] == 4)
            let told = program.run("analyse \(source) --include-simulated").output
            #expect(told.contains("4 completed, 1 replayed, 2 simulated"))
        }
        let page = program.run("report dataset --out one.html")
        #expect(page.code == 0 && page.output.contains("one run"))
        #expect(page.errors.contains("--include-simulated includes them"))
        #expect(program.run("report dataset --include-simulated --out all.html").output.contains("4 runs"))
        #expect(program.lines(of: "grep -c '1 replayed, 2 simulated' all.html") == ["1"])
        for row in try sessions("dataset") {
            let isReal = row["origin"] == "recorded"
            let run = "bundles/\(row["run"]?.text ?? "")"
            let outcome = program.run("report \(run) --out run-\(row["participant"]?.text ?? "").html")
            #expect(outcome.code == (isReal ? 0 : 65))
            #expect(isReal || outcome.errors.contains("--include-simulated"))
        }
        for format in ["bids", "openmhealth", "fhir", "researchkit2", "xdf", "spss", "psych-ds", "ro-crate"] {
            let export = try json("export bundles --to \(format) --out \(format)")
            #expect(export["runs"]?.list?.map { $0["origin"] } == ["recorded"])
            #expect(export["invented"] == ["replayed": 1, "simulated": 2])
        }
        let nothing = program.run("export bundles/*/ --to fhir --out none --include-simulated")
        #expect(nothing.code == 0 && nothing.output.contains("4 runs (1 replayed, 2 simulated)"))
    }

    @Test func `in every format an invented heart is called so`() throws {
        _ = program.write(Self.study, "study.yaml")
        #expect(program.run("rehearse study.yaml --task first --out bundles").code == 0)
        for format in ["bids", "openmhealth", "fhir", "researchkit2", "xdf", "spss", "psych-ds", "ro-crate"] {
            let to = "--to \(format) --out \(format)"
            #expect(program.run("export bundles \(to)").code == 65)
            #expect(program.run("export bundles \(to) --include-simulated").code == 0)
            #expect(!program.lines(of: "grep -rl simulated \(format)").isEmpty, "\(format)")
        }
        #expect(program.lines(of: "grep -rl sensed openmhealth") == [])
        #expect(
            program.lines(of: "grep -c HTEST fhir/*.ndjson") == [
                "fhir/Observation.ndjson:1", "fhir/Patient.ndjson:1",
            ])
        #expect(program.lines(of: "cut -f 8 bids/sub-P01/ses-01/*_scans.tsv") == ["origin", "simulated"])
    }

    @Test func `BIDS takes each text of a study for a task of its own`() throws {
        _ = program.write(Self.study, "study.yaml")
        #expect(program.run("rehearse study.yaml --task first --out bundles").code == 0)
        #expect(program.run("export bundles --to bids --out one --include-simulated").code == 0)
        #expect(program.lines(of: "ls one | grep _events.json") == ["task-first_events.json"])
        _ = program.write(
            Self.study.replacing("rest, duration: 1 s", with: "rest, duration: 2 s"), "study.yaml")
        #expect(program.run("rehearse study.yaml --task first --seed 2 --out bundles").code == 0)
        #expect(program.run("export bundles --to bids --out both --include-simulated").code == 0)
        let sums = program.lines(of: "cut -f 12 both/sub-P01/ses-01/*_scans.tsv").dropFirst()
        #expect(Set(sums).count == 2)
        #expect(
            Set(program.lines(of: "ls both | grep _events.json"))
                == Set(sums.map { "task-firstr1x\($0.prefix(8))_events.json" }))
        #expect(program.lines(of: "grep -c 'run in 2 texts' both/README.md") == ["1"])
    }

    @Test func `a bundle of a run that is known with other content is an error naming both`() throws {
        _ = program.write(Self.study, "study.yaml")
        #expect(program.run("rehearse study.yaml --task first --out one").code == 0)
        let run = program.lines(of: "ls one")[0]
        #expect(program.run("collate one --out dataset").code == 0)
        // The same run with another word about its clock, sealed again as anybody can.
        _ = program.lines(
            of:
                #"cp -r one copy; cp -r one two; cd two/*/ && sed -i 's/clockAdjusted":false/clockAdjusted":true/' "#
                + #"manifest.json && sed -i "s/^.*  manifest.json/$(sha256sum manifest.json)/" SHA256SUMS"#)
        #expect(program.run("collate copy --out dataset").output.contains("0 bundles added, 1 held already"))
        let other = program.run("collate two --out dataset")
        #expect(other.code == 65)
        #expect(other.output.contains("two/\(run)") && other.output.contains("the dataset, study=short"))
        #expect(other.output.contains("with different content"))
        for command in [
            "analyse one two", "export one two --to fhir --out fhir", "collate one two --out new",
        ] {
            let include = command.hasPrefix("collate") ? "" : "--include-simulated"
            let said = program.run("\(command) \(include)")
            #expect(said.code == 65, "\(command)")
            #expect(said.output.contains("two/\(run)") && said.output.contains("one/\(run)"), "\(command)")
        }
    }

    @Test func `a bundle in a folder of another name is taken, and told`() throws {
        _ = program.write(Self.study, "study.yaml")
        #expect(program.run("rehearse study.yaml --task first --out bundles").code == 0)
        let run = program.lines(of: "ls bundles")[0]
        _ = program.lines(of: "mv bundles/\(run) bundles/tuesday")
        let told = "taken, although its folder has another name: bundles/tuesday is the run \(run)"
        for command in [
            "collate bundles --out dataset", "analyse bundles --include-simulated",
            "export bundles --include-simulated --to fhir --out fhir",
        ] {
            let said = program.run(command)
            #expect(said.code == 0)
            #expect(said.output.contains(told), "\(command)")
        }
        #expect(program.run("show bundles/tuesday").errors.contains(run))
        #expect(!program.run("analyse dataset --include-simulated").output.contains("tuesday"))
    }

    @Test func `rehearsals of other tasks and other texts are other runs`() {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write(Self.study.replacing("title: Short", with: "title: Shorter"), "edited.yaml")
        for arguments in ["study.yaml --task first", "study.yaml --task asked", "edited.yaml --task first"] {
            #expect(program.run("rehearse \(arguments) --out bundles").code == 0)
        }
        #expect(program.lines(of: "ls bundles").count == 3)
    }

    @Test(arguments: [
        (#"s/"studySHA256":"[0-9a-f]*/"studySHA256":"much longer ago/"#, "a SHA-256"),
        (
            #"s/"studySHA256":"[0-9a-f]*/"studySHA256":"'$(printf %064d 0)'/"#,
            "not the study that the manifest names"
        ),
        (#"s/"revision":1/"revision":1000000/"#, "the manifest says revision 1000000, and study.yaml says 1"),
    ])
    func `a bundle with another study than it says is refused, and keeps no other out`(
        edit: String, reason: String
    ) {
        _ = program.write(Self.study, "study.yaml")
        #expect(program.run("rehearse study.yaml --task first --participants 3 --out bundles").code == 0)
        _ = program.lines(
            of: """
                cd bundles/$(ls bundles | head -1) && sed -i '\(edit)' manifest.json \
                && all=$(sha256sum manifest.json) && sed -i "s/.*  manifest.json/$all/" SHA256SUMS
                """)
        let outcome = program.run("collate bundles --out dataset")
        #expect(outcome.code == 65 && (outcome.output + outcome.errors).contains(reason), "\(outcome)")
        #expect(outcome.output.contains("2 bundles added"))
    }

    @Test func `texts of a study under one name are told apart, and pooled only when asked`() throws {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write(Self.study.replacing("duration: 1 s", with: "duration: 2 s"), "edited.yaml")
        #expect(program.run("rehearse study.yaml --task first --participants 3 --out one").code == 0)
        #expect(program.run("rehearse edited.yaml --task first --participants 2 --out two").code == 0)
        #expect(program.run("collate one --out dataset").code == 0)
        let sums = "cd dataset && find . -type f | sort | xargs sha256sum"
        let before = program.lines(of: sums)
        for command in ["collate two --out dataset", "collate one two --out new"] {
            let refused = program.run(command)
            #expect(refused.code == 65, "\(command)")
            #expect(refused.errors.contains("revision 1 (") && refused.errors.contains("such as two/"))
            #expect(refused.errors.contains("--pool-revisions"))
        }
        #expect(program.lines(of: sums) == before)
        #expect(program.lines(of: "ls -d new 2>/dev/null") == [], "nothing is left of what was refused")
        _ = program.lines(of: "mkdir empty")
        #expect(program.run("collate one two --out empty").code == 65)
        #expect(program.lines(of: "find empty") == ["empty"], "what was there stays")
        #expect(program.run("collate two --out dataset --pool-revisions").code == 0)
        #expect(
            program.run("collate one two --out dataset").code == 0, "these texts are in the dataset by now")
        for source in ["dataset", "one two"] {
            let apart = try json("analyse \(source) --include-simulated")["studies"]?.list ?? []
            #expect(apart.compactMap { $0["sessions"]?.integer }.sorted() == [2, 3])
            let words = program.run("analyse \(source) --include-simulated").output
            #expect(words.contains("short comes in 2 texts, analysed apart"))
            #expect(words.contains("--pool-revisions"))
            let pooled = program.run("analyse \(source) --include-simulated --pool-revisions").output
            #expect(pooled.contains("short comes in 2 texts, pooled") && pooled.contains("short: 5 sessions"))
        }
        #expect(program.run("report dataset --include-simulated --out page.html").code == 0)
        #expect(program.lines(of: "grep -c 'comes in 2 texts, analysed apart' page.html") == ["1"])
    }
}
