import SessionPorts
import StudyModel

/// A run as lines of text: updates and typed lines in, lines and acts out. It knows neither devices nor clocks.
///
/// One line per event, without control sequences; questions are numbered lists.
struct Dialogue: Conversing, Hashable, Sendable {
    var conversation: Conversation
    /// What was typed but not yet used.
    private var waiting: [String] = []
    private var hasEnded = false
    var isLeaving = false
    private(set) var rate: Double?
    /// Lines that wait until the question has been answered, so that the request stays the last line.
    private var later: [String] = []
    private var pulse = PulseWords()
    var saidDisplays = SaidDisplays()
    /// Whether the participant was told that the microphone is on.
    private var isHeard = false
    /// Whether lines that come too early are kept for later questions, as they are when they come from a file
    /// rather than a keyboard.
    let keepsEarlyLines: Bool
    /// Whether a step that waits for its arm goes on without a line: then lines from a file are kept for the steps after it.
    private let armComesByItself: Bool
    /// Whether nobody types, so that questions are shown but not asked.
    let isShowOnly: Bool
    /// The half-typed line, if keys come one by one.
    var line = LineEditor()
    /// The half-typed line while something else is asked; it comes back when the question does.
    var aside = LineEditor()
    /// Whether the next line should be the word.
    var isUnlocking = false

    init(
        keepsEarlyLines: Bool, isShowOnly: Bool, lock: String? = nil, keyboard: Keyboard = Keyboard(),
        armComesByItself: Bool = false
    ) {
        self.keepsEarlyLines = keepsEarlyLines
        self.armComesByItself = armComesByItself
        self.isShowOnly = isShowOnly
        conversation = Conversation(lock: lock, keyboard: keyboard)
    }

    var isOver: Bool { ending != nil }

    var typed: String { line.text }

    /// What a terminal shows of the half-typed line, before the cursor and behind it.
    var echo: (before: String, after: String) {
        isUnlocking
            ? (
                String(repeating: "*", count: line.before.count),
                String(repeating: "*", count: line.after.count)
            )
            : (line.before, line.after)
    }

    /// What the participant may do now.
    var offers: Set<AvailableAction> { conversation.offers }

    mutating func handle(_ update: ScreenUpdate, at now: RunInstant) -> Outcome {
        var outcome = Outcome()
        let isBack = conversation.take(update)
        switch update {
        case .screen(let new):
            outcome.lines = later + show(new, at: now)
            later = []
            return outcome + useWaiting(at: now)
        case .heartRate(let rate, _): self.rate = rate
        case .pulse(_, let sight):
            let isConcerned = screen.map(PulseScroll.concerns) ?? false
            outcome.lines = pulse.lines(of: sight, isConcerned: isConcerned, wording)
        case .source(_, .noPulse): rate = nil
        case .shown(let name, let shown, let instant): return say(shown, of: name, at: instant)
        case .soundLevel(let level):
            if let level, !isHeard {
                isHeard = true
                outcome.lines = [
                    wording(level < SoundMeter.range.lowerBound ? .lineMicrophoneQuiet : .lineMicrophone)
                ]
            }
        case .clip(true?): outcome.lines = [wording(.clipHeard)]
        case .clip(false?): outcome.lines = [wording(.clipSilent)]
        case .clip(nil): break
        case .source(let name, nil):
            guard isBack, isSignalLossShown else { break }
            outcome.lines = [wording(.sourceBack, wording.name(of: name))]
        case .source(let name, _?):
            if name == "heartRate" { rate = nil }
            if isSignalLossShown { outcome.lines = [wording(.sourceLost, wording.name(of: name))] }
        case .batteryLow(let name, let percent):
            outcome.lines = [wording(.batteryLow, wording.name(of: name), String(percent))]
        case .cue(let signal):
            outcome = Outcome(
                lines: [screen?.words(of: signal, at: now)].compactMap(\.self), isRung: signal.isTone)
        case .sounded(let signal): outcome.lines = [screen?.words(of: signal, at: now)].compactMap(\.self)
        case .rated: break
        case .notDone(let problem): outcome.lines = [wording(.notDone, problem)]
        case .message(let words): outcome = Outcome(lines: [wording(.experimenterSays, words)], isRung: true)
        case .saved(let title):
            guard !wantsLine else {
                later.append(wording(.saved, title))
                return Outcome()
            }
            outcome.lines = [wording(.saved, title)]
        case .over:
            outcome.lines = later + (ending.map { Interview.lastWords($0, wording) } ?? [])
            return outcome
        }
        // The question stands last.
        if !outcome.lines.isEmpty, wantsLine, !isShowOnly {
            outcome.lines +=
                isUnlocking ? [wording(.unlock)] : isLeaving ? [leaveRequest] : nowWanted.suffix(1)
        }
        return outcome
    }

