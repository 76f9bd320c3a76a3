import Testing

/// Rules on heart rates in a rehearsal: what is printed is what a bundle of the same rehearsal holds.
@Suite struct RehearsedHeartTests {
    private let program = Program()

    private func study(below rate: String) -> String {
        """
        entrain: 1
        study: {identifier: contingent, title: Rest until calm, seed: 4}
        sources: {heartRate: {type: simulated, restingRate: 64}}
        tasks:
          - identifier: Task
            steps:
              - type: active
                identifier: baseline
                duration: 20 s
                recorders: [{type: heartRate, identifier: heart}]
              - type: active
                identifier: rest
                duration: 15 s
                maximumVisits: 6
                recorders: [{type: heartRate, identifier: heart}]
                goTo:
                  - {heartRate: {last: 10 s, relativeTo: baseline}, is: le, value: \(rate), target: done}
                  - rest
              - {type: completion, identifier: notCalm, title: Thank you, reason: notCalm}
              - {type: completion, identifier: done, title: Thank you}
        """
    }

    @Test(arguments: ["300 bpm", "-100 bpm", "0 %", "-1 bpm", "1 bpm"])
    func `goes where the bundle of the same rehearsal went`(rate: String) throws {
        _ = program.write(study(below: rate), "contingent.yaml")
        let told = program.run("rehearse contingent.yaml")
        #expect(told.code == 0)
        let visits = told.output.split(separator: "\n").filter { $0.contains("  run rest until") }.count
        #expect((1...6).contains(visits))
        if rate == "300 bpm" { #expect(visits == 1) }
        if rate == "-100 bpm" { #expect(visits == 6) }
        #expect(program.run("rehearse contingent.yaml --out bundles").code == 0)
        let bundle = try #require(program.lines(of: "ls -d bundles/*").first)
        let shown = program.lines(of: "grep -c '\"deliver\".*\"rest\"' \(bundle)/journal.jsonl").first
        #expect(shown == "\(visits)")
        #expect(program.run("verify \(bundle)").output.hasPrefix("\(bundle): whole\n"))
        if rate == "-100 bpm" {
            #expect(
                program.run("rehearse contingent.yaml --participants 4").output.contains(
                    "ended: 4 notCalm, 0 completed\n")
            )
        }
    }

    @Test func `rehearses a run of several, each with a heart and a bundle of their own`() {
        _ = program.write(study(below: "300 bpm"), "together.yaml")
        let command = "rehearse together.yaml --participant P01"
        #expect(program.run("\(command) --with P02 --with P03 --out bundles").code == 0)
        let bundles = program.lines(of: "ls -d bundles/*")
        #expect(bundles.count == 3 && program.run("verify bundles").code == 0)
        let shown = bundles.map { program.run("show \($0)").output }
        #expect(shown.allSatisfy { $0.contains("3 participants took part at once") })
        let hearts = shown.compactMap { $0.split(separator: "\n").first { $0.contains("heart rate") } }
        #expect(Set(hearts).count == 3)
        for (options, words) in [
            ("--with P01", "each of them once"), ("--with P02 --participants 2", "leave"),
        ] {
            let refused = program.run("\(command) \(options)")
            #expect(refused.code == 64 && refused.errors.contains(words))
        }
        #expect(program.run("rehearse together.yaml --with P02").code == 64)
    }

    @Test func `says that no microphone is heard`() {
        let outcome = program.run("rehearse \(Program.root)Studies/microphone.yaml")
        #expect(outcome.code == 0 && outcome.errors.contains("no microphone"))
        #expect(
            !program.run("rehearse \(Program.root)Studies/fitness-check.yaml").errors.contains("microphone"))
    }
}
