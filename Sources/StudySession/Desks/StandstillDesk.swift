import StudyModel

/// When the program stood still: it was suspended, or the machine gave it no time.
struct StandstillDesk {
    /// The longest time between two looks at the clock, unless the program stands still; `nil` in virtual time.
    private let longest: Duration?
    /// When the clock was looked at last.
    private var lastLook: RunInstant?
    /// When the program last stood still.
    private(set) var last: Range<RunInstant>?

    init(longest: Duration?) { self.longest = longest }

    /// - Parameter counts: whether a standstill is to be noted.
    /// - Returns: since when it stood still, if it did.
    mutating func look(at now: RunInstant, counts: Bool) -> RunInstant? {
        defer { lastLook = now }
        guard let longest, let lastLook, counts, lastLook.duration(to: now) > longest else { return nil }
        last = lastLook..<now
        return lastLook
    }
}
