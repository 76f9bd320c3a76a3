import StudyModel

extension Visit {
    /// What the prompts of a visit ask.
    struct Prompting: Sendable {
        /// How often each prompt has been due, by its place.
        var counts: [Int: Int] = [:]
        /// The one on show.
        var open: Asked?
        /// Prompts that became due while another was on show, oldest first.
        var waiting: [Asked] = []

        /// An asking of a prompt that is not over.
        struct Asked: Hashable, Sendable {
            /// Place in the step's prompts.
            var place: Int
            /// From 1.
            var number: Int
            var planned: RunInstant
            var shown: RunInstant?
            /// When its time is over, if its time is limited and the step is not paused.
            var due: RunInstant?
            /// How much of its time was left when the step was paused.
            var left: Duration?
        }

        /// The step's clock stops.
        mutating func stop(at now: RunInstant) {
            guard let due = open?.due else { return }
            open?.left = max(.zero, now.duration(to: due))
            open?.due = nil
        }

        /// The step's clock continues.
        mutating func goOn(from start: RunInstant) {
            guard let left = open?.left else { return }
            open?.due = start.advanced(by: left)
            open?.left = nil
        }
    }

    /// The prompt that is due next, and when, as time since the step's start. If several are due at one moment, the
    /// first of them.
    fileprivate var nextPrompt: (place: Int, time: Duration)? {
        guard let timing else { return nil }
        var next: (place: Int, time: Duration)?
        for (place, prompt) in timing.prompts.enumerated() {
            guard let time = prompt.time(of: prompting.counts[place, default: 0] + 1), time < timing.duration,
                next.map({ time < $0.time }) ?? true
            else { continue }
            next = (place, time)
        }
        return next
    }

    fileprivate func prompt(of asked: Prompting.Asked) -> Prompt? { timing?.prompts[asked.place] }
}

/// Questions that are asked while a timed step goes on.
///
/// One prompt is on show at a time. Another that becomes due waits until the first is answered or its time is over.
/// Without a time limit, its time is over when a prompt of a later moment is due; with a time limit, also when the
/// same question is due again.
extension TaskRun {
    /// Plans the wakes for a stretch without pauses.
    mutating func planPrompts(in segment: Visit.Segment, into effects: inout [Effect]) {
        planPromptLimit(before: segment.end, into: &effects)
        planNextPrompt(in: segment, into: &effects)
    }

    private mutating func planPromptLimit(before end: RunInstant, into effects: inout [Effect]) {
        guard let due = visit?.prompting.open?.due, due < end, let wake = wake(.promptLimit) else { return }
        effects.append(.wake(wake, at: due))
    }

    private mutating func planNextPrompt(in segment: Visit.Segment, into effects: inout [Effect]) {
        guard let next = visit?.nextPrompt, let wake = wake(.prompt) else { return }
        effects.append(.wake(wake, at: max(segment.start, segment.instant(of: next.time))))
    }

    /// One or more prompts are due.
    mutating func promptsAreDue(
        in segment: Visit.Segment, at now: RunInstant, into effects: inout [Effect]
    ) {
        let time = segment.time(at: now)
        guard let first = visit?.nextPrompt, first.time <= time else { return }
        let before = visit?.prompting.open
        while let next = visit?.nextPrompt, next.time <= time {
            let number = (visit?.prompting.counts[next.place] ?? 0) + 1
            visit?.prompting.counts[next.place] = number
            let asked = Visit.Prompting.Asked(
                place: next.place, number: number, planned: segment.instant(of: next.time))
            endPrompts(before: asked)
            visit?.prompting.waiting.append(asked)
        }
        openPrompt(until: segment.end, at: now, into: &effects)
        if visit?.prompting.open != before {
            present(.running(start: segment.start, end: segment.end), into: &effects)
        }
        planNextPrompt(in: segment, into: &effects)
    }

    /// Shows the prompt that has waited longest, if none is on show.
    private mutating func openPrompt(
        until end: RunInstant, at now: RunInstant, into effects: inout [Effect]
    ) {
        guard let visit, visit.prompting.open == nil, var asked = visit.prompting.waiting.first else {
            return
        }
        self.visit?.prompting.waiting.removeFirst()
        asked.shown = now
        asked.due = visit.prompt(of: asked)?.timeLimit.map { now.advanced(by: $0) }
        self.visit?.prompting.open = asked
        planPromptLimit(before: end, into: &effects)
    }

