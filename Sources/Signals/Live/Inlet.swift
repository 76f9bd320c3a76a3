import StudyModel
import Synchronization

/// A bounded queue from a thread to the task of its source, so that a source that sends too much neither delays the
/// run nor fills the memory.
///
/// The oldest data are dropped and counted. Reports about the source's state are never dropped.
final class Inlet<Element: Sendable>: Sendable {
    /// Elements that have arrived, in order.
    struct Batch {
        var elements: [Element] = []
        /// How much data were dropped since the last batch, and since when.
        var flood: (count: Int, since: RunInstant)?
    }

    private struct State {
        var waiting: [Element] = []
        /// Bytes of the waiting data.
        var size = 0
        var dropped = 0
        var lastBatch: RunInstant
        var allowance: Allowance
        /// Whether some elements were left for the next batch.
        var isPressed = false
    }

    private let state: Mutex<State>
    private let measure: @Sendable (Element) -> Int?
    private let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// How many bytes of data may wait.
    private let room: Int
    /// How much data is taken at once, so that other things that are due need not wait.
    private static var turn: Int { 256 }
    /// The time between two batches if more has arrived than may be taken at once.
    private static var pause: Duration { .milliseconds(50) }

    /// - Parameters:
    ///   - room: how many bytes of data may wait.
    ///   - measure: the bytes of an element; `nil` for elements that must not be dropped.
    init(
        _ allowance: Allowance, at now: RunInstant, room: Int = 1 << 20,
        measure: @escaping @Sendable (Element) -> Int?
    ) {
        self.room = room
        state = Mutex(State(lastBatch: now, allowance: allowance))
        self.measure = measure
    }

    /// Sends an element. Never blocks.
    func send(_ element: Element) {
        let isFirst = state.withLock { state in
            state.waiting.append(element)
            state.size += size(of: element) ?? 0
            if state.size > room { drop(state.waiting.count / 2, from: &state) }
            return state.waiting.count == 1
        }
        if isFirst { ring.yield() }
    }

    /// The elements since the last batch, as soon as there are any; `nil` if the task was cancelled.
    func next<C: Clock>(on clock: C) async -> Batch? where C.Instant == RunInstant {
        if state.withLock({ $0.isPressed }) {
            guard await clock.wait(until: clock.now.advanced(by: Self.pause)) != nil else { return nil }
            return drain(at: clock.now)
        }
        for await _ in bell { return drain(at: clock.now) }
        return nil
    }

    private func drain(at now: RunInstant) -> Batch {
        state.withLock { state in
            let data = state.waiting.count { measure($0) != nil }
            let allowed = state.allowance.refill(at: now)
            drop(data - allowed, from: &state)
            var left = min(allowed, Self.turn)
            var (batch, rest) = (Batch(), [Element]())
            for element in state.waiting {
                guard let size = size(of: element) else {
                    batch.elements.append(element)
                    continue
                }
                if left > 0 {
                    batch.elements.append(element)
                    state.size -= size
                    state.allowance.spend()
                    left -= 1
                } else {
                    rest.append(element)
                }
            }
            state.waiting = rest
            state.isPressed = !rest.isEmpty || state.allowance.isUsedUp
            if state.dropped > 0 { batch.flood = (state.dropped, state.lastBatch) }
            (state.dropped, state.lastBatch) = (0, now)
            return batch
        }
    }

    private func size(of element: Element) -> Int? { measure(element).map { $0 + 64 } }

    /// Drops this many of the oldest data.
    private func drop(_ count: Int, from state: inout State) {
        guard count > 0 else { return }
        var left = count
        state.waiting.removeAll { element in
            guard left > 0, let size = size(of: element) else { return false }
            left -= 1
            state.size -= size
            return true
        }
        state.dropped += count - left
    }
}

/// How much a source may send: this many samples at once, and this many a second over time.
struct Allowance {
    private let burst: Double
    private let rate: Double
    private var left: Double
    private var last: RunInstant?

    /// For programs and servers, which send at most a few readings a second, or many at once that have waited.
    static let lines = Allowance(burst: 5000, rate: 50)
    /// For instruments.
    static let streams = Allowance(burst: 5000, rate: 500)

    init(burst: Double, rate: Double) { (self.burst, self.rate, left) = (burst, rate, burst) }

    /// Whether nothing more may come at the moment.
    var isUsedUp: Bool { left < 1 }

    /// - Returns: how many samples may come now.
    mutating func refill(at now: RunInstant) -> Int {
        if let last { left = min(burst, left + max(0, last.duration(to: now).seconds) * rate) }
        last = now
        return Int(left)
    }

    /// A sample has come.
    mutating func spend(_ count: Int = 1) { left = max(0, left - Double(count)) }
}
