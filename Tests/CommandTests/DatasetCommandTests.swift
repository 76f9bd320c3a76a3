import Results
import StudyTesting
import Testing
import TextFormat

@Suite struct DatasetCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: two-steps, title: Two steps, seed: 1}
        sources: {heartRate: {type: simulated, restingRate: 64}}
        tasks:
          - identifier: task
            steps:
              - {type: active, identifier: rest, duration: 10 s, recorders: [{type: heartRate, identifier: heartRate}]}
              - {type: question, identifier: mood, title: Mood, answer: {text: {}}}
              - {type: completion, identifier: done, title: Done}
        """

    /// Rehearses participants into `bundles` and returns the bundles' names.
    private func rehearse(_ count: Int) -> [String] {
        _ = program.write(Self.study, "two.yaml")
        #expect(program.run("rehearse two.yaml --participants \(count) --out bundles").code == 0)
        return program.lines(of: "ls bundles")
    }

    private func collate(_ arguments: String = "bundles --out dataset") throws -> (code: Int32, report: JSON)
    {
        let outcome = program.run("collate \(arguments) --format json")
        return (outcome.code, try JSON(parsing: Array(outcome.output.utf8)))
    }

    private func lines(_ table: String) -> Int {
        program.lines(of: "cat dataset/\(table)/*/*/*.ndjson").count
    }

    @Test func `takes every bundle once, and only what is new`() throws {
        let bundles = rehearse(3)
        #expect(try collate("bundles/\(bundles[0]) --out dataset").report["added"] == 1)
        let second = try collate()
        #expect(second.report["added"] == 2)
        #expect(second.report["known"] == 1)
        #expect(second.report["rows"]?["samples"] == 30)
        let sums = "cd dataset && find . -type f | sort | xargs sha256sum"
        let before = program.lines(of: sums)
        #expect(try collate("bundles bundles --out dataset").report["added"] == 0)
        #expect(program.lines(of: sums) == before)
        #expect(lines("sessions") == 3)
        #expect(lines("samples") == 30)
        #expect(program.lines(of: "find dataset -name '*.tmp'") == [])
    }

    @Test func `bundles and a dataset never share a folder, and what lies in one is found all the same`()
        throws
    {
        let bundles = rehearse(2)
        let refused = program.run("collate bundles --out bundles")
        #expect(refused.code == 65 && refused.errors.contains("a folder of its own"), "\(refused.errors)")
        #expect(program.lines(of: "ls bundles") == bundles)
        #expect(try collate().report["added"] == 2)
        let run = program.run("rehearse two.yaml --participant P09 --out dataset")
        #expect(run.code == 65 && run.errors.contains("it is a dataset"), "\(run.errors)")
        #expect(
            program.run("run two.yaml --participant P09 --auto --speed max --out dataset").errors.contains(
                "it is a dataset"))
        // Somebody has moved one there by hand.
        #expect(program.run("rehearse two.yaml --participant P09 --out more").code == 0)
        _ = program.lines(of: "mv more/* dataset/")
        #expect(try collate("dataset --out other").report["added"] == 1)
        let analysed = program.run("analyse dataset --include-simulated --format json")
        let study = try JSON(parsing: Array(analysed.output.utf8))["studies"]?.list?.first
        #expect(study?["origins"]?["simulated"] == 3)
        let gone = program.run("withdraw --participant P09 --erase --yes dataset")
        #expect(gone.code == 0 && gone.output.contains("destroyed: 1 run"), "\(gone.output)\(gone.errors)")
        #expect(program.lines(of: "grep -rl P09 dataset").isEmpty)
    }

    @Test func `the same bundles make the same bytes`() throws {
        _ = rehearse(40)
        _ = try collate()
        _ = try collate("bundles --out again")
        #expect(program.lines(of: "diff -r dataset again") == [])
    }

    @Test(
        arguments: [
            "printf x >> %/result.json", "sed -i s/count.min/count-min/ %/steps/*/HK*", "rm %/plan.json",
            "rm %/SHA256SUMS",
            "rm %/manifest.json", "truncate -s -1 %/journal.jsonl", "rm %/steps/01-rest/result.json",
            "rm %/steps/*/HK*", ": > %/manifest.json",
        ])
    func `takes nothing of a damaged bundle, names it, and ends with 65`(damage: String) throws {
        let bundles = rehearse(2)
        let bundle = "bundles/\(bundles[0])"
        _ = program.lines(of: "cp -r \(bundle) whole; (\(damage.replacing("%", with: bundle)))")
        let first = try collate()
        #expect(first.code == 65)
        #expect(first.report["added"] == 1)
        #expect(first.report["damaged"]?.list?.map { $0["path"]?.text } == [bundle])
        for table in ["sessions", "steps", "samples", "beats", "answers", "events"] {
            #expect(program.lines(of: "grep -l \(bundles[0]) -r dataset/\(table)") == [], "\(table)")
        }
        _ = program.lines(of: "rm -r \(bundle); mv whole \(bundle)")
        let second = try collate()
        #expect(second.code == 0)
        #expect(second.report["added"] == 1)
        #expect(lines("samples") == 20)
    }

    @Test func `leaves a run that goes on for later, and clears what a killed collation left`() throws {
        let bundles = rehearse(2)
        _ = program.lines(of: "mv bundles/\(bundles[0]) bundles/\(bundles[0]).running")
        let first = try collate()
        #expect(first.code == 0)
        #expect(first.report["unsealed"] == [.text("bundles/\(bundles[0]).running")])
        let part = "dataset/samples/study=two-steps/date=2026-01-01/part-000"
        _ = program.lines(of: "cp \(part)1.csv \(part)2.csv; touch \(part)3.ndjson.tmp")
        _ = program.lines(of: "mv bundles/\(bundles[0]).running bundles/\(bundles[0])")
        _ = try collate()
        #expect(program.lines(of: "ls \(part)*").count == 4)
        #expect(lines("samples") == 20)
    }

    @Test func `describes only what its index lists, whatever a killed collation described ahead of it`()
        throws
    {
        let bundles = rehearse(2)
        _ = try collate("bundles/\(bundles[0]) --out dataset")
        _ = program.lines(of: "cp -r dataset before")
        _ = try collate()
        let described = "datapackage.json load-sqlite.sql"
        _ = program.lines(
            of: """
                cd dataset && cp \(described) .. && cp -r ../before/* . && cd .. && mv \(described) dataset \
                && echo half > dataset/load.sql.tmp && rm -r bundles/\(bundles[1])
                """)
        #expect(try collate().code == 0)
        #expect(program.lines(of: "diff -r dataset before") == [])
    }

    @Test func `a dataset keeps the form of its tables, and an analysis does not see it`() throws {
        let bundles = rehearse(2)
        #expect(try collate("bundles/\(bundles[0]) --out dataset --format parquet").report["added"] == 1)
        _ = program.lines(of: "cd dataset/parquet/samples && touch part-left.parquet.tmp part-left.parquet")
        #expect(try collate().report["added"] == 1)
        let part = "part-two-steps-2026-01-01-000"
        #expect(
            program.lines(of: "ls dataset/parquet/samples") == ["\(part)1.parquet", "\(part)2.parquet"])
        #expect(program.lines(of: "head -qc 4 dataset/parquet/*/* | tr -d PAR1") == [])
        #expect(program.lines(of: "find dataset -name '*.csv' -o -name '*.tmp'") == [])
        #expect(lines("samples") == 20)
        let package = try JSON(
            parsing: Array(Program.text(of: program.folder.path + "/dataset/datapackage.json").utf8))
        let resources = package["resources"]?.list ?? []
        #expect(resources.count { $0["name"] == "samples" } == 1)
        #expect(resources.first { $0["name"] == "samples" }?["path"]?.list?.count == 2)
        #expect(program.run("collate bundles --out tables").code == 0)
        let said = ["dataset", "tables"].map {
            program.run("analyse --include-simulated \($0) --format json").output
        }
        #expect(said[0] == said[1] && said[0].contains("two-steps"))
    }

    @Test func `the other form is refused, and so are two at once`() {
        _ = rehearse(1)
        for (form, other, title) in [("csv", "parquet", "CSV"), ("parquet", "csv", "Parquet")] {
            #expect(program.run("collate bundles --out \(form) --format \(form)").code == 0)
            let refused = program.run("collate bundles --out \(form) --format \(other)")
            #expect(refused.code == 65)
            #expect(
                refused.errors.contains(
                    "its tables are \(title): leave out '--format \(other)', or give another folder"))
        }
        for pair in ["--format csv --format parquet", "--format text --format json"] {
            let outcome = program.run("collate bundles --out neither \(pair)")
            #expect(outcome.code == 64 && outcome.errors.contains("exclude each other"))
        }
    }

    @Test func `names links, which it does not follow`() throws {
        _ = rehearse(1)
        _ = program.lines(
            of: "mkdir sites; ln -s ../bundles sites/linked; ln -s nowhere sites/lost; touch sites/x")
        let outcome = try collate("sites --out dataset")
        #expect(outcome.code == 0)
        #expect(outcome.report["links"] == [.text("sites/linked"), .text("sites/lost")])
        #expect(
            program.run("analyse --include-simulated sites").output.contains(
                "a link, not followed: sites/linked"))
        #expect(try collate("sites/linked --out dataset").report["added"] == 1)
    }

    @Test func `neither reads nor adds to a dataset of another version`() throws {
        _ = rehearse(1)
        _ = try collate()
        _ = program.lines(of: "sed -i 's/\"collation\":[0-9]*/\"collation\":99/' dataset/collation.json")
        for command in [
            "collate bundles --out dataset", "analyse --include-simulated dataset",
            "report --include-simulated dataset --out r.html",
        ] {
            let outcome = program.run(command)
            #expect(outcome.code == 65, "\(command)")
            #expect(
                outcome.errors.contains("has version 99, and this program knows version 28"), "\(command)")
        }
    }

    @Test func `finds bundles at any depth, by their manifest and not by their name`() throws {
        let bundles = rehearse(2)
        _ = program.lines(
            of: "mkdir -p sites/a/b; mv bundles/\(bundles[0]) sites/a/b/P01; mv bundles/* sites")
        let first = try collate("sites --out dataset")
        #expect(first.report["added"] == 2)
        let second = try collate("sites --out dataset")
        #expect(second.report["added"] == 0)
        #expect(second.report["known"] == 2)
    }

    @Test func `takes the steps of a run with sound, whose file stays in the bundle`() throws {
        let study = Program.root + "Studies/microphone.yaml"
        #expect(program.run("rehearse \(study) --out bundles").code == 0)
        let bundle = program.lines(of: "ls bundles")[0]
        #expect(try collate().report["added"] == 1)
        _ = program.lines(
            of: "for f in bundles/\(bundle)/steps/*/*.flac; do printf x >> $f; done; rm -r dataset")
        #expect(try collate().code == 65)
    }

    @Test func `makes one part of each day, however many days are mixed`() throws {
        let bundles = rehearse(40)
        for (index, bundle) in bundles.enumerated() {
            let day = "s/\"seconds\":1767258000/\"seconds\":\(1_767_258_000 + 86_400 * (index % 20))/"
            _ = program.lines(
                of: """
                    cd bundles/\(bundle) && sed -i '\(day)' manifest.json \
                    && sum=$(sha256sum manifest.json) && sed -i "s/.*  manifest.json/$sum/" SHA256SUMS
                    """)
        }
        #expect(try collate().report["added"] == 40)
        #expect(program.lines(of: "ls -d dataset/samples/*/date=*").count == 20)
        #expect(program.lines(of: "ls dataset/samples/*/*/*.csv").count == 20)
        #expect(lines("sessions") == 40)
    }

    @Test func `two programs never write one dataset at the same time`() throws {
        _ = rehearse(1)
        _ = program.lines(of: "mkdir dataset")
        let locked = program.run("collate bundles --out dataset", environment: "flock dataset")
        #expect(locked.code == 65)
        #expect(locked.errors.contains("another program is collating into it"))
        #expect(program.lines(of: "ls dataset") == [])
        #expect(try collate().report["added"] == 1)
    }

    @Test func `an end of the study's own is told by its name and counts as no completion`() throws {
        let study =
            Self.study.replacing("answer: {text: {}}}", with: "answer: {text: {}}, goTo: tooYoung}") + """

                      - {type: completion, identifier: tooYoung, title: Not this time, reason: screenedOut}
                """
        _ = program.write(study.replacing("title: Mood,", with: "title: Mood, optional: true,"), "two.yaml")
        #expect(program.run("check two.yaml").output.contains("no path leads to the step 'done'"))
        let screened = study.replacing(
            "goTo: tooYoung", with: "goTo: {answer: mood, is: ne, value: x, target: tooYoung}")
        _ = program.write(screened, "two.yaml")
        let rehearsal = program.run("rehearse two.yaml --participants 2 --out bundles")
        #expect(rehearsal.output.contains("ended: 2 screenedOut"))
        let bundle = "bundles/\(program.lines(of: "ls bundles")[0])"
        #expect(program.run("verify \(bundle)").code == 0)
        #expect(program.run("show \(bundle)").output.contains("screenedOut"))
        #expect(
            program.lines(of: "grep -o '\"finishReason\":\"screenedOut\"' \(bundle)/result.json").count == 1)
        _ = try collate()
        #expect(
            program.lines(of: "grep -ho '\"status\":\"screenedOut\"' dataset/sessions/*/*/*.ndjson").count
                == 2)
        let analysis = try JSON(
            parsing: Array(program.run("analyse --include-simulated dataset --format json").output.utf8))[
                "studies"]?.list?.first
        #expect(analysis?["statuses"] == ["screenedOut": 2])
        #expect(analysis?["ended"] == ["screenedOut": ["P01", "P02"]] && analysis?["withoutResponse"] == [])
        #expect(
            program.run("analyse --include-simulated dataset").output.contains(
                "two-steps: 2 sessions (2 screenedOut"))
        _ = program.run("report --include-simulated dataset --out report.html")
        let report = Program.text(of: program.folder.path + "/report.html")
        #expect(report.contains("0 sessions completed") && report.contains("2 screenedOut"))
        #expect(program.run("export \(bundle) --include-simulated --to ro-crate --out crate").code == 0)
        #expect(program.lines(of: "grep -rho CompletedActionStatus crate").count == 1)
    }

    @Test func `each answer has its times and the number of its changes`() throws {
        _ = rehearse(1)
        _ = try collate()
        let header = program.lines(of: "head -qn 1 dataset/answers/*/*/*.csv")
        #expect(
            header.first?.contains(
                "unit,other,shown_seconds,touched_seconds,changed_seconds,confirmed_seconds,changes,prompt")
                == true)
    }

    @Test func `wrong places end with an error`() {
        #expect(program.run("collate nowhere --out dataset").code == 69)
        #expect(program.run("analyse nowhere").code == 69)
        #expect(program.run("collate").code == 64)
    }

    @Test func `analyses bundles and their dataset alike`() throws {
        let study = Program.root + "Studies/music-crossover.yaml"
        #expect(program.run("rehearse \(study) --participants 8 --out bundles").code == 0)
        _ = try collate()
        let bundles = program.run("analyse --include-simulated bundles --format json")
        #expect(bundles.code == 0)
        #expect(
            program.run("analyse --include-simulated dataset bundles --format json").output == bundles.output)
        let json = try JSON(parsing: Array(bundles.output.utf8))["studies"]?.list?.first
        #expect(json?["clips"] == 32)
        #expect(json?["groups"]?.list?.count == 13)
        #expect(json?["groups"]?.list?.first?["rmssd"]?["ultraShort"] == 32)
        #expect(json?["groups"]?.list?.first?["power"]?["participantsFor80"]?.integer != nil)
        #expect(json?["statuses"] == ["completed": 8])
        #expect(json?["groups"]?.list?.first?["exact"] == true)
        let text = program.run("analyse --include-simulated dataset").output
        for words in [
            "mood chill", "tempo below 80", "next study:", "RMSSD, clip minus rest, ms", "ultra-short",
        ] {
            #expect(text.contains(words), "\(words)")
        }
    }

    @Test func `follows responses second by second, the same in file, text and JSON`() throws {
        let study = Program.root + "Studies/music-crossover.yaml"
        #expect(program.run("rehearse \(study) --participants 4 --out bundles").code == 0)
        _ = try collate()
        let command = "analyse --include-simulated dataset --over-time"
        let told = program.run("\(command) courses.csv --format json")
        let group = try JSON(parsing: Array(told.output.utf8))["studies"]?.list?.first?["groups"]?.list?.first
        // Clips last 30 s. Each participant counts once, with the mean of their four clips.
        let course = try #require(group?["course"]?.list)
        #expect(course.map { $0["second"]?.integer } == Array(0..<30))
        #expect(course.allSatisfy { $0["participants"] == 4 })
        let script = program.write(
            """
            import csv, statistics
            rows = list(csv.DictReader(open('courses.csv', newline='')))
            for second in range(30):
                people = {}
                for row in rows:
                    if int(row['second']) == second and row['change']:
                        people.setdefault(row['participant'], []).append(float(row['change']))
                print(round(statistics.mean(map(statistics.mean, people.values())), 6))
            """, "means.py")
        let means = program.lines(of: "python3 \(script)")
        #expect(means.count == 30)
        for (mean, second) in zip(means, course) {
            #expect(abs(try #require(Double(mean)) - (second["mean"]?.number ?? .nan)) < 2e-6)
        }
        let header = program.lines(of: "head -1 courses.csv").first
        #expect(
            header
                == "study,study_revisions,participant,run,origin,step,visit,stimulus,mood,tempo,second,change,made_of,"
                + "notified_change")
        let text = program.run("\(command) again.csv").output
        #expect(text.contains("all clips after the onset, second by second, minus rest, per minute\n"))
        #expect(program.lines(of: "cmp courses.csv again.csv").isEmpty)
        let refused = program.run("\(command) again.csv")
        #expect(refused.code == 74 && refused.errors.contains("again.csv"), "\(refused)")
        #expect(!program.run("analyse --include-simulated dataset --format json").output.contains("course"))
        #expect(program.run("report --include-simulated dataset --out report.html").code == 0)
        let page = Program.text(of: program.folder.path + "/report.html")
        #expect(page.contains("<h2>Response over time</h2>") && page.contains("Each clip on the same scale"))
    }
}
