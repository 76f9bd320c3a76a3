import StudyModel

/// Distinguishes key presses from held or doubled keys, and keeps a page closed until its least time has passed.
struct KeyGate: Hashable, Sendable {
    private var last: Stroke?
    /// The key that brought up the page, and when.
    private var bringer: Stroke?
    /// The page accepts no input before this moment.
    private(set) var opening = RunInstant.start

    private struct Stroke: Hashable, Sendable {
        var key: Key
        var instant: RunInstant
    }

    /// A terminal repeats a held key at least this often.
    private static let repetition = Duration.milliseconds(150)
    /// Before the first repetition, a terminal waits at most this long. A key that bounces or is pressed twice
    /// comes earlier.
    private static let firstRepetition = Duration.milliseconds(700)

    /// Takes a key, and says whether it was pressed, rather than held down since the key or the page before.
    mutating func isPress(_ key: Key, at now: RunInstant) -> Bool {
        defer { last = Stroke(key: key, instant: now) }
        guard let last, last.key == key else { return true }
        if last.instant.duration(to: now) < Self.repetition { return false }
        guard let bringer, bringer.key == key else { return true }
        return bringer.instant.duration(to: now) >= Self.firstRepetition
    }

    func isOpen(at now: RunInstant) -> Bool { now >= opening }

    /// For this long, nobody has noticed yet that the page before is gone.
    private static let surprise = Duration.milliseconds(400)

    /// A page came that accepts no input for a time.
    ///
    /// - Parameter afterTimeOut: whether the page before went by itself, so that anything typed just then was meant
    ///   for that page.
    mutating func shut(for time: Duration, afterTimeOut: Bool = false, at now: RunInstant) {
        let time = afterTimeOut ? max(time, Self.surprise) : time
        opening = time > .zero ? now.advanced(by: time) : .start
    }

    /// The last key brought up the next page.
    mutating func turnByLastKey() { bringer = last }

    /// A key brought up the next page.
    mutating func turn(by key: Key, at now: RunInstant) { bringer = Stroke(key: key, instant: now) }
}
