import HTTPTypes
import Hummingbird
import MonitorInterface
import NIOCore
import Results
import TextFormat

extension MonitorResponder {
    func session(_ identifier: String) async throws(Refusal) -> Response {
        try await json {
            guard let session = try await store.sessions(only: identifier, now: now()).first else {
                throw Refusal.notFound("there is no session '\(identifier)'")
            }
            return session
        }
    }

    /// Who pushes readings: from the query, or else from the token, so that two phones do not become one heart.
    func sender(_ request: Request, _ token: Token?) throws(Refusal) -> Sender {
        let query = request.uri.queryParameters
        let source = query["source"].map(String.init) ?? token.map { Sender.name(of: $0) }
        if let source, !Route.isIdentifier(source) || source.utf8.count > Sender.limit {
            throw .unprocessable(
                "'source' should be 1 to \(Sender.limit) letters, digits, '.', '_' or '-'")
        }
        let participant = query["participant"].map(String.init)
        if let participant, !Fields.isParticipant(participant) {
            throw .unprocessable("'participant' should be a participant's code")
        }
        let origin = query["origin"].map(String.init)
        guard origin.map({ MonitorLimits.origins.contains($0) }) ?? true else {
            throw .unprocessable("'origin' should be \(MonitorLimits.origins.joined(separator: " or "))")
        }
        return Sender(source: source, participant: participant, origin: origin)
    }

    static func selection(_ identifier: String, _ request: Request) -> Selection {
        identifier == MonitorPath.readings
            ? .readings(source: request.uri.queryParameters["source"].map(String.init))
            : .session(identifier)
    }

    /// Samples after a cursor, and the next cursor.
    func samples(of identifier: String, _ request: Request) async throws(Refusal) -> Response {
        let given = request.uri.queryParameters["since"].map(String.init)
        let moment = given.flatMap(Request.moment)
        let since = moment == nil ? try request.cursor(given) : 0
        return try await json {
            let records = try await store.records(
                of: Self.selection(identifier, request), after: since, measuredAfter: moment,
                samplesOnly: true)
            return [
                "cursor": .text(String(records.last?.number ?? since)),
                "samples": .list(records.map(\.sample)),
            ]
        }
    }

    /// An event stream: for one session from its first record, for all sessions from now on.
    func stream(
        _ selection: Selection, _ request: Request, _ context: Caller, _ token: Token?
    ) async throws(Refusal) -> Response {
        let channel = context.channel
        let messages = try feed.listen(to: selection, token: token?.hash) { channel.close(promise: nil) }
        let clock: JSON = ["now": .real(now()), "offsets": CivilDay.offsets(until: now())]
        let head = "retry: 1000\nevent: clock\ndata: \(clock.string)\n\n"
        return try await stored {
            let known = request.headers[.lastEventID] ?? request.uri.queryParameters["after"].map(String.init)
            var seen = try request.cursor(known)
            switch selection {
            case .session: _ = try await store.records(of: selection, after: seen, limit: 1)
            case .requests: break
            case .all, .readings: if known == nil { seen = try await store.lastNumber() }
            }
            let stream = EventStream(
                store: store, selection: selection, seen: seen, messages: messages, head: head)
            return Response(
                status: .ok,
                headers: [
                    .contentType: EventStream.contentType, .cacheControl: "no-store",
                    // A proxy that collects what it passes on would keep it for ever.
                    .accelBuffering: "no",
                ],
                body: ResponseBody(asyncSequence: stream))
        }
    }

    /// Records that somebody has seen an alarm, and shows it to all who look.
    func acknowledge(_ number: Int64, by token: Token?) async throws(Refusal) -> Response {
        let alarm = try await stored { try await store.acknowledge(number, by: token?.name, at: now()) }
        feed.notify("alarm", alarm.json, of: alarm.session)
        return Self.response(.ok, alarm.json)
    }

