import ArgumentParser
import Monitor

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes, lists and revokes the monitor's tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a token and shows it, once.",
            discussion:
                "Only its hash is kept. Give one to each phone and each person, so that each can be revoked.")

        @OptionGroup var data: DataOptions

        @Option(help: "What it allows: ingest (sending) or read (seeing).")
        var scope: Scope

        @Option(help: "What to call it, such as phone-3.")
        var name: String

        func run() async throws {
            try await reporting {
                let store = try data.open()
                do throws(StoreFailure) {
                    print(try store.createToken(named: name, scope: scope, now: secondsSince1970()))
                } catch {
                    throw Failure(error.description, code: 65)
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the tokens' names and scopes.")

        @OptionGroup var data: DataOptions

        func run() async throws {
            try await reporting {
                for token in try data.open().tokens() { print("\(token.name)\t\(token.scope.rawValue)") }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a token worthless.")

        @OptionGroup var data: DataOptions

        @Argument(help: "The token's name.")
        var name: String

        func run() async throws {
            try await reporting {
                guard try data.open().revokeToken(named: name) else {
                    throw Failure("there is no token '\(name)'", code: 65)
                }
            }
        }
    }
}

extension Scope: ExpressibleByArgument {}
