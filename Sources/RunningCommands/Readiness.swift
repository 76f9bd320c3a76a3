import BundleReplay
import Console
import Datasets
import MonitorClient
import Participants
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
    /// - Parameters:
    ///   - verdict: what is said of a session that may begin.
    ///   - admission: throws why the run's session must not begin.
    func findings(
        verdict: String = "free", admission: (RunDescription) throws -> Void
    ) async throws -> [Finding] {
        let register = try Register(in: output)
        let task = plan.task
        let name = Sitting.Name(program: programVersion, uuid: UUIDText.random(), wallClock: .now())
        var sitting = Sitting(
            try checked.document(), as: name, plan: plan, pace: .realTime(speed: 1), output: output,
            player: SilentPlayer())
        sitting.programs = plan.programSteps.map(\.1).digests(in: folder)
        sitting.images = try plan.images(in: folder, shownAs: .alternative)
        let run = sitting.header(of: sitting.seat).run
        let warnings = checked.diagnostics.count
        var findings = [
            Finding(
                state: warnings == 0 ? .ok : .look, subject: "study",
                words: "\(study.identifier) revision \(study.revision), task \(task.identifier)"
                    + (warnings == 0 ? "" : "; 'entrain check' has \(counted(warnings, "warning"))")),
            finding("protocol") {
                try ProtocolCheck(of: checked, in: folder).mustHold(for: run, among: register)
            },
        ]
        for code in [plan.participant] + sources.others {
            var own = run
            own.participant = code
            findings.append(
                finding("session") {
                    try admission(own)
                    return "participant \(code), session \(run.session): \(verdict)"
                })
        }
        findings += [Self.clock, try disk(among: register)]
        if let images = run.images { findings.append(Self.pictures(images)) }
        let microphone = try audio.microphone(for: plan, language: nil, pace: .realTime(speed: 1))
        defer { microphone?.close() }
        async let timing = timing()
        let heard = try await heard(microphone)
        findings += [await timing] + heard
        if let sound = try await sound() { findings.append(sound) }
        if let microphone, let hearing = try await hearing(by: microphone) { findings.append(hearing) }
        if let monitor { findings.append(await answer(of: monitor)) }
        if let ledger = await allocation() { findings.append(ledger) }
        return findings
    }

    /// The findings as lines, and whether a run may begin; on a terminal with colours, what must be mended is red, and
    /// what a person should look at is amber.
    static func table(of findings: [Finding]) -> String {
        (lines(of: findings) + [verdict(on: findings)]).joined(separator: "\n")
    }

    /// A line for each finding.
    static func lines(of findings: [Finding]) -> [String] {
        let rows = findings.map { [$0.state.rawValue, printable($0.subject), printable($0.words)] }
        return zip(findings, aligned(rows)).map { finding, line in
            guard Terminals.isColoured else { return line }
            return switch finding.state {
            case .ok: line
            case .look: "\u{1B}[33m\(line)\u{1B}[0m"
            case .stop: "\u{1B}[1;31m\(line)\u{1B}[0m"
            }
        }
    }

    /// Whether a run may begin, in words.
    static func verdict(on findings: [Finding]) -> String {
        let missing = findings.count { $0.state == .stop }
        return missing == 0 ? "ready" : "not ready: \(counted(missing, "thing")) must be mended first"
    }

    /// - Parameter check: returns what was found, or throws what is wrong.
    private func finding(_ subject: String, _ check: () throws -> String) -> Finding {
        do {
            return Finding(state: .ok, subject: subject, words: try check())
        } catch {
            return Finding(state: .stop, subject: subject, words: "\(error)")
        }
    }

    private static func pictures(_ images: ShownImages) -> Finding {
        let isThere = ImageRenderer.isThere
        return Finding(
            state: isThere ? .ok : .look, subject: "pictures",
            words: isThere
                ? "\(counted(images.files.count, "file")); 'entrain doctor' says how this terminal shows them"
                : "\(ImageRenderer.program) is not installed, so alternative texts are read: apt install chafa"
        )
    }

    /// Whether the machine's clock is synchronised. Dates need this; durations do not.
    static var clock: Finding {
        isWallClockKept == true
            ? Finding(state: .ok, subject: "clock", words: "kept right by the network")
            : Finding(
                state: .look, subject: "clock",
                words: "nothing keeps it right: dates may be wrong; durations and offsets are not affected. "
                    + "'timedatectl set-ntp true' lets the network do it")
    }

    /// Whether the device plays, and whether somebody heard the tone; `nil` if nothing has to be played.
    private func sound() async throws -> Finding? {
        guard try audio.isNeeded(by: plan, folder: folder) else { return nil }
        let state: Finding.State = plan.task.isAudioRequired ? .stop : .look
        do throws(SoundFailure) {
            guard let device = try outputDevice() else {
                return if case .file(let path) = audio.audio {
                    Finding(state: .look, subject: "sound", words: "goes to \(path)")
                } else {
                    Finding(state: state, subject: "sound", words: "--audio none: nothing is heard")
                }
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

    /// A source that is listened to.
    private struct Listened {
        var name: String
        var isRequired = false
        var wantsIntervals = false
        var kind: SourceConfiguration.Kind?
        var source: any SampleSource
    }

    /// Listens to every source that the run listens to, of each participant, and to the microphone.
    private func heard(_ microphone: Microphone?) async throws -> [Finding] {
        let remarks = SourceRemarks()
        var listened: [Listened] = []
        var findings: [Finding] = []
        try sources.mustDiffer(for: study)
        for owner in sources.owners {
            let plan = owner.map(plan.beside) ?? plan
            let made: MadeSources
            do {
                made = try sources.make(
                    for: study, plan: plan, of: owner, folder: folder, pace: .realTime(speed: 1),
                    tokens: tokens, remarks: remarks)
            } catch let failure as SourceFailure where !failure.isBadData {
                let whose = owner.map { "@\($0)" } ?? ""
                findings.append(Finding(state: .stop, subject: "source\(whose)", words: failure.description))
                continue
            }
            for identifier in plan.sourceNames {
                let recorders = plan.recorders.filter { $0.sourceName == identifier }
                let name = SourceOptions.name(identifier, of: owner)
                let isRequired = recorders.contains(where: \.isRequired)
                if let source = made.sources[identifier] {
                    listened.append(
                        Listened(
                            name: name, isRequired: isRequired,
                            wantsIntervals: recorders.contains { $0.signal == .rrIntervals },
                            kind: made.kinds[identifier], source: source))
                } else {
                    findings.append(
                        Finding(
                            state: isRequired ? .stop : .look, subject: name,
                            words: "there is no such source; give one with --source \(name)=…"))
                }
            }
        }
        if let microphone { listened.append(Listened(name: "microphone", source: microphone.levels)) }
        let sources = listened
        let began = ContinuousClock.now
        let heard = await RunLoop.with { loop in
            let clock = loop.clock(.realTime(speed: 1), started: ContinuousClock.now - began)
            let take = Self.begin(microphone, at: clock.now)
            defer {
                if let take { microphone?.stop(take.number, clock.now) }
                withExtendedLifetime(take?.scratch) {}
            }
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
        findings += zip(sources, heard).map(finding)
        return findings + remarks.all.map { Finding(state: .look, subject: "source", words: "\($0)") }
    }

    /// What was heard of a source, and what to do about it.
    private func finding(of one: Listened, _ heard: SourceOutcome) -> Finding {
        let isControl = one.kind == .joystick || one.kind == .midi
        let (state, words) =
            isControl
            ? heard.verdict(ofControlIn: time.duration.seconds, isRequired: one.isRequired)
            : heard.verdict(
                in: time.duration.seconds, isRequired: one.isRequired, wantsIntervals: one.wantsIntervals)
        let isInvented = one.kind?.isLive == false
        return Finding(
            state: isInvented && state == .ok ? .look : state, subject: one.name,
            words: (one.kind.map { "\($0.rawValue): " } ?? "") + words
                + (isInvented ? "; this is not the participant's heart" : ""))
    }

    /// Lets a microphone record into a file that nobody keeps: it tells how loud it is only while it records.
    ///
    /// - Returns: the folder of the file, and the recording's number; `nil` without a microphone.
    private static func begin(
        _ microphone: Microphone?, at now: RunInstant
    ) -> (scratch: TemporaryFolder, number: Int)? {
        guard let microphone else { return nil }
        microphone.begin(now)
        guard let scratch = try? TemporaryFolder() else { return nil }
        return (scratch, microphone.record("\(scratch.path)/heard.wav", .wav, now) { _ in })
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
