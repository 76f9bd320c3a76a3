package import BundleReplay
import Datasets
package import MonitorClient
package import Participants
package import Platform
import Results
import SessionPorts
package import StudyModel
import TextFormat

/// A run, with the quality of its recordings, clips and clock.
package struct RunStatus {
    package let entry: Register.Entry
    private var found: RunQuality?
    /// Which of the study's limits it misses; `nil` if there are no limits.
    package private(set) var shortfalls: [String]?
    /// Whether the study lets it be continued, in time or not.
    package private(set) var isResumable = false
    /// The order in which chance put the items of each block or set: by what was ordered.
    private(set) var orders: [String: [String]] = [:]

    package init(_ entry: Register.Entry, _ tasks: TasksOfBundles) throws(FileFailure) {
        self.entry = entry
        guard entry.status != nil else { return }
        let bundle = try ResultBundle(at: entry.path)
        let quality = RunQuality(of: bundle.visits)
        orders = try bundle.plan().orders
        found = quality
        let task = tasks.task(of: bundle)
        shortfalls = task?.quality.map(quality.shortfalls)
        isResumable =
            entry.counts && entry.continuedBy == nil && entry.status?.mayBeContinued == true
            && task?.resume?.incomplete == .resume
    }

    /// The state of the run.
    var state: String { entry.status?.rawValue ?? (entry.goesOn ? "running" : "stopped") }

    /// The quality in words for people.
    var quality: String {
        var parts = found?.phrases ?? []
        if let shortfalls, !shortfalls.isEmpty {
            parts.insert("poor: \(shortfalls.joined(separator: "; "))", at: 0)
        }
        if state == "stopped" { parts.append("killed: the next run recovers it, or 'entrain recover'") }
        if entry.continuedBy != nil {
            parts.append("continued")
        } else if !entry.counts {
            parts.append("does not count: repeated")
        }
        if isResumable { parts.append("can be resumed") }
        if let reason = entry.run.repeatReason { parts.append("repeats: \(printable(reason))") }
        if let words = entry.run.deviation { parts.append("departs: \(printable(words))") }
        if entry.run.origin != .recorded { parts.append(entry.run.origin.rawValue) }
        return parts.joined(separator: ", ")
    }

    var cells: [String] {
        let date = entry.run.wallClock.date(of: .start)
        return [
            printable(entry.run.participant), "\(entry.run.session)", entry.run.task.text,
            date.prefix(10) + " " + date.dropFirst(11).prefix(5), state, quality,
        ]
    }

    var json: JSON {
        var members: [String: JSON] = [
            "run": .text(entry.run.runUUID), "path": .text(entry.path),
            "participant": .text(entry.run.participant), "session": .integer(entry.run.session),
            "task": .text(entry.run.task.text), "revision": .integer(entry.run.revision),
            "text": .text(entry.run.studySHA256),
            "startDate": .text(entry.run.wallClock.date(of: .start)), "status": .text(state),
            "counts": .boolean(entry.counts),
        ].merging(entry.run.originMembers) { $1 }
        members.merge(found?.members ?? [:]) { $1 }
        members["poor"] = shortfalls.map { .texts($0) }
        members["continues"] = entry.run.continues.map { .text($0) }
        if isResumable { members["resumable"] = .boolean(true) }
        members["arm"] = entry.run.arm.map { .text($0.text) }
        members["sessionName"] = entry.run.sessionName.map { .text($0.text) }
        members["sessionDay"] = entry.run.sessionDay.map { .integer($0) }
        members["deviation"] = entry.run.deviation.map { .text($0) }
        members["repeat"] = entry.run.repeatReason.map { .text($0) }
        return .members(members)
    }
}

