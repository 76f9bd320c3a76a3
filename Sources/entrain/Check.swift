import ArgumentParser
import StudyFile
import StudySession

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Finds what is wrong with studies, without running them.",
        discussion:
            "Every finding has a code; 'entrain explain CODE' says more. Exit code 65 if there are errors.")

    @Argument(help: "Study files.", completion: .file(extensions: ["yaml", "yml"]))
    var studies: [String]

    @Option(help: "'text' for people, 'json' for programs and editors.")
    var format = OutputFormat.text

    func run() throws {
        let checked = try reporting { try studies.map(CheckedStudy.init(reading:)) }
        let diagnostics = checked.flatMap(\.diagnostics)
        switch format {
        case .json: Output.say(diagnostics.json)
        case .text:
            if !diagnostics.isEmpty {
                Output.emit(diagnostics.rendered(isColoured: Terminals.isColoured))
            }
            for study in checked where !study.hasErrors { Output.say("\(study.path): \(study.summary)") }
        }
        if checked.contains(where: \.hasErrors) { throw ExitCode.badData }
    }
}
