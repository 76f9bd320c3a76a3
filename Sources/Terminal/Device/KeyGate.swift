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
        var isRepetition = false
    }

    /// What is known of held keys.
    let keyboard: Keyboard

    init(_ keyboard: Keyboard = Keyboard()) { self.keyboard = keyboard }

    /// Where nothing is known, a held key repeats at least this often.
    private static let repetition = Duration.milliseconds(150)
    /// Where nothing is known, the first repetition comes within this time.
    private static let firstRepetition = Duration.milliseconds(700)
    /// A key that bounces comes twice within this time.
    private static let bounce = 0.03

    /// Takes a key, and says whether it was pressed, rather than held down since the key or the page before.
    mutating func isPress(_ keystroke: Keystroke, at now: RunInstant) -> Bool {
        // The pointer leaves it open whether a key is held. A second click just after the one that brought up the page
        // was meant for the page before.
        if keystroke.key.isPointer {
            return bringer.map { !$0.key.isPointer || $0.instant.duration(to: now) >= Self.firstRepetition }
                ?? true
        }
        let isPress = seemsPressed(keystroke, at: now)
        last = Stroke(key: keystroke.key, instant: now, isRepetition: !isPress)
        return isPress
    }

    private func seemsPressed(_ keystroke: Keystroke, at now: RunInstant) -> Bool {
        if keyboard.tellsHeldKeys { return !keystroke.isRepetition }
        guard let last, last.key == keystroke.key else { return true }
        if let rhythm = keyboard.repetition {
            let gap = last.instant.duration(to: now) / .seconds(1)
            if last.isRepetition { return gap > rhythm.period + Keyboard.Repetition.unevenness }
            return gap > Self.bounce && abs(gap - rhythm.delay) > Keyboard.Repetition.unevenness
        }
        if last.instant.duration(to: now) < Self.repetition { return false }
        guard let bringer, bringer.key == keystroke.key else { return true }
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