    /// A key was pressed at a terminal whose lines are edited here.
    mutating func handle(_ keystroke: Keystroke, at now: RunInstant) -> Outcome {
        let key = keystroke.key
        if let acts = counted(keystroke, at: now) { return Outcome(acts: acts) }
        // What the experimenter types must not be logged.
        var outcome = Outcome(acts: isOfExperimenter(key) ? [] : [.key(key.name)])
        switch key {
        case .return:
            let whole = typed
            line = LineEditor()
            let taken = handle(line: whole, at: now)
            outcome = outcome + taken
            outcome.endsLine = !whole.isEmpty || taken != Outcome()
            return outcome
        case .control("c"): return outcome + handleInterruption()
        case .control("d") where typed.isEmpty: return outcome + handleEnd(isTerminal: true, at: now)
        case .control("w"): line.eraseWord()
        case .character(Intervention.sign) where isUnlocked && !isIntervening:
            aside = line
            line = LineEditor(String(Intervention.sign))
        case .character where typed.utf8.count >= LineSplitter.longest: break
        case .character, .backspace, .delete, .left, .right, .home, .end, .control("u"): _ = line.handle(key)
        case .control, .alt, .paste, .tab, .backTab, .escape, .up, .down, .pageUp, .pageDown, .pointer,
            .wheel:
            break
        }
        return outcome
    }

    /// A half-typed line is kept with its question, so that it is not lost if the program ends.
    mutating func keepTyped(at now: RunInstant) -> [ParticipantAct] {
        guard offers.contains(.answer), !isAnswered, !isLeaving, !isIntervening, gate.isOpen(at: now) else {
            return []
        }
        let half = typed.trimmed
        form?.takeHalf(half, at: now)
        return drafts()
    }

    /// A line was typed.
    mutating func handle(line: String, at now: RunInstant) -> Outcome {
        if let outcome = takeFromExperimenter(line, at: now) { return outcome }
        if !keepsEarlyLines {
            guard gate.isPress(Keystroke(line.isEmpty ? .return : .paste(line)), at: now) || !line.isEmpty
            else {
                return Outcome()
            }
            if !gate.isOpen(at: now), !isLeaving, Command(line, wording, needsSlash: takesWords) != .quit {
                let wait = now.duration(to: gate.opening).wholeSecondsUp
                return Outcome(lines: [wording(.opensIn, String(wait))])
            }
        }
        if let outcome = rate(line, at: now) { return outcome }
        waiting.append(line)
        return useWaiting(at: now)
    }

    private var isSignalLossShown: Bool { screen?.shows.contains(.lostSignal) != false }
    /// No more lines will come.
    ///
    /// - Parameter isTerminal: whether a terminal was closed, which always ends the run.
    mutating func handleEnd(isTerminal: Bool, at now: RunInstant) -> Outcome {
        hasEnded = true
        if isTerminal && !isOver { return Outcome(acts: [.event(.interrupted)]) }
        return useWaiting(at: now)
    }

    // MARK: Showing

