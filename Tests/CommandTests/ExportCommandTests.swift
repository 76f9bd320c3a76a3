import Exports
import Results
import StudyTesting
import Testing
import TextFormat

@Suite struct ExportCommandTests {
    let program = Program()

    private static let study = """
        # For P01 on lab-pc, in /home/anna
        entrain: 1
        study: {identifier: about-P01, title: Of P01, seed: 1}
        sources: {heartRate: {type: simulated, restingRate: 64}}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: rest-P02
                duration: 10 s
                recorders:
                  - {type: heartRate, identifier: heartRate}
                  - {type: rrIntervals, identifier: beats}
                  - {type: events, identifier: acts}
              - {type: question, identifier: mood, title: Mood, answer: {text: {}}}
              - {type: completion, identifier: done, title: Done}
        """

    /// What follows for each of them is the contract of `ExportWriter`.
    private static let formats = ExportFormat.all.map(\.name)

    @Test func `formats have names that differ and are typed as they are`() {
        #expect(Set(Self.formats).count == Self.formats.count)
        for name in Self.formats {
            #expect(name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") })
            #expect(ExportFormat(named: name)?.name == name)
        }
    }

    @Test(arguments: formats)
    func `a run without any recording is written too`(format: String) throws {
        let study = """
            entrain: 1
            study: {identifier: silent, title: Silent, seed: 1}
            tasks: [{identifier: task, steps: [{type: completion, identifier: done, title: Done}]}]
            """
        _ = program.write(study, "study.yaml")
        #expect(program.run("rehearse study.yaml --participants 2 --out bundles").code == 0)
        let outcome = try export("bundles --to \(format) --out one")
        #expect(outcome.code == 0)
        #expect(outcome.report["runs"]?.list?.map { $0["heartRates"] } == [0, 0])
        #expect(try export("bundles --to \(format) --out two").code == 0)
        #expect(program.lines(of: "diff -r one two") == [])
    }

    /// Rehearses participants into `bundles` and returns the bundles' names.
    private func rehearse(_ count: Int) -> [String] {
        _ = program.write(Self.study, "study.yaml")
        #expect(program.run("rehearse study.yaml --participants \(count) --out bundles").code == 0)
        return program.lines(of: "ls bundles")
    }

    private func makeKey() { _ = program.lines(of: "echo entrain | sha256sum > key; chmod 600 key") }

    private func export(_ arguments: String) throws -> (code: Int32, report: JSON) {
        let outcome = program.run("export --include-simulated \(arguments) --format json")
        return (outcome.code, try JSON(parsing: Array(outcome.output.utf8)))
    }

    @Test(arguments: formats)
    func `the same bundles make the same bytes, private to their owner`(format: String) throws {
        _ = rehearse(2)
        let first = try export("bundles --to \(format) --out one")
        #expect(first.code == 0)
        #expect(first.report["runs"]?.list?.map { $0["heartRates"] } == [10, 10])
        #expect(try export("bundles/* bundles --to \(format) --out two").code == 0)
        #expect(program.lines(of: "diff -r one two") == [])
        #expect(program.lines(of: "find one -type f ! -perm 600 -o -type d ! -perm 700") == [])
        #expect(program.lines(of: "ls -d *.partial-* 2>/dev/null") == [])
    }

    @Test(arguments: formats)
    func `no code, name, path or address is in a pseudonymised export`(format: String) throws {
        _ = rehearse(3)
        makeKey()
        let outcome = try export("bundles --to \(format) --out safe --pseudonymise key --shift-dates")
        #expect(outcome.code == 0)
        #expect(outcome.report["removed"]?["answers"] == 3)
        for word in ["P01", "P02", "P03", "/home", "anna", "lab-pc", "2026-01-01"] {
            #expect(program.lines(of: "grep -rial -- '\(word)' safe") == [], "\(word)")
            #expect(program.lines(of: "find safe | grep -i -- '\(word)'") == [], "\(word)")
            let unzipped = "find safe -name '*.gz' -exec zcat {} + | grep -ci -- '\(word)'"
            #expect(program.lines(of: unzipped) == ["0"], "\(word)")
        }
        #expect(try export("bundles --to \(format) --out again --pseudonymise key --shift-dates").code == 0)
        #expect(program.lines(of: "diff -r safe again") == [])
    }

