import ArgumentParser
import BundleReplay
import Datasets
import Results
import StudyModel
import StudySession
import TextFormat

struct StudyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "study", abstract: "Shows the progress of a study.", subcommands: [StudyStatus.self])
}

struct StudyStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows who took part, which sessions are done, and what is free.",
        discussion: """
            Everything is read from the bundles in the folder, and from the ledger that is given; there is no \
            other list. If a session has \
            several runs, the last completed one counts, or simply the last one if none was completed. If the \
            study lists its sessions, the ones that are to come follow, with their days. \
            Rehearsals and runs with simulated or replayed sources use up no codes, and are only counted \
            unless you ask for them.
            """)

    @Argument(help: "The folder with the bundles, at any depth.", completion: .directory)
    var results: String

    @Option(
        help: "The folder of the study's ledger, for those who were allocated and have no run.",
        completion: .directory)
    var ledger: String?

    @OptionGroup var simulated: SimulatedRuns

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() throws {
        var register = try reporting { try Register(below: results) }
        let allocated = try reporting { try ledger.map { try LedgerStatus(at: $0, beside: register.runs) } }
        let code = register.nextCode(besides: Set(allocated?.participants ?? []))
        let tasks = TasksOfBundles()
        var found: [RunStatus] = []
        for entry in register.runs
        where register.takes(entry.run.origin, includingSimulated: simulated.includeSimulated) {
            do throws(BundleFailure) {
                found.append(try RunStatus(entry, tasks))
            } catch {
                register.refuse(entry.path, error)
            }
        }
        let studies = Dictionary(grouping: found, by: \.entry.run.study).sorted { $0.key < $1.key }
            .map { StudySummary(study: $0.key, runs: $0.value, clock: .now()) }
        switch format {
        case .json:
            Output.say(
                json: register.leftOut.json(
                    ["studies": .list(studies.map(\.json)), "nextCode": .text(code)].merging(
                        allocated.map { ["ledger": $0.json] } ?? [:]
                    ) { $1 }))
        case .text:
            var lines = studies.flatMap(\.lines)
            if studies.isEmpty { lines.append("There is no run of a participant.") }
            lines += register.leftOut.lines(unsealed: "it is still going on, or must be recovered")
            lines += allocated?.lines ?? []
            lines.append("next free code: \(printable(code))")
            Output.emit(.lines(lines.joined(separator: "\n") + "\n"))
        }
        if !register.leftOut.damaged.isEmpty { throw ExitCode.badData }
    }
}

/// A run, with the quality of its recordings, clips and clock.
private struct RunStatus {
    let entry: Register.Entry
    private var found: RunQuality?
    /// Which of the study's limits it misses; `nil` if there are no limits.
    private(set) var shortfalls: [String]?
    /// Whether the study lets it be continued, in time or not.
    private var isResumable = false

    init(_ entry: Register.Entry, _ tasks: TasksOfBundles) throws(BundleFailure) {
        self.entry = entry
        guard entry.status != nil else { return }
        let bundle = try ResultBundle(at: entry.path)
        let quality = RunQuality(of: bundle.visits)
        found = quality
        let task = tasks.task(of: bundle)
        shortfalls = task?.quality.map(quality.shortfalls)
        isResumable =
            entry.counts && entry.continuedBy == nil && entry.status?.mayBeContinued == true
            && task?.resume?.incomplete == .resume
    }

    /// The state of the run.
    var state: String { entry.status?.rawValue ?? "running" }

    /// The quality in words for people.
    var quality: String {
        var parts = found?.phrases ?? []
        if let shortfalls, !shortfalls.isEmpty {
            parts.insert("poor: \(shortfalls.joined(separator: "; "))", at: 0)
        }
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
private struct StudySummary {
    let study: Identifier
    let runs: [RunStatus]
    let clock: WallClock
    /// What everybody has done of the sessions that the study lists, and what is to come.
    private let schedules: [Schedule]

    init(study: Identifier, runs: [RunStatus], clock: WallClock) {
        (self.study, self.runs, self.clock) = (study, runs, clock)
        let entries = runs.map(\.entry)
        let listed = Study.asLastRun(study, among: entries).flatMap { $0.sessions.isEmpty ? nil : $0 }
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
            + aligned(table).map { "  " + $0 } + toCome + [""]
    }

    private var toCome: [String] {
        guard !schedules.isEmpty else { return [] }
        let now = clock.moment
        let head =
            "to come, as of \(now.date.text), \(SessionWindow.time(now.minute)) (\(printable(clock.zone))):"
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
        if !schedules.isEmpty {
            members["date"] = .text(clock.date(of: .start))
            members["zone"] = .text(clock.zone)
            members["schedules"] = .list(schedules.map { $0.json(at: clock.moment) })
        }
        return .members(members)
    }
}
