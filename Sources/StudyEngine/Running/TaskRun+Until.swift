import StudyModel

/// Conditions that are tested while a step goes on: of its end, and of its cues.
extension TaskRun {
    /// Changes what the run knows of the step on show, and tests the conditions of its end and of its cues.
    ///
    /// - Parameter change: is given the step and the block around it.
    mutating func notice(
        at now: RunInstant, into effects: inout [Effect], _ change: (inout TaskRun, [Identifier]) -> Void
    ) {
        // This comes first: if nothing was seen for too long, the condition has not held without interruption.
        checkUntil(at: now, into: &effects)
        guard let path = visit?.entry.path else { return }
        change(&self, path)
        checkUntil(at: now, into: &effects)
        beginHolding(at: now, into: &effects)
        repeatCues(at: now, into: &effects)
    }

    /// Gives every cue whose condition holds, and which was not given for its time.
    mutating func repeatCues(at now: RunInstant, into effects: inout [Effect]) {
        guard let visit, let timing = visit.timing, case .running(let segment) = visit.activity,
            visit.reactionEnd == nil, (segment.start..<segment.end).contains(now)
        else { return }
        for (cue, given) in timing.cues.enumerated() {
            guard case .whilst(let condition, let time) = given.moment else { continue }
            let name = Visit.moment(of: cue)
            let last = visit.result.repeatedCues[name]?.last
            guard last.map({ $0.advanced(by: time) <= now }) != false, holds(condition, in: visit, at: now)
            else { continue }
            self.visit?.result.repeatedCues[name, default: []].append(now)
            self.visit?.cueMoments[cue] = now
            self.visit?.cuesUntold.insert(cue)
            effects.append(.cue(given.signal, CueKey(ordinal: visit.result.ordinal, cue: cue)))
            let next = now.advanced(by: time)
            if next < segment.end, let wake = wake(.cue(cue)) { effects.append(.wake(wake, at: next)) }
        }
    }

    /// Ends the step on show if its condition has held long enough, and resets the time if it no longer holds.
    ///
    /// - Returns: whether the step ended.
    @discardableResult
    mutating func checkUntil(at now: RunInstant, into effects: inout [Effect]) -> Bool {
        guard let visit, let until = visit.timing?.until, case .running(let segment) = visit.activity,
            let since = visit.holdsSince
        else { return false }
        let due = segment.due(until, holdingSince: since)
        guard holds(until.condition, in: visit, at: min(now, due)) else {
            self.visit?.holdsSince = nil
            return false
        }
        guard due <= now, due < segment.end else { return false }
        ways.append(Way(path: visit.entry.path, list: .until, rule: 0))
        endTime(of: segment, planned: due, by: .until, at: now, into: &effects)
        return true
    }

    private mutating func beginHolding(at now: RunInstant, into effects: inout [Effect]) {
        guard let visit, let until = visit.timing?.until, case .running(let segment) = visit.activity,
            visit.holdsSince == nil, visit.reactionEnd == nil, holds(until.condition, in: visit, at: now)
        else { return }
        let since = max(now, segment.start)
        self.visit?.holdsSince = since
        let due = segment.due(until, holdingSince: since)
        if due < segment.end, let wake = wake(.until) { effects.append(.wake(wake, at: due)) }
    }

    private func holds(_ condition: Navigation.Condition, in visit: Visit, at now: RunInstant) -> Bool {
        var here = circumstances(of: visit.entry.round, at: now)
        here.present = visit.entry.path
        return memory.holds(condition, in: here) == true
    }
}

extension Visit.Segment {
    /// When the condition will have held long enough and the step will have lasted as long as it must.
    fileprivate func due(_ until: ActiveStep.Until, holdingSince since: RunInstant) -> RunInstant {
        max(since.advanced(by: until.holding), instant(of: until.atLeast))
    }
}
