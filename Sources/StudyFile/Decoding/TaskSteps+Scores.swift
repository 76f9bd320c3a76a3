import StudyModel
import TextFormat

extension TaskSteps {
    /// The scores with their questions looked up.
    func resolvedScores() -> [AnswerScore] {
        let asked = Set(drafts.flatMap(\.withInner).flatMap { $0.questions.map(\.identifier) })
        var worked: [AnswerScore] = []
        for entry in scores {
            let name = entry.key
            if asked.contains(name.value) || names.contains(name.value) {
                reading.report(
                    .duplicateIdentifier, "'\(name.value)' is already the name of a step or question",
                    at: name.range,
                    help: "give the score a name of its own: it counts as an answer")
            } else if let score = resolved(entry.value, named: name, after: worked) {
                worked.append(score)
            }
        }
        return worked
    }

    private func resolved(
        _ draft: ScoreShape.Draft, named name: Located<Identifier>, after worked: [AnswerScore]
    ) -> AnswerScore? {
        if let reversals = draft.reversals { return resolved(reversals, of: draft, named: name) }
        var inputs: [AnswerScore.Input] = []
        var last: (place: Int, step: Identifier)?
        for question in draft.inputs {
            guard isOfThisSession(question), let format = format(of: question),
                let input = input(question, of: draft, format)
            else { continue }
            inputs.append(input)
            guard let (place, step) = step(asking: question.value, worked) else {
                reading.report(
                    .scoreInput, "the score '\(question.value)' is computed later", at: question.range,
                    help: "put it before this score")
                continue
            }
            if last.map({ place >= $0.place }) ?? true { last = (place, step) }
        }
        guard draft.inputs.allSatisfy({ questions[$0.value] != nil }) else { return nil }
        for question in draft.reversed where !draft.inputs.contains(where: { $0.value == question.value }) {
            reading.report(
                .scoreInput, "'\(question.value)' is not a question of the score", at: question.range,
                help: Help.nearest(
                    to: question.value.text, among: draft.inputs.map(\.value.text), all: "its questions are")
            )
        }
        if draft.method == .minutes, draft.inputs.count != 2 {
            reading.report(
                .scoreInput,
                "'minutes' lie between two times, and \(counted(draft.inputs.count, "question")) \(draft.inputs.count == 1 ? "is" : "are") named",
                at: name.range,
                help: "name the question with the first time, and the one with the second")
            return nil
        }
        guard let last, inputs.count == draft.inputs.count,
            !draft.method.detects || hasBothKinds(of: draft)
        else { return nil }
        return AnswerScore(
            identifier: name.value, method: draft.method, inputs: inputs, step: last.step,
            mostMissing: draft.missing.atMost.value, replacesMissing: draft.missing.isReplaced,
            levels: draft.levels)
    }

    /// The mean of a staircase's reversals.
    private func resolved(
        _ reversals: ScoreShape.Reversals, of draft: ScoreShape.Draft, named name: Located<Identifier>
    ) -> AnswerScore? {
        let blocks = drafts.flatMap(\.withInner).filter { $0.adapt != nil }
        let block = blocks.first { $0.identifier?.value == reversals.block.value }
        guard let block, let adapt = block.adapt else {
            reading.report(
                .unknownStep, "'\(reversals.block.value)' is no block with 'adapt'",
                at: reversals.block.range,
                help: Help.nearest(
                    to: reversals.block.value.text, among: blocks.compactMap { $0.identifier?.value.text },
                    all: "such blocks are") ?? Help("put 'adapt' into a block with 'forEach'"))
            return nil
        }
        if let all = adapt.staircase.reversals, reversals.last.value > all {
            reading.report(
                .outOfRange, "each track is done after \(counted(all, "reversal"))", at: reversals.last.range,
                help: "write at most \(all), or let the staircase have more 'reversals'")
        }
        let tracks = adapt.staircase.tracks.compactMap(\.identifier)
        if let track = reversals.track, !tracks.contains(track.value) {
            reading.report(
                .scoreInput, "'\(block.identifier?.value.text ?? "")' has no track '\(track.value)'",
                at: track.range,
                help: Help.nearest(to: track.value.text, among: tracks.map(\.text), all: "its tracks are")
                    ?? Help("leave 'track' out: there is one track"))
            return nil
        }
        guard let step = block.inner.first(where: { $0.asks(adapt.answer.value) })?.identifier else {
            return nil
        }
        var score = AnswerScore(
            identifier: name.value, method: draft.method, inputs: [.init(question: adapt.answer.value)],
            step: step.value, levels: draft.levels)
        score.reversals = .init(
            of: reversals.block.value, last: reversals.last.value, track: reversals.track?.value)
        return score
    }

    /// The last step that asks a question, or the step of the score with that name.
    private func step(asking question: Identifier, _ worked: [AnswerScore]) -> (place: Int, step: Identifier)?
    {
        let steps = drafts.flatMap(\.withInner)
        if let place = steps.lastIndex(where: { $0.asks(question) }) {
            return steps[place].identifier.map { (place, $0.value) }
        }
        guard let score = worked.last(where: { $0.identifier == question || $0.levelIdentifier == question }),
            let place = steps.lastIndex(where: { $0.identifier?.value == score.step })
        else { return nil }
        return (place, score.step)
    }

