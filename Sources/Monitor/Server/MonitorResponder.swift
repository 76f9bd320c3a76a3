import HTTPTypes
package import Hummingbird
import Logging
import MonitorInterface
import NIOCore
import Results
import TextFormat

package struct MonitorResponder: HTTPResponder {
    let store: Store
    let ingest: Ingest
    let feed: Feed
    let requests: RunRequests
    let ledgers: Ledgers
    let bundles: KeptBundles
    let access: AccessControl
    let pages: Pages
    let limits: Limits
    let isEncrypted: Bool
    let now: @Sendable () -> Double

    package func respond(to request: Request, context: Caller) async throws -> Response {
        var response: Response
        do throws(Refusal) {
            response = try await answer(request, context)
        } catch {
            response = refuse(error, request, context)
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.contentSecurityPolicy] = Pages.policy
        // With "no-referrer", a browser would not say which page sent a form, and the sign-in would look like a
        // request of another site.
        response.headers[.referrerPolicy] = "same-origin"
        if isEncrypted { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        if request.method == .head { response = response.createHeadResponse() }
        return response
    }

    private func answer(_ request: Request, _ context: Caller) async throws(Refusal) -> Response {
        // A second one is left among the headers.
        guard request.head.authority != nil, request.headers[.host] == nil else {
            throw Refusal(.badRequest, "a request has one header 'Host'")
        }
        guard let route = Route(request.uri.path) else { throw .notFound("nothing is here") }
        let isPosting = request.method == .post
        guard route.methods.contains(request.method.rawValue) else {
            throw Refusal(.methodNotAllowed, "only \(route.methods.joined(separator: ", ")) here")
        }
        let asking = AccessControl.Request(
            peer: context.peer, host: request.head.authority, forwardedHost: request.headers[.forwardedHost],
            origin: request.headers[.origin], token: request.token, signIn: request.signIn,
            isPosting: isPosting)
        let token: Token?
        do throws(Refusal) {
            token = try access.admit(asking, scope: route.scope(posting: isPosting), now: now())
        } catch {
            guard error.kind == .unauthorized, [.live, .history, .settings].contains(route) else {
                throw error
            }
            return pages.signIn(
                languages: request.languages, status: .unauthorized, to: request.address)
        }
        return isPosting
            ? try await post(route, request, context, token) : try await get(route, request, context, token)
    }

    private func get(
        _ route: Route, _ request: Request, _ context: Caller, _ token: Token?
    ) async throws(Refusal) -> Response {
        switch route {
        case .live: return pages.page(.live, languages: request.languages, reader: token)
        case .history: return pages.page(.history, languages: request.languages, reader: token)
        case .settings: return pages.page(.settings, languages: request.languages, reader: token)
        case .signIn: return pages.signIn(languages: request.languages, to: request.wayBack)
        case .asset(let hash, let name): return try pages.asset(name, hash: hash)
        case .openAPI: return pages.description
        case .sessions: return try await json { ["sessions": .list(try await store.sessions(now: now()))] }
        case .session(let identifier): return try await session(identifier)
        case .heartRate(let identifier): return try await samples(of: identifier, request)
        case .events(let identifier):
            return try await stream(Self.selection(identifier, request), request, context, token)
        case .stream: return try await stream(.all, request, context, token)
        case .participants:
            return try await json { ["participants": .texts(try await store.participants())] }
        case .note(let number):
            return try await json { ["versions": .list(try await store.versions(ofNote: number))] }
        case .today: return try await day(CivilDay(at: now()), request)
        case .day(let date): return try await day(CivilDay(date), request)
        case .sessionTable(let identifier): return try await table(ofSession: identifier)
        case .dayTable(let date): return try table(of: CivilDay(date), request)
        case .clock: return Self.response(.ok, ["now": .real(now())])
        case .requests(let run):
            try await mustBelong(run, request)
            return try await stream(.requests(run: run), request, context, token)
        case .alarms:
            return try await json {
                ["alarms": .list(try await store.alarms(now: now()).map(\.json))]
            }
        case .sessionAlarms(let run):
            return try await json { ["alarms": .list(try await store.alarms(of: run).map(\.json))] }
        case .bundles: return Self.response(.ok, try await bundles.list())
        case .bundle(let name):
            try await stored { try await store.mustNotBeDeleted(name.run) }
            return Self.response(.ok, try await bundles.arrival(of: name).json)
        case .deletions:
            return try await json { ["deletions": .list(try await store.deletions())] }
        case .finished: return try await finished(request)
        case .studies:
            return try await json { ["studies": .list(try await store.progress())] }
        case .addHeartRate, .notes, .alive, .signOut, .allocations, .allocationCheck, .allocationEnd,
            .request, .alarm, .bundlePiece, .bundleSeal, .study:
            throw Refusal(.methodNotAllowed, "only POST here")
        }
    }

    /// - Parameter room: the name of the token with which a room asks.
    private func allocate(_ route: Route, _ json: JSON, room: String) async throws(Refusal) -> JSON {
        switch route {
        case .allocationCheck:
            let (design, participant) = try AllocationRequest.question(json: json)
            return try await ledgers.check(design, for: participant, room: room)
        case .allocationEnd:
            return try await ledgers.end(AllocationEnding(json: json), in: room, at: now())
        default: return try await ledgers.assign(AllocationRequest(json: json), for: room, at: now())
        }
    }

    private func post(
        _ route: Route, _ request: Request, _ context: Caller, _ token: Token?
    ) async throws(Refusal) -> Response {
        switch route {
        case .addHeartRate:
            let bytes = try await body(of: request, declared: Self.textTypes)
            let reading = try Reading(text: bytes.readableBytesView)
            let entry = Entry.pushed([reading], by: try sender(request, token), key: try request.deliveryKey)
            return accepted(try await ingest.submit(entry), plain: request)
        case .sessions:
            var description = try SessionDescription(json: try await jsonBody(of: request), now: now())
            // The token of a room gives the room's name.
            if description.kind == .run { description.source = token.map { Sender.name(of: $0) } }
            return accepted(try await ingest.submit(.begin(description)))
        case .heartRate(let identifier):
            try await mustBelong(identifier, request)
            let readings = try Reading.all(in: try await jsonBody(of: request))
            let key = try request.deliveryKey
            let entry: Entry =
                identifier == MonitorPath.readings
                ? .pushed(readings, by: try sender(request, token), key: key)
                : .readings(readings, session: identifier, key: key)
            return accepted(try await ingest.submit(entry))
        case .events(let identifier):
            try await mustBelong(identifier, request)
            let events = try RunEvent.all(in: try await jsonBody(of: request))
            return accepted(try await ingest.submit(.events(events, session: identifier)))
        case .alive(let identifier):
            try await mustBelong(identifier, request)
            return accepted(try await ingest.submit(.alive(session: identifier)), plain: request)
        case .notes: return try await accept(note: request, by: token)
        case .note(let number): return try await change(note: number, request, by: token)
        case .allocations, .allocationCheck, .allocationEnd:
            return Self.response(
                .ok, try await allocate(route, try await jsonBody(of: request), room: token?.name ?? ""))
        case .requests(let run):
            let wanted = try ExperimenterRequest(json: try await jsonBody(of: request), by: token?.name)
            try await requests.ask(run, wanted)
            return Self.response(.ok, ["accepted": 1])
        case .request(let run, let number):
            try await mustBelong(run, request)
            try requests.deliver(
                try RequestAnswer(json: try await jsonBody(of: request)), to: number, of: run)
            return Self.response(.ok, ["accepted": 1])
        case .alarm(let number): return try await acknowledge(number, by: token)
        case .deletions: return try await delete(request, by: token)
        case .study(let study): return try await accept(progressOf: study, request, token)
        case .bundlePiece(let name): return try await accept(pieceOf: name, request)
        case .bundleSeal(let name): return try await seal(name)
        case .signIn: return try await signIn(request, context)
        case .signOut: return try await signOut(request)
        case .live, .history, .settings, .asset, .openAPI, .session, .stream, .participants, .today, .day,
            .clock,
            .sessionTable, .dayTable, .alarms, .sessionAlarms, .bundles, .bundle, .finished, .studies:
            throw Refusal(.methodNotAllowed, "only GET here")
        }
    }

    private func mustBelong(_ run: String, _ request: Request) async throws(Refusal) {
        try await stored { try await store.mustBelong(run, to: request.headers[.runSecret]) }
    }

    private func refuse(_ refusal: Refusal, _ request: Request, _ context: Caller) -> Response {
        context.logger.notice(
            "refused",
            metadata: [
                "method": "\(request.method)", "status": "\(refusal.kind.rawValue)",
                "reason": "\(refusal.reason)",
            ])
        var response = Self.response(
            HTTPResponse.Status(code: refusal.kind.rawValue), ["error": .text(refusal.reason)])
        switch refusal.kind {
        case .methodNotAllowed:
            response.headers[.allow] = Route(request.uri.path)?.methods.joined(separator: ", ")
        case .unauthorized: response.headers[.wwwAuthenticate] = "Bearer"
        case .tooMany, .unavailable: response.headers[.retryAfter] = "1"
        case .tooLarge: response.headers[.connection] = "close"
        case .badRequest, .forbidden, .notFound, .conflict, .unsupportedType, .unprocessable, .full: break
        }
        return response
    }

    /// 201 for a new entry, 200 for a repeated one.
    ///
    /// - Parameter request: the request of a sender that expects no JSON. It gets 204, or `OK` if it says that it
    ///   accepts text.
    func accepted(_ receipt: Receipt, plain request: Request? = nil) -> Response {
        if let request {
            guard request.headers[.accept]?.contains("text/") == true else {
                return Response(status: .noContent)
            }
            return Response(
                .ok, ByteBuffer(string: "OK"), type: "text/plain; charset=utf-8", cache: "no-store")
        }
        return Self.response(
            receipt.isNew ? .created : .ok,
            ["accepted": .integer(receipt.count), "cursor": .text(String(receipt.cursor))])
    }

    static func response(_ status: HTTPResponse.Status, _ value: JSON) -> Response {
        Response(
            status, ByteBuffer(bytes: value.encoded()), type: "application/json", cache: "no-store")
    }

    /// Answers with a value from the store.
    func json(_ value: () async throws -> JSON) async throws(Refusal) -> Response {
        Self.response(.ok, try await stored(value))
    }

    /// Reads from the store. Errors there are not the client's fault.
    func stored<Value>(_ read: () async throws -> Value) async throws(Refusal) -> Value {
        do {
            return try await read()
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw Refusal(.unavailable, "the store cannot be read")
        }
    }
}

extension Response {
    /// - Parameter cache: the value of `Cache-Control`.
    init(_ status: HTTPResponse.Status, _ bytes: ByteBuffer, type: String, cache: String) {
        let headers: HTTPFields = [
            .contentType: type, .cacheControl: cache, .contentLength: String(bytes.readableBytes),
        ]
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
}
