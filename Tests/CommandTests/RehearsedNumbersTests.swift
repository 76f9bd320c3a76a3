import StudyTesting
import Testing
import TextFormat

/// What a rehearsal prints is what its bundles hold, in every study of the repository.
@Suite struct RehearsedNumbersTests {
    private static let paths =
        StudiesTests.names.map { "Studies/\($0).yaml" }
        + ProtocolTests.names.map { "Studies/protocols/\($0).yaml" }
    private let program = Program()

    @Test(arguments: paths)
    func `a rehearsal prints the same with and without bundles, and what they hold`(path: String) throws {
        let command = "rehearse \(Program.root)\(path) --participants 3 --seed 7 --format json"
        let printed = program.run(command)
        #expect(printed.code == 0, "\(printed.errors)")
        let kept = program.run("\(command) --out bundles")
        #expect(kept.output == printed.output)

        let manifests = try program.lines(of: "ls -d bundles/*/manifest.json").map {
            try JSON(parsing: Array(Program.text(of: "\(program.folder.path)/\($0)").utf8))
        }
        var counted = 0
        for line in printed.output.split(separator: "\n") {
            let told = try JSON(parsing: Array(line.utf8))
            let own = manifests.filter { $0["task"] == told["task"] && $0["session"] == told["session"] }
            counted += own.count
            #expect(told["participants"]?.integer == own.count)
            let durations = own.compactMap { $0["duration"]?.number }.sorted()
            #expect(durations.count == own.count)
            #expect(told["duration"]?["minimum"]?.number == durations.first)
            #expect(told["duration"]?["maximum"]?.number == durations.last)
            for (status, count) in Dictionary(grouping: own, by: { $0["status"]?.text ?? "" }).mapValues(
                \.count)
            {
                #expect(told["outcomes"]?[status]?.integer == count, "\(status)")
            }
        }
        #expect(counted == manifests.count && counted > 0)
    }
}
