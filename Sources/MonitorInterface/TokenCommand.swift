package import ArgumentParser

/// The commands for the monitor's tokens, which `entrain-monitor` performs.
package struct TokenCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Creates, lists and revokes the monitor's tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    package init() {}

    package struct Create: ParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Creates a token and shows it once.",
            discussion:
                "Only its hash is kept. Give each phone and each person a token of their own, so that you can revoke each of them."
        )

        @OptionGroup package var data: DataOptions

        @Option(
            name: .customLong("scope"),
            help:
                "What it allows: ingest (sending data), deliver (sending them, and result bundles), read (looking at them), control (looking at them, and changing the course of runs), delete (looking at them, and deleting them) or allocate (asking for arms); can be repeated, for a token that allows several."
        )
        package var scopes: [Scope]

        @Option(help: "The token's name, such as phone-3.")
        package var name: String

        package init() {}
    }

    package struct List: ParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the tokens' names and scopes.")

        @OptionGroup package var data: DataOptions

        package init() {}
    }

    package struct Revoke: ParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revokes a token.")

        @OptionGroup package var data: DataOptions

        @Argument(help: "The token's name.")
        package var name: String

        package init() {}
    }
}

/// The arguments with which `entrain-monitor` carries out a command; `nil` for commands of other programs.
package func monitorArguments(of command: any ParsableCommand) -> [String]? {
    switch command {
    case let serve as Serve: serve.arguments
    case let create as TokenCommand.Create:
        ["token", "create"] + create.scopes.flatMap { ["--scope", $0.rawValue] } + ["--name=" + create.name]
            + create.data.arguments
    case let list as TokenCommand.List: ["token", "list"] + list.data.arguments
    case let revoke as TokenCommand.Revoke:
        ["token", "revoke"] + revoke.data.arguments + ["--", revoke.name]
    default: nil
    }
}

/// What a token permits.
package enum Scope: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Sending readings, series and events.
    case ingest
    /// The same as `ingest`, and sending result bundles.
    case deliver
    /// Seeing the pages, reading the data, and writing notes.
    case read
    /// The same as `read`, and marking runs and changing their course.
    case control
    /// The same as `read`, and deleting data, with a trace.
    case delete
    /// Asking for the arms of participants, and nothing else.
    case allocate

    /// Whether a token of this scope may do what another scope permits.
    package func permits(_ other: Scope) -> Bool {
        switch other {
        case .read: [.read, .control, .delete].contains(self)
        case .ingest: [.ingest, .deliver].contains(self)
        case .deliver, .control, .delete, .allocate: self == other
        }
    }
}
