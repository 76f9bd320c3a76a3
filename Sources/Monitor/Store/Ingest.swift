import Logging
import ServiceLifecycle
import Synchronization
import TextFormat

/// Writes into the store; many requests share one transaction.
///
/// While a transaction is being synced, entries collect, and the next transaction takes all of them. An entry's
/// `submit` returns when its transaction is on disk.
final class Ingest: Service {
    private struct PendingEntry {
        var entry: Entry
        var answer: CheckedContinuation<Result<Receipt, Refusal>, Never>
    }

    private struct State {
        var waiting: [PendingEntry] = []
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
                state.waiting.append(PendingEntry(entry: entry, answer: answer))
                return nil
            }
            if let refusal { answer.resume(returning: .failure(refusal)) } else { ring.yield() }
        }
        return try result.get()
    }

    /// Writes until told to stop. Everything that came before is still written.
    ///
    /// Twice a second it looks for changes that others made in the same database: records of another monitor, and
    /// revoked tokens.
    func run() async throws {
        var seen = try await store.lastNumber()
        await withGracefulShutdownHandler {
            await withTaskGroup { group in
                group.addTask { await cancelWhenGracefulShutdown { await self.tick() } }
                for await _ in bell { seen = await writeWaiting(after: seen) }
                _ = await writeWaiting(after: seen)
            }
        } onGracefulShutdown: {
            self.stop()
        }
    }

    private func tick() async {
        var known: [String: Store.Condition] = [:]
        while true {
            do { try await Task.sleep(for: .milliseconds(500)) } catch { return }
            if feed.listenerCount > 0 {
                ring.yield()
                known = await tellConditions(since: known)
            }
            if feed.hasTokens { dropRevoked() }
        }
    }

    /// Tells listeners which sessions were lost, and which came back.
    private func tellConditions(since known: [String: Store.Condition]) async -> [String: Store.Condition] {
        do {
            let conditions = try await store.conditions(now: now())
            for (session, condition) in conditions where known[session] != condition {
                feed.notify(
                    "state", ["session": .text(session), "state": .text(condition.rawValue)], of: session)
            }
            return conditions
        } catch {
            logger.error("the database cannot be read", metadata: ["error": "\(error)"])
            return known
        }
    }

    private func dropRevoked() {
        do throws(StoreFailure) {
            feed.keepOnly(tokens: Set(try store.tokens().map(\.hash)))
        } catch {
            logger.error("the tokens cannot be read", metadata: ["error": "\(error)"])
        }
    }

    private func stop() {
        state.withLock { $0.isClosed = true }
        ring.finish()
    }

    /// - Parameter seen: the number of the last record that listeners received.
    /// - Returns: the number of the last record that they receive now.
    private func writeWaiting(after seen: Int64) async -> Int64 {
        let batch = state.withLock { state in
            let batch = state.waiting
            state.waiting = []
            return batch
        }
        do {
            let commit = batch.isEmpty ? nil : try await store.commit(batch.map(\.entry), now: now())
            for (waiting, receipt) in zip(batch, commit?.receipts ?? []) {
                waiting.answer.resume(returning: receipt)
            }
            return await publish(commit?.records ?? [], after: seen)
        } catch {
            logger.error("nothing was written", metadata: ["error": "\(error)", "entries": "\(batch.count)"])
            let refusal = Refusal(
                .unavailable, "writing to the disk failed; nothing of this request was kept")
            for waiting in batch { waiting.answer.resume(returning: .failure(refusal)) }
            return seen
        }
    }

    /// Sends listeners new records, including those that another monitor wrote in between.
    private func publish(_ records: [Record], after seen: Int64) async -> Int64 {
        if let first = records.first, first.number == seen + 1 || feed.listenerCount == 0 {
            feed.publish(records)
            return records.last?.number ?? seen
        }
        guard feed.listenerCount > 0 else { return seen }
        do {
            let others = try await store.records(of: .all, after: seen)
            feed.publish(others)
            return others.last?.number ?? seen
        } catch {
            logger.error("the database cannot be read", metadata: ["error": "\(error)"])
            return seen
        }
    }
}
