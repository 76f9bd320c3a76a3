import StudyTesting
import Testing
import TextFormat

/// How good a run was, and how far it was from what was expected, compared with a reader of its own.
@Suite struct QualityCommandTests {
    private let program = Program()

    private static func study(_ quality: String, dropouts: Double = 0, onConfirm: Bool = false) -> String {
        """
        entrain: 1
        study: {identifier: ride, title: Ride, seed: 4}
        sources: {heartRate: {type: simulated, restingRate: 64, dropouts: \(dropouts)}}
        outcomes: {primary: {measure: timeInBand, of: effort}}
        tasks:
          - identifier: task
            \(quality)
            steps:
              - type: active
                identifier: effort
                duration: 60 s
                \(onConfirm ? "timer: {start: onConfirm}" : "")
                expected: {points: [[0 s, 60], [60 s, 80]], interpolation: linear, band: 6 bpm}
                recorders: [{type: heartRate, identifier: heart}]
              - {type: completion, identifier: thanks, title: Thanks}
        """
    }

    private func run(_ study: String) -> Program.Outcome {
        _ = program.write(study, "study.yaml")
        return program.run("run study.yaml --auto --speed max --participant P01 --out results")
    }

    private func json(_ command: String) throws -> JSON {
        try JSON(parsing: Array(program.run("\(command) --format json").output.utf8))
    }

    /// The share with samples and the longest gap, as the bundle's own result says.
    private func recorded() throws -> (coverage: Double, gap: Double) {
        let result = try JSON(parsing: Array(program.lines(of: "cat results/*/result.json").joined().utf8))
        let file = try #require(
            result["results"]?.list?[0]["results"]?.list?.first { $0["userInfo"]?["coverage"] != nil })
        let gaps = file["userInfo"]?["gaps"]?.list ?? []
        return (
            try #require(file["userInfo"]?["coverage"]?.number),
            gaps.map { ($0["to"]?.number ?? 0) - ($0["from"]?.number ?? 0) }.max() ?? 0
        )
    }

    @Test(
        arguments: [
            ("", 0.3, 0, nil),
            ("quality: {coverage: 0.95, longestGap: 8 s, pauses: 0, underruns: 0}", 0, 0, nil),
            ("quality: {coverage: 0.95}", 0.5, 79, "covered, at least 95 % wanted"),
            ("quality: {longestGap: 1 s}", 0.5, 79, "at most 1.0 s wanted"),
            ("quality: {pauses: 0, lateness: 10 min}", 0.5, 0, nil),
        ] as [(String, Double, Int32, String?)])
    func `a completed run that misses a limit is poor wherever it is looked at`(
        quality: String, dropouts: Double, code: Int32, words: String?
    ) throws {
        let told = run(Self.study(quality, dropouts: dropouts))
        #expect(told.code == code, "\(told.errors)")
        let (coverage, gap) = try recorded()
        #expect(told.errors.contains("quality: ") && (gap == 0) == !told.errors.contains("longest gap"))
        let shown = try json("show results/*")
        #expect(shown["quality"]?["coverage"]?.number == coverage && shown["status"] == "completed")
        #expect(abs((shown["quality"]?["longestGap"]?.number ?? -1) - gap) < 1e-9)
        let missed = quality.isEmpty ? nil : words.map { _ in 1 } ?? 0
        #expect(shown["poor"]?.list?.count == missed)
        let status = try json("study status results --include-simulated")["studies"]?.list?.first
        #expect(status?["poor"]?.integer == (words == nil ? 0 : 1))
        #expect(program.run("collate results --out dataset").code == 0)
        let session = try JSON(
            parsing: Array(program.lines(of: "cat dataset/sessions/*/*/*.ndjson").joined().utf8))
        #expect(session["poor"] == (quality.isEmpty ? .null : .boolean(words != nil)))
        guard let words else {
            #expect(!told.errors.contains("poor"))
            return
        }
        let line = "complete, but poor: "
        #expect(told.errors.contains(line) && told.errors.contains(words), "\(told.errors)")
        for text in [program.run("show results/*"), program.run("study status results --include-simulated")] {
            #expect(text.output.contains("poor: ") && text.output.contains(words), "\(text.output)")
        }
    }

    @Test(arguments: [
        ("quality: {}", "coverage"), ("quality: {coverage: 90}", "coverage"),
        ("quality: {longestGap: 0 s}", "longestGap"), ("quality: {pauses: -1}", "pauses"),
    ])
    func `limits that nothing can mean are refused on their line`(quality: String, key: String) {
        _ = program.write(Self.study(quality), "study.yaml")
        let told = program.run("check study.yaml")
        #expect(told.code == 65 && told.output.contains("study.yaml:7:") && told.output.contains(key))
    }

    @Test(arguments: [false, true])
    func `tables, show and the analysis agree on what was expected`(onConfirm: Bool) throws {
        #expect(run(Self.study("", dropouts: 0.1, onConfirm: onConfirm)).code == 0)
        #expect(program.run("collate results --out dataset").code == 0)
        let samples = try program.lines(of: "cat dataset/samples/*/*/*.ndjson").map {
            try JSON(parsing: Array($0.utf8))
        }
        let files = try program.lines(of: "cat dataset/recordings/*/*/*.ndjson").map {
            try JSON(parsing: Array($0.utf8))
        }
        let start = try #require(files.first?["start_seconds"]?.number)
        #expect(samples.count > 30)
        for sample in samples {
            let moment = try #require(sample["offset_seconds"]?.number)
            let rate = try #require(sample["bpm"]?.number)
            let wanted = 60 + min(max(moment - start, 0), 60) / 3
            guard moment >= start else {
                #expect(sample["expected_bpm"] == .null)
                continue
            }
            #expect(abs((sample["expected_bpm"]?.number ?? 0) - wanted) < 0.00051)
            #expect(abs((sample["deviation_bpm"]?.number ?? 99) - (rate - wanted)) < 0.00051)
            #expect(sample["in_band"] == .boolean(abs(rate - wanted) <= 6))
        }
        let step = try #require(
            try program.lines(of: "grep effort dataset/steps/*/*/*.ndjson -h").map {
                try JSON(parsing: Array($0.utf8))
            }.first)
        let shown = try json("show results/*")["steps"]?.list?.first?["expected"]
        let share = try #require(step["in_band_share"]?.number)
        #expect(shown?["shareInBand"]?.number == share && share > 0 && share < 1)
        #expect(shown?["meanAbsoluteError"]?.number == step["expected_error_bpm"]?.number)
        let found = try json("analyse dataset --include-simulated")["studies"]?.list?.first?["outcomes"]
        #expect(abs((found?.list?.first?["mean"]?["mean"]?.number ?? -1) - 100 * share) < 1e-9)
        #expect(found?.list?.first?["unit"] == "%")
    }

    @Test func `bundles are shown and verified by the folder in which they lie`() throws {
        for participant in ["P01", "P02"] {
            _ = program.write(Self.study(""), "study.yaml")
            _ = program.run("run study.yaml --auto --speed max --participant \(participant) --out results")
        }
        let (one, all) = (try json("show results/*/"), try json("show results"))
        #expect(all.list?.count == 2 && all == one)
        #expect(try json("verify results") == json("verify results/*"))
        _ = program.lines(of: "mkdir empty && rm results/*/manifest.json")
        #expect(program.run("show empty").errors.contains("there is no bundle in it"))
        #expect(program.run("verify results").code == 65)
    }
}
