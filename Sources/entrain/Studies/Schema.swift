import ArgumentParser
import StudyFile
import TextFormat

struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the JSON Schema of study files or catalogues, for editors that complete and check.",
        discussion: """
            Save it with: entrain schema > study.schema.json. Then begin the study with this line:
            # yaml-language-server: $schema=./study.schema.json
            """)

    @Flag(help: "The schema of catalogues of clips.")
    var catalogue = false

    func run() { Output.emit(.lines(catalogue ? CatalogueSchema.text : StudySchema.text)) }
}
