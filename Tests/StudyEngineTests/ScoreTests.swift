import StudyModel
import Testing

@testable import StudyEngine

/// Numbers computed from answers.
@Suite struct ScoreTests {
    private static func inputs(_ names: Identifier..., reversed: Identifier? = nil) -> [AnswerScore.Input] {
        names.map { AnswerScore.Input(question: $0, reversedFrom: $0 == reversed ? 10 : nil) }
    }

    /// The score of a form with the questions a, b and c, as the step's result has it.
    private func worked(
        _ score: AnswerScore, _ a: Int?, _ b: Int?, _ c: Int?
    ) throws -> [Identifier: GivenAnswer] {
        let questions = (["a", "b", "c"] as [Identifier]).map {
            Question(
                identifier: $0, isOptional: true, format: .scale(from: 1, to: 9, fromLabel: nil, toLabel: nil)
            )
        }
        let steps = [Step(identifier: "f", kind: .form(Form(questions))), thanks]
        var sitting = try Sitting(steps, scores: [score])
        let given = zip(questions, [a, b, c]).map {
            GivenAnswer(question: $0.identifier, answer: $1.map { .scale($0) })
        }
        sitting.tell(.answered(given), at: 1)
        let answers = try #require(sitting.result("f")?.answers)
        #expect(answers.prefix(3).map(\.question) == ["a", "b", "c"])
        return Dictionary(uniqueKeysWithValues: answers.dropFirst(3).map { ($0.question, $0) })
    }

