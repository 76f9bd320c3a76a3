import Platform

/// The address of a monitor, and its token.
package struct MonitorAddress: Hashable, Sendable {
    /// `http://…` or `https://…`, without a slash at its end.
    package let url: String
    /// A token with the necessary scope; `nil` for a monitor on this machine.
    package var token: String?

    /// - Returns: `nil` if `url` is not the address of a server.
    package init?(_ url: String, token: String?) {
        let isServer = ["http://", "https://"].contains {
            url.lowercased().hasPrefix($0) && url.count > $0.count
        }
        guard isServer, !url.contains("?"), !url.contains("#") else { return nil }
        var url = url
        while url.hasSuffix("/") { url.removeLast() }
        self.url = url
        self.token = token
    }

    /// A request for a path such as `/api/sessions`.
    func request(_ path: String, body: [UInt8]? = nil) -> HTTPRequest {
        var request = HTTPRequest(url + path)
        request.body = body
        request.connectionLimit = .seconds(3)
        request.limit = .seconds(15)
        if let token { request.headers.append(HTTPHeader("Authorization", "Bearer \(token)")) }
        return request
    }
}
