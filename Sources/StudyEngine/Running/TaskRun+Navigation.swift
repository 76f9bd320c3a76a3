package import StudyModel

/// A place that the participant may come back to.
struct Footprint: Sendable {
    var position: Visit.Position
    /// The sections entered on the way to it.
    var entered: [Int]
    /// The visit.
    var ordinal: Int
    /// Whether its questions were answered, and not skipped.
    var isAnswered = false
}

/// What was answered in a visit to which the participant can go back.
package struct ReviewedVisit: Hashable, Sendable {
    /// The visit.
    package var ordinal: Int
    package var step: Step
    /// What was typed or chosen, by question; empty if the step was skipped.
    package var drafts: [Identifier: String]
}

extension TaskRun {
    /// Where a run goes next.
    enum Destination: Hashable {
        case section(Int)
        case entry(Visit.Position)
        case end(FinishReason)
    }

    /// Leaves the step on show; its result follows when its recorders have finished.
    ///
    /// - Parameters:
    ///   - instant: the planned moment of leaving, at which the next step begins.
    ///   - now: the moment of acting upon it.
    mutating func leave(
        _ reason: StepResult.SkipReason? = nil, from instant: RunInstant, at now: RunInstant,
        into effects: inout [Effect]
    ) {
        guard let visit else { return }
        let position = visit.position
        let instant = max(instant, visit.result.start)
        rememberRepeatable(visit)
        endPrompts(at: instant)
        let scores = workOutScores(with: visit.entry)
        self.visit?.result.answers += scores
        let trial = trial(of: visit.entry)
        self.visit?.result.trial = trial
        closeVisit(reason, at: instant, into: &effects)
        let destination = destination(after: position, at: now)
        if leavesSection(position, for: destination) {
            stopSpans(to: position.section, at: instant, into: &effects)
        }
        proceed(to: destination, from: instant, at: now, into: &effects)
    }

    /// Goes to the first step from `destination` on that no rule leaves out, or ends the run.
    mutating func proceed(
        to destination: Destination, from instant: RunInstant, at now: RunInstant,
        into effects: inout [Effect]
    ) {
        var destination = destination
        var entered: [Int] = []
        while true {
            switch destination {
            case .end(let reason):
                finish(reason, at: instant, into: &effects)
                return
            case .section(let section):
                destination = enterSection(section, from: instant, at: now, into: &effects)
                if section < plan.sections.count { entered.append(section) }
            case .entry(let position):
                let entry = plan.entry(at: position)
                if let further = enterBlocks(of: entry, at: position, from: instant, at: now, into: &effects)
                {
                    destination = further
                    continue
                }
                guard isLeftOut(entry.step, at: entry.path, in: circumstances(of: entry.round, at: now))
                else {
                    show(entry, at: position, entered: entered, from: instant, at: now, into: &effects)
                    deliverComplete(into: &effects)
                    return
                }
                destination = next(after: position)
                leaveOut(entry, at: position, before: destination, from: instant, into: &effects)
            }
        }
    }

    /// Goes back to the step before, if that is allowed. Nothing is drawn again.
    mutating func goBack(at now: RunInstant, into effects: inout [Effect]) {
        guard canGoBack else { return }
        goBack(toPlace: trail.count - 2, at: now, into: &effects)
    }

    /// Goes back from a review to one of the visits that it shows.
    mutating func goBack(to ordinal: Int, at now: RunInstant, into effects: inout [Effect]) {
        guard visit?.entry.step.kind == .review, reviewed.contains(where: { $0.ordinal == ordinal }),
            let place = trail.firstIndex(where: { $0.ordinal == ordinal })
        else { return }
        goBack(toPlace: place, at: now, into: &effects)
    }

    private mutating func goBack(toPlace place: Int, at now: RunInstant, into effects: inout [Effect]) {
        guard visit?.activity == .waiting else { return }
        let previous = trail[place]
        closeVisit(.wentBack, at: now, into: &effects)
        for section in trail[(place + 1)...].flatMap(\.entered) { sectionPasses[section] -= 1 }
        trail.removeSubrange(place...)
        let position = previous.position
        let entry = plan.entry(at: position)
        show(entry, at: position, entered: previous.entered, from: now, at: now, into: &effects)
        deliverComplete(into: &effects)
    }

    /// Whether the step on show and the one before it allow going back.
    var canGoBack: Bool { trail.count > 1 }

