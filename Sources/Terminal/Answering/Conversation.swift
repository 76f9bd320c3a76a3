import SessionPorts
import StudyModel

/// A run as its participant meets it, on a screen or by lines: what is asked, what has become of it, and whether keys
/// count yet. It knows neither terminals nor clocks.
struct Conversation: Hashable, Sendable {
    private(set) var screen: Screen?
    /// The questions of the screen, or the decision on a document; `nil` if nothing is asked.
    var form: AnswerForm?
    /// The mark of the rating on show.
    var rater: Rater?
    var gate: KeyGate
    /// Whether an act was reported that the next screen will answer.
    var isAnswered = false
    /// Sources without a signal, with the reason.
    private(set) var problems: [Identifier: SourceProblem] = [:]
    private(set) var ending: Ending?
    /// The word without which nobody can leave or pause; `nil` if everybody may.
    let lock: String?
    /// Whether the word was typed on this page.
    private(set) var isUnlocked = false

    /// How the run ended.
    struct Ending: Hashable, Sendable {
        var reason: FinishReason
        /// The study's own words, if it has any.
        var words: String?
        var folder: String?
    }

    /// What a screen changes.
    struct Turn: Hashable, Sendable {
        var before: Screen?
        /// Whether the screen before had been answered.
        var wasAnswered: Bool
        /// Whether the screen before went because its time was over.
        var isTimedOut: Bool
        var isNewStep: Bool
        /// Whether a prompt came or went within the step.
        var isPromptTurned: Bool
        /// Whether there is something else to answer than before.
        var isNewForm: Bool
    }

    init(lock: String?, keyboard: Keyboard = Keyboard()) { (self.lock, gate) = (lock, KeyGate(keyboard)) }

    var language: Language? { screen?.language }
    var wording: Wording { Wording(language) }

    /// Whether leaving, pausing and suspending are locked at the moment.
    var isLocked: Bool { lock != nil && !isUnlocked && ending == nil }

    /// What the participant may do on this screen.
    var offers: Set<AvailableAction> {
        (screen?.offers ?? []).subtracting(isLocked ? [.leave, .putAside, .pause] : [])
    }

    /// The experimenter typed the word, or another one.
    mutating func unlock(with word: String) { isUnlocked = word == lock }

    /// What was typed or chosen since the last call.
    mutating func drafts() -> [ParticipantAct] {
        (form?.drafts() ?? []).map { .event(.drafted($0)) }
    }

    /// Takes the part of an update that is the same for screens and lines. A screen is shown by `show`.
    ///
    /// - Returns: whether a signal is back that was missed.
    @discardableResult
    mutating func take(_ update: ScreenUpdate) -> Bool {
        switch update {
        case .source(let name, nil): return ![nil, .noPulse].contains(problems.removeValue(forKey: name))
        case .source(let name, let problem?): problems[name] = problem
        case .rated(let values): rater?.put(values)
        case .over(let reason, let words, let folder, _):
            ending = Ending(reason: reason, words: words, folder: folder)
        case .screen, .heartRate, .pulse, .soundLevel, .clip, .shown, .batteryLow, .cue, .sounded, .saved,
            .notDone,
            .message:
            break
        }
        return false
    }

    mutating func show(_ new: Screen, at now: RunInstant) -> Turn {
        let (before, isNewStep) = (screen, new.ordinal != screen?.ordinal)
        let turn = Turn(
            before: before, wasAnswered: isAnswered,
            isTimedOut: !isAnswered && before?.isTimedOut(at: now) == true, isNewStep: isNewStep,
            isPromptTurned: !isNewStep && new.prompt != before?.prompt,
            isNewForm: isNewStep || new.content != before?.content || new.prompt != before?.prompt)
        (screen, rater, isAnswered) = (new, Rater(new, after: rater), false)
        if before?.mayHaveReacted(before: new) == true { gate.turnByLastKey() }
        if isNewStep {
            isUnlocked = false
            gate.shut(for: new.leastTime(after: before), afterTimeOut: turn.isTimedOut, at: now)
        } else if turn.isPromptTurned, !turn.wasAnswered {
            // Anything typed just when a prompt comes or goes by itself was meant for what was on show before.
            gate.shut(for: .zero, afterTimeOut: true, at: now)
        }
        if new.phase == .timeUp, before?.tapping != nil { gate.shut(for: Screen.lastTaps, at: now) }
        if turn.isNewForm { form = AnswerForm(new, at: now) }
        return turn
    }
}

/// Whoever shows a conversation: as a screen or by lines.
protocol Conversing {
    var conversation: Conversation { get set }
}

extension Conversing {
    var screen: Screen? { conversation.screen }
    var language: Language? { conversation.language }
    var wording: Wording { conversation.wording }
    var ending: Conversation.Ending? { conversation.ending }
    var isLocked: Bool { conversation.isLocked }
    var isUnlocked: Bool { conversation.isUnlocked }
    var form: AnswerForm? {
        get { conversation.form }
        set { conversation.form = newValue }
    }
    var rater: Rater? {
        get { conversation.rater }
        set { conversation.rater = newValue }
    }
    var gate: KeyGate {
        get { conversation.gate }
        set { conversation.gate = newValue }
    }
    var isAnswered: Bool {
        get { conversation.isAnswered }
        set { conversation.isAnswered = newValue }
    }

    mutating func drafts() -> [ParticipantAct] { conversation.drafts() }
}
