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

    /// Shows what there is to look at, and waits until the experimenter lets the run begin. While the study lacks
    /// something that it cannot do without, it does not.
    ///
    /// - Throws: exit code 69 if something is missing and nobody is there to mend it; 130 if the experimenter leaves.
    func supervise(_ checked: CheckedStudy, _ setting: RunSetting) async throws {
        guard try !sources.readsStandardInput(for: setting.study) else {
            throw StudyFailure(
                "--supervised listens to the sources first, and what it read of standard input would be missing in the run: use a socket, --source heartRate=socket:PATH",
                .usage)
        }
        let register = try Register(in: output)
        let readiness = Readiness(
            checked: checked, study: setting.study, plan: setting.plan, output: output,
            folder: FilePath.folder(of: options.study), sources: sources, audio: audio,
            monitor: watchers.monitor == "here" ? nil : watchers.monitor, tokens: tokens, ledger: ledger,
            time: TimeOption(seconds: 5), listener: .atTerminal)
        while true {
            Output.progress("Looking: this takes some seconds …")
            let findings = try await readiness.findings { run in
                try mustBeAdmissible(run, checked, setting, among: register)
            }
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
