/// The most that clients may use of each resource.
package struct Limits: Hashable, Sendable {
    /// Bytes of a request's body.
    package var bodyBytes = 1_000_000
    /// Bytes of all header fields together, and of any one.
    package var headerBytes = 16_384
    package var headerFields = 100
    /// Seconds until a new connection has sent its first request's header.
    package var headerSeconds: Int64 = 10
    /// Seconds for a request's body, from its header.
    package var bodySeconds: Int64 = 10
    /// Seconds for a response, other than an event stream, to be taken.
    package var responseSeconds: Int64 = 60
    /// Seconds that a connection may stay without a request.
    package var idleSeconds: Int64 = 60
    /// Connections of one address that have not sent a whole head yet; beyond that the oldest is closed.
    package var pendingConnectionsPerAddress = 100
    /// Wrong tokens per second of one address; twice as many may come at once.
    package var wrongTokensPerSecond = 5.0
    /// Connections at a time; further ones wait.
    package var connections = 4096
    /// Event streams at a time.
    package var streams = 2000
    /// Events that may wait for a slow client of an event stream before it is dropped.
    package var streamBuffer = 512
    /// Requests per second of one token; twice as many may come at once.
    package var requestsPerSecond = 1000.0
    /// Requests per second of all that come without a token from this machine.
    package var localRequestsPerSecond = 50_000.0
    /// Requests that may wait for the disk.
    package var waitingEntries = 20_000
    /// Bytes that the database may fill.
    package var storedBytes = 10 << 30

    package init() {}
}
