/// Who can reach the monitor, and whether they need a token.
package struct Exposure: Hashable, Sendable {
    /// The address to listen on.
    package var host: String
    /// Whether connections are encrypted here.
    package var hasCertificate: Bool
    /// The address of the reverse proxy that encrypts for this server; nobody else may connect.
    package var proxy: String?
    /// Whether the operator allows unencrypted connections without a proxy.
    package var isInsecure: Bool
    /// Another name under which the machine may be addressed, in lower case, with its port if it has one of its own.
    package var name: String?

    package init(
        host: String = "127.0.0.1", hasCertificate: Bool = false, proxy: String? = nil,
        isInsecure: Bool = false
    ) {
        self.host = host
        self.hasCertificate = hasCertificate
        self.proxy = proxy
        self.isInsecure = isInsecure
    }

    /// Whether only this machine can connect.
    package var isLoopback: Bool { Self.isLoopback(host) }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host == "127.0.0.1"
    }

    /// Whether every request needs a token. Only requests of this machine to itself do not.
    package var needsToken: Bool { !isLoopback || proxy != nil }

    /// Whether cookies are only sent over encrypted connections.
    var isEncrypted: Bool { hasCertificate || proxy != nil }

    /// Why the monitor must not start; `nil` if it may.
    ///
    /// - Parameter hasToken: whether there is any token.
    package func problem(hasToken: Bool) -> String? {
        if !isLoopback, !hasCertificate, proxy == nil, !isInsecure {
            return """
                \(host) can be reached from other machines, and nothing would be encrypted: give --certificate and \
                --key, or the address of a reverse proxy with --behind-proxy, or say --insecure
                """
        }
        if needsToken, !hasToken {
            return """
                nobody would have access: make a token first, with 'token create --scope read' for people \
                and 'token create --scope ingest' for straps and runs
                """
        }
        return nil
    }
}
