import StudyModel

/// The items of an order as its constraints see them: items that are alike in every constrained attribute are of
/// one kind.
struct OrderKinds: Sendable {
    /// More items than this are never counted.
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

    private var cells: [OrderState.Layout.Cell] = []
    private var rules: [OrderRule] = []
    /// Value of a kind, by rule and kind.
    private var value: [[Int]] = []

    init(_ items: DistinctItems, constraints: [OrderConstraint]) {
        var itemValues: [[Int]] = []
        for rule in OrderRule.rules(for: constraints) {
            let (values, total) = Self.number(items.clips.map { $0.value(of: rule.attribute) })
            var left = [Int](repeating: 0, count: total)
            for (item, value) in values.enumerated() { left[value] += items.copies[item] }
            guard left.contains(where: rule.limit.canBreak(with:)) else { continue }
            rules.append(OrderRule(attribute: rule.attribute, limit: rule.limit, values: total))
            itemValues.append(values)
        }
        (kind, count) = Self.number(items.clips.indices.map { item in itemValues.map { $0[item] } })
        value = itemValues.map { values in
            var ofKind = [Int](repeating: 0, count: count)
            for (item, kind) in kind.enumerated() { ofKind[kind] = values[item] }
            return ofKind
        }
        var copies = [Int](repeating: 0, count: count)
        for (item, kind) in kind.enumerated() { copies[kind] += items.copies[item] }
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

    /// The state after an item of `kind` was placed; `nil` where a rule forbids it, or where it is plain that
    /// what is left can then not be placed.
    func placing(_ kind: Int, in state: OrderState) -> OrderState? {
        left(kind, in: state) > 0 ? placing(kind, in: state, remainder(of: state)) : nil
    }

    /// The same for all states with the same number of completions, as far as is cheap to tell: where there is
    /// one rule, kinds differ in nothing but what is left of them and their heat.
    func canonical(_ state: OrderState) -> OrderState {
        guard rules.count == 1 else { return state }
        let sorted = (0..<count).map { left($0, in: state) << 16 | heat($0, in: state) }.sorted(by: >)
        var canonical = state
        for (kind, pair) in sorted.enumerated() {
            canonical[cells[kind]] = pair >> 16
            canonical[cells[count + value[0][kind]]] = pair & 0xFFFF
        }
        return canonical
    }

    /// What can be placed next: canonical states, each with the number of kinds that lead to it.
    ///
    /// - Parameter state: canonical.
    func successors(of state: OrderState) -> [(state: OrderState, kinds: UInt64)] {
        var successors: [(state: OrderState, kinds: UInt64)] = []
        var previous: Int?
        let remainder = remainder(of: state)
        let remaining = (0..<count).filter { left($0, in: state) > 0 }
        for kind in remaining.sorted(by: { left($0, in: state) > left($1, in: state) }) {
            if rules.count == 1, let previous, left(previous, in: state) == left(kind, in: state),
                heat(previous, in: state) == heat(kind, in: state)
            {
                successors[successors.count - 1].kinds += 1
            } else if let next = placing(kind, in: state, remainder) {
                successors.append((canonical(next), 1))
                previous = kind
            }
        }
        return successors
    }

    /// What is left in all, and of each value in the order of the heats.
    private struct Remainder {
        var all = 0
        var ofValues: [Int]
    }

    private func remainder(of state: OrderState) -> Remainder {
        var remainder = Remainder(ofValues: Array(repeating: 0, count: width - count))
        for kind in 0..<count {
            let left = left(kind, in: state)
            remainder.all += left
            var offset = 0
            for (rule, values) in zip(rules, value) {
                remainder.ofValues[offset + values[kind]] += left
                offset += rule.values
            }
        }
        return remainder
    }

    private func placing(_ kind: Int, in state: OrderState, _ remainder: Remainder) -> OrderState? {
        var next = state
        next[cells[kind]] -= 1
        var offset = 0
        for (rule, values) in zip(rules, value) {
            let placed = values[kind]
            guard rule.limit.heat(after: state[cells[count + offset + placed]], isPlaced: true) != nil else {
                return nil
            }
            for other in 0..<rule.values {
                let cell = cells[count + offset + other]
                let left = remainder.ofValues[offset + other] - (other == placed ? 1 : 0)
                guard let heat = rule.limit.heat(after: state[cell], isPlaced: other == placed),
                    rule.limit.canPlace(left, of: remainder.all - 1, heat: heat)
                else { return nil }
                next[cell] = left == 0 ? 0 : heat
            }
            offset += rule.values
        }
        return next
    }

    /// The heat of a kind's value, where there is one rule.
    private func heat(_ kind: Int, in state: OrderState) -> Int { state[cells[count + value[0][kind]]] }

    /// Numbers different values in order of first appearance.
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
