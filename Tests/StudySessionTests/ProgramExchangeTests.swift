import SessionPorts
import StudyModel
import Testing

@testable import StudySession

/// What the lines of a step's program mean.
@Suite struct ProgramExchangeTests {
    private static let program = ProgramStep(
        command: ["x"], duration: .seconds(60),
        questions: [
            Question(identifier: "hits", format: .number(minimum: 0, isWhole: true)),
            Question(identifier: "mood", format: .scale(from: 1, to: 9, fromLabel: nil, toLabel: nil)),
            Question(
                identifier: "seen",
                format: .choices([
                    .init(value: "a", text: .plain("A")), .init(value: "b", text: .plain("B")),
                ])),
            Question(identifier: "name", format: .text(maximumLength: 5)),
            Question(identifier: "day", format: .date()),
        ])

    private func messages(_ line: String, at now: Double = 12) -> [ProgramMessage] {
        var exchange = ProgramExchange(Self.program, ordinal: 1, from: .seconds(10))
        return exchange.messages(Array(line.utf8), at: .seconds(now))
    }

    private func answers(_ line: String) -> [Answer?] {
        messages(line).flatMap { message in
            if case .answers(let given) = message { return given.map(\.answer) }
            return []
        }
    }

    @Test func `a line shows, answers and measures`() throws {
        let said = messages(
            #"{"text": "Now", "answer": {"hits": 8}, "sample": {"rt": 0.43, "n": 2}, "time": 11.5}"#)
        #expect(said.count == 4 && said.first == .shows("Now"))
        guard case .answers(let given) = said[1] else { throw NoAnswer() }
        #expect(given.first?.answer == .number(8) && given.first?.times?.confirmed == .seconds(11.5))
        #expect(given.first?.times?.shown == .seconds(10))
        // By their names, whatever their order in the line.
        #expect(
            said[2...] == [
                .sample(ProgramSample(name: "n", value: 2, at: .seconds(11.5))),
                .sample(ProgramSample(name: "rt", value: 0.43, at: .seconds(11.5))),
            ])
        #expect(
            messages(#"{"sample": {"rt": 1}}"#) == [
                .sample(ProgramSample(name: "rt", value: 1, at: .seconds(12)))
            ])
        #expect(messages("  \r").isEmpty)
    }

    private struct NoAnswer: Error {}

    @Test func `answers are of their questions' formats`() {
        #expect(
            answers(#"{"answer": {"mood": 5, "seen": ["b", "a"], "name": "Ann", "day": "2026-01-31"}}"#).count
                == 4)
        #expect(answers(#"{"answer": {"mood": 5.0}}"#) == [.scale(5)])
        #expect(answers(#"{"answer": {"seen": ["b", "a"]}}"#) == [.choices(["a", "b"])])
    }

    @Test(arguments: [
        "hello", "[1]", "{}", "7", #"{"end": true}"#, #"{"text": 7}"#, #"{"answer": 7}"#, #"{"answer": {}}"#,
        #"{"answer": {"who": 1}}"#, #"{"answer": {"hits": -1}}"#, #"{"answer": {"hits": 1.5}}"#,
        #"{"answer": {"hits": "8"}}"#, #"{"answer": {"mood": 10}}"#, #"{"answer": {"mood": 1e300}}"#,
        #"{"answer": {"mood": 2.5}}"#, #"{"answer": {"seen": ["c"]}}"#, #"{"answer": {"seen": [1]}}"#,
        #"{"answer": {"name": "longer"}}"#, #"{"answer": {"name": null}}"#,
        #"{"answer": {"day": "yesterday"}}"#,
        #"{"sample": {"a b": 1}}"#, #"{"sample": {"a": "1"}}"#, #"{"sample": 1}"#,
        #"{"text": "x", "time": "now"}"#,
        #"{"text": "x", "time": 9.9}"#, #"{"text": "x", "time": 12.5}"#, #"{"text": "x", "time": 1e300}"#,
        #"{"text": "\#(String(repeating: "x", count: 2001))"}"#,
    ])
    func `what means nothing says why, and nothing of it counts`(line: String) {
        let said = messages(line)
        guard said.count == 1, case .unclear(let problem) = said[0] else {
            Issue.record("\(line.prefix(60)): \(said)")
            return
        }
        #expect(problem.hasPrefix("line 1: ") && problem.count > 12)
    }
}
