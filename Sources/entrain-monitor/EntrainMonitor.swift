import ArgumentParser
import CVersion
import Glibc
import Monitor
import MonitorInterface

@main
struct EntrainMonitor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entrain-monitor",
        abstract: "Shows running sessions and past days in a browser.",
        version: unsafe String(cString: entrain_version()),
        subcommands: [Serve.self, TokenCommand.self, Erase.self], defaultSubcommand: Serve.self)

    static func main() async {
        do {
            var command = try parseAsRoot()
            try await reporting {
                switch command {
                case let serve as Serve: try await serve.perform()
                case let create as TokenCommand.Create: try create.perform()
                case let list as TokenCommand.List:
                    for token in try list.data.open().tokens() {
                        print("\(token.name)\t\(token.scopeNames.joined(separator: ","))")
                    }
                case let revoke as TokenCommand.Revoke:
                    guard try revoke.data.open().revokeToken(named: revoke.name) else {
                        throw Failure("there is no token '\(revoke.name)'", code: 65)
                    }
                case let erase as Erase: try erase.perform()
                default: try command.run()
                }
            }
        } catch {
            exit(withError: error)
        }
    }
}

extension TokenCommand.Create {
    fileprivate func perform() throws {
        let store = try data.open()
        do throws(StoreFailure) {
            print(try store.createToken(named: name, scopes: Set(scopes), now: secondsSince1970()))
        } catch {
            throw Failure(error.description, code: 65)
        }
    }
}

extension DataOptions {
    func open() throws -> Store {
        do throws(StoreFailure) {
            return try Store(folder: folder, quota: quota << 20)
        } catch {
            throw Failure(error.description, code: 74)
        }
    }
}

/// What went wrong, in words for standard error, with the program's exit code.
struct Failure: Error, CustomStringConvertible {
    var description: String
    var code: Int32

    init(_ description: String, code: Int32) {
        self.description = description
        self.code = code
    }
}

/// Writes a line at once, even if a program reads it.
func say(_ line: String, on descriptor: Int32 = STDOUT_FILENO) {
    let bytes = Array((line + "\n").utf8)
    var written = 0
    while written < bytes.count {
        let count = unsafe bytes[written...].withUnsafeBytes {
            unsafe write(descriptor, $0.baseAddress, $0.count)
        }
        guard count > 0 || errno == EINTR else { return }
        written += max(count, 0)
    }
}

/// Reports errors and ends with their exit code.
func reporting<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
        return try await work()
    } catch let failure as Failure {
        say("error: \(failure.description)", on: STDERR_FILENO)
        throw ExitCode(failure.code)
    }
}
