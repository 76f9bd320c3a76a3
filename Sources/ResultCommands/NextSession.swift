import ArgumentParser
import BundleReplay
import Console
import Datasets
import Exports
import Hashing
import Participants
import Platform
import Results
import SessionPorts
import StudyFile
import StudyModel
import TextFormat

package struct NextSession: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Shows which sessions are to come, and when they may begin.",
        discussion: """
            The sessions are those that the study lists under 'sessions'. What is done is read from the bundles \
            in the folder, and what the study says from the last of them, or from --study. Days are calendar \
            days, and times those of the zone of this machine.

            With --wait, a machine at a participant's home starts each session at its time: \
            entrain next results --participant P07 --study study.yaml --wait -- --monitor https://lab.example
            """)

    @Argument(help: "The folder with the bundles, at any depth.", completion: .directory)
    var results = usualResults

    @Option(name: .shortAndLong, help: "The participant's code; default: everybody who took part.")
    var participant: String?

    @Option(
        help: "The study file; default: the study as the last run had it.",
        completion: .file(extensions: ["yaml", "yml"]))
    var study: String?

    @Option(
        help: ArgumentHelp(
            "Also write what is to come as a calendar that other programs read (iCalendar).",
            valueName: "file"),
        completion: .file(extensions: ["ics"]))
    var calendar: String?

    @Option(
        help: ArgumentHelp(
            "With --calendar: let calendars remind of each session so many minutes before.",
            valueName: "minutes"))
    var remind: Int?

    @Flag(help: "Start the participant's session that may be held now, if there is one.")
    var start = false

    @Flag(
        help:
            "Wait for each of the participant's sessions, and start it in this terminal, until nothing is to come."
    )
    var wait = false

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("Options for 'entrain run', with --start and --wait.", valueName: "run-options"))
    var runOptions: [String] = []

    @OptionGroup var simulated: SimulatedRuns

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        if let participant { try ParticipantOptions.validate(participant: participant) }
        if remind != nil, calendar == nil { throw ValidationError("--remind needs --calendar") }
        guard remind.map({ (0...10_080).contains($0) }) ?? true else {
            throw ValidationError("--remind should be 0 to 10080 minutes")
        }
        if start || wait {
            guard !(start && wait) else { throw ValidationError("--start and --wait exclude each other") }
            guard study != nil, participant != nil else {
                throw ValidationError("--start and --wait need --study and --participant")
            }
            try mustLeaveTheRunToUs()
        } else if !runOptions.isEmpty {
            throw ValidationError("options for a run need --start or --wait")
        }
    }

    func run() throws {
        try reporting {
            if start || wait { return try hold() }
            if let calendar { try NewFile.mustBeNew(calendar) }
            let clock = WallClock.now()
            var register = try self.register()
            let runs = register.runs.filter {
                register.takes($0.run.origin, includingSimulated: simulated.includeSimulated)
            }
            let studies = try studies(of: runs)
            let found = try studies.map { ($0, try schedules(in: $0, runs, register.leftOut.withdrawals)) }
            if let calendar {
                let entries = found.flatMap { study, schedules in
                    schedules.flatMap { $0.calendarEntries(in: study) }
                }
                let file = CalendarFile(entries, stamp: clock.seconds, reminder: remind)
                try NewFile.write(file.bytes, to: calendar)
                Output.remark("wrote \(printable(calendar)): \(counted(entries.count, "session"))")
            }
            switch format {
            case .json:
                Output.say(
                    json: register.leftOut.json([
                        "date": .text(clock.date(of: .start)), "zone": .text(clock.zone),
                        "studies": .list(
                            found.map { study, schedules in
                                [
                                    "study": .text(study.identifier.text),
                                    "participants": .list(schedules.map { $0.json(at: clock.moment) }),
                                ]
                            }),
                    ]))
            case .text:
                let lines = found.flatMap { self.lines($0.0, $0.1, clock) }
                Output.emit(.lines(lines.joined(separator: "\n") + "\n"))
            }
            if !register.leftOut.damaged.isEmpty { throw ExitCode.badData }
        }
    }

    /// Before the first run there may be no folder yet.
    private func register() throws(FileFailure) -> Register {
        do throws(FileFailure) {
            return try Register(below: results)
        } catch  where study != nil && error.isNotFound {
            return try Register(in: results)
        }
    }

    /// The studies that list their sessions.
    func studies(of runs: [Register.Entry]) throws -> [Study] {
        if let file = study {
            let study = try CheckedStudy(reading: file).study()
            guard !study.sessions.isEmpty else {
                throw StudyFailure("the study '\(printable(file))' lists no 'sessions'", .badStudy)
            }
            return [study]
        }
        let named = Set(runs.map(\.run.study)).sorted()
        let studies = named.compactMap { Study.asLastRun($0, among: runs) }.filter { !$0.sessions.isEmpty }
        guard !studies.isEmpty else {
            throw StudyFailure(
                "no study with runs in '\(printable(results))' lists 'sessions'; before the first run, give the "
                    + "study with --study", .badStudy)
        }
        return studies
    }

    private func schedules(
        in study: Study, _ runs: [Register.Entry], _ withdrawals: Withdrawals
    ) throws -> [Schedule] {
        guard let participant else { return Schedule.all(in: study, runs: runs) }
        let isWithdrawn = withdrawals.codes.contains(participant)
        guard isWithdrawn || self.study != nil || runs.contains(where: { $0.run.participant == participant })
        else {
            throw StudyFailure(
                "participant \(printable(participant)) has no run in '\(printable(results))'. Is the code right? "
                    + "Before the first session, give the study with --study", .usage)
        }
        return [Schedule(of: participant, in: study, runs: runs, isWithdrawn: isWithdrawn)]
    }

    private func lines(_ study: Study, _ schedules: [Schedule], _ clock: WallClock) -> [String] {
        let now = clock.moment
        let head =
            "\(study.identifier): now it is \(now.date.text), \(Study.Session.time(now.minute)) (\(printable(clock.zone)))"
        guard participant != nil, let schedule = schedules.first else {
            return [head] + (Schedule.table(of: schedules, at: now) ?? ["  nothing is to come"])
        }
        let rows = schedule.appointments.map {
            ["\($0.number)", $0.session.identifier.text, $0.word(at: now), $0.when]
        }
        let next = schedule.next(at: now).map { "next: \($0.name), \($0.word(at: now)): \($0.when)" }
        let end = schedule.endWord.map { "nothing is to come: \(printable($0))" }
        return [head] + aligned([["", "session", "", "when"]] + rows).map { "  " + $0 } + [
            end ?? next ?? "nothing can be held now"
        ]
    }
}

