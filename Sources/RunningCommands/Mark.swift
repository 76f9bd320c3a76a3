import ArgumentParser
import Console
import StudyModel

package struct Mark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark", abstract: "Adds a note to a run that is going on, from a second terminal.",
        discussion: """
            The mark has the time at which this command was started. The command reports success once the mark is in \
            the run's journal and safe from a power cut. The mark appears with the step on the screen in result.json, \
            in the table 'marks', in 'entrain show' and in 'entrain report'.
            """)

    @Argument(help: "The note: one line of at most 500 characters.")
    var text: String

    @OptionGroup var target: RunInProgress

    @Option(
        name: .customLong("type"),
        help:
            "'note'; 'disturbance' if the data may be affected; 'adverse' if the participant was harmed or unwell.",
        transform: { try RunMark.Kind.word($0, among: RunMark.Kind.noted) }
    )
    var kind = RunMark.Kind.note

    @Option(
        help: "How severe an adverse event was: 'mild', 'moderate' or 'severe'.",
        transform: { try RunMark.Severity.word($0, among: RunMark.Severity.allCases) })
    var severity: RunMark.Severity?

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
        try target.send(kind, severity, text: text)
    }
}

extension RawRepresentable<String> {
    /// One of an option's words.
    fileprivate static func word(_ text: String, among words: [Self]) throws -> Self {
        guard let value = words.first(where: { $0.rawValue == text }) else {
            throw ValidationError(
                "'\(text)' is none of: \(words.map(\.rawValue).joined(separator: ", ")).")
        }
        return value
    }
}
