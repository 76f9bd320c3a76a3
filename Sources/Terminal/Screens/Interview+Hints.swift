import SessionPorts
import StudyModel

extension Interview {
    /// The keys that have an effect now, the most useful first.
    var hints: [(key: String, action: String)] {
        guard let screen else { return [] }
        if mode.isChoosing {
            return spoken([
                ("↑ ↓", .toChoose), (wording(.keyReturn), .toDoThat), (wording(.keyEscape), .toAnswering),
            ])
        }
        let own = isUnlocked ? [(key: String(Intervention.sign), action: wording(.toIntervene))] : []
        guard timeToOpen == .zero else {
            return spoken(
                (needsReading ? [(wording(.keyReturn), .toReadOn)] : [])
                    + [(isAnswering ? wording(.keyEscape) : "q", .toLeave)])
        }
        guard isAnswering else {
            return spoken(goingOn(screen) + reacting + tapping + rating + commands) + own
        }
        let others = menu.map { wording($0.words) }.joined(separator: ", ")
        return spoken(goingOn(screen) + answering) + (others.isEmpty ? [] : [(wording(.keyEscape), others)])
            + own
    }

    /// Whether the page waits for the participant, who then sees first with what to go on.
    var awaitsKeys: Bool {
        mode != .leaving
            && (!offers.isDisjoint(with: [.confirm, .answer, .resume]) || screen?.asksForKeys == true)
    }

    private func spoken(_ hints: [(key: String, action: Phrase)]) -> [(key: String, action: String)] {
        hints.map { ($0.key, wording($0.action)) }
    }

    private func goingOn(_ screen: Screen) -> [(key: String, action: Phrase)] {
        let key = wording(.keyReturn)
        if needsReading { return [(key, view.hasSeenEnd ? .toGoOn : .toReadOn)] }
        if offers.contains(.answer) {
            if !view.isActiveShown { return [(key, .toReadOn)] }
            if let event = form?.afterReview { return [(key, event == .confirmed ? .toSend : .toChange)] }
            return [(key, form?.isAtSendLine == true ? .toSend : .toConfirm)]
        }
        if offers.contains(.resume) { return [("p", .toResume)] }
        guard offers.contains(.confirm) else { return [] }
        return switch screen.content {
        case .completion: [(key, .toFinish)]
        case .timed: [(key, screen.phase == .waiting ? .toBegin : .toGoOn)]
        case .instruction, .questions, .review, .consent: [(key, .toGoOn)]
        }
    }

    private var answering: [(key: String, action: Phrase)] {
        guard let form else { return [] }
        var hints: [(key: String, action: Phrase)] =
            switch form.current?.control.widget {
            case .pick where view.isGrid: [("← →", .toChoose), (wording(.keyNumbers), .toChoose)]
            case .scale(let scale) where !scale.areNumbersShown: [("← →", .toChoose)]
            case .scale: [("← →", .toChoose), (wording(.keyNumbers), .toChoose)]
            case .pick: [("↑ ↓", .toChoose), (wording(.keyNumbers), .toChoose)]
            case .tick: [("↑ ↓", .toChoose), (wording(.keySpace), .toTick)]
            case .slider: [("← →", .toChoose)]
            case .lines: [(wording(.keyReturn), .toNewLine)]
            case .line, nil: []
            }
        if form.hasSendLine { hints.append((wording(.keyTab), form.isReview ? .toChange : .toNextQuestion)) }
        return hints
    }

    private var reacting: [(key: String, action: Phrase)] {
        guard ending == nil, let screen else { return [] }
        let keys = screen.reactionWords(wording)
        return keys.isEmpty ? [] : [(keys.joined(separator: "   "), .toReact)]
    }

    private var tapping: [(key: String, action: Phrase)] {
        guard ending == nil, let keys = screen?.tapKeys(wording) else { return [] }
        return [(keys, .toTap)]
    }

    private var rating: [(key: String, action: Phrase)] {
        guard isRating, let rater else { return [] }
        return [(rater.isPlane ? "← → ↑ ↓" : "← →", .toRate), (wording(.keyNumbers), .toRate)]
    }

    private var commands: [(key: String, action: Phrase)] {
        var hints: [(key: String, action: Phrase)] = []
        if offers.contains(.pause) { hints.append(("p", .toPause)) }
        if offers.contains(.skip) { hints.append(("s", .toSkip)) }
        if offers.contains(.goBack) { hints.append(("b", .toGoBack)) }
        if offers.contains(.leave) { hints.append(("q", .toLeave)) }
        return hints
    }
}

extension AvailableAction {
    /// The action as one of several to choose from.
    var words: Phrase {
        switch self {
        case .skip: .toSkip
        case .goBack: .toGoBack
        case .leave: .toLeave
        case .putAside: .toPutAside
        case .pause: .toPause
        case .resume: .toResume
        case .confirm: .toGoOn
        case .answer: .toConfirm
        }
    }
}
