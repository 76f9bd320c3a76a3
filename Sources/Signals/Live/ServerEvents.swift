import Platform
import StudyModel
import StudySession

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
        var parser = EventParser()
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

/// Parses a stream of server-sent events.
struct EventParser {
    /// The identifier of the last complete event, for resuming the stream.
    private(set) var lastIdentifier: String?
    /// How long the server wants clients to wait between attempts.
    private(set) var pause: Duration?
    private var line: [UInt8] = []
    private var isAfterReturn = false
    private var name = ""
    private var identifier: String?
    private var data: [UInt8] = []
    private static let longest = 65_536

    /// The stream starts again.
    mutating func begin() { (line, name, data, identifier, isAfterReturn) = ([], "", [], nil, false) }

    /// - Returns: the data of each event that may contain a reading: one without a name, or with that name.
    mutating func take(_ bytes: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for byte in bytes {
            defer { isAfterReturn = byte == 0x0D }
            if byte == 0x0A, isAfterReturn { continue }
            guard byte == 0x0A || byte == 0x0D else {
                if line.count < Self.longest { line.append(byte) }
                continue
            }
            if let event = end() { found.append(event) }
            line = []
        }
        return found
    }

    /// A line is complete; an empty line ends an event.
    private mutating func end() -> [UInt8]? {
        guard !line.isEmpty else {
            defer { (name, data, identifier) = ("", [], nil) }
            lastIdentifier = identifier ?? lastIdentifier
            return data.isEmpty || !["", "message", "heartRate"].contains(name) ? nil : data
        }
        let text = String(decoding: line, as: UTF8.self)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : ""
        if value.hasPrefix(" ") { value.removeFirst() }
        switch parts[0] {
        case "data": data = Array((data + Array(value.utf8) + [0x0A]).prefix(Self.longest))
        case "event": name = String(value)
        case "id": if value.utf8.allSatisfy({ $0 >= 0x20 }) { identifier = String(value) }
        case "retry": if let told = Int(value), (0...600_000).contains(told) { pause = .milliseconds(told) }
        default: break
        }
        return nil
    }
}
