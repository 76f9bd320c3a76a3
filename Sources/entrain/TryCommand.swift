import ArgumentParser
import Console
import Glibc
import Platform
import ResultCommands
import RunningCommands
import TextFormat
import WritingCommands

/// A study from its first page to its tables, for somebody who has just installed the program.
struct TryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Runs a study of 45 seconds with two clips, and makes its report and its tables.",
        discussion: """
            Nothing is needed: the heart is simulated, unless you name another source after '--', such as \
            'entrain try -- --source heartRate=bluetooth'. Without a terminal, a simulated participant answers at once. \
            Everything is in one new folder, which can be deleted.
            """)

    @Argument(parsing: .postTerminator, help: "Options of 'entrain run', after '--'.")
    var runOptions: [String] = []

    @Option(name: [.customShort("o"), .customLong("out")], help: "The new folder.", completion: .directory)
    var folder = "entrain-try"

    func run() async throws {
        let results = "\(folder)/results"
        let alone =
            Terminals.isInputTerminal && Terminals.isOutputTerminal ? [] : ["--auto", "--speed", "max"]
        // Options that cannot be leave no folder.
        let run = try Run.parse(
            ["\(folder)/try.yaml", "--participant", "P01", "--out", results] + alone + runOptions)
        let examples = try reporting {
            let examples = try ExampleStudies()
            try examples.named("try").copy(to: folder)
            return examples
        }
        try await perform(run)
        let bundle = try reporting {
            try Folder(results).names(in: ".").first { !$0.hasPrefix(".") }.map { "\(results)/\($0)" }
        }
        guard let bundle else { throw ExitCode.badData }
        let page = "\(folder)/report.html"
        try await perform(Report.parse([bundle, "--out", page, "--include-simulated"]))
        try await perform(Collate.parse([results, "--out", "\(folder)/dataset"]))
        try reporting { try sayWhatIsThere(bundle, page, others: examples.all.count - 1) }
    }

    private func perform(_ command: sending any AsyncParsableCommand) async throws {
        var command = command
        try await command.run()
    }

    private func sayWhatIsThere(_ bundle: String, _ page: String, others: Int) throws {
        let dataset = try Folder("\(folder)/dataset")
        guard let day = try dataset.names(in: "samples/study=try").first else { return }
        let table = "\(folder)/dataset/samples/study=try/\(day)/part-0001.ndjson"
        Output.say(
            """

            The study     \(printable(folder))/try.yaml
            The result    \(printable(bundle))
            The report    \(printable(page))\(show(page) ? ", which opens in your browser" : "")
            The tables    \(printable(folder))/dataset
              in Python   pandas.read_json("\(printable(table))", lines=True)
              in R        jsonlite::stream_in(file("\(printable(table))"))

            Next: entrain examples lists \(others) more studies, and entrain init begins your own.
            """)
    }

    /// Opens a page in the desktop's browser.
    ///
    /// - Returns: whether there is a desktop, and somebody sits at it.
    private func show(_ page: String) -> Bool {
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environmentVariable($0)?.isEmpty == false }
        guard hasDesktop, Terminals.isOutputTerminal,
            let opener = ExecutableFile.path(of: "xdg-open", in: ".")
        else { return false }
        var process: pid_t = 0
        return unsafe ProcessGroup.spawn([opener, page], as: &process, endsWithUs: false) { _ in } == 0
    }
}
