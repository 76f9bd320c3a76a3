import StudyModel
package import StudySession

/// What the participant sees and has typed so far: updates and keys in, acts out. Knows no terminal and no time.
package struct Interview: Hashable, Sendable {
    package private(set) var screen: Screen?
    /// The questions of the screen, in order; a typed consent signature is one too.
    private(set) var drafts: [Draft] = []
    /// Index into `drafts` of the question being answered.
    private(set) var focus = 0
    private(set) var mode = Mode.plain
    /// What is the matter with the focused answer.
    private(set) var validationError: ValidationError?
    /// The last thing worth saying that asks for nothing.
    private(set) var notice: Notice?
    /// Sources without a signal, with the reason.
    private(set) var problems: [Identifier: String] = [:]
    private(set) var heart = HeartTrace()
    private(set) var pulse = PulseScroll()
    /// How loud the microphone hears the participant, dB below full scale; `nil` where it does not.
    private(set) var soundLevel: Double?
    private(set) var ending: Ending?
    /// Counts the bells that were rung.
    private(set) var bells = 0
    /// What was seen of the screen's text.
    private(set) var view = View()
    /// Whether an act was told that the next screen answers.
    private var isAnswered = false
    private var hasLeft = false
    private var wasInterrupted = false

    enum Mode: Hashable, Sendable {
        case plain
        /// The letters are commands although a text is being typed.
        case commanding
        /// "Really leave?" is on show.
        case leaving
    }

    enum Notice: Hashable, Sendable {
        case saved(String)
        case sourceBack(Identifier)
        case batteryLow(Identifier, percent: Int)
        case said(String)
    }

    struct Ending: Hashable, Sendable {
        var reason: FinishReason
        var folder: String?
    }

    /// Which part of a text longer than the terminal is on show.
    package struct View: Hashable, Sendable {
        /// The first line; `nil` while it follows the question being answered.
        var top: Int?
        /// The first line that was really shown.
        var shownTop = 0
        /// Lines shown at once.
        var rows = 1
        /// Whether the end of the text was on show.
        var hasSeenEnd = false

        /// The same text with `rows` of its `total` lines on show, from `top`.
        func showing(from top: Int, rows: Int, of total: Int) -> View {
            View(
                top: self.top == nil ? nil : top, shownTop: top, rows: max(1, rows),
                hasSeenEnd: hasSeenEnd || top + rows >= total)
        }
    }

    package init() {}

    var language: Language? { screen?.language }
    var wording: Wording { Wording(language) }

    /// The question that takes the keys.
    var focused: Draft? {
        guard drafts.indices.contains(focus), !needsReading else { return nil }
        return drafts[focus]
    }

    /// Whether letters are typed into an answer.
    var isTyping: Bool { mode == .plain && isWaiting && focused?.takesLetters == true }

    /// Whether the screen's text goes on below what was shown so far, so that Return reads on.
    var needsReading: Bool {
        guard let screen, isWaiting, !view.hasSeenEnd else { return false }
        switch screen.content {
        case .instruction, .consent, .completion, .timed: return true
        case .questions: return false
        }
    }

    private var isWaiting: Bool {
        guard let screen else { return false }
        return screen.phase == .waiting
    }

    package mutating func handle(_ update: ScreenUpdate) {
        switch update {
        case .screen(let screen): show(screen)
        case .heartRate(let rate, let instant): heart.append(rate, at: instant)
        case .pulse(_, let sight): pulse.take(sight)
        case .soundLevel(let level): soundLevel = level
        case .source(let name, nil):
            let problem = problems.removeValue(forKey: name)
            if let problem, problem != CameraStatus.notSeen { notice = .sourceBack(name) }
        case .source(let name, let problem?): problems[name] = problem
        case .batteryLow(let name, let percent): notice = .batteryLow(name, percent: percent)
        case .cue(.bell), .cue(.sound): bells += 1
        case .cue(.say(let text)): notice = .said(text.text(in: language))
        case .saved(let title): notice = .saved(title)
        case .over(let reason, let folder, _):
            ending = Ending(reason: reason, folder: folder)
        }
    }

    package mutating func handle(_ key: Key) -> [ParticipantAct] {
        guard ending == nil else { return [] }
        let event = key == .control("c") ? interrupt() : event(for: key)
        if key != .control("c") { wasInterrupted = false }
        guard let event else { return [.key(key.name)] }
        isAnswered = true
        if event == .withdrawn { hasLeft = true }
        return [.key(key.name), .event(event)]
    }

    /// The terminal shows this part of the text.
    package mutating func handle(_ shown: View) { view = shown }

    private mutating func show(_ new: Screen) {
        defer { screen = new }
        isAnswered = false
        if new.phase == .saving { mode = .plain }
        if new.ordinal != screen?.ordinal { notice = notice?.outlivesScreen == true ? notice : nil }
        if new.ordinal != screen?.ordinal || new.phase != screen?.phase { soundLevel = nil }
        guard new.ordinal != screen?.ordinal || new.content != screen?.content else { return }
        if mode == .commanding { mode = .plain }
        (focus, validationError, view) = (0, nil, View())
        switch new.content {
        case .instruction, .timed, .completion: drafts = []
        case .questions(let questions): drafts = questions.map { Draft($0, language: new.language) }
        case .consent(let identifier, _, let isSignatureTyped):
            let name = AskedQuestion(
                identifier: identifier, title: Wording(new.language)(.fullName), text: "", isOptional: false,
                format: .text(maximumLength: 200, pattern: nil))
            drafts = isSignatureTyped ? [Draft(name, language: new.language)] : []
        }
    }

    private mutating func interrupt() -> Event? {
        if wasInterrupted || mode == .leaving { return .interrupted }
        wasInterrupted = true
        if isOffered(.leave) { mode = .leaving }
        return nil
    }

    private func isOffered(_ offer: AvailableAction) -> Bool {
        guard let screen, !hasLeft, !isAnswered || offer == .leave else { return false }
        return screen.offers.contains(offer)
    }

    private mutating func event(for key: Key) -> Event? {
        switch mode {
        case .leaving:
            guard case .character(let character) = key else {
                if key == .escape { mode = .plain }
                return nil
            }
            let letter = character.lowercased()
            if letter == "n" { mode = .plain }
            guard letter == "y" || letter == wording(.yesLetter) else { return nil }
            mode = .plain
            return isOffered(.leave) ? .withdrawn : nil
        case .commanding:
            mode = .plain
            guard case .character(let letter) = key else { return nil }
            return command(letter)
        case .plain: return eventWhileShowing(key)
        }
    }

    private mutating func eventWhileShowing(_ key: Key) -> Event? {
        if isTyping && key == .escape {
            mode = .commanding
            return nil
        }
        if isWaiting, focused != nil, edit(key) { return nil }
        switch key {
        case .return: return goOn()
        case .tab: moveFocus(by: 1)
        case .backTab: moveFocus(by: -1)
        case .down: drafts.count > 1 ? moveFocus(by: 1) : scroll(by: 1)
        case .up: drafts.count > 1 ? moveFocus(by: -1) : scroll(by: -1)
        case .pageDown: scroll(by: max(1, view.rows - 1))
        case .pageUp: scroll(by: -max(1, view.rows - 1))
        case .home: scroll(by: -view.shownTop)
        case .end: scroll(by: 1_000_000)
        case .left: return focused == nil && isOffered(.goBack) ? .wentBack : nil
        case .character(" ") where needsReading: scroll(by: max(1, view.rows - 1))
        case .character(let letter): return command(letter)
        case .control, .paste, .escape, .backspace, .delete, .right: break
        }
        return nil
    }

    /// Gives the key to the focused question; up and down leave a list only at its ends, and only in a form.
    private mutating func edit(_ key: Key) -> Bool {
        if drafts.count > 1, key == .up || key == .down {
            guard drafts[focus].isList, !drafts[focus].isAtEnd(for: key) else { return false }
        }
        guard isOffered(.answer) else { return false }
        switch drafts[focus].handle(key) {
        case .ignored: return false
        case .edited: validationError = nil
        case .full:
            if let limit = drafts[focus].wordLimit {
                validationError = ValidationError(.tooLong, String(limit))
            }
        }
        view.top = nil
        return true
    }

    private mutating func command(_ letter: Character) -> Event? {
        switch letter.lowercased() {
        case "p" where isOffered(.pause): return .paused
        case "p" where isOffered(.resume): return .resumed
        case "s" where isOffered(.skip): return .skipped
        case "b" where isOffered(.goBack): return .wentBack
        case "q" where isOffered(.leave): mode = .leaving
        default: break
        }
        return nil
    }

    private mutating func moveFocus(by step: Int) {
        guard drafts.count > 1 else { return }
        focus = (focus + step + drafts.count) % drafts.count
        validationError = nil
        view.top = nil
    }

    private mutating func scroll(by lines: Int) { view.top = max(0, view.shownTop + lines) }

    private mutating func goOn() -> Event? {
        if needsReading {
            scroll(by: max(1, view.rows - 1))
            return nil
        }
        if isOffered(.confirm) { return .confirmed }
        if isOffered(.resume) { return .resumed }
        guard isOffered(.answer), let screen else { return nil }
        if isMissing(in: drafts.dropFirst(focus + 1)), !isMissing(in: drafts[focus...focus]) {
            moveFocus(by: 1)
            return nil
        }
        switch screen.content {
        case .questions: return answers().map(Event.answered)
        case .consent(let identifier, _, let isSignatureTyped):
            return agreement(identifier, isSigned: isSignatureTyped)
        case .instruction, .timed, .completion: return nil
        }
    }

    private mutating func agreement(_ identifier: Identifier, isSigned: Bool) -> Event? {
        guard isSigned else {
            return .answered([GivenAnswer(question: identifier, answer: .consent(signature: nil))])
        }
        guard let name = answers()?.first, case .text(let signature) = name.answer else { return nil }
        return .answered([GivenAnswer(question: identifier, answer: .consent(signature: signature))])
    }

    /// All answers; `nil` where one is missing or does not fit: then its question has the focus.
    private mutating func answers() -> [GivenAnswer]? {
        var answers: [GivenAnswer] = []
        for index in drafts.indices {
            do throws(ValidationError) {
                let answer = try drafts[index].answer()
                if answer == nil, !drafts[index].question.isOptional {
                    throw missing(index)
                }
                answers.append(GivenAnswer(question: drafts[index].question.identifier, answer: answer))
            } catch {
                (focus, validationError) = (index, error)
                view.top = nil
                return nil
            }
        }
        return answers
    }

    private func isMissing(in drafts: ArraySlice<Draft>) -> Bool {
        drafts.contains { draft in
            do throws(ValidationError) {
                return try draft.answer() == nil && !draft.question.isOptional
            } catch {
                return true
            }
        }
    }

    private func missing(_ index: Int) -> ValidationError {
        let question = drafts[index].question
        if case .consent = screen?.content { return ValidationError(.pleaseName) }
        return drafts.count > 1 && !question.title.isEmpty
            ? ValidationError(.pleaseAnswer, question.title) : drafts[index].control.need
    }
}

extension Interview.Notice {
    /// Whether it is about what was, so that the next screen may still show it.
    fileprivate var outlivesScreen: Bool {
        switch self {
        case .saved, .sourceBack, .batteryLow: true
        case .said: false
        }
    }
}
