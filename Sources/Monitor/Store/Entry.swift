/// Something to be written: what one request brings.
package enum Entry: Hashable, Sendable {
    /// A session begins; the same again does no harm.
    case begin(SessionDescription)
    /// Heart rates of a session.
    ///
    /// A `key` that this session has seen before means the same request again: nothing is written twice.
    case readings([Reading], session: String, key: String?)
    /// Heart rates of no session: they join the running readings, or begin new ones after 15 minutes' silence.
    case pushed([Reading], key: String?)
    /// Events of a run; sequence numbers that are there already are passed over.
    case events([RunEvent], session: String)
    /// A note.
    case note(Note)
}

/// What became of an entry.
package struct Receipt: Hashable, Sendable {
    /// Whether anything was written: `false` for something told before.
    package var isNew: Bool
    /// How many samples or events the request held.
    package var count: Int
    /// The number of the last record that was written for it.
    package var cursor: Int64
}
