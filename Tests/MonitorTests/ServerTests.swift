import HTTPTypes
import Hummingbird
import MonitorInterface
import Results
import Testing
import TextFormat

@testable import Monitor

@Suite struct ServerTests {
    @Test func `keeps what a strap's phone app sends`() async throws {
        try await withMonitor { client in
            #expect(try await client.post("/addheartrate", "90").status == .noContent)
            let answer = try await client.get("/api/sessions/readings/heart-rate")
            #expect(try answer.json["samples"]?.list?.map { $0["bpm"] } == [90.0])
        }
    }

    @Test func `gives everything first, then only what is new`() async throws {
        try await withMonitor { client in
            #expect(
                try await client.post("/api/sessions", #"{"id":"run","startedAt":1479686400}"#).status
                    == .created)
            let path = "/api/sessions/run/heart-rate"
            #expect(try await client.get(path).json == ["cursor": "0", "samples": []])
            #expect(try await client.post(path, #"{"bpm":90,"elapsed":12.5,"rr":[0.66]}"#).status == .created)
            let first = try await client.get(path).json
            #expect(
                first["samples"] == [["t": 1_479_686_412.5, "elapsed": 12.5, "bpm": 90.0, "rr": [0.66]]])
            let cursor = try #require(first["cursor"]?.text)
            #expect(try await client.get("\(path)?since=\(cursor)").json["samples"] == [])
            _ = try await client.post(path, #"{"samples":[{"bpm":91,"elapsed":13},{"bpm":92,"elapsed":14}]}"#)
            let next = try await client.get("\(path)?since=\(cursor)").json
            #expect(next["samples"]?.list?.map { $0["bpm"] } == [91.0, 92.0])
            // As pages and phones ask that know no cursor: from the first, or after a moment in seconds or milliseconds.
            for (since, count) in [("null", 3), ("1479686412.6", 2), ("1479686413000", 1)] {
                let told = try await client.get("\(path)?since=\(since)").json["samples"]?.list
                #expect(told?.count == count, "\(since)")
            }
        }
    }

    @Test func `says OK to who takes text, and nothing to others`() async throws {
        try await withMonitor { client in
            let text = try await client.post("/addheartrate", "72", headers: [.accept: "text/plain"])
            #expect(text.status == .ok && text.text == "OK")
            let other = try await client.post("/addheartrate", "72")
            #expect(other.status == .noContent && other.text == "")
        }
    }

    @Test func `counts a repeated request once`() async throws {
        try await withMonitor { client in
            let headers: HTTPFields = [.idempotencyKey: "42"]
            for _ in 0..<3 {
                #expect(try await client.post("/addheartrate", "61", headers: headers).status == .noContent)
            }
            let samples = try await client.get("/api/sessions/readings/heart-rate").json["samples"]
            #expect(samples?.list?.count == 1)
        }
    }

