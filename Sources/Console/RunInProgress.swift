package import ArgumentParser
import BundleReplay
import Platform
import Results
import SessionPorts
package import StudyModel
import StudySession
import TextFormat

/// The run that a command of the experimenter is for, and who the experimenter is.
package struct RunInProgress: ParsableArguments {
    @Option(
        name: .customLong("run"),
        help: "The folder of result bundles in which one run is going on, or that run's own folder.",
        completion: .directory)
    package var folder = usualResults

    @Option(help: "Who you are, in at most 64 characters; it stands in the result.")
    package var by: String?

    /// When the program began, nanoseconds of the machine's monotonic clock.
    package static let pressed = monotonicNanoseconds()

    package init() {}

    package func validate() throws { try Self.validate(author: by) }

    package static func validate(author: String?) throws {
        guard author.map(RunMark.isAuthor) ?? true else {
            throw ValidationError("--by is one line of 1 to 64 characters.")
        }
    }

    /// Sends a mark to the run, and waits until it is in the journal.
    package func send(
        _ kind: RunMark.Kind, _ severity: RunMark.Severity? = nil, control: RunMark.Control? = nil,
        text: String
    ) throws {
        let pressed = Self.pressed
        try reporting {
            let (run, descriptor) = try connect()
            let request = MarkRequest(
                kind, severity, control: control, text: text, by: by, pressed: pressed
            ) { _ in }
            switch MarkSocket.ask(descriptor, for: request) {
            case .kept: Output.say("\(control == nil ? "marked" : "done") in \(printable(run))")
            case .refused(let problem):
                let what = control == nil ? "there is no mark" : "nothing was done"
                throw StudyFailure("\(what): \(printable(problem))", .missing)
            case .none:
                throw StudyFailure(
                    "the run ended or did not answer; look with 'entrain show' whether the mark is there",
                    .missing)
            }
        }
    }

    /// The running session, and a connection to it.
    private func connect() throws -> (run: String, descriptor: Int32) {
        let path = folder.hasSuffix("/") && folder != "/" ? String(folder.dropLast()) : folder
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let own = name.hasSuffix(".running") ? String(name.dropLast(".running".count)) : name
        if UUIDText.isUUID(own, ignoringCase: true) {
            guard let descriptor = MarkSocket.connect(to: own) else {
                throw StudyFailure("this run does not go on: \(printable(path))", .missing)
            }
            return (path, descriptor)
        }
        let names = try InterruptedRun.names(in: path)
        let found = names.compactMap { name in
            MarkSocket.connect(to: String(name.dropLast(".running".count))).map { ("\(path)/\(name)", $0) }
        }
        guard let first = found.first else {
            let killed =
                names.isEmpty ? "" : "; \(counted(names.count, "run")) there was killed: entrain recover"
            throw StudyFailure("no run goes on in \(printable(path))\(killed)", .missing)
        }
        guard found.count == 1 else {
            let list = found.map { path, _ in
                "\(printable(path)) of \(printable(JournalHeader.atHand(path)?.participant ?? "somebody"))"
            }
            throw StudyFailure(
                "\(found.count) runs go on there; give one of them as --run: \(list.joined(separator: ", "))",
                .usage)
        }
        return first
    }
}
