import StudyEngine
import StudyModel
import Testing

@Suite struct EndingTests {
    private static let key = RecorderKey(ordinal: 1, recorder: "heart", segment: 1)
    private static let recorded = Event.recorded(key, files: [], problem: nil)

    @Test func `completes only when every recorder has finished and every result is saved`() throws {
        var run = TaskRun(try makePlan([timed("t", recorders: [heart()]), thanks]))
        _ = run.handle(.begin, at: .start)
        _ = run.handle(.woke(Wake(ordinal: 1, segment: 1, moment: .end)), at: .seconds(30))
        let last = run.handle(.confirmed, at: .seconds(31))
        #expect(last.shown?.phase == .saving && last.count == 2)
        #expect(run.handle(.saved(2), at: .seconds(31)).isEmpty)
        #expect(run.handle(Self.recorded, at: .seconds(32)).count == 1)
        #expect(run.handle(.saved(2), at: .seconds(32)).isEmpty && !run.isOver)
        #expect(run.handle(.saved(1), at: .seconds(33)) == [.end(.completed)])
        #expect(run.isOver && run.handle(.begin, at: .seconds(34)).isEmpty)
    }

    @Test(arguments: [
        (Event.withdrawn, FinishReason.discarded), (.interrupted, .earlyTermination),
        (.failed("no more memory"), .failed),
    ])
    func `ends early with what there is of the step on show`(event: Event, reason: FinishReason) throws {
        var sitting = try Sitting([timed("t", stimulus: draw(.fixed), recorders: [heart()]), thanks])
        let ended = sitting.tell(event, at: 12)
        #expect(
            ended.dropLast() == [
                .stopPlaying(ordinal: 1, at: .seconds(12)),
                .stopRecording(Self.key, at: .seconds(12), due: .seconds(30)),
            ])
        #expect(ended.shown?.phase == .saving && ended.shown?.canSkip == false)
        for late in [Event.confirmed, .withdrawn, .interrupted, .resumed, .skipped, .begin] {
            #expect(sitting.tell(late, at: 13).isEmpty)
        }
        #expect(sitting.tell(Self.recorded, at: 14).finish == reason)
        let result = try #require(sitting.results.first)
        #expect(result.skip == .runEnded && result.end == .seconds(12))
        #expect(result.actualDuration == .seconds(12))
    }

    @Test func `an end of the study's own has its name, and leads to no other end`() throws {
        let sorry = Step(identifier: "sorry", kind: .completion(reason: "screenedOut"))
        let young = Navigation(goTo: [.init(condition: when("age", .lt, .number(5)), target: .step("sorry"))])
        var sitting = try Sitting([ask("age", rules: young), thanks, sorry])
        #expect(sitting.answer("age", .scale(3), at: 1).shown?.section == 2)
        #expect(sitting.tell(.confirmed, at: 2).finish == .ended("screenedOut"))
        var older = try Sitting([ask("age", rules: young), thanks, sorry])
        #expect(older.answer("age", .scale(7), at: 1).shown?.section == 1)
        #expect(older.tell(.confirmed, at: 2).finish == .completed)
    }

    @Test(arguments: FinishReason.words + [.ended("screenedOut")])
    func `every reason is told by its word`(reason: FinishReason) {
        #expect(FinishReason(rawValue: reason.rawValue) == reason)
        #expect(FinishReason(rawValue: "no name") == nil)
    }

    @Test func `a run that never began ends at once`() throws {
        var sitting = try Sitting([read("r"), thanks], begun: false)
        #expect(sitting.tell(.confirmed, at: 0).isEmpty && sitting.tell(.observed(60), at: 0).isEmpty)
        #expect(sitting.tell(.withdrawn, at: 1) == [.end(.discarded)])
    }

    @Test func `a failure while ending ends at once, since nothing may ever be saved`() throws {
        for first in [Event.failed("the disk is full"), .withdrawn, .confirmed] {
            var run = TaskRun(try makePlan([read("r")]))
            _ = run.handle(.begin, at: .start)
            _ = run.handle(first, at: .seconds(1))
            #expect(run.handle(.failed("the disk is full"), at: .seconds(2)) == [.end(.failed)])
            #expect(run.handle(.saved(1), at: .seconds(3)).isEmpty && run.isOver)
        }
    }

    @Test func `a failure while ending keeps what was still to be recorded`() throws {
        var run = TaskRun(try makePlan([timed("t", stimulus: draw(.fixed), recorders: [heart()])]))
        _ = run.handle(.begin, at: .start)
        _ = run.handle(.played(Playback(ordinal: 1, onset: .seconds(1))), at: .seconds(1))
        _ = run.handle(.woke(Wake(ordinal: 1, segment: 1, moment: .end)), at: .seconds(30))
        #expect(run.handle(.failed("the disk is full"), at: .seconds(31)) == [.end(.failed)])
        #expect(run.isOver && run.handle(.failed("again"), at: .seconds(32)).isEmpty)
        #expect(run.handle(Self.recorded, at: .seconds(33)).isEmpty, "the clip still sounds")
        let ended = Playback(ordinal: 1, onset: .seconds(1), end: .seconds(30))
        let late = run.handle(.played(ended), at: .seconds(34))
        guard case .deliver(let result)? = late.first else {
            Issue.record("the step's result is lost")
            return
        }
        #expect(result.ordinal == 1 && result.playback?.end == .seconds(30) && late.count == 1)
        #expect(run.handle(.saved(1), at: .seconds(35)).isEmpty)
    }

    @Test func `an empty list completes at once`() throws {
        var sitting = try Sitting([], begun: false)
        #expect(sitting.tell(.begin, at: 0) == [.end(.completed)])
    }

    @Test func `a result waits for its recorder and not for its turn`() throws {
        var sitting = try Sitting([timed("t", recorders: [heart()]), read("r"), thanks])
        sitting.timeIsUp(1, at: 30)
        sitting.tell(.confirmed, at: 31)
        #expect(sitting.results.map(\.ordinal) == [2])
        sitting.tell(Self.recorded, at: 32)
        #expect(sitting.results.map(\.ordinal) == [2, 1])
        #expect(sitting.tell(Self.recorded, at: 33).isEmpty, "no result is delivered twice")
    }

    @Test func `a recorder that finished by itself is not stopped`() throws {
        var sitting = try Sitting([timed("t", recorders: [heart()]), thanks])
        sitting.tell(.recorded(Self.key, files: [], problem: "the disk is full"), at: 3)
        #expect(sitting.timeIsUp(1, at: 30).stopped.isEmpty)
        #expect(sitting.results.first?.recorderErrors == ["heart: the disk is full"])
    }
}
