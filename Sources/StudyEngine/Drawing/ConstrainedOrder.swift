package import StudyModel
import Synchronization

/// All orders of some clips that keep every constraint, numbered, so that one of them is drawn uniformly by a
/// single draw.
///
/// Clips with the same identifier are the same clip. Orders are numbered from the left: at each place come the
/// remaining clips in pool order, each with all completions that it allows.
package struct ConstrainedOrder: Sendable {
    /// Finding the order with a number is refused if it would look at more words of numbers than this.
    private static let mostWork = 400_000_000

    /// How many orders there are, at least 1.
    package let count: Natural

    private let items: DistinctItems
    private let kinds: OrderKinds
    private let method: Method
    /// In how many ways the clips of each kind can take the places of their kind.
    private let arrangements: Natural

    /// How completions are counted; both methods give the same counts.
    private enum Method {
        case states(OrderCounting)
        case runs(RunCounting)
    }

    /// Counts the orders.
    ///
    /// - Parameters:
    ///   - pool: the clips to order, each as often as it is to be played.
    ///   - constraints: what an order must keep; the attribute `id` is the clip's identifier. Clips that lack
    ///     an attribute are alike in it.
    ///   - most: how much work may be done before counting is given up.
    package init(
        _ pool: [Stimulus], constraints: [OrderConstraint], most: Int = OrderCounting.maximumCells
    ) throws(OrderProblem) {
        guard pool.count <= OrderKinds.largestOrder else { throw .tooLarge }
        items = DistinctItems(pool)
        kinds = OrderKinds(items, constraints: constraints)
        let copies = kinds.left(in: kinds.start)
        let work = RunCounting.work(copies: copies)
        if let longest = kinds.longestRun, work < min(RunCounting.mostWork, kinds.workByStates) {
            method = .runs(RunCounting(copies: copies, longest: longest))
        } else {
            method = .states(try OrderCounting(kinds, most: most))
        }
        var sequences: Natural = kinds.start == kinds.finish ? 1 : 0
        for completions in Self.completions(after: kinds.start, kinds, method) { sequences += completions }
        guard !sequences.isZero else { throw .infeasible }
        arrangements = items.arrangements(of: kinds.kind, kinds: kinds.count)
        count = sequences * arrangements
        guard pool.count * items.copies.count <= Self.mostWork / max(1, count.wordCount) else {
            throw .tooLarge
        }
    }

    /// Draws one order.
    ///
    /// - Returns: indices into the pool; for a clip that occurs several times, its first index.
    package func draw(using random: inout SplitMix64) -> [Int] { order(random.index(below: count)) }

    /// The order with that number.
    ///
    /// - Parameter number: below `count`.
    package func order(_ number: Natural) -> [Int] {
        var rank = number
        var walk = Walk(state: kinds.start, copies: items.copies, arrangements: arrangements)
        var order: [Int] = []
        while let next = step(&walk, rank: &rank) { order.append(items.firstPlace[next]) }
        return order
    }

    private struct Walk {
        var state: OrderState
        var copies: [Int]
        var arrangements: Natural
    }

    /// Takes the item whose range contains `rank`; `nil` if no item remains.
    private func step(_ walk: inout Walk, rank: inout Natural) -> Int? {
        // The orders that begin with an item of a kind, worked out once for all items that are there equally often.
        let orders = Self.completions(after: walk.state, kinds, method).map { $0 * walk.arrangements }
        var ranges: [Int: (copies: Int, range: Natural)] = [:]
        for item in items.copies.indices where walk.copies[item] > 0 {
            let (kind, copies) = (kinds.kind[item], walk.copies[item])
            guard !orders[kind].isZero else { continue }
            var range = orders[kind]
            if let known = ranges[kind], known.copies == copies {
                range = known.range
            } else {
                range *= UInt64(copies)
                range.divide(by: UInt64(kinds.left(kind, in: walk.state)))
                ranges[kind] = (copies, range)
            }
            guard rank >= range else {
                guard let state = kinds.placing(kind, in: walk.state) else { return nil }
                walk.arrangements *= UInt64(copies)
                walk.arrangements.divide(by: UInt64(kinds.left(kind, in: walk.state)))
                walk.copies[item] -= 1
                walk.state = state
                return item
            }
            rank -= range
        }
        return nil
    }

    /// The completions after placing each kind next.
    private static func completions(after state: OrderState, _ kinds: OrderKinds, _ method: Method)
        -> [Natural]
    {
        switch method {
        case .states(let counting):
            (0..<kinds.count).map { kind in
                kinds.placing(kind, in: state).map { counting.completions(of: kinds.canonical($0)) } ?? 0
            }
        case .runs(let counting):
            kinds.allowed(
                counting.completions(left: kinds.left(in: state), last: kinds.lastRun(in: state)), in: state)
        }
    }
}

extension ConstrainedOrder {
    private struct Counted {
        var pool: [Stimulus]
        var constraints: [OrderConstraint]
        var orders: ConstrainedOrder
    }

    /// What was counted last.
    private static let counted = Mutex<[Counted]>([])

    /// The orders of these clips. They are counted once for the checks of a study and all of its plans, unless the
    /// counts are too large to keep.
    package static func counting(
        _ pool: [Stimulus], constraints: [OrderConstraint]
    ) throws(OrderProblem) -> ConstrainedOrder {
        let known = counted.withLock { counted in
            counted.first { $0.constraints == constraints && $0.pool == pool }
        }
        if let known { return known.orders }
        let orders = try ConstrainedOrder(pool, constraints: constraints)
        if case .states(let counting) = orders.method, counting.stateCount > 300_000 { return orders }
        counted.withLock { counted in
            if counted.count == 4 { counted.removeFirst() }
            counted.append(Counted(pool: pool, constraints: constraints, orders: orders))
        }
        return orders
    }
}

/// The clips of a pool, each once.
struct DistinctItems: Sendable {
    /// The clips in order of first appearance.
    private(set) var clips: [Stimulus] = []
    /// How often each is in the pool.
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

    /// The product over all kinds of (clips of the kind)! / ∏ (copies of each clip)!.
    func arrangements(of kind: [Int], kinds: Int) -> Natural {
        var placed = [UInt64](repeating: 0, count: kinds)
        var product: Natural = 1
        for (item, copies) in copies.enumerated() {
            for copy in 1...UInt64(copies) {
                placed[kind[item]] += 1
                product *= placed[kind[item]]
                product.divide(by: copy)
            }
        }
        return product
    }
}
