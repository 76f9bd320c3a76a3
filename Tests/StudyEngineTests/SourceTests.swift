import StudyEngine
import StudyModel
import Testing

@Suite struct SourceTests {
    private static let connected = Event.sourceChanged("heartRate", problem: nil)

    @Test func `a required source that is missing keeps the step from starting`() throws {
        var sitting = try Sitting(
            [timed("s", optional: true, recorders: [heart(required: true)]), thanks], begun: false)
        let begun = sitting.tell(.begin, at: 0)
        #expect(begun.count == 1)
        #expect(begun.shown?.phase == .waitingForSource("heartRate", problem: "not connected yet"))
        #expect(begun.shown?.canSkip == true)
        #expect(sitting.tell(.confirmed, at: 1).isEmpty && sitting.tell(.paused, at: 1).isEmpty)
        let lost = sitting.tell(.sourceChanged("heartRate", problem: "out of reach"), at: 2)
        #expect(lost.shown?.phase == .waitingForSource("heartRate", problem: "out of reach"))
        #expect(sitting.tell(.sourceChanged("other", problem: nil), at: 3).isEmpty)
        let live = sitting.tell(Self.connected, at: 4)
        #expect(live.shown?.phase == .running(start: .seconds(4), end: .seconds(34)))
        #expect(live.started.count == 1)
    }

    @Test func `a source that is lost in the middle does not stop the step`() throws {
        var sitting = try Sitting([timed("s", recorders: [heart(required: true)]), thanks], begun: false)
        sitting.tell(Self.connected, at: 0)
        #expect(sitting.tell(.begin, at: 0).started.count == 1)
        #expect(sitting.tell(.sourceChanged("heartRate", problem: "out of reach"), at: 5).isEmpty)
    }

    @Test func `waits for the last of several sources`() throws {
        var other = heart("other", required: true)
        other.source = "belt"
        var sitting = try Sitting([timed("s", recorders: [heart(required: true), other]), thanks])
        #expect(
            sitting.tell(Self.connected, at: 1).shown?.phase
                == .waitingForSource("belt", problem: "not connected yet"))
        #expect(sitting.tell(.sourceChanged("belt", problem: nil), at: 2).started.count == 2)
    }

    @Test func `what is not required does not wait`() throws {
        var sitting = try Sitting([timed("s", recorders: [heart()]), thanks], begun: false)
        #expect(sitting.tell(.begin, at: 0).started.count == 1)
    }

    @Test func `an instruction with a required recorder waits too, then records until it is left`() throws {
        var step = read("r")
        step.recorders = [heart(required: true)]
        var sitting = try Sitting([step, thanks])
        let live = sitting.tell(Self.connected, at: 3)
        #expect(live.shown?.phase == .waiting && live.started.count == 1)
        #expect(sitting.tell(.confirmed, at: 9).contains(.stopRecording(live.started[0], at: .seconds(9))))
    }

    @Test func `a waiting step can be skipped and left`() throws {
        var skipping = try Sitting([timed("s", optional: true, recorders: [heart(required: true)]), thanks])
        skipping.tell(.skipped, at: 3)
        #expect(skipping.results.first?.actualDuration == .zero)
        var leaving = try Sitting([timed("s", recorders: [heart(required: true)]), thanks])
        #expect(leaving.tell(.withdrawn, at: 3).finish == .discarded)
    }

    @Test func `starting on confirmation comes before waiting for a source`() throws {
        var sitting = try Sitting([
            timed("s", timer: .init(startsOnConfirm: true), recorders: [heart(required: true)]), thanks,
        ])
        #expect(
            sitting.tell(.confirmed, at: 2).shown?.phase
                == .waitingForSource("heartRate", problem: "not connected yet"))
        #expect(
            sitting.tell(Self.connected, at: 7).shown?.phase
                == .running(start: .seconds(7), end: .seconds(37)))
    }
}
