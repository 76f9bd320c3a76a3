import Results
import StudyModel
import Testing

@testable import Analysing
@testable import Datasets
@testable import Participants

/// A score of a question in a block, as runs have it: each visit has the total of the rounds so far.
@Suite struct ScoreOutcomeTests {
    private static let right = Outcome(
        rank: .primary, measure: .score, subject: .init(name: "right", steps: ["b.q"], item: "right"))

    private func run(_ participant: String, arm: String? = nil, _ steps: [RecordedRun.Step]) -> RecordedRun {
        var session = RecordedSession(
            run: participant, study: "s", task: "task", participant: participant, session: 1,
            text: StudyText(revision: 1, sha256: ""), origin: .recorded, manifest: "",
            start: "2026-11-21T09:00:00.000Z", duration: 60, status: "completed", isRecovered: false,
            isClockAdjusted: false, samples: 0, beats: 0)
        session.arm = arm
        return RecordedRun(session: session, steps: steps)
    }

    /// The visits of a pass in which half of the answers are right.
    private func pass(of rounds: Int, outer: Int? = nil, in condition: String? = nil) -> [RecordedRun.Step] {
        (1...rounds).map { round in
            RecordedRun.Step(
                name: "b.q", visit: round, isSkipped: false, end: 1, round: round,
                condition: round.isMultiple(of: 2) ? "x" : "y", outerRound: outer, outerCondition: condition,
                answers: [.init(question: "right", value: Double((round + 1) / 2))])
        }
    }

    private func values(_ steps: [RecordedRun.Step]) -> [OutcomeValue] {
        var key = Self.right
        key.rank = .usual
        return OutcomesOfRun(run("P1", steps), [Self.right]).values[key] ?? []
    }

    @Test func `has one value for each pass, its last, without the conditions of its rounds`() {
        let found = values(pass(of: 10))
        #expect(found.map(\.value) == [5] && found.map(\.round) == [.init()])
        #expect(values(pass(of: 10) + pass(of: 4)).map(\.value) == [5, 2])
        let nested = values(pass(of: 10, outer: 1, in: "music") + pass(of: 6, outer: 2, in: "quiet"))
        #expect(nested.map(\.value) == [5, 3] && nested.map(\.round.condition) == ["music", "quiet"])
    }

    @Test func `a participant who goes back begins no new pass`() {
        var steps = pass(of: 6)
        var left = steps[3]
        (left.wentBack, left.answers) = (true, [])
        steps.insert(contentsOf: [left, steps[2]], at: 3)
        #expect(values(steps).map(\.value) == [3])
    }

    @Test func `a step that the experimenter repeats begins no new pass`() {
        var steps = pass(of: 6)
        var replaced = steps[3]
        replaced.isReplaced = true
        steps.insert(replaced, at: 3)
        #expect(values(steps).map(\.value) == [3])
    }

    @Test func `is relative to the end of a pass, also of a later one`() {
        var outcome = Self.right
        outcome.reference = .init(name: "trained", steps: ["p.q"], item: "trained")
        let training = (1...4).map { round in
            RecordedRun.Step(
                name: "p.q", visit: round, isSkipped: false, end: 1, round: round,
                answers: [.init(question: "trained", value: Double(round))])
        }
        var key = outcome
        key.rank = .usual
        for steps in [pass(of: 10) + training, training + pass(of: 10)] {
            let found = OutcomesOfRun(run("P1", steps), [outcome]).values[key] ?? []
            #expect(found.map(\.change) == [1])
        }
    }
}
