import Results
import StudyTesting
import Testing
import TextFormat

@Suite struct HeartCommandTests {
    let program = Program()

    private func json(_ arguments: String) throws -> JSON {
        let outcome = program.run("\(arguments) --format json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSON(parsing: Array(outcome.output.utf8))
    }

    @Test func `import says what it understood, and writes it in order`() throws {
        _ = program.write("time,hr\n1700000002,62\n1700000000,60\n1700000003,0\n1700000004,-1\n", "heart.csv")
        let found = try json("import heart.csv --out heart.ndjson")
        #expect(found["count"] == 2)
        #expect(found["skipped"] == 2)
        #expect(found["start"] == "2023-11-14T22:13:20Z")
        #expect(found["end"] == "2023-11-14T22:13:24Z")
        #expect([found["minimum"], found["maximum"], found["mean"]] == [60.0, 62.0, 61.0])
        #expect(found["reordered"] == 1)
        let again = try json("import heart.ndjson")
        #expect(again["reordered"] == 0)
        for key in ["count", "skipped", "start", "end", "mean"] { #expect(again[key] == found[key]) }
        #expect(program.run("import heart.csv --out heart.ndjson").code == 64)
        #expect(program.run("import heart.csv").output.contains("60.0 … 61.0 … 62.0 per minute"))
    }

    @Test func `bad recordings are named and nothing is written`() {
        _ = program.write("time,steps\n1,2\n", "steps.csv")
        let outcome = program.run("import steps.csv --out steps.ndjson")
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains("'steps.csv', line 1: no column is a heart rate"))
        #expect(program.run("import steps.ndjson").code == 69)
        #expect(program.run("hrv steps.csv").code == 65)
        #expect(program.run("hrv nothing.txt").code == 69)
        _ = program.write("800 810\n", "short.txt")
        #expect(program.run("hrv short.txt").errors.contains("variability needs 3"))
    }

    @Test func `hrv has the figures as they are and corrected`() throws {
        let intervals = (0..<40).map { 800 + ($0 * 37) % 23 }
        var missed = intervals
        missed[20] += missed.remove(at: 21)
        _ = program.write(missed.map(String.init).joined(separator: " "), "rr.txt")
        let found = try json("hrv rr.txt")
        #expect(found["count"] == 39)
        #expect(found["ultraShort"] == true)
        #expect(found["lf"] == nil)
        let keys = ["count", "meanNN", "sdnn", "rmssd", "sdsd", "pnn50", "heartRate"]
        for key in keys {
            #expect(found[key]?.number != nil)
            #expect(found["corrected"]?[key]?.number != nil)
        }
        #expect(found["corrected"]?["count"] == 40)
        #expect(found["corrected"]?["artefacts"]?["missed"] == 1)
        let text = program.run("hrv rr.txt").output
        #expect(text.contains("no LF and HF: they need 120 s"))
        #expect(text.contains("1 missed"))
    }

    @Test func `zones follow from the age, and a recording tells how long the heart was in each`() throws {
        let table = try json("zones --age 40 --resting 60")
        #expect(table["maximum"] == 180.0 && table["formula"] == "tanaka")
        #expect(table["zones"]?.list?.map { $0["from"]?.number } == [90, 108, 126, 144, 162])
        #expect(table["intensities"]?.list?.map { $0["to"]?.number } == [96, 108, 132, 168, 180])
        _ = program.write("time,hr\n0,100\n1,100\n2,190\n3,190\n", "heart.csv")
        let spent = try json("zones --maximum 180 heart.csv")
        #expect(spent["formula"] == nil && spent["intensities"] == nil)
        #expect(spent["zones"]?.list?.map { $0["seconds"]?.number } == [1.5, 0, 0, 0, 1.5])
        #expect(program.run("zones --age 40 heart.csv").output.contains("zone 1  90.0 … 108.0"))
        for wrong in [
            "", " --age 0", " --age 40 --maximum 180", " --age 40 --resting 180", " --age 40 --formula x",
        ] {
            #expect(program.run("zones" + wrong).code == 64)
        }
        #expect(program.run("zones --age 40 nothing.csv").code == 69)
    }

    @Test func `from two minutes there are frequencies`() throws {
        _ = program.write((0..<200).map { "\(850 + ($0 * 37) % 90)" }.joined(separator: "\n"), "rr.txt")
        let found = try json("hrv rr.txt")
        for key in ["lf", "hf", "lfhf"] { #expect(found[key]?.number != nil) }
    }
}
