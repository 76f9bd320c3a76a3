import StudyModel
import Testing

@testable import StudyEngine

/// Steps in which a program works.
@Suite struct ProgramStepTests {
    private static let step = {
        let questions = [
            Question(identifier: "hits", format: .number(minimum: 0)),
            Question(identifier: "done", format: .boolean(yes: .plain("Yes"), no: .plain("No"))),
        ]
        return Step(
            identifier: "task",
            kind: .program(ProgramStep(command: ["x"], duration: .seconds(60), questions: questions)))
    }()

    private func results(_ messages: [(Double, ProgramMessage)]) throws -> [StepResult] {
        var run = try TaskRun(makePlan([Self.step, thanks]))
        var effects = run.handle(.begin, at: .start)
        for (second, message) in messages {
            effects += run.handle(.program(1, message), at: .seconds(second))
        }
        effects += run.handle(.woke(Wake(ordinal: 1, segment: 1, moment: .end)), at: .seconds(60))
        return effects.compactMap { if case .deliver(let result) = $0 { result } else { nil } }
    }

    private func given(_ question: Identifier, _ answer: Answer?) -> GivenAnswer {
        GivenAnswer(question: question, answer: answer)
    }

    @Test func `it ends when its program does, with what it said last`() throws {
        let result = try #require(
            try results([
                (2, .shows("Now")), (3, .answers([given("hits", .number(1))])),
                (4, .answers([given("hits", .number(8)), given("done", .number(3))])),
                (5, .sample(ProgramSample(name: "time", value: 0.4, at: .seconds(4)))),
                (6, .unclear("line 5: no")),
                (7, .unclear("line 6: no")), (20, .ended(problem: "ended with the exit code 3")),
                (21, .answers([given("hits", .number(0))])),
            ]).first)
        #expect(result.answers == [given("hits", .number(8)), given("done", nil)])
        #expect(result.end == .seconds(20) && result.endedBy == .program)
        #expect(result.actualDuration == .seconds(20) && result.plannedDuration == .seconds(60))
        let outcome = try #require(result.program)
        #expect(outcome.samples == [ProgramSample(name: "time", value: 0.4, at: .seconds(4))])
        #expect(outcome.unclearCount == 2 && outcome.firstUnclear == "line 5: no")
        #expect(outcome.problem == "ended with the exit code 3")
    }

    @Test func `its time ends it, and what is said of another visit does not count`() throws {
        let result = try #require(try results([]).first)
        #expect(result.endedBy == .duration && result.end == .seconds(60))
        #expect(result.answers == [given("hits", nil), given("done", nil)])
        var run = try TaskRun(makePlan([Self.step, thanks]))
        _ = run.handle(.begin, at: .start)
        #expect(run.handle(.program(2, .ended(problem: nil)), at: .seconds(1)).isEmpty)
    }

    @Test func `what it shows is on show, and nobody can pause it`() throws {
        var run = try TaskRun(makePlan([Self.step, thanks]))
        _ = run.handle(.begin, at: .start)
        let effects = run.handle(.program(1, .shows("Now")), at: .seconds(1))
        guard case .show(let presentation)? = effects.first else { throw NothingShown() }
        #expect(run.shownByProgram(in: presentation) == "Now")
        #expect(presentation.phase == .running(start: .start, end: .seconds(60)))
        #expect(run.handle(.paused, at: .seconds(2)).isEmpty)
    }

    private struct NothingShown: Error {}

    @Test func `samples beyond the most are counted`() throws {
        let most = ProgramOutcome.mostSamples
        let sample = ProgramMessage.sample(ProgramSample(name: "s", value: 1, at: .seconds(1)))
        let outcome = try #require(try results(Array(repeating: (1, sample), count: most + 2)).first?.program)
        #expect(outcome.samples.count == most && outcome.droppedSamples == 2)
    }

    @Test func `a rehearsal answers in its place and lasts as long as it may`() throws {
        let rehearsal = try Rehearsal(makePlan([Self.step, thanks]), with: SimulatedParticipant(seed: 1))
        let result = try #require(rehearsal.results.first)
        #expect(result.endedBy == .duration && result.end == .seconds(60))
        #expect(result.answers.allSatisfy { $0.answer != nil } && result.answers.count == 2)
    }
}