    /// Accepts the next piece of a bundle's file.
    func accept(pieceOf name: KeptBundles.Name, _ request: Request) async throws(Refusal) -> Response {
        let query = request.uri.queryParameters
        guard let file = query["path"].flatMap({ BundlePath(String($0)) }) else {
            throw .unprocessable("'path' should be the path of a file in a bundle")
        }
        guard let offset = query["offset"].flatMap({ Int($0) }), offset >= 0 else {
            throw .unprocessable("'offset' should be where the piece begins, in bytes")
        }
        let piece = try await body(of: request, declared: ["application/octet-stream"])
        try await stored { try await store.mustNotBeDeleted(name.run) }
        let size = try await bundles.keep(Array(piece.readableBytesView), of: file, at: offset, in: name)
        return Self.response(.ok, ["bytes": .integer(size)])
    }

    /// Keeps a bundle that has arrived.
    func seal(_ name: KeptBundles.Name) async throws(Refusal) -> Response {
        try await stored { try await store.mustNotBeDeleted(name.run) }
        let isNew = try await bundles.seal(name)
        return Self.response(isNew ? .created : .ok, try await bundles.receipt(for: name, at: now()))
    }

    func day(_ day: CivilDay?, _ request: Request) async throws(Refusal) -> Response {
        let (day, participant) = try asked(day, request)
        return try await json { try await store.chart(of: day, participant: participant, now: now()) }
    }

    /// The day that is asked for, and whose it is; `nil` for everybody's.
    func asked(_ day: CivilDay?, _ request: Request) throws(Refusal) -> (CivilDay, participant: String?) {
        guard let day else { throw .unprocessable("the day should be a date such as 2026-11-21") }
        let participant = request.uri.queryParameters["participant"].map(String.init)
        if let participant, !Fields.isParticipant(participant) {
            throw .unprocessable("'participant' should be a participant's code")
        }
        return (day, participant)
    }

    /// Takes a token from the sign-in form, signs the browser in by a cookie that scripts cannot read, and leads to the
    /// requested address.
    func signIn(_ request: Request, _ context: Caller) async throws(Refusal) -> Response {
        let bytes = try await body(of: request, declared: Self.formTypes)
        let form = String(decoding: bytes.readableBytesView, as: UTF8.self)
        let token = try access.reader(String(form.dropFirst(6)), from: context.peer, now: now())
        guard form.hasPrefix("token="), let token else {
            return pages.signIn(
                languages: request.languages, status: .unauthorized, to: request.wayBack, isWrong: true)
        }
        let value = try await stored { try await store.signIn(with: token, now: now()) }
        return Response(
            status: .seeOther,
            headers: [.location: request.wayBack, .setCookie: cookie(value, lasting: Store.signInLasts)])
    }

    /// Ends the sign-in, removes the cookie, and leads to the form.
    func signOut(_ request: Request) async throws(Refusal) -> Response {
        if let value = request.signIn { try await stored { try await store.signOut(value) } }
        return Response(
            status: .seeOther, headers: [.location: "/sign-in", .setCookie: cookie("", lasting: 0)])
    }

    private func cookie(_ value: String, lasting seconds: Double) -> String {
        let secure = isEncrypted ? "; Secure" : ""
        return
            "\(Request.cookieName)=\(value); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(Int(seconds))\(secure)"
    }

    static let textTypes = ["text/plain", "application/x-www-form-urlencoded"]
    private static let formTypes = ["application/x-www-form-urlencoded"]

    /// - Parameter types: the allowed types. A body without a declared type is accepted.
    func body(of request: Request, declared types: [String]) async throws(Refusal) -> ByteBuffer {
        if let declared = request.headers[.contentType] {
            let type = declared.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
            guard types.contains(type) else {
                throw Refusal(
                    .unsupportedType, "a body here should be \(types[0]), not \(declared.prefix(100))")
            }
        }
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
        let bytes = try await body(of: request, declared: ["application/json"])
        do throws(JSON.Malformed) {
            return try JSON(parsing: Array(bytes.readableBytesView))
        } catch {
            throw Refusal(.badRequest, "the body is not JSON: \(error)")
        }
    }
}

