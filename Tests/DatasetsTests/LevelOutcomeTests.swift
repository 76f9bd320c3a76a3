import Results
import StudyModel
import StudyTesting
import Testing

@testable import Analysing
@testable import Datasets
@testable import Participants
@testable import Physiology
@testable import Statistics

/// Outcomes that name the columns or attributes whose values are compared.
@Suite struct LevelOutcomeTests {
    private static func outcome(_ factors: [Identifier]) -> Outcome {
        Outcome(
            rank: .primary, measure: .reactionTime, subject: .init(name: "trial", steps: ["m.b.trial"]),
            by: factors)
    }

    /// Twelve people, three trials in each of two or three moods with congruent and incongruent words.
    private func trials(moods: [String], _ random: inout SeededRandom) -> [OutcomeValue] {
        (0..<12).flatMap { person -> [OutcomeValue] in
            let own = 500 + 50 * random.normal()
            return moods.enumerated().flatMap { place, mood in
                ["congruent", "incongruent"].enumerated().flatMap { word, name in
                    let effect = Double(word) * (60 + 25 * Double(place) + 15 * random.normal())
                    return (0..<3).map { _ in
                        OutcomeValue(
                            participant: "P\(person)", run: "R\(person)", session: 1, place: 1, task: "T",
                            round: .init(condition: "t\(word)", levels: [name, mood]), before: nil,
                            value: own + effect + 20 * random.normal())
                    }
                }
            }
        }
    }

    private func found(_ result: OutcomeResult) throws -> ConditionContrasts {
        guard case .conditions(let found) = result.finding else {
            throw WireFailure("\(result.finding), \(result.remarks)")
        }
        return found
    }

