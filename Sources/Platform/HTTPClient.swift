import TextFormat

// Asks servers and sends to them, without blocking tasks.
//
//     let client = try HTTPClient()                          // throws if libcurl is not installed (exit code 69)
//     var request = HTTPRequest("https://example.org/readings")
//     request.headers = [HTTPHeader("Authorization", "Bearer …")]
//     let answer = try await client.response(to: request)    // GET; the whole answer, whatever its status
//     request.body = Array(#"{"bpm":64}"#.utf8)               // with a body: POST
//     request.limit = nil                                    // a stream has no end
//     request.sizeLimit = nil
//     for await event in client.events(of: request) { … }    // .head, .bytes …; the loop ends with the answer
//
// Each client waits for the network on one thread of its own, never on the threads of Swift's tasks. A client may
// have any number of exchanges at a time, and keeps its connections open. Cancelling the task that waits ends the
// exchange. Redirections are followed for GET, up to five; only http and https are spoken.

/// What is asked of a server.
package struct HTTPRequest: Hashable, Sendable {
    /// `http://…` or `https://…`.
    package var url: String
    package var headers: [HTTPHeader] = []
    /// The body to post; `nil` for a GET.
    package var body: [UInt8]?
    /// A file to put instead, from its beginning to its end; it is read while it is sent.
    package var file: String?
    /// Whether only the head of the answer is wanted.
    package var isHead = false
    /// How long a connection may take.
    package var connectionLimit = Duration.seconds(5)
    /// How long everything together may take; `nil` for streams.
    package var limit: Duration? = .seconds(30)
    /// How long the server may send nothing at all, in whole seconds; `nil` sets no limit.
    package var silenceLimit: Duration?
    /// The greatest length of the answer's body after unpacking, bytes; `nil` for streams.
    package var sizeLimit: Int? = 16 << 20

    package init(_ url: String) { self.url = url }
}

/// A line of a request's or an answer's head.
package struct HTTPHeader: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// How an answer begins.
package struct HTTPHead: Hashable, Sendable {
    /// Such as 200.
    package var status: Int
    package var headers: [HTTPHeader]

    /// Whether the server did what it was asked: 200 to 299.
    package var isSuccess: Bool { (200..<300).contains(status) }

    /// The first header with this name, in upper or lower case.
    package subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A whole answer.
package struct HTTPResponse: Hashable, Sendable {
    package var head: HTTPHead
    package var body: [UInt8]
}

/// What an exchange yields: a head, then bytes. `failed` is always the last event.
package enum HTTPEvent: Hashable, Sendable {
    case head(HTTPHead)
    case bytes([UInt8])
    case failed(HTTPFailure)
}

/// An exchange that failed. An answer with a status such as 500 is not a failure.
package enum HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// libcurl is not installed; the text is what the loader says.
    case noLibrary(String)
    /// The request cannot be sent as it is.
    case badRequest(String)
    /// The server does not answer, or there is no route to it.
    case unreachable(String)
    /// The answer took longer than it may.
    case tooSlow(String)
    /// The answer is longer than it may be, bytes.
    case tooLarge(Int)
    /// The connection broke, or what was received is not an HTTP answer.
    case broken(String)
    /// The task that waited was cancelled.
    case cancelled

    package var description: String {
        switch self {
        case .noLibrary(let words):
            "servers are reached through libcurl, and it cannot be loaded (\(words)): "
                + "install Debian's package libcurl4"
        case .badRequest(let words), .unreachable(let words), .broken(let words): words
        case .tooSlow(let words): "the server is too slow: \(words)"
        case .tooLarge(let limit): "the server's answer is longer than \(limit) bytes"
        case .cancelled: "cancelled"
        }
    }
}

/// Sends requests and receives answers, on a thread of its own.
package final class HTTPClient: Sendable {
    private let thread: TransferThread

    /// - Throws: `HTTPFailure.noLibrary` if libcurl is not installed.
    package init() throws(HTTPFailure) { thread = try TransferThread() }

    deinit { thread.stop() }

    /// Why this machine cannot reach servers; `nil` if it can.
    package static var problem: String? {
        do throws(HTTPFailure) {
            _ = try HTTPClient()
            return nil
        } catch {
            return error.description
        }
    }

    /// The whole answer, whatever its status.
    package func response(to request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        var head: HTTPHead?
        var body: [UInt8] = []
        for await event in events(of: request) {
            switch event {
            case .head(let heard): head = heard
            case .bytes(let bytes): body += bytes
            case .failed(let failure): throw failure
            }
        }
        guard !Task.isCancelled else { throw .cancelled }
        guard let head else { throw .broken("the server closed the connection without an answer") }
        return HTTPResponse(head: head, body: body)
    }

    /// The answer as it comes. Leaving the loop, or cancelling its task, ends the exchange.
    package func events(of request: HTTPRequest) -> AsyncStream<HTTPEvent> {
        let (events, sink) = AsyncStream.makeStream(
            of: HTTPEvent.self,
            bufferingPolicy: request.sizeLimit == nil ? .bufferingOldest(Exchange.room) : .unbounded)
        if let problem = request.problem {
            sink.yield(.failed(.badRequest(problem)))
            sink.finish()
            return events
        }
        let number = thread.begin(request, telling: sink)
        sink.onTermination = { [thread] termination in
            if case .cancelled = termination { thread.cancel(number) }
        }
        return events
    }
}

extension HTTPRequest {
    private var isPlain: Bool {
        let texts = [url] + headers.flatMap { [$0.name, $0.value] }
        return texts.allSatisfy { text in text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
    }

    /// Why the request cannot be sent; `nil` if it can.
    fileprivate var problem: String? {
        guard isPlain else { return "a control character stands in the address or in a header" }
        guard ["http://", "https://"].contains(where: { url.lowercased().hasPrefix($0) }) else {
            return "\(quoted(url)) is no address of a server: write http://… or https://…"
        }
        return nil
    }
}
