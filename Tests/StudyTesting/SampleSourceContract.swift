package import SessionPorts
package import StudyModel
import Synchronization

/// Checks the laws of `SampleSource`, without waiting.
///
/// - Returns: each broken law in words; empty where the source keeps them all.
package func checkSampleSourceContract(_ source: some SampleSource) async -> [String] {
    let punctual = await SampleSourceTrace(of: source, turns: 300, isAwaited: true)
    let late = await SampleSourceTrace(
        of: source, turns: 300, from: .seconds(100), lateness: .milliseconds(250))
    let short = await SampleSourceTrace(of: source, turns: 0)
    let unborn = await SampleSourceTrace(of: source, turns: 0, isCancelledBefore: true)
    var broken = [punctual, late, short].flatMap(\.brokenLaws)
    if punctual.measured.isEmpty { broken.append("sends no sample in 300 turns") }
    if !unborn.reports.isEmpty { broken.append("reports though it was cancelled before it began") }
    return broken
}

/// The reports of a source, from whatever task they come.
private final class Log: Sendable {
    private let stored = Mutex<[SampleSourceTrace.Report]>([])

    var reports: [SampleSourceTrace.Report] { stored.withLock { $0 } }

    var hasSample: Bool { stored.withLock { $0.contains { $0.what.sample != nil } } }

    func append(_ report: SampleSourceTrace.Report) { stored.withLock { $0.append(report) } }
}

extension SourceReport {
    /// The sample that it is, if any.
    fileprivate var sample: Timed<SignalValue>? {
        switch self {
        case .measured(let sample): sample
        case .moved(let position):
            position.map { .rating(RatedPosition([$0.horizontal ?? 0, $0.vertical ?? 0], .change)) }
        case .live, .quality, .flooded, .lost, .told: nil
        }
    }
}

/// What a source did on a clock that stands still until it is moved.
package struct SampleSourceTrace: Hashable, Sendable {
    /// What was reported, and the clock's time at that moment.
    package struct Report: Hashable, Sendable {
        package var what: SourceReport
        package var now: RunInstant
    }

    package var reports: [Report] = []
    /// How many of the reports came before the cancellation.
    package var countBeforeCancellation = 0
    /// Whether the source returned before it was cancelled.
    package var hasReturnedByItself = false
    package var failure: SourceFailure?

    /// Long after everything: who sleeps until then has nothing more to do.
    private static let end = RunInstant.seconds(1e9)

    /// Runs a source for some turns of a clock, and cancels it.
    ///
    /// - Parameters:
    ///   - turns: how often the clock is moved on to the source's next deadline.
    ///   - start: the clock's time at the beginning.
    ///   - lateness: how long the clock oversleeps each deadline.
    ///   - isAwaited: whether the clock is moved on until there is a sample, where that comes from outside.
    ///   - isCancelledBefore: whether the source is started by a task that is cancelled already.
    ///   - circumstances: what the participant does at a moment.
    package init(
        of source: some SampleSource, turns: Int, from start: RunInstant = .start, lateness: Duration = .zero,
        isAwaited: Bool = false, isCancelledBefore: Bool = false,
        circumstances: @escaping @Sendable (RunInstant) -> Circumstances = { _ in Circumstances() }
    ) async {
        let clock = ManualClock()
        clock.advance(to: start)
        let log = Log()
        await withTaskGroup(of: SourceFailure?.self) { group in
            if isCancelledBefore { group.cancelAll() }
            group.addTask {
                let failure = await Self.failure(of: source, on: clock, circumstances) {
                    log.append(Report(what: $0, now: clock.now))
                }
                // Woken by the cancellation only.
                do { try await clock.sleep(until: Self.end, tolerance: nil) } catch {}
                return failure
            }
            if !isCancelledBefore {
                var turn = 0
                while turn < turns || isAwaited && turn < 300_000 && !log.hasSample {
                    turn += 1
                    let deadline = await clock.nextSleep()
                    guard deadline < Self.end else { break }
                    clock.advance(to: deadline.advanced(by: lateness))
                }
                hasReturnedByItself = await clock.nextSleep() == Self.end
                countBeforeCancellation = log.reports.count
                group.cancelAll()
            }
            for await result in group { failure = result }
        }
        reports = log.reports
    }

    /// What a source reported that works in real time only.
    package init(of reports: [SourceReport]) {
        self.reports = reports.map { Report(what: $0, now: Self.end) }
        countBeforeCancellation = reports.count
    }

    /// What was said of the heart.
    package var samples: [Timed<HeartRateSample>] {
        reports.compactMap(\.what.heart)
    }

    /// The samples of all signals among the reports.
    package var measured: [Timed<SignalValue>] { reports.compactMap(\.what.sample) }

    /// The laws that this trace breaks.
    package var brokenLaws: [String] {
        var broken: [String] = []
        let beginning = reports.prefix { $0.what != .live }
        if let first = beginning.first(where: { $0.what.sample.map { $0.value.picture == nil } ?? false }) {
            broken.append("reports \(first.what) before it is live")
        }
        if reports.count > countBeforeCancellation { broken.append("reports after it was cancelled") }
        for (report, next) in zip(reports, reports.dropFirst()) {
            if case .lost = report.what, let sample = next.what.sample, sample.value.picture == nil {
                broken.append("sends a sample after it said that it is lost, without being live again")
            }
        }
        if zip(measured, measured.dropFirst()).contains(where: { $0.arrival > $1.arrival }) {
            broken.append("sends samples out of the order of their arrival")
        }
        if measured.contains(where: { $0.arrival < $0.instant }) {
            broken.append("sends a sample that arrived before it was measured")
        }
        for report in reports {
            if let sample = report.what.sample, sample.arrival > report.now {
                broken.append("sends a sample before it arrived")
            }
        }
        if hasReturnedByItself, failure == nil, reports.last?.what.sample != nil {
            broken.append("returns without saying that nothing more will come")
        }
        return broken
    }

    private static func failure(
        of source: some SampleSource, on clock: ManualClock,
        _ circumstances: @escaping @Sendable (RunInstant) -> Circumstances,
        report: @Sendable (SourceReport) -> Void
    ) async -> SourceFailure? {
        do {
            try await source.run(on: clock, circumstances: { circumstances(clock.now) }, report: report)
            return nil
        } catch {
            return error
        }
    }
}
