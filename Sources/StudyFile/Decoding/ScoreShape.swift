import StudyModel
import TextFormat

/// Numbers that are worked out from answers.
enum ScoreShape {
    /// A score whose questions are still to be looked up.
    struct Draft {
        var method: AnswerScore.Method
        /// Whether right answers are counted.
        var countsRight: Bool
        var inputs: [Located<Identifier>]
        var reversed: [Located<Identifier>]
        var comparison: Located<Navigation.Comparison>?
        var value: Node?
        var missing: Missing
        var levels: [AnswerScore.Level]
        /// The staircase whose reversals it is the mean of, in place of questions.
        var reversals: Reversals?
        /// The right answer of the trials with a signal; `nil` if a key is right in these and none in the others.
        var signal: Node?

        /// The levels that scores of a range have.
        func levels(from low: Double, to high: Double) -> [AnswerScore.Level] {
            levels.enumerated().filter { place, level in
                level.from <= high && (place + 1 == levels.count || levels[place + 1].from > low)
            }.map(\.element)
        }
    }

    struct Reversals {
        var block: Located<Identifier>
        var last: Located<Int>
        var track: Located<Identifier>?
    }

    struct Missing {
        var atMost = Located(value: 0, range: SourceRange.nowhere)
        var isReplaced = true
    }

    static let shape = Shape<Draft>(
        name: "score", title: "Score", description: "A number that is computed from answers.",
        fields: methods.map(\.field.declaration)
            + .of(signal, reversals, last, track)
            + .of(reverse, NavigationShape.comparison, NavigationShape.value, missing)
            + .of(levels, Field.comment),
        rules: [
            .exactlyOne(methods.map(\.field.declaration.key) + ["reversals"]),
            .needsOne(
                "signal", of: methods.filter { $0.method.detects }.map(\.field.declaration.key)),
            .needs("reversals", ["last"]),
            .needs("last", ["reversals"]), .needs("track", ["reversals"]), .needs("is", ["count", "value"]),
            .needs("value", ["count", "is"]),
            .needsOne("reverse", of: ["sum", "mean", "minimum", "maximum"]),
            .needsOne("missing", of: ["sum", "mean", "minimum", "maximum"]),
        ]
    ) { fields in
        let inputs = methods.map { fields[$0.field] }
        let signal = fields[signal]
        let (reversed, missing, levels) = (fields[reverse], fields[missing], fields[levels])
        let (comparison, value) = (fields.located(NavigationShape.comparison), fields[NavigationShape.value])
        if let block = fields[reversals], let count = fields[last] {
            if count.value % 2 == 1 {
                fields.reading.report(
                    .outOfRange, "the number of reversals is odd", at: count.range,
                    help: "write an even number, so that as many are at the top as at the bottom")
            }
            return Draft(
                method: .mean, countsRight: false, inputs: [], reversed: [], missing: Missing(),
                levels: ordered(levels ?? [], fields.reading),
                reversals: Reversals(block: block, last: count, track: fields[track]))
        }
        guard let place = inputs.firstIndex(where: { $0 != nil }), let questions = inputs[place] else {
            return nil
        }
        let draft = Draft(
            method: methods[place].method, countsRight: methods[place].countsRight, inputs: questions,
            reversed: reversed ?? [],
            comparison: comparison, value: value, missing: missing ?? Missing(),
            levels: ordered(levels ?? [], fields.reading), signal: signal)
        if draft.missing.atMost.value >= questions.count, missing != nil {
            fields.reading.report(
                .outOfRange, "the score would need no answer at all", at: draft.missing.atMost.range,
                help: "write a number below \(questions.count), the number of its questions")
        }
        return draft
    }

    private typealias Method = (
        method: AnswerScore.Method, countsRight: Bool, field: Field<[Located<Identifier>]>
    )

