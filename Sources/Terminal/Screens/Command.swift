import SessionPorts
import StudyModel

/// A word that is typed to do something other than answer.
enum Command: Hashable, Sendable, CaseIterable {
    case back
    case skip
    case pause
    case resume
    case quit
    case help

    /// The command that a line holds, in the participant's language or in English.
    ///
    /// - Parameter needsSlash: whether it needs a slash before it, because any word may be an answer.
    init?(_ line: String, _ wording: Wording, needsSlash: Bool) {
        let text = line.trimmed.lowercased()
        guard text.hasPrefix("/") || !needsSlash else { return nil }
        let word = text.hasPrefix("/") ? String(text.dropFirst()) : text
        let english = Wording(nil)
        guard
            let command = Self.allCases.first(where: {
                [wording($0.phrase), english($0.phrase)].contains(word)
            })
        else { return nil }
        self = command
    }

    var phrase: Phrase {
        switch self {
        case .back: .wordBack
        case .skip: .wordSkip
        case .pause: .wordPause
        case .resume: .wordResume
        case .quit: .wordQuit
        case .help: .wordHelp
        }
    }

    /// The event that it causes; `nil` if it causes none at once.
    var event: Event? {
        switch self {
        case .back: .wentBack
        case .skip: .skipped
        case .pause: .paused
        case .resume: .resumed
        case .quit, .help: nil
        }
    }

    func isOffered(in offers: Set<AvailableAction>) -> Bool {
        switch self {
        case .quit: offers.contains(.leave)
        case .help: true
        case .back, .skip, .pause, .resume: event.flatMap(AvailableAction.init).map(offers.contains) ?? false
        }
    }
}
