import Hashing
import MonitorInterface
import Results
import Synchronization

/// Decides which requests are let in.
final class AccessControl: Sendable {
    /// The parts of a request that matter for this.
    struct Request: Sendable {
        /// The address at the other end.
        var peer: String?
        /// The `Host` header.
        var host: String?
        /// The `X-Forwarded-Host` header, which only counts if it comes from the reverse proxy.
        var forwardedHost: String?
        /// The `Origin` header.
        var origin: String?
        /// The token of the `Authorization` header.
        var token: String?
        /// The cookie of a browser that was signed in, unless there is a token.
        var signIn: String?
        /// Whether the request changes something.
        var isPosting: Bool
    }

    private struct State {
        var tokens: [Token] = []
        var readAt: Double?
        var buckets: [String: TokenBucket] = [:]
        /// Tokens that were wrong, by address.
        var mistakes: [String: TokenBucket] = [:]
    }

    private let exposure: Exposure
    private let limits: Limits
    private let store: Store
    private let state = Mutex(State())

    init(exposure: Exposure, limits: Limits, store: Store) {
        self.exposure = exposure
        self.limits = limits
        self.store = store
    }

    /// - Parameters:
    ///   - scope: the scope that is needed; `nil` for what anybody may see.
    ///   - now: seconds, for limiting the rate.
    /// - Returns: the token that was accepted, if one was needed.
    @discardableResult
    func admit(_ request: Request, scope: Scope?, now: Double) throws(Refusal) -> Token? {
        try checkSender(request)
        guard let scope else { return nil }
        guard exposure.needsToken || scope.needsTokenHere else {
            try pass("", rate: limits.localRequestsPerSecond, now: now)
            // Whoever signs in here to control runs or to delete data is known to the pages.
            let own = try token(of: request, now: now)
            guard let own, own.permits(.control) || own.permits(.delete), scope == .read else { return nil }
            return own
        }
        guard request.token != nil || request.signIn != nil else {
            throw Refusal(.unauthorized, "a token is needed: Authorization: Bearer …")
        }
        guard let token = try token(of: request, now: now) else {
            try count(mistakeOf: request.peer, now: now)
            throw Refusal(.unauthorized, "this token is not valid")
        }
        guard token.permits(scope) else {
            let own = token.scopeNames.joined(separator: " and ")
            throw Refusal(.forbidden, "this token is for \(own), not for \(scope.rawValue)")
        }
        try pass(token.name, rate: limits.requestsPerSecond, now: now)
        return token
    }

    /// The token with that text, if it may see the pages.
    ///
    /// - Parameter peer: the address at the other end.
    func reader(_ text: String, from peer: String?, now: Double) throws(Refusal) -> Token? {
        if let token = try token(text, now: now), token.permits(.read) { return token }
        try count(mistakeOf: peer, now: now)
        return nil
    }

    /// An address that sends many wrong tokens must wait; valid tokens from it still work.
    private func count(mistakeOf peer: String?, now: Double) throws(Refusal) {
        let isWithin = state.withLock { state in
            if state.mistakes.count > 10_000 { state.mistakes = [:] }
            let fresh = TokenBucket(rate: limits.wrongTokensPerSecond, at: now)
            return state.mistakes[peer ?? "", default: fresh].spend(at: now)
        }
        guard isWithin else { throw Refusal(.tooMany, "too many wrong tokens came from this address") }
    }

    /// A page of another site must not write here, nor reach a loopback address under a name of its own.
    private func checkSender(_ request: Request) throws(Refusal) {
        if let proxy = exposure.proxy, request.peer != proxy {
            throw Refusal(.forbidden, "only the reverse proxy may connect")
        }
        if !exposure.needsToken {
            guard let host = request.host.map({ Self.name(ofHost: $0).lowercased() }),
                Exposure.isLoopback(host) || host == exposure.name.map(Self.name(ofHost:))
            else {
                throw Refusal(
                    .forbidden, "this monitor answers to localhost only; --host-name names another")
            }
        }
        if request.isPosting, let origin = request.origin {
            let place = origin.split(separator: "/", omittingEmptySubsequences: true).last.map(String.init)
            let host = exposure.proxy == nil ? request.host : request.forwardedHost ?? request.host
            // A proxy as it comes asks under a name of its own.
            guard let place, place == host || place.lowercased() == exposure.name else {
                throw Refusal(.forbidden, "sent by a page of another site")
            }
        }
    }

    /// `[::1]:8080` and `localhost:8080` without port and brackets.
    private static func name(ofHost host: String) -> String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            return String(host[host.index(after: host.startIndex)..<end])
        }
        return host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first.map(
            String.init)
            ?? host
    }

    /// The token that a request has, or with which its browser was signed in.
    private func token(of request: Request, now: Double) throws(Refusal) -> Token? {
        if let text = request.token { return try token(text, now: now) }
        guard let value = request.signIn else { return nil }
        let hash: String?
        do throws(StoreFailure) { hash = try store.tokenHash(ofSignIn: value, now: now) } catch {
            throw Refusal(.unavailable, "the sign-ins cannot be read")
        }
        return try hash.flatMap { hash throws(Refusal) in try token(withHash: hash, now: now) }
    }

    private func token(_ text: String, now: Double) throws(Refusal) -> Token? {
        guard text.utf8.count <= 200 else { return nil }
        return try token(withHash: SHA256.hexadecimal(of: text), now: now)
    }

    private func token(withHash hash: String, now: Double) throws(Refusal) -> Token? {
        var found: Token?
        for token in try tokens(now: now) where token.hasHash(hash) { found = token }
        return found
    }

    /// The tokens, at most half a second old.
    private func tokens(now: Double) throws(Refusal) -> [Token] {
        let known = state.withLock { state in
            state.readAt.flatMap { abs(now - $0) < 0.5 ? state.tokens : nil }
        }
        if let known { return known }
        do throws(StoreFailure) {
            let tokens = try store.tokens()
            state.withLock {
                $0.tokens = tokens
                $0.readAt = now
            }
            return tokens
        } catch {
            throw Refusal(.unavailable, "the tokens cannot be read")
        }
    }

    private func pass(_ name: String, rate: Double, now: Double) throws(Refusal) {
        let isWithin = state.withLock {
            $0.buckets[name, default: TokenBucket(rate: rate, at: now)].spend(at: now)
        }
        guard isWithin else { throw Refusal(.tooMany, "more than \(Int(rate)) requests a second") }
    }
}

extension Scope {
    /// Whether it needs a token on the monitor's own machine, too. Whoever may allocate learns arms, whoever may control
    /// stops runs, and whoever may delete destroys data: another user of this machine must not.
    var needsTokenHere: Bool { [.allocate, .control, .delete].contains(self) }
}

/// Counts requests: this many a second, and twice as many at once.
struct TokenBucket: Hashable, Sendable {
    private let rate: Double
    private var left: Double
    private var last: Double

    /// - Parameter rate: requests per second.
    init(rate: Double, at now: Double) {
        self.rate = rate
        left = rate * 2
        last = now
    }

    /// Spends one request, if one is left.
    mutating func spend(at now: Double) -> Bool {
        left = min(rate * 2, left + max(now - last, 0) * rate)
        last = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
