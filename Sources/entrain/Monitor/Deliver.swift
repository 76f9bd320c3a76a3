import ArgumentParser
import BundleReplay
import Datasets
import MonitorClient
import Platform
import Results
import Signals
import Sound
import StudySession
import TextFormat

struct Deliver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sends a monitor sealed bundles, and the messages that it missed from earlier runs.",
        discussion: """
            The monitor keeps each bundle once, with everything that is in it, when each file is as its sum \
            says. If the way breaks, give the same command again: what has arrived is not sent again. Bundles \
            of participants who have withdrawn are not sent. If the monitor needs a token, put it into the \
            environment variable ENTRAIN_MONITOR_TOKEN.

            The exit code is 65 if a bundle is damaged or was refused, and 69 if the monitor cannot be reached.
            """)

    @Argument(help: "The folder with result bundles, at any depth.", completion: .directory)
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
            var search = BundleSearch(known: [])
            try search.look(in: output)
            let outcomes = try await MonitorLink.deliver(spoolsIn: output, to: monitor)
            if outcomes.isEmpty, search.bundles.isEmpty {
                Output.say("There is nothing to deliver in '\(output)'.")
            }
            for (run, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
                guard outcome.left == 0 else {
                    throw StudyFailure(
                        "the monitor cannot be reached: \(outcome.problem ?? "no answer")", .missing)
                }
                let refused = outcome.refused > 0 ? ", but for what it refused: \(outcome.problem ?? "")" : ""
                Output.say("Delivered the messages of \(run)\(refused)")
            }
            try await deliver(search, to: monitor)
        }
    }

    private func deliver(_ search: BundleSearch, to monitor: MonitorAddress) async throws {
        let delivery = try BundleDelivery(to: monitor)
        var known = 0
        var problems = search.leftOut.damaged.map { "\(printable($0.path)): \(printable($0.reason))" }
        for path in search.bundles.sorted() {
            let outcome: BundleDelivery.Outcome
            do throws(BundleFailure) { outcome = try await delivery.deliver(path) } catch {
                outcome = .refused(error.description)
            }
            switch outcome {
            case .delivered(let bytes): Output.say("Delivered \(printable(path)), \(bytes) bytes")
            case .known: known += 1
            case .refused(let reason): problems.append("\(printable(path)): \(reason)")
            case .away(let reason):
                throw StudyFailure("the bundles cannot be delivered: \(reason)", .missing)
            }
        }
        if known > 0 { Output.say("The monitor had \(counted(known, "bundle")) already.") }
        for path in search.leftOut.unsealed {
            Output.remark("not sealed, not delivered: \(printable(path))")
        }
        for problem in problems { Output.complain("not delivered: \(problem)") }
        if !problems.isEmpty { throw ExitCode.badData }
    }
}
