import StudyModel

/// Looks for allocations that cannot work, because of their design or the place of their steps.
struct AllocationChecks {
    private let study: Study
    private let allocation: AllocationShape.Draft?
    private let drafts: [TaskShape.Draft]
    private let reading: Reading

    init(
        _ study: Study, _ allocation: AllocationShape.Draft?, _ drafts: [TaskShape.Draft],
        _ reading: Reading
    ) {
        (self.study, self.allocation, self.drafts, self.reading) = (study, allocation, drafts, reading)
    }

    func check() {
        guard let allocation else {
            for step in drafts.flatMap(\.allocations) {
                reading.report(
                    .allocationStep, "the study does not say how its arms are allocated", at: step.range,
                    help:
                        "add 'allocation: {method: blocks, blocks: [4, 6]}' and 'arms', or leave the step out"
                )
            }
            return
        }
        checkDesign(allocation)
        for (place, draft) in drafts.enumerated() { checkSteps(of: draft, at: place, allocation) }
        for factor in allocation.factors { checkFactor(factor) }
        if allocation.value.commitment == nil {
            reading.report(
                .noCommitment, "the study does not name the secret of its allocation yet",
                at: allocation.method,
                help: "make one with 'entrain allocation create', and copy the line that it prints",
                severity: .warning)
        }
    }

    private func checkDesign(_ allocation: AllocationShape.Draft) {
        guard !study.arms.isEmpty else {
            reading.report(
                .allocationDesign, "there are no arms to be allocated to", at: allocation.method,
                help: "add 'arms: [music, quiet]', with names of your own")
            return
        }
        if allocation.value.method == .list {
            for factor in allocation.factors where ["arm", "slot"].contains(factor.value.text) {
                reading.report(
                    .allocationDesign, "the list has a column '\(factor.value)' of its own", at: factor.range,
                    help: "give the question another identifier")
            }
        }
        let isLimited = study.arms.contains { $0.places != nil }
        if isLimited, allocation.value.method == .list {
            reading.report(
                .allocationDesign, "the list says already how many places each arm has",
                at: allocation.method, help: "leave 'places' out of the arms")
        }
        if allocation.value.refills, !isLimited {
            reading.report(
                .allocationDesign, "no arm has a limited number of places that could be refilled",
                at: allocation.method, help: "add 'places' to the arms, or leave 'refill' out")
        }
        let sum = study.arms.map(\.ratio).reduce(0, +)
        for size in allocation.sizes where !size.value.isMultiple(of: sum) {
            let near = max(1, (size.value + sum / 2) / sum) * sum
            reading.report(
                .allocationDesign, "a block of \(size.value) cannot give every arm its share", at: size.range,
                help: Help("write a multiple of \(sum), such as \(near)"))
        }
    }

    private func checkSteps(
        of draft: TaskShape.Draft, at place: Int, _ allocation: AllocationShape.Draft
    ) {
        guard let step = draft.allocations.first else {
            reading.report(
                .allocationStep,
                "the task '\(draft.identifier.value)' has no step that allocates the arm",
                at: draft.identifier.range,
                help:
                    "add '- {type: allocation, identifier: allocation}' behind the consent and the questions that count for it"
            )
            return
        }
        let task = study.tasks[place]
        for other in draft.allocations.dropFirst() {
            reading.report(
                .allocationStep, "the task allocates the arm already", at: other.range,
                help: "leave this step out: each participant is allocated once")
        }
        guard let first = task.allocationPlace else { return }
        let (before, own) = (task.steps[..<first], task.steps[first])
        if own.isOptional || !own.navigation.skipIf.isEmpty {
            reading.report(
                .allocationStep, "nobody can pass over the allocation", at: step.range,
                help: "leave 'optional' and 'skipIf' out; let those who take no part go to an end before it")
        }
        if let problem = disorder(before, in: task, after: first) ?? difference(before, in: task, at: place) {
            reading.report(.allocationOrder, problem.words, at: step.range, help: problem.help)
        }
    }

