import StudyEngine
import StudyModel
import Testing

/// A run that allocates its participant.
@Suite struct AllocationRunTests {
    private static let arms: [Identifier] = ["long", "short"]

    private static func study() -> Study {
        func task(_ seconds: Double, _ word: String) -> Study.Task {
            Study.Task(
                identifier: "T",
                steps: [
                    ask(
                        "sex",
                        .choice([.init(value: "f", text: .plain("f")), .init(value: "m", text: .plain("m"))])),
                    Step(identifier: "arm", kind: .allocation), timed("rest", seconds),
                    read(
                        "only",
                        Navigation(skipIf: [.init(subject: .arm, comparison: .eq, value: .text("short"))])),
                    thanks,
                ])
        }
        let tasks = [task(60, "long"), task(20, "short")]
        var study = Study(identifier: "s", title: .plain("S"), tasks: [tasks[0]])
        study.arms = zip(arms, tasks).map { Study.Arm(identifier: $0, tasks: [$1]) }
        study.allocation = Allocation(.simple, by: ["sex"])
        return study
    }

    static func plan(in arm: Study.Arm? = nil) throws -> RunPlan {
        let study = arm.map(Self.study().inArm) ?? Self.study()
        return try RunPlan(
            drawing: study, task: study.tasks[0], participant: "P01", number: 1, session: 1, seed: 1)
    }

    private func answer(_ value: String) -> Event {
        .answered([GivenAnswer(question: "sex", answer: .choice(value))])
    }

    @Test(arguments: zip(arms, [60.0, 20.0]))
    func `goes on in the arm that it was given`(arm: Identifier, seconds: Double) throws {
        var run = TaskRun(try Self.plan())
        _ = run.handle(.begin, at: .start)
        let asked = run.handle(answer("m"), at: .seconds(1))
        #expect(asked.contains(.allocate(["m"])) && run.plan.arm == nil)
        let after = run.handle(.allocated(arm, slot: 1), at: .seconds(1))
        #expect(run.plan.arm == arm)
        let ends = after.compactMap {
            if case .wake(let wake, let end) = $0, wake.moment == .end { end } else { nil }
        }
        #expect(ends == [.seconds(1 + seconds)])
        // A second arm, and going back, have no effect.
        #expect(run.handle(.allocated(Self.arms[0], slot: 2), at: .seconds(2)).isEmpty && run.plan.arm == arm)
        #expect(run.handle(.wentBack, at: .seconds(2)).isEmpty)
    }

    @Test func `waits where there is no arm, and asks again`() throws {
        var run = TaskRun(try Self.plan())
        _ = run.handle(.begin, at: .start)
        _ = run.handle(answer("f"), at: .seconds(1))
        #expect(run.handle(.confirmed, at: .seconds(1)).contains(.allocate(["f"])))
        for problem in ["full", "full"] {
            let told = run.handle(.notAllocated(problem), at: .seconds(2))
            #expect(
                told.contains {
                    if case .show(let shown) = $0 {
                        shown.phase == .waitingForArm(problem: problem)
                    } else {
                        false
                    }
                })
            #expect(run.handle(.confirmed, at: .seconds(3)).contains(.allocate(["f"])))
        }
        let unknown = run.handle(.allocated("other", slot: 1), at: .seconds(4))
        #expect(unknown.count == 1 && run.plan.arm == nil)
        #expect(!run.handle(.allocated("short", slot: 1), at: .seconds(5)).isEmpty && run.plan.arm == "short")
    }

    @Test func `who belongs to an arm already goes past the step`() throws {
        var run = TaskRun(try Self.plan(in: Self.study().arms[1]))
        _ = run.handle(.begin, at: .start)
        let after = run.handle(answer("m"), at: .seconds(1))
        #expect(!after.contains { if case .allocate = $0 { true } else { false } })
        let shown = after.compactMap { if case .show(let shown) = $0 { shown.section } else { nil } }
        #expect(shown == [2])
    }

    @Test func `an arm changes nothing before it, and a rehearsal takes one`() throws {
        let source: ArmSource = { _, levels in .allocated(levels == ["f"] ? "long" : "short", slot: 1) }
        let rehearsal = Rehearsal(try Self.plan(), with: SimulatedParticipant(seed: 2), armSource: source)
        #expect(rehearsal.outcome == .completed)
        let own = try #require(Self.study().arms.first { $0.identifier == rehearsal.plan.arm })
        #expect(rehearsal.plan == (try Self.plan(in: own)))
        #expect(Rehearsal(try Self.plan(), with: SimulatedParticipant(seed: 2)).outcome == nil)
    }
}
