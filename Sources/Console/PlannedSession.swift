import ArgumentParser
package import BundleReplay
import Datasets
package import Participants
import Platform
package import Results
import SessionPorts
package import StudyModel
import StudySession
import TextFormat

/// A session as the command line names it: by its number or, where the study lists its sessions, by its name.
package enum SessionName: ExpressibleByArgument, Hashable, Sendable {
    case number(Int)
    case name(Identifier)

    package init?(argument: String) {
        if let number = Int(argument) {
            self = .number(number)
        } else if let name = Identifier(argument) {
            self = .name(name)
        } else {
            return nil
        }
    }
}

extension Study {
    /// The number of a session.
    ///
    /// - Parameter name: as given; without one the first.
    package func number(of name: SessionName?) throws(StudyFailure) -> Int {
        let known = sessions.enumerated().map { "\($0.element.identifier) (\($0.offset + 1))" }
            .joined(separator: ", ")
        switch name {
        case nil: return 1
        case .number(let number):
            guard sessions.isEmpty || sessions.indices.contains(number - 1) else {
                throw StudyFailure("the study has no session \(number); it has: \(known)", .usage)
            }
            return number
        case .name(let name):
            if let number = self.number(ofSession: name) { return number }
            throw StudyFailure(
                sessions.isEmpty
                    ? "the study does not list its sessions: give --session a number, not '\(name)'"
                    : "the study has no session '\(name)'; it has: \(known)", .usage)
        }
    }
}

/// Which session a run is.
package struct PlannedSession {
    package let number: Int
    /// Where the study lists its sessions: the name of this one.
    package private(set) var name: Identifier?
    /// Where the study lists its sessions: days since the first that the participant has completed.
    package private(set) var day: Int?

    /// The session that is named or, in a study that lists its sessions, the one that is due next.
    ///
    /// - Parameters:
    ///   - register: the runs of the folder for result bundles; `nil` where the study lists no sessions, and for
    ///     rehearsals, which use up none.
    ///   - output: that folder.
    package init(
        _ given: SessionName?, of study: Study, participant: String, among register: Register?,
        in output: String
    ) throws {
        guard let register else {
            number = try study.number(of: given)
            name = study.session(numbered: number)?.identifier
            return
        }
        let schedule = try Self.schedule(of: participant, study, among: register, in: output)
        let clock = WallClock.now()
        if given != nil {
            number = try study.number(of: given)
        } else {
            guard let next = schedule.next(at: clock.moment) else {
                throw StudyFailure(Self.nothing(toComeIn: schedule), .usage)
            }
            Output.remark("\(next.name): \(next.when) (\(printable(clock.zone)))")
            number = next.number
        }
        let session = study.session(numbered: number)
        name = session?.identifier
        let today = SessionWindow.placed(clock.moment, in: session?.between).day
        day = schedule.firstDay.map { today - $0 } ?? 0
    }

    /// A participant's sessions, as a run with this output folder sees them.
    package static func schedule(
        of participant: String, _ study: Study, among register: Register, in output: String
    ) throws -> Schedule {
        Schedule(
            of: participant, in: study, runs: register.runs.filter { !$0.run.origin.isInvented },
            isWithdrawn: try Withdrawals(of: output).codes.contains(participant))
    }

    private static func nothing(toComeIn schedule: Schedule) -> String {
        let who = "participant \(printable(schedule.participant))"
        if let end = schedule.endWord { return "nothing is to come for \(who): \(printable(end))" }
        let waiting = schedule.appointments.filter(\.isToCome).map(\.session.identifier.text)
        guard !waiting.isEmpty else { return "\(who) has completed all sessions; name one with --session" }
        return "\(who) has no session that can be held: \(waiting.joined(separator: ", "))"
    }

    /// The arm that a participant has since an earlier session; `nil` where it is not known.
    ///
    /// - Parameter register: as for the session itself.
    package static func arm(
        of participant: String, _ study: Study, among register: Register?, in output: String
    ) throws -> Identifier? {
        guard let register, !study.arms.isEmpty, study.allocation == nil else { return nil }
        return try schedule(of: participant, study, among: register, in: output).arm
    }

    /// - Throws: `StudyFailure` where the session must not begin now, and nobody said why it does all the same.
    package static func mustBeDue(_ run: RunDescription, of study: Study, among register: Register)
        throws(StudyFailure)
    {
        guard !study.sessions.isEmpty else { return }
        let schedule = Schedule(
            of: run.participant, in: study, runs: register.runs.filter { !$0.run.origin.isInvented })
        let refusal = schedule.refusal(
            of: run.session, in: run.arm, at: run.wallClock.moment, zone: printable(run.wallClock.zone))
        guard let refusal else { return }
        throw StudyFailure("\(refusal). Say why it is held all the same with --deviation TEXT", .badStudy)
    }
}

extension RunPlan {
    /// The answers of earlier sessions that the run uses, from the runs that count.
    ///
    /// - Parameters:
    ///   - register: the runs of the output folder, if they are known.
    ///   - output: the folder for result bundles.
    ///   - isAutomatic: whether a simulated participant answers; otherwise, only the answers of persons are taken.
    /// - Throws: `FileFailure` if a bundle that is needed cannot be read.
    package func recalledAnswers(
        among register: Register?, in output: String, isAutomatic: Bool
    ) throws -> [GivenAnswer] {
        guard !recalled.isEmpty else { return [] }
        let runs = try (register ?? Register(in: output)).runs.filter {
            $0.run.study == study && $0.run.participant == participant && $0.counts && $0.status != nil
                && (isAutomatic || $0.run.provenance?.isParticipantSimulated != true)
        }
        var answers: [Identifier: [Identifier: Answer]] = [:]
        for session in Set(recalled.map(\.session)).sorted() {
            let held = runs.filter { $0.run.sessionName == session }
            if let last = held.max(by: { $0.order < $1.order }) {
                answers[session] = try ResultBundle(at: last.path).journal().records.results.lastAnswers
            }
        }
        let known = recalled(from: answers)
        let missing = recalled.map(\.identifier).filter { name in !known.contains { $0.question == name } }
        let (who, names) = (printable(participant), missing.map(\.text).joined(separator: ", "))
        if !missing.isEmpty {
            Output.remark(
                "\(who) has not answered this in an earlier session in '\(printable(output))', so rules that look at it do not hold: \(names)"
            )
        }
        return known
    }
}

extension StudyOptions {
    /// Which session a participant has, and every draw of it.
    ///
    /// - Parameters:
    ///   - register: as for the session itself.
    ///   - isAutomatic: whether nobody can be asked for the task.
    package func planned(
        _ study: Study, _ given: ParticipantOptions, for code: String, among register: Register?,
        in output: String, language: Language?, isAutomatic: Bool
    ) throws -> (session: PlannedSession, plan: RunPlan) {
        let seed = self.seed(of: study)
        let planned = try PlannedSession(
            given.session, of: study, participant: code, among: register, in: output)
        let ordered = try given.task(
            of: study, named: self.task, participant: code, session: planned.number, seed: seed)
        let task = try ordered ?? TaskMenu.ask(for: study, in: language, isAutomatic: isAutomatic)
        return (
            planned,
            try given.plan(study, task: task, participant: code, session: planned.number, seed: seed)
        )
    }
}

extension Identifier? {
    /// `, arm music`; empty if there is no arm.
    package var inWords: String { map { ", arm \($0)" } ?? "" }
}
