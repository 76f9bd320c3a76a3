import StudyEngine
import StudyModel
import Testing

/// Steps that a key ends.
@Suite struct ReactionTests {
    private static let feedback = Reaction.Feedback(
        right: .plain("Right."), wrong: .plain("Wrong."), late: .plain("Too slow."),
        duration: .milliseconds(500))

    private static func step(_ feedback: Reaction.Feedback? = nil, right: String? = "happy") -> Step {
        var active = ActiveStep(duration: .seconds(5))
        active.reaction = Reaction(
            keys: [.init(name: "f", value: "happy"), .init(name: "j", value: "sad")], feedback: feedback)
        var step = Step(identifier: "s", kind: .active(active))
        if let right { step.right["s"] = .answer(.text(right)) }
        return step
    }

    private static func press(_ key: String, at seconds: Double, isHeld: Bool = false) -> Event {
        var answer = GivenAnswer(question: "s", answer: nil)
        var press = ReactionResult.Press(
            key: key, at: .seconds(seconds), onset: .seconds(1), reference: .sound)
        press.isRepetition = isHeld
        answer.reaction = ReactionResult(press: press)
        return .answered([answer])
    }

    @Test func `the first key after the onset is the answer, and ends the step`() throws {
        var sitting = try Sitting([Self.step(), thanks])
        #expect(sitting.tell(Self.press("f", at: 0.9), at: 0.9).isEmpty)
        #expect(sitting.tell(Self.press("f", at: 1.1, isHeld: true), at: 1.1).isEmpty)
        #expect(sitting.tell(Self.press("x", at: 1.2), at: 1.2).isEmpty)
        sitting.tell(Self.press("j", at: 1.5), at: 1.501)
        let result = try #require(sitting.result("s"))
        #expect(result.endedBy == .reaction && result.actualDuration == .seconds(1.501))
        #expect(result.answers.map(\.answer) == [.choice("sad")])
        let reaction = try #require(result.answers.first?.reaction)
        #expect(reaction.press?.time == .seconds(0.5) && reaction.isRight == false)
        #expect(reaction.ignoredKeys == 2)
    }

    @Test func `a step that goes on after the key has its whole time, and takes no second key`() throws {
        var step = Self.step()
        guard case .active(var active) = step.kind else { return }
        active.reaction?.endsStep = false
        step.kind = .active(active)
        var sitting = try Sitting([step, thanks], begun: false)
        let shown = try #require(sitting.tell(.begin, at: 0).shown)
        #expect(sitting.run.awaitsReaction(in: shown))
        sitting.tell(Self.press("j", at: 1.5), at: 1.501)
        #expect(sitting.result("s") == nil && !sitting.run.awaitsReaction(in: shown))
        sitting.tell(Self.press("f", at: 2), at: 2)
        sitting.timeIsUp(1, at: 5)
        let result = try #require(sitting.result("s"))
        #expect(result.endedBy == .duration && result.actualDuration == .seconds(5))
        #expect(result.answers.map(\.answer) == [.choice("sad")])
        #expect(result.answers.first?.reaction?.press?.time == .seconds(0.5))
    }

