package import StudyModel

extension RunPlan {
    /// Makes every draw of a run, bit by bit as <doc:Randomisation> defines version 1.
    ///
    /// - Parameters:
    ///   - study: the study, which holds `task`.
    ///   - participant: the participant's code, as given.
    ///   - number: the participant's number, from 1; only squares need it.
    ///   - session: from 1.
    package init(
        drawing study: Study, task: Study.Task, participant: String, number: Int?, session: Int, seed: UInt64
    ) throws(PlanProblem) {
        var drawing = PlanDrawing(
            study: study, task: task, participant: participant, number: number, session: session, seed: seed,
            after: try PlanDrawing(
                before: session, of: study, participant: participant, number: number, seed: seed))
        if let draw = try study.taskDraw(of: drawing) { drawing.record(draw) }
        if let draw = study.momentDraw(ofSession: session, for: participant, seed: seed) {
            drawing.record(draw)
        }
        let sections = try drawing.sections()
        self.init(
            study: study.identifier, revision: study.revision, task: task, participant: participant,
            session: session, seed: seed, sections: sections, draws: drawing.draws)
        decks = drawing.decks
        arm = study.arm
        guard let allocation = study.allocation, study.arm == nil else { return }
        factors = allocation.factors
        for arm in study.arms.map(study.inArm) {
            guard let own = arm.tasks.first(where: { $0.identifier == task.identifier }) else { continue }
            arms.append(
                try RunPlan(
                    drawing: arm, task: own, participant: participant, number: number, session: session,
                    seed: seed))
        }
    }
}

extension PlanDrawing {
    /// What the sessions before one have drawn; `nil` where no draw goes on from session to session.
    fileprivate init?(
        before session: Int, of study: Study, participant: String, number: Int?, seed: UInt64
    ) throws(PlanProblem) {
        guard study.stimulusSets.contains(where: \.isOverSessions) else { return nil }
        let order = try study.taskOrder(participant: participant, number: number, seed: seed)
        var last: PlanDrawing?
        for (place, earlier) in study.sessions.prefix(session - 1).enumerated() {
            let name = earlier.task ?? order.flatMap { $0.indices.contains(place) ? $0[place] : nil }
            let task = study.tasks.first { $0.identifier == name } ?? study.tasks[0]
            var drawing = PlanDrawing(
                study: study, task: task, participant: participant, number: number, session: place + 1,
                seed: seed, after: last)
            _ = try drawing.sections()
            last = drawing
        }
        guard let last else { return nil }
        self = last
    }

    /// Every pass through every step of the task.
    fileprivate mutating func sections() throws(PlanProblem) -> [RunPlan.Section] {
        var sections: [RunPlan.Section] = []
        for (step, count) in zip(task.steps, task.possiblePasses) {
            var passes: [[RunPlan.Entry]] = []
            for pass in 0..<count {
                var entries = try entries(of: step)
                try addMusic(to: &entries, of: step.identifier, pass: pass + 1)
                passes.append(entries)
            }
            sections.append(RunPlan.Section(step: step, passes: passes))
        }
        return sections
    }
}

extension RunPlan {
    /// The text whose SHA-256 begins with the seed of one of this participant's streams of chance.
    package func streamText(_ stream: String) -> String {
        Self.streamText(study, seed: seed, participant: participant, session: "\(session)", stream)
    }

    /// As above. Participant and session are empty for draws that are balanced over participants.
    static func streamText(
        _ study: Identifier, seed: UInt64, participant: String, session: String, _ stream: String
    ) -> String {
        "entrain/1\n\(study)\n\(seed)\n\(participant)\n\(session)\n\(stream)"
    }
}

extension Study.Task {
    /// No more passes than this are planned.
    private static let mostPasses = 1_000

    /// How often each element of the list can be gone through: once, and once more for each time that a jump may
    /// lead back over it.
    var possiblePasses: [Int] {
        var passes = [Int](repeating: 1, count: steps.count)
        for (target, last) in loops {
            let more = min(Self.mostPasses, max(0, steps[target].navigation.maximumVisits - 1))
            for section in target...last { passes[section] = min(Self.mostPasses, passes[section] + more) }
        }
        return passes
    }

    /// The elements that jumps lead back to, each with the last element from which a jump leads back to it.
    private var loops: [Int: Int] {
        var places: [Identifier: Int] = [:]
        for (place, step) in steps.enumerated() { places[step.identifier] = place }
        var loops: [Int: Int] = [:]
        for (place, step) in steps.enumerated() {
            for jump in step.jumps {
                guard case .step(let name) = jump.target, let target = places[name], target <= place else {
                    continue
                }
                loops[target] = place
            }
        }
        return loops
    }
}

extension Step {
    /// The step's own rules and, for a block, those of its steps.
    fileprivate var jumps: [Navigation.Jump] { withInner.flatMap(\.navigation.goTo) }
}
