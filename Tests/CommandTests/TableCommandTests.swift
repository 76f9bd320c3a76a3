import StudyTesting
import Testing
import TextFormat

/// What the tables of `entrain collate` say, compared with what a reader of the bundles finds.
@Suite struct TableCommandTests {
    let program = Program()

    /// - Parameter recorders: of the whole task, besides that of each step.
    private func study(recorders: String = "") -> String {
        """
        entrain: 1
        study: {identifier: rated, title: Rated, seed: 1}
        sources: {wrist: {type: simulated, restingRate: 70, dropouts: 0.2}, chest: {type: simulated, restingRate: 60}}
        stimuli: {clips: {catalogue: Media/clips.yaml}}
        tasks:
          - identifier: task
        \(recorders)
            steps:
              - {type: consent, identifier: agree, title: Do you agree?, document: consent.md}
              - {type: question, identifier: before, title: {en: How are you?, de: Wie geht es?}, answer: {scale: {from: 1, to: 7, fromLabel: {en: bad, de: schlecht}, toLabel: {en: good, de: gut}}}}
              - {type: active, identifier: rest, duration: 30 s, recorders: [{type: heartRate, identifier: hr, source: wrist}]}
              - {type: active, identifier: first, duration: 20 s, stimulus: {play: happy_preview_1}, recorders: [{type: heartRate, identifier: hr, source: wrist}]}
              - {type: question, identifier: liked, title: {en: Liked?, de: Gut?}, answer: {boolean: {yes: {en: Sure, de: Klar}, no: {en: Never, de: Nie}}}}
              - type: block
                identifier: round
                forEach: clips
                steps:
                  - {type: active, identifier: listen, duration: 10 s, stimulus: {from: clips}, recorders: [{type: heartRate, identifier: hr, source: wrist}]}
                  - type: form
                    identifier: rating
                    questions:
                      - {identifier: calm, title: {en: Calm?, de: Ruhig?}, answer: {continuous: {from: 0, to: 1, decimals: 1}}}
                      - {identifier: words, title: {en: In words, de: Worte}, optional: true, answer: {choice: [{value: a, text: {en: Ah, de: Ach}}, {value: b, text: {en: Bah, de: Bäh}}]}}
              - {type: question, identifier: age, title: {en: Age?, de: Alter?}, answer: {number: {unit: years, min: 18, max: 99}}}
              - {type: completion, identifier: done, title: Done}
        """
    }

    private func rehearse(_ study: String, _ count: Int = 1) {
        _ = program.lines(of: "cp -r \(Program.root)Media .")
        _ = program.write("I agree.", "consent.md")
        _ = program.write(study, "study.yaml")
        let outcome = program.run("rehearse study.yaml --participants \(count) --out bundles")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        let collated = program.run("collate bundles --out dataset")
        #expect(collated.code == 0, "\(collated.output)\(collated.errors)")
    }

    private func rows(_ table: String) throws -> [JSON] {
        try program.lines(of: "cat dataset/\(table)/*/*/*.ndjson").map { try JSON(parsing: Array($0.utf8)) }
    }

    private func json(_ arguments: String) throws -> JSON {
        try JSON(parsing: Array(program.run(arguments + " --format json").output.utf8))
    }

    private func figures() throws -> (shown: [JSON?], analysed: JSON?) {
        let shown = try json("show bundles/*")["steps"]?.list ?? []
        let analysed = try json("analyse dataset --include-simulated")["studies"]?.list?.first?["responses"]
        return (shown.map { $0["heartRate"] }, analysed?.list?.first?["change"])
    }

