import Results
import StudyTesting
import Testing
import TextFormat

/// The studies that come with the program.
@Suite struct StudiesTests {
    static let names = [
        "music-heart-rate", "fitness-check", "music-crossover", "mood-playlist", "expected-workout",
        "microphone", "camera-pulse",
    ]
    /// What a study needs where nobody and nothing is there.
    static let replacements = ["camera-pulse": "--source heartRate=simulated"]
    let program = Program()

    private func path(_ name: String) -> String { "\(Program.root)Studies/\(name).yaml" }

    @Test(arguments: names)
    func `checks without a finding`(name: String) {
        let outcome = program.run("check \(path(name))")
        #expect(outcome.code == 0)
        #expect(outcome.output.hasSuffix("set)\n") || outcome.output.hasSuffix("steps)\n"))
    }

    @Test(arguments: names)
    func `rehearses as told before`(name: String) {
        let outcome = program.run("rehearse \(path(name))")
        #expect(outcome.code == 0)
        let difference = goldenDifference(outcome.output, "rehearse-\(name).txt")
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test(arguments: names)
    func `plans the same for P01 on every machine`(name: String) {
        let outcome = program.run("plan \(path(name)) --participant P01 --format json")
        #expect(outcome.code == 0)
        let difference = goldenDifference(outcome.output, "plan-\(name).json")
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test(arguments: names)
    func `runs by itself to a bundle that verifies`(name: String) throws {
        let run = program.run(
            "run \(path(name)) --participant P01 --auto --speed max --out out \(Self.replacements[name] ?? "")"
        )
        #expect(run.code == 0, "\(run.errors)")
        let bundle = try #require(program.lines(of: "ls -d out/*").first)
        #expect(program.run("verify \(bundle)").output.hasPrefix("\(bundle): whole\n"))
        #expect(program.run("show \(bundle)").code == 0)
        let plan = Program.text(of: "\(program.folder.path)/\(bundle)/plan.json")
        #expect(plan == program.run("plan \(path(name)) --participant P01 --format json").output)
        let checker = "\(Program.root)../shared/conformance/researchkit/check_ork_result.py"
        guard readFile(checker) != nil else { return }
        #expect(program.lines(of: "python3 \(checker) \(bundle)/result.json \(bundle)") == ["OK"])
    }

    @Test func `balances a crossover over its participants`() throws {
        let outcome = program.run("rehearse \(path("music-crossover")) --participants 8 --format json")
        let json = try JSON(parsing: Array(outcome.output.utf8))
        let places = try #require(json["places"]?.object)
        #expect(places.members.count == 4)
        for clip in places.members { #expect(clip.value == [2, 2, 2, 2]) }
    }
}
