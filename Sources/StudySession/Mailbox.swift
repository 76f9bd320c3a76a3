import Synchronization

/// Values on their way from many senders to one reader, in order.
///
/// What waits is handed over at once: a step sends a dozen things, and each taken by itself would cost a turn.
final class Mailbox<Value: Sendable>: Sendable {
    @safe private struct State {
        var waiting: [Value] = []
        var reader: UnsafeContinuation<Void, Never>?
        var hasFinished = false
    }

    private let state = Mutex(State())

    /// Sends a value; never blocks.
    func send(_ value: Value) { change { $0.waiting.append(value) } }

    /// Nothing more will be sent.
    func finish() { change { $0.hasFinished = true } }

    /// All that was sent and not yet taken, in order, as soon as there is any; empty where nothing more will come.
    ///
    /// For one reader at a time.
    func next() async -> [Value] {
        while true {
            let (values, hasFinished) = state.withLock { state in
                defer { state.waiting = [] }
                return (state.waiting, state.hasFinished)
            }
            if hasFinished || !values.isEmpty { return values }
            await unsafe withUnsafeContinuation { reader in
                let isLate = state.withLock { state in
                    guard state.waiting.isEmpty, !state.hasFinished else { return true }
                    unsafe state.reader = reader
                    return false
                }
                if isLate { unsafe reader.resume() }
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let reader = unsafe state.withLock { state in
            body(&state)
            defer { unsafe state.reader = nil }
            return unsafe state.reader
        }
        unsafe reader?.resume()
    }
}
