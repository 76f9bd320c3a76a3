import StudyTesting
import Testing
import TextFormat

@Suite struct UntilCommandTests {
    private let program = Program()

    private static func study(_ until: String) -> String {
        """
        entrain: 1
        study: {identifier: contingent, title: Contingent, seed: 4}
        sources: {heartRate: {type: simulated}}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: baseline
                duration: 60 s
                recorders: [{type: heartRate, identifier: heart}]
              - type: active
                identifier: recover
                duration: 5 min
                recorders: [{type: heartRate, identifier: heart}]
                until: {\(until)}
              - {type: completion, identifier: thanks, title: Thanks}
        """
    }

    @Test(arguments: [
        ("heartRate: {last: 20 s, relativeTo: baseline}, is: le, value: 50 bpm, for: 60 s", "until", 61.0),
        ("heartRate: {last: 20 s}, is: le, value: 300, for: 10 s, atLeast: 100 s", "until", 100.0),
        ("heartRate: {last: 20 s}, is: le, value: 20, for: 10 s", "duration", 300.0),
    ])
    func `rehearsals, bundles, tables and verification tell the same end`(
        until: String, ended: String, seconds: Double
    ) throws {
        _ = program.write(Self.study(until), "study.yaml")
        let told = program.run("rehearse study.yaml --participants 2 --out out")
        #expect(told.code == 0, "\(told.output)\(told.errors)")
        #expect(told.output.contains("recover: until  \(ended == "until" ? 2 : 0) participants"))
        #expect(program.run("verify out/*").code == 0)
        #expect(program.run("show out/*").output.contains("recover  ended by \(ended)"))
        #expect(program.run("collate out --out dataset").code == 0)
        let rows = program.lines(of: "cat dataset/steps/*/*/*.csv | grep ,recover,")
        #expect(rows.count == 2 && rows.allSatisfy { $0.contains(",\(ended),") })
        let bundle = try #require(program.lines(of: "ls -d out/*").first)
        let result = try JSON(parsing: Array(program.lines(of: "cat \(bundle)/result.json").joined().utf8))
        let step = try #require(result["results"]?.list?[1]["userInfo"])
        let actual = try #require(step["actualDuration"]?.number)
        #expect(step["endedBy"] == .text(ended) && abs(actual - seconds) < 1.5)
    }

    @Test(arguments: [
        ("heartRate: {last: 20 s}, is: le, value: 80", "'for' is missing"),
        (
            "heartRate: baseline, is: le, value: 80, for: 20 s",
            "nothing in this condition changes during the step"
        ),
        ("heartRate: {last: 20 s}, is: le, value: 80, for: 5 min", "the condition never ends it"),
        (
            "heartRate: {last: 20 s}, is: le, value: 80, for: 20 s, atLeast: 6 min",
            "the condition never ends it"
        ),
        ("heartRate: {last: 20 s}, for: 20 s", "'is'"), ("for: 20 s", "is missing"),
    ])
    func `conditions that can end nothing are found on their line`(until: String, words: String) {
        _ = program.write(Self.study(until), "study.yaml")
        let told = program.run("check study.yaml")
        #expect(told.code == 65)
        #expect(told.output.contains("study.yaml:15:") && told.output.contains(words), "\(told.output)")
    }
}
