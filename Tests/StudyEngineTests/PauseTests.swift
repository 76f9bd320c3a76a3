import StudyEngine
import StudyModel
import Testing

@Suite struct PauseTests {
    private static let cues = [
        Cue(moment: .after(.seconds(5)), signal: .bell),
        Cue(moment: .after(.seconds(20)), signal: .sound("b")),
    ]

    private static func report(_ onset: Double, _ end: Double?) -> Event {
        .played(
            Playback(
                ordinal: 1, onset: .seconds(onset), end: end.map(RunInstant.seconds), underruns: 1))
    }

    @Test func `a pause stops all, and what is left follows it`() throws {
        var sitting = try Sitting([
            timed("s", stimulus: draw(.fixed), cues: Self.cues, recorders: [heart()]), thanks,
        ])
        let keys = (1...2).map { RecorderKey(ordinal: 1, recorder: "heart", segment: $0) }
        sitting.tell(Self.report(0.01, nil), at: 0.01)
        sitting.tell(.woke(Wake(ordinal: 1, segment: 1, moment: .cue(0))), at: 5)
        let paused = sitting.tell(.paused, at: 10)
        #expect(
            paused.dropLast() == [
                .stopPlaying(ordinal: 1, at: .seconds(10)), .stopRecording(keys[0], at: .seconds(10)),
            ])
        #expect(paused.shown?.phase == .paused(remaining: .seconds(20)))
        sitting.tell(Self.report(0.01, 10.01), at: 10.02)
        #expect(sitting.tell(.paused, at: 11).isEmpty && sitting.tell(.confirmed, at: 11).isEmpty)
        #expect(sitting.timeIsUp(1, at: 30).isEmpty, "the wake from before the pause is stale")

        let resumed = sitting.tell(.resumed, at: 40)
        #expect(resumed.shown?.phase == .running(start: .seconds(40), end: .seconds(60)))
        #expect(resumed.started == [keys[1]])
        #expect(
            resumed.suffix(3).dropFirst() == [
                .wake(Wake(ordinal: 1, segment: 2, moment: .cue(1)), at: .seconds(50)),
                .wake(Wake(ordinal: 1, segment: 2, moment: .end), at: .seconds(60)),
            ])
        guard case .play(_, _, ordinal: _, at: .seconds(40), from: let position) = resumed.suffix(3).first
        else {
            Issue.record("the clip does not go on")
            return
        }
        #expect(position == RunInstant.seconds(0.01).duration(to: .seconds(10.01)))
        #expect(sitting.tell(.resumed, at: 41).isEmpty)

        sitting.tell(Self.report(40.02, nil), at: 40.02)
        #expect(sitting.timeIsUp(1, segment: 2, at: 60).stopped == [keys[1]])
        for key in keys { sitting.tell(.recorded(key, files: [file(key)], problem: nil), at: 61) }
        #expect(sitting.results.isEmpty, "the player has not yet said when the clip ended")
        sitting.tell(Self.report(40.02, 60), at: 61)
        let result = try #require(sitting.results.first)
        #expect(result.actualDuration == .seconds(30) && result.pauses == [.seconds(10)..<(.seconds(40))])
        #expect(result.files.map(\.segment) == [1, 2])
        let playback = try #require(result.playback)
        #expect(playback.onset == .seconds(0.01) && playback.end == .seconds(60) && playback.underruns == 2)
        #expect(result.lateness["onset"] == RunInstant.start.duration(to: .seconds(0.01)))
    }

    @Test func `a clip that had not begun keeps its remaining onset`() throws {
        var request = draw(.fixed)
        request.onset = .seconds(8)
        var sitting = try Sitting([timed("s", stimulus: request), thanks])
        sitting.tell(.paused, at: 3)
        let plays = sitting.tell(.resumed, at: 100).compactMap { effect in
            if case .play(_, _, _, let instant, let position) = effect { (instant, position) } else { nil }
        }
        #expect(plays.map(\.0) == [.seconds(105)] && plays.map(\.1) == [.zero])
    }

    @Test(arguments: [(false, nil), (true, Duration.seconds(2))])
    func `a clip that came to its end begins again only where it loops`(loops: Bool, position: Duration?)
        throws
    {
        let short = StimulusSet(identifier: "short", pool: [clip("a", duration: .seconds(4))])
        var request = draw(.fixed, from: "short")
        request.settings.loops = loops
        var run = TaskRun(try makePlan([timed("s", stimulus: request), thanks], sets: [short]))
        _ = run.handle(.begin, at: .start)
        _ = run.handle(.paused, at: .seconds(10))
        let positions = run.handle(.resumed, at: .seconds(20)).compactMap { effect in
            if case .play(_, _, _, _, let position) = effect { position } else { nil }
        }
        #expect(positions.first == position)
    }

    @Test func `a clip that the player says has ended is neither stopped nor played again`() throws {
        var sitting = try Sitting([timed("s", stimulus: draw(.fixed)), thanks])
        sitting.tell(Self.report(0, nil), at: 0)
        sitting.tell(Self.report(0, 6), at: 6)
        #expect(sitting.tell(.paused, at: 10).count == 1)
        #expect(!sitting.tell(.resumed, at: 20).contains { if case .play = $0 { true } else { false } })
        #expect(sitting.timeIsUp(1, segment: 2, at: 40).count == 2, "the next step and this one's result")
    }

    @Test func `only a running timed step can be paused`() throws {
        var sitting = try Sitting([read("r"), timed("s", timer: .init(startsOnConfirm: true)), thanks])
        #expect(sitting.tell(.paused, at: 1).isEmpty)
        sitting.tell(.confirmed, at: 2)
        #expect(sitting.tell(.paused, at: 3).isEmpty && sitting.tell(.resumed, at: 3).isEmpty)
    }

    @Test func `leaving during a pause counts the pause and not its time`() throws {
        var sitting = try Sitting([timed("s", optional: true), thanks])
        sitting.tell(.paused, at: 10)
        sitting.tell(.skipped, at: 50)
        let result = try #require(sitting.results.first)
        #expect(result.actualDuration == .seconds(10) && result.pauses == [.seconds(10)..<(.seconds(50))])
    }

    @Test func `a step that may not be paused goes on`() throws {
        var timer = ActiveStep.Timer()
        timer.isPausable = false
        let step = Step(
            identifier: "t", kind: .active(ActiveStep(duration: .seconds(30), timer: timer)))
        var sitting = try Sitting([step, thanks])
        #expect(sitting.tell(.paused, at: 5).isEmpty)
    }
}
