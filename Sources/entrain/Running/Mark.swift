import ArgumentParser
import BundleReplay
import Platform
import Results
import StudyModel
import StudySession
import TextFormat

struct Mark: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Adds a note to a run that is going on, from a second terminal.",
        discussion: """
            The mark has the time at which this command was started. The command reports success once the mark is in \
            the run's journal and safe from a power cut. The mark appears with the step on the screen in result.json, \
            in the table 'marks', in 'entrain show' and in 'entrain report'.
            """)

    @Argument(help: "The note: one line of at most 500 characters.")
    var text: String

    @Option(
        name: .customLong("run"),
        help: "The folder of result bundles in which one run is going on, or that run's own folder.",
        completion: .directory)
    var folder = "entrain-results"

    @Option(
        name: .customLong("type"),
        help:
            "'note'; 'disturbance' if the data may be affected; 'adverse' if the participant was harmed or unwell.",
        transform: RunMark.Kind.word
    )
    var kind = RunMark.Kind.note

    @Option(
        help: "How severe an adverse event was: 'mild', 'moderate' or 'severe'.",
        transform: RunMark.Severity.word)
    var severity: RunMark.Severity?

    /// When the program began, nanoseconds of the machine's monotonic clock.
    static let pressed = monotonicNanoseconds()

    func validate() throws {
        guard RunMark.isText(text) else {
            throw ValidationError("A mark is one line of 1 to 500 characters.")
        }
        guard (severity == nil) == (kind != .adverse) else {
            throw ValidationError(
                kind == .adverse
                    ? "--type adverse needs --severity mild, moderate or severe."
                    : "--severity is for --type adverse.")
        }
    }

    func run() throws {
        try reporting {
            let (run, descriptor) = try connect()
            let request = MarkRequest(kind, severity, text: text, pressed: Self.pressed) { _ in }
            switch MarkSocket.ask(descriptor, for: request) {
            case .kept: Output.say("marked in \(printable(run))")
            case .refused(let problem):
                throw StudyFailure("there is no mark: \(printable(problem))", .missing)
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
        if UUIDText.isUUID(own.uppercased()) {
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

extension RawRepresentable<String> where Self: CaseIterable {
    /// One of an option's words.
    fileprivate static func word(_ text: String) throws -> Self {
        guard let value = Self(rawValue: text) else {
            throw ValidationError(
                "'\(text)' is none of: \(allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return value
    }
}
