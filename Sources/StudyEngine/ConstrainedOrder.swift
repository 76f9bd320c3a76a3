package import StudyModel

/// All orders of some clips that keep every constraint, numbered, so that one of them is drawn uniformly by a
/// single draw.
///
/// Clips of one identifier are one and the same clip. Orders are numbered from the left: at each place the clips
/// that remain, in pool order, each with all completions it allows.
package struct ConstrainedOrder: Sendable {
    /// How many orders there are, at least 1.
    package let count: UInt64

    private let items: DistinctItems
    private let kinds: OrderKinds
    private let completions: [OrderState: UInt64]
    /// In how many ways the clips of each kind can take the places of their kind.
    private let arrangements: UInt64

    /// Counts the orders.
    ///
    /// - Parameters:
    ///   - pool: the clips to order, each as often as it is to be heard.
    ///   - constraints: what an order must keep; the attribute `id` is the clip's identifier. Clips that lack
    ///     an attribute are alike in it.
    package init(_ pool: [Stimulus], constraints: [OrderConstraint]) throws(OrderProblem) {
        guard pool.count <= OrderKinds.largestOrder else { throw .tooLarge }
        items = DistinctItems(pool)
        kinds = OrderKinds(items, constraints: constraints)
        let arrangements = Self.arrangements(of: items, in: kinds)
        var counting = OrderCounting(kinds, limit: arrangements.map { UInt64.max / $0 } ?? 0)
        let sequences = try counting.count(from: kinds.start)
        guard sequences > 0 else { throw .infeasible }
        guard let arrangements else { throw .tooLarge }
        self.arrangements = arrangements
        completions = counting.completions
        count = sequences * arrangements
    }

    /// Draws one order.
    ///
    /// - Returns: indices into the pool; of clips that stand in it several times the first one's.
    package func draw(using random: inout SplitMix64) -> [Int] { order(random.index(below: count)) }

    /// The order of that number.
    ///
    /// - Parameter number: in `0..<count`.
    package func order(_ number: UInt64) -> [Int] {
        var rank = number
        var walk = Walk(state: kinds.start, copies: items.copies, arrangements: arrangements)
        var order: [Int] = []
        while let next = step(&walk, rank: &rank) { order.append(items.firstPlace[next]) }
        return order
    }

    private struct Walk {
        var state: OrderState
        var copies: [Int]
        var arrangements: UInt64
    }

    /// Takes the item into whose range `rank` falls; `nil` where none remains.
    private func step(_ walk: inout Walk, rank: inout UInt64) -> Int? {
        for item in items.copies.indices where walk.copies[item] > 0 {
            let kind = kinds.kind[item]
            guard let state = kinds.placing(kind, in: walk.state),
                let completions = completions[kinds.canonical(state)], completions > 0
            else { continue }
            let product = walk.arrangements.multipliedFullWidth(by: UInt64(walk.copies[item]))
            let arrangements = UInt64(kinds.left(kind, in: walk.state)).dividingFullWidth(product).quotient
            guard rank >= completions * arrangements else {
                walk.copies[item] -= 1
                walk.state = state
                walk.arrangements = arrangements
                return item
            }
            rank -= completions * arrangements
        }
        return nil
    }

    /// The product over all kinds of (clips of the kind)! / ∏ (copies of each clip)!; `nil` beyond 64 bits.
    private static func arrangements(of items: DistinctItems, in kinds: OrderKinds) -> UInt64? {
        var placed = [UInt64](repeating: 0, count: kinds.count)
        var product: UInt64 = 1
        for (item, copies) in items.copies.enumerated() {
            let kind = kinds.kind[item]
            for copy in 1...UInt64(copies) {
                placed[kind] += 1
                let wide = product.multipliedFullWidth(by: placed[kind])
                guard wide.high < copy else { return nil }
                product = copy.dividingFullWidth(wide).quotient
            }
        }
        return product
    }
}

/// The clips of a pool, each once.
struct DistinctItems: Sendable {
    /// The clips in order of first appearance.
    private(set) var clips: [Stimulus] = []
    /// How often each stands in the pool.
    private(set) var copies: [Int] = []
    /// Where each stands first in the pool.
    private(set) var firstPlace: [Int] = []

    init(_ pool: [Stimulus]) {
        var known: [Identifier: Int] = [:]
        for (place, clip) in pool.enumerated() {
            if let item = known[clip.identifier] {
                copies[item] += 1
            } else {
                known[clip.identifier] = clips.count
                clips.append(clip)
                copies.append(1)
                firstPlace.append(place)
            }
        }
    }
}
