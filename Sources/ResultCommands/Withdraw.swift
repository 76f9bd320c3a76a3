import ArgumentParser
import BundleReplay
import Console
import Datasets
import Glibc
import Participants
import Platform
import Results
import TextFormat
import TransparencyLog

package struct Withdraw: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Excludes a participant who has withdrawn, or destroys their results.",
        discussion: """
            Without --erase, the results stay. A record in each folder says that the participant has withdrawn, and datasets lose \
            the participant's rows. With --erase, the command destroys the bundles and journals as well; the record then counts \
            the participant and does not name them. In both cases, readings that wait to be sent to a monitor are deleted.

            Afterwards 'collate', 'analyse', 'report', 'export' and 'study status' exclude the participant and say \
            'withdrawn: 1'. 'run' refuses the participant's code unless the results were erased.

            The command searches everything below the folders and follows no links. If it is killed, start it again: it goes on \
            where it stopped. It does not change files of other programs. If some of them still name the participant, it lists \
            them, and the exit code is 65. The same goes for the journals of others who took part in the same run: the path of the run \
            depends on the answers of the first participant, so their journals hold these answers.
            """)

    @Option(name: .shortAndLong, help: "The participant's code, such as P07.")
    var participant: String

    @Flag(help: "Destroy the results.")
    var erase = false

    @Option(
        help: ArgumentHelp(
            "The key with which datasets were pseudonymised. Without it, the participant cannot be found in them.",
            valueName: "key-file"), completion: .file())
    var key: String?

    @Option(
        help: ArgumentHelp(
            "A monitor's data folder, from which the participant's readings are deleted; needs --erase.",
            valueName: "folder"), completion: .directory)
    var monitor: String?

    @Flag(help: "Do not ask for confirmation; required without a terminal.")
    var yes = false

    @Argument(help: "Folders with bundles or datasets, at any depth.", completion: .directory)
    var folders: [String] = []

    func validate() throws {
        try ParticipantOptions.validate(participant: participant)
        guard !folders.isEmpty || monitor != nil else {
            throw ValidationError("Missing expected argument '<folders> ...'")
        }
        guard monitor == nil || erase else {
            throw ValidationError(
                "--monitor needs --erase: a monitor keeps everything or nothing of somebody")
        }
    }

    func run() throws {
        let pseudonyms = try key.map { try PrivacyOptions.pseudonyms(of: $0) }
        try reporting {
            var withdrawal = try Withdrawal(
                of: participant, below: folders, erasing: erase, under: pseudonyms)
            if let path = withdrawal.inProgress.first {
                throw StudyFailure(
                    "a run of \(printable(participant)) goes on: \(printable(path)). Wait until it is over",
                    .usage)
            }
            let isThere = try !withdrawal.isEmpty || withdrawal.isKnown
            guard isThere || monitor != nil else {
                throw StudyFailure(
                    "there is nothing of participant \(printable(participant)) in "
                        + "\(folders.map { printable($0) }.joined(separator: ", ")). Is the code right?",
                    .usage)
            }
            // Before anything is destroyed, so that nothing is left half done if the program is not built.
            let eraser = try monitor.map { folder throws(StudyFailure) in
                [try MonitorProgram.path(), "erase", "--participant=" + participant, "--data", folder]
            }
            Output.say(
                "\(withdrawal.plan)\(monitor.map { "; in the monitor's data in \(printable($0)), too" } ?? "")"
            )
            if !yes { try confirm() }
            var isWhole = true
            if isThere {
                let name = hexadecimal(randomBytes(16))
                try withdrawal.log(below: folders)
                let done = try withdrawal.perform(countingAs: name)
                Output.emit(.lines(withdrawal.report(of: done)))
                isWhole = done.unsearched.isEmpty && done.left.isEmpty && done.beside.isEmpty
            }
            if let eraser { try Self.perform(eraser) }
            for (store, runs) in withdrawal.copies.sorted(by: { $0.key < $1.key }) {
                Output.say(
                    "\(counted(runs, "run")) delivered to \(printable(store)), which "
                        + (erase
                            ? "still has them: delete the participant there, too." : "knows nothing of this.")
                )
            }
            Output.say(
                monitor == nil
                    ? "A monitor keeps what it was sent. Exports and copies elsewhere are not reached."
                    : "Exports and copies elsewhere are not reached.")
            if !isWhole { throw ExitCode.badData }
        }
    }

    private func confirm() throws {
        guard ParticipantCode.isAskable else {
            throw StudyFailure("nobody can be asked, since there is no terminal: add --yes", .usage)
        }
        guard Output.ask("Type the participant's code to go on: ") == participant else {
            Output.complain("that is not the code; nothing was changed")
            throw ExitCode.usage
        }
    }

    /// Runs the monitor's program, which alone knows its database.
    private static func perform(_ words: [String]) throws {
        var process: pid_t = 0
        let problem = unsafe ProcessGroup.spawn(words, as: &process, endsWithUs: true) { _ in }
        guard problem == 0 else {
            throw StudyFailure("cannot start \(printable(words[0])): \(systemMessage(problem))", .missing)
        }
        let status = ProcessGroup.wait(for: process)
        let code = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f)
        if code != 0 { throw ExitCode(code) }
    }
}

extension Withdrawal {
    /// Makes the logs below the folders say which runs are left out or destroyed: before that is done, so that an erasure
    /// that is killed leaves no run that is missing.
    fileprivate func log(below folders: [String]) throws(FileFailure) {
        var search = BundleSearch(known: [])
        for folder in folders { try search.look(in: folder) }
        for log in search.leftOut.logged.logs {
            var account = LogAccount()
            account.add(log)
            FolderLog.append(
                of: erases ? .erased : .withdrawn, to: log.results,
                runs: bundles.map(\.run).filter { account.hasBegun($0) })
        }
    }

    /// What will be done, in a line.
    fileprivate var plan: String {
        var found = [
            counted(bundles.count, "run"),
            "rows of \(counted(datasets.reduce(0) { $0 + $1.runs }, "run")) in \(counted(datasets.count, "dataset"))",
        ]
        if !spools.isEmpty { found.append("\(counted(spools.count, "run")) waiting for a monitor") }
        return "participant \(printable(participant)): \(found.joined(separator: ", ")); "
            + (erases
                ? "everything of this participant is destroyed" : "the results stay and are left out")
    }

    fileprivate func report(of done: Done) -> String {
        var parts =
            erases
            ? [
                "destroyed: \(counted(done.bundles, "run"))",
                "rows of \(counted(done.rows, "run")) in datasets",
            ]
            : [
                "withdrawn: \(printable(participant)); \(counted(bundles.count, "run")) left out from now on",
                "rows of \(counted(done.rows, "run")) taken out of datasets",
            ]
        if done.spools > 0 { parts.append("what waited for a monitor of \(counted(done.spools, "run"))") }
        var lines = [parts.joined(separator: ", ")]
        lines += done.unsearched.map {
            "its codes were replaced, so that nobody can be found in it: \(printable($0)); give its key with --key"
        }
        lines += done.beside.map {
            "holds what the participant answered, because somebody else took part in the same run: \(printable($0)); "
                + "withdraw that participant, too, or keep it knowingly"
        }
        lines += done.left.map {
            "still names the participant, and was not written as a result: \(printable($0))"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
