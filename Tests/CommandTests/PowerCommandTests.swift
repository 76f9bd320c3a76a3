import StudyTesting
import Testing
import TextFormat

/// How many participants a study needs, by simulating it.
@Suite struct PowerCommandTests {
    private let program = Program()

    private func write(_ outcomes: String, _ more: String = "") {
        let study = """
            entrain: 1
            study: {identifier: calm, title: Calm, seed: 7}
            sources: {heartRate: {type: simulated}}
            \(outcomes.isEmpty ? "" : "outcomes: {primary: \(outcomes)}")
            \(more)
            tasks:
              - identifier: Task
                steps:
                  - {type: active, identifier: rest, duration: 30 s, recorders: [{type: heartRate, identifier: heartRate}]}
                  - {type: active, identifier: listen, duration: 30 s, recorders: [{type: heartRate, identifier: heartRate}]}
                  - {type: form, identifier: after, questions: [{identifier: mood, answer: {scale: {from: 1, to: 9}}}]}
                  - {type: completion, identifier: end}

            """
        _ = program.write(study, "study.yaml")
    }

    private static let relative = "{measure: heartRate, of: listen, relativeTo: rest}"

    @Test func `a study says how many participants find an effect, the same each time`() throws {
        write(Self.relative)
        let command = "power study.yaml --effect 6bpm --participants 4,12 --studies 20"
        let said = program.run(command + " --format json")
        #expect(said.code == 0, "\(said.errors)")
        #expect(program.run(command + " --format json").output == said.output)
        let json = try JSON(parsing: Array(said.output.utf8))
        let designs = try #require(json["designs"]?.list)
        #expect(
            designs.map { $0["participants"] } == [4, 12] && json["seed"] == "7"
                && json["effect"]?.number == 6)
        #expect(designs.map { $0["power"]?["studies"] } == [20, 20])
        let shares = designs.compactMap { $0["power"]?["share"]?.number }
        #expect(shares.count == 2 && shares[1] > 0.9 && shares[0] <= shares[1])
        #expect(designs.allSatisfy { ($0["withoutEffect"]?["share"]?.number ?? 1) < 0.3 })
        let text = program.run(command + " --out page.html")
        #expect(text.output.contains("+6.00 per minute is found where p is at most 0.05"), "\(text)")
        #expect(text.output.contains(" participants find it with a power of at least 0.9."))
        let page = Program.text(of: program.folder.path + "/page.html")
        #expect(page.contains("<svg") && page.contains("calm: power by simulation"))
        #expect(program.run(command + " --out page.html").code == 74)
    }

    @Test func `the effect is that of one arm`() throws {
        write(Self.relative, "arms: [music, quiet]")
        let said = program.run(
            "power study.yaml --effect -8 --in music --participants 8...12 --studies 20 --format json")
        #expect(said.code == 0, "\(said.errors)")
        let json = try JSON(parsing: Array(said.output.utf8))
        #expect(json["in"] == "music" && json["designs"]?.list?.count == 5)
        #expect(json["designs"]?.list?.last?["power"]?["found"]?.number ?? 0 > 15)
    }

    @Test func `what cannot be simulated is refused with what to do`() {
        func refused(_ options: String, _ code: Int32, _ words: String) {
            let said = program.run("power study.yaml \(options) --studies 20")
            #expect(said.code == code && said.errors.contains(words), "\(options): \(said)")
            #expect(said.output.isEmpty)
        }
        write("")
        refused("--effect 2bpm --participants 4,8", 65, "the study names no primary outcome: add 'outcomes'")
        write(Self.relative)
        for effect in ["2ms", "much", "0", "2 bananas", "nan", ""] {
            refused("--effect '\(effect)' --participants 4,8", 64, "write it like 2bpm")
        }
        for numbers in ["0,4", "1", "8...4", "4,x", "", "4...", "9999"] {
            refused("--effect 2 --participants '\(numbers)'", 64, "'\(numbers)'")
        }
        refused("--effect 2 --in happy --participants 4,8", 64, "leave out --in 'happy'")
        write("{measure: answer, of: after.mood}")
        refused("--effect 1 --participants 4,8", 65, "it has a mean and no test")
        write(Self.relative, "arms: [a, b, c]")
        refused("--effect 1 --participants 12,15", 64, "say with --in which one has the effect: a, b, c")
        refused(
            "--effect 1 --in d --participants 12,15", 64, "'d' is not among those that are compared: a, b, c")
    }
}
