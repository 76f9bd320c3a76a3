import MonitorInterface
package import Platform
package import SessionPorts
package import StudyModel
import Synchronization

/// Reports a run's events to a monitor, and stores what it could not send.
///
/// The run only calls `tell`, which never waits. Everything is kept until the monitor has it on disk. A repeated
/// message is recognised by its key or its sequence numbers, so that everything arrives exactly once.
package final class MonitorLink: Sendable {
    /// What happened to the messages.
    package struct Outcome: Hashable, Sendable {
        /// Messages that the monitor does not have yet, and that wait in the spool.
        package var left = 0
        /// Messages that the monitor refuses.
        package var refused = 0
        /// The reason, in words.
        package var problem: String?
    }

    private struct State {
        var news: [RunUpdate] = []
        /// Messages that are not about what happens in the run.
        var others: [MonitorMessage] = []
        var isOver = false
        var reporter: RunReporter
        var outbox: MonitorOutbox
    }

    private let state: Mutex<State>
    private let monitor: MonitorAddress
    private let client: HTTPClient
    private let output: String
    private let run: String
    private let secret: String?
    /// Receives what experimenters want of the run; `nil` if it takes nothing.
    private let requests: AsyncStream<MarkRequest>.Continuation?
    /// How long a monitor may take after the run's end.
    private let patience: Duration
    private let (news, newsBell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let (mail, mailBell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - output: the folder with result bundles, which also contains the spool.
    ///   - run: its UUID.
    ///   - first: the message that describes the run.
    ///   - start: when the run began, seconds since 1970; `nil` if it does not go as fast as the clock.
    ///   - requests: receives what experimenters want of the run.
    /// - Throws: if no server can be reached from here, because libcurl is missing.
    package init(
        to monitor: MonitorAddress, plan: RunPlan, output: String, run: String, first: MonitorMessage,
        start: Double? = nil, requests: AsyncStream<MarkRequest>.Continuation? = nil,
        patience: Duration = .seconds(5)
    ) throws(HTTPFailure) {
        client = try HTTPClient()
        self.monitor = monitor
        self.output = output
        (self.run, secret) = (run, first.secret)
        self.patience = patience
        self.requests = requests
        state = Mutex(State(reporter: RunReporter(plan, start: start), outbox: MonitorOutbox([first])))
    }

    /// Queues an update for the monitor. Returns at once.
    package func tell(_ item: RunUpdate) {
        state.withLock { $0.news.append(item) }
        newsBell.yield()
    }

    /// Queues a message that is not about the course of the run. Returns at once.
    package func tell(_ message: MonitorMessage) {
        state.withLock { $0.others.append(message) }
        newsBell.yield()
    }

    /// The run is over: no more messages will come.
    package func end() {
        state.withLock { $0.isOver = true }
        newsBell.yield()
    }

    /// Sends messages until the run is over and all are sent, or until the time limit.
    ///
    /// It also sends what earlier runs in the same folder could not send.
    package func run() async -> Outcome {
        let spool = Spool(in: output, run: run)
        spool?.append(state.withLock { $0.outbox.lines(from: 0) })
        await withTaskGroup { group in
            group.addTask {
                _ = await Self.deliver(spoolsIn: self.output, to: self.monitor, client: self.client)
            }
            group.addTask { await self.beat() }
            if let requests {
                let listener = RequestListener(
                    monitor: monitor, run: run, secret: secret, client: client, requests: requests)
                group.addTask { await listener.listen() }
            }
            await withTaskGroup { group in
                group.addTask { await self.gather(into: spool) }
                group.addTask { await self.send() }
            }
            group.cancelAll()
        }
        let outcome = state.withLock { $0.outbox.outcome }
        if outcome.left == 0 { spool?.remove() }
        return outcome
    }

    /// Turns updates into messages, on disk and in the outbox, until the run is over.
    private func gather(into spool: Spool?) async {
        for await _ in news {
            let (lines, isOver) = state.withLock { state in
                let messages = state.reporter.messages(of: state.news) + state.others
                (state.news, state.others) = ([], [])
                let first = state.outbox.count
                state.outbox.add(messages)
                state.outbox.isComplete = state.isOver
                return (state.outbox.lines(from: first), state.isOver)
            }
            spool?.append(lines)
            mailBell.yield()
            if isOver { return }
        }
    }

    /// Wakes `send` for the next sign of life.
    private func beat() async {
        while true {
            do { try await Task.sleep(for: .seconds(MonitorLimits.heartbeat)) } catch { return }
            mailBell.yield()
        }
    }

    private func send() async {
        let sender = MonitorSender(monitor, series: run, secret: secret, client: client)
        let clock = ContinuousClock()
        var bell = mail.makeAsyncIterator()
        var end: ContinuousClock.Instant?
        var nextSign = clock.now
        var pause = Duration.milliseconds(250)
        func signIfDue() async {
            guard clock.now >= nextSign else { return }
            await sender.sayAlive()
            nextSign = clock.now.advanced(by: .seconds(MonitorLimits.heartbeat))
        }
        while true {
            let (next, isComplete) = state.withLock { ($0.outbox.next, $0.outbox.isComplete) }
            if isComplete, end == nil { end = clock.now.advanced(by: patience) }
            guard let next else {
                if isComplete { return }
                await signIfDue()
                await bell.next()
                continue
            }
            let answer = await sender.send(next)
            if state.withLock({ $0.outbox.take(answer) }) {
                pause = .milliseconds(250)
                // However many messages wait: a run that is killed without any sign would seem to go on.
                if !isComplete { await signIfDue() }
                continue
            }
            if let end, clock.now >= end { return }
            do { try await clock.sleep(for: pause) } catch { return }
            pause = min(pause * 2, .seconds(2))
        }
    }
}

extension MonitorLink {
    /// Sends what earlier runs could not, until everything is sent or the monitor cannot be reached.
    ///
    /// - Parameter output: the folder with their bundles.
    /// - Returns: what happened to each run, by its UUID.
    package static func deliver(
        spoolsIn output: String, to monitor: MonitorAddress
    ) async throws(HTTPFailure) -> [String: Outcome] {
        await deliver(spoolsIn: output, to: monitor, client: try HTTPClient())
    }

    private static func deliver(
        spoolsIn output: String, to monitor: MonitorAddress, client: HTTPClient
    ) async -> [String: Outcome] {
        var outcomes: [String: Outcome] = [:]
        for path in Spool.left(in: output) {
            guard let spool = Spool(leftAt: path) else { continue }
            let messages = spool.messages()
            var outbox = MonitorOutbox(messages)
            outbox.close()
            let run = Spool.run(of: path)
            let sender = MonitorSender(
                monitor, series: run, secret: messages.first?.secret, client: client)
            while let next = outbox.next, outbox.take(await sender.send(next)) {}
            outcomes[run] = outbox.outcome
            guard outbox.outcome.left == 0 else { break }
            spool.remove()
        }
        return outcomes
    }
}
