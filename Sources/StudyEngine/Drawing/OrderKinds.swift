import StudyModel

/// The items of an order as its constraints see them: items with the same values of every constrained attribute are
/// of one kind.
struct OrderKinds: Sendable {
    /// Orders of more items than this are not counted.
    static let largestOrder = Int(UInt16.max)

    /// The kind of each distinct item.
    private(set) var kind: [Int] = []
    /// How many kinds there are.
    private(set) var count = 0
    /// Before anything is placed: what is left of each kind, then for each rule the heat of each of its values.
    private(set) var start = OrderState(OrderState.Layout())
    /// When everything is placed.
    private(set) var finish = OrderState(OrderState.Layout())
    /// How many numbers a state holds.
    var width: Int { cells.count }

    /// Which ends of the order each kind may be at.
    private var ends: [Ends] = []
    /// Whether, once the first item is placed, kinds differ only in what is left of them and in their heat.
    private var areKindsAlike = false
    private var cells: [OrderState.Layout.Cell] = []

    private struct Ends: Hashable {
        var first: Bool
        var last: Bool
    }

    /// What the constraints see of an item.
    private struct Traits: Hashable {
        var values: [Int]
        var ends: Ends
    }
    private var rules: [OrderRule] = []
    /// The attributes whose values must occur equally often in both halves.
    private var halves: [OrderHalves] = []
    /// The value of each kind under the first rule, then under the next.
    private var values: [Int] = []

    init(_ items: DistinctItems, constraints: [OrderConstraint]) {
        var itemValues: [[Int]] = []
        for rule in OrderRule.rules(for: constraints) {
            var rule = rule
            var (values, total) = Self.number(items.clips.map { $0.value(of: rule.attribute) })
            if let only = rule.only {
                (values, total) = (items.clips.map { $0.value(of: rule.attribute) == only ? 0 : 1 }, 2)
            }
            var left = [Int](repeating: 0, count: total)
            for (item, value) in values.enumerated() { left[value] += items.copies[item] }
            guard
                left.indices.contains(where: { $0 != rule.freeValue && rule.limit.canBreak(with: left[$0]) })
            else {
                continue
            }
            rule.values = total
            rules.append(rule)
            itemValues.append(values)
        }
        let ends = items.clips.map { clip in
            Ends(
                first: constraints.allSatisfy { $0.allowsFirst(clip) },
                last: constraints.allSatisfy { $0.allowsLast(clip) })
        }
        let halved = constraints.compactMap(\.halvedAttribute).map { attribute in
            Self.number(items.clips.map { $0.value(of: attribute) }).numbers
        }
        (kind, count) = Self.number(
            items.clips.indices.map { item in
                Traits(values: (itemValues + halved).map { $0[item] }, ends: ends[item])
            })
        self.ends = Array(repeating: Ends(first: true, last: true), count: count)
        for (item, kind) in kind.enumerated() { self.ends[kind] = ends[item] }
        let ofKinds = { [kind, count] (values: [Int]) in
            var ofKind = [Int](repeating: 0, count: count)
            for (item, kind) in kind.enumerated() { ofKind[kind] = values[item] }
            return ofKind
        }
        values = itemValues.flatMap(ofKinds)
        var copies = [Int](repeating: 0, count: count)
        for (item, kind) in kind.enumerated() { copies[kind] += items.copies[item] }
        halves = halved.map { OrderHalves(ofKinds($0), copies: copies) }
        areKindsAlike =
            rules.count == 1 && rules.first?.only == nil && rules.first?.values == count
            && ends.allSatisfy(\.last)
            && halves.allSatisfy(\.areKindsAlike)
        var layout = OrderState.Layout()
        layout.append(count: count, upTo: copies.max() ?? 0)
        for rule in rules { layout.append(count: rule.values, upTo: rule.limit.mostHeat) }
        cells = layout.cells
        finish = OrderState(layout)
        start = finish
        for kind in copies.indices { start[cells[kind]] = copies[kind] }
    }

    /// How many items of a kind are left.
    func left(_ kind: Int, in state: OrderState) -> Int { state[cells[kind]] }

    /// The longest allowed run, if the length of runs is the only constraint.
    var longestRun: Int? {
        guard areKindsAlike, halves.isEmpty, let limit = rules.first?.limit else { return nil }
        return switch limit {
        case .distance(let distance): distance == 2 ? 1 : nil
        case .run(let length): length
        }
    }

    /// The completions without those of kinds that must not come first, if nothing is placed yet.
    func allowed(_ completions: [Natural], in state: OrderState) -> [Natural] {
        state == start ? completions.indices.map { ends[$0].first ? completions[$0] : 0 } : completions
    }

    /// What is left of each kind.
    func left(in state: OrderState) -> [Int] { (0..<count).map { left($0, in: state) } }

    /// The kind placed last with the length of its run, if there is exactly one rule and it limits runs.
    func lastRun(in state: OrderState) -> (kind: Int, run: Int)? {
        (0..<count).lazy.map { (kind: $0, run: pair($0, in: state) & 0xFFFF) }.first { $0.run > 0 }
    }

    /// About how many nanoseconds counting all states takes at most, if there is one rule.
    var workByStates: Double {
        var states = Double(count * (rules.first?.limit.mostHeat ?? 1))
        var alike: [Int: Double] = [:]
        for copies in left(in: start) {
            alike[copies, default: 0] += 1
            states *= Double(copies + 1) / (alike[copies] ?? 1)
        }
        return states * Double(count) * 40
    }

