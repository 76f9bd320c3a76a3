import Hashing
package import StudyModel

extension Study {
    /// The order in which a participant does the tasks, one a session; `nil` if the study has none.
    ///
    /// - Parameters:
    ///   - number: the participant's, from 1; only squares need it.
    package func taskOrder(
        participant: String, number: Int?, seed: UInt64
    ) throws(PlanProblem) -> [Identifier]? {
        switch nextTask {
        case nil, .menu: return nil
        case .fixed: return tasks.map(\.identifier)
        case .shuffle, .latinSquare, .williams:
            return try taskDraw(participant: participant, number: number, seed: seed)
                .chosen.compactMap { Identifier($0) }
        }
    }

    /// The plan's draw for the order of the tasks, or for the choice among them.
    func taskDraw(of plan: PlanDrawing) throws(PlanProblem) -> Draw? {
        switch nextTask {
        case nil, .fixed: return nil
        case .menu:
            return Draw(
                stream: "tasks", method: "menu", pool: tasks.map(\.identifier.text),
                chosen: [plan.task.identifier.text])
        case .shuffle, .latinSquare, .williams:
            return try taskDraw(participant: plan.participant, number: plan.number, seed: plan.seed)
        }
    }

    private func taskDraw(participant: String, number: Int?, seed: UInt64) throws(PlanProblem) -> Draw {
        let names = tasks.map(\.identifier.text)
        let square: Square? = nextTask == .latinSquare ? .latin : nextTask == .williams ? .williams : nil
        let text = RunPlan.streamText(
            identifier, seed: seed, participant: square == nil ? participant : "", session: "", "tasks")
        var random = SplitMix64(seed: SHA256.streamSeed(of: text))
        var order = Array(tasks.indices)
        random.shuffle(&order)
        var draw = Draw(stream: "tasks", method: nextTask?.rawValue ?? "", pool: names, chosen: [])
        if let square {
            guard let number else { throw .numberNeeded(set: "tasks") }
            let row = square.row(number: number, session: 1, size: tasks.count)
            order = square.order(row: row, size: tasks.count).map { order[$0] }
            (draw.number, draw.row) = (number, row)
        }
        draw.chosen = order.map { names[$0] }
        return draw
    }
}
