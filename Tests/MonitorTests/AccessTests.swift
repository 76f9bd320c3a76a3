import MonitorInterface
import Testing

@testable import Monitor

@Suite struct ExposureTests {
    @Test(arguments: ["127.0.0.1", "::1", "localhost"])
    func `lets this machine writer to itself`(host: String) {
        #expect(Exposure(host: host).problem(hasToken: false) == nil)
        #expect(!Exposure(host: host).needsToken)
    }

    @Test(arguments: ["0.0.0.0", "::", "192.168.1.5", "example.org", "127.0.0.2", "localhost.example.org"])
    func `stays closed to others without encryption or without tokens`(host: String) {
        #expect(Exposure(host: host).problem(hasToken: true)?.contains("encrypted") == true)
        for open in [
            Exposure(host: host, hasCertificate: true), Exposure(host: host, proxy: "10.0.0.2"),
            Exposure(host: host, isInsecure: true),
        ] {
            #expect(open.problem(hasToken: true) == nil)
            #expect(open.problem(hasToken: false)?.contains("token") == true)
            #expect(open.needsToken)
        }
    }

    @Test func `asks for tokens behind a proxy on this machine too`() {
        #expect(Exposure(proxy: "127.0.0.1").needsToken)
    }
}

@Suite struct GateTests {
    private func request(
        token: String? = nil, host: String? = "localhost:8080", origin: String? = nil,
        peer: String? = "127.0.0.1"
    ) -> AccessControl.Request {
        AccessControl.Request(peer: peer, host: host, origin: origin, token: token, isPosting: true)
    }

