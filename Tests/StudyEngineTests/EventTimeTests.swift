import StudyEngine
import StudyModel
import Testing

/// Steps that end at a time after the end of another step.
@Suite struct EventTimeTests {
    private static func wait(
        _ name: Identifier = "wait", until seconds: Double = 600, after step: Identifier = "stressor"
    ) -> Step {
        var active = ActiveStep(duration: .seconds(seconds))
        active.ending = EventTime(.seconds(seconds), after: step)
        return Step(identifier: name, recorders: [], kind: .active(active))
    }

    @Test func `the step fills the time that is left, whatever came between`() throws {
        var sitting = try Sitting([timed("stressor", 300), read("between"), Self.wait(), thanks])
        sitting.timeIsUp(1, at: 300)
        let shown = sitting.tell(.confirmed, at: 450).shown
        #expect(shown?.phase == .running(start: .seconds(450), end: .seconds(900)))
        sitting.timeIsUp(3, at: 900.01)
        let result = try #require(sitting.result("wait"))
        #expect(result.plannedDuration == .seconds(450) && result.actualDuration == .seconds(450))
        #expect(result.end == .seconds(900) && result.lateness["end"] == .seconds(900.01) - .seconds(900))
    }

    @Test func `a pause does not move the end`() throws {
        var sitting = try Sitting([read("stressor"), Self.wait(), thanks])
        sitting.tell(.confirmed, at: 10)
        sitting.tell(.paused, at: 100)
        #expect(
            sitting.tell(.resumed, at: 160).shown?.phase == .running(start: .seconds(160), end: .seconds(610))
        )
        sitting.tell(.paused, at: 200)
        #expect(
            sitting.tell(.resumed, at: 700).shown?.phase
                == .running(start: .seconds(700), end: .seconds(700)),
            "the moment passed in the pause")
        sitting.timeIsUp(2, segment: 3, at: 700)
        let result = try #require(sitting.result("wait"))
        #expect(result.end == .seconds(700) && result.lateness["end"] == .seconds(90))
        #expect(result.plannedDuration == .seconds(600))
    }

    @Test func `a moment that is over ends the step at once, and how late it was is told`() throws {
        var sitting = try Sitting([read("stressor"), read("between"), Self.wait(until: 60), thanks])
        sitting.tell(.confirmed, at: 10)
        #expect(
            sitting.tell(.confirmed, at: 100).shown?.phase
                == .running(start: .seconds(100), end: .seconds(100)))
        sitting.timeIsUp(3, at: 100)
        let result = try #require(sitting.result("wait"))
        #expect(result.plannedDuration == .zero && result.lateness["end"] == .seconds(30))
    }

    @Test func `what a condition ends before its moment was not late`() throws {
        var wait = Self.wait()
        guard case .active(var active) = wait.kind else { return }
        active.until = .init(
            .init(subject: .heartRate(.init(.last(.seconds(10)))), comparison: .lt, value: .number(80)),
            holding: .seconds(20))
        wait.kind = .active(active)
        var sitting = try Sitting([read("stressor"), wait, thanks])
        sitting.tell(.confirmed, at: 10)
        for second in 11...31 { sitting.tell(.observed(70), at: Double(second)) }
        let result = try #require(sitting.result("wait"))
        #expect(result.endedBy == .until && result.end == .seconds(31) && result.lateness["end"] == .zero)
    }

    @Test func `a step that was never left is not waited for, and the last end counts`() throws {
        var never = try Sitting([Self.wait(), thanks])
        never.timeIsUp(1, at: 0)
        #expect(never.result("wait")?.plannedDuration == .zero)
        // In a block, each round waits for the end of the round before; the block itself ends with its last round.
        let block = Step(
            identifier: "block", recorders: [],
            kind: .block(Block(repetitions: 2, steps: [read("stressor"), Self.wait(until: 30)])))
        var sitting = try Sitting([block, Self.wait("last", until: 50, after: "block"), thanks])
        sitting.tell(.confirmed, at: 10)
        sitting.timeIsUp(2, at: 40)
        #expect(
            sitting.tell(.confirmed, at: 45).shown?.phase == .running(start: .seconds(45), end: .seconds(75)))
        #expect(
            sitting.timeIsUp(4, at: 75).shown?.phase == .running(start: .seconds(75), end: .seconds(125)))
        // What is certain before the run: 30 s twice, then 50 s.
        #expect(sitting.run.plan.longestTime == .seconds(110))
    }

    @Test func `several moments after one event take as long as the last`() throws {
        let waits = [("one", 60.0), ("two", 600), ("three", 1800)].map {
            Self.wait($0, until: $1)
        }
        let plan = try makePlan([
            timed("stressor", 300), waits[0], read("a"), waits[1], read("b"), waits[2], thanks,
        ])
        #expect(plan.longestTime == .seconds(2100))
    }

    @Test func `a run that goes on after a kill ends the step at the same moment`() throws {
        var sitting = try Sitting([read("stressor"), Self.wait(), thanks])
        sitting.tell(.confirmed, at: 10)
        sitting.tell(.failed("killed"), at: 200)
        #expect(sitting.run.canGoOn)
        let shown = sitting.tell(.continued, at: 300).shown
        #expect(shown?.phase == .running(start: .seconds(300), end: .seconds(610)))
    }
}
