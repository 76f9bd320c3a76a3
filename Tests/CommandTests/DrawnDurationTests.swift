import StudyTesting
import Testing

/// Durations that are drawn: in the plan, the run, the result, and made again from the page.
@Suite struct DrawnDurationTests {
    private let program = Program()
    private static let study = """
        entrain: 1
        study: {identifier: waiting, title: Waiting, seed: 1}
        tasks:
          - identifier: Task
            steps:
              - {type: active, identifier: wait, duration: {from: 8 s, to: 12 s}, cues: [{countdown: 3}]}
              - type: block
                identifier: rounds
                repeat: 3
                steps:
                  - {type: active, identifier: count, duration: {oneOf: [25 s, 35 s, 45 s]}}
              - {type: completion, identifier: end}
        """

    @Test func `what is planned is what a run lasts, and verifies`() throws {
        _ = program.write(Self.study, "waiting.yaml")
        let plan = program.run("plan waiting.yaml --participant P01").output
        let drawn = plan.split(separator: "\n").filter { $0.contains("duration/Task/") }
        #expect(drawn.count == 4)
        #expect(program.run("run waiting.yaml --participant P01 --auto --speed max --out out").code == 0)
        let bundle = try #require(program.lines(of: "ls -d out/*").first)
        #expect(program.run("verify \(bundle)").output.hasPrefix("\(bundle): whole\n"))
        let asked =
            "import json; r=json.load(open('\(bundle)/result.json')); "
            + "print(*[round(s['userInfo']['plannedDuration']*1000) for s in r['results'] "
            + "if 'plannedDuration' in s['userInfo']], sep='\\n')"
        let lasted = program.lines(of: "python3 -c \"\(asked)\"")
        #expect(
            lasted
                == drawn.compactMap { $0.split(separator: ": ").last?.split(separator: " ").first }.map(
                    String.init))
        let rehearsed = program.run("rehearse waiting.yaml").output
        #expect(rehearsed.split(separator: "\n").filter { $0.contains("  run ") }.count == 4)
        #expect(rehearsed.split(separator: "\n").filter { $0.contains("cue countdown") }.count == 2)
    }

    /// The second implementation is in the manual; here it makes every draw of many participants again.
    @Test func `a program in Python, written from the page, draws the same`() throws {
        _ = program.write(Self.study, "waiting.yaml")
        let page = Program.text(of: "\(Program.root)Sources/Documentation/Entrain.docc/Randomisation.md")
        let start = try #require(page.firstRange(of: "import hashlib")?.lowerBound)
        let code = page[start...].prefix(
            upTo: try #require(page[start...].firstRange(of: "\npool =")?.lowerBound))
        let script =
            code + """

                import json, subprocess, sys
                for number in range(1, 41):
                    who = f"P{number:02}"
                    words = [sys.argv[1], "plan", "waiting.yaml", "--participant", who, "--session", "2", "--format", "json"]
                    draws = json.loads(subprocess.run(words, capture_output=True).stdout)["draws"]
                    assert len(draws) == 4
                    for draw in draws:
                        numbers = stream("waiting", 1, who, 2, draw["stream"])
                        ends = [int(text.removesuffix(" ms")) for text in draw["pool"]]
                        if draw["method"] == "uniform":
                            mine = ends[0] + index_below(ends[1] - ends[0] + 1, numbers)
                        else:
                            mine = ends[index_below(len(ends), numbers)]
                        assert draw["chosen"] == [f"{mine} ms"], (who, draw, mine)
                print("the same")
                """
        _ = program.write(String(script), "again.py")
        #expect(program.lines(of: "python3 again.py \(Program.executables)/entrain 2>&1") == ["the same"])
    }
}
