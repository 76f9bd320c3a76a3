import SessionPorts
import StudyModel

/// A run as a screen: updates and keys in, acts and pictures out.
struct Interview: Conversing, Hashable, Sendable {
    var conversation: Conversation
    var mode = Mode.plain
    /// The last notice that needs no reply.
    var notice: Notice?
    /// What the experimenter said last, and when.
    private(set) var message: ExperimenterMessage?
    /// Since when each of them has had no signal.
    private(set) var lostSince: [Identifier: RunInstant] = [:]
    /// Whether the clip that is playing can be heard; `nil` if none is playing.
    private(set) var isClipHeard: Bool?
    private(set) var heart = HeartTrace()
    private(set) var pulse = PulseScroll()
    /// How loud the participant is, dB below full scale; `nil` if the microphone is not listening.
    private(set) var soundLevel: Double?
    /// What the displays of the screen showed, by recorder.
    private(set) var displays: [Identifier: DisplayTrace] = [:]
    /// How many bells have been rung.
    private(set) var bells = 0
    /// Which part of the screen's text was shown.
    var view = View()
    /// Whether a document was shown to its end and a key was pressed then. The question follows below it.
    private var hasRead = false
    private var hasLeft = false
    /// The moment of the last key, update or picture.
    private(set) var now = RunInstant.start
    private var wasInterrupted = false
    /// The beginning of the word, typed where letters are commands.
    var begunWord = ""
    /// The pictures of the run, as this terminal draws them.
    var images: [ImagePlace: RenderedImage]

    enum Mode: Hashable, Sendable {
        case plain
        /// A menu of what can be done besides answering is shown, to choose from with the arrows.
        case choosing(Int)
        /// "Really leave?" is shown.
        case leaving
        /// The experimenter types the word.
        case unlocking(LineEditor)
        /// The experimenter types what to do, and why.
        case intervening(LineEditor)
    }

    /// Which part of a long text is visible.
    struct View: Hashable, Sendable {
        /// The first line; `nil` while it follows the question being answered.
        var top: Int?
        /// The first line that was actually shown.
        var shownTop = 0
        /// Lines shown at once.
        var rows = 1
        /// Whether the end of the text was shown.
        var hasSeenEnd = false
        /// Whether the part that the keys change is visible.
        var isActiveShown = true
        /// Whether the questions were shown as a grid.
        var isGrid = false
        /// Where the line or plane of a rating is visible.
        var pad: RatingPad?
        /// What can be clicked, in cells of the terminal.
        var targets: [Target] = []

        /// The same text with these lines of the body visible.
        func showing(_ lines: Range<Int>, of body: Body) -> View {
            View(
                top: top == nil ? nil : lines.lowerBound, shownTop: lines.lowerBound,
                rows: max(1, lines.count),
                hasSeenEnd: hasSeenEnd || lines.upperBound >= body.lines.count,
                isActiveShown: body.active.map(lines.contains) ?? true)
        }
    }

    /// - Parameter lock: the word without which nobody can leave or pause; `nil` if everybody may.
    init(
        lock: String? = nil, keyboard: Keyboard = Keyboard(), images: [ImagePlace: RenderedImage] = [:]
    ) {
        conversation = Conversation(lock: lock, keyboard: keyboard)
        self.images = images
    }

    /// Whether the keys go to the questions, so that no letter is a command.
    var isAnswering: Bool {
        form != nil && (isWaiting || screen?.isPrompting == true) && !needsReading
    }

    /// Whether the screen's text continues below what was shown so far, so that Return scrolls on.
    var needsReading: Bool {
        guard let screen, isWaiting else { return false }
        switch screen.content {
        case .instruction, .review, .completion, .timed: return !view.hasSeenEnd
        case .consent: return !hasRead
        case .questions: return false
        }
    }

    private var isWaiting: Bool {
        guard let screen else { return false }
        return screen.phase == .waiting
    }

    mutating func handle(_ update: ScreenUpdate, at now: RunInstant) {
        self.now = now
        let known = conversation.problems
        let isBack = conversation.take(update)
        switch update {
        case .screen(let screen): show(screen, at: now)
        case .heartRate(let rate, let instant): heart.append(rate, at: instant)
        case .pulse(_, let sight): pulse.take(sight)
        case .soundLevel(let level): soundLevel = level
        case .clip(let isHeard): isClipHeard = isHeard
        case .source(let name, nil):
            lostSince[name] = nil
            if isBack { notice = .sourceBack(name) }
        case .source(let name, _?):
            if [nil, .noPulse].contains(known[name]) { lostSince[name] = now }
        case .rated, .over: break
        case .shown(let name, let shown, let instant):
            displays[name, default: DisplayTrace()].take(shown, at: instant)
        case .batteryLow(let name, let percent): notice = .batteryLow(name, percent: percent)
        case .cue(let signal):
            if signal.isTone { bells += 1 }
            mark(signal, at: now)
        case .sounded(let signal): mark(signal, at: now)
        case .saved(let title): notice = .saved(title)
        case .notDone(let problem): notice = .said(wording(.notDone, problem))
        case .message(let words):
            message = ExperimenterMessage(words: words, instant: now)
            bells += 1
        }
    }