/// The runs of one study.
package struct StudySummary {
    let study: Identifier
    let runs: [RunStatus]
    let clock: WallClock
    /// What everybody has done of the sessions that the study lists, and what is to come.
    private let schedules: [Schedule]
    /// Whether the study lets the program decide who gets which arm.
    private let isAllocating: Bool

    init(study: Identifier, runs: [RunStatus], clock: WallClock) {
        (self.study, self.runs, self.clock) = (study, runs, clock)
        let entries = runs.map(\.entry)
        let last = Study.asLastRun(study, among: entries)
        isAllocating = last?.allocation != nil
        let listed = last.flatMap { $0.sessions.isEmpty ? nil : $0 }
        schedules = listed.map { Schedule.all(in: $0, runs: entries) } ?? []
    }

    private var participants: Int { Set(runs.map(\.entry.run.participant)).count }
    /// How many sessions ended in each way, by the runs that count.
    private var counts: (completed: Int, incomplete: Int, excluded: Int) {
        let ends = runs.filter(\.entry.counts).map(\.entry.status)
        return (
            ends.count { $0 == .completed }, ends.count { $0?.isEndOfTask != true },
            ends.count { $0?.nameOfEnd != nil }
        )
    }

    /// Completed runs that count and miss a limit of the study.
    private var poor: Int {
        runs.count { $0.entry.counts && $0.entry.status == .completed && $0.shortfalls?.isEmpty == false }
    }

    /// How many participants each arm has.
    private var arms: [(key: String, value: Int)] {
        let members = Dictionary(grouping: runs) { $0.entry.run.arm?.text }
        return members.compactMap { arm, runs in
            arm.map { ($0, Set(runs.map(\.entry.run.participant)).count) }
        }
        .sorted { $0.key < $1.key }
    }

    /// How many of the runs that count had each order, by block or set.
    private var orders: [(key: String, counts: [(key: String, value: Int)])] {
        var found: [String: [String: Int]] = [:]
        for run in runs where run.entry.counts && run.entry.status != nil {
            for (name, order) in run.orders {
                found[name, default: [:]][order.joined(separator: ", "), default: 0] += 1
            }
        }
        return found.map { ($0.key, $0.value.sorted { $0.key < $1.key }) }.sorted { $0.key < $1.key }
    }

    private var orderLines: [String] {
        orders.map { name, counts in
            let words =
                counts.count <= Self.fewOrders
                ? counts.map { "\($0.value) \u{d7} \(printable($0.key))" }.joined(separator: "; ")
                : "\(counts.count) different ones"
            return "  orders of \(printable(name)): \(words)"
        }
    }

    /// More orders are only counted.
    private static let fewOrders = 24

    var lines: [String] {
        var table = [["participant", "session", "task", "began", "ended", "quality"]] + runs.map(\.cells)
        if runs.contains(where: { $0.entry.run.arm != nil }) {
            let arms = ["arm"] + runs.map { $0.entry.run.arm?.text ?? "" }
            for (row, arm) in arms.enumerated() { table[row].insert(arm, at: 2) }
        }
        let (completed, incomplete, excluded) = counts
        let balance = arms.map { "\($0.value) in \($0.key)" }
        return [
            "\(study): \(counted(participants, "participant")), \(counted(completed, "session")) completed, "
                + "\(incomplete) incomplete, \(excluded) excluded"
                + (poor > 0 ? "; \(poor) completed but poor" : "")
                + (balance.isEmpty ? "" : "; arms: \(balance.joined(separator: ", "))")
        ]
            + orderLines + aligned(table).map { "  " + $0 } + toCome + [""]
    }

    private var toCome: [String] {
        guard !schedules.isEmpty else { return [] }
        let now = clock.moment
        let head =
            "to come, as of \(now.date.text), \(Study.Session.time(now.minute)) (\(printable(clock.zone))):"
        return ["", head] + (Schedule.table(of: schedules, at: now) ?? ["  nothing"])
    }

    var json: JSON {
        let (completed, incomplete, excluded) = counts
        var members: [String: JSON] = [
            "study": .text(study.text), "participants": .integer(participants),
            "arms": .members(Dictionary(uniqueKeysWithValues: arms.map { ($0.key, .integer($0.value)) })),
            "completed": .integer(completed), "incomplete": .integer(incomplete),
            "excluded": .integer(excluded), "poor": .integer(poor), "runs": .list(runs.map(\.json)),
        ]
        if !orders.isEmpty { members["orders"] = .list(orderMembers) }
        if !schedules.isEmpty {
            members["date"] = .text(clock.date(of: .start))
            members["zone"] = .text(clock.zone)
            members["schedules"] = .list(schedules.map { $0.json(at: clock.moment) })
        }
        return .members(members)
    }
}

extension StudySummary {
    private var orderMembers: [JSON] {
        orders.map { name, counts in
            var members: [String: JSON] = ["block": .text(name), "distinct": .integer(counts.count)]
            if counts.count <= Self.fewOrders {
                members["counts"] = .members(
                    Dictionary(counts.map { ($0.key, .integer($0.value)) }) { first, _ in first })
            }
            return .members(members)
        }
    }

    /// The summary for a monitor, which every room can see: without single runs, and without the arms of a study that
    /// allocates them, because they would let the next arm be guessed.
    package var progress: MonitorMessage {
        let (completed, incomplete, excluded) = counts
        var members: [String: JSON] = [
            "study": .text(study.text), "date": .real(clock.secondsSince1970(of: .start)),
            "participants": .integer(participants), "completed": .integer(completed),
            "incomplete": .integer(incomplete), "excluded": .integer(excluded), "poor": .integer(poor),
        ]
        if !arms.isEmpty {
            if isAllocating {
                members["armsAreHidden"] = .boolean(true)
            } else {
                members["arms"] = .members(
                    Dictionary(uniqueKeysWithValues: arms.map { ($0.key, .integer($0.value)) }))
            }
        }
        if !orders.isEmpty { members["orders"] = .list(Array(orderMembers.prefix(20))) }
        let toCome = schedules.filter { $0.end == nil }.flatMap { schedule in
            schedule.appointments.filter(\.isToCome).map { appointment -> JSON in
                [
                    "participant": .text(schedule.participant),
                    "session": .text(appointment.session.identifier.text),
                    "state": .text(appointment.word(at: clock.moment)), "when": .text(appointment.when),
                ]
            }
        }
        members["toCome"] = .list(Array(toCome.prefix(500)))
        return MonitorMessage(.progress, .members(members))
    }

    /// How far the study of a run has come, by the bundles directly in an output folder.
    ///
    /// - Returns: `nil` if no run of a participant is there.
    package static func of(_ study: Identifier, in output: String) throws(FileFailure) -> StudySummary? {
        let tasks = TasksOfBundles()
        var runs: [RunStatus] = []
        for entry in try Register(in: output).runs
        where entry.run.study == study && !entry.run.origin.isInvented {
            do throws(FileFailure) { runs.append(try RunStatus(entry, tasks)) } catch { continue }
        }
        return runs.isEmpty ? nil : StudySummary(study: study, runs: runs, clock: .now())
    }
}

extension PlanDocument {
    /// What chance ordered, by the block or the set, each with its items as they came.
    fileprivate var orders: [String: [String]] {
        var orders: [String: [String]] = [:]
        for draw in draws where ["shuffle", "latinSquare", "williams"].contains(draw.method) {
            let parts = draw.stream.split(separator: "/").map(String.init)
            guard let last = parts.last else { continue }
            // `square/SET`, or `order/TASK/BLOCK/PASS`.
            let name = parts.count < 4 ? last : last == "1" ? parts[2] : "\(parts[2]), pass \(last)"
            orders[name, default: []] += draw.chosen
        }
        return orders
    }
}
