package import StudyModel

/// Questions with a time limit.
extension TaskRun {
    /// When the time for answering what is on show ends; `nil` if there is no limit.
    package func answersDue(in presentation: Presentation) -> RunInstant? {
        visit?.result.ordinal == presentation.ordinal ? visit?.answersDue : nil
    }

    /// - Parameter instant: the planned moment from which the step takes answers.
    mutating func beginTimeLimit(from instant: RunInstant, into effects: inout [Effect]) {
        guard let visit, let limit = visit.entry.step.timeLimit, let wake = wake(.timeLimit) else { return }
        let resumed = limitToResume?.at == visit.position ? limitToResume?.left : nil
        limitToResume = nil
        let due = instant.advanced(by: resumed ?? limit.duration)
        self.visit?.answersDue = due
        self.visit?.result.isTimedOut = false
        effects.append(.wake(wake, at: due))
    }

    /// The time is over: what was not sent is missing, or counts as it is.
    mutating func timeOut(at now: RunInstant, into effects: inout [Effect]) {
        guard let visit, visit.activity == .waiting, let due = visit.answersDue, due <= now,
            let limit = visit.entry.step.timeLimit
        else { return }
        let answers = visit.entry.step.answers(of: limit.keepsAnswers ? visit.result.drafts : [])
        self.visit?.result.answers = answers
        self.visit?.result.isTimedOut = true
        self.visit?.result.lateness["end"] = due.duration(to: now)
        let kept = answers.filter { $0.answer != nil }.map(\.question)
        self.visit?.result.drafts.removeAll { kept.contains($0.question) }
        memory.take(answers, of: visit.entry, isTimedOut: true)
        leave(from: due, at: now, into: &effects)
    }
}
