import Results
import StudyTesting
import Testing
import TextFormat

@Suite struct ValuesCommandTests {
    let program = Program()
    private static let files = [
        "SHA256SUMS", "analyse.R", "analyse.py", "analysis.json", "characteristics.csv", "hearts.csv",
        "responses.csv", "seconds.csv", "sessions.csv", "values.csv",
    ]

    @Test func `writes what the outcomes are worked out from, and why a visit gives nothing`() throws {
        _ = program.write(
            """
            entrain: 1
            study: {identifier: rests, title: Rests, seed: 1}
            sources: {heartRate: {type: simulated, restingRate: 64}}
            outcomes: {primary: {measure: heartRate, of: long, relativeTo: short}}
            tasks:
              - identifier: task
                steps:
                  - {type: active, identifier: short, duration: 40 s, recorders: [{type: heartRate, identifier: heartRate}]}
                  - {type: active, identifier: long, duration: 60 s, recorders: [{type: heartRate, identifier: heartRate}]}
                  - {type: active, identifier: blink, duration: 2 s, recorders: [{type: heartRate, identifier: heartRate}]}
                  - {type: completion, identifier: done, title: Done}
            """, "rests.yaml")
        #expect(program.run("rehearse rests.yaml --participants 3 --out rests").code == 0)
        let said = program.run("analyse rests --include-simulated --values values.csv --format json")
        #expect(said.code == 0, "\(said.errors)")
        let rows = program.lines(of: "cat values.csv").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(rows.count == 4 && rows.allSatisfy { $0.count == 28 })
        let changes = rows.dropFirst().compactMap { Double($0[15]) }
        let mean = try JSON(parsing: Array(said.output.utf8))["studies"]?.list?[0]["outcomes"]?.list?[0][
            "change"]?["mean"]?.number
        #expect(abs(try #require(mean) - changes.reduce(0, +) / 3) < 1e-9)
        for row in rows.dropFirst() {
            let (value, baseline) = (try #require(Double(row[13])), try #require(Double(row[14])))
            #expect(
                abs(value - baseline - (Double(row[15]) ?? .nan)) < 1e-9 && row[16] == "TRUE"
                    && row[17].isEmpty)
        }
        #expect(program.run("analyse rests --include-simulated --values values.csv").code == 74)
        let calibrated = program.run(
            "analyse rests --include-simulated --calibrate 30 --format json --seed 4")
        let found = try JSON(parsing: Array(calibrated.output.utf8))["studies"]?.list?[0]["outcomes"]?.list?[
            0]
        #expect(found?["calibration"]?["studies"]?.number == 30 && !said.output.contains("calibration"))
        #expect(
            program.run("analyse --calibrate rests --include-simulated").output.contains("of 1000 studies"))
        #expect(program.run("analyse rests --calibrate 0").code == 64)
        // Everything behind the figures is in one folder, which is never written over.
        let again = program.run("analyse rests --include-simulated --script again --format json")
        #expect(again.output == said.output)
        let files = program.lines(of: "cd again && sha256sum --check --quiet SHA256SUMS && LC_ALL=C ls")
        #expect(files == Self.files)
        #expect(program.lines(of: "cat again/values.csv") == program.lines(of: "cat values.csv"))
        #expect(program.run("analyse rests --include-simulated --script again").code == 74)
        #expect(program.lines(of: "ls -d again*") == ["again"])
    }
}