    @Test func `says whose the data are and how they may be used`() throws {
        _ = rehearse(1)
        let whose = "--author 'Ada Müller' --author 'B. \"Bo\" Lee' --licence CC-BY-4.0"
        #expect(try export("bundles --to bids --out bids \(whose)").code == 0)
        #expect(
            program.lines(of: "jq -r '.Authors[], .License' bids/dataset_description.json")
                == ["Ada Müller", "B. \"Bo\" Lee", "CC-BY-4.0"])
        #expect(try export("bundles --to ro-crate --out crate \(whose)").code == 0)
        let names = ##".["@graph"][] | select(.["@id"] | startswith("#author", "#licence")) | .name"##
        #expect(
            program.lines(of: "jq -r '\(names)' crate/ro-crate-metadata.json").sorted()
                == ["Ada Müller", "B. \"Bo\" Lee", "CC-BY-4.0"])
        #expect(program.run("export --include-simulated bundles --to fhir --out fhir \(whose)").code == 64)
    }

    /// Changes a bundle's manifest as somebody does who makes its sum anew.
    private func reseal(_ bundle: String, with change: String) {
        _ = program.lines(
            of: """
                cd \(bundle) && jq -cS '\(change)' manifest.json > new && mv new manifest.json \
                && sum=$(sha256sum manifest.json) && sed -i "s/.*  manifest.json$/$sum/" SHA256SUMS
                """)
    }

    @Test(arguments: [
        ".files += [.files[0]]", ".files[0].path = \"manifest.json\"", ".files[0].path = \"nowhere.json\"",
    ])
    func `a bundle whose list of files is wrong keeps no other out of a crate`(change: String) throws {
        _ = rehearse(2)
        let bundles = program.lines(of: "ls bundles")
        reseal("bundles/\(bundles[0])", with: change)
        let export = program.run("export --include-simulated bundles --to ro-crate --out crate")
        #expect(export.code == 65 && export.output.contains(bundles[0]), "\(export.output)")
        #expect(program.lines(of: "ls crate/runs") == [bundles[1]])
    }

    @Test(arguments: [-2_208_988_800, 32_503_679_999])
    func `runs of the first and the last year that a bundle may say are exported`(seconds: Int) throws {
        reseal("bundles/\(rehearse(1)[0])", with: ".start.seconds = \(seconds)")
        for format in Self.formats {
            #expect(try export("bundles --to \(format) --out \(format)").code == 0, "\(format)")
        }
        #expect(program.run("study status bundles").code == 0)
    }

    @Test func `an answered date that is taken away leaves no text in its place`() throws {
        _ = program.write(
            Self.study.replacing("title: Mood, answer: {text: {}}", with: "title: Born, answer: {date: {}}"),
            "study.yaml")
        #expect(program.run("rehearse study.yaml --out bundles").code == 0)
        makeKey()
        #expect(
            try export("bundles --to researchkit2 --out safe --pseudonymise key").report["removed"]?[
                "answers"] == 1)
        #expect(program.lines(of: "grep -l ORKDateQuestionResult safe/*/result.json").count == 1)
        #expect(program.lines(of: "grep -l dateAnswer safe/*/result.json") == [])
    }

    @Test func `dates of one participant move together, those of others by something else`() throws {
        _ = rehearse(2)
        #expect(program.run("rehearse study.yaml --participants 2 --session 2 --out bundles").code == 0)
        makeKey()
        #expect(try export("bundles --to fhir --out safe --pseudonymise key --shift-dates").code == 0)
        let days = program.lines(
            of:
                "jq -r '.subject.reference + \" \" + .effectiveDateTime[:10]' safe/Observation.ndjson | sort -u"
        )
        #expect(days.count == 2)
        #expect(Set(days.map { $0.suffix(10) }).count == 2)
    }

    @Test func `takes nothing of a damaged bundle, names it, writes the others and ends with 65`() throws {
        let bundles = rehearse(2)
        _ = program.lines(of: "printf x >> bundles/\(bundles[0])/study.yaml; mkdir bundles/a.running")
        let outcome = try export("bundles --to fhir --out here")
        #expect(outcome.code == 65)
        #expect(outcome.report["runs"]?.list?.count == 1)
        #expect(outcome.report["damaged"]?.list?.map { $0["path"]?.text } == ["bundles/\(bundles[0])"])
        #expect(outcome.report["unsealed"] == ["bundles/a.running"])
        #expect(program.lines(of: "grep -c . here/Observation.ndjson") == ["10"])
    }

    @Test(arguments: ["mkdir out", "touch out", "ln -s nowhere out", "mkdir out; touch out/x"])
    func `refuses what is there already and leaves it alone`(preparation: String) {
        _ = rehearse(1)
        _ = program.lines(of: preparation)
        let before = program.lines(of: "ls -lR out")
        #expect(program.run("export --include-simulated bundles --to fhir --out out").code == 74)
        #expect(program.lines(of: "ls -lR out") == before)
        #expect(program.lines(of: "ls -d *.partial-* 2>/dev/null") == [])
    }

    @Test(
        arguments: zip(
            [
                "bundles --to fhir --out out --shift-dates",
                "bundles --to fhir --out out --pseudonymise none",
                "bundles --to fhir --out out --pseudonymise short", "empty --to fhir --out out",
                "bundles --to parchment --out out", "bundles --to fhir --out out --stimuli .",
                "nowhere --to fhir --out out",
            ], [64, 69, 65, 65, 64, 64, 69] as [Int32]))
    func `says what is wrong and writes nothing`(arguments: String, code: Int32) {
        _ = rehearse(1)
        _ = program.lines(of: "printf 12345 > short; mkdir empty")
        let outcome = program.run("export --include-simulated \(arguments)")
        #expect(outcome.code == code)
        #expect(!outcome.errors.isEmpty)
        #expect(program.lines(of: "ls -d out* 2>/dev/null") == [])
    }

    @Test func `a code that is a word of the format is refused rather than shown`() {
        _ = program.write(Self.study, "study.yaml")
        let run =
            "run study.yaml --participant subject --participant-number 1 --speed max --auto --out bundles"
        #expect(program.run(run).code == 0)
        makeKey()
        let outcome = program.run("export --include-simulated bundles --to fhir --out out --pseudonymise key")
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains("subject"))
        #expect(program.lines(of: "ls -d out* 2>/dev/null") == [])
    }

    @Test func `copies clips that are those that were played, and refuses others`() throws {
        let media = Program.root + "Media"
        #expect(
            program.run("rehearse \(Program.root)Studies/music-heart-rate.yaml --out bundles").code == 0)
        #expect(try export("bundles --to bids --out with --stimuli \(media)").code == 0)
        let copied = program.lines(of: "ls with/stimuli")
        #expect(copied.count == 3 && copied.allSatisfy { $0.hasPrefix("stim-") || $0.hasPrefix("stimuli.") })
        #expect(
            program.lines(of: "cut -f 1 with/stimuli/stimuli.tsv | tail -1")
                == program.lines(of: "cut -f 15 with/sub-*/ses-01/beh/*_events.tsv | grep stim-"))
        #expect(program.lines(of: "cut -f 8 with/sub-*/ses-01/beh/*_events.tsv | grep -c ogg") == ["1"])
        _ = program.lines(of: "mkdir other; for f in \(media)/*.ogg; do echo x > other/$(basename $f); done")
        #expect(
            program.run("export --include-simulated bundles --to bids --out without --stimuli other").code
                == 65)
        #expect(program.lines(of: "ls -d without* 2>/dev/null") == [])
    }
}
