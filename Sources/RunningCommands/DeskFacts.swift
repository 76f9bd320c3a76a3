import BundleReplay
import Console
import MonitorClient
import Participants
import Platform
import ResultCommands
import Results
import StudyEngine
import StudyModel
import Synchronization
import Terminal
import TextFormat

/// What the desk shows: the folder of results and the study file, as the other commands read them, and a monitor.
final class DeskFacts: Sendable {
    private struct State {
        /// The runs that are not sealed, by their UUIDs.
        var atHand: [String: RunAtHand] = [:]
        var sealed = SealedFacts()
        var check: [String] = []
    }

    private let study: String
    private let output: String
    private let ledger: LedgerPlace?
    private let rooms: RoomWatch?
    private let options: [String]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - study: the study file.
    ///   - output: the folder for result bundles.
    ///   - rooms: the monitor that tells of other rooms.
    ///   - options: those of every run.
    init(study: String, output: String, ledger: LedgerPlace?, rooms: RoomWatch?, options: [String]) {
        (self.study, self.output, self.ledger, self.rooms) = (study, output, ledger, rooms)
        self.options = options
    }

    /// Keeps what was found before a session.
    func remember(_ findings: [Finding], of participant: String) {
        let time = WallClock.now().date(of: .start).dropFirst(11).prefix(5)
        let rest = findings.filter { $0.state != .ok }.map {
            "\($0.state.rawValue) \($0.subject): \($0.words)"
        }
        state.withLock { $0.check = ["\(time) \(participant): \(Readiness.verdict(on: findings))"] + rest }
    }

    /// The number of the session of a run that is not sealed.
    func session(of run: String) -> Int? { state.withLock { $0.atHand[run]?.header.run.session } }

    /// What there is to know now.
    func page() async -> DeskPage {
        var page = state.withLock { localPage(&$0) }
        guard let rooms else { return page }
        page.takesNotes = true
        do throws(RoomWatch.Failure) {
            let (runs, alarms) = try await rooms.look()
            let own = Set(page.runs.map(\.run))
            let others = runs.filter { !own.contains($0.run) && !Self.isSealed($0.run, in: output) }
            page.runs += others.map { DeskRun($0, canControl: rooms.canControl) }
            let names = Dictionary(runs.map { ($0.run, $0.participant) }) { first, _ in first }
            let troubles = runs.filter { !$0.isLost }.flatMap { run in
                run.troubles.map { DeskAlarm("\(run.participant): \($0)") }
            }
            page.alarms += troubles.filter { !page.alarms.contains($0) }
            page.alarms += alarms.compactMap { alarm in
                names[alarm.run].map {
                    DeskAlarm("\($0): \(alarm.words)\(alarm.isOver ? ", over" : "")", number: alarm.number)
                }
            }
        } catch {
            page.alarms.append(DeskAlarm("other rooms are not known: \(error)"))
        }
        return page
    }

    /// A monitor goes on to show for a while what was killed here and is sealed now.
    private static func isSealed(_ run: String, in output: String) -> Bool {
        Manifest.atHand("\(output)/\(run)") != nil
    }

    private func localPage(_ state: inout State) -> DeskPage {
        let clock = WallClock.now()
        let time = clock.date(of: .start)
        var page = DeskPage(
            study: study, comparison: "", isAsCompared: true,
            clock: "\(time.prefix(10)) \(time.dropFirst(11).prefix(5))", nextCode: "")
        do {
            let register = try Register(in: output)
            let allocated = (try? ArmAllocation.participants(of: ledger)) ?? []
            page.nextCode = register.nextCode(besides: allocated)
            page.runs = register.runs.filter { $0.status == nil }.map {
                run(of: $0, at: clock, in: &state, &page)
            }
            state.atHand = state.atHand.filter { known, _ in page.runs.contains { $0.run == known } }
            let checked = try state.sealed.readOn(register, study: study, at: clock)
            page.unusual = state.sealed.unusual
            page.check = state.check
            (page.comparison, page.isAsCompared) = state.sealed.comparison
            let known = try checked.study()
            page.study = "\(known.identifier), revision \(known.revision)"
            page.due = state.sealed.appointments(in: known, register, at: clock)
            for place in page.due.indices {
                let due = page.due[place]
                let session = due.number.map { ["--session", String($0)] } ?? []
                page.due[place].command = DeskCommand.command(
                    DeskCommand.words(
                        study, due.participant, output, session + (due.canGoOn ? ["--resume"] : []) + options)
                )
            }
        } catch {
            (page.comparison, page.isAsCompared) = ("\(error)", false)
        }
        return page
    }

