import StudyModel

/// The best guess of the next arm that can be made without the secret.
///
/// With blocks, it weighs every block that agrees with what was seen in the stratum. With minimisation, it works out the
/// imbalances as the program does. Of a list, only the ratio of its arms is known: then it is the arm with the fewest
/// participants so far (the convergence strategy of Blackwell and Hodges 1957).
struct InformedGuess {
    private let design: AllocationDesign
    /// Counts the participants; its secret does not matter.
    private var course: AllocationCourse
    /// What may be left of the current block of each stratum.
    private var blocks: [[String]: [Remainder]] = [:]
    /// How many participants of each stratum each arm has.
    private var seen: [[String]: [Int]] = [:]
    private var places: HeldPlaces

    /// What may be left of a block, and how likely that is.
    private struct Remainder {
        var arms: [Int]
        var weight: Double

        var isOver: Bool { arms.allSatisfy { $0 == 0 } }

        func chance(of arm: Int) -> Double { Double(arms[arm]) / Double(arms.reduce(0, +)) }
    }

    init(_ design: AllocationDesign) {
        self.design = design
        course = AllocationCourse(design, secret: [])
        places = HeldPlaces(of: design.arms)
    }

    /// The chance that the guess is right, if this is the arm. Among arms that are equally likely, the guess is random.
    func chanceOfBeingRight(_ levels: [String], _ arm: Identifier) -> Double {
        let chances = chances(levels)
        let highest = chances.max() ?? 0
        let candidates = chances.indices.filter { chances[$0] > highest - 1e-9 }
        return candidates.contains { design.arms[$0].identifier == arm } ? 1 / Double(candidates.count) : 0
    }

    private func chances(_ levels: [String]) -> [Double] {
        switch design.allocation.method {
        case .simple: design.arms.enumerated().map { places.isOpen($0) ? Double($1.ratio) : 0 }
        case .blocks(let sizes):
            design.arms.indices.map { arm in
                remainders(levels, sizes).reduce(0) { $0 + $1.weight * $1.chance(of: arm) }
            }
        case .minimisation(let minimisation): course.chances(minimising: levels, minimisation)
        case .list:
            zip(seen[levels] ?? design.arms.map { _ in 0 }, design.arms).map {
                -Double($0) / Double($1.ratio)
            }
        }
    }

    /// What may be left before the next participant of a stratum.
    private func remainders(_ levels: [String], _ sizes: [Int]) -> [Remainder] {
        (blocks[levels] ?? begun(sizes, weight: 1)).flatMap { remainder in
            let left = withoutClosed(remainder)
            return left.isOver ? begun(sizes, weight: left.weight).map(withoutClosed) : [left]
        }
    }

    /// Arms without places are passed over, wherever they stand in the block.
    private func withoutClosed(_ remainder: Remainder) -> Remainder {
        var left = remainder
        for arm in left.arms.indices where !places.isOpen(arm) { left.arms[arm] = 0 }
        return left
    }

    private func begun(_ sizes: [Int], weight: Double) -> [Remainder] {
        let sum = design.arms.map(\.ratio).reduce(0, +)
        return sizes.map { size in
            Remainder(arms: design.arms.map { $0.ratio * size / sum }, weight: weight / Double(sizes.count))
        }
    }

    /// Takes the arm of the next participant into account.
    mutating func see(_ levels: [String], in arm: Identifier) {
        guard let place = design.arms.firstIndex(where: { $0.identifier == arm }) else { return }
        seen[levels, default: design.arms.map { _ in 0 }][place] += 1
        defer { places.take(place) }
        switch design.allocation.method {
        case .simple, .list: return
        case .minimisation: course.record(levels, in: arm)
        case .blocks(let sizes):
            var weights: [[Int]: Double] = [:]
            for var remainder in remainders(levels, sizes) where remainder.arms[place] > 0 {
                remainder.weight *= remainder.chance(of: place)
                remainder.arms[place] -= 1
                for next in remainder.isOver ? begun(sizes, weight: remainder.weight) : [remainder] {
                    weights[next.arms, default: 0] += next.weight
                }
            }
            let all = weights.values.reduce(0, +)
            blocks[levels] = weights.map { Remainder(arms: $0.key, weight: $0.value / all) }
        }
    }
}
