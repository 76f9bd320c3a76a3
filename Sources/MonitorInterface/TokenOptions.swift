package import ArgumentParser

/// The options of the commands for the monitor's tokens.
package enum TokenOptions {
    package static let abstract = "Creates, lists and revokes the monitor's tokens."

    /// What a token allows.
    package enum Scope: String, ExpressibleByArgument, CaseIterable, Sendable {
        case ingest
        case read
    }

    /// A new token.
    package struct Create: ParsableArguments {
        package static let configuration = CommandConfiguration(
            abstract: "Creates a token and shows it once.",
            discussion:
                "Only its hash is kept. Give each phone and each person their own, so that each can be revoked."
        )

        @OptionGroup package var data: DataOptions

        @Option(help: "What it allows: ingest (sending) or read (looking).")
        package var scope: Scope

        @Option(help: "The token's name, such as phone-3.")
        package var name: String

        package init() {}

        package var arguments: [String] {
            ["token", "create", "--scope", scope.rawValue, "--name=" + name] + data.arguments
        }
    }

    /// All tokens.
    package struct List: ParsableArguments {
        package static let configuration = CommandConfiguration(
            abstract: "Lists the tokens' names and scopes.")

        @OptionGroup package var data: DataOptions

        package init() {}

        package var arguments: [String] { ["token", "list"] + data.arguments }
    }

    /// The token to revoke.
    package struct Revoke: ParsableArguments {
        package static let configuration = CommandConfiguration(abstract: "Revokes a token.")

        @OptionGroup package var data: DataOptions

        @Argument(help: "The token's name.")
        package var name: String

        package init() {}

        package var arguments: [String] { ["token", "revoke"] + data.arguments + ["--", name] }
    }
}
