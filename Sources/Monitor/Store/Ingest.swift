import Logging
import ServiceLifecycle
import Synchronization

/// The way into the store: many requests wait together for one transaction.
///
/// While a transaction is being synced, entries gather; the next one takes them all. An entry's `submit`
/// returns when its transaction is on disk.
final class Ingest: Service {
    private struct Waiting {
        var entry: Entry
        var answer: CheckedContinuation<Result<Receipt, Refusal>, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isClosed = false
    }

    private let store: Store
    private let feed: Feed
    private let limits: Limits
    private let now: @Sendable () -> Double
    private let logger: Logger
    private let state = Mutex(State())
    private let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        store: Store, feed: Feed, limits: Limits, logger: Logger, now: @escaping @Sendable () -> Double
    ) {
        self.store = store
        self.feed = feed
        self.limits = limits
        self.logger = logger
        self.now = now
    }

    /// Writes an entry; when this returns, it is on disk.
    func submit(_ entry: Entry) async throws(Refusal) -> Receipt {
        let result = await withCheckedContinuation { answer in
            let refusal: Refusal? = state.withLock { state in
                guard !state.isClosed else { return Refusal(.unavailable, "the monitor is stopping") }
                guard state.waiting.count < limits.waitingEntries else {
                    return Refusal(.unavailable, "too many requests wait for the disk")
                }
                state.waiting.append(Waiting(entry: entry, answer: answer))
                return nil
            }
            if let refusal { answer.resume(returning: .failure(refusal)) } else { ring.yield() }
        }
        return try result.get()
    }

    /// Writes until told to stop; what came before that is still written.
    func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in bell { await writeWaiting() }
            await writeWaiting()
        } onGracefulShutdown: {
            self.stop()
        }
    }

    private func stop() {
        state.withLock { $0.isClosed = true }
        ring.finish()
    }

    private func writeWaiting() async {
        let batch = state.withLock { state in
            let batch = state.waiting
            state.waiting = []
            return batch
        }
        guard !batch.isEmpty else { return }
        do {
            let commit = try await store.commit(batch.map(\.entry), now: now())
            feed.publish(commit.records)
            for (waiting, receipt) in zip(batch, commit.receipts) {
                waiting.answer.resume(returning: receipt)
            }
        } catch {
            logger.error("nothing was written", metadata: ["error": "\(error)", "entries": "\(batch.count)"])
            let refusal = Refusal(.unavailable, "the disk refused; nothing of this request was kept")
            for waiting in batch { waiting.answer.resume(returning: .failure(refusal)) }
        }
    }
}
