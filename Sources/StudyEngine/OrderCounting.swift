/// Counts completions of orders, each state once.
struct OrderCounting {
    /// More states than this are not counted.
    static let maximumStates = 10_000_000
    /// Bounds the time where states are wide: cells of states looked at.
    static let maximumCells = 300_000_000

    /// Completions by canonical state.
    private(set) var completions: [OrderState: UInt64] = [:]

    private let kinds: OrderKinds
    private let limit: UInt64
    private var cells = 0

    private struct Frame {
        var state: OrderState
        var successors: [(state: OrderState, kinds: UInt64)]
        var next = 0
        var sum: UInt64 = 0

        /// The next successor has so many completions.
        mutating func take(_ completions: UInt64, limit: UInt64) throws(OrderProblem) {
            let (product, isTooMany) = completions.multipliedReportingOverflow(by: successors[next].kinds)
            let (sum, isOver) = sum.addingReportingOverflow(product)
            guard !isTooMany, !isOver, sum <= limit else { throw .tooLarge }
            self.sum = sum
            next += 1
        }
    }

    /// - Parameter limit: as soon as any state has more completions, the whole has too many.
    init(_ kinds: OrderKinds, limit: UInt64) {
        self.kinds = kinds
        self.limit = limit
        completions[kinds.finish] = 1
    }

    /// The completions of `start`; goes deep first, without recursion, so that long orders need no stack and too
    /// many completions show early.
    mutating func count(from start: OrderState) throws(OrderProblem) -> UInt64 {
        let root = kinds.canonical(start)
        if let known = completions[root] { return known }
        var frames = [try frame(root)]
        while true {
            let top = frames.count - 1
            guard frames[top].next < frames[top].successors.count else {
                let counted = frames.removeLast()
                completions[counted.state] = counted.sum
                guard top > 0 else { return counted.sum }
                try frames[top - 1].take(counted.sum, limit: limit)
                continue
            }
            let next = frames[top].successors[frames[top].next].state
            if let known = completions[next] {
                try frames[top].take(known, limit: limit)
            } else {
                frames.append(try frame(next))
            }
        }
    }

    private mutating func frame(_ state: OrderState) throws(OrderProblem) -> Frame {
        let successors = kinds.successors(of: state)
        cells += (successors.count + 1) * kinds.width
        guard completions.count < Self.maximumStates, cells < Self.maximumCells else { throw .tooLarge }
        return Frame(state: state, successors: successors)
    }
}
