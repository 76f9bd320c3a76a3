import StudyEngine
import StudyModel
import Testing

/// Draws that go on from session to session.
@Suite struct OverSessionsTests {
    /// - Parameter draws: how many clips each session draws.
    private func clips(
        _ method: DrawMethod, draws: [Int], number: Int = 1, of count: Int = 6
    ) throws -> [[Identifier]] {
        var set = StimulusSet(identifier: "clips", pool: Array(sixClips.prefix(count)))
        set.isOverSessions = true
        let tasks = draws.enumerated().map { place, count in
            Study.Task(
                identifier: Identifier("T\(place)") ?? "T",
                steps: (0..<count).map { timed(Identifier("s\($0)") ?? "s", stimulus: draw(method)) } + [
                    thanks
                ])
        }
        var study = Study(identifier: "golden", title: .plain("G"), stimulusSets: [set], tasks: tasks)
        study.sessions = tasks.map { Study.Session(identifier: $0.identifier, task: $0.identifier) }
        return try tasks.enumerated().map { place, task in
            let plan = try RunPlan(
                drawing: study, task: task, participant: "P\(number)", number: number, session: place + 1,
                seed: 1)
            #expect(plan.draws.flatMap(\.chosen).count == draws[place])
            return plan.decks.flatMap(\.clips).map(\.stimulus.identifier)
        }
    }

    @Test(arguments: 1...20)
    func `no clip comes twice until all were heard`(number: Int) throws {
        let heard = try clips(.withoutReplacement, draws: [2, 1, 3, 4], number: number)
        #expect(heard.map(\.count) == [2, 1, 3, 4])
        #expect(Set(heard.prefix(3).joined()).count == 6 && Set(heard[3]).count == 4)
    }

    @Test func `each participant has an order of their own`() throws {
        let orders = try (1...20).map {
            try clips(.withoutReplacement, draws: [3, 3], number: $0).flatMap(\.self)
        }
        #expect(Set(orders).count > 15)
    }

    @Test(arguments: [(3, 6), (4, 4), (6, 6)])
    func `sessions go through a row of a Williams design`(count: Int, rows: Int) throws {
        let orders = try (1...rows).map {
            try clips(.williams, draws: Array(repeating: 1, count: count), number: $0, of: count).flatMap(
                \.self)
        }
        #expect(Set(orders).count == rows)
        var neighbours: [String: Int] = [:]
        for order in orders {
            #expect(Set(order).count == count)
            for (first, second) in zip(order, order.dropFirst()) {
                neighbours["\(first)>\(second)", default: 0] += 1
            }
        }
        #expect(neighbours.count == count * (count - 1) && Set(neighbours.values) == [rows / count])
    }

    @Test func `sessions go through the pool or a row of a Latin square`() throws {
        #expect(try clips(.fixed, draws: [2, 1, 3]) == [["a", "b"], ["c"], ["d", "e", "f"]])
        let rows = try (1...6).map { try clips(.latinSquare, draws: [1, 2, 3], number: $0).flatMap(\.self) }
        for place in 0..<6 { #expect(Set(rows.map { $0[place] }).count == 6) }
        for row in rows { #expect(Set(row).count == 6) }
    }
}
