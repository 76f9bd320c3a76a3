import ArgumentParser
import Console
import TextFormat

package struct Examples: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "examples",
        abstract: "Lists the studies that come with the program.",
        discussion: """
            'entrain init --example NAME' copies one, with its clips and tables, into a new folder, where it runs at once. \
            The environment variable ENTRAIN_DATA names the folder that holds 'Studies' and 'Media', if they are not \
            beside the program.
            """)

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() throws {
        try reporting {
            let examples = try ExampleStudies().all
            switch format {
            case .json:
                Output.say(
                    json: .list(
                        try examples.map {
                            [
                                "name": .text($0.name), "path": .text($0.path),
                                "summary": .text(try $0.summary),
                            ]
                        }))
            case .text:
                for example in examples {
                    Output.say("\(printable(example.name))")
                    Output.say("    \(printable(try example.summary))")
                }
            }
        }
    }
}
