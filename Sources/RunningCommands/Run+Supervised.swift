import ArgumentParser
import BundleReplay
import Console
import Datasets
import Participants
import Results
import StudyFile
import StudyModel
import TextFormat

extension Run {
    /// - Throws: why the session must not begin, as the register sees it.
    func mustBeAdmissible(
        _ run: RunDescription, _ study: CheckedStudy, _ setting: RunSetting, among register: Register
    ) throws {
        if let resumption = setting.resumption { return try resumption.mustBeLast(among: register) }
        try Admission.mustBeFree(
            run, in: output, among: register, repeating: departures.repeatReason,
            resuming: setting.plan.task.resume)
        if departures.deviation == nil {
            try PlannedSession.mustBeDue(run, of: study.study(), among: register)
        }
    }

    private func readiness(_ checked: CheckedStudy, _ setting: RunSetting) -> Readiness {
        Readiness(
            checked: checked, study: setting.study, plan: setting.plan, output: output,
            folder: FilePath.folder(of: options.study), sources: sources, audio: audio,
            monitor: watchers.monitor == "here" ? nil : watchers.monitor, tokens: tokens, ledger: ledger,
            time: TimeOption(seconds: 5), listener: .atTerminal)
    }

    /// What 'entrain ready' finds, for a run with these options.
    func findings() async throws -> [Finding] {
        let checked = try options.load()
        return try await findings(checked, setting(of: checked))
    }

    private func findings(_ checked: CheckedStudy, _ setting: RunSetting) async throws -> [Finding] {
        let register = try Register(in: output)
        return try await readiness(checked, setting).findings { run in
            try mustBeAdmissible(run, checked, setting, among: register)
        }
    }

    /// Looks at everything in a supervised run, and otherwise at the disk.
    func look(at checked: CheckedStudy, _ setting: RunSetting) async throws {
        if presentation.supervised {
            try await supervise(checked, setting)
        } else if !presentation.auto {
            try checkDisk(checked, setting)
        }
    }

    /// Whoever starts the run confirms what it is, unless they did so already.
    func confirm(_ setting: RunSetting, at input: Int32?) throws {
        let isToConfirm = !presentation.auto && !presentation.supervised
        try Output.confirm(isToConfirm ? setting.summary : nil, at: input, in: setting.language)
    }

    /// Looks at the disk as 'entrain ready' does.
    ///
    /// - Throws: if the run does not fit.
    private func checkDisk(_ checked: CheckedStudy, _ setting: RunSetting) throws {
        let disk = try readiness(checked, setting).disk(among: Register(in: output))
        switch disk.state {
        case .ok: break
        case .look: Output.remark("The disk: \(printable(disk.words))")
        case .stop: throw StudyFailure("the disk: \(printable(disk.words))", .missing)
        }
    }

    /// Shows what there is to look at, and waits until the experimenter lets the run begin. While the study lacks
    /// something that it cannot do without, it does not.
    ///
    /// - Throws: exit code 69 if something is missing and nobody is there to mend it; 130 if the experimenter leaves.
    private func supervise(_ checked: CheckedStudy, _ setting: RunSetting) async throws {
        guard try !sources.readsStandardInput(for: setting.study) else {
            throw StudyFailure(
                "--supervised listens to the sources first, and what it read of standard input would be missing in the run: use a socket, --source heartRate=socket:PATH",
                .usage)
        }
        while true {
            Output.progress("Looking: this takes some seconds …")
            let findings = try await findings(checked, setting)
            Output.progress(nil)
            let isReady = !findings.contains { $0.state == .stop }
            Output.emit(.coloured(Readiness.table(of: findings) + "\n"))
            guard Terminals.isInputTerminal, Terminals.isOutputTerminal else {
                if isReady { return }
                throw ExitCode.unavailable
            }
            let question: TerminalText =
                isReady
                ? "Begin? [Return = begin, r = look again, q = leave] "
                : "The run cannot begin like this. [Return = look again, q = leave] "
            switch Output.ask(question)?.lowercased() {
            case "" where isReady: return
            case "q", nil: throw ExitCode.interrupted
            default: continue
            }
        }
    }
}
