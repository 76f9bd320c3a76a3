import ArgumentParser
import BundleReplay
import Console
import Datasets
import Glibc
import Participants
import Platform
import Results
import SessionPorts
import StudyModel
import Synchronization
import Terminal
import TextFormat

/// Lets one run after another check that its session is free and take it, so that two windows never take the same
/// one.
final class Admission: Sendable {
    private let turn: Mutex<Folder?>

    /// Waits until no other run is taking its session in an output folder.
    init(to output: String) throws(FileFailure) {
        try Folder.make(output)
        let folder = try Folder(output)
        try folder.mustBeForBundles()
        try folder.waitForLock()
        turn = Mutex(folder)
    }

    /// The session of a run is taken once its bundle exists.
    func end() { turn.withLock { $0 = nil } }

    /// - Parameters:
    ///   - output: the folder for result bundles.
    ///   - register: the runs in it.
    ///   - reason: why the session is repeated, if it is.
    ///   - rule: what the study says of sessions that are incomplete.
    /// - Throws: `StudyFailure` if the participant has already run the session and no reason is given, if it is
    ///   running now, or if there is nothing to repeat.
    static func mustBeFree(
        _ run: RunDescription, in output: String, among register: Register, repeating reason: String? = nil,
        resuming rule: ResumeRule? = nil
    ) throws {
        if try Withdrawals(of: output).codes.contains(run.participant) {
            throw StudyFailure(
                "participant \(printable(run.participant)) has withdrawn from '\(printable(output))'. Is the code right?",
                .usage)
        }
        let earlier = register.sessions(like: run)
        let name = "participant \(printable(run.participant)), session \(run.session)"
        if let other = earlier.first(where: { $0.status == nil }) {
            throw StudyFailure(
                "\(name) of the task '\(run.task)' "
                    + (other.goesOn
                        ? "is running in another window: \(printable(other.path))"
                        : "was killed and is not recovered yet, which 'entrain run' does first: \(printable(other.path))"),
                .usage)
        }
        switch (earlier.last, reason) {
        case (nil, nil), (.some, .some): return
        case (nil, .some):
            throw StudyFailure(
                "there is nothing to repeat: \(name) of the task '\(run.task)' has no run in "
                    + "'\(printable(output))'. Is the code right?", .usage)
        case (let last?, nil):
            let isIncomplete = last.status?.mayBeContinued == true
            if isIncomplete, rule?.incomplete == .restart { return }
            let goOn = isIncomplete && rule?.incomplete == .resume ? "Go on with --resume, or give" : "Give"
            let date = last.run.wallClock.date(of: .start)
            throw StudyFailure(
                "\(name) of the task '\(run.task)' was run already: \(last.status?.rawValue ?? "") on "
                    + "\(date.prefix(10)) at \(date.dropFirst(11).prefix(5)), \(printable(last.path)). \(goOn) another "
                    + "--participant or --session, or --repeat REASON to do it again", .usage)
        }
    }
}

extension ParticipantOptions {
    /// The study in the participant's arm. If no arm is given and somebody can be asked, the arm is asked for. If
    /// the study allocates the arm, the study itself.
    ///
    /// - Parameter known: the arm that the participant has already.
    func arm(of study: Study, known: Identifier? = nil, isRehearsed: Bool) throws -> Study {
        if arm == nil, let known { return try study.inArm(named: known.text) }
        if study.allocation != nil {
            guard arm != nil else { return study }
            guard isRehearsed else {
                throw StudyFailure("the study allocates the arm: leave --arm out", .usage)
            }
        }
        let isAsked = arm == nil && !study.arms.isEmpty && ParticipantCode.isAskable
        guard isAsked else { return try study.inArm(named: arm) }
        let names = study.arms.map(\.identifier.text).joined(separator: ", ")
        while true {
            guard let line = Output.ask("The participant's arm (\(names)): ") else {
                throw ExitCode.interrupted
            }
            do { return try study.inArm(named: line) } catch { Output.complain("\(error)") }
        }
    }
}
