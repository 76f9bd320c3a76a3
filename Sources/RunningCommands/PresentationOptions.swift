import ArgumentParser
import BundleReplay
import Console
import Glibc
import Platform
import SessionPorts
import StudyEngine
import StudyModel
import StudySession
import Terminal

/// How a participant, or a program in their place, meets a run.
struct PresentationOptions: ParsableArguments {
    @Option(help: "Seconds of the run per second of real time, or 'max' not to wait at all.")
    var speed = Speed.times(1)

    @Flag(help: "Let a simulated participant answer, to try out a study.")
    var auto = false

    @Flag(help: "One line per event and no control sequences, for screen readers and logs.")
    var plain = false

    @Flag(help: "Read every line aloud, by espeak-ng; includes --plain.")
    var speak = false

    @Option(
        help: ArgumentHelp(
            "To leave, pause or suspend the run, this word must be typed after Ctrl-C; default: the study's.",
            valueName: "word"))
    var kiosk: String?

    @Flag(
        help:
            "Show first what 'entrain ready' shows, and begin when the experimenter says so; what the study cannot do without must be mended first."
    )
    var supervised = false

    func validate() throws {
        if supervised, auto || speed != .times(1) {
            throw ValidationError("--supervised is for a run with a participant, at speed 1")
        }
        if speed == .maximum, !auto {
            throw ValidationError("--speed max does not wait for a participant: use it with --auto")
        }
        if let kiosk {
            guard !auto else {
                throw ValidationError("--kiosk locks the run for a participant: with --auto there is none")
            }
            guard !kiosk.isEmpty, !kiosk.contains(where: \.isWhitespace) else {
                throw ValidationError("--kiosk needs a word without spaces")
            }
        }
    }

    /// The word without which nobody can leave, pause or suspend the run; `nil` if everybody may.
    func lock(of study: Study, at input: Int32?) throws -> String? {
        guard kiosk == nil || isatty(STDOUT_FILENO) == 1 && isTerminal(input) else {
            throw StudyFailure("--kiosk needs a terminal", .usage)
        }
        return auto ? nil : kiosk ?? study.kiosk?.text
    }

    /// Whether Control-C asks whether to leave. In raw mode it is a key; with lines it is a signal, which asks in the
    /// same way.
    func asksAtInterruption(_ input: Int32?) -> Bool { !isShown(from: input) && isTerminal(input) }

    private func isTerminal(_ input: Int32?) -> Bool { input.map { isatty($0) == 1 } == true }

    /// Whether lines are wanted, by an option or by the variable that other programs know, too.
    private var isPlain: Bool {
        plain || speak || !["", "0"].contains(environmentVariable("ACCESSIBLE") ?? "")
    }

    /// Whether the run uses the screen rather than lines.
    private func isShown(from input: Int32?) -> Bool {
        !isPlain
            && TerminalPrompter.canShow(
                input: input, output: STDOUT_FILENO, terminalType: environmentVariable("TERM"))
    }

    /// What the participant's terminal is like. Where a reaction is measured, a key is held down for that, unless the
    /// terminal itself can tell held keys.
    func facts(from input: Int32?, for plan: RunPlan, in language: Language?) throws -> TerminalFacts {
        guard let input, !auto, let probe = TerminalProbe(input: input, output: STDOUT_FILENO) else {
            return TerminalFacts()
        }
        var facts = isShown(from: input) ? probe.facts() : TerminalFacts()
        guard !plan.reactingSteps.isEmpty, !facts.keyboard.tellsHeldKeys else { return facts }
        let wording = Wording(language)
        switch probe.repetition(
            request: wording(.holdKey), now: { Double(monotonicNanoseconds()) / 1e9 })
        {
        case .measured(let repetition):
            facts.keyboard.repetition = repetition
            probe.say(wording(.heldKeyMeasured))
        case .leftOut: probe.say(wording(.heldKeyUnknown))
        case .interrupted: throw ExitCode.interrupted
        }
        return facts
    }

    func prompter(
        from input: Int32?, _ facts: TerminalFacts, in language: Language?, interruptions: AsyncStream<Void>?,
        lock: String?, armComesByItself: Bool, images: ImageRenderer?
    ) throws -> any Prompter {
        let speaker = speak ? Speaker(in: language) : nil
        guard !speak || speaker != nil else {
            throw StudyFailure("--speak needs espeak-ng: apt install espeak-ng", .missing)
        }
        guard isShown(from: input) else {
            return PlainPrompter(
                input: input, output: STDOUT_FILENO, interruptions: interruptions, lock: lock,
                keyboard: facts.keyboard, speaker: speaker, armComesByItself: armComesByItself)
        }
        return TerminalPrompter(
            input: input ?? STDIN_FILENO, output: STDOUT_FILENO, isListening: !auto, facts: facts,
            usesColour: Terminals.isColoured, usesUnicode: Terminals.usesUnicode, lock: lock,
            images: images)
    }

    /// How pictures are shown at the participant's terminal.
    func imageForm(from input: Int32?, _ facts: TerminalFacts) -> StepImage.Form {
        let isDrawn =
            isShown(from: input) && Terminals.usesUnicode && Terminals.isColoured && ImageRenderer.isThere
        return isDrawn ? facts.imageForm : .alternative
    }
}

/// How fast a run's clock goes.
enum Speed: ExpressibleByArgument, Hashable, Sendable {
    case times(Double)
    case maximum

    init?(argument: String) {
        if argument == "max" {
            self = .maximum
        } else if let factor = Double(argument), (0.001...1000).contains(factor) {
            self = .times(factor)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .times(let factor): factor == factor.rounded() ? "\(Int(factor))" : "\(factor)"
        case .maximum: "max"
        }
    }

    var pace: RunLoop.Pace {
        switch self {
        case .times(let factor): .realTime(speed: factor)
        case .maximum: .virtual
        }
    }
}
