import StudyTesting
import Testing

/// Conditions, their values and silence from the study to the result.
@Suite struct ConditionCommandTests {
    private let program = Program()
    private static let study = """
        entrain: 1
        study: {identifier: tapping, title: Tapping, seed: 1}
        stimuli: {sounds: {catalogue: sounds.yaml}}
        conditions:
          tempi: {file: tempi.csv, columns: {tempo: number, wait: duration}}
        tasks:
          - identifier: Task
            steps:
              - type: block
                identifier: series
                forEach: tempi
                order: {draw: shuffle, notFirst: quiet, notLast: quiet}
                steps:
                  - type: active
                    identifier: tap
                    title: Tap at {tempo}.
                    duration: $wait
                    stimulus: {play: $sound}
                    goTo: {clip: series, attribute: tempo, is: eq, value: 999, target: end}
              - {type: completion, identifier: end}
        """

    private func write() {
        _ = program.write(Self.study, "tapping.yaml")
        _ = program.write(
            "identifier,tempo,wait,sound\nslow,60,3 s,hush\nquiet,0,4 s,hush\nfast,120,5 s,hush\n",
            "tempi.csv")
        _ = program.write("entrain: 1\nclips: [{identifier: hush, silence: 3 s}]\n", "sounds.yaml")
    }

    @Test func `a run has the rounds of its plan, and verifies without the folder that it came from`() throws
    {
        write()
        #expect(program.run("check tapping.yaml").code == 0)
        let plan = program.run("plan tapping.yaml --participant P01").output.split(separator: "\n")
        #expect(plan.filter { $0.contains("(round ") }.count == 3)
        #expect(plan.contains { $0.contains("(round 2: quiet)") })
        #expect(program.run("run tapping.yaml --participant P01 --auto --speed max --out out").code == 0)
        let bundle = try #require(program.lines(of: "ls -d out/*").first)
        _ = program.lines(of: "rm tempi.csv sounds.yaml")
        #expect(program.run("verify \(bundle)").output.hasPrefix("\(bundle): whole\n"))
        let asked =
            "import json; r=json.load(open('\(bundle)/result.json')); "
            + "print(*[round(s['userInfo']['plannedDuration']) for s in r['results'] "
            + "if 'plannedDuration' in s['userInfo']])"
        let lasted = program.lines(of: "python3 -c \"\(asked)\"")
        #expect(lasted == ["3 4 5"] || lasted == ["5 4 3"])
    }

    @Test func `the second implementation draws the same`() {
        let script = "\(Program.root)Tests/StudyEngineTests/second_implementation.py"
        let said = program.lines(of: "python3 \(script) \(Program.executables)/entrain 250 4000 2>&1")
        #expect(said.count == 3 && said.first?.contains(" draws are the same") == true, "\(said)")
    }
}
