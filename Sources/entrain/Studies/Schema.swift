import ArgumentParser
import StudyFile
import TextFormat

struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the JSON Schema of study files, for editors that complete and check.",
        discussion: """
            Write it with: entrain schema > study.schema.json. The first line of a study then is:
            # yaml-language-server: $schema=./study.schema.json
            """)

    func run() { Output.emit(.lines(StudySchema.text)) }
}