    private func input(
        _ question: Located<Identifier>, of draft: ScoreShape.Draft, _ format: AnswerFormat
    ) -> AnswerScore.Input? {
        var input = AnswerScore.Input(question: question.value)
        input.missing = format.missingValues
        if draft.countsRight || draft.method.detects {
            let asking = drafts.flatMap(\.withInner).last { $0.right[question.value] != nil }
            guard asking != nil else {
                reading.report(
                    .scoreInput, "the question '\(question.value)' does not say which answer is right",
                    at: question.range, help: "add 'correct: …' to its answer")
                return nil
            }
            input.isRightCounted = draft.countsRight
            if let node = draft.signal {
                guard let value = right(node, for: format) else { return nil }
                input.counted = AnswerScore.Test(comparison: .eq, value: value)
            }
        } else if let comparison = draft.comparison, let node = draft.value {
            guard let value = ConditionValue.answer(node, to: format, comparison, reading) else { return nil }
            input.counted = AnswerScore.Test(comparison: comparison.value, value: value)
        }
        if draft.method == .minutes, format.kind != .timeOfDay {
            reading.report(
                .scoreInput, "the answers to '\(question.value)' are not times of the day",
                at: question.range,
                help: "use questions with 'answer: {timeOfDay: {}}'")
            return nil
        }
        guard ![.count, .minutes].contains(draft.method), !draft.method.detects else { return input }
        guard format.isNumeric else {
            reading.report(
                .scoreInput, "the answers to '\(question.value)' are not numbers", at: question.range,
                help: "use questions with a scale, a number, yes or no, or choices whose values are numbers")
            return nil
        }
        guard draft.reversed.contains(where: { $0.value == question.value }) else { return input }
        guard let limits = format.limits else {
            reading.report(
                .scoreInput,
                "'\(question.value)' cannot be reversed: its answers have no lowest and highest number",
                at: question.range, help: "give its number 'min' and 'max', or do not reverse it")
            return nil
        }
        input.reversedFrom = limits.lowerBound + limits.upperBound
        return input
    }

    /// The score that has this name, or whose level has it.
    func score(behind name: Identifier) -> Entry<ScoreShape.Draft>? {
        scores.first { $0.formats.contains { $0.0 == name } }
    }

    /// The lowest and the highest value that a score can have; `nil` if its questions do not say, or are asked again
    /// and again.
    func range(of score: Entry<ScoreShape.Draft>, depth: Int = 0) -> (
        low: Double, high: Double, isWhole: Bool
    )? {
        let (draft, all) = (score.value, drafts.flatMap { $0.withBlocks() })
        var inputs: [(low: Double, high: Double, isWhole: Bool)] = []
        for question in draft.inputs.map(\.value) {
            let asking = all.filter { $0.step.asks(question) }
            if asking.isEmpty, depth < 20, let inner = self.score(behind: question) {
                guard question == inner.key.value, let range = range(of: inner, depth: depth + 1) else {
                    return nil
                }
                inputs.append(draft.method == .count ? (0, 1, true) : range)
                continue
            }
            guard !asking.isEmpty,
                asking.allSatisfy({ $0.blocks.isEmpty && $0.step.step?.hasPrompts != true })
            else { return nil }
            if draft.method == .count {
                inputs.append((0, 1, true))
            } else if case let format?? = questions[question], let limits = format.limits {
                let isWhole = if case .interval(_, _, let isWhole) = format.domain { isWhole } else { false }
                inputs.append((limits.lowerBound, limits.upperBound, isWhole))
            } else {
                return nil
            }
        }
        guard !inputs.isEmpty else { return nil }
        let (lows, highs) = (inputs.map(\.low).sorted(), inputs.map(\.high).sorted())
        let isWhole = inputs.allSatisfy(\.isWhole) && draft.missing.atMost.value == 0
        switch draft.method {
        case .count, .sum:
            // Answers that are left out count as nothing.
            let least =
                draft.missing.isReplaced
                ? lows : lows.map { draft.missing.atMost.value > 0 ? min(0, $0) : $0 }
            let most =
                draft.missing.isReplaced
                ? highs : highs.map { draft.missing.atMost.value > 0 ? max(0, $0) : $0 }
            return (least.reduce(0, +), most.reduce(0, +), isWhole)
        case .mean: return (lows[0], highs[highs.count - 1], false)
        case .minimum, .maximum: return (lows[0], highs[highs.count - 1], isWhole)
        case .minutes, .hits, .misses, .falseAlarms, .correctRejections, .dPrime, .criterion: return nil
        }
    }

    /// Doubts levels that no answers reach.
    func checkLevels() {
        for score in scores {
            guard let range = range(of: score) else { continue }
            let reached = score.value.levels(from: range.low, to: range.high)
            for level in score.value.levels where !reached.contains(level) {
                reading.doubt(
                    .idleRule,
                    "no answers reach the level '\(level.name)': the score is from \(plainNumber(range.low)) to \(plainNumber(range.high))",
                    at: score.key.range, help: "let the level begin within that range, or leave it out")
            }
        }
    }

}

extension AnswerFormat {
    /// The lowest and the highest possible number of an answer.
    fileprivate var limits: ClosedRange<Double>? {
        switch domain {
        case .interval(let low?, let high?, _): return low...max(low, high)
        case .oneOf(let choices):
            let counted = choices.filter { !$0.isMissing }
            let numbers = kind == .boolean ? [0, 1] : counted.compactMap { DecimalText.number($0.value) }
            guard let low = numbers.min(), let high = numbers.max() else { return nil }
            return low...high
        case .interval, .severalOf, .ordered, .free: return nil
        }
    }
}

extension Entry<ScoreShape.Draft> {
    /// The formats, for rules, of the score and of its level.
    var formats: [(Identifier, AnswerFormat?)] {
        var formats: [(Identifier, AnswerFormat?)] = [(key.value, .number())]
        if !value.levels.isEmpty, let name = Identifier("\(key.value).level") {
            formats.append((name, .choice(value.levels.map { .init(value: $0.name, text: .plain($0.name)) })))
        }
        return formats
    }
}
