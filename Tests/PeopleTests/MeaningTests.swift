import Patterns
import StudyEngine
import StudyModel
import Testing

@testable import People

struct MeaningTests {
    private static let tastes = [
        AnswerFormat.Choice(value: "sweet", text: .plain("It is sweet")),
        AnswerFormat.Choice(value: "sour", text: .plain("It is sour and long")),
        AnswerFormat.Choice(value: "else", text: .plain("Another one"), isOther: true),
        AnswerFormat.Choice(value: "none", text: .plain("None"), isExclusive: true),
    ]
    private static let hidden = AnswerFormat.Scale(from: 2, to: 12, decimals: 1, areNumbersShown: false)

    private func question(_ format: AnswerFormat) -> Question {
        Question(identifier: "asked", format: format)
    }

    private func keys(_ meaning: Meaning, _ format: AnswerFormat, on lines: [String] = []) -> [String] {
        meaning.keys(for: question(format), in: nil, on: lines, isScreen: true)
    }

    @Test func `choices are typed by the numbers that stand before them on the screen`() {
        let lines = [
            "  ( ) 1  It is sour", "       and long", "› (•) 2  Another one", "  ( ) 3  It is sweet",
        ]
        #expect(keys(Meaning(words: ["sour"]), .choice(Self.tastes), on: lines) == ["1"])
        #expect(keys(Meaning(words: ["sweet"]), .choice(Self.tastes), on: lines) == ["3"])
        let own = Meaning(words: ["sweet", "else"], other: "salt")
        #expect(keys(own, .choices(Self.tastes), on: lines) == ["3 2: salt"])
        #expect(keys(Meaning(words: ["none"]), .choice(Self.tastes)) == ["4"])
    }

    @Test func `a mark without a number is moved by arrows, and a text of lines ends with an empty one`() {
        #expect(keys(Meaning(number: 2.3), .continuous(Self.hidden)) == ["\u{1B}[H\u{1B}[C\u{1B}[C\u{1B}[C"])
        #expect(keys(Meaning(words: ["a\nb"]), .text(hasSeveralLines: true)) == ["a", "b", ""])
        #expect(keys(.nothing, .number()) == [""])
    }

    @Test(
        arguments: [
            .scale(from: -3, to: 3), .continuous(from: 0, to: 1, decimals: 2),
            .number(minimum: 2.5, maximum: 4, isWhole: true),
            .number(maximum: -5), .choice(tastes), .choices(tastes), .text(maximumLength: 3),
            .text(pattern: "[A-Z]{2}-[0-9]+"),
            .date(minimum: "2001-01-01", maximum: "2001-12-31"), .timeOfDay(minimum: "18:00"),
        ] as [AnswerFormat]) func `what is meant fits the question`(format: AnswerFormat) throws
    {
        var random = SplitMix64(seed: 1)
        var drawn: Set<Meaning> = []
        for _ in 0..<200 {
            let meaning = try #require(Meaning(to: question(format), using: &random))
            drawn.insert(meaning)
            let answer: Answer? =
                switch format.domain {
                case .interval(_, _, true) where format.scale != nil: meaning.number.map { .scale(Int($0)) }
                case .interval where format.scale != nil: meaning.number.map { .continuous($0) }
                case .interval: meaning.number.map { .number($0) }
                case .oneOf: .choice(meaning.words[0], other: meaning.other)
                case .severalOf: .choices(meaning.words, other: meaning.other)
                case .free: .text(meaning.words[0])
                case .ordered: format.answer(dated: meaning.words[0])
                }
            #expect(answer.map { format.accepts($0) && format.matches($0) } == true, "\(meaning)")
        }
        #expect(drawn.count > 1 || format.pattern != nil)
    }

    @Test(arguments: [
        ("[A-Z]{2}-[0-9]{4}", "AA-0000"), ("^(ab|cd)\\d?x*[[:digit:]]+$", "ab1"), ("P[[:upper:]]{3}", "PAAA"),
    ]) func `a text is made of a pattern`(pattern: String, text: String) {
        #expect(Meaning.made(of: pattern) == text)
        #expect(Pattern.matches(pattern, text))
    }

    @Test func `a day is the same at midnight, and another number is not`() {
        #expect(Meaning(words: ["1987-03-25"]).isSame(as: Meaning(words: ["1987-03-25T00:00:00+0000"])))
        #expect(!Meaning(words: ["1987-03-25"]).isSame(as: Meaning(words: ["1987-03-26T00:00:00+0000"])))
        #expect(Meaning(number: 0.3).isSame(as: Meaning(number: 0.1 + 0.2)))
        #expect(!Meaning(number: 3).isSame(as: .nothing))
        #expect(!Meaning(words: ["else"], other: "a").isSame(as: Meaning(words: ["else"], other: "b")))
    }
}
