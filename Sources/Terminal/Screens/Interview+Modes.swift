import StudyModel

extension Interview.Mode {
    /// Whether there is a menu to choose from.
    var isChoosing: Bool { if case .choosing = self { true } else { false } }
    /// Whether the experimenter's word is being typed.
    var isUnlocking: Bool { if case .unlocking = self { true } else { false } }
    /// Whether the experimenter types, and not the participant.
    var isOfExperimenter: Bool {
        switch self {
        case .unlocking, .intervening: true
        case .plain, .choosing, .leaving: false
        }
    }
}

extension Interview {
    /// For how long a source has been without a signal, whole seconds.
    func secondsLost(_ source: Identifier) -> Int64 {
        lostSince[source].map { $0.duration(to: now) }.map { max(0, $0.components.seconds) } ?? 0
    }

    enum Notice: Hashable, Sendable {
        case saved(String)
        case sourceBack(Identifier)
        case batteryLow(Identifier, percent: Int)
        case said(String)
    }

    /// What the experimenter said. It stays until the next page, and for ten seconds at least.
    struct ExperimenterMessage: Hashable, Sendable {
        var words: String
        var instant: RunInstant

        func isRecent(at now: RunInstant) -> Bool { instant.duration(to: now) < .seconds(10) }
    }
}

extension Interview.Notice {
    /// Whether the notice is about something past, so that the next screen may still show it.
    var outlivesScreen: Bool {
        switch self {
        case .saved, .sourceBack, .batteryLow: true
        case .said: false
        }
    }

    /// The notice that is still worth showing when a prompt comes.
    var behindPrompt: Self? { if case .said = self { nil } else { self } }
}
