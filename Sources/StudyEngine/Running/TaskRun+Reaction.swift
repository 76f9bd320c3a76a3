package import StudyModel

/// Steps that a key answers.
extension TaskRun {
    /// What is shown about the participant's reaction; `nil` if nothing is.
    package func reactionFeedback(in presentation: Presentation) -> LocalizedText? {
        visit?.result.ordinal == presentation.ordinal ? visit?.reactionEnd?.feedback : nil
    }

    /// Whether a key can still answer the step on show.
    package func awaitsReaction(in presentation: Presentation) -> Bool {
        guard let visit, visit.result.ordinal == presentation.ordinal else { return false }
        return visit.timing?.reaction != nil && visit.reactionEnd == nil && !visit.hasReacted
    }

    /// Takes a key: the first one that counts is the answer, and ends the step unless the study lets it go on.
    mutating func react(_ given: GivenAnswer, at now: RunInstant, into effects: inout [Effect]) {
        guard let visit, case .running(let segment) = visit.activity, let reaction = visit.timing?.reaction,
            visit.reactionEnd == nil, !visit.hasReacted, let press = given.reaction?.press,
            let key = reaction.keys.first(where: { $0.name == press.key })
        else { return }
        guard press.time >= .zero, !press.isRepetition else {
            self.visit?.ignoredKeys += 1
            return
        }
        var answer = GivenAnswer(question: visit.entry.step.identifier, answer: .choice(key.value))
        var result = ReactionResult(press: press)
        result.ignoredKeys = visit.ignoredKeys
        result.isRight = visit.entry.step.right[answer.question]?.isRight(answer.answer)
        answer.reaction = result
        self.visit?.result.answers.append(answer)
        memory.take([answer], of: visit.entry)
        guard reaction.endsStep else { return }
        let words = result.isRight == false ? reaction.feedback?.wrong : reaction.feedback?.right
        if let words, let feedback = reaction.feedback {
            showFeedback(words, for: feedback.duration, in: segment, by: .reaction, from: now, into: &effects)
        } else {
            endTime(of: segment, planned: now, by: .reaction, at: now, into: &effects)
        }
    }

    /// Says that no key came in time, or that none was right, if the study has words for that.
    ///
    /// - Returns: whether anything is said now, so that the step goes on until it was read.
    mutating func showLateFeedback(in segment: Visit.Segment, into effects: inout [Effect]) -> Bool {
        guard let visit, visit.reactionEnd == nil, let feedback = visit.timing?.reaction?.feedback,
            let words = visit.isNoKeyRight ? feedback.right : feedback.late
        else { return false }
        showFeedback(
            words, for: feedback.duration, in: segment, by: .duration, from: segment.end, into: &effects)
        return true
    }

    private mutating func showFeedback(
        _ words: LocalizedText, for duration: Duration, in segment: Visit.Segment,
        by reason: StepResult.TimedEnd,
        from instant: RunInstant, into effects: inout [Effect]
    ) {
        endPrompts(at: instant, isTimeOver: true)
        visit?.reactionEnd = Visit.ReactionEnd(reason: reason, planned: instant, feedback: words)
        visit?.holdsSince = nil
        // Everything that was planned for the step's time is out of date.
        visit?.segment += 1
        var longer = segment
        longer.end = instant.advanced(by: duration)
        visit?.activity = .running(longer)
        present(.running(start: segment.start, end: longer.end), into: &effects)
        if let wake = wake(.end) { effects.append(.wake(wake, at: longer.end)) }
    }

    /// The step's time is over, or the step is left: without an answer, the answer is missing. If no key was right, that is
    /// right once the time is over.
    mutating func missReaction(isTimeOver: Bool) {
        guard let visit, visit.timing?.reaction != nil, visit.hasBegun, !visit.hasReacted else { return }
        let question = visit.entry.step.identifier
        var missed = GivenAnswer(question: question, answer: nil)
        missed.reaction = ReactionResult()
        missed.reaction?.ignoredKeys = visit.ignoredKeys
        missed.reaction?.isRight = isTimeOver && visit.isNoKeyRight ? true : nil
        self.visit?.result.answers.append(missed)
        memory.take([missed], of: visit.entry, isTimedOut: true, isOver: isTimeOver)
    }
}

extension Visit {
    /// Whether no key is right in the step.
    fileprivate var isNoKeyRight: Bool { entry.step.right[entry.step.identifier] == .noKey }
}
