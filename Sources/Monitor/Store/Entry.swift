/// What one request asks the store to write.
package enum Entry: Hashable, Sendable {
    /// A session begins; sending it again does no harm.
    case begin(SessionDescription)
    /// Heart rates of a session.
    ///
    /// A `key` that this session has seen before means the same request again: nothing is written twice.
    case readings([Reading], session: String, key: String?)
    /// Heart rates without a session: they join the last session of pushed readings, or after 15 minutes begin a new one.
    case pushed([Reading], key: String?)
    /// Events of a run; sequence numbers that are there already are passed over.
    case events([RunEvent], session: String)
    case note(Note)
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
