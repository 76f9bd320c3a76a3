import StudyModel
import StudySession

extension Interview {
    /// The keys that mean something now, the most useful first.
    var hints: [(key: String, action: String)] {
        guard let screen else { return [] }
        if mode == .commanding { return spoken(commands(screen) + [(wording(.keyEscape), .toTyping)]) }
        let answering = goingOn(screen) + answering
        guard isTyping else { return spoken(answering + commands(screen)) }
        let others = commands(screen).map { wording($0.action) }
        return spoken(answering) + [(wording(.keyEscape), others.joined(separator: ", "))]
    }

    private func spoken(_ hints: [(key: String, action: Phrase)]) -> [(key: String, action: String)] {
        hints.map { ($0.key, wording($0.action)) }
    }

    private func goingOn(_ screen: Screen) -> [(key: String, action: Phrase)] {
        let key = wording(.keyReturn)
        if needsReading { return [(key, .toReadOn)] }
        if screen.offers.contains(.answer) {
            if case .consent = screen.content { return [(key, .toAgree)] }
            return [(key, .toConfirm)]
        }
        if screen.offers.contains(.resume) { return [("p", .toResume)] }
        guard screen.offers.contains(.confirm) else { return [] }
        return switch screen.content {
        case .completion: [(key, .toFinish)]
        case .timed: [(key, screen.phase == .waiting ? .toBegin : .toGoOn)]
        case .instruction, .questions, .consent: [(key, .toGoOn)]
        }
    }

    private var answering: [(key: String, action: Phrase)] {
        guard let focused, screen?.offers.contains(.answer) == true else { return [] }
        var hints: [(key: String, action: Phrase)] =
            switch focused.content {
            case .scale: [("← →", .toChoose), (wording(.keyNumbers), .toChoose)]
            case .pick: [("↑ ↓", .toChoose), (wording(.keyNumbers), .toChoose)]
            case .tick: [("↑ ↓", .toChoose), (wording(.keySpace), .toTick)]
            case .line: focused.control.slider == nil ? [] : [("← →", .toChoose)]
            }
        if drafts.count > 1 { hints.append((wording(.keyTab), .toNextQuestion)) }
        return hints
    }

    private func commands(_ screen: Screen) -> [(key: String, action: Phrase)] {
        let offers = screen.offers
        var hints: [(key: String, action: Phrase)] = []
        if offers.contains(.pause) { hints.append(("p", .toPause)) }
        if offers.contains(.skip) { hints.append(("s", .toSkip)) }
        if offers.contains(.goBack) { hints.append(("b", .toGoBack)) }
        if offers.contains(.leave) { hints.append(("q", .toLeave)) }
        return hints
    }
}
