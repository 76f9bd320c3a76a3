import Results
import StudyEngine
package import StudyModel
package import TextFormat

/// What a participant has done of a study's sessions, and when the others may be: worked out from the runs each time.
package struct Schedule: Sendable {
    package let participant: String
    /// One for each session of the study, in their order.
    package let appointments: [Appointment]
    /// Why nothing more is to come, if nothing is.
    package let end: End?
    /// The arm of the first run that counts and has one.
    package let arm: Identifier?
    /// The day of the first completed session, counted from 1970-01-01.
    package let firstDay: Int?

    package enum End: Hashable, Sendable {
        case withdrawn
        /// The participant came to this end in a session, and not to that of the task.
        case excluded(String, session: Identifier)
    }

    /// A session of one participant.
    package struct Appointment: Sendable {
        /// From 1.
        package let number: Int
        package let session: Study.Session
        package let state: State
        /// When it may begin; `nil` as long as the earlier session is not complete.
        package let window: SessionWindow?
    }

    package enum State: Hashable, Sendable {
        /// Completed on a day, counted from 1970-01-01.
        case done(day: Int)
        /// It has runs, and none of them was completed.
        case incomplete
        /// A run goes on.
        case running
        /// A run was killed, and is not recovered yet.
        case stopped
        /// The participant came to this end, and not to that of the task.
        case excluded(String)
        /// Nothing was run.
        case open
    }

    /// - Parameter runs: those of the study's participants, rehearsals only if they are meant.
    package init(
        of participant: String, in study: Study, runs: [Register.Entry], isWithdrawn: Bool = false
    ) {
        let own = runs.filter { $0.run.study == study.identifier && $0.run.participant == participant }
        var made: [Appointment] = []
        for (place, session) in study.sessions.enumerated() {
            let state = State(own.filter { $0.run.session == place + 1 }, of: session)
            let earlier = session.after.flatMap { after in
                made.first { $0.session.identifier == after.session }?.state.day
            }
            let isKnown = session.after == nil || earlier != nil
            made.append(
                Appointment(
                    number: place + 1, session: session, state: state,
                    window: isKnown
                        ? SessionWindow(
                            of: session, opening: study.opening(ofSession: place + 1, for: participant),
                            after: earlier) : nil))
        }
        let excluded = made.compactMap { appointment -> End? in
            guard case .excluded(let name) = appointment.state else { return nil }
            return .excluded(name, session: appointment.session.identifier)
        }
        (self.participant, appointments) = (participant, made)
        end = isWithdrawn ? .withdrawn : excluded.first
        let counted = own.filter { $0.counts && $0.status != nil }
        arm = counted.compactMap(\.run.arm).first
        firstDay = made.compactMap(\.state.day).min()
    }

    /// The schedules of everybody who took part, by their codes.
    package static func all(in study: Study, runs: [Register.Entry], withdrawn: Set<String> = [])
        -> [Schedule]
    {
        Set(runs.filter { $0.run.study == study.identifier }.map(\.run.participant)).sorted().map {
            Schedule(of: $0, in: study, runs: runs, isWithdrawn: withdrawn.contains($0))
        }
    }

    /// The session to hold next: one that may be held now, or else later on this day, or else the first to come, or else
    /// one whose days are over; `nil` if there is none.
    package func next(at now: LocalMoment) -> Appointment? {
        guard end == nil else { return nil }
        let ranked = appointments.compactMap { appointment in
            appointment.rank(at: now).map { (appointment, $0) }
        }
        return ranked.min { $0.1.lexicographicallyPrecedes($1.1) }?.0
    }

    /// The first session that nobody has begun and that may be held, and from when on; `nil` if there is none.
    package func opening(from now: LocalMoment) -> (appointment: Appointment, moment: LocalMoment)? {
        guard end == nil else { return nil }
        let openings = appointments.compactMap { appointment in
            appointment.state == .open
                ? appointment.window?.opening(from: now).map { (appointment: appointment, moment: $0) } : nil
        }
        return openings.min {
            ($0.moment.day, $0.moment.minute, $0.appointment.number) < (
                $1.moment.day, $1.moment.minute, $1.appointment.number
            )
        }
    }

    /// Why a session must not begin now, in words; `nil` if it may.
    ///
    /// - Parameters:
    ///   - number: of the session, from 1.
    ///   - arm: the participant's, as the run has it.
    ///   - zone: the name of the lab's zone.
    package func refusal(of number: Int, in arm: Identifier?, at now: LocalMoment, zone: String) -> String? {
        guard let wanted = appointments.first(where: { $0.number == number }) else { return nil }
        let (who, name) = ("participant \(printable(participant))", wanted.name)
        if case .excluded(let reason, let session) = end, session != wanted.session.identifier {
            return "\(who) came to the end '\(reason)' in the session '\(session)'"
        }
        if let arm, let known = self.arm, known != arm {
            return "\(who) has the arm '\(known)' since an earlier session, not '\(arm)'"
        }
        guard let window = wanted.window else {
            let earlier = wanted.session.after?.session.text ?? ""
            return "\(name) comes after '\(earlier)', which \(who) has not completed here"
        }
        let word: String
        switch window.position(of: now) {
        case .within: return nil
        case .early: word = "too early"
        case .late: word = "too late"
        case .otherTime: word = "the wrong time of the day"
        }
        return "it is \(word) for \(name) of \(who): \(window.words); now it is \(now.date.text), "
            + "\(Study.Session.time(now.minute)) (\(zone))"
    }
}

