import StudyTesting
import Testing

/// Ratings from the study to bundles, tables and exports.
@Suite struct RatingCommandTests {
    private let program = Program()
    private static let study = """
        entrain: 1
        study: {identifier: tension, title: Tension, seed: 1}
        tasks:
          - identifier: Task
            steps:
              - type: active
                identifier: listen
                duration: 60 s
                recorders:
                  - type: rating
                    identifier: feeling
                    scale: {name: valence, from: -50, to: 50, fromLabel: unpleasant, toLabel: pleasant, start: 10}
                    vertical: {name: arousal, from: 0, to: 9, fromLabel: calm, toLabel: excited, step: 0.5}
                    rate: 10 /s
              - {type: completion, identifier: end}
        """

    /// What a Python expression is of `rows`, the table of ratings.
    private func ratings(_ expression: String) -> String {
        let read =
            "import csv,glob; rows=[r for f in glob.glob('data/ratings/*/*/*.csv') for r in csv.DictReader(open(f))]; "
        return program.lines(of: "python3 -c \"\(read)print(\(expression))\"").joined()
    }

    @Test func `a rehearsal rates, and bundle, tables and exports hold every change and sample`() throws {
        _ = program.write(Self.study, "tension.yaml")
        let told = program.run("rehearse tension.yaml --participants 1 --out out")
        #expect(told.code == 0, "\(told.errors)")
        let bundle = try #require(program.lines(of: "ls -d out/*").first)
        #expect(program.run("verify \(bundle)").code == 0)
        #expect(program.run("collate out --out data").code == 0)
        #expect(ratings("sum(r['kind'] == 'start' for r in rows)") == "2")
        #expect(ratings("[r['value'] for r in rows if r['kind'] == 'start']") == "['10.0', '4.5']")
        #expect(ratings("sum(r['kind'] == 'sample' for r in rows)") == "1198")
        #expect(ratings("sorted({r['dimension'] for r in rows})") == "['arousal', 'valence']")
        let changes = ratings("sum(r['kind'] == 'change' for r in rows) // 2")
        #expect(try #require(Int(changes)) > 20)
        #expect(program.run("show \(bundle)").output.contains("feeling: moved \(changes) times"))
        // Each sample tells what the last position before it was, and no change is twice in one place.
        let course = "[r['value'] for r in rows if r['dimension'] == 'valence' and r['kind'] != 'sample']"
        #expect(ratings("all(-50 <= float(v) <= 50 for v in \(course))") == "True")
        let steady =
            "all(a['value'] == b['value'] for d in ('valence','arousal') for c in [[r for r in rows if r['dimension'] == d]] "
            + "for a, b in zip(c, c[1:]) if b['kind'] == 'sample')"
        #expect(ratings(steady) == "True")
        for format in ["bids", "xdf"] {
            let exported = program.run("export out --to \(format) --out \(format) --include-simulated")
            #expect(exported.code == 0, "\(exported.errors)")
        }
        let files = program.lines(of: "find bids -name '*ratingfeeling*'").joined()
        #expect(files.contains("ratingfeelingvalence_physioevents.tsv.gz"))
        #expect(files.contains("ratingfeelingarousal_physio.json"))
        let rows = program.lines(of: "zcat bids/*/*/*/*valence_physioevents.tsv.gz | wc -l").joined()
        #expect(rows == ratings("sum(r['dimension'] == 'valence' for r in rows)"))
        #expect(program.lines(of: "grep -ac 'feeling.arousal' xdf/*/*/*.xdf").joined() != "0")
    }

    @Test(arguments: [
        ("fromLabel: calm, toLabel: tense", "fromLabel: calm", "missing-key"),
        ("from: 0, to: 100", "from: 100, to: 100", "out-of-range"),
        ("from: 0, to: 100", "from: 0, to: 100, start: 101", "out-of-range"),
        ("from: 0, to: 100", "from: 0, to: 100, step: 0", "out-of-range"),
        ("rate: 10 /s", "rate: 0 /s", "out-of-range"), ("rate: 10 /s", "rate: 101 /s", "out-of-range"),
        ("rate: 10 /s", "rate: 10 Hz", "quantity-format"), ("rate: 10 /s", "rate: 10", "quantity-format"),
        ("}]", "}, {type: rating, identifier: other, scale: SCALE}]", "rating-keys"),
        (
            "recorders: [{",
            "recorders: [{type: rating, identifier: other, source: stick, scale: SCALE}, {type: rating, identifier: third, source: stick, scale: SCALE}, {",
            "rating-keys"
        ),
        ("type: active, duration: 5 s", "type: question, answer: {boolean: {}}", "rating-keys"),
        ("type: active, duration: 5 s", "type: instruction", "rating-keys"),
        (
            "    steps:",
            "    recorders: [{type: rating, identifier: over, scale: SCALE, from: listen, to: listen}]\n    steps:",
            "rating-keys"
        ),
    ])
    func `a mistake has its place and its help`(right: String, wrong: String, code: String) {
        let scale = "{from: 0, to: 100, fromLabel: calm, toLabel: tense}"
        let study = """
            entrain: 1
            study: {identifier: tension, title: Tension}
            tasks:
              - identifier: Task
                steps:
                  - {identifier: listen, type: active, duration: 5 s, recorders: [{type: rating, identifier: tension, rate: 10 /s, scale: SCALE}]}
                  - {type: completion, identifier: end}
            """
        let good = study.replacing("SCALE", with: scale)
        _ = program.write(good, "good.yaml")
        #expect(program.run("check good.yaml").code == 0, "\(program.run("check good.yaml").output)")
        let bad = good.replacing(right, with: wrong).replacing("SCALE", with: scale)
        #expect(bad != good)
        _ = program.write(bad, "bad.yaml")
        let checked = program.run("check bad.yaml")
        #expect(checked.code == 65 && checked.output.contains("[\(code)]"), "\(checked.output)")
        #expect(checked.output.contains("help"), "\(checked.output)")
    }
}
