import Results
import StudyTesting
import Testing
import TextFormat

/// Two straps in one run, and a recorder over two steps.
@Suite struct SeveralSourcesTests {
    let program = Program()

    /// The wrist's heart is the faster and loses samples; the chest's recorder begins with the rest and ends with the
    /// clip.
    private static let study = """
        entrain: 1
        study: {identifier: two-sources, title: Two sources, seed: 1}
        sources:
          chest: {type: simulated, restingRate: 60}
          wrist: {type: simulated, restingRate: 95, dropouts: 0.3}
        stimuli: {clips: {catalogue: ../Media/clips.yaml}}
        tasks:
          - identifier: task
            recorders: [{type: heartRate, identifier: chest, source: chest, from: rest, to: listen}]
            steps:
              - type: active
                identifier: rest
                duration: 60 s
                recorders: [{type: heartRate, identifier: wrist, source: wrist}]
              - type: active
                identifier: listen
                duration: 30 s
                stimulus: {play: happy_preview_1}
                recorders: [{type: heartRate, identifier: wrist, source: wrist}]
              - {type: completion, identifier: done, title: Done}
        """

    private func rehearse() {
        _ = program.lines(of: "mkdir Studies && cp -r \(Program.root)Media .")
        _ = program.write(Self.study, "Studies/two.yaml")
        #expect(program.run("rehearse Studies/two.yaml --participants 2 --out bundles").code == 0)
    }

    private func json(_ arguments: String) throws -> JSON {
        try JSON(parsing: Array(program.run(arguments + " --format json").output.utf8))
    }

    @Test func `the source with most samples counts, in every answer alike`() throws {
        rehearse()
        _ = try json("collate bundles --out dataset")
        let study = try json("analyse --include-simulated dataset")["studies"]?.list?.first
        #expect(try json("analyse --include-simulated bundles")["studies"]?.list?.first == study)
        let shown = (try json("show bundles/*").list ?? []).sorted {
            ($0["participant"]?.text ?? "") < ($1["participant"]?.text ?? "")
        }
        let responses = (study?["responses"]?.list ?? []).sorted {
            ($0["participant"]?.text ?? "") < ($1["participant"]?.text ?? "")
        }
        for (run, response) in zip(shown, responses) {
            let (rest, clip) = (run["steps"]?.list?[0], run["steps"]?.list?[1])
            let baseline = try #require(response["baseline"]?.number)
            #expect((50...75).contains(baseline), "the wrist's heart beats 95 times a minute")
            #expect(rest?["heartRate"]?["samples"] == 60)
            #expect(clip?["response"]?["baseline"]?.number == baseline)
            #expect(clip?["response"]?["change"]?.number == response["change"]?.number)
            #expect(rest?["variability"]?["count"]?.integer.map { $0 < 75 } == true)
        }
        #expect(study?["clips"] == 2)
        let page = program.run("report --include-simulated bundles/$(ls bundles | head -1) --out report.html")
        #expect(page.code == 0)
        #expect(Program.text(of: program.folder.path + "/report.html").contains("from wrist not shown"))
    }

    @Test func `a measurement belongs to the step in which it was made`() throws {
        rehearse()
        _ = try json("collate bundles --out dataset")
        var found: [String: Int] = [:]
        for line in program.lines(of: "cat dataset/samples/*/*/*.ndjson") {
            let row = try JSON(parsing: Array(line.utf8))
            let step = try #require(row["step"]?.text)
            let offset = try #require(row["offset_seconds"]?.number)
            #expect(step == (offset < 60 ? "rest" : "listen"))
            #expect(row["stimulus"] == (step == "rest" ? .null : "happy_preview_1"))
            found["\(row["run"]?.text ?? "-") \(step)", default: 0] += 1
        }
        for line in program.lines(of: "cat dataset/steps/*/*/*.ndjson") {
            let row = try JSON(parsing: Array(line.utf8))
            let place = "\(row["run"]?.text ?? "-") \(row["step"]?.text ?? "-")"
            #expect(row["samples"]?.integer == found[place, default: 0])
        }
    }

    @Test func `exports keep the sources apart`() throws {
        rehearse()
        #expect(program.run("export --include-simulated bundles --to bids --out bids").code == 0)
        let rates = program.lines(of: "zcat bids/sub-*/ses-*/beh/*_physio.tsv.gz | cut -f 2 | grep -v n/a")
        #expect(rates.count > 150)
        #expect(rates.compactMap { Double($0) }.allSatisfy { (45...80).contains($0) })
        #expect(program.run("export --include-simulated bundles --to xdf --out xdf").code == 0)
        for source in ["HeartRate-chest", "HeartRate-wrist", "RRIntervals-chest", "RRIntervals-wrist"] {
            #expect(program.lines(of: "grep -l '<source_id>entrain-\(source)</source_id>' -r xdf").count == 2)
        }
        #expect(program.run("export --include-simulated bundles --to fhir --out fhir").code == 0)
        let notes = program.lines(of: "grep -c 'step rest, visit 1, source chest' fhir/Observation.ndjson")
        #expect(notes == ["120"])
    }
}
