import StudyEngine
import StudyModel
import StudyTesting
import Testing

@testable import Datasets
@testable import Participants
@testable import Results

/// When the sessions of a participant are due, from the runs alone.
@Suite struct ScheduleTests {
    /// 2026-03-23, six days before summer time begins.
    private static let monday = 20_535
    private static let sessions: [Study.Session] = [
        .init(identifier: "baseline", between: 540...1200),
        .init(identifier: "week1", after: .init(session: "baseline", days: 6...8), between: 960...1200),
        .init(identifier: "open", after: .init(session: "baseline")),
    ]

    private var study: Study {
        var study = Study(
            identifier: "s", title: .plain("S"),
            tasks: [.init(identifier: "T", steps: [])])
        study.sessions = Self.sessions
        return study
    }

    private func run(
        _ session: Int, day: Int, _ status: FinishReason? = .completed, hour: Int = 17, counts: Bool = true,
        arm: Identifier? = nil, participant: String = "P07", offset: Int = 7200, goesOn: Bool = false
    ) -> Register.Entry {
        let start = Int64((Self.monday + day) * 86_400 + hour * 3600 - offset)
        var run = RunDescription(
            program: "0", study: "s", revision: 1, studySHA256: "", task: "T", participant: participant,
            session: session, runUUID: "\(session) \(day) \(hour)",
            wallClock: WallClock(seconds: start, nanoseconds: 0, utcOffset: offset, zone: "Europe/Berlin"))
        run.arm = arm
        var entry = Register.Entry(path: "p", run: run, status: status)
        entry.counts = counts
        entry.goesOn = goesOn
        return entry
    }

    private func schedule(_ runs: Register.Entry...) -> Schedule {
        Schedule(of: "P07", in: study, runs: runs)
    }

    private func at(_ day: Int, _ hour: Int = 17, _ minute: Int = 0) -> LocalMoment {
        LocalMoment(day: Self.monday + day, minute: hour * 60 + minute)
    }

    private func words(_ schedule: Schedule, _ now: LocalMoment) -> [String] {
        schedule.appointments.map { $0.word(at: now) }
    }

    private func refusal(_ schedule: Schedule, _ number: Int, _ now: LocalMoment, arm: Identifier? = nil)
        -> String?
    {
        schedule.refusal(of: number, in: arm, at: now, zone: "Europe/Berlin")
    }

