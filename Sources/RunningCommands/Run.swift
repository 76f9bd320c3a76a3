import ArgumentParser
import BundleReplay
import Console
import Datasets
import Glibc
import Platform
import ResultCommands
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
import TransparencyLog

package struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs a study with a participant and writes a result bundle.",
        discussion: """
            On a terminal the participant sees one step at a time. With --plain, or if the output is not a \
            terminal, there is one line per event. Runs that were interrupted earlier are recovered first.
            """)

    @OptionGroup var options: StudyOptions
    @Option(name: .shortAndLong, help: "The participant's code, such as P01; asked for at a terminal.")
    var participant: String?

    @OptionGroup var session: ParticipantOptions
    @OptionGroup var sources: SourceOptions
    @OptionGroup var audio: AudioOptions
    @OptionGroup var watchers: MonitorOptions
    @OptionGroup var tokens: TokenOptions

    @Option(
        name: [.customShort("o"), .customLong("out")], help: "The folder for result bundles.",
        completion: .directory)
    var output = usualResults

    @Option(
        help: ArgumentHelp(
            "In a study that allocates its arms: the folder that 'entrain allocation create' made, or the URL of the monitor that keeps the ledger.",
            valueName: "folder|url"), completion: .directory)
    var ledger: LedgerPlace?

    @Flag(
        help: "The participant has a place in the ledger, no run in the output folder, and is the same one.")
    var samePerson = false

    @OptionGroup var departures: DepartureOptions
    @OptionGroup var presentation: PresentationOptions

    @Flag(
        name: .customLong("lsl"),
        help: "Publish heart rates, RR intervals and step markers to the Lab Streaming Layer.")
    var publishesToLab = false

    @Option(help: "Who runs the session, in at most 64 characters; it stands beside what they do during it.")
    var by: String?

    @Option(help: "The participant's language, such as fr.")
    var language: String?

    func validate() throws {
        if let participant { try ParticipantOptions.validate(participant: participant) }
        try RunInProgress.validate(author: by)
        try mustBeSeveral()
        try mustGoOnAsItBegan()
    }

    func run() async throws {
        if participant == nil { try ParticipantCode.mustBeAskable() }
        Interruption.ignoreBrokenPipes()
        // Anything that the participant types after the end must not reach the shell.
        defer { if !presentation.auto { Terminals.forgetTyped() } }
        let (sealed, limits) = try await reporting { try await sit() }
        if let problem = sealed.problem { Output.complain("\(problem)") }
        if let refusal = sealed.refusal, sealed.problem == nil {
            Output.complain(
                "the disk refused something once (\(refusal)) and then took it: nothing is lost, but look at the disk"
            )
        }
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
        await recoverEarlierRuns()
        let setting = try setting(of: checked)
        guard !presentation.auto, presentation.speed == .times(1) else {
            return try await sit(checked, setting)
        }
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
        try await look(at: checked, setting)
        let remarks = SourceRemarks()
        let made = try sources.make(
            for: study, plan: plan, folder: folder, pace: presentation.speed.pace, tokens: tokens,
            remarks: remarks)
        try checkSources(of: plan, given: made.sources.keys, language)
        let companions = try companions(of: setting, remarks: remarks)
        try checkPrograms(of: plan)
        let player = try audio.player(
            for: plan, language: language, folder: folder, pace: presentation.speed.pace)
        let microphone = try audio.microphone(for: plan, language: language, pace: presentation.speed.pace)
        let input: Int32? = presentation.auto ? nil : try keyboard(for: study)
        if let input, isatty(input) == 0 { warnOfRatings(in: plan, language) }
        let lock = try presentation.lock(of: study, at: input)
        try confirm(setting, at: input)
        let signals = Interruption.streams(asks: presentation.asksAtInterruption(input))
        let start = resumption?.continuation.header.wallClock ?? .now()
        let name = Sitting.Name(program: programVersion, uuid: UUIDText.random(), wallClock: start)
        let current = resumption?.continuation.run.plan ?? plan
        let lab = try labStreamListener(of: current, sources: made.sources.keys.sorted(), runUUID: name.uuid)
        var sitting = Sitting(
            setting.document, as: name, plan: plan, pace: presentation.speed.pace, output: output,
            player: player)
        sitting.microphone = microphone
        (sitting.seat.sources, sitting.seat.sourceKinds) = (made.sources, made.kinds)
        try show(&sitting, at: input, language, interruptions: signals.asking, lock: lock)
        sitting.autopilot = presentation.auto ? SimulatedParticipant(for: plan, language: language) : nil
        (sitting.programFolder, sitting.session.recalled) = (folder, setting.recalled)
        sitting.programs = presentation.auto ? [:] : plan.programSteps.map(\.1).digests(in: folder)
        (sitting.session.name, sitting.seat.sessionDay) = (setting.sessionName, setting.sessionDay)
        (sitting.session.number, sitting.session.language) = (session.number(of: plan.participant), language)
        (sitting.session.repeatReason, sitting.session.deviation) = (
            departures.repeatReason, departures.deviation
        )
        (sitting.session.experimenter, sitting.session.yoke) = (by, yoke)
        if !companions.isEmpty { sitting.add(companions, as: UUIDText.random()) }
        try resumption?.apply(to: &sitting, deviation: departures.deviation)
        sitting.interruptions = signals.ending
        let inbox = presentation.speed == .maximum ? nil : ExperimenterInbox(of: name.uuid)
        defer { inbox?.end() }
        sitting.marks = inbox?.requests
        let (allocation, run) = (armAllocation(in: setting), sitting.header(of: sitting.seat).run)
        sitting.armSource = try await allocation.source(for: run, in: output)
        let admission = try admission(of: sitting, checked, setting)
        sitting.seat.observer = { news in
            admission?.end()
            lab?(news)
            remarks.take(news)
        }
        let sealed = try await watched(sitting, requests: inbox?.continuation)
        await allocation.tell(of: sealed, run)
        for remark in remarks.all { Output.remark("\(remark)") }
        return (sealed, plan.task.quality)
    }

    private func armAllocation(in setting: RunSetting) -> ArmAllocation {
        ArmAllocation(
            study: setting.study, ledger: ledger, tokens: tokens, isSamePerson: samePerson, experimenter: by,
            isKnown: setting.resumption?.continuation.run.plan.arm != nil)
    }

    /// Shows the run to the participant.
    private func show(
        _ sitting: inout Sitting, at input: Int32?, _ language: Language?, interruptions: AsyncStream<Void>?,
        lock: String?
    ) throws {
        let plan = sitting.seat.plan
        let facts = try presentation.facts(from: input, for: plan, in: language)
        let form = presentation.imageForm(from: input, facts)
        sitting.images = try plan.images(in: folder, shownAs: form)
        let armComesByItself = if case .monitor = ledger { true } else { false }
        sitting.prompter = try presentation.prompter(
            from: input, facts, in: language, interruptions: interruptions, lock: lock,
            armComesByItself: armComesByItself,
            images: ImageRenderer(
                plan, in: folder, as: form, on: facts.background, terminal: STDOUT_FILENO))
        sitting.session.keyboard = input == nil || plan.reactingSteps.isEmpty ? nil : facts.keyboard
    }

    /// Runs; the log of the output folder says that it began, and that it was sealed.
    static func run(_ sitting: Sitting) async throws -> Sealed {
        var sitting = sitting
        let isLogged = !sitting.header(of: sitting.seat).run.origin.isInvented
        if isLogged {
            let output = sitting.output
            sitting.begun = { FolderLog.append(of: .begun, to: output, runs: [$0]) }
        }
        let sealed = try await RunLoop.with { [sitting] loop in
            do { return Result<Sealed, any Error>.success(try await sitting.run(in: loop)) } catch {
                return .failure(error)
            }
        }.get()
        if isLogged {
            let runs = ([sealed] + sealed.companions).compactMap(\.folder)
            FolderLog.append(of: .sealed, to: sitting.output, runs: runs)
        }
        return sealed
    }

    /// The listeners of a run: the Lab Streaming Layer, if it is wanted.
    private func labStreamListener(
        of plan: RunPlan, sources: [Identifier], runUUID: String
    ) throws -> (@Sendable (RunUpdate) -> Void)? {
        guard publishesToLab else { return nil }
        let lab = try LabStreamPublisher(plan, sources: sources, source: "entrain-\(runUUID)")
        return { lab.send($0) }
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
    private func recoverEarlierRuns() async {
        do {
            let recoveries = try Recovery.all(in: output) { failure in
                Output.remark("An interrupted run in '\(output)' could not be recovered: \(failure)")
            }
            for recovery in recoveries { Output.remark("\(recovery)") }
            recoveries.log(in: output)
            await recoveries.endMeasurements(in: output)
        } catch let failure as FileFailure where failure.isNotFound || failure.path == output {
            return
        } catch {
            Output.remark("An interrupted run in '\(output)' could not be recovered: \(error)")
        }
    }
}
