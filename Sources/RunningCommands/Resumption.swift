import ArgumentParser
import BundleReplay
import Console
import Datasets
import Participants
import Platform
import Results
import SessionPorts
import StudyEngine
import StudyFile
import StudyModel
import StudySession
import TextFormat

/// The run that `--resume` continues: found, replayed and allowed to go on.
struct Resumption {
    let continuation: Continuation
    /// The runs of the other participants of the same run, in the order of their places.
    let others: [Continuation]
    /// The runs of all participants.
    private var parts: [Continuation] { [continuation] + others }
    /// The study as the run began, in its arm if that was known from the beginning.
    let study: Study

    /// A bundle holds no moments after this.
    private static let longest = Duration.seconds(30 * 86_400)

    /// Whose run it is, as given.
    struct Wanted {
        var participant: String
        /// The session; `nil` takes the last one that was run.
        var session: Int?
        /// The task, where one was named.
        var task: String?
        /// Whether a simulated participant answers.
        var isAutomatic: Bool

        fileprivate func isRun(_ run: RunDescription, of study: Study) -> Bool {
            run.study == study.identifier && run.participant == participant
                && (session == nil || run.session == session)
                && (task == nil || task == run.task.text)
                && (run.provenance?.isParticipantSimulated == true) == isAutomatic
        }
    }

    /// Finds the last run of a participant's session.
    ///
    /// - Parameters:
    ///   - checked: the study as its file says it now.
    ///   - deviation: why the run is continued although the study does not allow it, or was changed.
    /// - Throws: where there is nothing to continue, and where the study does not let it be continued.
    init(of checked: CheckedStudy, _ wanted: Wanted, in output: String, deviation: String?) throws {
        let now = try checked.study()
        let register = try Register(in: output)
        let runs = register.runs.filter { wanted.isRun($0.run, of: now) }
        let participant = "participant \(printable(wanted.participant))"
        guard let last = runs.max(by: { $0.order < $1.order }) else {
            let asked = wanted.session.map { ", session \($0)," } ?? ""
            throw StudyFailure(
                "there is nothing to continue: \(participant)\(asked) has no run in '\(printable(output))'. Is the code right?",
                .usage)
        }
        let name = "\(participant), session \(last.run.session)"
        try Self.mustBeIncomplete(last, name)
        continuation = try Continuation(of: last.path)
        others = try Self.others(beside: continuation, name, among: register)
        let whole = try continuation.study.study()
        study = try whole.inArm(ofRun: continuation.header.arm)
        try mustBeInTime()
        guard deviation == nil else { return }
        try mustBeAllowed(name)
        try mustSayTheSame(as: checked)
    }

    /// The runs of those who took part in the same run as the first participant.
    ///
    /// - Throws: if the participant was not the first, a bundle is missing, or they did not all get equally far.
    private static func others(
        beside first: Continuation, _ name: String, among register: Register
    ) throws -> [Continuation] {
        guard let gathering = first.header.run.gathering else { return [] }
        let entries = register.runs.filter { $0.run.gathering?.uuid == gathering.uuid }
            .sorted { ($0.run.gathering?.place ?? 0) < ($1.run.gathering?.place ?? 0) }
        guard gathering.place == 1 else {
            let asked = entries.first.map { ": give --participant \(printable($0.run.participant))" } ?? ""
            throw StudyFailure("\(name) took part beside somebody else, who was asked\(asked)", .usage)
        }
        let again = "Do it again with --with and --repeat REASON"
        guard entries.count == gathering.size else {
            throw StudyFailure(
                "\(name) was a run of \(gathering.size) participants, and the bundles of \(entries.count) are here: "
                    + "all of them are needed. \(again)", .badStudy)
        }
        return try entries.dropFirst().map { entry in
            let other = "participant \(printable(entry.run.participant)), session \(entry.run.session)"
            try mustBeIncomplete(entry, other)
            let continuation = try Continuation(of: entry.path)
            guard continuation.wentAsFar(as: first) else {
                throw StudyFailure(
                    "\(other) did not get as far as \(name): after the crash, their bundles tell of different ends. \(again)",
                    .badStudy)
            }
            return continuation
        }
    }

    private static func mustBeIncomplete(_ last: Register.Entry, _ name: String) throws(StudyFailure) {
        guard let status = last.status else {
            throw StudyFailure("\(name) is running in another window: \(printable(last.path))", .usage)
        }
        guard !status.mayBeContinued else { return }
        let reason =
            status == .discarded
            ? "the participant left for good" : "the run came to its end, '\(status.rawValue)'"
        throw StudyFailure(
            "there is nothing to continue: \(reason), \(printable(last.path)). Give another --session, or "
                + "--repeat REASON to do this one again", .usage)
    }