    private static let methods: [Method] = [
        (.sum, false, list("sum", "Sum", "The sum of the answers to these questions.")),
        (.mean, false, list("mean", "Mean", "Their mean.")),
        (.minimum, false, list("minimum", "Minimum", "The lowest of them.")),
        (.maximum, false, list("maximum", "Maximum", "The highest of them.")),
        (
            .count, false,
            list(
                "count", "Count",
                "How many of these questions were answered; with 'is' and 'value', how many answers fulfil the comparison."
            )
        ),
        (
            .minutes, false,
            list(
                "minutes", "Minutes",
                "How many minutes lie between two times of the day; the second is on the next day if it is not later."
            )
        ),
        (
            .count, true,
            list(
                "correct", "Correct",
                "How many of the answers to these questions are right; each question says which answer is.")
        ),
        (.hits, false, list("hits", "Hits", "How many trials with a signal were answered as such.")),
        (.misses, false, list("misses", "Misses", "How many trials with a signal were not.")),
        (
            .falseAlarms, false,
            list(
                "falseAlarms", "False alarms",
                "How many trials without one were answered as if there were one.")
        ),
        (
            .correctRejections, false,
            list("correctRejections", "Correct rejections", "How many trials without one were not.")
        ),
        (
            .dPrime, false,
            list("dPrime", "d′", "How well trials with and without a signal are told apart: z(H) − z(F).")
        ),
        (
            .criterion, false,
            list(
                "criterion", "Criterion",
                "How much it takes to answer that there is one: −(z(H) + z(F)) / 2.")
        ),
    ]

    private static func list(_ key: String, _ title: String, _ description: String) -> Field<
        [Located<Identifier>]
    > {
        Field(
            key, .list(Kind<Identifier>.identifier.located, atLeast: 1, noun: "question"), title, description,
            example: ["gad1", "gad2"])
    }

    private static let signal = Field(
        "signal", Kind<Node>.scalar, "Signal",
        "The right answer of the trials with a signal; without it, there is a signal wherever a key is right.",
        example: "old")
    private static let reversals = Field(
        "reversals", Kind<Identifier>.identifier.located, "Reversals",
        "A block with 'adapt': the mean of its values at the last reversals of every track.",
        example: "staircase")
    private static let last = Field(
        "last", Kind<Int>.integer(2...1000).located, "Last",
        "With 'reversals': how many reversals of each track count, an even number.", example: 6)
    private static let track = Field(
        "track", Kind<Identifier>.identifier.located, "Track",
        "With 'reversals': the only track that counts.", example: "easy")
    private static let reverse = Field(
        "reverse", .list(Kind<Identifier>.identifier.located, noun: "question"), "Reverse",
        "Questions of the score that count as their lowest plus their highest possible answer, minus the answer.",
        example: ["gad3"])
    private static let missing = Field(
        "missing", .mapping(missingShape), "Missing",
        "How many answers may be missing, and what becomes of them; without it, none may.",
        example: ["atMost": 1, "then": "mean"])
    private static let levels = Field(
        "levels", .map(.text(atMost: 64), noun: "level"), "Levels",
        "Names of ranges, each from its number on up to the next; the level is an answer, too.",
        example: ["0": "none", "5": "mild"])

    private static let atMost = Field(
        "atMost", Kind<Int>.integer(0...1000).located, isRequired: true, "At most", "How many.", example: 1)
    private static let then = Field(
        "then", .word([("mean", true), ("leaveOut", false)]), usual: "mean", "Then",
        "mean: a missing answer counts as the mean of the others; leaveOut: it does not count.",
        example: "mean")
    private static let missingShape = Shape<Missing>(
        name: "missing", title: "Missing",
        description: "How many answers may be missing, and what becomes of them; without it, none may.",
        fields: .of(atMost, then)
    ) { fields in
        let (most, isReplaced) = (fields[atMost], fields[then])
        return most.map { Missing(atMost: $0, isReplaced: isReplaced ?? true) }
    }

    private static func ordered(_ entries: [Entry<String>], _ reading: Reading) -> [AnswerScore.Level] {
        let levels = entries.compactMap { entry -> AnswerScore.Level? in
            guard let from = DecimalText.number(entry.key.value.text), from.isFinite else {
                reading.report(
                    .numberFormat, "'\(entry.key.value)' is not a number", at: entry.key.range,
                    help: "a level begins with the lowest score that it has, such as '5: mild'")
                return nil
            }
            return AnswerScore.Level(from: from, name: entry.value)
        }
        return levels.sorted { $0.from < $1.from }
    }
}

extension SourceRange {
    static let nowhere = SourceRange(
        start: SourcePlace(line: 1, column: 1), end: SourcePlace(line: 1, column: 1))
}
