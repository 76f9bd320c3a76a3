import ArgumentParser
import Console
import Results
import StudyFile
import TextFormat

package struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Writes a JSON Schema: of study files, of catalogues, or of the files of a result bundle.",
        discussion: """
            For editors that complete and check studies, save it with: entrain schema > study.schema.json
            Then begin the study with this line:
            # yaml-language-server: $schema=./study.schema.json

            For programs that read results: entrain schema --bundle manifest > manifest.schema.json
            """)

    @Flag(help: "The schema of catalogues of clips.")
    var catalogue = false

    @Option(
        help: ArgumentHelp(
            "The schema of a file of a result bundle. That of the journal is for each of its lines.",
            valueName: "file"))
    var bundle: BundleFile?

    func validate() throws {
        guard bundle == nil || !catalogue else {
            throw ValidationError("--catalogue and --bundle ask for different schemas; give one of them.")
        }
    }

    func run() {
        if let bundle {
            Output.emit(.lines(String(decoding: bundle.schema.encoded(), as: UTF8.self) + "\n"))
        } else {
            Output.emit(.lines(catalogue ? CatalogueSchema.text : StudySchema.text))
        }
    }
}

extension BundleFile: ExpressibleByArgument {}
