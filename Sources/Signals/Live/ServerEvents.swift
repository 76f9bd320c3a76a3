import Platform
import StudyModel

/// Readings in a server's stream of events (`text/event-stream`), which is resumed if it breaks off.
struct ServerEvents: Sendable {
    var url: String
    var token: String?
    var client: HTTPClient

    /// The time between two attempts, unless the server says otherwise.
    private static let pause = Duration.seconds(2)
    /// A server that sends heartbeats sends something within this time.
    private static let silence = Duration.seconds(60)

    /// Passes each reading on as a line, until it is cancelled.
    func run<C: Clock>(on clock: C, tell: @Sendable (LineEvent) -> Void) async where C.Instant == RunInstant {
        var parser = ServerEventParser(names: ["", "message", "heartRate"])
        while !Task.isCancelled {
            var request = HTTPRequest(url)
            request.limit = nil
            request.sizeLimit = nil
            request.silenceLimit = Self.silence
            request.headers = [HTTPHeader("Accept", "text/event-stream")]
            if let token { request.headers.append(HTTPHeader("Authorization", "Bearer \(token)")) }
            if let last = parser.lastIdentifier { request.headers.append(HTTPHeader("Last-Event-ID", last)) }
            parser.begin()
            var reason = "the server ended its stream of events"
            for await event in client.events(of: request) {
                switch event {
                case .head(let head) where head.isSuccess: tell(.opened)
                case .head(let head): reason = "the server answers \(head.status)"
                case .failed(let failure): reason = failure.description
                case .bytes(let bytes): for line in parser.take(bytes) { tell(.line(line)) }
                }
            }
            guard !Task.isCancelled else { return }
            tell(.closed(reason))
            let next = clock.now.advanced(by: parser.pause ?? Self.pause)
            guard await clock.wait(until: next) != nil else { return }
        }
    }
}