    @Test func `two recorders over one source double nothing`() throws {
        rehearse(study())
        let alone = try figures()
        let minutes = try rows("samples").count
        #expect(alone.shown.contains { $0 != nil } && alone.analysed != nil)
        _ = program.lines(of: "rm -r bundles dataset")
        let both =
            "    recorders: [{type: heartRate, identifier: whole, source: wrist, from: rest, to: age}, "
            + "{type: heartRate, identifier: strap, source: chest, from: rest, to: first}]"
        rehearse(study(recorders: both))
        let found = try figures()
        #expect(found.analysed == alone.analysed)
        for (now, before) in zip(found.shown, alone.shown) where before != nil { #expect(now == before) }
        var counts: [String: Int] = [:]
        for row in try rows("samples") { counts[row["recorder"]?.text ?? "-", default: 0] += 1 }
        #expect(counts["hr"] == minutes)
        #expect(counts["strap"] == 50)
        #expect(counts["whole", default: 0] > minutes)
        #expect(try rows("beats").allSatisfy { $0["recorder"]?.text != nil })
    }

    @Test func `the recordings say what each result says of its files`() throws {
        rehearse(study(), 2)
        let found = try rows("recordings")
        var wanted = 0
        for bundle in program.lines(of: "ls -d bundles/*") {
            let result = try JSON(
                parsing: Array(Program.text(of: "\(program.folder.path)/\(bundle)/result.json").utf8))
            for step in result["results"]?.list ?? [] {
                for file in step["results"]?.list ?? [] where file["fileName"] != nil {
                    wanted += 1
                    let row = try #require(found.first { $0["file"] == file["fileName"] })
                    let told = file["userInfo"]
                    #expect(row["run"] == result["taskRunUUID"])
                    #expect(row["step"]?.text?.hasSuffix(step["identifier"]?.text ?? "-") == true)
                    #expect(row["recorder"] == "hr" && row["quantity"] == "heartRate")
                    #expect(row["source"] == "wrist" && row["source_kind"] == "simulated")
                    #expect(row["count"] == told?["sampleCount"] && row["coverage"] == told?["coverage"])
                    #expect(row["late"] == told?["lateSamples"] && row["dropped"] == told?["droppedSamples"])
                    let gaps = told?["gaps"]?.list ?? []
                    #expect(row["gaps"]?.integer == gaps.count)
                    let details = try JSON(parsing: Array((row["gap_details"]?.text ?? "").utf8))
                    #expect(details == .list(gaps))
                    let seconds = gaps.reduce(0) {
                        $0 + ($1["to"]?.number ?? 0) - ($1["from"]?.number ?? 0)
                    }
                    #expect(abs((row["gap_seconds"]?.number ?? -1) - seconds) < 1e-9)
                }
            }
        }
        #expect(found.count == wanted && wanted > 8)
        #expect(found.contains { $0["gaps"]?.integer != 0 })
        #expect(try rows("sessions").allSatisfy { $0["recordings"]?.integer == wanted / 2 })
    }

    @Test func `a recording is shown item by item, as the bundle has it`() throws {
        rehearse(study())
        let files = program.lines(of: "ls -d bundles/*/steps/*/HK*")
        var wanted: [JSON] = []
        for file in files {
            let text = Program.text(of: program.folder.path + "/" + file)
            wanted += try JSON(parsing: Array(text.utf8))["items"]?.list ?? []
        }
        let told = program.run("show bundles/* --recording hr --format json").output.split(separator: "\n")
        let found = try told.map { try JSON(parsing: Array($0.utf8)) }
        #expect(found.count == wanted.count && wanted.count > 50)
        for (item, wanted) in zip(found, wanted) {
            for member in wanted.object?.members ?? [] { #expect(item[member.key] == member.value) }
            let step = try #require(item["step"]?.text)
            #expect(["rest", "first", "round.listen"].contains(step))
        }
        let table = program.run("show bundles/* --recording hr").output
        #expect(table.contains("  runOffset") && table.contains("gap from "))
        let rates = table.split(separator: "\n").compactMap { line -> Double? in
            let words = line.split(separator: " ")
            return words.count > 3 && words[2] == "count/min" ? Double(words[1]) : nil
        }
        #expect(rates == wanted.compactMap { $0["value"]?.number })
        let missing = program.run("show bundles/* --recording chest")
        #expect(missing.code == 64 && missing.errors.contains("there are: hr"))
        let shown = program.run("show bundles/*").output
        let title = try #require(rows("steps").first { $0["step"] == "first" }?["stimulus_title"]?.text)
        #expect(shown.contains("  first\n    clip name: \(title) (happy_preview_1)\n"), "\(shown)")
    }

    @Test func `a step says all of its clip, and how late and how broken it was`() throws {
        rehearse(study())
        let steps = try rows("steps")
        let clip = try #require(steps.first { $0["step"] == "first" })
        let told = try JSON(parsing: Array((clip["attributes"]?.text ?? "").utf8))
        #expect(told["mood"] == clip["mood"] && (told.object?.members.count ?? 0) > 2)
        let lateness = try JSON(parsing: Array((clip["lateness"]?.text ?? "").utf8))
        #expect(lateness["start"]?.number == 0 && lateness["end"]?.number == 0)
        #expect(clip["worst_lateness_seconds"] == 0.0)
        #expect(steps.first { $0["step"] == "before" }?["lateness"] == .null)
    }

    @Test func `an answer belongs to the clip that was heard before it in its round`() throws {
        rehearse(study(), 3)
        var heard: [String: String] = [:]
        for step in try rows("steps") where step["step"] == "round.listen" {
            heard["\(step["run"]?.text ?? "-") \(step["visit"]?.integer ?? 0)"] = step["stimulus"]?.text
        }
        let answers = try rows("answers")
        #expect(heard.count == 18)
        for answer in answers {
            let wanted: JSON
            switch answer["step"]?.text {
            case "agree", "before": wanted = .null
            case "liked", "age": wanted = "happy_preview_1"
            case _:
                let place = "\(answer["run"]?.text ?? "-") \(answer["visit"]?.integer ?? 0)"
                wanted = .text(try #require(heard[place]))
            }
            #expect(answer["stimulus"] == wanted, "\(answer)")
        }
    }

    @Test func `the codebook has every word of every question in every language, once`() throws {
        rehearse(study(), 2)
        let lines = try rows("codebook").map { row in
            [
                "step", "question", "kind", "language", "title", "optional", "unit", "minimum", "maximum",
                "value", "label",
            ]
            .map { key in
                let cell = row[key] ?? .null
                return cell.text ?? (cell == .null ? "-" : String(decoding: cell.encoded(), as: UTF8.self))
            }.joined(separator: " ")
        }
        let english = lines.filter { $0.contains(" en ") }
        #expect(
            english == [
                "agree agree consent en Do you agree? false - - - - -",
                "before before scale en How are you? false - 1.0 7.0 1 bad",
                "before before scale en How are you? false - 1.0 7.0 7 good",
                "liked liked boolean en Liked? false - - - true Sure",
                "liked liked boolean en Liked? false - - - false Never",
                "round.rating calm continuous en Calm? false - 0.0 1.0 - -",
                "round.rating words choice en In words true - - - a Ah",
                "round.rating words choice en In words true - - - b Bah",
                "age age number en Age? false years 18.0 99.0 - -",
            ])
        #expect(lines.count == 18 && lines.contains("round.rating words choice de Worte true - - - b Bäh"))
        _ = program.run("rehearse study.yaml --participants 4 --out more")
        #expect(program.run("collate more --out dataset").code == 0)
        #expect(try rows("codebook").count == 18)
        #expect(program.lines(of: "grep -c 'VIEW codebook' dataset/load.sql") == ["1"])
    }

    @Test func `a study that cannot be read any more is collated, and its codebook missed`() throws {
        rehearse(study())
        _ = program.lines(
            of: """
                rm -r dataset; cd bundles/* && echo 'x: y' >> study.yaml && sum=$(sha256sum study.yaml | cut -c -64) \
                && sed -i "s/\\"studySHA256\\":\\"[0-9a-f]*/\\"studySHA256\\":\\"$sum/" manifest.json \
                && bytes=$(stat -c %s study.yaml) \
                && sed -i "s/\\"bytes\\":[0-9]*\\(,\\"contentType\\":\\"application.yaml\\"\\)/\\"bytes\\":$bytes\\1/" manifest.json \
                && sed -i "s/.*  study.yaml/$sum  study.yaml/" SHA256SUMS \
                && all=$(sha256sum manifest.json) && sed -i "s/.*  manifest.json/$all/" SHA256SUMS
                """)
        let outcome = program.run("collate bundles --out dataset")
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(
            outcome.output.contains("1 bundle added") && outcome.output.contains("no codebook of its study"))
    }
}
