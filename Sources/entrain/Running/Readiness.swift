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

/// One thing that is checked before a run.
struct Finding: Sendable {
    enum State: String, Sendable { case ok, look, stop = "STOP" }
    var state: State
    var subject: String
    var words: String
}

/// What is looked at before a run: by itself, or as the first screen of a supervised run.
struct Readiness {
    let checked: CheckedStudy
    let study: Study
    let plan: RunPlan
    /// The folder for result bundles, and that of the study file.
    let output: String
    let folder: String
    let sources: SourceOptions
    let audio: AudioOptions
    let monitor: String?
    let tokens: TokenOptions
    let ledger: LedgerPlace?
    let time: TimeOption
    /// Who says whether the tone was heard; `nil` if nobody can be asked.
    let listener: ToneListener?

    /// Looks at everything.
    ///
    /// - Parameter admission: throws why the run's session must not begin.
    func findings(admission: (RunDescription) throws -> Void) async throws -> [Finding] {
        let register = try Register(in: output)
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
            finding("session", "participant \(plan.participant), session \(run.session): free") {
                try admission(run)
            },
            clock, disk,
        ]
        findings += try await heard()
        if let sound = try await sound() { findings.append(sound) }
        if let monitor { findings.append(await answer(of: monitor)) }
        if let ledger = await allocation() { findings.append(ledger) }
        return findings
    }

    /// The findings as lines, and whether a run may begin; what must be mended is red on a terminal with colours.
    static func table(of findings: [Finding]) -> String {
        let rows = findings.map { [$0.state.rawValue, printable($0.subject), printable($0.words)] }
        let lines = zip(findings, aligned(rows)).map { finding, line in
            finding.state == .stop && Terminals.isColoured ? "\u{1B}[1;31m\(line)\u{1B}[0m" : line
        }
        let missing = findings.count { $0.state == .stop }
        let verdict =
            missing == 0 ? "ready" : "not ready: \(counted(missing, "thing")) must be mended first"
        return (lines + [verdict]).joined(separator: "\n")
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

    /// Whether there is room for twice what the run will write at most, and for how many more like it.
    private var disk: Finding {
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
        let room = Int((free / needed).rounded(.down))
        let words =
            "\(size(free)) free; the run needs at most \(size(needed))"
            + (room > 0
                ? ", so there is room for \(room > 9999 ? "10,000 or more" : counted(room, "run")) like it"
                : "")
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

    /// Whether the device plays, and whether somebody heard the tone; `nil` if nothing has to be played.
    private func sound() async throws -> Finding? {
        guard try audio.isNeeded(by: plan, folder: folder) else { return nil }
        let state: Finding.State = plan.task.isAudioRequired ? .stop : .look
        do throws(SoundFailure) {
            let device: AudioDevice
            switch audio.audio {
            case .none:
                return Finding(state: state, subject: "sound", words: "--audio none: nothing is heard")
            case .file(let path): return Finding(state: .look, subject: "sound", words: "goes to \(path)")
            case .device(let name): device = try AudioSystem.devices().output(named: name)
            case .automatic: device = try AudioSystem.devices().output(named: nil)
            }
            guard let listener else {
                return Finding(
                    state: .look, subject: "sound",
                    words: "\(device.name): whether the tone is heard can be said at a terminal only")
            }
            let isHeard = try await listener.hears(a: device)
            return Finding(
                state: isHeard ? .ok : state, subject: "sound",
                words: isHeard
                    ? "\(device.name): the tone was heard, and the loudness is set"
                    : "\(device.name): the tone was not heard as it should be")
        } catch {
            return Finding(state: state, subject: "sound", words: error.description)
        }
    }

    /// Listens to every source that a recorder uses, and to the microphone.
    private func heard() async throws -> [Finding] {
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
    private func allocation() async -> Finding? {
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
            case .picture, .wave: sum + 20_000
            case .rating, .tap, .rate, .intervals, .number, .act, .position: sum + 4000
            }
        }
        return 2 * seconds * rate + 1e6
    }
}