    /// What the study said of it when the run began.
    private var rule: ResumeRule? { continuation.plan.task.resume }

    /// How long ago the run ended; never below zero.
    private var pause: Duration { continuation.end.duration(to: instant(at: .now())) }

    /// The moment of the run at which it goes on: as long after its beginning as the wall clock says.
    func instant(at clock: WallClock) -> RunInstant {
        let passed = clock.sinceEpoch - continuation.header.wallClock.sinceEpoch
        return parts.reduce(RunInstant.start.advanced(by: passed)) { max($0, $1.end) }
    }

    private func mustBeInTime() throws(StudyFailure) {
        guard instant(at: .now()).offset > Self.longest else { return }
        throw StudyFailure(
            "the run began more than 30 days ago and cannot be continued any more: do it again with --repeat REASON",
            .badStudy)
    }

    private func mustBeAllowed(_ name: String) throws(StudyFailure) {
        let others =
            "do it again with --repeat REASON, or say with --deviation why it is continued all the same"
        switch rule?.incomplete {
        case nil, .refuse:
            throw StudyFailure(
                "the study does not let a run be continued ('resume: {incomplete: resume}' below 'study' would): "
                    + others, .badStudy)
        case .restart:
            throw StudyFailure(
                "the study begins incomplete sessions anew: leave --resume out, or say with --deviation why the run is "
                    + "continued all the same", .badStudy)
        case .resume: break
        }
        guard let within = rule?.within, pause > within else { return }
        throw StudyFailure(
            "\(name) ended \(Self.words(pause)) ago, and the study lets a run be continued within \(ResumeRule.words(within)): "
                + others, .badStudy)
    }

    private func mustSayTheSame(as checked: CheckedStudy) throws(StudyFailure) {
        let differences = checked.meaning.differences(from: continuation.study.meaning)
        guard !differences.isEmpty else { return }
        throw StudyFailure(
            "the study is not the one with which the run began: "
                + "\(CheckedStudy.summary(of: differences.map(\.description))). Undo the change or, to go on with the "
                + "study as it was then, say with --deviation why", .badStudy)
    }

    /// A length of time, cut off to a whole number of its greatest unit.
    private static func words(_ time: Duration) -> String {
        let minutes = time.components.seconds / 60
        if minutes < 2 { return "\(time.components.seconds) s" }
        if minutes < 120 { return "\(minutes) min" }
        return minutes < 2_880 ? "\(minutes / 60) h" : "\(minutes / 1_440) days"
    }

    /// What the sitting goes on from.
    func continued() -> [Sitting.Continued] {
        let clock = WallClock.now()
        let instant = instant(at: clock)
        return parts.map { part in
            Sitting.Continued(
                part.earlier, part.run, from: instant, at: clock,
                isClockAdjusted: part.isClockAdjusted
                    || clock.sinceEpoch < part.header.wallClock.sinceEpoch)
        }
    }

    /// Makes the sitting continue the earlier run.
    ///
    /// - Parameter deviation: how this part departs from the protocol; it is appended to the deviations of earlier parts.
    /// - Throws: where a rehearsal would go on from a run of a participant, or the other way round.
    func apply(to sitting: inout Sitting, deviation: String?) throws(StudyFailure) {
        let header = continuation.header
        sitting.go(on: continued())
        (sitting.session.number, sitting.session.repeatReason) = (header.number, header.repeatReason)
        let said = [header.run.deviation, deviation].compactMap(\.self)
        sitting.session.deviation = said.isEmpty ? nil : said.joined(separator: "; ")
        guard sitting.session.yoke?.run == header.run.yokedTo else {
            throw StudyFailure(
                "the run began with clips yoked to \(header.run.yokedTo.map { "the run \($0)" } ?? "no run"): give --yoked-to as it "
                    + "was given then", .usage)
        }
        guard sitting.header(of: sitting.seat).run.origin.isInvented == header.run.origin.isInvented else {
            throw StudyFailure(
                "the run began with \(header.run.originText), and would go on with other sources or at another speed: "
                    + "give those with which it began", .usage)
        }
    }

    /// Looks, while nobody else takes a session, whether the run is still the last of its chain.
    func mustBeLast(among register: Register) throws(StudyFailure) {
        let next = register.runs.first { $0.run.continues == continuation.earlier.run }
        guard let next else { return }
        throw StudyFailure(
            "the run was continued in another window: \(printable(next.path))", .usage)
    }
}