    private func kind(
        _ access: AccessControl, _ request: AccessControl.Request, _ scope: Scope?, at now: Double = 0
    ) -> Refusal
        .Kind?
    {
        do throws(Refusal) {
            try access.admit(request, scope: scope, now: now)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1:8080", "[::1]:8080", "localhost:1"])
    func `answers to its own names`(host: String) throws {
        let access = AccessControl(exposure: Exposure(), limits: Limits(), store: try scratchStore())
        #expect(kind(access, request(host: host), .ingest) == nil)
    }

    @Test func `answers to the name of a tunnel or a phone that was given, and to no other`() throws {
        var exposure = Exposure()
        exposure.name = "lab.example"
        let access = AccessControl(exposure: exposure, limits: Limits(), store: try scratchStore())
        for host in ["lab.example", "LAB.example:8080", "localhost"] {
            #expect(kind(access, request(host: host), .ingest) == nil, "\(host)")
        }
        #expect(kind(access, request(host: "other.example"), .ingest) == .forbidden)
    }

    @Test(arguments: ["evil.example", "127.0.0.1.evil.example:8080", "", "[::1", "localhost.evil.example"])
    func `does not answer to names that others gave this address`(host: String) throws {
        let access = AccessControl(exposure: Exposure(), limits: Limits(), store: try scratchStore())
        #expect(kind(access, request(host: host), .ingest) == .forbidden)
        #expect(kind(access, request(host: nil), .ingest) == .forbidden)
    }

    @Test(arguments: ["https://evil.example", "null", "http://localhost:9999", "http://localhost"])
    func `does not take what a page of another site sends`(origin: String) throws {
        let access = AccessControl(exposure: Exposure(), limits: Limits(), store: try scratchStore())
        #expect(kind(access, request(origin: origin), .ingest) == .forbidden)
        #expect(kind(access, request(origin: "http://localhost:8080"), .ingest) == nil)
    }

    @Test func `opens to the right token for the right thing`() throws {
        let store = try scratchStore()
        let ingest = try store.createToken(named: "phone", scopes: [.ingest], now: 0)
        let read = try store.createToken(named: "eyes", scopes: [.read], now: 0)
        let access = AccessControl(exposure: Exposure(host: "0.0.0.0"), limits: Limits(), store: store)
        #expect(kind(access, request(token: ingest), .ingest) == nil)
        #expect(kind(access, request(token: read), .read) == nil)
        #expect(kind(access, request(token: read), .ingest) == .forbidden)
        #expect(kind(access, request(token: ingest), .read) == .forbidden)
        #expect(kind(access, request(token: nil), .read) == .unauthorized)
        for wrong in ["", "entrain_", String(ingest.dropLast()), ingest + "0", ingest.uppercased()] {
            #expect(kind(access, request(token: wrong), .ingest) == .unauthorized)
        }
        #expect(try store.tokens().allSatisfy { !ingest.contains($0.hash) && $0.hash.count == 64 })
    }

    @Test func `a token with several scopes opens to each of them, and to nothing else`() throws {
        let store = try scratchStore()
        let kim = try store.createToken(named: "kim", scopes: [.delete, .control], now: 0)
        for host in ["127.0.0.1", "0.0.0.0"] {
            let access = AccessControl(exposure: Exposure(host: host), limits: Limits(), store: store)
            for scope in [Scope.read, .control, .delete] {
                #expect(kind(access, request(token: kim), scope) == nil, "\(scope)")
            }
            #expect(kind(access, request(token: kim), .allocate) == .forbidden)
            #expect(try access.admit(request(token: kim), scope: .read, now: 0)?.name == "kim")
        }
        let access = AccessControl(exposure: Exposure(host: "0.0.0.0"), limits: Limits(), store: store)
        #expect(throws: Refusal(.forbidden, "this token is for control and delete, not for ingest")) {
            try access.admit(request(token: kim), scope: .ingest, now: 0)
        }
        #expect(try store.tokens().map(\.scopeNames) == [["control", "delete"]])
    }

    @Test(
        arguments: [
            ("read", [.read]), ("control,delete", [.control, .delete]), ("read,fly", nil), ("", nil),
            ("read,", nil), ("Read", nil), ("control, delete", nil),
        ] as [(String, Set<Scope>?)])
    func `a token with a scope that only another version knows opens nothing`(
        text: String, scopes: Set<Scope>?
    ) {
        #expect(Token.scopes(stored: text) == scopes)
    }

    @Test func `lets nobody allocate without a token, on this machine too`() throws {
        let store = try scratchStore()
        let allocate = try store.createToken(named: "room", scopes: [.allocate], now: 0)
        for access in ["127.0.0.1", "0.0.0.0"].map({
            AccessControl(exposure: Exposure(host: $0), limits: Limits(), store: store)
        }) {
            #expect(kind(access, request(token: allocate), .allocate) == nil)
            #expect(kind(access, request(), .allocate) == .unauthorized)
        }
        let access = AccessControl(exposure: Exposure(host: "0.0.0.0"), limits: Limits(), store: store)
        #expect(kind(access, request(token: allocate), .ingest) == .forbidden)
        #expect(kind(access, request(token: allocate), .read) == .forbidden)
    }

    @Test func `forgets a revoked token within half a second`() throws {
        let store = try scratchStore()
        let text = try store.createToken(named: "phone", scopes: [.ingest], now: 0)
        let access = AccessControl(exposure: Exposure(host: "0.0.0.0"), limits: Limits(), store: store)
        #expect(kind(access, request(token: text), .ingest, at: 0) == nil)
        #expect(try store.revokeToken(named: "phone"))
        #expect(try !store.revokeToken(named: "phone"))
        #expect(kind(access, request(token: text), .ingest, at: 0.6) == .unauthorized)
    }

    @Test func `lets an address try few wrong tokens, and right ones always`() throws {
        let store = try scratchStore()
        let read = try store.createToken(named: "eyes", scopes: [.read], now: 0)
        let access = AccessControl(exposure: Exposure(host: "0.0.0.0"), limits: Limits(), store: store)
        let kinds = (0..<12).map { _ in kind(access, request(token: "wrong"), .read, at: 1) }
        #expect(kinds == Array(repeating: .unauthorized, count: 10) + [.tooMany, .tooMany])
        #expect(throws: Refusal.self) { try access.reader("wrong", from: "127.0.0.1", now: 1) }
        #expect(kind(access, request(token: "wrong", peer: "10.0.0.9"), .read, at: 1) == .unauthorized)
        #expect(kind(access, request(token: read), .read, at: 1) == nil)
        #expect(kind(access, request(token: "wrong"), .read, at: 1.3) == .unauthorized)
    }

    @Test func `knows its own pages behind a proxy by the name that the proxy was asked for`() throws {
        let behind = AccessControl(
            exposure: Exposure(proxy: "127.0.0.1"), limits: Limits(), store: try scratchStore())
        var asked = request(host: "10.0.0.2:8080", origin: "https://lab.example")
        #expect(kind(behind, asked, nil) == .forbidden)
        asked.forwardedHost = "lab.example"
        #expect(kind(behind, asked, nil) == nil)
        let open = AccessControl(
            exposure: Exposure(host: "0.0.0.0"), limits: Limits(), store: try scratchStore())
        #expect(kind(open, asked, nil) == .forbidden)
    }

    @Test func `trusts the name that it was given, whatever a proxy asks for`() throws {
        var exposure = Exposure(proxy: "127.0.0.1")
        exposure.name = "lab.example:8443"
        let behind = AccessControl(exposure: exposure, limits: Limits(), store: try scratchStore())
        #expect(kind(behind, request(host: "127.0.0.1:8080", origin: "https://lab.example:8443"), nil) == nil)
        for other in ["https://lab.example", "https://evil.example:8443", "null"] {
            #expect(kind(behind, request(host: "127.0.0.1:8080", origin: other), nil) == .forbidden)
        }
    }

    @Test func `lets nobody but the proxy connect`() throws {
        let access = AccessControl(
            exposure: Exposure(proxy: "10.0.0.2"), limits: Limits(), store: try scratchStore())
        #expect(kind(access, request(peer: "10.0.0.3"), nil) == .forbidden)
        #expect(kind(access, request(peer: "10.0.0.2"), nil) == nil)
    }

    @Test func `counts requests per token`() throws {
        let store = try scratchStore()
        let busy = try store.createToken(named: "busy", scopes: [.ingest], now: 0)
        let calm = try store.createToken(named: "calm", scopes: [.ingest], now: 0)
        var limits = Limits()
        limits.requestsPerSecond = 5
        let access = AccessControl(exposure: Exposure(host: "0.0.0.0"), limits: limits, store: store)
        let kinds = (0..<12).map { _ in kind(access, request(token: busy), .ingest, at: 1) }
        #expect(kinds == Array(repeating: nil, count: 10) + [.tooMany, .tooMany])
        #expect(kind(access, request(token: calm), .ingest, at: 1) == nil)
        #expect(kind(access, request(token: busy), .ingest, at: 1.21) == nil)
        #expect(kind(access, request(token: busy), .ingest, at: 1.21) == .tooMany)
    }

    @Test func `refuses two tokens of one name`() throws {
        let store = try scratchStore()
        _ = try store.createToken(named: "phone", scopes: [.ingest], now: 0)
        #expect(throws: StoreFailure.self) { try store.createToken(named: "phone", scopes: [.read], now: 0) }
    }
}
