import ArgumentParser
import BundleReplay
import Datasets
import Glibc
import MonitorClient
import Platform
import Results
import Signals
import Sound
import StudyEngine
import StudyFile
import StudyModel
import StudySession
import TextFormat

struct Ready: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks that everything a run needs is there, before the participant comes.",
        discussion: """
            Takes the same options as 'entrain run' and records nothing. Each line says 'ok', 'look' for what a person \
            should look at, or 'STOP' for what the study cannot do without; with a STOP the exit code is 69. The \
            command listens to the sources and to the microphone for some seconds. Wear the strap while it listens.
            """)

    @OptionGroup var options: StudyOptions
    @Option(help: "The participant's code; default: the next that is free.")
    var participant: String?

    @OptionGroup var session: ParticipantOptions
    @OptionGroup var sources: SourceOptions
    @OptionGroup var audio: AudioOptions

    @Option(help: ArgumentHelp("The URL of the monitor that will watch the run.", valueName: "url"))
    var monitor: String?

    @OptionGroup var tokens: TokenOptions

    @Option(
        help: ArgumentHelp(
            "In a study that allocates its arms: the folder that 'entrain allocation create' made, or the URL of the monitor that keeps the ledger.",
            valueName: "folder|url"), completion: .directory)
    var ledger: LedgerPlace?

    @Option(name: [.customLong("out")], help: "The folder for result bundles.", completion: .directory)
    var output = "entrain-results"

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long to listen, such as 5s or 1min.", valueName: "time"))
    var time = TimeOption(seconds: 5)

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        if let participant { try ParticipantOptions.validate(participant: participant) }
        if let monitor { try MonitorOptions.validate(monitor, as: "--monitor") }
    }

    /// One thing that was checked.
    struct Finding: Sendable {
        enum State: String, Sendable { case ok, look, stop = "STOP" }
        var state: State
        var subject: String
        var words: String
    }

    func run() async throws {
        let findings = try await reporting { try await look() }
        let missing = findings.count { $0.state == .stop }
        switch format {
        case .json:
            Output.say(
                json: [
                    "ready": .boolean(missing == 0),
                    "findings": .list(
                        findings.map {
                            [
                                "state": .text($0.state.rawValue.lowercased()), "subject": .text($0.subject),
                                "text": .text($0.words),
                            ]
                        }),
                ])
        case .text:
            let rows = findings.map { [$0.state.rawValue, printable($0.subject), printable($0.words)] }
            let verdict =
                missing == 0 ? "ready" : "not ready: \(counted(missing, "thing")) must be mended first"
            Output.emit(.lines((aligned(rows) + [verdict]).joined(separator: "\n") + "\n"))
        }
        guard missing == 0 else { throw ExitCode.unavailable }
    }

    private var folder: String { FilePath.folder(of: options.study) }

    private func look() async throws -> [Finding] {
        let checked = try options.load()
        let study = try session.arm(of: checked.study(), isRehearsed: true)
        let register = try Register(in: output)
        let code = participant ?? register.nextCode()
        let plan = try options.planned(
            study, session, for: code, among: study.sessions.isEmpty ? nil : register, in: output,
            language: nil, isAutomatic: true
        ).plan
        let task = plan.task
        let name = Sitting.Name(program: programVersion, uuid: UUIDText.random(), wallClock: .now())
        let run = Sitting(
            try checked.document(), as: name, plan: plan, pace: .realTime(speed: 1), output: output,
            player: SilentPlayer()
        ).header.run
        let warnings = checked.diagnostics.count
        var findings = [
            Finding(
                state: warnings == 0 ? .ok : .look, subject: "study",
                words: "\(study.identifier) revision \(study.revision), task \(task.identifier)"
                    + (warnings == 0 ? "" : "; 'entrain check' has \(counted(warnings, "warning"))")),
            finding("protocol", "as it was for the other participants, and as registered") {
                try ProtocolCheck(of: checked, in: folder).mustHold(for: run, among: register)
            },
            finding("session", "participant \(code), session \(run.session): free") {
                try Admission.mustBeFree(run, in: output, among: register, resuming: task.resume)
                try PlannedSession.mustBeDue(run, of: study, among: register)
            },
            clock, disk(for: plan), try sound(for: plan),
        ].compactMap(\.self)
        findings += try await heard(of: plan, in: study)
        if let monitor { findings.append(await answer(of: monitor)) }
        if let ledger = await ledger(of: study) { findings.append(ledger) }
        return findings
    }

    private func finding(_ subject: String, _ words: String, _ check: () throws -> Void) -> Finding {
        do {
            try check()
            return Finding(state: .ok, subject: subject, words: words)
        } catch {
            return Finding(state: .stop, subject: subject, words: "\(error)")
        }
    }

    /// Whether the machine's clock is synchronised. Dates need this; durations do not.
    private var clock: Finding {
        isWallClockKept == true
            ? Finding(state: .ok, subject: "clock", words: "kept right by the network")
            : Finding(
                state: .look, subject: "clock",
                words: "nothing keeps it right: dates may be wrong; durations and offsets are not affected")
    }

    /// Whether there is room for twice what the run will write at most.
    private func disk(for plan: RunPlan) -> Finding {
        let parent = existing(output)
        var status = statvfs()
        guard unsafe statvfs(parent, &status) == 0 else {
            return Finding(state: .stop, subject: "disk", words: "\(parent) cannot be looked at")
        }
        guard unsafe access(parent, W_OK) == 0 else {
            return Finding(state: .stop, subject: "disk", words: "nothing can be written to \(parent)")
        }
        let free = Double(status.f_bavail) * Double(status.f_frsize)
        let needed = plan.mostBytes
        let words = "\(size(free)) free; the run needs at most \(size(needed))"
        return Finding(
            state: free < needed ? .stop : free < 20 * needed ? .look : .ok, subject: "disk", words: words)
    }

    /// The folder, or the nearest existing folder above it.
    private func existing(_ path: String) -> String {
        var path = path
        while unsafe access(path, F_OK) != 0 {
            let parent = FilePath.folder(of: path)
            guard parent != path, !parent.isEmpty else { return "." }
            path = parent
        }
        return path
    }

    private func size(_ bytes: Double) -> String {
        bytes >= 1e9 ? "\(oneDecimal(bytes / 1e9)) GB" : "\(whole((bytes / 1e6).rounded(.up))) MB"
    }

    /// The device that would play; `nil` if nothing has to be played.
    private func sound(for plan: RunPlan) throws -> Finding? {
        guard try audio.isNeeded(by: plan, folder: folder) else { return nil }
        let state: Finding.State = plan.task.isAudioRequired ? .stop : .look
        do throws(SoundFailure) {
            switch audio.audio {
            case .none:
                return Finding(state: state, subject: "sound", words: "--audio none: nothing is heard")
            case .file(let path): return Finding(state: .look, subject: "sound", words: "goes to \(path)")
            case .device, .automatic:
                let name: String? = if case .device(let name) = audio.audio { name } else { nil }
                return Finding(
                    state: .ok, subject: "sound", words: try AudioSystem.devices().output(named: name).name)
            }
        } catch {
            return Finding(state: state, subject: "sound", words: error.description)
        }
    }

    /// Listens to every source that a recorder uses, and to the microphone.
    private func heard(of plan: RunPlan, in study: Study) async throws -> [Finding] {
        let remarks = SourceRemarks()
        let made = try sources.make(
            for: study, plan: plan, folder: folder, pace: .realTime(speed: 1), tokens: tokens,
            remarks: remarks)
        var listened:
            [(
                name: String, isRequired: Bool, kind: SourceConfiguration.Kind?, source: any SampleSource
            )] = []
        var findings: [Finding] = []
        for name in plan.sourceNames {
            let isRequired = plan.recorders.contains { $0.sourceName == name && $0.isRequired }
            if let source = made.sources[name] {
                listened.append((name.text, isRequired, made.kinds[name], source))
            } else {
                findings.append(
                    Finding(
                        state: isRequired ? .stop : .look, subject: name.text,
                        words: "there is no such source; give one with --source \(name)=…"))
            }
        }
        let microphone = try audio.microphone(for: plan, language: nil, pace: .realTime(speed: 1))
        defer { microphone?.close() }
        if let microphone { listened.append(("microphone", false, nil, microphone.levels)) }
        let sources = listened
        let began = ContinuousClock.now
        let heard = await RunLoop.with { loop in
            let clock = loop.clock(.realTime(speed: 1), started: ContinuousClock.now - began)
            microphone?.begin(clock.now)
            return await withTaskGroup(of: (Int, SourceOutcome).self) { group in
                for (place, one) in sources.enumerated() {
                    group.addTask {
                        (place, await Self.listen(to: one.source, for: time.duration, on: clock))
                    }
                }
                var all = Array(repeating: SourceOutcome(), count: sources.count)
                for await (place, heard) in group { all[place] = heard }
                return all
            }
        }
        for (one, heard) in zip(sources, heard) {
            let wantsIntervals = plan.recorders.contains {
                $0.sourceName?.text == one.name && $0.signal == .rrIntervals
            }
            let (state, words) = heard.verdict(
                in: time.duration.seconds, isRequired: one.isRequired, wantsIntervals: wantsIntervals)
            let isInvented = one.kind?.isLive == false
            findings.append(
                Finding(
                    state: isInvented && state == .ok ? .look : state, subject: one.name,
                    words: (one.kind.map { "\($0.rawValue): " } ?? "") + words
                        + (isInvented ? "; this is not the participant's heart" : "")))
        }
        return findings + remarks.all.map { Finding(state: .look, subject: "source", words: "\($0)") }
    }

    /// Whether a participant can be allocated; `nil` if the study does not need that.
    private func ledger(of study: Study) async -> Finding? {
        do {
            let found = try await ArmAllocation(study: study, ledger: ledger, tokens: tokens).readiness()
            return found.map {
                Finding(state: $0.isRemarkable ? .look : .ok, subject: "ledger", words: $0.words)
            }
        } catch {
            return Finding(state: .stop, subject: "ledger", words: "\(error)")
        }
    }

    private func answer(of url: String) async -> Finding {
        do {
            let token = try tokens.token(in: MonitorOptions.tokenVariable, for: url)
            guard let monitor = MonitorAddress(url, token: token) else {
                return Finding(state: .stop, subject: "monitor", words: "\(url) is no address of a monitor")
            }
            // A run continues without its monitor, and nothing is lost.
            let problem = try await monitor.problem(asking: UUIDText.random())
            return Finding(
                state: problem == nil ? .ok : .look, subject: "monitor",
                words: problem ?? "\(url) answers, and takes the token")
        } catch {
            return Finding(state: .look, subject: "monitor", words: "\(error)")
        }
    }
}

extension RunPlan {
    /// A generous estimate of what a run writes, bytes, including the copy made while it is sealed.
    fileprivate var mostBytes: Double {
        let entries = sections.flatMap(\.passes).joined()
        let seconds = entries.reduce(0.0) { sum, entry in
            if case .active(let active) = entry.step.kind { return sum + active.duration.seconds }
            return sum + 60
        }
        let rate = recorders.reduce(2000.0) { sum, recorder in
            switch recorder.signal.form {
            case .sound: sum + 100_000
            case .picture: sum + 20_000
            case .rating, .tap, .rate, .intervals, .number, .act, .position: sum + 4000
            }
        }
        return 2 * seconds * rate + 1e6
    }
}