    /// Puts a visit on show again, in the place of everything since it began.
    ///
    /// - Parameters:
    ///   - clip: the clip that it played; `nil` if it played none.
    ///   - entered: the sections entered on the way to it.
    mutating func begin(
        again position: Visit.Position, of ordinal: Int, playing clip: DrawnStimulus?, entered: [Int],
        at now: RunInstant, into effects: inout [Effect]
    ) {
        let entry = plan.entry(at: position)
        for block in entry.blocks {
            if let clip = block.clip { memory.remember(clip, of: block.step.identifier) }
        }
        show(entry, at: position, entered: entered, playing: clip, from: now, at: now, into: &effects)
        visit?.result.repeats = ordinal
        deliverComplete(into: &effects)
    }

    /// Remembers the rounds that a step belongs to, and enters the inner blocks that begin with it.
    ///
    /// - Returns: where the run goes if a rule leaves one of them out.
    private mutating func enterBlocks(
        of entry: RunPlan.Entry, at position: Visit.Position, from instant: RunInstant, at now: RunInstant,
        into effects: inout [Effect]
    ) -> Destination? {
        var round: Int?
        for (depth, block) in entry.blocks.enumerated() {
            if depth > 0, plan.begins(block, at: position) {
                forgetRounds(of: block.step)
                guard !isLeftOut(block.step, at: block.path, in: circumstances(of: round, at: now)) else {
                    var left = RunPlan.Entry(
                        step: block.step, path: block.path, visit: block.pass, round: round)
                    left.blocks = Array(entry.blocks[..<depth])
                    let next = next(after: plan.last(of: block, from: position))
                    leaveOut(left, at: position, before: next, from: instant, into: &effects)
                    return next
                }
                memory.forgetRates(during: block.step.identifier)
            }
            if let clip = block.clip { memory.remember(clip, of: block.step.identifier) }
            round = block.round ?? round
        }
        return nil
    }

    /// Makes scores forget the answers of the last pass through a block.
    private mutating func forgetRounds(of block: Step) {
        memory.forgetRounds(of: block.askedQuestions)
    }

    private mutating func enterSection(
        _ section: Int, from instant: RunInstant, at now: RunInstant, into effects: inout [Effect]
    ) -> Destination {
        guard section < plan.sections.count else { return .end(.completed) }
        sectionPasses[section] += 1
        let step = plan.sections[section].step
        let passes = plan.sections[section].passes
        let position = Visit.Position(
            section: section, pass: min(sectionPasses[section], passes.count) - 1, entry: 0)
        guard position.pass >= 0, let first = passes[position.pass].first else {
            return .section(section + 1)
        }
        guard step.block != nil else { return .entry(position) }
        forgetRounds(of: step)
        guard isLeftOut(step, at: [step.identifier], in: circumstances(of: nil, at: now)) else {
            memory.forgetRates(during: step.identifier)
            return firstChosen(from: position)
        }
        let block = RunPlan.Entry(step: step, path: [step.identifier], visit: first.visit)
        leaveOut(block, at: position, before: .section(section + 1), from: instant, into: &effects)
        return .section(section + 1)
    }

    /// Puts a step on show.
    ///
    /// - Parameter again: the clip that it played when the run was interrupted; `nil` deals one, if it plays any.
    mutating func show(
        _ entry: RunPlan.Entry, at position: Visit.Position, entered: [Int],
        playing again: DrawnStimulus? = nil, from instant: RunInstant,
        at now: RunInstant, into effects: inout [Effect]
    ) {
        stopClipOfBlock(before: entry, at: instant, into: &effects)
        var next = visit(of: entry, at: position, from: instant)
        giveClip(to: &next, playing: again, at: now)
        // What decided on a rung of a staircase can be changed no more.
        if let last = trail.last, plan.entry(at: last.position).trialRound != entry.trialRound { trail = [] }
        if entry.step.allowsGoingBack {
            trail.append(
                Footprint(position: position, entered: entered, ordinal: next.result.ordinal))
        } else {
            trail = []
        }
        repeatable?.entered += entered
        memory.forgetRates(during: entry.step.identifier)
        let waits = next.timing?.timer.startsOnConfirm == true
        visit = next
        if waits { present(.waiting, into: &effects) } else { start(from: instant, at: now, into: &effects) }
    }

    /// Records that a rule left a step out.
    private mutating func leaveOut(
        _ entry: RunPlan.Entry, at position: Visit.Position, before destination: Destination,
        from instant: RunInstant, into effects: inout [Effect]
    ) {
        var passed = visit(of: entry, at: position, from: instant)
        passed.activity = .left
        passed.result.skip = .rule
        passed.result.answers = workOutScores(with: entry)
        passed.result.trial = trial(of: entry)
        left.append(passed)
        let isLast = leavesSection(position, for: destination)
        startSpans(
            at: position, ordinal: passed.result.ordinal, endingHere: !isLast, from: instant, into: &effects)
        if isLast { stopSpans(to: position.section, at: instant, into: &effects) }
    }

