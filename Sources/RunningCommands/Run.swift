import ArgumentParser
import BundleReplay
import Console
import Datasets
import Glibc
import Platform
import Results
import SessionPorts
import Signals
import Sound
import StudyEngine
import StudyFile
import StudyModel
import StudySession
import Terminal
import TextFormat

package struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a study with a participant and writes a result bundle.",
        discussion: """
            On a terminal the participant sees one step at a time. With --plain, or if the output is not a \
            terminal, there is one line per event. Runs that were interrupted earlier are recovered first.
            """)

    @OptionGroup var options: StudyOptions
    @Option(help: "The participant's code, such as P01; asked for at a terminal.")
    var participant: String?

    @OptionGroup var session: ParticipantOptions
    @OptionGroup var sources: SourceOptions
    @OptionGroup var audio: AudioOptions
    @OptionGroup var watchers: MonitorOptions
    @OptionGroup var tokens: TokenOptions

    @Option(name: [.customLong("out")], help: "The folder for result bundles.", completion: .directory)
    var output = "entrain-results"

    @Option(
        help: ArgumentHelp(
            "In a study that allocates its arms: the folder that 'entrain allocation create' made, or the URL of the monitor that keeps the ledger.",
            valueName: "folder|url"), completion: .directory)
    var ledger: LedgerPlace?

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "Run a session again that the participant has run already, for this reason; it is refused otherwise.",
            valueName: "reason"))
    var repeatReason: String?

    @Flag(
        name: .customLong("resume"),
        help: "Continue the participant's run that was left or killed, as far as the study allows it.")
    var resumes = false

    @Option(
        help: ArgumentHelp(
            "How the session departs from the protocol, and why; needed if the study was changed.",
            valueName: "text"))
    var deviation: String?

    @Option(
        help: ArgumentHelp(
            "The bundle of another participant's run, whose clips a study's yoked clips imitate; 'none' for a participant who comes to none of these.",
            valueName: "bundle"), completion: .directory)
    var yokedTo: String?

    @Option(help: "Seconds of the run per second of real time, or 'max' not to wait at all.")
    var speed = Speed.times(1)

    @Flag(
        name: .customLong("lsl"),
        help: "Publish heart rates, RR intervals and step markers to the Lab Streaming Layer.")
    var publishesToLab = false

    @Flag(help: "Let a simulated participant answer, to try out a study.")
    var auto = false

    @Flag(help: "One line per event and no control sequences, for screen readers and logs.")
    var plain = false

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

    @Option(help: "Who runs the session, in at most 64 characters; it stands beside what they do during it.")
    var by: String?

    @Option(help: "The participant's language, such as fr.")
    var language: String?

    func validate() throws {
        if let participant {
            try ParticipantOptions.validate(participant: participant)
        } else {
            try ParticipantCode.mustBeAskable()
        }
        for (option, words) in [("--repeat", repeatReason), ("--deviation", deviation)] {
            guard let words else { continue }
            guard (1...500).contains(words.count), !words.allSatisfy(\.isWhitespace),
                !words.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { throw ValidationError("\(option) takes a reason of 1 to 500 characters") }
        }
        try RunInProgress.validate(author: by)
        try mustBeSeveral()
        try mustGoOnAsItBegan()
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

    func run() async throws {
        Interruption.ignoreBrokenPipes()
        // Anything that the participant types after the end must not reach the shell.
        defer { if !auto { Terminals.forgetTyped() } }
        let (sealed, limits) = try await reporting { try await sit() }
        if let problem = sealed.problem { Output.complain("\(problem)") }
        let isPoor = try reporting { try reportQuality(ofAll: sealed, limits) }
        switch sealed.reason {
        case .completed, .ended, .declined:
            if sealed.problem != nil { throw ExitCode.diskFailure }
            if isPoor { throw ExitCode.poorQuality }
        case .discarded, .earlyTermination, .saved: throw ExitCode.interrupted
        case .failed: throw sealed.problem == nil ? ExitCode.unavailable : ExitCode.diskFailure
        }
    }

    /// That of the study file.
    var folder: String { FilePath.folder(of: options.study) }

    /// - Returns: how the run ended, and the quality limits it had to meet.
    private func sit() async throws -> (Sealed, QualityLimits?) {
        let checked = try options.load()
        // Before the run is planned: what an earlier session answered counts, although its run was killed.
        recoverEarlierRuns()
        let setting = try setting(of: checked)
        guard !auto, speed == .times(1) else { return try await sit(checked, setting) }
        var run = self
        try await run.sources.chooseStraps(for: setting.study, setting.plan)
        return try await run.sit(checked, setting)
    }

    private func sit(_ checked: CheckedStudy, _ setting: RunSetting) async throws -> (Sealed, QualityLimits?)
    {
        let (study, language, plan) = (setting.study, setting.language, setting.plan)
        let resumption = setting.resumption
        let yoke = try yoke(for: plan, of: setting.study)
        try sources.mustDiffer(for: study)
        if supervised { try await supervise(checked, setting) }
        let remarks = SourceRemarks()
        let made = try sources.make(
            for: study, plan: plan, folder: folder, pace: speed.pace, tokens: tokens,
            remarks: remarks)
        try checkSources(of: plan, given: made.sources.keys, language)
        let companions = try companions(of: setting, remarks: remarks)
        try checkPrograms(of: plan)
        let player = try audio.player(
            for: plan, language: language, folder: folder, pace: speed.pace)
        let microphone = try audio.microphone(for: plan, language: language, pace: speed.pace)
        let input: Int32? = auto ? nil : try keyboard(for: study)
        if let input, isatty(input) == 0 { warnOfRatings(in: plan, language) }
        let isShown = isShown(from: input)
        guard kiosk == nil || isatty(STDOUT_FILENO) == 1 && input.map({ isatty($0) == 1 }) == true else {
            throw StudyFailure("--kiosk needs a terminal", .usage)
        }
        let lock = auto ? nil : kiosk ?? study.kiosk?.text
        try Output.confirmWarnings(at: input, in: language)
        // In raw mode, Control-C is a key. With lines it is a signal, which asks in the same way.
        let signals = Interruption.streams(asks: !isShown && input.map { isatty($0) == 1 } == true)
        let start = resumption?.continuation.header.wallClock ?? .now()
        let name = Sitting.Name(program: programVersion, uuid: UUIDText.random(), wallClock: start)
        let current = resumption?.continuation.run.plan ?? plan
        let lab = try labStreamListener(of: current, sources: made.sources.keys.sorted(), runUUID: name.uuid)
        var sitting = Sitting(
            setting.document, as: name, plan: plan, pace: speed.pace, output: output, player: player)
        sitting.microphone = microphone
        (sitting.seat.sources, sitting.seat.sourceKinds) = (made.sources, made.kinds)
        sitting.prompter = prompter(
            from: input, isShown: isShown, interruptions: signals.asking, lock: lock)
        sitting.autopilot = auto ? SimulatedParticipant(for: plan, language: language) : nil
        (sitting.programFolder, sitting.session.recalled) = (folder, setting.recalled)
        (sitting.session.name, sitting.seat.sessionDay) = (setting.sessionName, setting.sessionDay)
        (sitting.session.number, sitting.session.language) = (session.number(of: plan.participant), language)
        (sitting.session.repeatReason, sitting.session.deviation) = (repeatReason, deviation)
        (sitting.session.experimenter, sitting.session.yoke) = (by, yoke)
        try resumption?.apply(to: &sitting, deviation: deviation)
        sitting.interruptions = signals.ending
        let inbox = speed == .maximum ? nil : ExperimenterInbox(of: name.uuid)
        defer { inbox?.end() }
        sitting.marks = inbox?.requests
        sitting.armSource = try await armSource(of: setting, for: sitting.header(of: sitting.seat).run)
        if !companions.isEmpty { sitting.add(companions, as: UUIDText.random()) }
        let admission = try admission(of: sitting, checked, setting)
        sitting.seat.observer = { news in
            admission?.end()
            lab?(news)
            remarks.note(news)
        }
        let sealed = try await watched(sitting, requests: inbox?.continuation)
        for remark in remarks.all { Output.remark("\(remark)") }
        return (sealed, plan.task.quality)
    }

    private func armSource(of setting: RunSetting, for run: RunDescription) async throws
        -> RunArmSource?
    {
        if setting.resumption?.continuation.run.plan.arm != nil { return nil }
        return try await ArmAllocation(study: setting.study, ledger: ledger, tokens: tokens).source(
            for: run, in: output)
    }

    static func run(_ sitting: Sitting) async throws -> Sealed {
        try await RunLoop.with { loop in
            do { return Result<Sealed, any Error>.success(try await sitting.run(in: loop)) } catch {
                return .failure(error)
            }
        }.get()
    }

    /// The listeners of a run: the Lab Streaming Layer, if it is wanted.
    private func labStreamListener(
        of plan: RunPlan, sources: [Identifier], runUUID: String
    ) throws -> (@Sendable (RunUpdate) -> Void)? {
        guard publishesToLab else { return nil }
        let lab = try LabStreamPublisher(plan, sources: sources, source: "entrain-\(runUUID)")
        return { lab.send($0) }
    }

    /// Whether the run uses the screen rather than lines.
    private func isShown(from input: Int32?) -> Bool {
        !plain
            && TerminalPrompter.canShow(
                input: input, output: STDOUT_FILENO, terminalType: environmentVariable("TERM"))
    }

    private func prompter(
        from input: Int32?, isShown: Bool, interruptions: AsyncStream<Void>?, lock: String?
    ) -> any Prompter {
        guard isShown else {
            return PlainPrompter(
                input: input, output: STDOUT_FILENO, interruptions: interruptions, lock: lock)
        }
        return TerminalPrompter(
            input: input ?? STDIN_FILENO, output: STDOUT_FILENO, isListening: !auto,
            usesColour: Terminals.isColoured, usesUnicode: Terminals.usesUnicode, lock: lock)
    }

    /// Where the participant's keys come from: the terminal itself if standard input is a source.
    private func keyboard(for study: Study) throws -> Int32 {
        guard try sources.readsStandardInput(for: study) else { return STDIN_FILENO }
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else {
            throw StudyFailure(
                "standard input is a source, and there is no terminal for the participant's keys: "
                    + "use --auto, or a socket: --source heartRate=socket:PATH", .usage)
        }
        return terminal
    }

    /// A run must not wait for an earlier one that cannot be recovered; the remark says what to do.
    private func recoverEarlierRuns() {
        do {
            let recoveries = try Recovery.all(in: output) { failure in
                Output.remark("An interrupted run in '\(output)' could not be recovered: \(failure)")
            }
            for recovery in recoveries { Output.remark("\(recovery)") }
        } catch let failure as FileFailure where failure.isNotFound || failure.path == output {
            return
        } catch {
            Output.remark("An interrupted run in '\(output)' could not be recovered: \(error)")
        }
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
