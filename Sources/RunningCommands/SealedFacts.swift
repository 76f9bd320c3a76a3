import BundleReplay
import Participants
import Platform
import ResultCommands
import Results
import StudyFile
import StudyModel
import Terminal
import TextFormat

/// What the study file and the sealed bundles say to the desk. It is worked out again only when one of them changed.
struct SealedFacts: Sendable {
    /// What of today's runs departs from the protocol or misses a limit.
    private(set) var unusual: [String] = []
    /// With what the study was compared, or how it differs from that.
    private(set) var comparison = ("", true)
    /// The sessions whose last run can be continued.
    private var resumable: Set<Session> = []
    private var checked: CheckedStudy?
    private var known: Known?

    private struct Session: Hashable {
        var participant: String
        var number: Int
    }

    /// What all of this was worked out from.
    private struct Known: Equatable {
        var study: [UInt8]
        var day: Int
        var runs: [String]
    }

    /// - Returns: the study as its file says it now.
    mutating func readOn(_ register: Register, study path: String, at clock: WallClock) throws -> CheckedStudy
    {
        let runs = register.runs.filter { $0.status != nil && !$0.run.origin.isInvented }
        let study = try CheckedStudy(reading: path)
        let now = Known(
            study: study.text, day: clock.moment.day,
            runs: register.runs.map { "\($0.run.runUUID) \($0.status?.rawValue ?? "")" })
        if let checked, known == now { return checked }
        (checked, known) = (study, now)
        do {
            comparison = (
                try ProtocolCheck(of: study, in: FilePath.folder(of: path)).mustHold(among: register), true
            )
        } catch {
            comparison = ("\(error)", false)
        }
        look(at: runs, today: now.day)
        return study
    }

    private mutating func look(at runs: [Register.Entry], today: Int) {
        (unusual, resumable) = ([], [])
        let tasks = TasksOfBundles()
        for entry in runs where entry.counts && entry.continuedBy == nil {
            let isToday = entry.run.wallClock.moment.day == today
            guard isToday || entry.status?.mayBeContinued == true else { continue }
            do throws(FileFailure) {
                let status = try RunStatus(entry, tasks)
                // Of several participants, the others and their sources are given at the command line.
                if status.isResumable, entry.run.gathering == nil {
                    resumable.insert(Session(participant: entry.run.participant, number: entry.run.session))
                }
                guard isToday else { continue }
                if let status = entry.status, status.mayBeContinued || status == .discarded {
                    unusual.append("\(entry.name): ended as \(status.rawValue)")
                }
                for shortfall in status.shortfalls ?? [] {
                    unusual.append("\(entry.name): poor: \(shortfall)")
                }
            } catch {
                unusual.append("\(entry.name): damaged: \(error)")
            }
        }
        let departed = Departure.found(in: runs.filter { $0.continuedBy == nil }) { entry, failure in
            unusual.append("\(entry.name): damaged: \(failure)")
        }
        for (entry, departures) in departed where entry.run.wallClock.moment.day == today {
            unusual += departures.map { "\(entry.name): \($0.words)" }
        }
    }

    /// The next session of everybody, those that may begin now first.
    func appointments(in study: Study, _ register: Register, at clock: WallClock) -> [DeskAppointment] {
        let own = register.runs.filter { $0.run.study == study.identifier && !$0.run.origin.isInvented }
        let withdrawn = register.leftOut.withdrawals.codes
        guard !study.sessions.isEmpty else {
            return own.filter {
                $0.counts && canGoOn($0.run.participant, $0.run.session)
                    && !withdrawn.contains($0.run.participant)
            }.map {
                DeskAppointment(
                    participant: $0.run.participant, number: $0.run.session,
                    session: "session \($0.run.session)",
                    state: "incomplete", when: "", obstacles: [.repeated], canGoOn: true)
            }
        }
        let schedules = Schedule.all(in: study, runs: own, withdrawn: withdrawn)
        let found = schedules.compactMap { schedule in appointment(of: schedule, in: study, at: clock) }
        return found.filter(\.obstacles.isEmpty) + found.filter { !$0.obstacles.isEmpty }
    }

    private func appointment(of schedule: Schedule, in study: Study, at clock: WallClock) -> DeskAppointment?
    {
        let now = clock.moment
        guard let next = schedule.next(at: now), next.state != .running, next.state != .stopped else {
            return nil
        }
        var obstacles: Set<DeskAppointment.Obstacle> = []
        let task = study.tasks.first { $0.identifier == next.session.task } ?? study.tasks.first
        if next.state == .incomplete, task?.resume?.incomplete != .restart { obstacles.insert(.repeated) }
        if schedule.refusal(of: next.number, in: nil, at: now, zone: clock.zone) != nil {
            obstacles.insert(.wrongTime)
        }
        return DeskAppointment(
            participant: schedule.participant, number: next.number, session: next.session.identifier.text,
            state: next.word(at: now), when: next.when, obstacles: obstacles,
            canGoOn: next.state == .incomplete && canGoOn(schedule.participant, next.number))
    }

    private func canGoOn(_ participant: String, _ session: Int) -> Bool {
        resumable.contains(Session(participant: participant, number: session))
    }
}

extension Register.Entry {
    fileprivate var name: String {
        "\(run.participant), \(run.sessionName?.text ?? "session \(run.session)")"
    }
}
