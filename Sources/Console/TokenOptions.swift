import ArgumentParser
package import BundleReplay
import Platform

/// Where tokens may be sent.
package struct TokenOptions: ParsableArguments {
    @Flag(
        help: "Send tokens to other machines over plain HTTP. Anyone on the way can read them.")
    package var tokenOverHttp = false

    package init() {}

    /// The token from an environment variable, because everybody on the machine can see arguments.
    ///
    /// - Parameter url: the address of the token's server.
    /// - Returns: `nil` if there is none.
    /// - Throws: if others could read it on its way.
    package func token(in variable: String, for url: String) throws(StudyFailure) -> String? {
        guard let token = environmentVariable(variable), !token.isEmpty else { return nil }
        guard tokenOverHttp || Self.isPrivate(url) else {
            throw StudyFailure(
                "the token in \(variable) would go to another machine over plain HTTP, where anyone on the way can read "
                    + "it: use https://, or allow it with --token-over-http", .usage)
        }
        return token
    }

    /// Whether nobody can listen on the way: the connection is encrypted, or stays on this machine.
    package static func isPrivate(_ url: String) -> Bool {
        let url = url.lowercased()
        guard url.hasPrefix("http://") else { return true }
        let place = url.dropFirst("http://".count).prefix { !"/?#".contains($0) }
        let host = place.hasPrefix("[") ? place.prefix { $0 != "]" } + "]" : place.prefix { $0 != ":" }
        guard !place.contains("@"), !place.contains("\\") else { return false }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        let isLoopback = numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "[::1]" || isLoopback
    }
}
