package import StudyModel

/// Steps that run another program.
extension TaskRun {
    /// What the step's program shows instead of the step's text, if it does.
    package func shownByProgram(in presentation: Presentation) -> String? {
        visit?.result.ordinal == presentation.ordinal ? visit?.shownByProgram : nil
    }

    /// Takes what the program of a step says; ignored once the step is over.
    mutating func take(
        _ message: ProgramMessage, of ordinal: Int, at now: RunInstant, into effects: inout [Effect]
    ) {
        guard let visit, visit.result.ordinal == ordinal, visit.entry.step.program != nil,
            case .running(let segment) = visit.activity
        else { return }
        switch message {
        case .shows(let text):
            self.visit?.shownByProgram = text
            present(.running(start: segment.start, end: segment.end), into: &effects)
        case .answers(let given):
            let answers = visit.entry.step.answers(given, behind: visit.result.answers)
            self.visit?.result.answers = answers
            memory.take(answers.filter { $0.answer != nil }, of: visit.entry)
        case .sample(let sample): self.visit?.result.program?.take(sample)
        case .unclear(let problem): self.visit?.result.program?.countUnclear(problem)
        case .ended(let problem):
            self.visit?.result.program?.problem = problem
            endTime(of: segment, planned: now, by: .program, at: now, into: &effects)
        }
    }
}

extension RunPlan {
    /// The programs of its steps, with the values of their rounds.
    package var programSteps: [(step: Identifier, ProgramStep)] {
        allEntries.compactMap { entry in entry.step.program.map { (entry.step.identifier, $0) } }
    }
}

extension ProgramOutcome {
    fileprivate mutating func countUnclear(_ problem: String) {
        unclearCount += 1
        firstUnclear = firstUnclear ?? problem
    }
}
