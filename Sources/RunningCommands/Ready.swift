import ArgumentParser
import BundleReplay
import Console
import Datasets
import Glibc
import Participants
import Results
import Sound
import StudyFile
import StudyModel
import TextFormat

package struct Ready: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ready",
        abstract: "Checks that everything a run needs is there, before the participant comes.",
        discussion: """
            Takes the same options as 'entrain run' and records nothing. Each line says 'ok', 'look' for what a person \
            should look at, or 'STOP' for what the study cannot do without; with a STOP the exit code is 69. The \
            command listens to the sources and to the microphone for some seconds. Wear the strap while it listens.
            """)

    @OptionGroup var options: StudyOptions
    @Option(name: .shortAndLong, help: "The participant's code; default: the next that is free.")
    var participant: String?

    @OptionGroup var session: ParticipantOptions
    @OptionGroup var sources: SourceOptions
    @OptionGroup var audio: AudioOptions

    @Flag(
        name: .customLong("resume"),
        help: "Look at the participant's run that was left or killed, and whether it can be continued.")
    var resumes = false

    @Option(help: ArgumentHelp("The URL of the monitor that will watch the run.", valueName: "url"))
    var monitor: String?

    @OptionGroup var tokens: TokenOptions

    @Option(
        help: ArgumentHelp(
            "In a study that allocates its arms: the folder that 'entrain allocation create' made, or the URL of the monitor that keeps the ledger.",
            valueName: "folder|url"), completion: .directory)
    var ledger: LedgerPlace?

    @Option(
        name: [.customShort("o"), .customLong("out")], help: "The folder for result bundles.",
        completion: .directory)
    var output = usualResults

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long to listen, such as 5s or 1min.", valueName: "time"))
    var time = TimeOption(seconds: 5)

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        if let participant { try ParticipantOptions.validate(participant: participant) }
        if let monitor { try MonitorOptions.validate(monitor, as: "--monitor") }
    }

    func run() async throws {
        let findings = try await reporting { try await look() }
        let missing = findings.count { $0.state == .stop }
        switch format {
        case .json:
            Output.say(
                json: [
                    "ready": .boolean(missing == 0),
                    "findings": .list(
                        findings.map {
                            [
                                "state": .text($0.state.rawValue.lowercased()), "subject": .text($0.subject),
                                "text": .text($0.words),
                            ]
                        }),
                ])
        case .text: Output.emit(.coloured(Readiness.table(of: findings) + "\n"))
        }
        guard missing == 0 else { throw ExitCode.unavailable }
    }

    private func look() async throws -> [Finding] {
        let checked = try options.load()
        let study = try session.arm(of: checked.study(), isRehearsed: true)
        let register = try Register(in: output)
        // What is wrong with the ledger is a finding of its own.
        let allocated = (try? ArmAllocation.participants(of: ledger)) ?? []
        let code = participant ?? register.nextCode(besides: allocated)
        if resumes { return try await lookAtResumption(of: checked, among: register) }
        let plan = try options.planned(
            study, session, for: code, among: study.sessions.isEmpty ? nil : register, in: output,
            language: nil, isAutomatic: true
        ).plan
        return try await readiness(of: plan, in: study, checked).findings { run in
            try Admission.mustBeFree(run, in: output, among: register, resuming: plan.task.resume)
            try PlannedSession.mustBeDue(run, of: study, among: register)
        }
    }

    private func lookAtResumption(of checked: CheckedStudy, among register: Register) async throws
        -> [Finding]
    {
        guard let participant else {
            throw StudyFailure("--resume needs the --participant whose run is continued", .usage)
        }
        let known = try checked.study()
        let number =
            session.session == nil && !known.sessions.isEmpty ? nil : try known.number(of: session.session)
        let resumption = try Resumption(
            of: checked,
            .init(participant: participant, session: number, task: options.task, isAutomatic: false),
            in: output, deviation: nil)
        let plan = resumption.continuation.plan
        let readiness = readiness(of: plan, in: resumption.study, checked)
        return try await readiness.findings(verdict: "can be continued") { _ in
            try resumption.mustBeLast(among: register)
        }
    }

    private func readiness(of plan: RunPlan, in study: Study, _ checked: CheckedStudy) -> Readiness {
        Readiness(
            checked: checked, study: study, plan: plan, output: output,
            folder: FilePath.folder(of: options.study),
            sources: sources, audio: audio, monitor: monitor, tokens: tokens, ledger: ledger, time: time,
            listener: format == .text ? .atTerminal : nil)
    }
}
