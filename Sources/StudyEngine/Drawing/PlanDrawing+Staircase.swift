import Hashing
import StudyModel

extension PlanDrawing {
    /// The entries of one pass through a staircase. Each round has those of every rung, with the same draws: the answers
    /// decide which rung a run takes.
    mutating func entries(
        of step: Step, _ block: Block, _ staircase: Staircase, at path: [Identifier], pass: Int,
        in blocks: [RunPlan.Enclosing]
    ) throws(PlanProblem) -> [RunPlan.Entry] {
        guard let set = try block.set.map(set) else { return [] }
        var block = block
        block.staircase?.turns = turns(of: staircase, stream: stream("track", path, pass))
        let rows = rows(of: staircase, stream: stream("rung", path, pass))
        var around = RunPlan.Enclosing(step: step, path: path, pass: pass)
        around.step.kind = .block(block)
        var entries: [RunPlan.Entry] = []
        for round in 1...staircase.mostRounds {
            around.round = round
            let before = self
            // The first rung comes last, and what is recorded of the draws is its own.
            for rung in staircase.values.indices.reversed() {
                self = before
                let row = rung * staircase.rowsOfRung + rows[round - 1]
                around.clip = set.clip(row, method: "adapt", stream: nil)
                for inner in block.filled.isEmpty ? block.steps : block.filled[row] {
                    entries += try self.entries(of: inner, in: blocks + [around])
                }
            }
        }
        return entries
    }

    /// Which row of its rung each round takes, from 0.
    private mutating func rows(of staircase: Staircase, stream: String) -> [Int] {
        let count = staircase.rowsOfRung
        guard count > 1 else { return Array(repeating: 0, count: staircase.mostRounds) }
        var random = generator(stream)
        let rows = (1...staircase.mostRounds).map { _ in random.index(below: count) }
        record(
            Draw(
                stream: stream, method: "random", pool: (1...count).map { "\($0)" },
                chosen: rows.map { "\($0 + 1)" }))
        return rows
    }

    /// Which track comes when: lots in which each comes once, in a drawn order.
    private mutating func turns(of staircase: Staircase, stream: String) -> [Int] {
        let tracks = staircase.tracks
        guard tracks.count > 1 else { return Array(repeating: 0, count: staircase.mostTrials) }
        var random = generator(stream)
        var turns: [Int] = []
        for _ in 1...staircase.mostTrials {
            var lot = Array(tracks.indices)
            random.shuffle(&lot)
            turns += lot
        }
        let names = tracks.map { $0.identifier?.text ?? "" }
        record(
            Draw(stream: stream, method: "withoutReplacement", pool: names, chosen: turns.map { names[$0] }))
        return turns
    }
}
