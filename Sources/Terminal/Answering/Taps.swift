import SessionPorts
import StudyModel

extension Screen {
    /// Whether a key of this screen may have brought up the next one, or that next screen's words.
    ///
    /// - Parameter new: the screen after it.
    func mayHaveReacted(before new: Screen) -> Bool {
        !reactionKeys.isEmpty && (ordinal != new.ordinal || new.reactionKeys.isEmpty)
    }

    /// What a key means that counts by itself, without Return: a tap or a reaction; `nil` if it is none.
    ///
    /// - Parameter gate: tells a key that is pressed from one that is held.
    func acts(of key: Keystroke, _ gate: inout KeyGate, at instant: RunInstant) -> [ParticipantAct]? {
        tap(with: key.key, at: instant) ?? reaction(with: key, &gate, at: instant)
    }

    /// What a key means to a recorder of taps; `nil` if it listens to no such key now. While a prompt is shown, the keys
    /// answer it.
    private func tap(with key: Key, at instant: RunInstant) -> [ParticipantAct]? {
        guard let tapping, case .running = phase, prompt == nil else { return nil }
        let name = key.name.lowercased()
        guard tapping.keys.contains(name) else { return nil }
        return [
            .key(key.name),
            .tapped(Tapped(ordinal: ordinal, recorder: tapping.recorder, key: name, at: instant)),
        ]
    }

    /// What a key means to a step that waits for a reaction; `nil` if it is none of its keys, or if none counts now.
    /// While a prompt is shown, the keys answer it.
    private func reaction(with keystroke: Keystroke, _ gate: inout KeyGate, at instant: RunInstant)
        -> [ParticipantAct]?
    {
        guard case .running = phase, prompt == nil else { return nil }
        let key = keystroke.key
        let name = key.name.lowercased()
        guard reactionKeys.contains(where: { $0.name == name }) else { return nil }
        let isPress = gate.isPress(keystroke, at: instant)
        return [
            .key(key.name),
            .reacted(Reacted(ordinal: ordinal, key: name, at: instant, isRepetition: !isPress)),
        ]
    }

    /// The keys of a reaction with what they say, such as `F = happy`.
    func reactionWords(_ wording: Wording) -> [String] {
        reactionKeys.map { key in
            let name = Self.words([key.name], wording)
            return key.words.isEmpty ? name : "\(name) = \(key.words)"
        }
    }

    /// For this long after a step with taps, keys are late taps.
    static let lastTaps = Duration.seconds(1)

    /// How long the screen accepts no input at first.
    ///
    /// - Parameter old: the screen before it.
    func leastTime(after old: Screen?) -> Duration {
        guard let old, old.ordinal != ordinal, old.tapping != nil else { return leastTime }
        return max(leastTime, Self.lastTaps)
    }

    /// The names of the keys that can be tapped now, as people call them.
    func tapKeys(_ wording: Wording) -> String? {
        guard let tapping, case .running = phase else { return nil }
        return Self.words(tapping.keys, wording)
    }

    /// The names of keys, as people call them.
    static func words(_ keys: [String], _ wording: Wording) -> String {
        keys.map { key in
            switch key {
            case "space": wording(.keySpace)
            case "return": wording(.keyReturn)
            default: key.uppercased()
            }
        }.joined(separator: " ")
    }
}
