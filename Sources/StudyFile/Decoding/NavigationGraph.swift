import StudyModel

/// Which step of a task's own list can follow which.
struct NavigationGraph {
    private let steps: TaskSteps

    init(_ steps: TaskSteps) { self.steps = steps }

    /// Reports endless loops, steps that cannot be reached, and rules that are never tested.
    func check() {
        for (position, draft) in steps.drafts.enumerated() {
            for jump in jumps(of: draft) { checkLoop(jump, from: position) }
            for step in draft.withInner {
                checkRules(of: step, at: position)
                checkRounds(of: step, at: position)
            }
        }
        let reached = reachable()
        for (position, draft) in steps.drafts.enumerated() where !reached.contains(position) {
            reportUnreached(draft)
        }
    }

    private func jumps(of draft: StepDraft) -> [JumpDraft] { draft.withInner.flatMap(\.goTo) }

    private func position(of jump: JumpDraft) -> Int? {
        Identifier(jump.target.value).flatMap { steps.positions[$0] }
    }

    private func checkLoop(_ jump: JumpDraft, from position: Int) {
        guard let target = self.position(of: jump), target <= position else { return }
        guard steps.drafts[target].maximumVisits == 1, !steps.drafts[target].seemsLimited() else { return }
        steps.reading.report(
            .endlessNavigation, "this leads back to '\(jump.target.value)' and could go on for ever",
            at: jump.target.range,
            help: Help(
                "loops need maximumVisits: say how often at the step '\(jump.target.value)', such as 'maximumVisits: 3'"
            ))
    }

    /// Whether a rule holds at every visit. A rule that leads back ends with the target's last visit.
    private func isFinal(_ jump: JumpDraft, at position: Int) -> Bool {
        guard jump.isUnconditional else { return false }
        guard let target = self.position(of: jump) else { return jump.target.value == "end" }
        return target > position || steps.drafts[target].maximumVisits == 1
    }

    private func checkRules(of step: StepDraft, at position: Int) {
        guard let last = step.goTo.firstIndex(where: { isFinal($0, at: position) }) else { return }
        for rule in step.goTo[(last + 1)...] {
            steps.reading.report(
                .unreachableRule, "this rule is never tried: the one before it always holds",
                at: rule.target.range, help: "give the rule before it a condition, or remove this one")
        }
    }

    /// Reports what comes after a rule in a block that leads out of it in the first round.
    private func checkRounds(of block: StepDraft, at position: Int) {
        guard let place = block.inner.firstIndex(where: { isLeft(by: $0, at: position) }) else { return }
        for step in block.inner[(place + 1)...] { reportUnreached(step) }
        let last = block.inner[place]
        guard let rounds = block.step?.block, rounds.set != nil || rounds.repetitions > 1,
            let jump = last.goTo.first(where: { isFinal($0, at: position) })
        else { return }
        steps.reading.report(
            .unreachableStep,
            "no path leads to the later rounds of '\(block.identifier?.value.text ?? "the block")': this leads out of it in the first",
            at: jump.target.range, help: "give the rule a condition, or write it at the block itself",
            severity: .warning)
    }

    /// Whether the run always leaves the step, and the block that it is in, by a rule.
    private func isLeft(by step: StepDraft, at position: Int) -> Bool {
        step.skipIf.isEmpty
            && (step.goTo.contains { isFinal($0, at: position) }
                || step.inner.contains { isLeft(by: $0, at: position) })
    }

    private func reportUnreached(_ draft: StepDraft) {
        let name = draft.identifier?.value.text ?? "this"
        steps.reading.report(
            .unreachableStep, "no path leads to the step '\(name)'", at: draft.range,
            help:
                "a rule before it always leads elsewhere; give that rule a condition, or remove the step")
    }

    private func reachable() -> Set<Int> {
        var reached: Set<Int> = []
        var pending = [0]
        while let position = pending.popLast() {
            guard steps.drafts.indices.contains(position), reached.insert(position).inserted else { continue }
            let draft = steps.drafts[position]
            pending += jumps(of: draft).compactMap { self.position(of: $0) }
            let isLast = draft.isCompletion && draft.skipIf.isEmpty || isLeft(by: draft, at: position)
            if !isLast { pending.append(position + 1) }
        }
        return reached
    }
}
