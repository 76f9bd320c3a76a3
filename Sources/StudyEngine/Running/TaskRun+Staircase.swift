import StudyModel

/// Rounds whose rung the answers decide. What decides is the answers alone: they are in the run's memory, and a run that
/// is repeated or continued has the same.
extension TaskRun {
    /// The first place from another one on that the answers so far do not pass over: of a round of a staircase, only one
    /// rung is taken, and of the rounds after its end none.
    func firstChosen(from position: Visit.Position) -> Destination {
        let entries = plan.sections[position.section].passes[position.pass]
        var place = position
        var known: (round: Int, pass: Int, rung: Int?)?
        while place.entry < entries.count {
            guard let block = entries[place.entry].blocks.last, let staircase = block.staircase,
                let round = block.round
            else { return .entry(place) }
            // Where a pass is done, it is so in all of its later rounds.
            if known.map({ $0.pass != block.pass || $0.round != round && $0.rung != nil }) ?? true {
                known = (round, block.pass, course(of: staircase, through: round - 1).next)
            }
            if known?.rung == block.rung { return .entry(place) }
            place.entry += 1
        }
        return .section(position.section + 1)
    }

    /// The trials of a staircase in its current pass, up to a round.
    private func course(of staircase: Staircase, through round: Int) -> Staircase.Course {
        var course = Staircase.Course(staircase)
        for number in 0..<round where course.next != nil {
            course.take(isRight: memory.isRight(staircase.question, in: number + 1))
        }
        return course
    }

    /// The trials up to that of an entry; `nil` if the entry is in no staircase.
    func course(through entry: RunPlan.Entry) -> Staircase.Course? {
        guard let block = entry.blocks.last, let staircase = block.staircase, let round = block.round
        else { return nil }
        return course(of: staircase, through: round)
    }

    /// The trial that a step is; `nil` if its answer decides nothing.
    func trial(of entry: RunPlan.Entry) -> StepResult.Trial? {
        guard let staircase = entry.blocks.last?.staircase, entry.step.asks(staircase.question),
            let trial = course(through: entry)?.trials.last
        else { return nil }
        return StepResult.Trial(
            track: staircase.tracks[trial.track].identifier, rung: trial.rung + 1,
            value: staircase.values[trial.rung], isRight: trial.isRight, isReversal: trial.isReversal,
            isAtEnd: trial.isAtEnd)
    }
}

extension RunPlan.Entry {
    /// The round of a staircase that it is in, with the blocks around it; empty if it is in none.
    var trialRound: [Int] {
        blocks.last?.staircase == nil ? [] : blocks.flatMap { [$0.pass, $0.round ?? 0] }
    }
}