    @Test(arguments: [
        (AnswerScore.Method.sum, 14.0), (.mean, 14.0 / 3), (.minimum, 2), (.maximum, 7), (.count, 3),
    ])
    func `works out what its word says, with one answer reversed`(method: AnswerScore.Method, value: Double)
        throws
    {
        let score = AnswerScore(
            identifier: "s", method: method, inputs: Self.inputs("a", "b", "c", reversed: "b"), step: "f")
        let given = try #require(try worked(score, 2, 5, 7)["s"])
        #expect(given.answer == .number(value))
        guard method != .count else { return }
        #expect(
            given.inputs == [
                .init(question: "a", value: 2), .init(question: "b", value: 5),
                .init(question: "c", value: 7),
            ])
        #expect(try worked(score, 2, 9, 7)["s"]?.inputs[1].value == 1)
    }

    @Test(arguments: [
        (
            Answer.timeOfDay(hour: 23, minute: 30), Answer.timeOfDay(hour: 7, minute: 0) as Answer?,
            450.0 as Double?
        ),
        (.timeOfDay(hour: 0, minute: 20), .timeOfDay(hour: 7, minute: 0), 400),
        (.timeOfDay(hour: 7, minute: 0), .timeOfDay(hour: 7, minute: 0), 1_440),
        (.timeOfDay(hour: 22, minute: 0), nil, nil),
    ])
    func `the time between two times of the day may go over midnight`(
        off: Answer, up: Answer?, minutes: Double?
    )
        throws
    {
        let score = AnswerScore(
            identifier: "s", method: .minutes, inputs: Self.inputs("off", "up"), step: "f")
        let questions = (["off", "up"] as [Identifier]).map {
            Question(identifier: $0, isOptional: true, format: .timeOfDay())
        }
        var sitting = try Sitting(
            [Step(identifier: "f", kind: .form(Form(questions))), thanks], scores: [score])
        sitting.tell(
            .answered([.init(question: "off", answer: off), .init(question: "up", answer: up)]), at: 1)
        let given = try #require(sitting.result("f")?.answers.last)
        #expect(given.question == "s" && given.answer == minutes.map { .number($0) })
        #expect(given.inputs.map(\.value) == [off.minuteOfDay, up?.minuteOfDay])
    }

    @Test func `a choice that says that there is no answer does not count`() throws {
        let choices = [("1", false), ("2", false), ("-99", true)].map {
            AnswerFormat.Choice(value: $0, text: .plain($0), isMissing: $1)
        }
        let format = AnswerFormat.choice(choices)
        #expect(format.isNumeric && format.missingValues == ["-99"])
        #expect(!AnswerFormat.choice([choices[2]]).isNumeric)
        let questions = (["a", "b"] as [Identifier]).map { Question(identifier: $0, format: format) }
        let steps = [Step(identifier: "f", kind: .form(Form(questions))), thanks]
        let worked = { (method: AnswerScore.Method, missing: Int) in
            var inputs = Self.inputs("a", "b")
            for place in inputs.indices { inputs[place].missing = ["-99"] }
            var score = AnswerScore(identifier: "s", method: method, inputs: inputs, step: "f")
            score.mostMissing = missing
            var sitting = try Sitting(steps, scores: [score])
            sitting.tell(
                .answered([
                    .init(question: "a", answer: .choice("2")), .init(question: "b", answer: .choice("-99")),
                ]), at: 1)
            return sitting.result("f")?.answers.last?.answer
        }
        #expect(try worked(.sum, 0) == nil && worked(.mean, 1) == .number(2))
        #expect(try worked(.count, 0) == .number(1))
    }

    @Test func `takes missing answers as it was told`() throws {
        var score = AnswerScore(identifier: "s", method: .sum, inputs: Self.inputs("a", "b", "c"), step: "f")
        #expect(try worked(score, 2, nil, 7)["s"]?.answer == nil)
        score.mostMissing = 1
        #expect(try worked(score, 2, nil, 7)["s"]?.answer == .number(13.5))
        #expect(try worked(score, nil, nil, 7)["s"]?.answer == nil)
        score.replacesMissing = false
        #expect(try worked(score, 2, nil, 7)["s"]?.answer == .number(9))
        #expect(try worked(score, 2, nil, 7)["s"]?.inputs[1] == .init(question: "b", value: nil))
        score.mostMissing = 3
        #expect(try worked(score, nil, nil, nil)["s"]?.answer == nil, "nothing has no sum")
    }

    @Test(arguments: [(1, nil), (4, "low"), (5, "low"), (6, "high"), (9, "high")] as [(Int, String?)])
    func `a level goes from its number up to the next`(value: Int, level: String?) throws {
        let levels = [AnswerScore.Level(from: 4, name: "low"), AnswerScore.Level(from: 6, name: "high")]
        let score = AnswerScore(
            identifier: "s", method: .maximum, inputs: Self.inputs("a"), step: "f", levels: levels)
        let given = try worked(score, value, nil, nil)
        #expect(given["s.level"] != nil && given["s.level"]?.answer == level.map { .choice($0) })
    }

    @Test func `counts the answers that compare so`() throws {
        var inputs = Self.inputs("a", "b", "c")
        for place in inputs.indices { inputs[place].counted = .init(comparison: .ge, value: .number(5)) }
        let score = AnswerScore(identifier: "s", method: .count, inputs: inputs, step: "f")
        #expect(try worked(score, 5, 4, 9)["s"]?.answer == .number(2))
        #expect(try worked(score, 1, nil, 1)["s"]?.answer == .number(0))
    }

    @Test func `practises until enough rounds were right, counting each pass anew`() throws {
        let right = AnswerScore(
            identifier: "right", method: .count,
            inputs: [.init(question: "q", counted: .init(comparison: .eq, value: .number(3)))], step: "q")
        let again = Navigation.Jump(condition: when("right", .lt, .number(2)), target: .step("practice"))
        let practice = block(
            "practice", Block(repetitions: 3, steps: [ask("q")]), Navigation(goTo: [again], maximumVisits: 5))
        var sitting = try Sitting([practice, thanks], scores: [right])
        var shown: [Int?] = []
        for (second, answer) in [3, 1, 1, 3, 1, 3].enumerated() {
            shown.append(sitting.answer("q", .scale(answer), at: Double(second)).shown?.section)
        }
        #expect(shown == [0, 0, 0, 0, 0, 1])
        let counts = sitting.results.compactMap { $0.answers.last?.answer }
        #expect(counts.prefix(6) == [.number(1), .number(1), .number(1), .number(1), .number(1), .number(2)])
    }

    @Test func `is worked out where its last question is left out, and of another score`() throws {
        let first = AnswerScore(
            identifier: "s", method: .sum, inputs: Self.inputs("a", "b"), step: "b", mostMissing: 1)
        let second = AnswerScore(identifier: "t", method: .sum, inputs: Self.inputs("s", "a"), step: "b")
        let skip = Navigation(skipIf: [when("a", .ge, .number(5))])
        var sitting = try Sitting([ask("a"), ask("b", rules: skip), thanks], scores: [first, second])
        _ = sitting.answer("a", .scale(6), at: 1)
        let result = try #require(sitting.result("b"))
        #expect(result.skip == .rule && result.answers.map(\.answer) == [.number(12), .number(18)])
    }
}
