import BundleReplay
import Console
import Glibc
import Hashing
import Results
import SessionPorts
import StudyEngine
import StudyFile
import StudyModel
import StudySession
import TextFormat

/// Simulated participants of one study.
struct Cohort: Sendable {
    let checked: CheckedStudy
    /// The same study in the form that each run's bundle contains.
    let document: Sitting.Document
    /// The study in each of the participants' arms, or the study itself.
    let studies: [Study]
    let task: Study.Task
    let seed: UInt64
    let session: Int
    let language: Language?
    /// The answers that the participants are told to give.
    let answers: ParsedAnswers?
    /// Allocates the participants, one after another, if the study allocates its arms.
    var armSource: ArmSource?
    /// What the participants answered in the sessions before.
    var earlier = RehearsedAnswers()
    /// Who else takes part in the run of the only participant.
    var others: [String] = []
    /// Whether music affects the average heart.
    var answersMusic = true

    struct Member: Hashable {
        let code: String
        /// The participant's number for balanced orders.
        let number: Int?
    }

    private var study: Study { studies[0] }

    /// The session's name, where the study lists its sessions.
    var sessionName: Identifier? { study.session(numbered: session)?.identifier }
    /// Where the study lists its sessions: the day of this one, counted from the first, and the minute of that day.
    var moment: LocalMoment? { study.rehearsedMoment(ofSession: session) }

    func plan(of member: Member) throws -> RunPlan {
        let study = studies[((member.number ?? 1) - 1) % studies.count]
        return try RunPlan(
            drawing: study, task: study.task(named: task.identifier.text), participant: member.code,
            number: member.number, session: session,
            seed: seed)
    }

    private func participant(_ member: Member, of plan: RunPlan) -> SimulatedParticipant {
        var participant = SimulatedParticipant(
            for: plan, language: language, answers: answers?.answers(of: member.number ?? 1) ?? [:])
        participant.endedEarly = Set(
            study.outcomes.filter { $0.measure == .duration }.compactMap { Identifier($0.subject.name) })
        return participant
    }

    func transcript(of member: Member) async throws -> String {
        let plan = try plan(of: member)
        let told = try await rehearsals(of: [(member, plan)], output: nil)
        return told.map { Transcript($0, of: plan, language: language).text }.joined()
    }