extension Request {
    static let cookieName = "entrain-sign-in"

    /// The token of the `Authorization` header.
    var token: String? {
        guard let words = headers[.authorization]?.split(separator: " "), words.count == 2,
            words[0].lowercased() == "bearer"
        else { return nil }
        return String(words[1])
    }

    /// The cookie of a browser that was signed in. Whoever sends a token means that.
    var signIn: String? {
        guard headers[.authorization] == nil else { return nil }
        for part in headers[.cookie]?.split(separator: ";") ?? [] {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if pair.count == 2, pair[0] == Self.cookieName { return String(pair[1]) }
        }
        return nil
    }

    /// The path with its query, as requested.
    var address: String { uri.path + (uri.query.map { "?" + $0 } ?? "") }

    /// The page to go to after signing in, from the query.
    var wayBack: String {
        guard let wanted = uri.queryParameters["to"].map(String.init), Pages.isOwnAddress(wanted) else {
            return "/"
        }
        return wanted
    }

    /// The languages that the browser accepts, from `Accept-Language`.
    var languages: String? { headers[.acceptLanguage] }

    /// The key that identifies a repeated request.
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

    /// A moment in seconds or milliseconds since 1970, which is larger than any cursor; `nil` for anything else.
    static func moment(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let number = Double(text)
        else { return nil }
        return [number, number / 1000].first { MonitorLimits.times.contains($0) }
    }

    /// A number from an earlier answer. Without one, or with `null`, everything is new.
    func cursor(_ text: String?) throws(Refusal) -> Int64 {
        guard let text, text != "null", text != "" else { return 0 }
        guard let number = Int64(text), number >= 0 else {
            throw .unprocessable("this cursor was never given out")
        }
        return number
    }
}

extension HTTPField.Name {
    static var runSecret: Self { .known(MonitorPath.runSecret) }
    static var idempotencyKey: Self { .known(MonitorPath.deliveryKey) }
    static var accelBuffering: Self { .known("X-Accel-Buffering") }
    static var host: Self { .known("Host") }
    static var forwardedHost: Self { .known("X-Forwarded-Host") }
    static var lastEventID: Self { .known("Last-Event-ID") }
    static var referrerPolicy: Self { .known("Referrer-Policy") }

    private static func known(_ text: String) -> Self {
        guard let name = Self(text) else { preconditionFailure("\(text) is no field name") }
        return name
    }
}

extension MonitorResponder {
    /// Accepts a note. Its author is the token's name.
    func accept(note request: Request, by token: Token?) async throws(Refusal) -> Response {
        var note = try Note(json: try await jsonBody(of: request))
        note.author = token?.name
        note.key = try request.deliveryKey
        return accepted(try await ingest.submit(.note(note)))
    }

    func change(note number: Int64, _ request: Request, by token: Token?) async throws(Refusal) -> Response {
        var change = try NoteChange(of: number, json: try await jsonBody(of: request))
        change.author = token?.name
        return accepted(try await ingest.submit(.noteChanged(change)))
    }

    func finished(_ request: Request) async throws(Refusal) -> Response {
        let before = request.uri.queryParameters["before"].map(String.init)
        let moment = before.flatMap(Double.init)
        guard before == nil || moment?.isFinite == true else {
            throw .unprocessable("'before' should be seconds since 1970")
        }
        let told = try await stored { try await store.finished(before: moment, now: now()) }
        return Self.response(.ok, try await bundles.completing(told))
    }

    /// Accepts a study's progress, and tells open pages.
    func accept(progressOf study: String, _ request: Request, _ token: Token?) async throws(Refusal)
        -> Response
    {
        let progress = try StudyProgress(of: study, json: try await jsonBody(of: request))
        let source = token.map { Sender.name(of: $0) }
        try await stored { try await store.keep(progress, from: source, now: now()) }
        feed.notify("progress", ["study": .text(study)], of: "")
        return Self.response(.ok, ["accepted": 1])
    }
}