extension Continuation {
    /// Whether the same happened to both participants of a run. When each bundle was ended may differ.
    fileprivate func wentAsFar(as other: Continuation) -> Bool {
        let told = { (run: Continuation) in run.events.filter(\.event.isShared) }
        let (own, others) = (told(self), told(other))
        return own.count == others.count
            && zip(own, others).allSatisfy {
                $0.event == $1.event && ($0.instant == $1.instant || $0.event.endsTheRun)
            }
    }
}

/// What a run is of, whether it begins or goes on.
struct RunSetting {
    var document: Sitting.Document
    var study: Study
    var language: Language?
    var plan: RunPlan
    /// Where the study lists its sessions: the name of this one, and days since the first that was completed.
    var sessionName: Identifier?
    var sessionDay: Int?
    /// The answers of earlier sessions that the run uses.
    var recalled: [GivenAnswer] = []
    /// The run that is continued; `nil` if one begins.
    var resumption: Resumption?
}

extension RunSetting {
    /// What is run and for whom, in one line. An arm that the study allocates is hidden.
    var summary: TerminalText {
        var parts = [
            "participant \(printable(plan.participant))", "session \(plan.session)",
            "revision \(study.revision) of \(study.identifier)",
        ]
        if study.allocation != nil {
            parts.append("arm hidden")
        } else if let arm = plan.arm {
            parts.append("arm \(arm)")
        }
        return "\(parts.joined(separator: ", "))\(resumption == nil ? "" : ", goes on")"
    }
}

extension Run {
    /// What is run, and for whom.
    func setting(of checked: CheckedStudy) throws -> RunSetting {
        if departures.resumes { return try resumedSetting(of: checked) }
        let known = try checked.study()
        let register = presentation.auto || known.sessions.isEmpty ? nil : try Register(in: output)
        if known.nextTask == nil && known.sessions.isEmpty || options.task != nil {
            _ = try known.task(named: options.task)
        }
        let language = try known.language(tagged: language)
        let code =
            try participant
            ?? ParticipantCode.ask(
                freeIn: output, besides: ArmAllocation.participants(of: ledger))
        ParticipantCode.warnOfName(code, in: language)
        if !presentation.auto {
            let runs = try Register(in: output).runs.filter { !$0.run.origin.isInvented }
            try ParticipantCode.mustBeNew(code, among: Set(runs.map(\.run.participant)))
        }
        // The arm comes after the code, because earlier sessions may tell it.
        let arm = try PlannedSession.arm(of: code, known, among: register, in: output)
        let study = try session.arm(of: known, known: arm, isRehearsed: presentation.auto)
        let (planned, plan) = try options.planned(
            study, session, for: code, among: register, in: output, language: language,
            isAutomatic: presentation.auto)
        return RunSetting(
            document: try checked.document(), study: study, language: language, plan: plan,
            sessionName: planned.name, sessionDay: planned.day,
            recalled: try plan.recalledAnswers(among: register, in: output, isAutomatic: presentation.auto))
    }

    private func resumedSetting(of checked: CheckedStudy) throws -> RunSetting {
        guard let participant else {
            throw StudyFailure("--resume needs the --participant whose run is continued", .usage)
        }
        let resumption = try Resumption(
            of: checked,
            .init(
                participant: participant, session: try sessionToContinue(in: checked.study()),
                task: options.task, isAutomatic: presentation.auto),
            in: output, deviation: departures.deviation)
        let (continuation, study) = (resumption.continuation, resumption.study)
        return RunSetting(
            document: try continuation.study.document(), study: study,
            language: continuation.header.run.language, plan: continuation.plan,
            sessionName: continuation.header.run.sessionName, sessionDay: continuation.header.run.sessionDay,
            resumption: resumption)
    }

    /// Where the study lists its sessions and none is named, the last one.
    private func sessionToContinue(in study: Study) throws(StudyFailure) -> Int? {
        session.session == nil && !study.sessions.isEmpty ? nil : try study.number(of: session.session)
    }

    /// - Throws: `ValidationError` where options say how a run begins, and it goes on.
    func mustGoOnAsItBegan() throws {
        guard departures.resumes else { return }
        let others: [(String, Bool)] = [
            ("--repeat", departures.repeatReason != nil), ("--seed", options.seed != nil),
            ("--arm", session.arm != nil),
            ("--participant-number", session.participantNumber != nil), ("--language", language != nil),
        ]
        guard let given = others.first(where: \.1)?.0 else { return }
        throw ValidationError("a run goes on as it began: leave \(given) out with --resume")
    }
}
