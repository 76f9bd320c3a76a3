package import ArgumentParser
import BundleReplay
import Glibc
package import MonitorClient
import Platform
import Results
package import SessionPorts
import Sound
import StudyModel
package import StudySession
import TextFormat

/// Which monitor shows a run.
package struct MonitorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Let others watch the run: the URL of a monitor, or 'here' to start one that ends with the run.",
            valueName: "url|here"))
    package var monitor: String?

    package init() {}

    package func validate() throws {
        guard let monitor, monitor != "here", MonitorAddress(monitor, token: nil) == nil else { return }
        throw ValidationError("--monitor is 'here' or an address such as http://localhost:8080")
    }

    /// Begins to send to a monitor, if one was given: each participant of the run is a run there.
    ///
    /// - Parameter requests: receives what experimenters want of the run.
    package func watch(
        _ sitting: Sitting, _ tokens: TokenOptions, requests: AsyncStream<MarkRequest>.Continuation?
    ) throws -> Watching? {
        guard let monitor else { return nil }
        let beside = monitor == "here" ? try MonitorBeside(logging: sitting.output + "/.monitor") : nil
        let url = beside?.url ?? monitor
        guard let address = MonitorAddress(url, token: try tokens.token(in: Self.tokenVariable, for: url))
        else {
            throw StudyFailure("'\(printable(monitor))' is not the address of a monitor", .usage)
        }
        let start = sitting.name.wallClock.secondsSince1970(of: .start)
        let links = try sitting.seats.map { seat in
            try MonitorLink(
                to: address, plan: sitting.currentPlan(of: seat), output: sitting.output, run: seat.uuid,
                first: .run(
                    sitting.currentPlan(of: seat), title: sitting.title.text(in: sitting.session.language),
                    identifier: seat.uuid, start: start, speed: sitting.pace.speed,
                    origin: sitting.header(of: seat).run.origin, language: sitting.session.language,
                    secret: hexadecimal(randomBytes(16))),
                start: sitting.pace.speed == 1 ? start : nil, requests: requests)
        }
        if let beside { Output.remark("Watch this run at \(beside.url)/") }
        return Watching(links: links, beside: beside)
    }

    /// - Parameter option: the option that gave the address.
    package static func validate(_ address: String, as option: String) throws {
        guard MonitorAddress(address, token: nil) != nil else {
            throw ValidationError("\(option) is an address such as http://localhost:8080")
        }
    }

    /// The environment variable with the monitor's token.
    package static let tokenVariable = "ENTRAIN_MONITOR_TOKEN"
}

/// A run that is shown on a monitor.
package struct Watching {
    /// Of each participant, the first one's first.
    package let links: [MonitorLink]
    /// The monitor that was started for the run.
    package let beside: MonitorBeside?

    /// Sends until the run is over for everybody.
    package func run() async -> MonitorLink.Outcome {
        await withTaskGroup { group in
            for link in links { group.addTask { await link.run() } }
            let outcomes = await group.reduce(into: []) { $0.append($1) }
            return outcomes.dropFirst().reduce(into: outcomes[0]) { all, outcome in
                (all.left, all.refused) = (all.left + outcome.left, all.refused + outcome.refused)
                all.problem = all.problem ?? outcome.problem
            }
        }
    }

    /// Reports what the monitor has not received, if anything.
    package func report(_ outcome: MonitorLink.Outcome, in output: String) {
        let reason = outcome.problem.map { " (\($0))" } ?? ""
        if outcome.left > 0 {
            Output.remark(
                """
                The monitor did not get everything\(reason). The rest waits in '\(output)/.monitor': the next run with \
                --monitor delivers it, or 'entrain deliver'. The result bundle is whole.
                """)
        }
        if outcome.refused > 0 {
            Output.remark("The monitor refused a part of the messages\(reason). The result bundle is whole.")
        }
    }

    /// Nothing more has to be sent.
    package func end() {
        endLinks()
        beside?.end()
    }

    /// The run is over for everybody.
    package func endLinks() {
        for link in links { link.end() }
    }
}
