package import StudyModel

extension RunPlan {
    /// How often a run can visit an element of the task's list.
    package func mostVisits(of step: Identifier) -> Int {
        sections.first { $0.step.identifier == step }?.passes.count ?? 1
    }

    /// The longest time that the timed steps of a run can take, without pauses.
    package var longestTime: Duration { longestTimes.reduce(.zero) { $0 + $1.time } }

    /// The visits that a run can make in their order, each with the longest time that it takes for certain: all that can
    /// be reached, each as often as it can be visited. What is certain before the run counts: the arm, rounds and their
    /// clips.
    package var longestTimes: [(entry: Entry, time: Duration)] {
        var (sum, ends, longest) = (Duration.zero, [Identifier: Duration](), [VisitName: Duration]())
        var times: [(Entry, Duration)] = []
        for entry in reachable.map({ sections[$0] }).flatMap(\.passes).joined()
        where !entry.isLeftOut(in: arm) {
            let (timing, visit) = (entry.step.facts.timing, VisitName(path: entry.path, visit: entry.visit))
            var time = timing?.longest ?? .zero
            if let ending = timing?.ending, let end = ends[ending.step] { time = end + ending.time - sum }
            // The rungs of a staircase stand for the same visit.
            let more = max(.zero, time - longest[visit, default: .zero])
            longest[visit, default: .zero] += more
            sum += more
            if more > .zero || !entry.isOtherRung { times.append((entry, more)) }
            for step in entry.path { ends[step] = sum }
        }
        return times
    }

    private struct VisitName: Hashable {
        var path: [Identifier]
        var visit: Int
    }

    /// The places of the sections that rules can lead to in the plan's arm.
    private var reachable: [Int] {
        var found: Set<Int> = []
        var ahead = sections.isEmpty ? [] : [0]
        while let place = ahead.popLast() {
            guard sections.indices.contains(place), found.insert(place).inserted else { continue }
            ahead += next(after: place)
        }
        return found.sorted()
    }

    private func next(after place: Int) -> [Int] {
        let step = sections[place].step
        let goals = { (jump: Navigation.Jump) -> Int? in
            guard case .step(let name) = jump.target else { return nil }
            return sections.firstIndex { $0.step.identifier == name }
        }
        // The rules of a block's steps may lead away from it.
        var next = step.withInner.dropFirst().flatMap(\.navigation.goTo).compactMap(goals)
        for jump in step.navigation.goTo {
            let holds = jump.condition.map { $0.isCertain(in: arm, nil) } ?? true
            guard holds != false else { continue }
            let goal = goals(jump)
            next += [goal].compactMap(\.self)
            // A rule that leads back does so only a number of times.
            if holds == true, goal.map({ $0 > place }) ?? true { return next }
        }
        return step.isEnd ? next : next + [place + 1]
    }
}

extension RunPlan.Entry {
    /// Whether the step, or a block around it, is certainly left out.
    fileprivate func isLeftOut(in arm: Identifier?) -> Bool {
        step.navigation.skipIf.contains { $0.isCertain(in: arm, self) == true }
            || blocks.flatMap(\.step.navigation.skipIf).contains { $0.isCertain(in: arm, nil) == true }
    }
}

extension Navigation.Condition {
    /// Whether it holds, whatever happens in the run; `nil` if the run decides.
    ///
    /// - Parameter entry: the step whose rule it is, with its round; `nil` for an element of the task's list.
    fileprivate func isCertain(in arm: Identifier?, _ entry: RunPlan.Entry?) -> Bool? {
        holds(isAnswered: { _ in nil }) { subject, comparison, value in
            let known: Answer.Compared? =
                switch subject {
                case .arm: arm.map { .anyOf([$0.text]) }
                case .round: entry?.round.map { .number(Double($0)) }
                case .clip(let step, let attribute):
                    (entry?.blocks.last { $0.step.identifier == step }?.clip).flatMap {
                        $0.stimulus.compared(attribute, with: value)
                    }
                case .answer, .timedOut, .heartRate, .soundLevel, .session: nil
                }
            return known?.compares(comparison, value)
        }
    }

    /// Whether it holds; `nil` if that depends on something that is not known.
    func holds(
        isAnswered: (Identifier) -> Bool?,
        compare: (Navigation.Subject, Navigation.Comparison, Navigation.Value) -> Bool?
    ) -> Bool? {
        switch self {
        case .compare(let subject, let comparison, let value): return compare(subject, comparison, value)
        case .isAnswered(let question): return isAnswered(question)
        case .not(let condition): return condition.holds(isAnswered: isAnswered, compare: compare).map { !$0 }
        case .all(let conditions):
            let parts = conditions.map { $0.holds(isAnswered: isAnswered, compare: compare) }
            return parts.contains(false) ? false : parts.contains(nil) ? nil : true
        case .any(let conditions):
            let parts = conditions.map { $0.holds(isAnswered: isAnswered, compare: compare) }
            return parts.contains(true) ? true : parts.contains(nil) ? nil : false
        }
    }
}

extension Stimulus {
    /// One of its values, in the form in which a condition compares it.
    func compared(_ attribute: String?, with value: Navigation.Value) -> Answer.Compared? {
        self.value(of: attribute).map { value.isText ? .anyOf([$0]) : .number(Double($0) ?? .nan) }
    }
}