    /// Of two columns with two values, the test is that of each person's difference of differences.
    @Test func `whether one column depends on another is a test of differences of differences`() throws {
        var random = SeededRandom(seed: 5)
        let values = trials(moods: ["calm", "dark"], &random)
        let result = OutcomeResult(testing: Self.outcome(["congruence", "mood"]), values)
        let contrasts = try found(result)
        let people = Dictionary(grouping: values, by: \.participant).values.map { own in
            let mean = { (levels: [String]) in own.filter { $0.round.levels == levels }.map(\.value).mean }
            return mean(["congruent", "calm"]) - mean(["incongruent", "calm"]) - mean(["congruent", "dark"])
                + mean(["incongruent", "dark"])
        }
        let pairs = try #require(PairedDifference(people, using: &random))
        let deviation = try #require(pairs.deviation)
        let t = pairs.mean / (deviation / 12.0.squareRoot())
        #expect(contrasts.conditions.count == 4 && contrasts.crossing == ["congruence", "mood"])
        #expect(
            contrasts.contrasts.map { "\($0.first) - \($0.second)" } == [
                "congruent, calm - incongruent, calm", "congruent, dark - incongruent, dark",
                "(congruent - incongruent) in calm - in dark",
            ])
        let last = try #require(contrasts.contrasts.last)
        #expect(abs(last.estimate - pairs.mean) < 1e-9 && last.participants == 12)
        #expect(contrasts.omnibus.numerator == 1 && abs(contrasts.omnibus.f / (t * t) - 1) < 1e-6)
        #expect(abs(last.t - t) < 1e-6 && abs(last.degrees - 11) < 1e-6)
        #expect(result.answer[0].hasPrefix("What congruence does depends on mood: F(1, 11.0) = "))
        #expect(result.title == "Primary outcome, reaction time in trial by congruence and mood")
    }

    @Test func `three values of the second column have three differences of differences`() throws {
        var random = SeededRandom(seed: 6)
        let values = trials(moods: ["calm", "dark", "light"], &random)
        let contrasts = try found(OutcomeResult(testing: Self.outcome(["congruence", "mood"]), values))
        #expect(contrasts.contrasts.count == 6 && contrasts.omnibus.numerator == 2)
        let f = Self.interaction(values, ["congruent", "incongruent"], ["calm", "dark", "light"])
        #expect(abs(contrasts.omnibus.f / f - 1) < 1e-6 && abs(contrasts.omnibus.denominator - 22) < 1e-6)
        let lacking = values.filter { $0.round.levels != ["incongruent", "light"] }
        let result = OutcomeResult(testing: Self.outcome(["congruence", "mood"]), lacking)
        #expect(result.p == nil && result.remarks.contains { $0.contains("a combination of the two") })
    }

    /// F of the analysis of variance of repeated measures: the mean squares of the interaction, and of what people differ
    /// in there.
    private static func interaction(_ values: [OutcomeValue], _ firsts: [String], _ seconds: [String])
        -> Double
    {
        let people = Dictionary(grouping: values, by: \.participant).values.map { own in
            firsts.map { first in
                seconds.map { second in own.filter { $0.round.levels == [first, second] }.map(\.value).mean }
            }
        }
        let centred = people.map { cells -> [[Double]] in
            let rows = cells.map(\.mean)
            let columns = seconds.indices.map { column in cells.map { $0[column] }.mean }
            return cells.indices.map { row in
                seconds.indices.map { cells[row][$0] - rows[row] - columns[$0] + rows.mean }
            }
        }
        var (explained, left) = (0.0, 0.0)
        for row in firsts.indices {
            for column in seconds.indices {
                let own = centred.map { $0[row][column] }
                explained += Double(people.count) * own.mean * own.mean
                left += own.reduce(0) { $0 + ($1 - own.mean) * ($1 - own.mean) }
            }
        }
        return explained / (left / Double(people.count - 1))
    }

    /// The names of the conditions, and the arms, do not matter.
    @Test func `one column is compared as if its values were the conditions`() throws {
        var random = SeededRandom(seed: 7)
        var values = trials(moods: ["calm"], &random).map { value in
            var value = value
            value.round.levels.removeLast()
            return value
        }
        let plain = values.map { value in
            var value = value
            value.round = .init(condition: value.round.levels[0])
            return value
        }
        let other = try found(OutcomeResult(testing: Self.outcome([]), plain))
        for index in values.indices { values[index].arm = values[index].participant < "P5" ? "a" : "b" }
        let result = OutcomeResult(testing: Self.outcome(["congruence"]), values)
        let own = try found(result)
        #expect(own.conditions == ["congruent", "incongruent"] && own.factor == .level)
        #expect(own.omnibus.f == other.omnibus.f && own.contrasts[0].estimate == other.contrasts[0].estimate)
        #expect(result.answer[0].contains("by congruence differ between the 2 levels"))
        #expect(result.armsByConditions?.factor == .level)
        #expect(result.lines.contains { $0.contains("(congruent - incongruent) in a - in b") })
    }

    @Test func `the values of a column come from the nearest round, and those of an attribute from the clip`()
    {
        var session = RecordedSession(
            run: "R", study: "s", task: "T", participant: "P1", session: 1,
            text: StudyText(revision: 1, sha256: ""), origin: .recorded, manifest: "",
            start: "2026-11-21T09:00:00.000Z", duration: 60, status: "completed", isRecovered: false,
            isClockAdjusted: false, samples: 0, beats: 0)
        session.arm = nil
        var listen = RecordedRun.Step(name: "m.listen", visit: 1, isSkipped: false, end: 1)
        (listen.stimulus, listen.clipValues) = ("calm01", ["mood": "calm"])
        var rated = RecordedRun.Step(name: "m.pleasant", visit: 1, isSkipped: false, end: 2)
        rated.values = ["mode": "minor"]
        rated.answers = [.init(question: "pleasant", clip: "calm01", value: 4)]
        let run = RecordedRun(session: session, steps: [listen, rated])
        let levels = { (factors: [Identifier]) in
            let outcome = Outcome(
                rank: .usual, measure: .answer,
                subject: .init(name: "pleasant", steps: ["m.pleasant"], item: "pleasant"), by: factors)
            return OutcomesOfRun(run, [outcome]).values[outcome]?.map(\.round.levels)
        }
        #expect(levels(["mood"]) == [["calm"]] && levels(["mode", "mood"]) == [["minor", "calm"]])
        #expect(levels(["tempo"]) == [[]] && levels([]) == [[]])
    }
}
