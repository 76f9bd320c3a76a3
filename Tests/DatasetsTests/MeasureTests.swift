import Results
import StudyModel
import Testing

@testable import Analysing
@testable import Datasets
@testable import Participants

/// What single measures make of one run.
@Suite struct MeasureTests {
    private func values(_ measure: Outcome.Measure, of name: String, _ steps: [RecordedRun.Step]) -> (
        values: [OutcomeValue], exclusions: [OutcomeExclusion.Reason]
    ) {
        let session = RecordedSession(
            run: "r", study: "s", task: "task", participant: "P01", session: 1,
            text: StudyText(revision: 1, sha256: ""), origin: .recorded, manifest: "",
            start: "2026-11-21T09:00:00.000Z", duration: 60, status: "completed", isRecovered: false,
            isClockAdjusted: false, samples: 0, beats: 0)
        let outcome = Outcome(
            rank: .primary, measure: measure, subject: .init(name: name, steps: [name]), by: ["kind"])
        let found = OutcomesOfRun(RecordedRun(session: session, steps: steps), [outcome])
        return (
            found.values.values.first ?? [], (found.exclusions.values.first ?? []).map(\.reason)
        )
    }

    @Test func `how long participants went on counts, and who went on to the end is told`() {
        let walks = [(40.0, true, true), (90, false, false), (30, true, false)].enumerated().map {
            RecordedRun.Step(
                name: "walk", visit: $0 + 1, isSkipped: $1.1, isEndedEarly: $1.2, end: $1.0, lasted: $1.0)
        }
        let found = values(.duration, of: "walk", walks)
        #expect(found.values.map(\.value) == [40, 90] && found.values.map(\.isCensored) == [false, true])
        #expect(found.values.map(\.isPerProtocol) == [true, true])
        #expect(found.exclusions == [.leftEarly], "the run ended in it, or the experimenter went on")
    }

    @Test func `what an onset evokes reaches from the step before into the one after`() {
        // A beat a second; after the second tone the heart is slower by 10 a minute for 6 s.
        let slow: [RecordedRun.Value] = (1...5).map { (40 + 1.2 * Double($0), 1.2) }
        let beats = (1...40).map { (Double($0), 1.0) } + slow + (47...90).map { (Double($0), 1.0) }
        let steps = [("plain", 20.0), ("odd", 40), ("plain", 60), ("plain", 89)].map { kind, start in
            var step = RecordedRun.Step(
                name: "tone", visit: Int(start), isSkipped: false, end: start + 1, start: start)
            step.values = ["kind": kind]
            step.intervals = beats.filter { (start..<start + 1).contains($0.0) }
            return step
        }
        var between = RecordedRun.Step(name: "gap", visit: 1, isSkipped: false, end: 95)
        between.intervals = beats.filter { beat in
            !steps.flatMap(\.intervals).contains { $0.offset == beat.0 }
        }
        let found = values(.evokedRate, of: "tone", steps + [between])
        #expect(found.values.map { ($0.value * 1e6).rounded() / 1e6 } == [0, -10, 0])
        #expect(found.values.map(\.round.levels) == [["plain"], ["odd"], ["plain"]])
        #expect(found.exclusions == [.fewBeats], "the beats end too soon")
    }
}