extension Schedule {
    /// The sessions that are to come, for people; `nil` if there are none.
    static func table(of schedules: [Schedule], at now: LocalMoment) -> [String]? {
        let rows = schedules.filter { $0.end == nil }.flatMap { schedule in
            schedule.appointments.filter(\.isToCome).map {
                [printable(schedule.participant), $0.session.identifier.text, $0.word(at: now), $0.when]
            }
        }
        guard !rows.isEmpty else { return nil }
        return aligned([["participant", "session", "", "when"]] + rows).map { "  " + $0 }
    }

    /// Entries for the sessions to come whose days are known. Without a last day, the entry is on the first day.
    fileprivate func calendarEntries(in study: Study) -> [CalendarFile.Entry] {
        guard end == nil else { return [] }
        return appointments.compactMap { appointment in
            guard appointment.isToCome, let window = appointment.window, let first = window.firstDay else {
                return nil
            }
            let last = window.lastDay ?? first
            var span = CalendarFile.Span.days(first...last)
            if first == last, window.lastDay != nil, let times = window.between {
                span = .time(
                    from: WallClock.seconds(at: LocalMoment(day: first, minute: times.lowerBound)),
                    to: WallClock.seconds(at: LocalMoment(day: first, minute: times.lowerBound))
                        + Int64(times.count - (appointment.session.openFor == nil ? 1 : 0)) * 60)
            }
            let name = appointment.session.title?.text(in: study.languages.first)
            let seal =
                "entrain/calendar\n\(study.identifier)\n\(participant)\n\(appointment.session.identifier)"
            return CalendarFile.Entry(
                uid: SHA256.hexadecimal(of: seal).prefix(32) + "@entrain",
                summary: "\(participant): \(name ?? appointment.session.identifier.text)",
                details: "\(study.identifier), session \(appointment.number): \(window.words)", span: span)
        }
    }
}

extension Study {
    /// A study as its last run had it that did not depart from the protocol; `nil` if no bundle's study can be read.
    static func asLastRun(_ study: Identifier, among runs: [Register.Entry]) -> Study? {
        let own = runs.filter { $0.run.study == study && $0.status != nil }
        let order = own.sorted {
            ($0.run.deviation == nil ? 1 : 0, $0.run.wallClock.sinceEpoch)
                > ($1.run.deviation == nil ? 1 : 0, $1.run.wallClock.sinceEpoch)
        }
        for entry in order {
            guard let bundle = try? ResultBundle(at: entry.path), !bundle.manifest.isPseudonymised else {
                continue
            }
            return try? CheckedStudy(recordedIn: bundle).parsed.study
        }
        return nil
    }
}