    /// A run of the folder that is not sealed; adds what must be seen of it to the page.
    private func run(
        of entry: Register.Entry, at clock: WallClock, in state: inout State, _ page: inout DeskPage
    ) -> DeskRun {
        let uuid = entry.run.runUUID
        let who = entry.run.participant
        var found = DeskRun(
            run: uuid, participant: who,
            session: entry.run.sessionName?.text ?? "session \(entry.run.session)",
            state: entry.goesOn ? .running : .stopped(canGoOn: false), step: "")
        do {
            var run = try state.atHand[uuid] ?? RunAtHand(at: entry.path)
            try run.readOn()
            state.atHand[uuid] = run
            // Only the first of several participants has a way in.
            found.takesOrders = !entry.run.isCompanion
            found.take(run, goesOn: entry.goesOn, at: clock)
            guard entry.goesOn else { return found }
            page.alarms += run.lost.sorted { $0.key < $1.key }.map {
                DeskAlarm("\(who): \($0.key): \($0.value)")
            }
            if rooms == nil { page.alarms += run.alarms.map { DeskAlarm("\(who): \($0.text)") } }
        } catch let failure as FileFailure where failure.isNotFound {
            // It was sealed since the folder was listed.
            return found
        } catch {
            page.alarms.append(DeskAlarm("\(who): the run cannot be read: \(error)"))
        }
        return found
    }
}

extension DeskRun {
    /// Takes what the journal of a run tells.
    fileprivate mutating func take(_ run: RunAtHand, goesOn: Bool, at clock: WallClock) {
        let passed = clock.sinceEpoch - run.header.run.wallClock.sinceEpoch
        let now = RunInstant.start.advanced(by: .seconds(passed.seconds * (run.header.run.speed ?? 1)))
        step = run.step?.title?.text(in: run.header.run.language) ?? run.step?.identifier.text ?? ""
        lastMark = run.lastMark.map { "\($0.control?.word ?? $0.kind.rawValue): \($0.text)" }
        guard goesOn else {
            let mayGoOn = run.run.plan.task.resume?.incomplete == .resume && run.header.run.gathering == nil
            state = .stopped(canGoOn: mayGoOn)
            return
        }
        switch run.shown?.value.phase {
        case .running(_, let end): left = max(.zero, now.duration(to: end))
        case .paused(let remaining):
            (state, left) = (.paused(run.shown?.instant.duration(to: now) ?? .zero), remaining)
        case .waitingForSource(let source, _): state = .waitingForSource(source.text)
        case .saving: state = .ending
        case .waiting, .waitingForArm, .timeUp, nil: break
        }
        if run.run.isEnding { state = .ending }
        controls = Set(RunMark.Control.allCases.filter { run.run.objection(to: $0) == nil })
        guard let last = try? run.lastHeartRate() else {
            heart = run.lost.isEmpty ? .unrecorded : .unknown
            return
        }
        let age = max(.zero, last.instant.duration(to: now))
        heart = age > Heart.fresh ? .unknown : .rate(last.value, age: age)
    }

    /// A run of another room.
    fileprivate init(_ watched: WatchedRun, canControl: Bool) {
        let state: State =
            if watched.isLost {
                .silent
            } else if let paused = watched.paused {
                .paused(.seconds(paused))
            } else {
                watched.awaitedSource.map { .waitingForSource($0) } ?? .running
            }
        self.init(
            run: watched.run, room: watched.room ?? "another room", participant: watched.participant,
            session: "session \(watched.session)", state: state, step: watched.step)
        left = watched.isLost ? nil : watched.left.map { .seconds($0) }
        let fresh = watched.heart.flatMap { .seconds($0.age) > Heart.fresh || watched.isLost ? nil : $0 }
        if watched.hasHeart { heart = fresh.map { .rate($0.rate, age: .seconds($0.age)) } ?? .unknown }
        (controls, takesOrders) = (watched.controls, canControl)
    }
}
