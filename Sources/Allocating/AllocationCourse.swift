import Hashing
package import StudyModel

/// The allocations of a study so far, from which the next one follows. Anybody who has the secret can derive each
/// of them.
package struct AllocationCourse: Sendable {
    private let design: AllocationDesign
    private let secret: [UInt8]
    private let list: AllocationList?
    /// How many slots are taken.
    private var taken = 0
    /// The strata, by levels.
    private var strata: [[String]: Stratum] = [:]
    /// How many participants each arm has, by factor and level; without factors, one factor that all participants
    /// share.
    private var counts: [[String: [Int]]]
    /// The places of the arms that have not got as many participants as they can have.
    private var places: HeldPlaces

    /// The participants with the same levels.
    private struct Stratum {
        var slots = 0
        /// The remaining arms of the current block.
        var block: [Int] = []
        var dealt = 0
    }

    /// - Parameters:
    ///   - secret: the key of all draws.
    ///   - list: the slots, if the design's method is a list.
    package init(_ design: AllocationDesign, secret: [UInt8], list: AllocationList? = nil) {
        (self.design, self.secret, self.list) = (design, secret, list)
        places = HeldPlaces(of: design.arms)
        counts = Array(repeating: [:], count: max(1, design.allocation.factors.count))
    }

    /// The arm of the next slot, if it is for a participant with these levels of the factors.
    ///
    /// - Returns: `nil` if all places are taken, or if the list has no slot left for them.
    package mutating func next(_ levels: [String]) -> Identifier? {
        guard !isFull else { return nil }
        let arm: Int? =
            switch design.allocation.method {
            case .simple: simple()
            case .blocks(let sizes): dealt(levels, sizes)
            case .minimisation(let minimisation): minimised(levels, minimisation)
            case .list: nil
            }
        guard let arm else { return list?.arm(for: levels, after: strata[levels]?.slots ?? 0) }
        return design.arms[arm].identifier
    }

    /// Records that the next slot, in an arm, went to a participant with these levels.
    package mutating func record(_ levels: [String], in arm: Identifier) {
        // The slot is dealt from a block, which must exist.
        if !isFull, case .blocks(let sizes) = design.allocation.method { _ = dealt(levels, sizes) }
        taken += 1
        strata[levels, default: Stratum()].slots += 1
        strata[levels, default: Stratum()].dealt += 1
        guard let place = place(of: arm) else { return }
        places.take(place)
        let none = zeros
        for (factor, level) in countedLevels(levels).enumerated() {
            counts[factor][level, default: none][place] += 1
        }
    }

    /// Whether every arm has as many participants as it can have.
    var isFull: Bool { places.open.isEmpty }

    /// Says that a participant of an arm completed, or did not: then the place is given again if the design does so.
    mutating func hold(_ isHeld: Bool, in arm: Identifier) {
        guard design.allocation.refills, let place = place(of: arm) else { return }
        if isHeld { places.take(place) } else { places.giveBack(place) }
    }

    private func place(of arm: Identifier) -> Int? { design.arms.firstIndex { $0.identifier == arm } }

    /// Counts a participant of an arm with other levels from now on. Their place in a block, or in a list, stays taken.
    mutating func correct(from old: [String], to new: [String], in arm: Identifier) {
        guard let place = place(of: arm) else { return }
        let none = zeros
        for (factor, pair) in zip(countedLevels(old), countedLevels(new)).enumerated() {
            counts[factor][pair.0, default: none][place] -= 1
            counts[factor][pair.1, default: none][place] += 1
        }
    }

    private var zeros: [Int] { Array(repeating: 0, count: design.arms.count) }

    /// In a design without factors, everybody has the same level of a single factor.
    private func countedLevels(_ levels: [String]) -> [String] {
        let count = design.allocation.factors.count
        return count == 0 ? [""] : (0..<count).map { levels.indices.contains($0) ? levels[$0] : "" }
    }

    private func draws(slot: Int, levels: [String] = []) -> AllocationDraws {
        AllocationDraws(secret, study: design.study, slot: slot, levels: levels)
    }

    private func simple() -> Int {
        var draws = draws(slot: taken + 1)
        return drawn(among: places.open, &draws)
    }

    /// One of some arms, with probabilities by their ratios.
    private func drawn(among arms: [Int], _ draws: inout AllocationDraws) -> Int {
        var left = draws.index(below: arms.map { design.arms[$0].ratio }.reduce(0, +))
        for arm in arms {
            left -= design.arms[arm].ratio
            if left < 0 { return arm }
        }
        preconditionFailure("an index is below the sum of the ratios")
    }

    /// The next arm of the stratum's block that has a place left; those without are passed over.
    private mutating func dealt(_ levels: [String], _ sizes: [Int]) -> Int {
        var stratum = strata[levels] ?? Stratum()
        while stratum.dealt < stratum.block.count, !places.isOpen(stratum.block[stratum.dealt]) {
            stratum.dealt += 1
        }
        if stratum.dealt == stratum.block.count {
            var draws = draws(slot: stratum.slots + 1, levels: levels)
            let size = sizes[draws.index(below: sizes.count)]
            let share = size / design.arms.map(\.ratio).reduce(0, +)
            var block = design.arms.indices.flatMap { arm in
                Array(repeating: arm, count: design.arms[arm].ratio * share)
            }
            draws.shuffle(&block)
            // Every block has every arm, so that one with a place left is among them.
            (stratum.block, stratum.dealt) = (block, block.firstIndex(where: places.isOpen) ?? 0)
        }
        strata[levels] = stratum
        return stratum.block[stratum.dealt]
    }

    private func minimised(_ levels: [String], _ minimisation: Allocation.Minimisation) -> Int {
        guard taken >= minimisation.burnIn else { return simple() }
        var draws = draws(slot: taken + 1)
        let all = places.open
        let best = best(levels, minimisation)
        let preferred = best.count == 1 ? best[0] : drawn(among: best, &draws)
        if best.count == all.count || draws.unit() < minimisation.probability { return preferred }
        return drawn(among: all.filter { $0 != preferred }, &draws)
    }

    /// The arms that make the arms most alike.
    private func best(_ levels: [String], _ minimisation: Allocation.Minimisation) -> [Int] {
        let imbalances = places.open.map { (arm: $0, value: imbalance(with: $0, levels, minimisation)) }
        let least = imbalances.map(\.value).min()
        return imbalances.filter { $0.value == least }.map(\.arm)
    }

    /// The chance of each arm to be next for somebody with these levels, as far as minimisation gives it away to whoever
    /// knows the participants so far.
    func chances(minimising levels: [String], _ minimisation: Allocation.Minimisation) -> [Double] {
        let all = places.open
        let share = { (arm: Int, arms: [Int]) in
            guard arms.contains(arm) else { return 0.0 }
            return Double(design.arms[arm].ratio) / Double(arms.map { design.arms[$0].ratio }.reduce(0, +))
        }
        let best = taken < minimisation.burnIn ? all : best(levels, minimisation)
        guard best.count < all.count else { return design.arms.indices.map { share($0, all) } }
        return design.arms.indices.map { arm in
            best.map { preferred in
                let own =
                    arm == preferred
                    ? minimisation.probability
                    : (1 - minimisation.probability) * share(arm, all.filter { $0 != preferred })
                return share(preferred, best) * own
            }.reduce(0, +)
        }
    }

    /// How different the arms would be if the participant were in one of them. Only whole numbers are used, so that
    /// every program finds the same ties.
    private func imbalance(
        with arm: Int, _ levels: [String], _ minimisation: Allocation.Minimisation
    ) -> Int {
        let multiple = design.arms.map(\.ratio).reduce(1, leastCommonMultiple)
        var sum = 0
        for (factor, level) in countedLevels(levels).enumerated() {
            var numbers = counts[factor][level] ?? zeros
            numbers[arm] += 1
            for place in numbers.indices { numbers[place] *= multiple / design.arms[place].ratio }
            let total = numbers.reduce(0, +)
            let spread =
                minimisation.usesVariance
                ? numbers.count * numbers.map { $0 * $0 }.reduce(0, +) - total * total
                : (numbers.max() ?? 0) - (numbers.min() ?? 0)
            sum += (design.allocation.factors.isEmpty ? 1 : minimisation.weights[factor]) * spread
        }
        return sum
    }
}

private func leastCommonMultiple(_ first: Int, _ second: Int) -> Int {
    var (left, right) = (first, second)
    while right != 0 { (left, right) = (right, left % right) }
    return first / left * second
}
