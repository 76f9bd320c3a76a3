import StudyModel

extension AnswerScore {
    /// Works out the score, and its level if it has levels.
    ///
    /// - Parameter answers: the answers to a question that count: the last one, or in a block those of every round
    ///   of this pass.
    func worked(_ answers: (Identifier) -> [RunMemory.CountedAnswer]) -> [GivenAnswer] {
        if method.detects { return detected(answers) }
        var taken: [ScoredInput] = []
        var wasAsked = false
        for input in inputs {
            let given = answers(input.question)
            wasAsked = wasAsked || !given.isEmpty
            // Of times of day only the last round's say how much lies between them.
            let counting = method == .minutes ? given.suffix(1) : given[...]
            for counted in given.isEmpty ? [RunMemory.CountedAnswer()] : counting {
                var number = counted.answer.flatMap { answer -> Double? in
                    guard !answer.words.contains(where: input.missing.contains) else { return nil }
                    return input.isRightCounted ? (counted.isRight ? 1 : 0) : value(of: answer, for: input)
                }
                // No key can be right, too.
                if input.isRightCounted, counted.isRight { number = 1 }
                taken.append(ScoredInput(question: input.question, value: number))
            }
        }
        return given(wasAsked ? total(of: taken.map(\.value)) : nil, from: taken)
    }

    /// The score of trials with and without a signal. Each trial that counts goes in as 1 if it was answered as a signal,
    /// otherwise as 0; a number of trials of one kind takes those of this kind alone.
    private func detected(_ answers: (Identifier) -> [RunMemory.CountedAnswer]) -> [GivenAnswer] {
        var (found, taken, wasAsked) = (Detection(), [ScoredInput](), false)
        for input in inputs {
            for counted in answers(input.question) {
                wasAsked = true
                guard let trial = input.trial(counted) else { continue }
                found.count(isSignal: trial.isSignal, isYes: trial.isYes)
                if let isOfSignals, isOfSignals != trial.isSignal { continue }
                taken.append(ScoredInput(question: input.question, value: trial.isYes ? 1 : 0))
            }
        }
        return given(wasAsked ? value(of: found) : nil, from: taken)
    }

    /// Whether it takes trials with a signal alone, or those without one alone; `nil` if it takes both.
    private var isOfSignals: Bool? {
        switch method {
        case .hits, .misses: true
        case .falseAlarms, .correctRejections: false
        case .sum, .mean, .minimum, .maximum, .count, .minutes, .dPrime, .criterion: nil
        }
    }

    private func value(of found: Detection) -> Double? {
        switch method {
        case .hits: Double(found.hits)
        case .misses: Double(found.misses)
        case .falseAlarms: Double(found.falseAlarms)
        case .correctRejections: Double(found.correctRejections)
        case .dPrime: found.dPrime
        case .criterion: found.criterion
        case .sum, .mean, .minimum, .maximum, .count, .minutes: nil
        }
    }

    /// The score as the mean of a staircase's last reversals. If there are too few, it is missing at the end, and not
    /// given before.
    func worked(of course: Staircase.Course?) -> [GivenAnswer] {
        let values = reversals.flatMap { course?.lastReversals($0.last, of: $0.track) } ?? []
        guard !values.isEmpty || course?.next == nil else { return [] }
        let taken = values.map { ScoredInput(question: inputs[0].question, value: $0) }
        return given(values.isEmpty ? nil : values.reduce(0, +) / Double(values.count), from: taken)
    }

    /// The score and its level.
    private func given(_ number: Double?, from taken: [ScoredInput]) -> [GivenAnswer] {
        var score = GivenAnswer(question: identifier, answer: number.map { Answer.number($0) })
        score.inputs = taken
        guard let levelIdentifier else { return [score] }
        let level = number.flatMap { number in levels.last { $0.from <= number } }
        return [score, GivenAnswer(question: levelIdentifier, answer: level.map { Answer.choice($0.name) })]
    }

    private func value(of answer: Answer, for input: Input) -> Double? {
        switch method {
        case .count:
            guard let test = input.counted else { return 1 }
            return answer.compared.compares(test.comparison, test.value) == true ? 1 : 0
        case .minutes: return answer.minuteOfDay
        case .sum, .mean, .minimum, .maximum: break
        case .hits, .misses, .falseAlarms, .correctRejections, .dPrime, .criterion: return nil
        }
        guard let number = answer.number, let whole = input.reversedFrom else { return answer.number }
        return whole - number
    }

    private func total(of values: [Double?]) -> Double? {
        let present = values.compactMap(\.self)
        let sum = present.reduce(0, +)
        if method == .count { return sum }
        guard values.count - present.count <= mostMissing, !present.isEmpty else { return nil }
        let mean = sum / Double(present.count)
        return switch method {
        case .count: sum
        case .sum: replacesMissing && present.count < values.count ? mean * Double(values.count) : sum
        case .mean: mean
        case .minimum: present.min()
        case .maximum: present.max()
        case .minutes: present[1] > present[0] ? present[1] - present[0] : present[1] - present[0] + 1_440
        case .hits, .misses, .falseAlarms, .correctRejections, .dPrime, .criterion: nil
        }
    }
}

extension AnswerScore.Input {
    /// Whether a trial had a signal, and whether it was answered as if it had one; `nil` if it does not count.
    fileprivate func trial(_ counted: RunMemory.CountedAnswer) -> (isSignal: Bool, isYes: Bool)? {
        guard let right = counted.right else { return nil }
        guard let signal = self.counted?.value else {
            // Every key on a trial without a signal is a false alarm; a wrong key on one with a signal is no hit.
            switch right {
            case .answer: return (true, counted.isRight)
            case .noKey: return (false, counted.answer != nil)
            }
        }
        guard let answer = counted.answer, !answer.words.contains(where: missing.contains) else { return nil }
        return (right == .answer(signal), answer.compared.compares(.eq, signal) == true)
    }
}

extension TaskRun {
    /// The scores that are complete after a step, or after a whole block. They count as answers at once.
    mutating func workOutScores(with entry: RunPlan.Entry) -> [GivenAnswer] {
        guard !plan.task.scores.isEmpty else { return [] }
        let steps = entry.step.withInner.map(\.identifier)
        var given: [GivenAnswer] = []
        for score in plan.task.scores where steps.contains(score.step) {
            let worked =
                score.reversals == nil
                ? score.worked(memory.answers(to:)) : score.worked(of: course(through: entry))
            memory.take(worked)
            given += worked
        }
        return given
    }
}
