import StudyModel

/// Tells key presses from a held or doubled key, and keeps a page shut until its least time has passed.
struct KeyGate: Hashable, Sendable {
    private var last: Stroke?
    /// What brought the page, and when.
    private var bringer: Stroke?
    /// Before that the page takes nothing.
    private(set) var opening = RunInstant.start

    private struct Stroke: Hashable, Sendable {
        var key: Key
        var instant: RunInstant
    }

    /// A terminal repeats a held key after at most so long.
    private static let repetition = Duration.milliseconds(150)
    /// Before that it waits for at most so long, and a key that bounces or is pressed twice comes earlier.
    private static let firstRepetition = Duration.milliseconds(700)

    /// Notes a key, and says whether it was pressed, and not held since the key before or since the page came.
    mutating func isPress(_ key: Key, at now: RunInstant) -> Bool {
        defer { last = Stroke(key: key, instant: now) }
        guard let last, last.key == key else { return true }
        if last.instant.duration(to: now) < Self.repetition { return false }
        guard let bringer, bringer.key == key else { return true }
        return bringer.instant.duration(to: now) >= Self.firstRepetition
    }

    func isOpen(at now: RunInstant) -> Bool { now >= opening }

    /// For so long nobody sees yet that the page before is gone.
    private static let surprise = Duration.milliseconds(400)

    /// A page came that is shut for a time.
    ///
    /// - Parameter afterTimeOut: whether the page before went by itself: what is typed just then was meant for that one.
    mutating func shut(for time: Duration, afterTimeOut: Bool = false, at now: RunInstant) {
        let time = afterTimeOut ? max(time, Self.surprise) : time
        opening = time > .zero ? now.advanced(by: time) : .start
    }

    /// A key brought the next page.
    mutating func turn(by key: Key, at now: RunInstant) { bringer = Stroke(key: key, instant: now) }
}
