import ArgumentParser

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Makes, lists and revokes the monitor's tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    /// What a token allows.
    enum Scope: String, ExpressibleByArgument, CaseIterable {
        case ingest
        case read
    }

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a token and shows it, once.",
            discussion:
                "Only its hash is kept. Give one to each phone and each person, so that each can be revoked.")

        @OptionGroup var data: MonitorDataOptions

        @Option(help: "What it allows: ingest (sending) or read (seeing).")
        var scope: Scope

        @Option(help: "What to call it, such as phone-3.")
        var name: String

        func run() throws {
            let arguments = ["token", "create", "--scope", scope.rawValue, "--name=" + name]
            try reporting { try MonitorProgram.become(arguments + data.arguments) }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the tokens' names and scopes.")

        @OptionGroup var data: MonitorDataOptions

        func run() throws {
            try reporting { try MonitorProgram.become(["token", "list"] + data.arguments) }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a token worthless.")

        @OptionGroup var data: MonitorDataOptions

        @Argument(help: "The token's name.")
        var name: String

        func run() throws {
            try reporting {
                try MonitorProgram.become(["token", "revoke"] + data.arguments + ["--", name])
            }
        }
    }
}
