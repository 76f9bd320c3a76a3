import StudyTesting
import Testing
import TextFormat

/// Heart rates, intervals and breaths of a step from the waveforms that were recorded in it.
@Suite struct WaveHeartCommandTests {
    let program = Program()

    /// Runs a study of two steps of a minute each with a simulated body.
    ///
    /// - Parameters:
    ///   - recorders: those of both steps.
    ///   - spanning: those of the task.
    private func run(_ recorders: [String], spanning: [String] = []) {
        let list = "[" + recorders.joined(separator: ", ") + "]"
        let text = """
            entrain: 1
            study: {identifier: hearts, title: Hearts, seed: 3}
            sources: {heartRate: {type: simulated, restingRate: 64}}
            tasks:
              - identifier: sit
                recorders: [\(spanning.joined(separator: ", "))]
                steps:
                  - {type: active, identifier: rest, duration: 60 s, recorders: \(list)}
                  - {type: active, identifier: later, duration: 60 s, recorders: \(list)}
                  - {type: completion, identifier: end, title: Thanks}
            """
        let study = spanning.isEmpty ? text.replacing("    recorders: []\n", with: "") : text
        _ = program.write(study, "study.yaml")
        let outcome = program.run("run study.yaml --plain --auto --speed max --participant P01 --out bundles")
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    private func json(_ arguments: String) throws -> JSON {
        let outcome = program.run("\(arguments) --format json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSON(parsing: Array(outcome.output.utf8))
    }

    private func steps(_ command: String) throws -> [JSON] {
        let name = try #require(program.lines(of: "ls bundles").first)
        return try #require(try json("\(command) bundles/\(name)")["steps"]?.list).filter {
            $0["identifier"]?.text != "end"
        }
    }

    /// Rows of a table of the collated bundles.
    private func rows(_ table: String) throws -> [JSON] {
        #expect(program.run("collate bundles --out dataset").code == 0)
        return try program.lines(of: "cat dataset/\(table)/*/*/*.ndjson").map {
            try JSON(parsing: Array($0.utf8))
        }
    }

    private static let rate = "{type: heartRate, identifier: heart}"
    private static let intervals = "{type: rrIntervals, identifier: rr}"
    private static let ecg = "{type: ecg, identifier: chest, source: heartRate}"
    private static let chosen = "{type: ecg, identifier: chest, source: heartRate, beats: true}"
    private static let finger = "{type: ppg, identifier: finger, source: heartRate, beats: true}"
    private static let belt = "{type: breathing, identifier: belt, source: heartRate}"

    @Test func `an ECG alone gives a step its heart rate, its intervals and its breath`() throws {
        run([Self.ecg])
        for step in try steps("show") {
            #expect(step["heartRate"]?["beatsFrom"] == "ECG chest, ecg")
            #expect(step["heartRate"]?["meanFrom"] == "intervals")
            #expect(step["breathing"]?["from"] == "ecg")
            #expect(step["refusedSeconds"] == 0.0)
        }
        for step in try steps("hrv") {
            #expect(step["ecg"] == "ECG chest, ecg" && step["refusedSeconds"] == 0.0)
        }
        let beats = try rows("beats")
        #expect(Set(beats.map { $0["source"]?.text }) == ["ECG chest, ecg"] && beats.count > 100)
        let steps = try rows("steps")
        #expect(steps.prefix(2).allSatisfy { $0["beats_recorder"] == .null })
        #expect(
            steps.prefix(2).allSatisfy { $0["breathing_from"] == "ecg" && $0["ecg_refused_seconds"] == 0.0 })
    }

    @Test func `a beat that is corrected can be looked at, in the list, in the chart and in its wave`() throws
    {
        var lines = ["time,rr"]
        var time = 0.0
        for index in 0..<200 where index % 50 != 49 {
            let length = (index % 50 == 48 ? 1.8 : 0.9) + [0, 0.02, 0.04, 0.03, 0.01][index % 5]
            time += length
            lines.append("\((time * 1000).rounded() / 1000),\((length * 1000).rounded())")
        }
        _ = program.write(lines.joined(separator: "\n"), "beats.csv")
        let study = """
            entrain: 1
            study: {identifier: hearts, title: Hearts, seed: 3}
            sources: {heartRate: {type: replay, file: beats.csv}, body: {type: simulated}}
            tasks:
              - identifier: sit
                steps:
                  - type: active
                    identifier: rest
                    duration: 120 s
                    recorders: [\(Self.intervals), {type: ecg, identifier: chest, source: body}]
                  - {type: completion, identifier: end, title: Thanks}
            """
        _ = program.write(study, "study.yaml")
        let outcome = program.run("run study.yaml --plain --auto --speed max --participant P01 --out bundles")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(program.run("show bundles/*").output.contains("    rr from beats.csv\n"))
        let rest = try #require(try steps("show").first)
        #expect(rest["sources"] == [["recorder": "rr", "identifier": "beats.csv"]], "\(rest)")
        let list = program.run("show bundles/* --recording rr").output
        #expect(list.contains(" intervals between beats, 2 corrected, 0 gaps\n"), "\(list)")
        #expect(list.contains("missed: 1.83 s, used as 0.9"))
        #expect(program.run("show bundles/* --recording chest").output.contains(" intervals between beats, "))
        let report = program.run("report --include-simulated bundles/* --out report.html")
        #expect(report.code == 0, "\(report.errors)")
        let page = Program.text(of: program.folder.path + "/report.html")
        #expect(page.contains(" intervals, 2 of them corrected (2 missed); 0 gaps. "), "\(page.prefix(3000))")
        #expect(page.split(separator: "The wave around").count == 3)
    }

