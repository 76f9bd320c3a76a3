import SessionPorts
import StudyModel
import StudyTesting
import Synchronization

@testable import Terminal

extension Screen {
    /// A screen with everything allowed, of the given content.
    static func sample(
        _ content: Content, phase: Presentation.Phase = .waiting, title: String = "Listening",
        text: String = "", detail: String = "", ordinal: Int = 2, canSkip: Bool = false,
        canGoBack: Bool = false,
        showsHeartRate: Bool = false, expected: ExpectedHeartRate? = nil, language: Language? = nil
    ) -> Screen {
        var screen = Screen(
            ordinal: ordinal, studyTitle: "Music + Heart Rate", title: title, text: text, content: content,
            phase: phase)
        screen.detail = detail
        screen.progress = Progress(step: 2, of: 5)
        if canSkip { screen.allows.insert(.skip) }
        if canGoBack { screen.allows.insert(.goBack) }
        if showsHeartRate { screen.shows.insert(.heartRate) }
        screen.expected = expected
        screen.language = language
        return screen
    }

    static func question(
        _ format: AnswerFormat, isOptional: Bool = false, canSkip: Bool = false, canGoBack: Bool = false
    ) -> Screen {
        .sample(
            .questions([.sample("q", format, isOptional: isOptional)]), title: "How was it?",
            canSkip: canSkip,
            canGoBack: canGoBack)
    }

    /// Thirty seconds, of which twelve have passed at second 20 of the run.
    static let running = Presentation.Phase.running(start: .seconds(8), end: .seconds(38))
    static let thirtySeconds = Content.timed(duration: .seconds(30), isCountdown: false)

    /// One of each kind and phase.
    static let all: [Screen] =
        [
            .sample(
                .instruction, text: "Please listen to a clip.", detail: "It is not loud.", canGoBack: true),
            .sample(thirtySeconds, text: "Sit still.", canSkip: true),
            .sample(thirtySeconds, phase: running, canSkip: true, showsHeartRate: true, expected: .flat(75)),
            .sample(thirtySeconds, phase: .paused(remaining: .milliseconds(17_400)), canSkip: true),
            .sample(thirtySeconds, phase: .timeUp),
            .sample(thirtySeconds, phase: .waitingForSource("heartRate", problem: "the strap is not found")),
            .sample(.instruction, phase: .waitingForArm(problem: "the disk is full")),
            .sample(.timed(duration: .seconds(5), isCountdown: true), phase: running),
            .sample(.consent(question: "consent", document: document, isSignatureTyped: true)),
            .sample(.consent(question: "consent", document: document, isSignatureTyped: false)),
            .sample(.completion, text: "You have helped us."),
            .sample(.completion, phase: .saving),
            .sample(.review(.sample), canGoBack: true),
            .sample(.questions(AskedQuestion.everyKind), title: "About you", canSkip: true, canGoBack: true),
        ] + AskedQuestion.everyKind.map { .question($0.format, canSkip: true, canGoBack: true) }

    static let document = """
        # What we do

        We record your heart
        rate while you listen.

        - Nothing hurts.
        - Nothing is sent away.

        """ + String(repeating: "You may leave whenever you like. ", count: 40)
}

extension AskedQuestion {
    static func sample(_ identifier: Identifier, _ format: AnswerFormat, isOptional: Bool = false)
        -> AskedQuestion
    {
        AskedQuestion(
            identifier: identifier, title: "Question \(identifier)", text: "", isOptional: isOptional,
            format: format)
    }

    static let everyKind: [AskedQuestion] = [
        .sample("scale", .scale(from: 1, to: 9, fromLabel: .plain("not at all"), toLabel: .plain("very"))),
        .sample("wide", .scale(from: -50, to: 100, fromLabel: nil, toLabel: nil)),
        .sample("continuous", .continuous(from: 0, to: 10, decimals: 1)),
        .sample("choice", .choice(.sample)),
        .sample("choices", .choices(.sample), isOptional: true),
        .sample("boolean", .boolean(yes: .plain("Yes"), no: .plain("No"))),
        .sample("number", .number(unit: "kg", minimum: 20, maximum: 300)),
        .sample("text", .text(maximumLength: 12, pattern: "[A-Z].*")),
        .sample("date", .date()),
        .sample("time", .timeOfDay()),
    ]
}