    @Test(arguments: [
        ("GET", "/addheartrate", "", 405), ("PUT", "/addheartrate", "90", 405),
        ("DELETE", "/api/sessions", "", 405),
        ("POST", "/", "", 405), ("POST", "/api/days/today", "", 405),
        ("POST", "/addheartrate", "ninety", 422),
        ("POST", "/addheartrate", "0", 422), ("POST", "/addheartrate", "", 422),
        ("POST", "/api/sessions", "{", 400),
        ("POST", "/api/sessions", "\u{FEFF}{}", 400), ("POST", "/api/sessions", "{}", 422),
        ("POST", "/api/sessions/nobody/heart-rate", #"{"bpm":90}"#, 404),
        ("GET", "/api/sessions/nobody", "", 404),
        ("GET", "/api/sessions/nobody/heart-rate", "", 404), ("GET", "/api/sessions/nobody/events", "", 404),
        ("GET", "/api/sessions/readings/heart-rate?since=x", "", 422),
        ("GET", "/api/sessions/readings/heart-rate?since=-1", "", 422),
        ("GET", "/api/days/yesterday", "", 422), ("GET", "/api/days/20261121", "", 422),
        ("GET", "/api/days/4102531200", "", 422), ("GET", "/api/days/9999999999", "", 422),
        ("GET", "/api/days/today?participant=%07", "", 422), ("GET", "/nowhere", "", 404),
        ("GET", "/../etc/passwd", "", 404),
        ("GET", "/assets/0000000000000000/Browser/live.mjs", "", 404), ("GET", "/%2e%2e/etc/passwd", "", 404),
        ("POST", "/api/notes", #"{"t":1479686400,"text":"  "}"#, 422),
    ])
    func `refuses what is wrong, with a reason`(method: String, path: String, body: String, code: Int)
        async throws
    {
        try await withMonitor { client in
            let answer = try await client.ask(
                try #require(HTTPRequest.Method(method)), path, Array(body.utf8))
            #expect(answer.status.code == code)
            #expect(try answer.json["error"]?.text?.isEmpty == false)
            if code == 405 { #expect(answer.headers[.allow]?.isEmpty == false) }
        }
    }

    @Test func `refuses a body over a million bytes and takes one just below`() async throws {
        try await withMonitor { client in
            let spaces = String(repeating: " ", count: 999_998)
            let within = try await client.post("/addheartrate", "90\(spaces)")
            let beyond = try await client.post("/addheartrate", "90 \(spaces)")
            #expect(within.status == .noContent)
            #expect(beyond.status.code == 413)
        }
    }

    @Test func `survives a thousand bodies of chance`() async throws {
        try await withMonitor { client in
            _ = try await client.post("/api/sessions", #"{"id":"run"}"#)
            var random = SplitMixForTests(seed: 7)
            let seeds = [
                #"{"bpm":90,"rr":[0.6]}"#, #"{"samples":[{"bpm":90}]}"#, #"{"events":[{"sequence":1}]}"#,
            ]
            for round in 0..<1000 {
                var bytes = Array(seeds[round % 3].utf8)
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                let path = round % 3 == 2 ? "/api/sessions/run/events" : "/api/sessions/run/heart-rate"
                let answer = try await client.ask(.post, path, bytes)
                #expect([200, 201, 400, 422].contains(answer.status.code))
            }
        }
    }

    @Test(arguments: [
        ("/addheartrate", "application/json", "72", 415),
        ("/addheartrate", "text/plain; charset=utf-8", "72", 204),
        ("/addheartrate", "application/x-www-form-urlencoded", "72", 204),
        ("/api/sessions", "text/plain", #"{"id":"a"}"#, 415),
        ("/api/sessions", "Application/JSON", #"{"id":"a"}"#, 201),
        ("/api/sessions/readings/heart-rate", "application/x-www-form-urlencoded", #"{"bpm":90}"#, 415),
        ("/api/notes", "multipart/form-data; boundary=x", #"{"text":"x"}"#, 415),
        ("/sign-in", "text/plain", "token=x", 415),
    ])
    func `takes a body for what it is declared as`(path: String, type: String, body: String, code: Int)
        async throws
    {
        try await withMonitor { client in
            let answer = try await client.post(path, body, headers: [.contentType: type])
            #expect(answer.status.code == code)
        }
    }

    @Test func `no key of a body makes a line of the log`() async throws {
        try await withMonitor { client in
            let answer = try await client.post(
                "/api/sessions", #"{"id":"run","a\nnotice forged\u009b\u202e":1}"#)
            let reason = try #require(try answer.json["error"]?.text)
            #expect(answer.status.code == 422 && reason.contains("forged"))
            #expect(
                !reason.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9b || $0.value == 0x202e })
        }
        #expect(!Refusal(.badRequest, "a\nb").reason.contains("\n"))
    }

    @Test func `says that TLS is to stay`() async throws {
        var configuration = Monitor.Configuration()
        configuration.exposure = Exposure(proxy: "127.0.0.1")
        try await withMonitor(configuration) { client in
            let page = try await client.get("/sign-in")
            #expect(page.headers[.strictTransportSecurity] == "max-age=31536000")
        }
        try await withMonitor { client in
            let page = try await client.get("/")
            #expect(page.headers[.strictTransportSecurity] == nil)
        }
    }

    @Test(arguments: [
        ("/history?day=2026-11-21&participant=P%2001", "/history?day=2026-11-21&participant=P%2001"),
        ("/", "/"), ("//evil.example/", "/"), ("/api/sessions", "/"), ("https://evil.example/", "/"),
        ("/history?x=\"><script>", "/"), ("/\\evil.example", "/"),
    ])
    func `leads back to the page that was wanted, and nowhere else`(wanted: String, led: String) async throws
    {
        let store = try scratchStore()
        let read = try store.createToken(named: "eyes", scopes: [.read], now: 0)
        var configuration = Monitor.Configuration()
        configuration.exposure = Exposure(proxy: "127.0.0.1")
        try await withMonitor(configuration, store: store) { client in
            let query = wanted.utf8.map { "%" + hexadecimal([$0]) }.joined()
            let wrong = try await client.post("/sign-in?to=\(query)", "token=wrong")
            #expect(wrong.status == .unauthorized && wrong.text.contains("does not open these pages"))
            let form = try #require(wrong.text.split(separator: "action=\"").last?.prefix { $0 != "\"" })
            let signedIn = try await client.post(String(form), "token=\(read)")
            #expect(signedIn.status == .seeOther && signedIn.headers[.location] == led)
        }
    }

    @Test(arguments: ["/", "/history", "/sign-in"])
    func `sends pages that hold no script and load nothing from elsewhere`(path: String) async throws {
        try await withMonitor { client in
            let page = try await client.get(path)
            #expect(page.status == .ok && page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(
                page.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; script-src 'self'")
                    == true)
            #expect(page.headers[.xContentTypeOptions] == "nosniff")
            #expect(
                !page.text.contains("<script>") && !page.text.contains("://") && !page.text.contains("{{"))
            #expect(!page.text.contains(" onclick") && !page.text.contains(" style="))
            for part in page.text.split(separator: "\"") where part.hasPrefix("/assets/") {
                let asset = try await client.get(String(part))
                #expect(asset.status == .ok)
                #expect(asset.headers[.cacheControl]?.contains("immutable") == true)
            }
        }
    }

    @Test func `says how to install charts where there are none`() async throws {
        var configuration = Monitor.Configuration()
        configuration.charts = "/nowhere/"
        try await withMonitor(configuration) { client in
            let page = try await client.get("/").text
            #expect(page.contains("apt-get install libjs-dygraphs") && !page.contains("dygraph.js"))
        }
    }

    @Test func `lets people in with a token, and shows nothing before`() async throws {
        let store = try scratchStore()
        let read = try store.createToken(named: "eyes", scopes: [.read], now: 0)
        let ingest = try store.createToken(named: "phone", scopes: [.ingest], now: 0)
        var configuration = Monitor.Configuration()
        configuration.exposure = Exposure(proxy: "127.0.0.1")
        try await withMonitor(configuration, store: store) { client in
            #expect(try await client.get("/").status == .unauthorized)
            #expect(try await client.get("/").text.contains("Sign in"))
            #expect(try await client.get("/api/sessions").status == .unauthorized)
            #expect(try await client.post("/addheartrate", "90").status == .unauthorized)
            let phone: HTTPFields = [.authorization: "Bearer \(ingest)"]
            #expect(try await client.post("/addheartrate", "90", headers: phone).status == .noContent)
            #expect(try await client.get("/api/sessions", headers: phone).status == .forbidden)
            #expect(try await client.post("/sign-in", "token=wrong").status == .unauthorized)
            #expect(try await client.post("/sign-in", "token=\(ingest)").status == .unauthorized)
            let signedIn = try await client.post("/sign-in", "token=\(read)")
            #expect(signedIn.status == .seeOther)
            let cookie = try #require(signedIn.headers[.setCookie])
            #expect(
                cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && cookie.contains("Secure")
            )
            #expect(!cookie.contains(read), "the cookie is not the token")
            let pair = String(cookie.prefix { $0 != ";" })
            #expect(
                try await client.get("/", headers: [.cookie: "a=b; \(pair)"]).text.contains(
                    "<h1>Sessions"))
            let other = try #require(
                try await client.post("/sign-in", "token=\(read)").headers[.setCookie])
            #expect(try await client.post("/sign-out", "", headers: [.cookie: pair]).status == .seeOther)
            #expect(try await client.get("/", headers: [.cookie: pair]).status == .unauthorized)
            #expect(try await client.get("/api/sessions", headers: [.cookie: pair]).status == .unauthorized)
            let others = String(other.prefix { $0 != ";" })
            #expect(try await client.get("/", headers: [.cookie: others]).status == .ok)
            #expect(try store.revokeToken(named: "eyes"))
            // Tokens are read again after half a second at the latest.
            #expect(try store.tokenHash(ofSignIn: String(others.split(separator: "=")[1]), now: 0) != nil)
            #expect(try store.tokens().map(\.name) == ["phone"])
        }
    }

    @Test func `a run belongs to the program that began it`() async throws {
        try await withMonitor(store: try scratchStore()) { client in
            let about = #"{"id": "run", "startedAt": 1750000000, "secret": "of the run"}"#
            #expect(try await client.post("/api/sessions", about).status == .created)
            #expect(!(try await client.get("/api/sessions").text.contains("secret")))
            let name = try #require(HTTPField.Name("Entrain-Run-Secret"))
            let own: HTTPFields = [name: "of the run"]
            let messages = [
                ("heart-rate", #"{"samples": [{"bpm": 60, "elapsed": 1}]}"#), ("alive", ""),
                (
                    "events",
                    #"{"events": [{"sequence": 1, "kind": "over", "elapsed": 2, "text": "completed"}]}"#
                ),
            ]
            for (part, body) in messages {
                let path = "/api/sessions/run/\(part)"
                #expect(try await client.post(path, body).status == .forbidden, "\(part)")
                #expect(
                    try await client.post(path, body, headers: [name: "guessed"]).status == .forbidden)
            }
            #expect(try await client.get("/api/sessions/run/requests").status == .forbidden)
            #expect(
                try await client.post("/api/sessions/run/requests/1", #"{"problem": null}"#).status
                    == .forbidden)
            for (part, body) in messages {
                #expect(
                    (200...204).contains(
                        try await client.post("/api/sessions/run/\(part)", body, headers: own).status.code))
            }
            #expect(
                try await client.post("/api/sessions/run/requests/1", #"{"problem": null}"#, headers: own)
                    .status == .notFound, "it may answer, but nobody has asked")
            // What was begun without a secret takes what anybody says of it.
            #expect(try await client.post("/api/sessions", #"{"id": "watch"}"#).status == .created)
            #expect(try await client.post("/api/sessions/watch/alive", "").status.code < 300)
        }
    }
}
