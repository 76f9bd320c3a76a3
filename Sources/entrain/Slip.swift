import ArgumentParser
import StudyModel
import TextFormat

/// A word where a command was expected, and what was probably meant.
enum Slip {
    /// What other programs call these commands.
    private static let elsewhere = [
        "new": "init", "create": "init", "validate": "check", "lint": "check", "test": "rehearse",
        "simulate": "rehearse", "start": "run", "resume": "run --resume", "status": "study status",
        "log": "study log",
        "results": "show", "view": "show", "statistics": "analyse", "stats": "analyse", "convert": "import",
        "monitor": "serve", "version": "--version", "erase": "withdraw --erase", "delete": "withdraw --erase",
    ]

    /// - Parameter arguments: the command line without the program's name.
    /// - Returns: `nil` if the words name a command.
    static func words(for arguments: [String]) -> String? {
        if let first = arguments.first, let meant = option(meantBy: first) {
            return "'entrain' has no option '\(first)'; did you mean 'entrain \(meant)'?"
        }
        var commands = subcommands(of: Entrain.configuration)
        var path = "entrain"
        for word in arguments.first == "help" ? Array(arguments.dropFirst()) : arguments {
            guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = commands.first(where: { names(of: $0).contains(word) }) else {
                return words(for: word, after: path, among: commands)
            }
            commands = subcommands(of: next.configuration)
            path += " \(next._commandName)"
        }
        return nil
    }

    /// The option of the program itself that was probably meant, such as `--version` by `-v`.
    private static func option(meantBy word: String) -> String? {
        switch word {
        case "-v", "-V": "--version"
        case "-?", "/?": "--help"
        default:
            word.hasPrefix("--ver") || word.hasPrefix("--hel")
                ? Suggestion.nearest(to: word, among: ["--version", "--help"]) : nil
        }
    }

    private static func words(
        for word: String, after path: String, among commands: [any ParsableCommand.Type]
    ) -> String {
        let isFirst = path == "entrain"
        if isFirst, word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
            return "'\(word)' is no command; to run it: entrain run \(word)"
        }
        let near = Suggestion.nearest(to: word, among: commands.flatMap { names(of: $0) })
        let meant = (isFirst ? elsewhere[word.lowercased()] : nil) ?? near
        let hint = meant.map { "did you mean '\(path) \($0)'?" } ?? "'\(path) --help' lists them all"
        return "'\(path)' has no command '\(word)'; \(hint)"
    }

    private static func subcommands(of configuration: CommandConfiguration) -> [any ParsableCommand.Type] {
        configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }
}