    @Test func `without a key the answer is missing, and the time ends the step`() throws {
        var sitting = try Sitting([Self.step(), thanks])
        sitting.tell(Self.press("f", at: 0.2), at: 0.2)
        sitting.timeIsUp(1, at: 5)
        let result = try #require(sitting.result("s"))
        #expect(result.endedBy == .duration && result.answers.map(\.answer) == [nil])
        #expect(
            result.answers.first?.reaction
                == {
                    var missed = ReactionResult(); missed.ignoredKeys = 1; return missed
                }())
    }

    @Test(arguments: [("f", "Right."), ("j", "Wrong.")])
    func `words about the reaction are shown in addition`(key: String, words: String) throws {
        var sitting = try Sitting([Self.step(Self.feedback), thanks])
        let shown = try #require(sitting.tell(Self.press(key, at: 2), at: 2).shown)
        #expect(shown.phase == .running(start: .start, end: .seconds(2.5)))
        #expect(
            sitting.run.reactionFeedback(in: shown) == .plain(words) && !sitting.run.awaitsReaction(in: shown)
        )
        #expect(sitting.tell(Self.press("f", at: 2.1), at: 2.1).isEmpty, "it was answered already")
        #expect(sitting.tell(.paused, at: 2.2).isEmpty)
        #expect(sitting.timeIsUp(1, at: 5).isEmpty, "the step's own end is out of date")
        sitting.timeIsUp(1, segment: 2, at: 2.5)
        let result = try #require(sitting.result("s"))
        #expect(result.endedBy == .reaction && result.actualDuration == .seconds(2))
        #expect(result.end == .seconds(2.5) && result.answers.count == 1)
    }

    @Test func `who is late reads so, and no key counts any more`() throws {
        var sitting = try Sitting([Self.step(Self.feedback), thanks])
        let shown = try #require(sitting.timeIsUp(1, at: 5.003).shown)
        #expect(shown.phase == .running(start: .start, end: .seconds(5.5)))
        #expect(sitting.tell(Self.press("f", at: 5.1), at: 5.1).isEmpty)
        sitting.timeIsUp(1, segment: 2, at: 5.5)
        let result = try #require(sitting.result("s"))
        #expect(result.endedBy == .duration && result.actualDuration == .seconds(5))
        #expect(result.answers.map(\.answer) == [nil])
    }

    @Test func `any key is answered with the words for right where none is right`() throws {
        var sitting = try Sitting([Self.step(Self.feedback, right: nil), thanks])
        let shown = try #require(sitting.tell(Self.press("j", at: 2), at: 2).shown)
        #expect(sitting.run.reactionFeedback(in: shown) == .plain("Right."))
        sitting.timeIsUp(1, segment: 2, at: 2.5)
        #expect(sitting.result("s")?.answers.first?.reaction?.isRight == nil)
    }

    @Test func `a run that ends during the words keeps the answer once`() throws {
        var sitting = try Sitting([Self.step(Self.feedback), thanks])
        sitting.tell(Self.press("f", at: 2), at: 2)
        sitting.tell(.interrupted, at: 2.3)
        let result = try #require(sitting.result("s"))
        #expect(result.skip == .runEnded && result.answers.map(\.answer) == [.choice("happy")])
    }

    @Test func `a pause stops the deadline, and keys do not count meanwhile`() throws {
        var sitting = try Sitting([Self.step(), thanks])
        sitting.tell(.paused, at: 2)
        #expect(sitting.tell(Self.press("f", at: 3), at: 3).isEmpty)
        sitting.tell(.resumed, at: 4)
        sitting.tell(Self.press("f", at: 6.5), at: 6.5)
        #expect(sitting.result("s")?.actualDuration == .seconds(4.5))
    }

    @Test func `simulated participants are mostly right, rarely miss, and are as fast as people`() throws {
        var participant = SimulatedParticipant(seed: 1)
        let entry = RunPlan.Entry(step: Self.step(), path: ["s"], visit: 1)
        let drawn = (0..<2000).map { _ in participant.reaction(in: entry) }
        let reactions = drawn.compactMap(\.self)
        let right = Double(reactions.count { $0.key == "f" }) / Double(reactions.count)
        let mean = reactions.reduce(0) { $0 + $1.time / .seconds(1) } / Double(reactions.count)
        #expect(abs(right - 0.95) < 0.02 && abs(mean - 0.5) < 0.02)
        #expect(abs(Double(drawn.count - reactions.count) / 2000 - 0.025) < 0.01)
        #expect(reactions.allSatisfy { $0.time >= .milliseconds(120) })
        var told = SimulatedParticipant(seed: 1, answers: ["s": .choice("sad")])
        #expect(told.reaction(in: entry)?.key == "j")
    }
}