    @Test func `days are calendar days of the lab`() {
        // Half past midnight there is still Sunday in UTC.
        let done = schedule(run(1, day: 0, hour: 0))
        #expect(done.appointments[0].when == "2026-03-23")
        #expect(done.appointments[1].when == "2026-03-29 to 2026-03-31, 16:00 to 20:00")
        #expect(words(done, at(5, 23)) == ["done", "upcoming", "due"])
        #expect(words(done, at(6, 0)) == ["done", "due", "due"])
        #expect(words(done, at(8, 20)) == ["done", "due", "due"])
        #expect(
            words(done, at(8, 20, 1)) == ["done", "overdue", "due"], "its times of the last day are over")
        #expect(words(done, at(9, 0)) == ["done", "overdue", "due"])
        #expect(words(schedule(), at(0)) == ["due", "waiting", "waiting"])
    }

    @Test func `a session opens at a moment of its own for each participant, and whoever waits knows when`()
        throws
    {
        var study = study
        study.seed = 1
        study.sessions = [
            .init(identifier: "start"),
            .init(
                identifier: "noon", after: .init(session: "start", days: 1...1), between: 600...840,
                openFor: 20),
            .init(
                identifier: "late", after: .init(session: "start", days: 1...1), between: 1_380...1_500,
                openFor: 60),
        ]
        let codes = (1...300).map { "P\($0)" }
        let openings = codes.compactMap { study.opening(ofSession: 2, for: $0) }
        #expect(openings.allSatisfy { $0.count == 20 && $0.lowerBound >= 600 && $0.upperBound <= 840 })
        #expect(Set(openings.map(\.lowerBound)).count > 120, "of 221 minutes")
        #expect(study.opening(ofSession: 1, for: "P07") == nil)
        let (noon, late) = (
            try #require(study.opening(ofSession: 2, for: "P07")),
            try #require(study.opening(ofSession: 3, for: "P07"))
        )
        let schedule = Schedule(of: "P07", in: study, runs: [run(1, day: 0)])
        let moment = { (day: Int, minute: Int) in LocalMoment(day: Self.monday + day, minute: minute) }
        let opens = { (now: LocalMoment) in
            schedule.opening(from: now).map {
                [$0.appointment.number, $0.moment.day - Self.monday, $0.moment.minute]
            }
        }
        #expect(opens(at(0)) == [2, 1, noon.lowerBound])
        #expect(opens(moment(1, noon.lowerBound - 1)) == [2, 1, noon.lowerBound])
        #expect(opens(moment(1, noon.upperBound)) == [2, 1, noon.upperBound])
        #expect(opens(moment(1, noon.upperBound + 1)) == [3, 1, late.lowerBound], "missed")
        #expect(opens(moment(2, 61)) == nil, "all is over")
        // Beyond midnight: before it opens, the night counts to the evening.
        let night = SessionWindow(of: study.sessions[2], opening: 1_450...1_460, after: Self.monday)
        #expect(night.opening(from: moment(2, 5)) == moment(1, 1_450))
        #expect(night.opening(from: moment(2, 15)) == moment(2, 15))
        #expect(night.opening(from: moment(2, 21)) == nil)
        let words = refusal(schedule, 2, moment(1, noon.lowerBound - 1))
        #expect(words?.contains("the wrong time of the day") == true)
        #expect(refusal(schedule, 2, moment(1, noon.lowerBound)) == nil)
        #expect(refusal(schedule, 2, moment(1, noon.upperBound + 1))?.contains("too late") == true)
    }

    @Test func `a night that goes over midnight counts to its evening`() {
        var study = study
        study.sessions = [
            .init(identifier: "start"),
            .init(identifier: "night", after: .init(session: "start", days: 1...1), between: 1260...1560),
            .init(identifier: "morning", after: .init(session: "night", days: 1...1)),
        ]
        let schedule = { (runs: [Register.Entry]) in Schedule(of: "P07", in: study, runs: runs) }
        let begun = schedule([run(1, day: 0)])
        #expect(begun.appointments[1].when == "2026-03-24, 21:00 to 02:00")
        for (moment, isRight) in [
            (at(1, 20, 59), false), (at(1, 21), true), (at(2, 0, 40), true), (at(2, 2), true),
            (at(2, 2, 1), false),
            (at(1, 0, 40), false), (at(2, 21), false),
        ] { #expect((refusal(begun, 2, moment) == nil) == isRight, "\(moment)") }
        // It began at 0:00, and the morning after it is that of the same day.
        let slept = schedule([run(1, day: 0), run(2, day: 2, hour: 0)])
        #expect(slept.appointments[1].when == "2026-03-24" && words(slept, at(2, 9))[2] == "due")
    }

    @Test func `a session is refused out of its days and times, in words`() throws {
        let done = schedule(run(1, day: 0))
        for moment in [at(6, 16), at(8, 20), at(7, 18, 30)] { #expect(refusal(done, 2, moment) == nil) }
        let cases: [(LocalMoment, String)] = [
            (at(5), "too early"), (at(9), "too late"), (at(7, 15, 59), "the wrong time of the day"),
            (at(7, 20, 1), "the wrong time of the day"),
        ]
        for (moment, word) in cases {
            let words = try #require(refusal(done, 2, moment))
            #expect(
                words.hasPrefix("it is \(word) for session 'week1' (2) of participant P07: 2026-03-29 to"))
            #expect(words.hasSuffix("(Europe/Berlin)"))
        }
        #expect(refusal(schedule(), 1, at(0, 8))?.contains("any day, 09:00 to 20:00") == true)
        #expect(refusal(schedule(), 2, at(7))?.contains("comes after 'baseline'") == true)
    }

    @Test func `the run that counts decides`() {
        let broken = schedule(run(1, day: 0, .failed))
        #expect(words(broken, at(7)) == ["incomplete", "waiting", "waiting"])
        #expect(refusal(broken, 2, at(7))?.contains("has not completed") == true)
        let repeated = schedule(run(1, day: 0, .failed, counts: false), run(1, day: 2))
        #expect(refusal(repeated, 2, at(7))?.contains("too early") == true)
        #expect(refusal(repeated, 2, at(8)) == nil)
        let twice = schedule(run(1, day: 0, counts: false), run(1, day: 3))
        #expect(twice.appointments[0].state == .done(day: Self.monday + 3))
        let running = schedule(run(1, day: 0), run(2, day: 7, nil, goesOn: true))
        #expect(words(running, at(7)) == ["done", "running", "due"])
        let killed = schedule(run(1, day: 0), run(2, day: 7, nil))
        #expect(words(killed, at(7)) == ["done", "stopped", "due"])
        let late = schedule(run(1, day: 0), run(2, day: 7, .discarded))
        #expect(words(late, at(8)) == ["done", "incomplete", "due"])
        #expect(words(late, at(9)) == ["done", "overdue", "due"])
    }

    @Test func `nothing is to come after another end, or a withdrawal`() {
        let excluded = schedule(run(1, day: 0, .ended("screenedOut")))
        #expect(
            excluded.end == .excluded("screenedOut", session: "baseline") && excluded.next(at: at(7)) == nil)
        #expect(refusal(excluded, 2, at(7))?.contains("the end 'screenedOut'") == true)
        // The same session may be repeated.
        #expect(refusal(excluded, 1, at(7)) == nil)
        let gone = Schedule(of: "P07", in: study, runs: [run(1, day: 0)], isWithdrawn: true)
        #expect(gone.next(at: at(7)) == nil && gone.endWord == "withdrawn")
    }

    @Test func `proposes what can be held first`() {
        func next(_ day: Int, _ runs: Register.Entry...) -> Identifier? {
            Schedule(of: "P07", in: study, runs: runs).next(at: at(day))?.session.identifier
        }
        #expect(next(0) == "baseline")
        #expect(next(0, run(1, day: 0)) == "open")
        #expect(next(1, run(1, day: 0), run(3, day: 0)) == "week1")
        #expect(next(20, run(1, day: 0), run(3, day: 0)) == "week1")
        #expect(next(20, run(1, day: 0), run(2, day: 7), run(3, day: 0)) == nil)
        // Others' runs, and those of other studies, are not looked at.
        #expect(next(0, run(1, day: 0, participant: "P08")) == "baseline")
    }

    @Test func `the arm stays`() {
        let done = schedule(run(1, day: 0, arm: "music"))
        #expect(done.arm == "music" && refusal(done, 2, at(7), arm: "music") == nil)
        #expect(refusal(done, 2, at(7), arm: "quiet")?.contains("has the arm 'music'") == true)
    }
}
