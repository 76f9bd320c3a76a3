/// What one request asks the store to write.
package enum Entry: Hashable, Sendable {
    /// A session begins. Sending it again does no harm.
    case begin(SessionDescription)
    /// Heart rates of a session.
    ///
    /// A `key` that this session has seen before means a repeated request, and nothing is written twice.
    case readings([Reading], session: String, key: String?)
    /// Heart rates without a session: each joins the sender's session of readings within 15 minutes of it, or begins a
    /// new one.
    case pushed([Reading], by: Sender, key: String?)
    /// Events of a run. Sequence numbers that exist already are skipped.
    case events([RunEvent], session: String)
    case note(Note)
    case noteChanged(NoteChange)
    /// A sign of life from a run: nothing else happened.
    case alive(session: String)
    /// Data are deleted, and a trace of that is kept.
    case delete(Deletion)
}

/// Who pushes readings without a session.
package struct Sender: Hashable, Sendable {
    /// The sender's name: that of the token, or the value of `?source=`.
    package var source: String?
    /// The participant, from `?participant=`.
    package var participant: String?
    /// Whether anyone but a participant made the readings, from `?origin=`: `simulated` or `replayed`.
    package var origin: String?

    package init(source: String? = nil, participant: String? = nil, origin: String? = nil) {
        (self.source, self.participant, self.origin) = (source, participant, origin)
    }
}

extension Sender {
    /// The greatest length of a source's name, bytes; sessions are named after it.
    static let limit = 40

    /// The name of a sender's session of readings.
    static func session(_ number: Int, of source: String?) -> String {
        "readings-\(number)" + (source.map { "-\($0)" } ?? "")
    }

    /// Whether a session holds readings of a source; `nil` stands for any.
    static func isSession(_ identifier: String, of source: String?) -> Bool {
        guard identifier.hasPrefix("readings-") else { return false }
        guard let source else { return true }
        return identifier.dropFirst("readings-".count).drop { $0.isNumber } == "-" + source
    }

    /// A token's name as that of a source. Characters that are not allowed in a session's name become hyphens.
    static func name(of token: Token) -> String {
        let name = token.name.unicodeScalars.prefix(limit).map { scalar in
            scalar.utf8.count == 1 && scalar.utf8.allSatisfy(Route.isAllowed) ? String(scalar) : "-"
        }.joined()
        return Route.isIdentifier(name) ? name : "token"
    }
}

/// What happened to an entry.
package struct Receipt: Hashable, Sendable {
    /// Whether anything was written: `false` for a repeated entry.
    package var isNew: Bool
    /// How many samples or events the request held.
    package var count: Int
    /// The number of the last record that was written for it.
    package var cursor: Int64
}
