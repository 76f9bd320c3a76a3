/// What one request asks the store to write.
package enum Entry: Hashable, Sendable {
    /// A session begins; sending it again does no harm.
    case begin(SessionDescription)
    /// Heart rates of a session.
    ///
    /// A `key` that this session has seen before means the same request again: nothing is written twice.
    case readings([Reading], session: String, key: String?)
    /// Heart rates without a session: each joins the sender's session of readings within 15 minutes of it, or begins a
    /// new one.
    case pushed([Reading], by: Sender, key: String?)
    /// Events of a run; sequence numbers that are there already are passed over.
    case events([RunEvent], session: String)
    case note(Note)
    case noteChanged(NoteChange)
    /// A sign of life of a run: it was heard of now, and nothing else happened.
    case alive(session: String)
}

/// Who pushes readings without a session.
package struct Sender: Hashable, Sendable {
    /// A name of its own: the token's, or what `?source=` says.
    package var source: String?
    /// Whose heart it is, as `?participant=` says.
    package var participant: String?

    package init(source: String? = nil, participant: String? = nil) {
        self.source = source
        self.participant = participant
    }
}

extension Sender {
    /// Bytes of a source's name; a session is called after it.
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

    /// A token's name as a source's: characters that a session's name cannot hold become hyphens.
    static func name(of token: Token) -> String {
        let name = token.name.unicodeScalars.prefix(limit).map { scalar in
            scalar.utf8.count == 1 && scalar.utf8.allSatisfy(Route.isAllowed) ? String(scalar) : "-"
        }.joined()
        return Route.isIdentifier(name) ? name : "token"
    }
}

/// What became of an entry.
package struct Receipt: Hashable, Sendable {
    /// Whether anything was written: `false` for a repeated entry.
    package var isNew: Bool
    /// How many samples or events the request held.
    package var count: Int
    /// The number of the last record that was written for it.
    package var cursor: Int64
}
