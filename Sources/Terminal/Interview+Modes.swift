import StudyModel

extension Interview.Mode {
    /// Whether there is a menu to choose from.
    var isChoosing: Bool { if case .choosing = self { true } else { false } }
    /// Whether the experimenter's word is being typed.
    var isUnlocking: Bool { if case .unlocking = self { true } else { false } }
}

extension Interview {
    enum Notice: Hashable, Sendable {
        case saved(String)
        case sourceBack(Identifier)
        case batteryLow(Identifier, percent: Int)
        case said(String)
    }

    struct Ending: Hashable, Sendable {
        var reason: FinishReason
        /// The study's own words, if it has any.
        var words: String?
        var folder: String?
    }
}

extension Interview.Notice {
    /// Whether it is about something past, so that the next screen may still show it.
    var outlivesScreen: Bool {
        switch self {
        case .saved, .sourceBack, .batteryLow: true
        case .said: false
        }
    }

    /// The notice that is still worth showing when a prompt comes.
    var behindPrompt: Self? { if case .said = self { nil } else { self } }
}
