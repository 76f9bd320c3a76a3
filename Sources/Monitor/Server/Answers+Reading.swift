import HTTPTypes
import Hummingbird
import MonitorInterface
import NIOCore
import Results
import TextFormat

extension Answers {
    func session(_ identifier: String) async throws(Refusal) -> Response {
        try await json {
            guard let session = try await store.sessions(only: identifier, now: now()).first else {
                throw Refusal.notFound("there is no session '\(identifier)'")
            }
            return session
        }
    }

    static func selection(_ identifier: String) -> Selection {
        identifier == "readings" ? .readings : .session(identifier)
    }

    /// Samples after a cursor, and the cursor that leads on.
    func samples(of identifier: String, _ request: Request) async throws(Refusal) -> Response {
        let since = try request.cursor(request.uri.queryParameters["since"].map(String.init))
        return try await json {
            let records = try await store.records(
                of: Self.selection(identifier), after: since, samplesOnly: true)
            return [
                "cursor": .text(String(records.last?.number ?? since)),
                "samples": .list(records.map(\.sample)),
            ]
        }
    }

    /// An event stream: a session's from its first record, all others from now on.
    func stream(_ selection: Selection, _ request: Request, _ context: Caller) async throws(Refusal)
        -> Response
    {
        let channel = context.channel
        let messages = try feed.listen(to: selection) { channel.close(promise: nil) }
        let head = "retry: 1000\nevent: clock\ndata: {\"now\":\(now())}\n\n"
        return try await stored {
            let known = request.headers[.lastEventID] ?? request.uri.queryParameters["after"].map(String.init)
            var seen = try request.cursor(known)
            switch selection {
            case .session: _ = try await store.records(of: selection, after: seen, limit: 1)
            case .all, .readings: if known == nil { seen = try await store.lastNumber() }
            }
            let stream = EventStream(
                store: store, selection: selection, seen: seen, messages: messages, head: head)
            return Response(
                status: .ok, headers: [.contentType: EventStream.contentType, .cacheControl: "no-store"],
                body: ResponseBody(asyncSequence: stream))
        }
    }

    func day(_ day: CivilDay?, _ request: Request) async throws(Refusal) -> Response {
        guard let day else { throw .unprocessable("the day should be a date such as 2026-11-21") }
        let participant = request.uri.queryParameters["participant"].map(String.init)
        if let participant, !Fields.isParticipant(participant) {
            throw .unprocessable("'participant' should be a participant's code")
        }
        return try await json { try await store.chart(of: day, participant: participant, now: now()) }
    }

    /// Takes a token from the sign-in form and gives it back as a cookie that scripts cannot read.
    func signIn(_ request: Request) async throws(Refusal) -> Response {
        let bytes = try await body(of: request)
        let form = String(decoding: bytes.readableBytesView, as: UTF8.self)
        guard form.hasPrefix("token="), try gate.opensPages(String(form.dropFirst(6)), now: now()) else {
            return pages.page(.signIn, languages: request.languages, status: .unauthorized)
        }
        let secure = isEncrypted ? "; Secure" : ""
        let cookie =
            "\(Request.cookieName)=\(form.dropFirst(6)); HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000"
        return Response(status: .seeOther, headers: [.location: "/", .setCookie: cookie + secure])
    }

    func body(of request: Request) async throws(Refusal) -> ByteBuffer {
        let tooLarge = Refusal(.tooLarge, "a body may have \(limits.bodyBytes) bytes")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.bodyBytes {
            throw tooLarge
        }
        var bytes = ByteBuffer()
        do {
            for try await part in request.body {
                guard bytes.readableBytes + part.readableBytes <= limits.bodyBytes else { throw tooLarge }
                bytes.writeImmutableBuffer(part)
            }
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw Refusal(.badRequest, "the body did not come whole")
        }
        return bytes
    }

    func jsonBody(of request: Request) async throws(Refusal) -> JSON {
        let bytes = try await body(of: request)
        do throws(JSON.Malformed) {
            return try JSON(parsing: Array(bytes.readableBytesView))
        } catch {
            throw Refusal(.badRequest, "the body is not JSON: \(error)")
        }
    }
}

extension Request {
    static let cookieName = "entrain-token"

    /// The token of the `Authorization` header, or else of the cookie.
    var token: String? {
        if let header = headers[.authorization] {
            let words = header.split(separator: " ")
            return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
        }
        for part in headers[.cookie]?.split(separator: ";") ?? [] {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if pair.count == 2, pair[0] == Self.cookieName { return String(pair[1]) }
        }
        return nil
    }

    /// What the browser accepts, as `Accept-Language` says it.
    var languages: String? { headers[.acceptLanguage] }

    /// The key under which a repeated request is known.
    var deliveryKey: String? {
        get throws(Refusal) {
            guard let key = headers[.idempotencyKey] else { return nil }
            guard Route.isIdentifier(key) else {
                throw .unprocessable(
                    "'\(MonitorPath.deliveryKey)' should be 1 to 64 letters, digits, '.', '_' or '-'")
            }
            return key
        }
    }

    /// A number that an earlier answer gave.
    func cursor(_ text: String?) throws(Refusal) -> Int64 {
        guard let text else { return 0 }
        guard let number = Int64(text), number >= 0 else {
            throw .unprocessable("this cursor was never given out")
        }
        return number
    }
}

extension HTTPField.Name {
    static var idempotencyKey: Self { .known(MonitorPath.deliveryKey) }
    static var lastEventID: Self { .known("Last-Event-ID") }
    static var referrerPolicy: Self { .known("Referrer-Policy") }

    private static func known(_ text: String) -> Self {
        guard let name = Self(text) else { preconditionFailure("\(text) is no field name") }
        return name
    }
}
