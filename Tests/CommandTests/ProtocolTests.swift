import StudyTesting
import Testing
import TextFormat

/// The published protocols in `Studies/protocols` are right, and go through for two dozen participants.
@Suite struct ProtocolTests {
    static let names = [
        "background-music", "bedside-music", "bedtime-music", "bilingual-screening", "counting-under-music",
        "faces-and-music", "felt-tension", "flanker-after-music", "forty-clips", "graded-exercise",
        "heart-led-metronome",
        "heart-led-music", "heartbeat-counting", "mental-arithmetic", "mood-path", "mood-vignettes",
        "oddball", "old-and-new-melodies", "paced-breathing", "reaction-times", "rest-until-recovered",
        "reward-above-baseline", "running-at-cadence", "sham-breathing", "singing-to-infants",
        "six-minute-walk", "six-styles", "stress-and-music", "tapping", "tempo-staircase", "three-days",
        "two-back-under-music", "two-listeners", "williams-crossover",
    ]
    let program = Program()

    private func path(_ name: String) -> String { "\(Program.root)Studies/protocols/\(name).yaml" }

    @Test func `every protocol is tried, and every catalogue is right`() {
        let files = program.lines(of: "ls \(Program.root)Studies/protocols")
        #expect(files == Self.names.map { $0 + ".yaml" })
        let checked = program.run("check \(Program.root)Studies/catalogues/*.yaml")
        #expect(checked.code == 0 && !checked.output.contains("warning"), "\(checked.output)")
        #expect(checked.output.contains("bursts.yaml: nothing wrong (catalogue, 40 clips)"))
    }

    @Test(arguments: names)
    func `a protocol has nothing wrong, goes through, and is as balanced and as long as before`(name: String)
    {
        let checked = program.run("check \(path(name))")
        #expect(checked.code == 0 && checked.output.contains("nothing wrong"), "\(checked.output)")
        let rehearsed = program.run("rehearse \(path(name)) --participants 24 --seed 1")
        #expect(rehearsed.code == 0, "\(rehearsed.errors)")
        let difference = goldenDifference(rehearsed.output, "rehearse-protocol-\(name).txt")
        #expect(difference == nil, "\(difference ?? "")")
        let kept = program.run("rehearse \(path(name)) --participants 2 --seed 1 --out bundles")
        #expect(kept.code == 0, "\(kept.errors)")
        #expect(program.run("verify bundles/*").code == 0)
    }

    @Test func `on three days, everybody has each condition once, and each day has all of them`() throws {
        let days = try (1...3).map { day in try (1...3).map { try clips("three-days", $0, session: day)[0] } }
        for day in days { #expect(Set(day) == ["motivational", "neutral", "none"]) }
        for walker in 0..<3 { #expect(Set(days.map { $0[walker] }).count == 3) }
    }

    @Test func `everybody hears six styles twice, and the pause once`() {
        _ = program.run("rehearse \(path("six-styles")) --participants 4 --seed 1 --out bundles")
        let heard = program.run("show bundles/*").output.split(separator: "\n").filter {
            $0.contains("clip name:")
        }
        #expect(heard.count == 4 * 13)
        #expect(heard.count { $0.contains("pause") } == 4)
    }

    @Test func `forty clips never have three of one emotion in a row`() throws {
        for participant in 1...24 {
            let emotions = try clips("forty-clips", participant).map { $0.prefix { $0 != "_" } }
            #expect(emotions.count == 40)
            for place in 2..<40 { #expect(Set(emotions[place - 2...place]).count > 1) }
        }
    }

    /// What is drawn for the places of the run, in order.
    private func clips(_ name: String, _ participant: Int, session: Int = 1) throws -> [String] {
        let outcome = program.run(
            "plan \(path(name)) --participant P\(participant) --session \(session) --seed 1 --format json")
        let plan = try JSON(parsing: Array(outcome.output.utf8))
        let draws = plan["draws"]?.list?.filter { draw in
            ["order", "square"].contains((draw["stream"]?.text ?? "").prefix { $0 != "/" })
        }
        return draws?.flatMap { $0["chosen"]?.list ?? [] }.compactMap(\.text) ?? []
    }
}