    /// Ends the askings that the next one replaces.
    private mutating func endPrompts(before next: Visit.Prompting.Asked) {
        guard let visit else { return }
        let isOver = { (asked: Visit.Prompting.Asked) in
            asked.place == next.place
                || visit.prompt(of: asked)?.timeLimit == nil && asked.planned < next.planned
        }
        if let open = visit.prompting.open {
            if let due = open.due, due <= next.planned {
                end(open, by: .timeLimit, at: due)
                self.visit?.prompting.open = nil
            } else if isOver(open) {
                end(open, by: .nextPrompt, at: next.planned)
                self.visit?.prompting.open = nil
            }
        }
        for asked in visit.prompting.waiting where isOver(asked) {
            end(asked, by: .nextPrompt, at: next.planned)
        }
        self.visit?.prompting.waiting.removeAll(where: isOver)
    }

    /// The step's time is over, or the step is left, and its prompts end with it.
    ///
    /// - Parameter isTimeOver: whether the step's time is over, by its duration or by a condition.
    mutating func endPrompts(at instant: RunInstant, isTimeOver: Bool = false) {
        missReaction(isTimeOver: isTimeOver)
        guard let prompting = visit?.prompting else { return }
        visit?.prompting.open = nil
        visit?.prompting.waiting = []
        for asked in [prompting.open].compactMap(\.self) + prompting.waiting {
            if let due = asked.due, due <= instant {
                end(asked, by: .timeLimit, at: due)
            } else {
                end(asked, by: .stepEnd, at: max(instant, asked.shown ?? asked.planned))
            }
        }
    }

    /// The time for answering the prompt on show is over.
    mutating func promptTimesOut(at now: RunInstant, into effects: inout [Effect]) {
        guard let open = visit?.prompting.open, let due = open.due, due <= now else { return }
        visit?.prompting.open = nil
        end(open, by: .timeLimit, at: due)
        goOnAfterPrompt(at: now, into: &effects)
    }

    private mutating func goOnAfterPrompt(at now: RunInstant, into effects: inout [Effect]) {
        guard case .running(let segment)? = visit?.activity else { return }
        openPrompt(until: segment.end, at: now, into: &effects)
        present(.running(start: segment.start, end: segment.end), into: &effects)
    }

    /// Takes the answer to the prompt on show. An answer to an earlier asking has no effect.
    mutating func answerPrompt(
        _ given: [GivenAnswer], at now: RunInstant, into effects: inout [Effect]
    ) {
        guard let visit, case .running = visit.activity, let open = visit.prompting.open,
            let question = visit.prompt(of: open)?.question, given.count == 1, let answer = given.first,
            answer.question == question.identifier, open.isMeant(by: answer.times),
            answer.answer.map(question.format.accepts) ?? question.isOptional
        else { return }
        self.visit?.prompting.open = nil
        self.visit?.result.drafts.removeAll {
            $0.question == question.identifier && open.isMeant(by: $0.times)
        }
        end(open, by: .answer, at: now, answer)
        goOnAfterPrompt(at: now, into: &effects)
        notice(at: now, into: &effects) { run, _ in run.memory.take([answer], of: visit.entry) }
    }

    /// Keeps the draft for the prompt on show, separately for each asking.
    mutating func takeAtPrompt(_ draft: DraftedAnswer) {
        guard let open = visit?.prompting.open, open.isMeant(by: draft.times),
            visit?.prompt(of: open)?.question.identifier == draft.question
        else { return }
        visit?.result.drafts.removeAll {
            $0.question == draft.question && $0.times.shown == draft.times.shown
        }
        visit?.result.drafts.append(draft)
    }

    /// A visit begins, so the answers of an earlier visit are no longer the last ones.
    mutating func forgetPrompts(of visit: Visit) {
        let questions = visit.entry.step.facts.asked.filter { $0.place != .program }
        guard !questions.isEmpty else { return }
        memory.take(questions.map { GivenAnswer(question: $0.identifier, answer: nil) }, of: visit.entry)
    }

    /// Records the outcome of an asking.
    private mutating func end(
        _ asked: Visit.Prompting.Asked, by reason: Asking.End, at instant: RunInstant,
        _ answer: GivenAnswer? = nil
    ) {
        guard let visit, let question = visit.prompt(of: asked)?.question.identifier else { return }
        let draft = visit.result.drafts.last { $0.question == question && asked.isMeant(by: $0.times) }
        var given = answer ?? GivenAnswer(question: question, answer: nil, times: draft?.times)
        given.asking = Asking(
            number: asked.number, planned: asked.planned, shown: asked.shown, ended: instant, endedBy: reason)
        self.visit?.result.answers.append(given)
        if answer == nil { memory.miss(question) }
    }
}

extension Visit.Prompting.Asked {
    /// Whether an answer with these times was given by someone who saw this asking, and not an earlier one.
    fileprivate func isMeant(by times: AnswerTimes?) -> Bool {
        guard let shown else { return false }
        return times.map { $0.shown >= shown } ?? true
    }
}
