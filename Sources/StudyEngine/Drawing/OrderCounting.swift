/// Counts the completions of every state that an order can pass through, each state once.
package struct OrderCounting: Sendable {
    /// Counting is refused if there are more states than this.
    static let maximumStates = 10_000_000
    /// Limits the time: cells of states, and words of counts if these take more than one word.
    package static let maximumCells = 100_000_000

    private var states = OrderStates()
    /// For each state, as many words as the largest count needs, the least significant first.
    private var counts: [UInt64]
    private let width: Int

    /// What can follow a state: the place of the next one, and how many kinds lead there.
    private struct Link {
        var next: Int32
        var kinds: Int32
    }

    /// Finds the states from first to last, and then counts from last to first.
    ///
    /// - Parameter most: how many cells may be looked at; three times as many if counts are small.
    init(_ kinds: OrderKinds, most: Int) throws(OrderProblem) {
        width = max(1, kinds.mostSequences(of: kinds.start).wordCount)
        let most = width == 1 ? 3 * most : most
        counts = []
        _ = states.place(of: kinds.start)
        var links: [Link] = []
        var ends: [Int] = []
        var successors: [OrderKinds.Successor] = []
        var remainder = OrderKinds.Remainder()
        var cells = 0
        var place = 0
        while place < states.all.count {
            kinds.findSuccessors(of: states.all[place], &remainder, into: &successors)
            cells += (successors.count + 1) * (kinds.width + width - 1)
            guard states.all.count < Self.maximumStates, cells < most else { throw .tooLarge }
            for successor in successors {
                links.append(Link(next: states.place(of: successor.state), kinds: Int32(successor.kinds)))
            }
            ends.append(links.count)
            place += 1
        }
        counts = Array(repeating: 0, count: states.all.count * width)
        for place in states.all.indices.reversed() {
            if states.all[place] == kinds.finish { counts[place * width] = 1 }
            for link in links[(place > 0 ? ends[place - 1] : 0)..<ends[place]] {
                add(link, to: place)
            }
        }
    }

    /// How many states there are.
    var stateCount: Int { states.all.count }

    /// The completions of a state.
    ///
    /// - Parameter state: canonical.
    func completions(of state: OrderState) -> Natural {
        guard let place = states.knownPlace(of: state) else { return 0 }
        return Natural(words: counts[(place * width)..<((place + 1) * width)])
    }

    private mutating func add(_ link: Link, to place: Int) {
        var carry: UInt64 = 0
        for word in 0..<width {
            let product = counts[Int(link.next) * width + word].multipliedFullWidth(by: UInt64(link.kinds))
            let (low, isOver) = product.low.addingReportingOverflow(carry)
            let (sum, isOverAgain) = counts[place * width + word].addingReportingOverflow(low)
            counts[place * width + word] = sum
            carry = product.high + (isOver ? 1 : 0) + (isOverAgain ? 1 : 0)
        }
    }
}

/// The states, each once, in the order in which they were found.
///
/// It has its own hash table, because the standard library's table defends against attackers who choose keys and
/// takes three times as long.
private struct OrderStates: Sendable {
    private(set) var all: [OrderState] = []
    /// Index into `all` at the state's hash or after it; -1 if free. At least half of the table is free.
    private var table = [Int32](repeating: -1, count: 16)

    func knownPlace(of state: OrderState) -> Int? {
        let place = table[slot(of: state)]
        return place < 0 ? nil : Int(place)
    }

    /// The place of a state, which is added if it is new.
    mutating func place(of state: OrderState) -> Int32 {
        let slot = slot(of: state)
        if table[slot] >= 0 { return table[slot] }
        let place = Int32(all.count)
        table[slot] = place
        all.append(state)
        if all.count * 2 > table.count {
            table = Array(repeating: -1, count: table.count * 4)
            for (place, state) in all.enumerated() { table[self.slot(of: state)] = Int32(place) }
        }
        return place
    }

    private func slot(of state: OrderState) -> Int {
        var slot = Int(truncatingIfNeeded: state.mixed) & (table.count - 1)
        while table[slot] >= 0, all[Int(table[slot])] != state { slot = (slot + 1) & (table.count - 1) }
        return slot
    }
}