    /// Shows a cue, so that it is there for those who do not hear.
    private mutating func mark(_ signal: Cue.Signal, at now: RunInstant) {
        if let words = screen?.words(of: signal, at: now) { notice = .said(words) }
    }

    /// - Parameter instant: when the key was read, possibly before the last update.
    mutating func handle(_ keystroke: Keystroke, at instant: RunInstant) -> [ParticipantAct] {
        guard let keys = withoutWord(keystroke, at: instant) else { return [] }
        return keys.flatMap { take($0, at: instant) }
    }

    private mutating func take(_ keystroke: Keystroke, at instant: RunInstant) -> [ParticipantAct] {
        let key = keystroke.key
        guard ending == nil else { return [] }
        now = max(now, instant)
        if mode == .plain, timeToOpen == .zero, let acts = screen?.acts(of: keystroke, &gate, at: instant) {
            return acts
        }
        if let acts = rate(with: key, at: instant) { return acts }
        // The pointer was only dragged over something.
        if key.isPointer, keystroke.isRepetition { return [] }
        let now = now
        guard gate.isPress(keystroke, at: now) || mayBeHeld(key) else {
            return mode.isOfExperimenter ? [] : [.key(key.name)]
        }
        // What the experimenter types must not be logged.
        if unlock(with: key, at: now) { return [] }
        if let acts = intervene(with: key, at: now) { return acts }
        let (wasAtSendLine, hadRead) = (form?.isAtSendLine, hasRead)
        let event = key == .control("c") ? interrupt() : event(for: key, at: now)
        if event != nil || key == .control("c") || form?.isAtSendLine != wasAtSendLine || hasRead != hadRead {
            gate.turn(by: key, at: now)
        }
        // A review is read from its top.
        if form?.isReview == true, wasAtSendLine == false { view.top = 0 }
        if key != .control("c") { wasInterrupted = false }
        guard let event else { return [.key(key.name)] }
        isAnswered = true
        if event == .withdrawn || event == .putAside { hasLeft = true }
        return [.key(key.name)] + drafts() + [.event(event)]
    }

    /// Whether something was typed or chosen since the last call of `drafts`.
    var hasDrafts: Bool { form?.hasDrafts == true }

    /// The terminal reports which part of the text it shows.
    mutating func handle(_ shown: View) { view = shown }

    /// The interview at a moment, with nothing done since.
    func waiting(until now: RunInstant) -> Interview {
        var later = self
        later.now = now
        return later
    }

    /// Whether a key may be held down: it scrolls the text, or belongs to an answer.
    private func mayBeHeld(_ key: Key) -> Bool {
        switch key {
        case .up, .down, .pageUp, .pageDown, .home, .end, .tab, .backTab, .wheel: true
        case .control(let letter): letter != "c"
        case .character, .paste, .backspace, .delete, .left, .right:
            isAnswering && mode == .plain || mode.isOfExperimenter
        case .alt, .return, .escape, .pointer: false
        }
    }

    /// How long the page still accepts no input; zero from then on.
    var timeToOpen: Duration { max(.zero, now.duration(to: gate.opening)) }

    /// What the participant may do now.
    var offers: Set<AvailableAction> {
        timeToOpen > .zero ? conversation.offers.intersection([.leave, .putAside]) : conversation.offers
    }

    private mutating func show(_ new: Screen, at now: RunInstant) {
        let turn = conversation.show(new, at: now)
        if new.phase == .saving { mode = .plain }
        if turn.isNewStep {
            displays = [:]
            notice = notice?.outlivesScreen == true ? notice : nil
            message = message.flatMap { $0.isRecent(at: now) ? $0 : nil }
        } else if turn.isPromptTurned, !turn.wasAnswered {
            notice = turn.before?.prompt == nil ? notice?.behindPrompt : .said(wording(.promptOver))
        }
        if turn.isNewStep || new.phase != turn.before?.phase { soundLevel = nil }
        guard turn.isNewForm else { return }
        if mode.isChoosing { mode = .plain }
        view = View()
        hasRead = false
    }

    private mutating func interrupt() -> Event? {
        if wasInterrupted || mode == .leaving { return .interrupted }
        wasInterrupted = true
        if isOffered(.leave) { mode = .leaving }
        return nil
    }