    /// What is wrong with the order of the steps around the allocation.
    private func disorder(
        _ before: ArraySlice<Step>, in task: Study.Task, after first: Int
    ) -> (words: String, help: Help)? {
        if let consent = task.steps[first...].flatMap(\.withInner).first(where: { $0.consent != nil }) {
            return (
                "the consent '\(consent.identifier)' comes after the allocation",
                "put the allocation behind it: only who agrees is allocated"
            )
        }
        for step in before.flatMap(\.withInner) {
            if step.conditions.flatMap(\.subjects).contains(.arm) {
                return (
                    "the step '\(step.identifier)' asks for the arm before it is allocated",
                    "put the allocation before that step"
                )
            }
            for jump in step.navigation.goTo {
                guard case .step(let name) = jump.target,
                    let target = task.steps.firstIndex(where: { $0.identifier == name }), target > first
                else { continue }
                if task.steps[target].isEnd { continue }
                return (
                    "a rule of '\(step.identifier)' leads past the allocation to '\(name)'",
                    "let it lead to the allocation, to a completion step, or to the end"
                )
            }
        }
        return nil
    }

    /// What differs between arms before the allocation, when the arm is not known yet.
    private func difference(
        _ before: ArraySlice<Step>, in task: Study.Task, at place: Int
    ) -> (words: String, help: Help)? {
        let help: Help = "use the values of arms only in steps behind the allocation"
        for arm in study.arms where arm.tasks.indices.contains(place) {
            let other = arm.tasks[place]
            if let (step, _) = zip(before, other.steps).first(where: { $0 != $1 || differs($0, in: arm) }) {
                return (
                    "the step '\(step.identifier)' comes before the allocation and differs between arms", help
                )
            }
            let ends = zip(task.steps, other.steps).filter { $0.0.isEnd && $0.0 != $0.1 }
            let isReached = { (name: Identifier) in
                before.flatMap(\.withInner).flatMap(\.navigation.goTo).contains {
                    $0.target == .step(name)
                }
            }
            if let end = ends.first(where: { isReached($0.0.identifier) })?.0 {
                return (
                    "a rule leads to '\(end.identifier)' before the allocation, and it differs between arms",
                    help
                )
            }
            var (same, own) = (task, other)
            (same.steps, own.steps) = ([], [])
            // Music behind the allocation may be that of the arm.
            let isBehind = { (music: SpanningMusic) in !before.contains { $0.identifier == music.from } }
            same.music.removeAll(where: isBehind)
            own.music.removeAll(where: isBehind)
            if same.music != own.music {
                return ("music of the task begins before the allocation and differs between arms", help)
            }
            if same != own {
                return ("the task's own keys differ between arms, and hold from its beginning", help)
            }
        }
        return nil
    }

    /// Whether a block goes through different rows in an arm.
    private func differs(_ step: Step, in arm: Study.Arm) -> Bool {
        step.withInner.contains { inner in
            guard let set = inner.block?.set else { return false }
            return study.conditions.first { $0.identifier == set }
                != arm.conditions.first { $0.identifier == set }
        }
    }

    /// Reports a factor that is not a question with few possible answers, or that is asked too late.
    private func checkFactor(_ factor: Located<Identifier>) {
        let name = factor.value
        let formats = study.tasks.compactMap { $0.format(of: name) }
        let levels = study.tasks.flatMap(\.scores).compactMap(\.levelIdentifier)
        guard !formats.isEmpty || levels.contains(name) else {
            let known =
                study.tasks.flatMap(\.allSteps).flatMap(\.questions).map(\.identifier).filter(isGrouping)
                + levels
            reading.report(
                .unknownQuestion, "there is no question '\(name)'", at: factor.range,
                help: Help.nearest(
                    to: name.text, among: Set(known.map(\.text)).sorted(),
                    all: "the questions with few answers are")
                    ?? "name a question with one choice, yes or no, or the level of a score")
            return
        }
        guard levels.contains(name) || isGrouping(name) else {
            reading.report(
                .allocationDesign, "the answers to '\(name)' do not make a few groups", at: factor.range,
                help:
                    "name a question with one choice, or yes or no; or give a score 'levels', and name 'SCORE.level'"
            )
            return
        }
        let isInTime = study.tasks.contains { task in
            guard let first = task.allocationPlace else { return false }
            let before = task.steps[..<first].flatMap(\.withInner)
            let scored = task.scores.first { $0.levelIdentifier == name }
            return before.contains {
                $0.identifier == scored?.step || $0.asks(name)
            }
        }
        guard !isInTime else { return }
        reading.report(
            .allocationOrder, "'\(name)' is asked after the allocation", at: factor.range,
            help: "put the question before the step of type allocation")
    }

    /// Whether a question has only a few possible answers.
    private func isGrouping(_ question: Identifier) -> Bool {
        study.tasks.contains { $0.format(of: question)?.levels != nil }
    }
}
