/// The limits of what clients may use.
package struct Limits: Hashable, Sendable {
    /// Bytes of a request's body.
    package var bodyBytes = 1_000_000
    /// Bytes of all header fields together, and of any one.
    package var headerBytes = 16_384
    package var headerFields = 100
    /// Seconds within which a new connection must have sent the header of its first request.
    package var headerSeconds: Int64 = 10
    /// Seconds for a request's body, from its header.
    package var bodySeconds: Int64 = 10
    /// Seconds within which a response must have been received, unless it is an event stream.
    package var responseSeconds: Int64 = 60
    /// Seconds that a connection may stay open without a request.
    package var idleSeconds: Int64 = 60
    /// Connections of one address that have not sent a complete header yet. Beyond this number, the oldest is
    /// closed.
    package var pendingPerAddress = 100
    /// Wrong tokens per second from one address; twice as many may come at once.
    package var wrongTokensPerSecond = 5.0
    /// Connections at the same time; further ones wait.
    package var connections = 4096
    /// Event streams at the same time.
    package var streams = 2000
    /// Events that may wait for a slow client of an event stream before it is dropped.
    package var streamBuffer = 512
    /// Requests per second with one token; twice as many may come at once.
    package var requestsPerSecond = 1000.0
    /// Requests per second of all clients on this machine without a token.
    package var localRequestsPerSecond = 50_000.0
    /// Requests that may wait for the disk.
    package var waitingEntries = 20_000
    /// Bytes that the database may use.
    package var storedBytes = 10 << 30

    package init() {}
}
