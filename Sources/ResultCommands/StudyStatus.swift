import ArgumentParser
import BundleReplay
import Console
import Datasets
import MonitorClient
import Participants
import Platform
import Results
import StudyModel
import TextFormat

package struct StudyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "study", abstract: "Shows the progress of a study, and the log of its runs.",
        subcommands: [StudyStatus.self, StudyLog.self])
}

struct StudyStatus: AsyncParsableCommand {
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

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "Also show the progress on the live page of the monitor at this URL, without single runs.",
            valueName: "url"))
    var monitor: String?

    @OptionGroup var tokens: TokenOptions

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        if let monitor { try MonitorOptions.validate(monitor, as: "--to") }
    }

    func run() async throws {
        var register = try reporting { try Register(below: results) }
        let allocated = try reporting { try ledger.map { try LedgerStatus(at: $0, beside: register.runs) } }
        let code = register.nextCode(besides: Set(allocated?.participants ?? []))
        let tasks = TasksOfBundles()
        var found: [RunStatus] = []
        for entry in register.runs
        where register.takes(entry.run.origin, includingSimulated: simulated.includeSimulated) {
            do throws(FileFailure) {
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
            var lines = register.leftOut.logLines + studies.flatMap(\.lines)
            if studies.isEmpty { lines.append("There is no run of a participant.") }
            lines += register.leftOut.lines(unsealed: "it is still going on, or must be recovered")
            lines += allocated?.lines ?? []
            lines.append("next free code: \(printable(code))")
            Output.emit(.lines(lines.joined(separator: "\n") + "\n"))
        }
        if let monitor {
            try await reporting { try await Self.tell(studies.map(\.progress), to: monitor, tokens) }
        }
        if !register.leftOut.damaged.isEmpty { throw ExitCode.badData }
    }

    private static func tell(
        _ messages: [MonitorMessage], to url: String, _ tokens: TokenOptions
    ) async throws {
        let token = try tokens.token(in: MonitorOptions.tokenVariable, for: url)
        guard let address = MonitorAddress(url, token: token) else {
            throw StudyFailure("'\(printable(url))' is not the address of a monitor", .usage)
        }
        for message in messages {
            if let problem = try await address.problem(telling: message) {
                throw StudyFailure("the monitor does not show the progress: \(printable(problem))", .missing)
            }
        }
        Output.remark(
            "The monitor shows the progress of \(messages.count == 1 ? "1 study" : "\(messages.count) studies")."
        )
    }
}
