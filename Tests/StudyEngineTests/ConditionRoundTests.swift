import StudyEngine
import StudyModel
import Testing

/// Blocks that go through conditions.
@Suite struct ConditionRoundTests {
    private static let rows = StimulusSet(
        identifier: "tempi",
        pool: (["slow", "middle", "fast"] as [Identifier]).map {
            Stimulus(identifier: $0, file: "", path: "", attributes: ["tempo": "60"])
        })

    private func plan(_ constraints: [OrderConstraint], participant: String) throws -> RunPlan {
        var rounds = Block(repetitions: 2, set: "tempi", order: .shuffle(constraints), steps: [read("tell")])
        rounds.filled = ["slow", "middle", "fast"].map { name in
            var step = read("tell")
            step.title = .plain(name)
            return [step]
        }
        let task = Study.Task(identifier: "T", steps: [block("b", rounds), thanks])
        var study = Study(identifier: "s", title: .plain("S"), tasks: [task])
        study.conditions = [Self.rows]
        return try RunPlan(
            drawing: study, task: task, participant: participant, number: nil, session: 1, seed: 1)
    }

    @Test(arguments: 0..<50)
    func `each round shows the steps of its condition`(number: Int) throws {
        let plan = try plan([.notFirst(["fast"]), .notLast(["slow"])], participant: "P\(number)")
        let entries = plan.sections[0].passes[0]
        #expect(
            entries.map { $0.step.title?.text(in: nil) }
                == entries.map { $0.clipOfRound?.stimulus.identifier.text })
        #expect(plan.draws.map(\.chosen) == [entries.compactMap { $0.step.title?.text(in: nil) }])
        #expect(plan.draws[0].chosen.first != "fast" && plan.draws[0].chosen.last != "slow")
        #expect(plan.draws[0].constraints == [.notFirst(["fast"]), .notLast(["slow"])])
        #expect(plan.draws[0].categories == nil || plan.draws[0].categories == [:])
    }
}
