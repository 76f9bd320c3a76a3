import ArgumentParser
import Console
import Glibc
import Platform
import Results
import TextFormat

package struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Writes a small study with comments, to start from.")

    @Argument(
        help: "The new study's name: letters, digits, '.', '_' and '-' (default: my-study, or the example's)."
    )
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Copy a study that 'entrain examples' lists, with its clips and tables, into a new folder of this name.",
            valueName: "name"))
    var example: String?

    @Argument(help: .hidden)
    var rest: [String] = []

    func validate() throws {
        guard rest.isEmpty else {
            let joined = ([name ?? ""] + rest).joined(separator: "-")
            throw ValidationError("a study's name has no spaces; did you mean '\(joined)'?")
        }
    }

    func run() throws {
        if let example { return try reporting { try begin(with: example) } }
        let name = name ?? "my-study"
        let file = name.hasSuffix(".yaml") ? name : name + ".yaml"
        let identifier = file.split(separator: "/").last.map { String($0.dropLast(5)) }
        guard let identifier, let text = StudyTemplate.text(named: identifier) else {
            Output.complain("'\(name)' cannot name a study: use up to 64 letters, digits, '.', '_' and '-'")
            throw ExitCode.usage
        }
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let code = errno
            Output.complain(
                code == EEXIST
                    ? "'\(file)' exists already and stays as it is; choose another name"
                    : "cannot write '\(file)': \(systemMessage(code))")
            throw code == EEXIST ? ExitCode.usage : ExitCode.diskFailure
        }
        defer { close(descriptor) }
        var copy = text
        let written = copy.withUTF8 { unsafe write(descriptor, $0.baseAddress, $0.count) }
        guard written == text.utf8.count else {
            Output.complain("cannot write '\(file)': \(systemMessage(errno))")
            throw ExitCode.diskFailure
        }
        Output.say("Wrote \(file). Next: entrain check \(file), then entrain rehearse \(file)")
    }

    private func begin(with example: String) throws {
        let found = try ExampleStudies().named(example)
        let folder = name ?? example
        try found.copy(to: folder)
        Output.say(
            "Wrote the folder \(printable(folder)): \(found.name).yaml, and all that it uses. "
                + "Next: cd \(printable(folder)), then entrain rehearse \(found.name).yaml")
    }
}