    private mutating func visit(
        of entry: RunPlan.Entry, at position: Visit.Position, from instant: RunInstant
    ) -> Visit {
        visitCount += 1
        stepVisits[entry.path, default: 0] += 1
        return Visit(
            entry, at: position, ordinal: visitCount, visit: stepVisits[entry.path, default: 1], from: instant
        )
    }

    private mutating func isLeftOut(
        _ step: Step, at path: [Identifier], in here: RunMemory.Circumstances
    ) -> Bool {
        let rule = step.navigation.skipIf.firstIndex { memory.holds($0, in: here) == true }
        guard let rule else { return false }
        ways.append(Way(path: path, list: .skipIf, rule: rule))
        return true
    }

    /// What rules can see of the run itself. The steps of a block see its round.
    func circumstances(of round: Int?, at now: RunInstant) -> RunMemory.Circumstances {
        RunMemory.Circumstances(now: now, session: plan.session, round: round, arm: plan.arm)
    }

    private mutating func destination(after position: Visit.Position, at now: RunInstant) -> Destination {
        let entry = plan.entry(at: position)
        if let jump = jump(after: entry.step, at: entry.path, in: circumstances(of: entry.round, at: now)) {
            return jump
        }
        if case .completion(let name) = entry.step.kind {
            return .end(name.map { .ended($0) } ?? .completed)
        }
        let next = next(after: position)
        for (depth, block) in entry.blocks.enumerated().reversed() {
            if case .entry(let place) = next, plan.entry(at: place).stands(in: block) { break }
            let round = entry.blocks[..<depth].last { $0.round != nil }?.round
            if let jump = jump(after: block.step, at: block.path, in: circumstances(of: round, at: now)) {
                return jump
            }
        }
        return next
    }

    /// The first rule that holds and whose target may still be visited.
    private mutating func jump(
        after step: Step, at path: [Identifier], in here: RunMemory.Circumstances
    ) -> Destination? {
        for (rule, jump) in step.navigation.goTo.enumerated()
        where jump.condition.map({ memory.holds($0, in: here) == true }) ?? true {
            let way = Way(path: path, list: .goTo, rule: rule)
            switch jump.target {
            case .end:
                ways.append(way)
                return .end(.completed)
            case .step(let name):
                guard let target = plan.sections.firstIndex(where: { $0.step.identifier == name }) else {
                    continue
                }
                let section = plan.sections[target]
                let most = min(section.step.navigation.maximumVisits, section.passes.count)
                guard sectionPasses[target] < most else { continue }
                ways.append(way)
                return .section(target)
            }
        }
        return nil
    }

    private func next(after position: Visit.Position) -> Destination {
        var next = position
        next.entry += 1
        return firstChosen(from: next)
    }

    private func leavesSection(_ position: Visit.Position, for destination: Destination) -> Bool {
        switch destination {
        case .entry: false
        case .section, .end: true
        }
    }
}

extension RunPlan {
    /// The entry at a place.
    func entry(at position: Visit.Position) -> Entry {
        sections[position.section].passes[position.pass][position.entry]
    }

    /// Whether a pass through a section begins at a place. A staircase has an entry for each rung there.
    func isFirst(_ position: Visit.Position) -> Bool {
        let entries = sections[position.section].passes[position.pass]
        return entries[position.entry].isSameVisit(as: entries[0])
    }

    /// Whether a pass through a block begins at a place.
    fileprivate func begins(_ block: Enclosing, at position: Visit.Position) -> Bool {
        guard position.entry > 0 else { return true }
        let before = sections[position.section].passes[position.pass][position.entry - 1]
        guard before.stands(in: block) else { return true }
        // A staircase may begin with any rung in its first round.
        let other = before.blocks[block.path.count - 1]
        return block.round == 1 && other.round == 1 && other.clip != block.clip
    }

    /// The last place of a pass through a block.
    fileprivate func last(of block: Enclosing, from position: Visit.Position) -> Visit.Position {
        let entries = sections[position.section].passes[position.pass][position.entry...]
        var last = position
        last.entry += entries.prefix { $0.stands(in: block) }.count - 1
        return last
    }
}

extension RunPlan.Entry {
    /// Whether it stands for the same visit, be it with another rung of a staircase.
    func isSameVisit(as other: RunPlan.Entry) -> Bool { path == other.path && visit == other.visit }

    /// Whether it belongs to the same pass through a block.
    fileprivate func stands(in block: RunPlan.Enclosing) -> Bool {
        let depth = block.path.count - 1
        return blocks.indices.contains(depth) && blocks[depth].path == block.path
            && blocks[depth].pass == block.pass
    }
}