    @Test func `a strap's intervals count beside an ECG, unless the study chooses the ECG`() throws {
        run([Self.rate, Self.intervals, Self.ecg])
        let strap = try steps("show").compactMap { $0["heartRate"] }
        #expect(strap.map { $0["beatsFrom"] } == ["recorded", "recorded"])
        #expect(try rows("beats").allSatisfy { $0["source"] == "heartRate" })
        _ = program.lines(of: "rm -r bundles dataset; true")
        run([Self.rate, Self.intervals, Self.chosen])
        let found = try steps("show").compactMap { $0["heartRate"] }
        #expect(found.map { $0["beatsFrom"] } == ["ECG chest, ecg", "ECG chest, ecg"])
        #expect(try steps("hrv").map { $0["ecg"] } == ["ECG chest, ecg", "ECG chest, ecg"])
        let steps = try rows("steps").filter { $0["step"]?.text != "end" }
        #expect(steps.map { $0["beats_recorder"] } == ["chest", "chest"])
        let beats = try rows("beats")
        #expect(Set(beats.map { $0["source"]?.text }) == ["heartRate", "ECG chest, ecg"])
        // Both are of one heart.
        for (one, other) in zip(strap, found) {
            let (one, other) = (try #require(one["mean"]?.number), try #require(other["mean"]?.number))
            #expect(abs(one - other) < 0.5, "\(one) and \(other)")
        }
    }

    @Test func `a PPG gives them if the study chooses it`() throws {
        run([Self.rate, Self.intervals, Self.finger])
        let found = try steps("show").compactMap { $0["heartRate"] }
        #expect(found.map { $0["beatsFrom"] } == ["PPG finger, ppg", "PPG finger, ppg"])
        #expect(try steps("hrv").map { $0["ppg"] } == ["PPG finger, ppg", "PPG finger, ppg"])
        let beats = try rows("beats")
        for step in ["rest", "later"] {
            let lengths = { (recorder: String) in
                beats.filter { $0["step"]?.text == step && $0["recorder"]?.text == recorder }.compactMap {
                    $0["rr_seconds"]?.number
                }
            }
            let (strap, finger) = (lengths("rr"), lengths("finger"))
            #expect(abs(strap.count - finger.count) <= 4)
            let means = [strap, finger].map { $0.reduce(0, +) / Double($0.count) }
            #expect(abs(means[0] - means[1]) < 0.01, "\(means)")
        }
    }

    @Test func `a recording over several steps gives each step its own beats and breaths`() throws {
        run(
            [],
            spanning: [
                "{type: ecg, identifier: chest, source: heartRate, from: rest, to: later}",
                "{type: breathing, identifier: belt, source: heartRate, from: rest, to: later}",
            ])
        let shown = try steps("show")
        #expect(shown.compactMap { $0["heartRate"]?["beatsFrom"]?.text }.count == 2)
        #expect(shown.map { $0["breathing"]?["from"] } == ["belt", "belt"])
        for row in try rows("beats") {
            let (step, offset) = (row["step"]?.text, try #require(row["offset_seconds"]?.number))
            #expect(step == (offset < 60 ? "rest" : "later"))
        }
    }

    @Test func `breaths of a belt stand in the table of steps as show says them`() throws {
        run([Self.rate, Self.belt])
        let shown = try steps("show").compactMap { $0["breathing"] }
        let rows = try rows("steps").filter { $0["step"]?.text != "end" }
        #expect(shown.count == 2 && rows.count == 2)
        for (breathing, row) in zip(shown, rows) {
            #expect(row["breathing_from"] == "belt" && breathing["from"] == "belt")
            for (key, column) in [("rate", "breathing_rate"), ("quality", "breathing_quality")] {
                let (one, other) = (breathing[key]?.number, row[column]?.number)
                #expect(abs(try #require(one) - (try #require(other))) <= 0.0005)
            }
        }
    }

    @Test func `two recorders that give the beats of a step are a mistake`() {
        run([Self.chosen])
        let text = program.lines(of: "cat study.yaml").joined(separator: "\n")
        _ = program.write(
            text.replacing("\(Self.chosen)", with: "\(Self.chosen), \(Self.finger)"), "both.yaml")
        let outcome = program.run("check both.yaml")
        #expect(outcome.code == 65)
        #expect(
            (outcome.output + outcome.errors).contains(
                "two recorders give the heart rates and intervals of one step"))
        _ = program.write(text.replacing("type: ecg", with: "type: breathing"), "belt.yaml")
        #expect(program.run("check belt.yaml").code == 65)
    }
}
