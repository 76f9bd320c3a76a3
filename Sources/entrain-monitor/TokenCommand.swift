import ArgumentParser
import Monitor
import MonitorInterface

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: TokenOptions.abstract,
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = TokenOptions.Create.configuration

        @OptionGroup var options: TokenOptions.Create

        func run() async throws {
            try await reporting {
                let store = try options.data.open()
                let scope: Scope =
                    switch options.scope {
                    case .ingest: .ingest
                    case .read: .read
                    }
                do throws(StoreFailure) {
                    print(try store.createToken(named: options.name, scope: scope, now: secondsSince1970()))
                } catch {
                    throw Failure(error.description, code: 65)
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = TokenOptions.List.configuration

        @OptionGroup var options: TokenOptions.List

        func run() async throws {
            try await reporting {
                for token in try options.data.open().tokens() {
                    print("\(token.name)\t\(token.scope.rawValue)")
                }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = TokenOptions.Revoke.configuration

        @OptionGroup var options: TokenOptions.Revoke

        func run() async throws {
            try await reporting {
                guard try options.data.open().revokeToken(named: options.name) else {
                    throw Failure("there is no token '\(options.name)'", code: 65)
                }
            }
        }
    }
}
