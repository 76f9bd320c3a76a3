/// What must have been placed in the first half of an order: for each value of an attribute half of its items, or
/// half an item more or less if their number is odd.
struct OrderHalves: Sendable {
    /// Whether kinds differ only in what is left of them: each has a value of its own, and the same number of
    /// items.
    let areKindsAlike: Bool

    /// The value of each kind.
    private let values: [Int]
    /// How many items of each value there are.
    private let totals: [Int]
    private let all: Int

    /// - Parameters:
    ///   - values: the value of each kind.
    ///   - copies: how many items of each kind there are.
    init(_ values: [Int], copies: [Int]) {
        var totals = [Int](repeating: 0, count: (values.max() ?? -1) + 1)
        for (kind, value) in values.enumerated() { totals[value] += copies[kind] }
        (self.values, self.totals, all) = (values, totals, copies.reduce(0, +))
        areKindsAlike = totals.count == copies.count && Set(copies).count <= 1
    }

    /// How far a state has filled the first half.
    struct Progress {
        /// How many items of each value are placed.
        fileprivate var placed: [Int] = []
        /// How many more items must be placed in the first half.
        fileprivate var needed = 0
    }

    /// - Parameter state: its first cells hold what is left of each kind.
    func count(_ state: OrderState, _ cells: [OrderState.Layout.Cell], in progress: inout Progress) {
        progress.placed.removeAll(keepingCapacity: true)
        for total in totals { progress.placed.append(total) }
        for kind in values.indices { progress.placed[values[kind]] -= state[cells[kind]] }
        progress.needed = 0
        for value in totals.indices { progress.needed += max(0, totals[value] / 2 - progress.placed[value]) }
    }

    /// Whether the first half is valid, or can still become so, if an item of a kind is placed next.
    ///
    /// - Parameter left: how many items remain after that.
    func allows(_ kind: Int, behind progress: Progress, left: Int) -> Bool {
        let free = all / 2 - (all - left)
        guard free >= 0 else { return true }
        let (placed, total) = (progress.placed[values[kind]], totals[values[kind]])
        return placed < (total + 1) / 2 && progress.needed - (placed < total / 2 ? 1 : 0) <= free
    }
}