    /// Whether the participant may leave the run and go on another time.
    var canPutAside: Bool { isOffered(.putAside) }

    private func isOffered(_ offer: AvailableAction) -> Bool {
        guard !hasLeft, !isAnswered || offer == .leave || offer == .putAside else { return false }
        return offers.contains(offer)
    }

    mutating func event(for key: Key, at now: RunInstant) -> Event? {
        if case .pointer(let column, let row) = key { return click(column: column, row: row, at: now) }
        switch mode {
        case .leaving:
            guard case .character(let character) = key else {
                if key == .escape { mode = .plain }
                return nil
            }
            let letter = character.lowercased()
            if letter == "n" { mode = .plain }
            guard let event = wording.leaving(letter, mayPutAside: canPutAside) else { return nil }
            mode = .plain
            return isOffered(.leave) ? event : nil
        case .choosing(let index): return eventWhileChoosing(key, index, at: now)
        case .plain: return eventWhileShowing(key, at: now)
        case .unlocking, .intervening: return nil
        }
    }

    /// Any other key closes the menu and has its usual effect.
    private mutating func eventWhileChoosing(_ key: Key, _ index: Int, at now: RunInstant) -> Event? {
        let commands = menu
        switch key {
        case .up: mode = .choosing(max(0, index - 1))
        case .down: mode = .choosing(min(commands.count - 1, index + 1))
        case .escape: mode = .plain
        case .return:
            mode = .plain
            return commands.indices.contains(index) ? event(for: commands[index]) : nil
        case .character, .paste, .backspace, .delete:
            mode = .plain
            return eventWhileShowing(key, at: now)
        case .control, .alt, .tab, .backTab, .left, .right, .home, .end, .pageUp, .pageDown, .pointer, .wheel:
            break
        }
        return nil
    }

    private mutating func eventWhileShowing(_ key: Key, at now: RunInstant) -> Event? {
        if isAnswering { return eventWhileAnswering(key, at: now) }
        switch key {
        case .return: return goOn()
        case .down: scroll(by: 1)
        case .up: scroll(by: -1)
        case .left: return isOffered(.goBack) ? .wentBack : nil
        case .character(" ") where needsReading: readOn()
        case .character(let letter): return command(letter)
        case .pageDown, .pageUp, .home, .end: page(key)
        case .wheel(let rows): scroll(by: rows)
        case .control, .alt, .paste, .escape, .tab, .backTab, .backspace, .delete, .right, .pointer: break
        }
        return nil
    }

    private mutating func eventWhileAnswering(_ key: Key, at now: RunInstant) -> Event? {
        let isGrid = view.isGrid
        form?.isGrid = isGrid
        switch key {
        case .escape where !menu.isEmpty: mode = .choosing(0)
        case .pageDown, .pageUp: page(key)
        case .wheel(let rows): scroll(by: rows)
        case _ where !isOffered(.answer): break
        case .return where !view.isActiveShown: view.top = nil
        case .return where form?.breakLine(at: now) == true: view.top = nil
        case .return: return confirm(at: now)
        case .character, .control, .alt, .paste, .escape, .tab, .backTab, .backspace, .delete, .up, .down,
            .left,
            .right, .home, .end, .pointer:
            if form?.handle(key, at: now) == true {
                view.top = nil
            } else if key == .up || key == .down {
                scroll(by: key == .down ? 1 : -1)
            } else if key == .home || key == .end {
                page(key)
            }
        }
        return nil
    }

    private mutating func page(_ key: Key) {
        let page = max(1, view.rows - 1)
        scroll(
            by: key == .pageDown ? page : key == .pageUp ? -page : key == .home ? -view.shownTop : 1_000_000)
    }

    /// What can be done besides answering.
    var menu: [AvailableAction] {
        [.pause, .skip, .goBack, .leave].filter(isOffered)
    }

    private mutating func event(for action: AvailableAction) -> Event? {
        switch action {
        case .skip: return .skipped
        case .goBack: return .wentBack
        case .leave:
            mode = .leaving
            return nil
        case .putAside: return .putAside
        case .pause: return .paused
        case .confirm, .answer, .resume: return nil
        }
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

    private mutating func scroll(by lines: Int) { view.top = max(0, view.shownTop + lines) }

    private mutating func readOn() {
        guard view.hasSeenEnd else { return scroll(by: max(1, view.rows - 1)) }
        hasRead = true
        view.top = nil
    }

    private mutating func goOn() -> Event? {
        if needsReading {
            readOn()
            return nil
        }
        if isOffered(.confirm) { return .confirmed }
        if isOffered(.resume) { return .resumed }
        return nil
    }

    private mutating func confirm(at now: RunInstant) -> Event? {
        view.top = nil
        return form?.send(at: now)
    }
}
