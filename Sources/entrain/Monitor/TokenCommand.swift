import ArgumentParser
import MonitorInterface

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: TokenOptions.abstract,
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: ParsableCommand {
        static let configuration = TokenOptions.Create.configuration

        @OptionGroup var options: TokenOptions.Create

        func run() throws { try reporting { try MonitorProgram.become(options.arguments) } }
    }

    struct List: ParsableCommand {
        static let configuration = TokenOptions.List.configuration

        @OptionGroup var options: TokenOptions.List

        func run() throws { try reporting { try MonitorProgram.become(options.arguments) } }
    }

    struct Revoke: ParsableCommand {
        static let configuration = TokenOptions.Revoke.configuration

        @OptionGroup var options: TokenOptions.Revoke

        func run() throws { try reporting { try MonitorProgram.become(options.arguments) } }
    }
}