    /// Rehearses participants on every core.
    func rehearse(_ members: [Member], output: String?) async throws -> Tally {
        // Shares are small, so that no core is idle while another still has a last share. Whoever depends on those before
        // is rehearsed after them.
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let share =
            armSource == nil && task.yokedSteps.isEmpty
            ? min(8, members.count / (4 * cores) + 1) : members.count
        return try await withThrowingTaskGroup(of: (Int, Tally).self) { group in
            var left = members[...]
            var parts: [Int: Tally] = [:]
            func add() {
                guard !left.isEmpty else { return }
                let (some, place) = (left.prefix(share), left.startIndex)
                left = left.dropFirst(share)
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    (place, try await rehearse(some, output: output))
                }
            }
            for _ in 0..<cores { add() }
            while let (place, part) = try await group.next() {
                parts[place] = part
                add()
            }
            // Sums of the same numbers in another order differ in their last digit.
            return parts.sorted { $0.key < $1.key }.reduce(
                into: Tally(study: study, task: task, seed: seed, session: session)
            ) { $0.add($1.value) }
        }
    }

    private func rehearse(_ members: ArraySlice<Member>, output: String?) async throws -> Tally {
        var tally = Tally(study: study, task: task, seed: seed, session: session)
        let plans = try members.map { ($0, try plan(of: $0)) }
        for told in try await rehearsals(of: plans, output: output) { tally.add(told) }
        return tally
    }

    /// Goes through plans, each with its own participant. A rehearsal that depends only on the plan and the answers
    /// needs no hearts and no hands, and is printed at once. If rules look at heart rates, or steps ask for reactions,
    /// the rehearsal is the run that `--out` would record.
    private func rehearsals(of plans: [(Member, RunPlan)], output: String?) async throws -> [Rehearsal] {
        guard task.observesHeartRate || task.asksForReactions || !others.isEmpty else {
            if let output { _ = try await sit(plans, output: output) }
            let told = plans.map { member, plan in
                Rehearsal(
                    plan, with: participant(member, of: plan), armSource: armSource,
                    recalling: earlier.recalled(by: plan))
            }
            remember(told)
            return told
        }
        let folder = output == nil ? try TemporaryFolder(inMemory: true) : nil
        defer { withExtendedLifetime(folder) {} }
        let told = try await sit(plans, output: output ?? folder?.path ?? "")
        remember(told)
        return told
    }

    /// Keeps the answers for the sessions to come.
    private func remember(_ told: [Rehearsal]) {
        let isUsed = studies.contains { $0.tasks.contains { !$0.recalled.isEmpty } }
        guard isUsed, let sessionName else { return }
        for rehearsal in told {
            earlier.remember(rehearsal.results, of: rehearsal.plan.participant, in: sessionName)
        }
    }

    /// Runs in virtual time, one after another. Every run leaves a bundle.
    private func sit(_ plans: [(Member, RunPlan)], output: String) async throws -> [Rehearsal] {
        try await RunLoop.with { loop in
            do {
                var told: [Rehearsal] = []
                var yokes = RehearsedYokes(of: task)
                for (member, plan) in plans {
                    var sitting = try sitting(member, plan, output: output)
                    if comesToYokedClip(member, plan) { sitting.session.yoke = yokes.next(for: member.code) }
                    let (updates, sink) = AsyncStream.makeStream(of: RunUpdate.self)
                    sitting.seat.observer = { sink.yield($0) }
                    let sealed = try await sitting.run(in: loop)
                    sink.finish()
                    if let problem = sealed.problem { throw StudyFailure(problem, .disk) }
                    if let folder = sealed.folder { try yokes.remember("\(output)/\(folder)") }
                    told.append(await Rehearsal(updates, of: plan))
                }
                return Result<[Rehearsal], any Error>.success(told)
            } catch { return .failure(error) }
        }.get()
    }

    /// Whether the participant's way leads to a clip that does what another participant's did. If the run allocates an
    /// arm, that is not known before.
    private func comesToYokedClip(_ member: Member, _ plan: RunPlan) -> Bool {
        guard !task.yokedSteps.isEmpty else { return false }
        guard armSource == nil else { return true }
        let way = Rehearsal(
            plan, with: participant(member, of: plan), recalling: earlier.recalled(by: plan))
        return way.transcript.contains {
            if case .effect(.play(_, let settings, _, _, _)) = $0.moment {
                settings.following?.yokedTo != nil
            } else {
                false
            }
        }
    }

    /// The sitting has a name and a time of its own that do not depend on the day of the rehearsal. Another task,
    /// or another text of the study, has another name.
    private func sitting(_ member: Member, _ plan: RunPlan, output: String) throws -> Sitting {
        let what = plan.streamText("rehearsal\n\(task.identifier)\n\(SHA256.hexadecimal(of: checked.text))")
        let name = SHA256.digest(of: Array(what.utf8))
        var sitting = Sitting(
            document,
            as: Sitting.Name(
                program: programVersion, uuid: UUIDText.text(of: name, version: 8),
                wallClock: study.rehearsedMoment(ofSession: session, for: plan.participant).rehearsed),
            plan: plan, pace: .virtual, output: output, player: SilentPlayer())
        let made = try SourceOptions.simulated(
            for: study, plan: plan, answersMusic: answersMusic)
        (sitting.seat.sources, sitting.seat.sourceKinds) = (made.sources, made.kinds)
        sitting.autopilot = participant(member, of: plan)
        (sitting.armSource, sitting.durability) = (armSource.map(RunArmSource.local), .unsynced)
        (sitting.session.name, sitting.seat.sessionDay) = (sessionName, moment?.day)
        (sitting.session.number, sitting.session.language) = (member.number, language)
        sitting.session.recalled = earlier.recalled(by: plan)
        guard !others.isEmpty else { return sitting }
        let uuid = { (of: String) in
            UUIDText.text(of: SHA256.digest(of: Array("\(what)\n\(of)".utf8)), version: 8)
        }
        sitting.add(
            try others.map { code in
                let made = try SourceOptions.simulated(
                    for: study, plan: plan.beside(code), answersMusic: answersMusic)
                return Sitting.Companion(
                    code, uuid: uuid(code), sources: made.sources, kinds: made.kinds, sessionDay: moment?.day)
            }, as: uuid("together"))
        return sitting
    }
}

extension Cohort.Member {
    /// `P01` for 1, `P1000` for 1000.
    init(number: Int) { self.init(code: ParticipantOptions.code(of: number), number: number) }
}

extension LocalMoment? {
    /// As the wall clock of a rehearsal shows it, whose first day is that of every rehearsal; without one 9:00.
    fileprivate var rehearsed: WallClock {
        let moment = self ?? LocalMoment(day: 0, minute: 540)
        return WallClock(
            seconds: 1_767_225_600 + Int64(moment.day) * 86_400 + Int64(moment.minute) * 60, nanoseconds: 0,
            utcOffset: 0, zone: "UTC")
    }
}

extension Study {
    /// When a rehearsed session begins: as early as it may.
    ///
    /// - Parameter participant: whose drawn moments count; `nil` for the earliest of all.
    fileprivate func rehearsedMoment(
        ofSession number: Int, for participant: String? = nil
    ) -> LocalMoment? {
        var days: [Identifier: Int] = [:]
        var last = 0
        for session in sessions.prefix(number) {
            if let after = session.after {
                last = (days[after.session] ?? last) + (after.days?.lowerBound ?? 0)
            }
            days[session.identifier] = last
        }
        guard let session = session(numbered: number) else { return nil }
        let times = participant.map { opening(ofSession: number, for: $0) } ?? session.between
        return LocalMoment(day: last, minute: times?.lowerBound ?? 540)
    }
}

extension Rehearsal {
    /// The updates of a run.
    fileprivate init(_ updates: AsyncStream<RunUpdate>, of plan: RunPlan) async {
        var events: [(event: Event, at: RunInstant, effects: [Effect])] = []
        for await case .happened(let event, let instant, let effects) in updates {
            events.append((event, instant, effects))
        }
        self.init(retelling: events, of: plan)
    }
}
