import ArgumentParser
import BundleReplay
import MonitorClient
import Platform
import Signals
import Sound
import StudySession
import TextFormat

struct Deliver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sends a monitor the messages that it missed from earlier runs.",
        discussion: """
            If its monitor was unreachable, a run keeps the messages that it could not send. Nothing that \
            the monitor already has is stored twice. If the monitor needs a token, put it into the \
            environment variable ENTRAIN_MONITOR_TOKEN.
            """)

    @Argument(help: "The folder with result bundles.", completion: .directory)
    var output: String

    @Option(name: .customLong("to"), help: ArgumentHelp("The monitor's address.", valueName: "url"))
    var address: String

    @OptionGroup var tokens: TokenOptions

    func validate() throws {
        try MonitorOptions.validate(address, as: "--to")
    }

    func run() async throws {
        Interruption.ignoreBrokenPipes()
        try await reporting {
            let token = try tokens.token(in: MonitorOptions.tokenVariable, for: address)
            guard let monitor = MonitorAddress(address, token: token) else { return }
            let outcomes = try await MonitorLink.deliver(spoolsIn: output, to: monitor)
            if outcomes.isEmpty { Output.say("There is nothing to deliver in '\(output)'.") }
            for (run, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
                guard outcome.left == 0 else {
                    throw StudyFailure(
                        "the monitor cannot be reached: \(outcome.problem ?? "no answer")", .missing)
                }
                let refused = outcome.refused > 0 ? ", but for what it refused: \(outcome.problem ?? "")" : ""
                Output.say("Delivered \(run)\(refused)")
            }
        }
    }
}