extension [AnswerFormat.Choice] {
    static let sample = ["calm", "glad", "sad"].map {
        AnswerFormat.Choice(value: $0, text: .plain("I feel \($0)"))
    }
}

extension ExpectedHeartRate {
    static func flat(_ rate: Double) -> ExpectedHeartRate {
        ExpectedHeartRate(
            curve: .points([Point(time: .zero, rate: rate)], isMonotone: false), band: .absolute(8))
    }
}

extension Interview {
    /// An interview that shows `screen` on a terminal large enough for all of it.
    init(_ screen: Screen, size: TerminalSize = TerminalSize(columns: 80, rows: 120)) {
        self.init()
        handle(.screen(screen), at: .seconds(20))
        handle(picture(at: .seconds(20), in: size).view)
    }

    private static let seconds = Atomic<Int>(20)

    /// Later than all keys before, so that no key is taken for a held one.
    static func nextSecond() -> RunInstant {
        .seconds(Double(seconds.add(1, ordering: .relaxed).newValue))
    }

    /// Types `keys` one after the other, drawn between them as the prompter does.
    mutating func type(_ keys: [Key], size: TerminalSize = TerminalSize(columns: 80, rows: 120)) -> [Event] {
        var last = RunInstant.start
        return keys.flatMap { key in
            // The digits of a number come soon one after the other.
            let isDigit = if case .character(let character) = key { character.isWholeNumber } else { false }
            last = isDigit && last > .start ? last.advanced(by: .milliseconds(200)) : Self.nextSecond()
            let acts = handle(key, at: last)
            handle(picture(at: .seconds(20), in: size).view)
            return acts.answersAndCommands
        }
    }
}

extension [Key] {
    /// Characters as keys.
    static func typed(_ text: String) -> [Key] { text.unicodeScalars.map { .character(Character($0)) } }
}

extension [ParticipantAct] {
    /// The events that leave a screen, with answers as if nobody had timed them.
    var answersAndCommands: [Event] {
        compactMap { act in
            switch act {
            case .key, .rated, .tapped, .reacted, .marked, .event(.drafted, _): nil
            case .event(.answered(let answers), _):
                .answered(answers.map { GivenAnswer(question: $0.question, answer: $0.answer) })
            case .event(let event, _): event
            }
        }
    }
}

// Most tests are not about time.
extension Interview {
    mutating func handle(_ update: ScreenUpdate) { handle(update, at: .seconds(20)) }
    mutating func handle(_ key: Key) -> [ParticipantAct] { handle(key, at: Self.nextSecond()) }
    mutating func handle(_ key: Key, at now: RunInstant) -> [ParticipantAct] {
        handle(Keystroke(key), at: now)
    }
}

extension Dialogue {
    /// What a terminal shows of the half-typed line.
    var shown: String { echo.before + echo.after }
    mutating func handle(_ key: Key, at now: RunInstant) -> Outcome { handle(Keystroke(key), at: now) }
    mutating func handle(line: String) -> Outcome { handle(line: line, at: Interview.nextSecond()) }
    mutating func handleEnd(isTerminal: Bool) -> Outcome {
        handleEnd(isTerminal: isTerminal, at: .seconds(20))
    }
}

extension [ReviewedAnswers] {
    /// A form's answer, and a question of its own that was passed over.
    static let sample = [
        ReviewedAnswers(
            ordinal: 5, title: "Form",
            questions: [.sample("a", .boolean(yes: .plain("Yes"), no: .plain("No")))], drafts: ["a": "2"]),
        ReviewedAnswers(
            ordinal: 7, title: "Mood",
            questions: [
                AskedQuestion(
                    identifier: "mood", title: "", text: "", isOptional: true,
                    format: .text(maximumLength: nil, pattern: nil))
            ], drafts: [:]),
    ]
}