    private mutating func show(_ new: Screen, at now: RunInstant) -> [String] {
        let turn = conversation.show(new, at: now)
        if turn.isNewStep {
            isHeard = false
            saidDisplays = SaidDisplays()
            (line, aside) = (isUnlocking ? line : LineEditor(), LineEditor())
        }
        let isTimedOut = turn.isNewStep && turn.isTimedOut
        if turn.isNewStep || turn.before?.content != new.content {
            return (isTimedOut ? [wording(.timeUp)] : []) + introduction(new) + phase(new, at: now)
        }
        if turn.isPromptTurned { return promptLines(turn) }
        if turn.before?.phase == new.phase { return turn.before?.text == new.text ? [] : [new.text] }
        return phase(new, at: now)
    }

    /// A prompt came or went, which is said once.
    private mutating func promptLines(_ turn: Conversation.Turn) -> [String] {
        let wasAnswered = turn.wasAnswered
        if !wasAnswered { (line, aside) = (isUnlocking ? line : LineEditor(), LineEditor()) }
        let isOver = turn.before?.prompt != nil && !wasAnswered && !isShowOnly
        return (isOver ? [wording(.promptOver)] : []) + (screen?.isPrompting == true ? ask() : [])
    }

    private func phase(_ screen: Screen, at now: RunInstant) -> [String] {
        switch screen.phase {
        case .waiting: return (screen.timeToAnswer(at: now).map(timeLeft) ?? []) + request(screen)
        case .waitingForSource(let source, let problem):
            guard !screen.isWaitingForPulse else { return [wording(.coverLens), wording(.beginsWhenThere)] }
            return [
                wording(.waitingFor, wording.name(of: source)), wording(.beginsWhenThere),
            ] + wording.waiting(because: problem)
        case .waitingForArm(let problem):
            guard let problem else { return [] }
            return [wording(.noArm)] + (wording.isEnglish ? [problem] : [])
                + (isShowOnly ? [] : [wording(.lineTryAgain)])
        case .running:
            return (screen.remaining(at: now).map(timeLeft) ?? [wording(.running)])
                + (screen.isPrompting ? ask() : [])
        case .paused:
            return [wording(screen.wordsOfPause)] + (screen.remaining(at: now).map(timeLeft) ?? [])
                + (isShowOnly || !screen.allows.contains(.resume)
                    ? [] : [wording(.lineResume, wording(.wordResume))])
        case .timeUp: return [wording(.timeUp)] + (isShowOnly ? [] : [wording(.lineGoOn)])
        case .saving: return [wording(.saving)]
        }
    }

    private func request(_ screen: Screen) -> [String] {
        switch screen.content {
        case .instruction: isShowOnly ? [] : [wording(.lineGoOn)]
        case .timed: isShowOnly ? [] : [wording(.lineBegin)]
        case .completion: isShowOnly ? [] : [wording(.lineFinish)]
        case .consent, .questions, .review: ask()
        }
    }

    /// What has to be typed now; empty if the run goes on without typing.
    var nowWanted: [String] {
        guard let screen, screen.phase == .waiting else { return screen?.isPrompting == true ? ask() : [] }
        return request(screen)
    }

    /// The question whose turn it is; all questions if nobody types.
    private func ask() -> [String] {
        guard let screen, let form else { return [] }
        if isShowOnly { return form.asked.flatMap { $0.lines(on: screen, wording) } }
        guard let current = form.current else {
            let review = form.items.map { $0.question.title.labelling($0.reviewed(wording)) }
            return (form.isReview ? [wording(.review)] + review : []) + [
                wording(.lineSend, word(.wordBack))
            ]
        }
        let progress = screen.progress == nil ? nil : form.progress(wording)
        return [progress].compactMap(\.self) + current.lines(on: screen, wording) + current.request(wording)
    }

    /// A command's word, as it has to be typed now.
    private func word(_ phrase: Phrase) -> String { (takesWords ? "/" : "") + wording(phrase) }

