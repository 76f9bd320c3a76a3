import StudyModel

/// The items of an order as its constraints see them: items that are alike in every constrained attribute are of
/// one kind.
struct OrderKinds: Sendable {
    /// What is left of each kind, then for each rule the heat of each of its values.
    typealias State = [UInt16]

    /// More items than this are never counted.
    static let largestOrder = Int(UInt16.max)

    /// The kind of each distinct item.
    private(set) var kind: [Int] = []
    /// How many kinds there are.
    private(set) var count = 0
    /// Before anything is placed.
    private(set) var start: State = []

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
        start = State(repeating: 0, count: count + rules.reduce(0) { $0 + $1.values })
        for (item, kind) in kind.enumerated() { start[kind] += UInt16(items.copies[item]) }
    }

    /// How many items of a kind are left.
    func left(_ kind: Int, in state: State) -> Int { Int(state[kind]) }

    /// The state after an item of `kind` was placed; `nil` where a rule forbids it, or where it is plain that
    /// what is left can then not be placed.
    func placing(_ kind: Int, in state: State) -> State? {
        guard state[kind] > 0 else { return nil }
        var next = state
        next[kind] -= 1
        let left = next[..<count].reduce(0) { $0 + Int($1) }
        var offset = count
        for (rule, values) in zip(rules, value) {
            var leftOf = [Int](repeating: 0, count: rule.values)
            for (kind, value) in values.enumerated() { leftOf[value] += Int(next[kind]) }
            for other in 0..<rule.values {
                let heat = Int(state[offset + other])
                guard let after = rule.limit.heat(after: heat, isPlaced: other == values[kind]),
                    rule.limit.canPlace(leftOf[other], of: left, heat: after)
                else { return nil }
                next[offset + other] = leftOf[other] == 0 ? 0 : UInt16(after)
            }
            offset += rule.values
        }
        return next
    }

    /// The same for all states with the same number of completions, as far as is cheap to tell: where there is
    /// one rule, kinds differ in nothing but what is left of them and their heat.
    func canonical(_ state: State) -> State {
        guard rules.count == 1 else { return state }
        let sorted = (0..<count).map { UInt32(state[$0]) << 16 | UInt32(state[heatPlace($0)]) }.sorted(by: >)
        var canonical = state
        for (kind, pair) in sorted.enumerated() {
            canonical[kind] = UInt16(pair >> 16)
            canonical[heatPlace(kind)] = UInt16(truncatingIfNeeded: pair)
        }
        return canonical
    }

    /// What can be placed next: canonical states, each with the number of kinds that lead to it.
    ///
    /// - Parameter state: canonical.
    func successors(of state: State) -> [(state: State, kinds: UInt64)] {
        var successors: [(state: State, kinds: UInt64)] = []
        var previous: Int?
        for kind in (0..<count).sorted(by: { state[$0] > state[$1] }) where state[kind] > 0 {
            if rules.count == 1, let previous, !successors.isEmpty, state[previous] == state[kind],
                state[heatPlace(previous)] == state[heatPlace(kind)]
            {
                successors[successors.count - 1].kinds += 1
            } else if let next = placing(kind, in: state) {
                successors.append((canonical(next), 1))
                previous = kind
            }
        }
        return successors
    }

    /// Where the heat of a kind's value stands, where there is one rule.
    private func heatPlace(_ kind: Int) -> Int { count + value[0][kind] }

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

extension Stimulus {
    /// An attribute as constraints name it: `id`, or a key of the catalogue entry.
    func value(of attribute: String) -> String? {
        attribute == OrderRule.identity ? identifier.text : attributes[attribute]
    }
}
