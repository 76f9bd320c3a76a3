import Glibc
package import Platform
import Results
import Synchronization

/// The cases that are still to be tried, and what was found: what the workers of a drill share.
private final class Progress: Sendable {
    private struct State {
        var waiting: ArraySlice<(drill: Int, drillCase: DrillCase)>
        var report: DrillReport
        var failure: FileFailure?
    }

    private let state: Mutex<State>

    init(_ cases: [(drill: Int, drillCase: DrillCase)], _ report: DrillReport) {
        state = Mutex(State(waiting: cases[...], report: report))
    }

    func next() -> (drill: Int, drillCase: DrillCase, number: Int)? {
        state.withLock { state in
            guard state.failure == nil, let (drill, drillCase) = state.waiting.popFirst() else { return nil }
            return (drill, drillCase, state.report.entries.count)
        }
    }

    func add(_ entry: DrillReport.Entry) { state.withLock { $0.report.entries.append(entry) } }

    func fail(_ failure: FileFailure) { state.withLock { $0.failure = $0.failure ?? failure } }

    func report() throws(FileFailure) -> DrillReport {
        let (report, failure) = state.withLock { state -> (DrillReport, FileFailure?) in
            var report = state.report
            report.omitted = state.waiting.count
            return (report, state.failure)
        }
        if let failure { throw failure }
        return report
    }
}

extension Drill {
    /// Tries the cases of several studies, as many at once as the machine has processors, until all are tried or
    /// the time is over. Undisturbed runs come first, and then mistakes that the drill plants.
    ///
    /// - Parameters:
    ///   - cases: the cases to try; `nil` for all.
    ///   - own: a drill of the drill's own study, into which mistakes are planted if all cases are tried.
    ///   - budget: the time that it may take.
    ///   - tell: receives how many cases have been tried, and how many there are.
    package static func run(
        _ drills: [Drill], cases: [DrillCase]? = nil, plantingInto own: Drill, within budget: Duration,
        tell: @escaping @Sendable (Int, Int) -> Void
    ) async throws(FileFailure) -> DrillReport {
        let deadline = ContinuousClock.now + budget
        var report = DrillReport()
        report.lacksSound =
            cases == nil && drills.contains { $0.isOwn && $0.people.count == 1 && !$0.hasSound }
        if cases == nil {
            for drill in drills {
                report.entries.append(try drill.entry(of: DrillCase(.unbroken), isThorough: true))
            }
            // A mistake that is planted into a program that has one already shows nothing.
            if report.failures.isEmpty { try await own.plant(into: &report) }
        }
        let all = mixed(drills.map { cases ?? $0.cases() })
        let progress = Progress(all, report)
        await onAllProcessors {
            while ContinuousClock.now < deadline, let (index, drillCase, number) = progress.next() {
                do throws(FileFailure) {
                    progress.add(try drills[index].entry(of: drillCase, isThorough: number.isMultiple(of: 8)))
                } catch {
                    progress.fail(error)
                }
                tell(number + 1, all.count)
            }
        }
        return try progress.report()
    }

    /// Looks for each of the mistakes that the drill plants.
    private func plant(into report: inout DrillReport) async throws(FileFailure) {
        let all = PlantedMistake.all
        let waiting = Mutex(all.indices.map(\.self)[...])
        let outcome = Mutex<(missed: [Int], failure: FileFailure?)>(([], nil))
        await Self.onAllProcessors { [self] in
            while let index = waiting.withLock({ $0.popFirst() }) {
                do throws(FileFailure) {
                    if try !all[index].isFound(by: self, in: "planted-\(index + 1)") {
                        outcome.withLock { $0.missed.append(index) }
                    }
                } catch {
                    outcome.withLock { $0.failure = error }
                    return
                }
            }
        }
        let (missed, failure) = outcome.withLock(\.self)
        if let failure { throw failure }
        report.missedControls = missed.sorted().map { all[$0].words }
        report.foundControls = all.count - missed.count
    }

    /// A worker waits for programs and so occupies its thread, but nothing else needs one.
    private static func onAllProcessors(_ work: @escaping @Sendable () -> Void) async {
        await withTaskGroup { group in
            for _ in 0..<max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) { group.addTask { work() } }
        }
    }

    private func entry(of drillCase: DrillCase, isThorough: Bool) throws(FileFailure) -> DrillReport.Entry {
        DrillReport.Entry(
            drillCase, of: study, violations: try violations(of: drillCase, isThorough: isThorough),
            command: command(for: drillCase))
    }

    /// The lists combined into one, each spread evenly over the whole.
    private static func mixed(_ lists: [[DrillCase]]) -> [(drill: Int, drillCase: DrillCase)] {
        lists.enumerated().flatMap { index, list in
            list.enumerated().map {
                (share: Double($0.offset) / Double(list.count), drill: index, drillCase: $0.element)
            }
        }
        .sorted { ($0.share, $0.drill) < ($1.share, $1.drill) }.map { ($0.drill, $0.drillCase) }
    }

    private func command(for drillCase: DrillCase) -> String {
        let named = isOwn ? "" : " '\(study)'"
        let given = options.map { " \($0)" }.joined()
        return "entrain drill\(named)\(given) --case \(drillCase) --seed \(seed)"
    }

    /// The text of the drill's own study.
    package static var ownStudy: [UInt8] { PackageResources.drill_yaml }
}
