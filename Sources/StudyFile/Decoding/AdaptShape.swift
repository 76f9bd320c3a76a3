import StudyModel
import TextFormat

/// How the answers decide which row of a block's table comes next.
enum AdaptShape {
    /// A staircase whose table and question are still to be looked up.
    struct Draft {
        /// Its tracks and rules; its values are not known yet.
        var staircase: Staircase
        var answer: Located<Identifier>
        var value: Located<String>
        /// The first rung of each track.
        var starts: [Located<Int>]
        var range: SourceRange
    }

    static let shape = Shape<Draft>(
        name: "adapt", title: "Adapt",
        description: "How the answers decide which rung of the ladder comes next.",
        fields: .of(answer, value, down, up, step, reversals) + .of(most, tracks)
    ) { fields in
        let (answer, value) = (fields[answer], fields[value])
        let (down, up, steps) = (fields[down], fields[up], fields[step])
        let (reversals, most, tracks) = (fields[reversals], fields[most], fields[tracks])
        guard let answer, let value, let most else { return nil }
        var staircase = Staircase(
            question: answer.value, column: value.value, values: [], down: down ?? 2, up: up ?? 1,
            steps: steps.flatMap { $0.isEmpty ? nil : $0 } ?? [1], reversals: reversals, mostTrials: most)
        if let tracks, !tracks.isEmpty {
            fields.reading.rejectDuplicates(tracks.map(\.identifier), noun: "track")
            staircase.tracks = tracks.map { .init($0.identifier.value, start: $0.start.value) }
        }
        return Draft(
            staircase: staircase, answer: answer, value: value, starts: tracks?.map(\.start) ?? [],
            range: fields.range.firstCharacter)
    }

    private static let answer = Field(
        "answer", Kind<Identifier>.identifier.located, isRequired: true, "Answer",
        "The question whose right answers decide; a missing answer is wrong.", example: "which")
    private static let value = Field(
        "value", Kind<String>.text(atMost: 64).located, isRequired: true, "Value",
        "The column with the number that a rung stands for; from rung to rung it only falls or only rises, and rows with the same number are one rung, of which each round draws a row.",
        example: "difference")
    private static let down = Field(
        "down", .integer(1...10), usual: 2, "Down", "How many right answers in a row lead to a harder rung.",
        example: 2)
    private static let up = Field(
        "up", .integer(1...10), usual: 1, "Up", "How many wrong answers in a row lead to an easier rung.",
        example: 1)
    private static let step = Field(
        "step", .oneOrMore(Kind<Int>.integer(1...1000), noun: "number"), usual: 1, "Step",
        "By how many rungs a track moves; of several numbers, the first counts until the first reversal, the next from there to the second, and so on, and the last one stays.",
        example: [2, 1])
    private static let reversals = Field(
        "reversals", .integer(1...1000), "Reversals", "After how many reversals a track is done.", example: 8)
    private static let most = Field(
        "atMost", .integer(1...1000), isRequired: true, "At most",
        "After how many trials a track is done in any case.", example: 60)
    private static let tracks = Field(
        "tracks", .list(.mapping(trackShape), atLeast: 2, noun: "track"), "Tracks",
        "Staircases of their own that take turns in a drawn order; without it, there is one.",
        example: [["identifier": "easy"], ["identifier": "hard", "start": 6]])

    private typealias Track = (identifier: Located<Identifier>, start: Located<Int>)

    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The track's name in results.", example: "easy")
    private static let start = Field(
        "start", Kind<Int>.integer(1...10_000).located, usual: 1, "Start", "The rung of its first trial.",
        example: 6)
    private static let trackShape = Shape<Track>(
        name: "track", title: "Track", description: "A staircase that takes turns with others.",
        fields: .of(identifier, start)
    ) { fields in
        let (identifier, start) = (fields[identifier], fields[start])
        return identifier.map { ($0, start ?? Located(value: 1, range: fields.range.firstCharacter)) }
    }

