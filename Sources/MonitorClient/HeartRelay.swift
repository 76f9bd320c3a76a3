import MonitorInterface
package import Platform
import Results
package import SessionPorts
package import StudyModel
import Synchronization
import TextFormat

/// Sends a source's heart rates to a monitor, in order, without a run.
///
/// The source only calls `take`, which never waits. A reading is kept until the monitor has it on disk. Each
/// request has a key, so a request whose answer was lost is still written only once.
package final class HeartRelay: Sendable {
    /// What happened to the readings.
    package struct Outcome: Hashable, Sendable {
        /// Readings on the monitor's disk.
        package var sent = 0
        /// Readings that had not arrived when the time was up.
        package var left = 0
        /// Readings that the monitor refuses.
        package var refused = 0
        /// The oldest readings, thrown away because too many were waiting.
        package var dropped = 0
        /// Why something was refused, in words.
        package var problem: String?
    }

    /// A change to report while the relay runs.
    package enum Change: Hashable, Sendable {
        /// The monitor cannot be reached.
        case away(String)
        /// The monitor can be reached again, and this many readings wait.
        case back(waiting: Int)
    }

    private struct State {
        var queue = RelayQueue()
        var isOver = false
    }

    private let state = Mutex(State())
    private let sender: MonitorSender
    private let identifier: String
    private let wallClock: WallClock
    private let patience: Duration
    private let (mail, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - name: the sender's name; `nil` for that of the token.
    ///   - participant: the participant; `nil` to leave this out.
    ///   - origin: whether anyone but a participant made it: `simulated` or `replayed`.
    ///   - identifier: the unique identifier of this relay.
    ///   - wallClock: the wall clock of the samples' times.
    ///   - patience: how long the monitor may take at the end.
    /// - Throws: if no server can be reached from here, because libcurl is missing.
    package init(
        to monitor: MonitorAddress, as name: String?, participant: String?, origin: String? = nil,
        identifier: String, wallClock: WallClock, patience: Duration = .seconds(5)
    ) throws(HTTPFailure) {
        let told = [("source", name), ("participant", participant), ("origin", origin)]
        let pairs = told.compactMap { key, value in
            value.map { "\(key)=\($0.percentEncoded())" }
        }
        sender = MonitorSender(
            monitor, series: MonitorPath.readings, query: pairs.joined(separator: "&"),
            client: try HTTPClient())
        self.identifier = identifier
        self.wallClock = wallClock
        self.patience = patience
    }

    /// Takes a source's report. Returns at once.
    package func take(_ report: SourceReport) {
        guard let sample = report.heart,
            let reading = MonitorMessage.sample(
                sample.value.rate, rr: sample.value.rrIntervals,
                JSON.Object(["t": .real(wallClock.secondsSince1970(of: sample.instant))]))
        else { return }
        state.withLock { $0.queue.add(reading) }
        bell.yield()
    }

    /// No more readings will come.
    package func end() {
        state.withLock { $0.isOver = true }
        bell.yield()
    }

    /// Sends until the end, and then sends what is left within the allowed time.
    ///
    /// - Parameter tell: is called when the monitor goes away and comes back.
    package func run(telling tell: @Sendable (Change) -> Void) async -> Outcome {
        let clock = ContinuousClock()
        var bells = mail.makeAsyncIterator()
        var end: ContinuousClock.Instant?
        var pause = Duration.milliseconds(250)
        while true {
            let (next, isOver): (MonitorMessage?, Bool) = state.withLock { state in
                (state.queue.prepare() ? self.message(of: state.queue) : nil, state.isOver)
            }
            if isOver, end == nil { end = clock.now.advanced(by: patience) }
            guard let message = next else {
                if isOver { break }
                await bells.next()
                continue
            }
            let answer = await sender.send(message)
            let (goesOn, change) = state.withLock { $0.queue.take(answer) }
            if let change { tell(change) }
            guard !goesOn else {
                pause = .milliseconds(250)
                continue
            }
            if let end, clock.now >= end { break }
            do { try await clock.sleep(for: pause) } catch { break }
            pause = min(pause * 2, .seconds(2))
        }
        return state.withLock { $0.queue.end }
    }

    private func message(of queue: RelayQueue) -> MonitorMessage {
        MonitorMessage(
            .heartRate, key: "\(identifier).\(queue.number)", ["samples": .list(queue.request)])
    }
}
