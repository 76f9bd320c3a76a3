extension Interview.Mode {
    /// Whether there is a menu to choose from.
    var isChoosing: Bool { if case .choosing = self { true } else { false } }
    /// Whether the experimenter's word is being typed.
    var isUnlocking: Bool { if case .unlocking = self { true } else { false } }
}

extension Interview.Notice {
    /// Whether it is about what was, so that the next screen may still show it.
    var outlivesScreen: Bool {
        switch self {
        case .saved, .sourceBack, .batteryLow: true
        case .said: false
        }
    }
}
