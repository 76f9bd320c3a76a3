import BundleReplay
import Console
import StudyEngine
import StudyFile
import StudyModel
import StudySession

extension Study {
    /// Warnings about steps that no rehearsed participant came to, and about outcomes whose steps none of an arm came
    /// to. A rehearsal without hearts, hands and a microphone: rules that look at them never hold in it.
    func placesNobodyCameTo(at parsed: ParsedStudy) throws -> [Diagnostic] {
        let isGuided = tasks.contains { $0.observesHeartRate || $0.observesSoundLevel }
        let areStepsJudged = !isGuided && !tasks.contains(where: \.asksForReactions)
        guard areStepsJudged || !outcomes.isEmpty else { return [] }
        var seen = try arms.isEmpty ? [VisitedSteps(of: self)] : arms.map(visited)
        var found = outcomesNobodyHas(seen, isGuided: isGuided, at: parsed)
        guard areStepsJudged else { return found }
        func left() -> [StepPlace] {
            parsed.stepPlaces.filter { place in
                !seen.contains { $0.paths[place.task]?.contains(place.path) == true }
            }
        }
        while !left().isEmpty, let tried = seen.first?.participants, tried < VisitedSteps.most,
            seen.reduce(0, { $0 + $1.visits }) < VisitedSteps.mostVisits
        {
            for index in seen.indices { try seen[index].add(VisitedSteps.few) }
        }
        // Of so long a study, too few were rehearsed to say anything.
        guard seen.allSatisfy({ $0.participants >= VisitedSteps.most }) else { return found }
        let unseen = left()
        found += unseen.filter { place in !unseen.contains { place.isWithin($0) } }.map { place in
            let count = seen.reduce(0) { $0 + $1.participants }
            return Diagnostic(
                .warning, .unreachableStep,
                "none of \(count) rehearsed participants came to the step '\(place.path)'", at: place.place,
                help:
                    "look at the rules that lead past it; if a rare answer leads to it, say so: 'expect: {unreachable-step: REASON}'"
            )
        }
        return found
    }

    private func visited(in arm: Arm) throws -> VisitedSteps {
        guard allocation != nil else { return try VisitedSteps(of: inArm(arm)) }
        return try VisitedSteps(of: self) { _, _ in .allocated(arm.identifier, slot: 1) }
    }

    private func outcomesNobodyHas(
        _ seen: [VisitedSteps], isGuided: Bool, at parsed: ParsedStudy
    ) -> [Diagnostic] {
        zip(outcomes, parsed.outcomePlaces).compactMap { outcome, place in
            let steps = Set(outcome.subject.steps)
            let isSeen = seen.map { visited in visited.paths.values.contains { !$0.isDisjoint(with: steps) } }
            guard isSeen.contains(false), isSeen.contains(true) || !isGuided else { return nil }
            let without = zip(arms, isSeen).filter { !$1 }.map { "'\($0.0.identifier)'" }
            let whose = isSeen.contains(true) ? " of the arm \(without.joined(separator: " and "))" : ""
            return Diagnostic(
                .warning, .noValue,
                "no participant\(whose) came to '\(outcome.subject.name)' in a rehearsal, so none has a value of it",
                at: place, help: "let rules lead to it, or name another step")
        }
    }
}

extension StepPlace {
    /// Whether it is a step of a block.
    fileprivate func isWithin(_ block: StepPlace) -> Bool {
        task == block.task && path.hasPrefix(block.path + ".")
    }
}

/// The steps that rehearsed participants came to.
private struct VisitedSteps {
    private let study: Study
    private let armSource: ArmSource?
    private(set) var participants = 0
    private(set) var visits = 0
    /// Paths with dots between, by task, of all sessions.
    private(set) var paths: [Identifier: Set<String>] = [:]

    /// How many participants are enough for a study without rare ways.
    static let few = 12
    /// How many look for a rare way: of one that one in fifty takes, all miss it in 2 % of studies.
    static let most = 200
    /// How many visits of steps are enough in a long study.
    static let mostVisits = 20_000

    init(of study: Study, armSource: ArmSource? = nil) throws {
        (self.study, self.armSource) = (study, armSource)
        try add(Self.few)
    }

    /// Rehearses further participants, each in all sessions, one after another.
    mutating func add(_ count: Int) throws {
        let earlier = RehearsedAnswers()
        for number in participants + 1...participants + count {
            for session in 1...max(1, study.sessions.count) {
                for task in study.tasks {
                    let plan = try RunPlan(
                        drawing: study, task: task, participant: ParticipantOptions.code(of: number),
                        number: number, session: session, seed: study.seed ?? 1)
                    let run = Rehearsal(
                        plan, with: SimulatedParticipant(for: plan, language: nil, answers: [:]),
                        armSource: armSource, recalling: earlier.recalled(by: plan))
                    if let name = study.session(numbered: session)?.identifier {
                        earlier.remember(run.results, of: plan.participant, in: name)
                    }
                    for result in run.results where result.skip == nil {
                        // Whoever came to a step came to the blocks around it.
                        for depth in result.path.indices {
                            paths[task.identifier, default: []].insert(
                                result.path[...depth].dotted)
                        }
                    }
                    visits += run.results.count
                }
            }
        }
        participants += count
    }
}
