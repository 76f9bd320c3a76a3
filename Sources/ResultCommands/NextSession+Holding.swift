import ArgumentParser
import BundleReplay
import Console
import Glibc
import Participants
import Platform
import Results
import StudyModel
import TextFormat

extension NextSession {
    /// - Throws: `ValidationError` where the options of a run say whose it is, which session, or where it is stored.
    func mustLeaveTheRunToUs() throws {
        let own = ["--participant", "-p", "--session", "--out", "--auto", "--speed", "--resume"]
        let wrong = runOptions.first { option in own.contains { option == $0 || option.hasPrefix($0 + "=") } }
        if let wrong { throw ValidationError("\(wrong) cannot be given to the run: leave it out") }
    }

    /// Whether nobody can answer: a run would begin, and end at once.
    private var isNobodyThere: Bool {
        if isatty(STDIN_FILENO) != 0 { return false }
        var status = stat()
        // Answers may come from a file or a program, but not from /dev/null.
        guard !wait, unsafe fstat(STDIN_FILENO, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFCHR
    }

    /// Starts the participant's sessions at their times, each with `entrain run` in this terminal.
    ///
    /// - Throws: exit code of a run that did not begin.
    func hold() throws {
        guard let file = study, let participant else { return }
        guard !isNobodyThere else {
            throw StudyFailure("nobody can answer, since there is no terminal: give it one", .usage)
        }
        let study = try studies(of: [])[0]
        var announced: Int?
        var isKnown = false
        while true {
            let now = WallClock.now()
            let schedule = try schedule(of: participant, in: study)
            let hasRuns = schedule.appointments.contains { $0.state != .open }
            guard hasRuns || !isKnown else {
                throw StudyFailure(
                    "the runs in '\(printable(results))' are gone: is a disk missing?", .missing)
            }
            isKnown = hasRuns
            guard let (next, moment) = schedule.opening(from: now.moment) else {
                return Output.say(
                    "Nothing more is to come for \(printable(participant))\(schedule.endWord.map { ": \(printable($0))" } ?? "")."
                )
            }
            if moment == now.moment {
                Output.say("\u{7}It is time for \(next.name).")
                try hold(next, of: participant, in: study, file)
                announced = nil
                if start { return }
            } else if start {
                return Output.say("Nothing may begin now.")
            } else {
                if announced != next.number {
                    Output.say("Waiting for \(next.announcement). Ctrl-C ends this.")
                }
                announced = next.number
                // In short naps: clocks are set, and machines sleep.
                let seconds = WallClock.seconds(at: moment) - now.seconds
                sleep(UInt32(min(max(seconds, 1), 20)))
            }
        }
    }

    private func schedule(of participant: String, in study: Study) throws -> Schedule {
        try PlannedSession.schedule(
            of: participant, study, among: Register(in: results), in: results)
    }

    /// Lets a run have the terminal until it is over. If it has not begun when the session closes, it is ended.
    private func hold(
        _ appointment: Schedule.Appointment, of participant: String, in study: Study, _ file: String
    ) throws {
        let isOpen = { () throws -> Bool in
            let schedule = try schedule(of: participant, in: study)
            return schedule.appointments.contains { $0.number == appointment.number && $0.state == .open }
        }
        // Ctrl-C is for the run alone.
        signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, SIG_DFL) }
        let words = [
            "run", file, "--participant=" + participant, "--session=\(appointment.session.identifier)",
            "--out=" + results,
        ]
        let end = try ProcessGroup.run(
            [ProgramFolder.program] + words + runOptions, lookingEvery: .seconds(1)
        ) {
            let isClosed = appointment.window?.position(of: WallClock.now().moment) != .within
            return try isClosed && isOpen()
        }
        switch end {
        case .stopped, .interrupted: Output.say("\n\(appointment.name) was not begun in its time.")
        case .neverBegan(let code):
            throw StudyFailure("the run cannot be started: \(systemMessage(code))", .missing)
        case .code(let code): if try isOpen() { throw ExitCode(max(1, code)) }
        }
    }
}

extension Schedule.Appointment {
    /// When it is to be, for the participant: nobody is to know a drawn moment before.
    fileprivate var announcement: String {
        guard session.openFor != nil, var window else { return "\(name): \(when)" }
        window.between = session.between
        return "\(name), at a drawn moment: \(window.words)"
    }
}