extension Schedule.State {
    fileprivate init(_ runs: [Register.Entry], of session: Study.Session) {
        let counted = runs.filter { $0.counts && $0.status != nil }
        let days = counted.filter { $0.status == .completed }.map {
            SessionWindow.placed($0.run.wallClock.moment, in: session.between).day
        }
        if let day = days.max() {
            self = .done(day: day)
        } else if runs.contains(where: { $0.status == nil }) {
            self = runs.contains(where: \.goesOn) ? .running : .stopped
        } else if let name = counted.compactMap({ $0.status?.nameOfEnd }).last {
            self = .excluded(name)
        } else {
            self = counted.isEmpty ? .open : .incomplete
        }
    }

    /// The day on which it was completed.
    fileprivate var day: Int? {
        switch self {
        case .done(let day): day
        case .incomplete, .running, .stopped, .excluded, .open: nil
        }
    }
}

extension Schedule.Appointment {
    /// Such as `session 'week1' (2)`.
    package var name: String { "session '\(session.identifier)' (\(number))" }

    /// Whether the session is still to be held, even if it is late.
    package var isToCome: Bool {
        switch state {
        case .open, .incomplete, .running, .stopped: true
        case .done, .excluded: false
        }
    }

    /// The lower, the sooner it is to be held; `nil` where it cannot be.
    fileprivate func rank(at now: LocalMoment) -> [Int]? {
        guard isToCome, let window else { return nil }
        let rank =
            switch window.position(of: now) {
            case .within: 0
            case .otherTime: 1
            case .early: 2
            case .late: 3
            }
        let opening = rank == 0 ? nil : window.opening(from: now)
        return [rank, opening?.day ?? window.firstDay ?? .min, opening?.minute ?? 0, number]
    }

    /// The appointment's state in one word.
    package func word(at now: LocalMoment) -> String {
        switch state {
        case .done: return "done"
        case .running: return "running"
        case .stopped: return "stopped"
        case .excluded(let reason): return reason
        case .open, .incomplete: break
        }
        guard let window else { return state == .incomplete ? "incomplete" : "waiting" }
        switch window.position(of: now) {
        case .late: return "overdue"
        case .within, .otherTime: return state == .incomplete ? "incomplete" : "due"
        case .early: return state == .incomplete ? "incomplete" : "upcoming"
        }
    }

    /// When it was, or may be.
    package var when: String {
        if case .done(let day) = state { return CivilDate(daysSince1970: day).text }
        return window?.words ?? "after '\(session.after?.session.text ?? "")'"
    }

    package func json(at now: LocalMoment) -> JSON {
        var members: [String: JSON] = [
            "session": .integer(number), "name": .text(session.identifier.text),
            "state": .text(word(at: now)),
        ]
        if case .done(let day) = state { members["date"] = .text(CivilDate(daysSince1970: day).text) }
        members["window"] = window?.json
        members["after"] = session.after.map { .text($0.session.text) }
        return .members(members)
    }
}

extension Schedule {
    /// Why the participant has no further session, in one word; `nil` if there is one.
    package var endWord: String? {
        switch end {
        case .withdrawn: "withdrawn"
        case .excluded(let reason, _): reason
        case nil: nil
        }
    }

    package func json(at now: LocalMoment) -> JSON {
        var members: [String: JSON] = [
            "participant": .text(participant), "sessions": .list(appointments.map { $0.json(at: now) }),
        ]
        members["end"] = endWord.map { .text($0) }
        members["arm"] = arm.map { .text($0.text) }
        members["next"] = next(at: now).map { .text($0.session.identifier.text) }
        return .members(members)
    }
}
