import Synchronization

/// Values on their way from many senders to one reader, in order.
///
/// All waiting values are handed over together. A step sends a dozen values, and taking each alone would cost a
/// turn of the loop.
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

    /// All values that were sent and not yet taken, in order, as soon as there are any; empty if nothing more will come.
    ///
    /// Only one reader may wait at a time.
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
