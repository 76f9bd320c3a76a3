import Logging
import ServiceLifecycle
import StudyModel

/// Watches the runs that go on, and keeps their alarms.
///
/// It knows runs from the store alone. So a monitor that was restarted continues its alarms.
actor AlarmKeeper: Service {
    private struct Telling: Hashable {
        var alarm: Int64
        var part: StoredAlarm.Part
    }

    private let store: Store
    private let feed: Feed
    private let requests: RunRequests
    /// The rules of runs whose study names none.
    private let rules: [AlarmRule]
    private let logger: Logger
    private let now: @Sendable () -> Double
    private var watches: [Int64: AlarmWatch] = [:]
    /// The number of the last record that was looked at.
    private var seen: Int64?
    /// What runs are being told, and when what they did not take is told again.
    private var telling: [Telling: Double] = [:]

    /// After so many seconds, a run that could not be told is told again.
    private static let pause = 3.0

    init(
        store: Store, feed: Feed, requests: RunRequests, rules: [AlarmRule], logger: Logger,
        now: @escaping @Sendable () -> Double
    ) {
        (self.store, self.feed, self.requests) = (store, feed, requests)
        (self.rules, self.logger, self.now) = (rules, logger, now)
    }

    /// Looks twice a second until told to stop.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                while true {
                    do { try await Task.sleep(for: .milliseconds(500)) } catch { return }
                    do {
                        try await self.look(at: self.now())
                        for (alarm, part) in try await self.due(at: self.now()) {
                            group.addTask { await self.tell(alarm, part) }
                        }
                    } catch {
                        self.logger.error("alarms cannot be kept", metadata: ["error": "\(error)"])
                    }
                }
            }
        }
    }

    /// Judges all runs at an instant, seconds since 1970.
    func look(at now: Double) async throws {
        let runs = try await store.watchedRuns(now: now)
        try await watch(runs, from: now)
        while let from = seen {
            let news = try await store.alarmNews(after: from)
            for one in news { watches[one.session]?.take(one.news, at: one.time) }
            guard let last = news.last else { break }
            seen = last.number
        }
        for run in runs { watches[run.row]?.take(.signOfLife, at: run.contact) }
        for (row, var watch) in watches {
            // A run that was deleted, or that has been lost for a day, is not watched any more.
            guard watch.isOver || runs.contains(where: { $0.row == row }) else {
                watches[row] = nil
                continue
            }
            let changes = watch.judge(at: now)
            for alarm in changes.isEmpty ? [] : try await store.write(changes, of: row, at: now) {
                tell(alarm)
            }
            watches[row] = watch.isOver ? nil : watch
        }
    }

    /// Begins to watch runs that are new here, with what is known of them already.
    private func watch(_ runs: [WatchedRun], from now: Double) async throws {
        if seen == nil { seen = try await store.lastNumber() }
        for run in runs where watches[run.row] == nil {
            let rules = run.rules ?? rules
            guard !rules.isEmpty else { continue }
            let standing = try await store.standingAlarms(of: run.row)
            var watch = AlarmWatch(rules, standing: standing, from: now)
            var from: Int64 = 0
            while case let news = try await store.alarmNews(after: from, of: run.row), let last = news.last {
                for one in news where one.number <= seen ?? 0 { watch.take(one.news, at: one.time) }
                from = last.number
            }
            watches[run.row] = watch
        }
    }

    /// Shows an alarm that has changed to all who look.
    nonisolated func tell(_ alarm: StoredAlarm) {
        feed.notify("alarm", alarm.json, of: alarm.session)
    }

    /// What runs must be told now.
    private func due(at now: Double) async throws -> [(StoredAlarm, StoredAlarm.Part)] {
        var due: [(StoredAlarm, StoredAlarm.Part)] = []
        for alarm in try await store.untoldAlarms(now: now) {
            for part in alarm.untold {
                let key = Telling(alarm: alarm.number, part: part)
                guard telling[key].map({ $0 <= now }) ?? true else { continue }
                telling[key] = .infinity
                due.append((alarm, part))
            }
        }
        return due
    }

    /// Tells a run a part of an alarm, and keeps what came of it.
    private func tell(_ alarm: StoredAlarm, _ part: StoredAlarm.Part) async {
        let key = Telling(alarm: alarm.number, part: part)
        var mark: StoredAlarm.Mark?
        do throws(Refusal) {
            try await requests.ask(alarm.session, alarm.request(part))
            mark = .kept
        } catch {
            // A run that was told and did not answer may have it: it would have it twice if it was told again.
            mark = error.kind == .unavailable ? .unknown : nil
        }
        guard let mark else {
            telling[key] = now() + Self.pause
            return
        }
        do {
            if let noted = try await store.record(mark, for: part, of: alarm.number) { tell(noted) }
            telling[key] = nil
        } catch {
            logger.error("an alarm cannot be kept", metadata: ["error": "\(error)"])
        }
    }
}
