import Hashing
import StudyModel
import Testing

@testable import Allocating

/// What designs are worth, against published figures.
@Suite struct AllocationSimulationTests {
    @Test func `a block of 20 is guessed as published`() {
        let simulation = AllocationSimulation(
            design(.blocks([20])), levels: [], participants: 20, trials: 4_000, seed: 1)
        #expect(abs(simulation.guessed - 0.616) < 0.01, "\(simulation.guessed)")
        #expect(simulation.spread.largest == 0)
        // Three of a block of four: two and one.
        let torn = AllocationSimulation(
            design(.blocks([4])), levels: [], participants: 19, trials: 100, seed: 1)
        #expect(torn.spread.largest == 1 && torn.spread.mean == 1)
    }

    @Test func `a biased coin of 0.7 is guessed as published`() {
        let coin = design(.minimisation(.init(weights: [], probability: 0.7)))
        let simulation = AllocationSimulation(
            coin, levels: [], participants: 20, trials: 4_000, seed: 1)
        #expect(abs(simulation.guessed - 0.633) < 0.01, "\(simulation.guessed)")
    }

    /// The share of right guesses that is possible at most: of every history, the likelier next arm.
    private static func optimum(_ sizes: [Int], ratios: [Int], participants: Int) -> Double {
        func chance(of history: ArraySlice<Int>, _ block: [Int]) -> Double {
            guard let next = history.first else { return 1 }
            let left = block.reduce(0, +)
            guard left > 0 else {
                return sizes.map { size in
                    chance(of: history, ratios.map { $0 * size / ratios.reduce(0, +) })
                }.reduce(0, +) / Double(sizes.count)
            }
            var rest = block
            rest[next] -= 1
            return rest[next] < 0
                ? 0 : Double(block[next]) / Double(left) * chance(of: history.dropFirst(), rest)
        }
        var (histories, sum): ([[Int]], Double) = ([[]], 0)
        for _ in 1...participants {
            let longer = histories.map { history in ratios.indices.map { history + [$0] } }
            sum += longer.map { $0.map { chance(of: $0[...], ratios.map { _ in 0 }) }.max() ?? 0 }.reduce(
                0, +)
            histories = longer.flatMap(\.self)
        }
        return sum / Double(participants)
    }

    @Test(arguments: [
        ([2, 4], [1, 1], 8), ([4, 6], [1, 1], 10), ([5], [1, 4], 8), ([3, 6], [1, 2], 8),
    ])
    func `blocks are guessed as often as is possible`(sizes: [Int], ratios: [Int], participants: Int) {
        let simulation = AllocationSimulation(
            design(.blocks(sizes), ratios: ratios), levels: [], participants: participants, trials: 20_000,
            seed: 1)
        let most = Self.optimum(sizes, ratios: ratios, participants: participants)
        #expect(abs(simulation.guessed - most) < 0.005, "\(simulation.guessed), \(most)")
    }

    /// After two participants who are alike, the next one is a draw, and the one after that is known.
    @Test func `minimisation without chance is known at every second participant`() {
        let simulation = AllocationSimulation(
            design(.minimisation(.init(weights: [], probability: 1))), levels: [], participants: 20,
            trials: 4_000, seed: 1)
        #expect(abs(simulation.guessed - 0.75) < 0.005, "\(simulation.guessed)")
    }

    /// A guesser of its own, by hand: with two factors of equal weight, the arm with fewer participants of both kinds.
    @Test(arguments: [0.7, 0.8, 1])
    func `minimisation is guessed by whoever counts the answers`(probability: Double) {
        let minimised = design(
            .minimisation(.init(weights: [1, 1], probability: probability)), by: ["sex", "age"])
        var random = AllocationDraws([7], study: "guessed", slot: 1, levels: [])
        var (hits, all) = (0.0, 0.0)
        for trial in 0..<2_000 {
            var course = AllocationCourse(minimised, secret: [UInt8(trial % 256), UInt8(trial / 256)])
            var lead: [String: Int] = [:]
            for _ in 0..<30 {
                let own = [["f", "m"][random.index(below: 2)], ["young", "old"][random.index(below: 2)]]
                guard let arm = course.next(own) else { return }
                course.record(own, in: arm)
                // The spread of a factor grows by one if its own lead is kept, and shrinks if it is lost.
                let ifMusic = own.map { abs(lead[$0, default: 0] + 1) }.reduce(0, +)
                let ifQuiet = own.map { abs(lead[$0, default: 0] - 1) }.reduce(0, +)
                hits += ifMusic == ifQuiet ? 0.5 : (ifMusic < ifQuiet) == (arm == "music") ? 1 : 0
                all += 1
                for level in own { lead[level, default: 0] += arm == "music" ? 1 : -1 }
            }
        }
        let simulation = AllocationSimulation(
            minimised, levels: [["f", "m"], ["young", "old"]], participants: 30, trials: 2_000, seed: 1)
        #expect(abs(simulation.guessed - hits / all) < 0.01, "\(simulation.guessed), \(hits / all)")
    }

    @Test func `with unequal arms, the bigger one is the guess`() {
        let simulation = AllocationSimulation(
            design(.simple, ratios: [1, 4]), levels: [], participants: 50, trials: 1_000, seed: 1)
        #expect(abs(simulation.guessed - 0.8) < 0.01, "\(simulation.guessed)")
    }

    @Test func `nobody guesses simple draws`() {
        let simulation = AllocationSimulation(
            design(.simple), levels: [], participants: 50, trials: 1_000, seed: 1)
        #expect(abs(simulation.guessed - 0.5) < 0.01, "\(simulation.guessed)")
    }
}
