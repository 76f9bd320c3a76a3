import ArgumentParser
import Console
import Datasets
import Exports
import Glibc
import Participants
import Results
import TextFormat

package struct ExportBundles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes bundles in formats that other programs read.",
        discussion: """
            The new folder appears complete or not at all, and no file is overwritten. Nothing is taken from a damaged \
            bundle: it is named, and the exit code is 65.

            With --pseudonymise, codes become pseudonyms. The same key always gives the same pseudonyms. Typed texts, \
            names, recorded voices, paths and addresses are left out, and every byte is searched for codes before it is \
            written. Keep the key apart from the data: anyone who has it can compute the pseudonym of a code.
            """)

    @Argument(help: "Bundles, or folders with bundles at any depth.", completion: .directory)
    var bundles: [String]

    @Option(
        name: [.customLong("to")],
        help: "The format.")
    var target: ExportFormat

    @Option(name: [.customShort("o"), .customLong("out")], help: "The new folder.", completion: .directory)
    var folder: String

    @OptionGroup var privacy: PrivacyOptions

    @Option(
        help:
            "The folder with the clips. Those that were played are copied into a \(titles(\.holdsClips)) dataset.",
        completion: .directory)
    var stimuli: String?

    @Option(
        name: [.customLong("author")], parsing: .singleValue,
        help: ArgumentHelp(
            "An author of the data, for \(Self.titles(\.isAttributed)); may be repeated.",
            valueName: "name"))
    var authors: [String] = []

    @Option(help: "How the data may be used, such as 'CC-BY-4.0', for \(titles(\.isAttributed)).")
    var licence: String?

    @OptionGroup var simulated: SimulatedRuns

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        if stimuli != nil, !target.holdsClips {
            let options = Self.texts(of: \.holdsClips) { "--to \($0.name)" }
            throw ValidationError("--stimuli is for \(options): the other formats hold no clips.")
        }
        if !authors.isEmpty || licence != nil, !target.isAttributed {
            let options = Self.texts(of: \.isAttributed) { "--to \($0.name)" }
            throw ValidationError(
                "--author and --licence are for \(options): the other formats have no place for them.")
        }
    }

    private static func titles(_ property: (ExportFormat) -> Bool) -> String {
        texts(of: property) { $0.title }
    }

    private static func texts(
        of property: (ExportFormat) -> Bool, _ text: (ExportFormat) -> String
    ) -> String {
        ExportFormat.all.filter(property).map(text).joined(separator: " and ")
    }

    func run() throws {
        let privacy = try privacy.make()
        let export = try reporting {
            try Export(
                of: bundles, to: target, at: folder, privacy: privacy, stimuli: stimuli,
                attribution: Attribution(authors: authors, licence: licence),
                includingSimulated: simulated.includeSimulated)
        }
        switch format {
        case .json: Output.say(json: export.json)
        case .text: Output.emit(.lines(export.text(target, at: folder)))
        }
        PrivacyOptions.remark(on: export.weakCodes)
        if export.runs.isEmpty { Output.complain("there is no bundle to export\(export.leftOut.hint)") }
        if export.runs.isEmpty || !export.leftOut.damaged.isEmpty { throw ExitCode.badData }
    }
}

extension ExportFormat: ExpressibleByArgument {
    init?(argument: String) { self.init(named: argument) }

    static var allValueStrings: [String] { all.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension Export {
    private var invented: String {
        let counts = RunOrigin.allCases.filter(\.isInvented).compactMap { origin -> String? in
            let count = runs.count { $0.origin == origin }
            return count > 0 ? "\(count) \(origin.rawValue)" : nil
        }
        return counts.isEmpty ? "" : " (\(counts.joined(separator: ", ")))"
    }

    fileprivate func text(_ format: ExportFormat, at folder: String) -> String {
        var lines = leftOut.lines(unsealed: "left out")
        guard !runs.isEmpty else { return lines.map { $0 + "\n" }.joined() }
        let people = Set(runs.map(\.participant)).count
        lines.append(
            "\(counted(runs.count, "run"))\(invented) of \(counted(people, "participant")), "
                + "\(runs.reduce(0) { $0 + $1.heartRates }) heart rates, "
                + "\(runs.reduce(0) { $0 + $1.intervals }) intervals between beats")
        if removed.answers + removed.sounds > 0 {
            lines.append(
                "left out: \(removed.answers) typed answers, \(removed.sounds) recordings of the microphone")
        }
        lines.append("\(printable(folder)): \(counted(files, "file")), \(bytes) bytes, \(format.name)")
        return lines.joined(separator: "\n") + "\n"
    }

    fileprivate var json: JSON {
        leftOut.json([
            "runs": .list(
                runs.map {
                    [
                        "run": .text($0.run), "participant": .text($0.participant),
                        "origin": .text($0.origin.rawValue),
                        "heartRates": .integer($0.heartRates), "sum": .real($0.sum),
                        "intervals": .integer($0.intervals),
                    ]
                }), "files": .integer(files), "bytes": .integer(bytes),
            "removed": ["answers": .integer(removed.answers), "sounds": .integer(removed.sounds)],
        ])
    }
}
