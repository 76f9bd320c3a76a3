package import StudyModel

extension TaskRun {
    /// Whether the step on show waits for the participant's arm.
    private var isAllocating: Bool {
        visit?.entry.step.kind == .allocation && visit?.activity == .waiting && plan.arm == nil
    }

    /// Asks for the participant's arm, again if that failed. Does nothing if the participant has one.
    mutating func askForArm(into effects: inout [Effect]) {
        guard isAllocating else { return }
        present(.waitingForArm(problem: nil), into: &effects)
        effects.append(.allocate(plan.factors.map(memory.level(of:))))
    }

    /// Goes on with the plan of the arm, which is the same up to here.
    mutating func takeArm(_ arm: Identifier, at now: RunInstant, into effects: inout [Effect]) {
        guard isAllocating else { return }
        guard let own = plan.arms.first(where: { $0.arm == arm }) else {
            lackArm("the study has no arm '\(arm)'", into: &effects)
            return
        }
        plan = own
        while dealt.count < own.decks.count { dealt.append(0) }
        leave(from: now, at: now, into: &effects)
    }

    /// Says why there is no arm yet.
    mutating func lackArm(_ problem: String, into effects: inout [Effect]) {
        guard isAllocating else { return }
        present(.waitingForArm(problem: problem), into: &effects)
    }
}

extension RunMemory {
    /// An answer as a level of a factor; empty if there is none.
    fileprivate func level(of factor: Identifier) -> String { answer(to: factor)?.level ?? "" }
}

/// Allocates a participant, given the code and the levels of the factors. It yields `allocated` or `notAllocated`.
package typealias ArmSource = @Sendable (_ participant: String, _ levels: [String]) -> Event
