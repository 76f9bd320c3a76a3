import StudyEngine
import StudyModel
import Testing

/// Squares through the plans of a full set of participants.
@Suite struct SquareTests {
    private static func orders(of count: Int, _ order: Block.Order, rows: Int) throws -> [[Identifier]] {
        let pool = (0..<count).compactMap { Identifier("c\($0)") }.map { clip($0) }
        let listen = timed("listen", stimulus: Stimulus.Use(choice: .roundOf(set: "set")))
        let step = block("b", Block(set: "set", order: order, steps: [listen]))
        return try (1...rows).map { number in
            let plan = try makePlan(
                [step], sets: [StimulusSet(identifier: "set", pool: pool)], participant: "P\(number)")
            return plan.sections[0].passes[0].compactMap { $0.clip?.stimulus.identifier }
        }
    }

    @Test(arguments: [(3, 6), (4, 4), (5, 10), (6, 6)])
    func `balances places and neighbours over a full Williams design`(count: Int, rows: Int) throws {
        let orders = try Self.orders(of: count, .williams, rows: rows)
        #expect(Set(orders).count == rows)
        var places: [String: Int] = [:]
        var neighbours: [String: Int] = [:]
        for order in orders {
            #expect(Set(order).count == count)
            for (place, clip) in order.enumerated() { places["\(clip)@\(place)", default: 0] += 1 }
            for (first, second) in zip(order, order.dropFirst()) {
                neighbours["\(first)>\(second)", default: 0] += 1
            }
        }
        #expect(places.count == count * count && Set(places.values) == [rows / count])
        #expect(neighbours.count == count * (count - 1) && Set(neighbours.values) == [rows / count])
    }

    @Test(arguments: 1...7)
    func `balances places over a Latin square`(count: Int) throws {
        let orders = try Self.orders(of: count, .latinSquare, rows: count)
        for place in 0..<count { #expect(Set(orders.map { $0[place] }).count == count) }
        for order in orders { #expect(Set(order).count == count) }
    }

    @Test func `begins again after the last row`() throws {
        let orders = try Self.orders(of: 3, .williams, rows: 13)
        #expect(orders[6] == orders[0] && orders[12] == orders[0] && orders[3] == orders[0].reversed())
    }
}

extension RunPlan.Entry {
    /// The clip of an entry that has its own.
    var clip: DrawnStimulus? {
        guard case .clip(let clip) = stimulus else { return nil }
        return clip
    }
}
