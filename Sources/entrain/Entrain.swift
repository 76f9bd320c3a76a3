import ArgumentParser
import Console
import Glibc
import MonitorInterface
import ResultCommands
import RunningCommands
import TextFormat
import WritingCommands

@main
struct Entrain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entrain",
        abstract: "Runs research studies written in YAML and keeps every result.",
        discussion: """
            Begin with 'entrain init', find mistakes with 'entrain check', try the study without waiting with \
            'entrain rehearse', and run it with a participant with 'entrain run'.

            Exit codes: 0 success, 64 wrong usage, 65 a study or data with errors, 69 a file, source or device is missing, \
            70 a drill that misses its own mistakes, 74 the disk failed, 79 a run is complete but poor, 130 interrupted.
            """,
        version: programVersion,
        groupedSubcommands: [
            CommandGroup(
                name: "Writing a study",
                subcommands: [
                    Init.self, Examples.self, TryCommand.self, Check.self, Explain.self, Docs.self,
                    Schema.self,
                    Clips.self,
                    Translate.self,
                    ProtocolCommand.self,
                    Freeze.self, Audit.self, AllocationCommand.self,
                ]),
            CommandGroup(
                name: "Trying it out",
                subcommands: [Plan.self, Rehearse.self, PeopleCommand.self, Power.self, DrillCommand.self]),
            CommandGroup(
                name: "Running it",
                subcommands: [
                    Ready.self, Run.self, DeskCommand.self, Mark.self, ControlCommand.self, Recover.self,
                    StudyCommand.self,
                    NextSession.self,
                    Withdraw.self,
                    DeviceList.self, Doctor.self,
                    SourceList.self,
                ]),
            CommandGroup(
                name: "Looking at results",
                subcommands: [
                    Show.self, Verify.self, Collate.self, Analyse.self, Report.self,
                    ExportBundles.self, Deviations.self,
                ]),
            CommandGroup(
                name: "Recordings of a heart",
                subcommands: [Import.self, Variability.self, Zones.self, FindPulse.self]),
            CommandGroup(
                name: "Watching from another room",
                subcommands: [Serve.self, Relay.self, Deliver.self, TokenCommand.self]),
        ])

    static func main() async {
        _ = RunInProgress.pressed
        await leave(attempt())
    }

    /// Does what the command line asks for.
    private static func attempt() async -> ExitCode {
        if let words = Slip.words(for: Array(CommandLine.arguments.dropFirst())) {
            Output.complain("\(printable(words))")
            return .usage
        }
        var isUnderstood = false
        do {
            var command = try parseAsRoot()
            isUnderstood = true
            if let arguments = monitorArguments(of: command) {
                try reporting { try MonitorProgram.become(arguments) }
            } else if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return .success
        } catch {
            let code = exitCode(for: error)
            // The usage helps whoever wrote something else. Errors begin like all others.
            var words = isUnderstood ? message(for: error) : fullMessage(for: error)
            if isUnderstood, !words.isEmpty, code == .validationFailure { words = "error: \(words)" }
            if words.hasPrefix("Error: ") { words = "e" + words.dropFirst() }
            if !words.isEmpty { code.isSuccess ? print(words) : Output.remark(.lines(words)) }
            return code
        }
    }

    /// Ends the program without the libraries' own clean-up, which runs beside the threads that they still have: libcurl
    /// and OpenSSL would free twice what both of them hold.
    private static func leave(_ code: ExitCode) -> Never {
        fflush(nil)
        _exit(code.rawValue)
    }
}