    /// The staircase over a pool; reports what is no ladder.
    static func staircase(_ draft: Draft, over pool: [Stimulus], _ reading: Reading) -> Staircase? {
        let column = draft.value
        BlockShape.check(column, in: pool, reading)
        let texts = pool.compactMap { $0.attributes[column.value] }
        guard texts.count == pool.count else { return nil }
        var (staircase, rows) = (draft.staircase, [Int]())
        for (row, text) in zip(pool, texts) {
            guard let number = DecimalText.number(text), number.isFinite else {
                reading.report(
                    .staircase,
                    "'\(column.value)' of '\(row.identifier)' is '\(text.prefix(64))', which is not a number",
                    at: column.range, help: "name a column with a number in every row")
                return nil
            }
            guard staircase.values.last != number else {
                rows[rows.count - 1] += 1
                continue
            }
            staircase.values.append(number)
            rows.append(1)
        }
        staircase.rowsOfRung = rows[0]
        let steps = zip(staircase.values, staircase.values.dropFirst())
        guard rows.count > 1, steps.allSatisfy({ $0 < $1 }) || steps.allSatisfy({ $0 > $1 }) else {
            reading.report(
                .staircase,
                rows.count > 1
                    ? "'\(column.value)' neither only falls nor only rises from row to row"
                    : "every row has the same '\(column.value)'", at: column.range,
                help: "order the rows from the easiest to the hardest")
            return nil
        }
        guard rows.allSatisfy({ $0 == rows[0] }) else {
            reading.report(
                .staircase, "some values of '\(column.value)' have more rows than others", at: column.range,
                help: "give every value as many rows: they are one rung, of which each round draws a row")
            return nil
        }
        for start in draft.starts where start.value > rows.count {
            reading.report(
                .outOfRange, "the ladder has \(counted(rows.count, "rung"))", at: start.range,
                help: "write a rung from 1 to \(rows.count)")
        }
        return staircase
    }
}

extension TaskSteps {
    /// Reports staircases whose question is not asked once in each round, or whose rows differ in more than values.
    func checkStaircases() {
        for block in drafts.flatMap(\.withInner) {
            guard let adapt = block.adapt else { continue }
            for inner in block.inner where inner.step?.block != nil {
                reading.report(
                    .staircase, "a block with 'adapt' holds no other block", at: inner.range,
                    help: "write its steps into the block itself, or put 'adapt' into the inner block")
            }
            checkAnswer(of: adapt, in: block)
            let draws = block.filled.map { $0.steps.map { $0.step?.draws ?? [] } }
            guard
                let place = block.inner.indices.first(where: { place in
                    draws.contains { $0.indices.contains(place) && $0[place] != draws[0][place] }
                }), let name = block.inner[place].identifier
            else { continue }
            reading.report(
                .staircase, "what '\(name.value)' draws is not the same in every row",
                at: block.inner[place].range,
                help: "draws are made before the run: write one value in place of '{from: …}' or 'oneOf'")
        }
    }

    private func checkAnswer(of adapt: AdaptShape.Draft, in block: StepDraft) {
        let question = adapt.answer
        guard block.inner.allSatisfy(\.hasKnownType) else { return }
        let asking = block.inner.filter { $0.asks(question.value) }
        guard let step = asking.first else {
            let known = block.inner.flatMap { $0.questions.map(\.identifier.text) }
            reading.report(
                .unknownQuestion, "no step of this block asks '\(question.value)'", at: question.range,
                help: Help.nearest(to: question.value.text, among: known, all: "its questions are")
                    ?? Help("put a question with 'correct' into the block"))
            return
        }
        guard asking.count == 1 else {
            reading.report(
                .staircase, "\(asking.count) steps of this block ask '\(question.value)'", at: question.range,
                help: "each round has one answer that decides: give the questions different identifiers")
            return
        }
        guard step.right[question.value] == nil else { return }
        reading.report(
            .staircase, "the question '\(question.value)' does not say which answer is right",
            at: question.range,
            help: "add 'correct: …' to its answer")
    }
}
