import SessionPorts
import StudyModel

/// What was said of displays in the presentation by lines: each part of a breath, and numbers at a calm rhythm.
struct SaidDisplays: Hashable, Sendable {
    private struct Said: Hashable, Sendable {
        var shown: Biofeedback.Shown
        var instant: RunInstant
    }

    private var said: [Identifier: Said] = [:]

    /// A number that changes is said at most this often.
    static let rhythm = Duration.seconds(10)

    /// What to say of what a display shows; `nil` if nothing.
    mutating func line(
        _ shown: Biofeedback.Shown, of display: Screen.Display, at instant: RunInstant, _ wording: Wording
    ) -> String? {
        if let last = said[display.recorder], !isDue(shown, after: last, at: instant) { return nil }
        said[display.recorder] = Said(shown: shown, instant: instant)
        let words = display.biofeedback.words(shown, wording)
        return display.biofeedback.label(wording).map { "\($0): \(words)" } ?? words
    }

    private func isDue(_ shown: Biofeedback.Shown, after last: Said, at instant: RunInstant) -> Bool {
        guard shown != last.shown else { return false }
        let isNumber = shown.value != nil && last.shown.value != nil
        return !isNumber || last.instant.duration(to: instant) >= Self.rhythm
    }

    /// How the displays are announced.
    static func request(_ screen: Screen, _ wording: Wording) -> [String] {
        screen.displays.compactMap { display in
            display.biofeedback.label(wording).map {
                wording(.lineDisplay, $0, String(rhythm.wholeSecondsUp))
            }
        }
    }
}

extension Dialogue {
    /// Says what a display shows, if it is time for that. A question is not interrupted.
    mutating func say(_ shown: Biofeedback.Shown, of recorder: Identifier, at instant: RunInstant) -> Outcome
    {
        guard let screen, !screen.isPrompting,
            let display = screen.displays.first(where: { $0.recorder == recorder })
        else { return Outcome() }
        return Outcome(lines: saidDisplays.line(shown, of: display, at: instant, wording).map { [$0] } ?? [])
    }
}
