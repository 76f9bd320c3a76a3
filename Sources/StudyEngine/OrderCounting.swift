/// Counts completions of orders, each state once.
struct OrderCounting {
    /// More states than this are not counted.
    static let maximumStates = 10_000_000
    /// Bounds the time where states are wide: cells of states looked at.
    static let maximumCells = 1_000_000_000

    /// Completions by canonical state.
    private(set) var completions: [OrderKinds.State: UInt64] = [:]

    private let kinds: OrderKinds
    private let limit: UInt64
    private var cells = 0

    private struct Frame {
        var state: OrderKinds.State
        var successors: [(state: OrderKinds.State, kinds: UInt64)]
        var next = 0
        var sum: UInt64 = 0
    }

    /// - Parameter limit: as soon as any state has more completions, the whole has too many.
    init(_ kinds: OrderKinds, limit: UInt64) {
        self.kinds = kinds
        self.limit = limit
        completions[OrderKinds.State(repeating: 0, count: kinds.start.count)] = 1
    }

    /// The completions of `start`; goes deep first, without recursion, so that long orders need no stack and too
    /// many completions show early.
    mutating func count(from start: OrderKinds.State) throws(OrderProblem) -> UInt64 {
        let root = kinds.canonical(start)
        var frames = completions[root] == nil ? [try frame(root)] : []
        while let top = frames.indices.last {
            guard frames[top].next < frames[top].successors.count else {
                completions[frames[top].state] = frames[top].sum
                frames.removeLast()
                continue
            }
            let (state, ways) = frames[top].successors[frames[top].next]
            guard let known = completions[state] else {
                frames.append(try frame(state))
                continue
            }
            let (product, isTooMany) = known.multipliedReportingOverflow(by: ways)
            let (sum, isOver) = frames[top].sum.addingReportingOverflow(product)
            guard !isTooMany, !isOver, sum <= limit else { throw .tooLarge }
            frames[top].sum = sum
            frames[top].next += 1
        }
        guard let count = completions[root] else { preconditionFailure("the first state was not counted") }
        return count
    }

    private mutating func frame(_ state: OrderKinds.State) throws(OrderProblem) -> Frame {
        let successors = kinds.successors(of: state)
        cells += (successors.count + 1) * state.count
        guard completions.count < Self.maximumStates, cells < Self.maximumCells else { throw .tooLarge }
        return Frame(state: state, successors: successors)
    }
}