    /// Whether any word may be an answer, so that commands need a slash.
    private var takesWords: Bool {
        offers.contains(.answer) && form?.current?.control.takesWords == true
    }

    // MARK: Lines

    /// Whether the run waits for a line, so that any line counts.
    private var wantsLine: Bool {
        guard !isAnswered, !isOver else { return false }
        if keepsEarlyLines, armComesByItself, case .waitingForArm = screen?.phase { return isLeaving }
        return isLeaving || !offers.isDisjoint(with: [.confirm, .answer, .resume])
    }

    private mutating func useWaiting(at now: RunInstant) -> Outcome {
        var outcome = Outcome()
        while let line = waiting.first, screen != nil, !isAnswered, !isOver {
            let word = isLeaving ? nil : Command(line, wording, needsSlash: takesWords)
            if !wantsLine, word?.isOffered(in: offers) != true {
                if keepsEarlyLines { break }
                waiting.removeFirst()
                outcome = outcome + Outcome(lines: [wording(.lineNotOffered)])
                continue
            }
            waiting.removeFirst()
            outcome = outcome + use(line, word, at: now)
            if outcome.acts.contains(where: \.endsTheScreen) {
                isAnswered = true
                gate.turn(by: .return, at: now)
            }
        }
        if hasEnded, waiting.isEmpty, wantsLine, screen?.isPrompting != true {
            isAnswered = true
            outcome.acts.append(.event(.interrupted))
        }
        return outcome
    }

    private mutating func use(_ line: String, _ command: Command?, at now: RunInstant) -> Outcome {
        if isLeaving { return leave(line) }
        if let command {
            // The letters of the command were not an answer.
            form?.takeHalf("", at: now)
            return Outcome(acts: drafts()) + obey(command, at: now)
        }
        let text = line.trimmed
        if offers.contains(.answer) { return answer(text, at: now) }
        guard text.isEmpty else { return Outcome(lines: help()) }
        return Outcome(acts: [.event(offers.contains(.resume) ? .resumed : .confirmed)])
    }

    private mutating func obey(_ command: Command, at now: RunInstant) -> Outcome {
        switch command {
        case .help: return Outcome(lines: help())
        case .back where form?.goBack(at: now) == true: return Outcome(lines: ask())
        case .quit where offers.contains(.leave):
            isLeaving = true
            return Outcome(lines: [leaveRequest])
        case .back, .skip, .pause, .resume, .quit:
            guard command.isOffered(in: offers), let event = command.event else {
                return Outcome(lines: [wording(.lineNotOffered)])
            }
            return Outcome(acts: [.event(event)])
        }
    }

    private func help() -> [String] {
        let words = Command.allCases.filter { $0.isOffered(in: offers) }.map { word($0.phrase) }
        return nowWanted + [wording(.lineCommands, words.joined(separator: ", "))]
    }

    /// A line answers the question whose turn it is; an empty line keeps what is there, but not what was refused.
    private mutating func answer(_ text: String, at now: RunInstant) -> Outcome {
        let isRefused = form?.problem != nil && form?.current?.control.widget != .lines
        if !text.isEmpty || isRefused { form?.take(text, at: now) }
        if form?.isAtSendLine == true, !text.isEmpty { return Outcome(lines: help()) }
        let isVolume = screen?.answering.contains(.heard) == true && form?.current?.understood != nil
        if !text.isEmpty, isVolume || form?.current?.control.widget == .lines {
            return Outcome(lines: isVolume ? [wording(.volumeHeard)] : [], acts: drafts())
        }
        let understood = text.isEmpty ? nil : form?.current?.understoodLine(text)
        let event = form?.send(at: now)
        var outcome = Outcome(acts: drafts())
        if form?.problem == nil { outcome.lines = [understood].compactMap(\.self) }
        if let event {
            outcome.acts.append(.event(event))
        } else if let problem = form?.problem {
            outcome.lines = [problem.text(in: wording)]
        } else {
            outcome.lines += ask()
        }
        return outcome
    }
}
