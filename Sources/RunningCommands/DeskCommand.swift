import ArgumentParser
import BundleReplay
import Console
import Glibc
import MonitorClient
import Platform
import Results
import SessionPorts
import StudyModel
import Terminal
import TextFormat

package struct DeskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desk",
        abstract: "One page for whoever runs sessions: who is due, how runs go, and what to do.",
        discussion: """
            Shows who is to come, the runs in the results folder and on a monitor, alarms, and what was unusual today. \
            Each thing that can be done now has a key: begin and check a session, mark a run and change its course, go \
            on with one that was killed, write a note. Arrows or numbers choose a row. A run that begins here has this \
            terminal until it is over.

            Options of 'entrain run' for every run that begins here come after '--':

              entrain desk study.yaml --out results -- --source heartRate=bluetooth
            """)

    @Argument(help: "The study file.", completion: .file(extensions: ["yaml", "yml"]))
    var study: String

    @Argument(parsing: .postTerminator, help: "Options of 'entrain run', after '--'.")
    var runOptions: [String] = []

    @Option(
        name: [.customShort("o"), .customLong("out")], help: "The folder for result bundles.",
        completion: .directory)
    var output = usualResults

    @Option(help: "Who you are, in at most 64 characters; it stands beside what you do.")
    var by: String?

    @Option(
        help: ArgumentHelp(
            "Also show the runs of other rooms, and let this monitor show those that begin here.",
            valueName: "url"))
    var monitor: String?

    @OptionGroup var tokens: TokenOptions

    @Flag(
        help: "Lines instead of a screen, for screen readers and logs: type a key, or a number, and Return.")
    var plain = false

    @Flag(help: "Print the page once, and end.")
    var once = false

    func validate() throws {
        try RunInProgress.validate(author: by)
        if let monitor { try MonitorOptions.validate(monitor, as: "--monitor") }
        let template: Run
        do { template = try run(of: "P01", options: []) } catch {
            throw ValidationError(Run.message(for: error))
        }
        guard template.participant == "P01", !template.presentation.auto, !template.departures.resumes else {
            throw ValidationError(
                "The desk says whose run it is, and people answer: leave --participant, --auto and --resume out."
            )
        }
    }

    func run() async throws {
        let template = try run(of: "P01", options: [])
        let rooms = try reporting {
            _ = try template.options.load()
            return try watch()
        }
        let facts = DeskFacts(
            study: study, output: output, ledger: template.ledger, rooms: rooms, options: common)
        let first = await facts.page()
        var desk = Desk(first)
        guard !once else {
            Output.emit(.lines(desk.lines.map { printable($0) + "\n" }.joined()))
            return
        }
        let isPlain =
            plain
            || !["", "0"].contains(environmentVariable("ACCESSIBLE") ?? "")
            || !TerminalPrompter.canShow(
                input: STDIN_FILENO, output: STDOUT_FILENO, terminalType: environmentVariable("TERM"))
        let background =
            isPlain || !Terminals.isColoured
            ? nil : TerminalProbe(input: STDIN_FILENO, output: STDOUT_FILENO)?.facts().background
        let screen = DeskScreen(
            input: STDIN_FILENO, output: STDOUT_FILENO, on: background, usesUnicode: Terminals.usesUnicode,
            isPlain: isPlain)
        let orders = DeskOrders(output: output, author: by, rooms: rooms)
        while true {
            let left = await screen.show(
                desk, on: ContinuousClock(), page: { await facts.page() },
                perform: { await orders.perform($0) })
            desk = left.desk
            guard let order = left.order else { return }
            try await perform(order, telling: facts)
            guard !isPlain else { continue }
            guard Output.ask("Return = back to the desk ") != nil else { return }
        }
    }

    private func watch() throws -> RoomWatch? {
        guard let monitor else { return nil }
        let token = try tokens.token(in: MonitorOptions.tokenVariable, for: monitor)
        return try MonitorAddress(monitor, token: token).map { try RoomWatch($0) }
    }

    /// The words after `entrain run` that begin a run.
    static func words(_ study: String, _ participant: String, _ output: String, _ options: [String])
        -> [String]
    {
        [study, "--participant", participant, "--out", output] + options
    }

    private func words(of participant: String, options: [String]) -> [String] {
        Self.words(study, participant, output, options + common)
    }

    /// What the runs that begin here have in common.
    private var common: [String] {
        (by.map { ["--by", $0] } ?? []) + (monitor.map { ["--monitor", $0] } ?? [])
            + (tokens.tokenOverHttp ? ["--token-over-http"] : []) + runOptions
    }

    private func run(of participant: String, options: [String]) throws -> Run {
        try Run.parse(words(of: participant, options: options))
    }

    /// Does what needs the terminal: a run, or the check before one.
    private func perform(_ order: DeskOrder, telling facts: DeskFacts) async throws {
        let session = order.due?.number ?? order.run.flatMap { facts.session(of: $0.run) }
        var options = session.map { ["--session", String($0)] } ?? []
        switch order.action {
        case .check:
            Output.progress("Looking: this takes some seconds …")
            var findings: [Finding]
            do {
                findings = try await run(of: order.participant, options: options).findings()
            } catch {
                findings = [Finding(state: .stop, subject: "run", words: Run.message(for: error))]
            }
            Output.progress(nil)
            Output.emit(.coloured(Readiness.table(of: findings) + "\n"))
            facts.remember(findings, of: order.participant)
        case .goOn, .begin:
            if order.action == .goOn { options.append("--resume") }
            if order.action == .begin, order.due?.obstacles.contains(.repeated) == true {
                options += ["--repeat", order.text]
            }
            if order.departs { options += ["--deviation", order.text] }
            begin(order.participant, options)
        case .mark, .control, .recover, .newcomer, .note, .acknowledge, .quit: return
        }
    }

    /// Lets a run have the terminal until it is over.
    private func begin(_ participant: String, _ options: [String]) {
        let words = words(of: participant, options: options)
        Output.say("\(printable(Self.command(words)))")
        // Ctrl-C is for the run alone.
        signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, SIG_DFL) }
        var process: pid_t = 0
        let code = unsafe ProcessGroup.spawn(
            [ProgramFolder.program, "run"] + words, as: &process, endsWithUs: true
        ) { _ in }
        guard code == 0 else { return Output.complain("the run cannot be started: \(systemMessage(code))") }
        ProcessGroup.wait(for: process)
    }

    /// A command as a shell reads it.
    static func command(_ words: [String]) -> String {
        let plain = "-_./:=@,".unicodeScalars
        let quoted = words.map { word in
            let isPlain = word.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || "0"..."9" ~= scalar || plain.contains(scalar)
            }
            return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
        }
        return (["entrain", "run"] + quoted).joined(separator: " ")
    }
}