    /// How many sequences of kinds there would be without any rule.
    func mostSequences(of state: OrderState) -> Natural {
        var sequences: Natural = 1
        var placed: UInt64 = 0
        for kind in 0..<count {
            for copy in 0..<UInt64(left(kind, in: state)) {
                placed += 1
                sequences *= placed
                sequences.divide(by: copy + 1)
            }
        }
        return sequences
    }

    /// The state after placing an item of `kind`; `nil` if a rule forbids it, or if the remaining items could then
    /// clearly not be placed.
    func placing(_ kind: Int, in state: OrderState) -> OrderState? {
        guard left(kind, in: state) > 0, state != start || ends[kind].first else { return nil }
        var remainder = Remainder()
        remainder.count(state, in: self)
        return placing(kind, in: state, remainder)
    }

    /// The same state for all states with the same number of completions, as far as this is cheap to tell. The
    /// first place is not looked at again.
    func canonical(_ state: OrderState) -> OrderState {
        guard areKindsAlike else { return state }
        var canonical = state
        // All kinds but a few are in order; those few are put in place from the left.
        for kind in 1..<max(1, count) {
            let pair = pair(kind, in: canonical)
            var place = kind
            while place > 0, self.pair(place - 1, in: canonical) < pair {
                set(place, to: self.pair(place - 1, in: canonical), in: &canonical)
                place -= 1
            }
            if place != kind { set(place, to: pair, in: &canonical) }
        }
        return canonical
    }

    /// A state that can come next, with the number of kinds that lead to it.
    struct Successor {
        var state: OrderState
        var kinds: Int
    }

    /// The canonical states that can come next.
    ///
    /// - Parameters:
    ///   - state: canonical.
    ///   - remainder: working memory, kept from one state to the next.
    func findSuccessors(
        of state: OrderState, _ remainder: inout Remainder, into successors: inout [Successor]
    ) {
        successors.removeAll(keepingCapacity: true)
        remainder.count(state, in: self)
        let isStart = state == start
        var previous: Int?
        for kind in 0..<count where left(kind, in: state) > 0 && (!isStart || ends[kind].first) {
            if areKindsAlike, let previous, pair(previous, in: state) == pair(kind, in: state) {
                successors[successors.count - 1].kinds += 1
            } else if let next = placing(kind, in: state, remainder) {
                successors.append(Successor(state: canonical(next), kinds: 1))
                previous = kind
            }
        }
    }

    /// What is left in all, and of each value in the order of the heats.
    struct Remainder {
        fileprivate var all = 0
        fileprivate var ofValues: [Int] = []
        fileprivate var halves: [OrderHalves.Progress] = []

        fileprivate mutating func count(_ state: OrderState, in kinds: OrderKinds) {
            all = 0
            ofValues.removeAll(keepingCapacity: true)
            for _ in kinds.count..<kinds.width { ofValues.append(0) }
            for kind in 0..<kinds.count {
                let left = kinds.left(kind, in: state)
                all += left
                var offset = 0
                for rule in kinds.rules.indices {
                    ofValues[offset + kinds.values[rule * kinds.count + kind]] += left
                    offset += kinds.rules[rule].values
                }
            }
            while halves.count < kinds.halves.count { halves.append(OrderHalves.Progress()) }
            for half in halves.indices { kinds.halves[half].count(state, kinds.cells, in: &halves[half]) }
        }
    }

    private func placing(_ kind: Int, in state: OrderState, _ remainder: Remainder) -> OrderState? {
        guard remainder.all > 1 || ends[kind].last else { return nil }
        for (half, progress) in zip(halves, remainder.halves)
        where !half.allows(kind, behind: progress, left: remainder.all - 1) { return nil }
        var next = state
        next[cells[kind]] -= 1
        var offset = 0
        for rule in rules.indices {
            let (limit, free) = (rules[rule].limit, rules[rule].freeValue)
            let placed = values[rule * count + kind]
            guard
                placed == free
                    || limit.heat(after: state[cells[count + offset + placed]], isPlaced: true) != nil
            else { return nil }
            for other in 0..<rules[rule].values where other != free {
                let cell = cells[count + offset + other]
                let left = remainder.ofValues[offset + other] - (other == placed ? 1 : 0)
                guard let heat = limit.heat(after: state[cell], isPlaced: other == placed),
                    limit.canPlace(left, of: remainder.all - 1, heat: heat)
                else { return nil }
                next[cell] = left == 0 ? 0 : heat
            }
            offset += rules[rule].values
        }
        return next
    }

    /// What is left of a kind, and the heat of its value, as one number. Only if there is one rule: values then
    /// have the same numbers as kinds.
    private func pair(_ kind: Int, in state: OrderState) -> Int {
        left(kind, in: state) << 16 | state[cells[count + kind]]
    }

    private func set(_ kind: Int, to pair: Int, in state: inout OrderState) {
        state[cells[kind]] = pair >> 16
        state[cells[count + kind]] = pair & 0xFFFF
    }

    /// Numbers the different values in order of first appearance.
    private static func number<Value: Hashable>(_ values: [Value]) -> (numbers: [Int], total: Int) {
        var known: [Value: Int] = [:]
        let numbers = values.map { value in
            let number = known[value] ?? known.count
            known[value] = number
            return number
        }
        return (numbers, known.count)
    }
}
