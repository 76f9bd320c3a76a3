import StudyTesting
import Testing

/// A screening with a score, from the answers that a person types to the tables.
@Suite struct ScoreCommandTests {
    private let program = Program()
    private static let study = """
        entrain: 1
        study: {identifier: screening, title: Screening, seed: 4}
        tasks:
          - identifier: Task
            scores:
              tension:
                sum: [restless, worried, calm]
                reverse: [calm]
                missing: {atMost: 1}
                levels: {0: low, 4: middle, 7: high}
            steps:
              - type: matrix
                identifier: week
                answer: {scale: {from: 0, to: 3}}
                items:
                  - {identifier: restless, title: Restless}
                  - {identifier: worried, title: Worried, optional: true}
                  - {identifier: calm, title: Calm}
              - type: instruction
                identifier: hint
                title: Please talk to us.
                skipIf: {not: {answer: tension.level, is: eq, value: high}}
              - {type: completion, identifier: end, title: Thank you}
        """

    @Test(arguments: [
        ("3", "2", "0", "8", "high"), ("0", "1", "3", "1", "low"), ("2", "", "1", "6", "middle"),
    ])
    func `what is typed is scored, ruled by and tabled`(
        restless: String, worried: String, calm: String, score: String, level: String
    ) throws {
        _ = program.write(Self.study, "screening.yaml")
        _ = program.write([restless, worried, calm, "", "", "", ""].joined(separator: "\n") + "\n", "typed")
        let run = program.run(
            "run screening.yaml --participant P01 --plain --out out", input: "\(program.folder.path)/typed")
        #expect(run.code == 0, "\(run.errors)\(run.output)")
        #expect(run.output.contains("Please talk to us.") == (level == "high"))
        let bundle = try #require(program.lines(of: "ls -d out/*").first)
        #expect(program.run("verify \(bundle)").output.hasPrefix("\(bundle): whole\n"))
        #expect(program.run("collate out --out tables").code == 0)
        let rows = program.lines(of: "grep -rh --include=*.csv tension tables/answers")
        #expect(rows.contains { $0.contains(",tension,number,'\(score).0,") }, "\(rows)")
        #expect(rows.contains { $0.contains(",tension.level,choice,\(level),") }, "\(rows)")
        let meanings = program.lines(of: "grep -rh --include=*.csv tension tables/codebook")
        #expect(meanings.count == 4, "the score, and three levels: \(meanings)")
        let inputs = program.lines(of: "grep -o '\"inputs\"' \(bundle)/result.json").count
        #expect(inputs == 1)
    }

    @Test func `a rehearsal tells each score`() {
        _ = program.write(Self.study, "screening.yaml")
        #expect(program.run("rehearse screening.yaml").output.contains("save week; tension is "))
    }
}
