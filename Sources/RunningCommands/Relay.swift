import ArgumentParser
import BundleReplay
import Console
import MonitorClient
import Platform
import Results
import SessionPorts
import Signals
import Sound
import StudyModel
import StudySession
import TextFormat

package struct Relay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "Sends the heart rates of a source to a monitor, without a study.",
        discussion: """
            The monitor's live page and history page show a strap's rates and intervals at the moments of \
            their measurement. Readings are sent in order, each once; while the monitor cannot be reached, \
            those of the last two days wait. Ctrl-C ends the relay; it then takes up to 5 s to send the \
            waiting readings. Readings that were not sent by then are lost: exit code 69.

            A simulated heart and a recording are sent under a name that begins with 'simulated-' or \
            'replayed-'. If the monitor needs a token, put it into the environment variable \
            ENTRAIN_MONITOR_TOKEN.
            """)

    @Option(
        help: ArgumentHelp(
            "Where the heart rates come from, such as heartRate=bluetooth.", valueName: "name=spec"))
    var source: String

    @Option(name: .customLong("to"), help: ArgumentHelp("The monitor's address.", valueName: "url"))
    var address: String

    @Option(help: "The sender's name at the monitor, such as strap-3; default: that of the token.")
    var name: String?

    @Option(name: .shortAndLong, help: "The participant's code.")
    var participant: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End after this time, such as 90s, 10min, 2h.", valueName: "time"))
    var time: TimeOption?

    @OptionGroup var tokens: TokenOptions

    func validate() throws {
        try MonitorOptions.validate(address, as: "--to")
        if let participant { try ParticipantOptions.validate(participant: participant) }
        if let name, Identifier(name) == nil || name.utf8.count > Self.longestName {
            throw ValidationError(
                "--name takes 1 to \(Self.longestName) letters, digits, '.', '_' or '-'")
        }
    }

    /// A monitor accepts names of 64 letters; the remainder is for saying that a heart is not real.
    private static let longestName = 48

    func run() async throws {
        Interruption.ignoreBrokenPipes()
        try await reporting {
            let remarks = SourceRemarks()
            let (source, kind) = try SourceOptions.heart(self.source, remarks: remarks)
            let token = try tokens.token(in: MonitorOptions.tokenVariable, for: address)
            guard let monitor = MonitorAddress(address, token: token) else { return }
            // Nothing simulated or replayed passes for a person.
            let origin = kind.origin.isInvented ? kind.origin.rawValue : nil
            let name = origin.map { "\($0)-\(self.name ?? "heart")" } ?? self.name
            let (ending, _) = Interruption.streams(asks: false)
            let began = ContinuousClock.now
            let relay = try HeartRelay(
                to: monitor, as: name, participant: participant, origin: origin,
                identifier: UUIDText.random(), wallClock: .now())
            let (outcome, failure) = await RunLoop.with { loop in
                let clock = loop.clock(.realTime(speed: 1), started: ContinuousClock.now - began)
                return await relaying(source, by: relay, on: clock, until: ending)
            }
            for remark in remarks.all { Output.remark("\(printable(remark))") }
            try report(outcome, failure)
        }
    }

    /// Sends until the source ends or fails, somebody ends it, or the time is up.
    private func relaying(
        _ source: any SampleSource, by relay: HeartRelay, on clock: RunClock, until ending: AsyncStream<Void>
    ) async -> (HeartRelay.Outcome, SourceFailure?) {
        async let sent = relay.run { change in
            switch change {
            case .away(let reason):
                Output.remark("The monitor cannot be reached: \(printable(reason)). Readings wait.")
            case .back(let waiting):
                Output.remark("The monitor can be reached again; \(counted(waiting, "reading")) waited.")
            }
        }
        let failure = await source.listen(on: clock, for: time?.duration, until: ending) { report in
            Self.tell(report)
            relay.take(report)
        }
        relay.end()
        return (await sent, failure)
    }

    private static func tell(_ report: SourceReport) {
        switch report {
        case .live: Output.remark("Heart rates are arriving.")
        case .lost(let problem): Output.remark("No heart rates: \(printable(problem.description)).")
        case .flooded(let count, _):
            Output.remark("The source sent too many samples; \(count) were left out.")
        case .measured, .moved, .quality, .told: break
        }
    }

    private func report(_ outcome: HeartRelay.Outcome, _ failure: SourceFailure?) throws {
        let reason = outcome.problem.map { " (\(printable($0)))" } ?? ""
        Output.say("Sent \(counted(outcome.sent, "reading")).")
        if outcome.refused > 0 {
            Output.remark("The monitor refused \(counted(outcome.refused, "reading"))\(reason).")
        }
        if outcome.dropped > 0 {
            Output.remark("\(counted(outcome.dropped, "reading")) waited too long and were thrown away.")
        }
        if let failure { throw failure }
        guard outcome.left + outcome.dropped == 0 else {
            throw StudyFailure("\(counted(outcome.left, "reading")) could not be sent\(reason)", .missing)
        }
        if outcome.refused > 0 { throw ExitCode.badData }
    }
}
