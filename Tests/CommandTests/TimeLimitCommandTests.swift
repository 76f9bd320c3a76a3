import StudyTesting
import Testing

/// Time limits from the study to the tables.
@Suite struct TimeLimitCommandTests {
    private let program = Program()
    private static let study = """
        entrain: 1
        study: {identifier: sums, title: Sums, seed: 1}
        conditions: {sums: {rows: [{identifier: easy, sum: 1 + 1, result: 2}, {identifier: hard, sum: 2 + 3, result: 5}]}}
        tasks:
          - identifier: Task
            scores: {right: {correct: [q]}}
            steps:
              - type: block
                identifier: series
                forEach: sums
                steps:
                  - {type: question, identifier: q, title: "{sum}?", timeLimit: LIMIT, answer: {number: {integer: true}, correct: $result}}
              - {type: instruction, identifier: slow, title: Too slow., skipIf: {not: {timedOut: q}}}
              - {type: completion, identifier: end}
        """

    @Test func `a run out of time says so in its result and tables, and verifies`() throws {
        _ = program.write(Self.study.replacing("LIMIT", with: "300 ms"), "sums.yaml")
        let told = program.run("run sums.yaml --participant P01 --auto --speed max --out out")
        #expect(told.code == 0 && told.output.contains("Too slow."), "\(told.errors)")
        #expect(told.output.contains("Time left: 0:01") && told.output.contains("The time is up."))
        let bundle = try #require(program.lines(of: "ls -d out/*").first)
        #expect(program.run("verify \(bundle)").code == 0)
        #expect(program.run("collate out --out data").code == 0)
        let asked =
            "import csv,glob; rows=[r for f in glob.glob('data/steps/*/*/*.csv') for r in csv.DictReader(open(f))]; "
            + "print([(r['timed_out'], r['condition'], r['condition_values']) for r in rows][:3])"
        #expect(
            program.lines(of: "python3 -c \"\(asked)\"") == [
                #"[('TRUE', 'easy', '{"result":"2","sum":"1 + 1"}'), ('TRUE', 'hard', '{"result":"5","sum":"2 + 3"}'), ('', '', '')]"#
            ])
    }

    @Test func `answers in time are right by the round that they are of`() {
        _ = program.write(Self.study.replacing("LIMIT", with: "60 s"), "sums.yaml")
        _ = program.write("{q: [2]}", "answers.yaml")
        let told = program.run("rehearse sums.yaml --answers answers.yaml").output
        #expect(told.contains("right is 1.0") || told.contains("right is 1"), "\(told)")
        #expect(!told.contains("the time for answering is over"))
        let late = Self.study.replacing("LIMIT", with: "300 ms")
        _ = program.write(late, "sums.yaml")
        #expect(program.run("rehearse sums.yaml").output.contains("the time for answering is over"))
    }
}
