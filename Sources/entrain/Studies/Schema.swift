import ArgumentParser
import StudyFile

struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the JSON Schema of study files, for editors that complete and check.",
        discussion: """
            entrain schema > study.schema.json, and as the first line of a study:
            # yaml-language-server: $schema=./study.schema.json
            """)

    func run() { Output.emit(StudySchema.text) }
}
