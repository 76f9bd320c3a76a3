import Results
import StudyModel
import StudyTesting
import Testing

@testable import Analysing
@testable import Datasets
@testable import Physiology
@testable import Statistics

/// Outcomes with several values of a participant in a condition.
@Suite struct ManyValuesTests {
    private static func value(
        _ person: Int, _ value: Double, place: Int = 1, arm: String? = nil, condition: String? = nil
    ) -> OutcomeValue {
        OutcomeValue(
            participant: "P\(person)", run: "R\(person)", session: 1, place: place, task: "T", arm: arm,
            round: .init(condition: condition), before: nil, value: value)
    }

    private static let reactions = Outcome(
        rank: .primary, measure: .reactionTime, subject: .init(name: "react", steps: ["b.react"]))

    /// Reaction times of 20 people: 20 trials in each condition, whose effect differs from person to person and is 0 on
    /// average.
    private func reactionTimes(conditions: [String], _ random: inout SeededRandom) -> [OutcomeValue] {
        (0..<20).flatMap { person in
            let own = 400 + 60 * random.normal()
            let effects = conditions.map { _ in 40 * random.normal() }
            return (0..<20 * conditions.count).map { trial in
                let place = trial % conditions.count
                return Self.value(
                    person, own + effects[place] + 80 * random.normal(), place: trial + 1,
                    condition: conditions[place])
            }
        }
    }

    /// 2,000 studies gave 5.1 % with two conditions and 5.5 % with three, and intervals covered 94.9 %.
    @Test(arguments: [["a", "b"], ["a", "b", "c"]])
    func `many trials of few people find no more than they should`(conditions: [String]) {
        var random = SeededRandom(seed: 19)
        var (found, covered) = (0, 0)
        for _ in 0..<400 {
            let result = OutcomeResult(
                testing: Self.reactions, reactionTimes(conditions: conditions, &random))
            found += result.p.map { $0 <= 0.05 } == true ? 1 : 0
            covered += result.contrasts.first?.interval.contains(0) == true ? 1 : 0
        }
        #expect((8...32).contains(found) && covered >= 366, "\(found) and \(covered) of 400")
    }

    @Test(arguments: [
        (Outcome.Measure.answer, 2, 1.0, "means are shares"), (.answer, 9, 1, "equal distances"),
        (.score, 5, 1, "equal distances"), (.answer, 9, 0.5, ""), (.answer, 101, 1, ""),
        (.reactionTime, 9, 1, ""),
    ])
    func `what answers are treated as is said`(
        measure: Outcome.Measure, steps: Int, unit: Double, words: String
    ) {
        var random = SeededRandom(seed: 2)
        let asked = Outcome(rank: .primary, measure: measure, subject: .init(name: "q", steps: ["b.q"]))
        let values = (0..<40).flatMap { person in
            ["a", "b"].map { condition in
                Self.value(person, unit * Double(Int(random.next() % UInt64(steps))), condition: condition)
            }
        }
        let remarks = OutcomeResult(testing: asked, values).remarks.filter { $0.contains("interval scale") }
        #expect(remarks.count == (words.isEmpty ? 0 : 1))
        #expect(words.isEmpty || remarks.first?.contains(words) == true, "\(remarks)")
    }

    /// The mixed model of two means for each person is the test of pairs.
    @Test func `two conditions are tested like pairs of means`() throws {
        var random = SeededRandom(seed: 4)
        let trials = reactionTimes(conditions: ["a", "b"], &random).map { trial in
            var trial = trial
            trial.place = 1
            return trial
        }
        let result = OutcomeResult(testing: Self.reactions, trials)
        guard case .conditions(let found) = result.finding else {
            Issue.record("\(result.finding)")
            return
        }
        #expect(found.responses == 800 && found.means == 40 && found.contrasts[0].degrees > 18.999)
        let differences = (0..<20).map { person in
            let own = trials.filter { $0.participant == "P\(person)" }
            return ["a", "b"].map { name in
                own.filter { $0.round.condition == name }.reduce(0) { $0 + $1.value } / 20
            }
        }.map { $0[0] - $0[1] }
        let pairs = try #require(PairedDifference(differences, using: &random))
        let interval = try #require(pairs.interval)
        #expect(abs(found.contrasts[0].estimate - pairs.mean) < 1e-6)
        #expect(abs(found.contrasts[0].interval.lowerBound - interval.lowerBound) < 1e-4)
        #expect(found.remarks[0].hasPrefix("Mixed model by REML of 40 means, each of a participant's values"))
    }

    /// By statsmodels: `anova_oneway(groups, use_var="unequal", welch_correction=True)`.
    @Test func `arms of unequal spread are compared by Welch's tests, and the text says so`() throws {
        let groups = [
            ("a", [5.0, 6, 5.5, 6.5, 5.2, 6.1]), ("b", [4.0, 9, 1, 12, 7, 3, 10]),
            ("c", [7.0, 7.5, 8.1, 6.9]),
        ]
        let values = groups.enumerated().flatMap { place, group in
            group.1.enumerated().map { Self.value(10 * place + $0, $1, arm: group.0) }
        }
        let result = OutcomeResult(testing: Self.reactions, values)
        guard case .arms(let found) = result.finding, let omnibus = found.omnibus else {
            Issue.record("\(result.finding)")
            return
        }
        #expect(found.method == .welch && found.contrasts.count == 3)
        #expect(
            abs(omnibus.f - 9.723244867242563) < 1e-9 && abs(omnibus.denominator - 8.537928116202716) < 1e-9)
        #expect(abs(omnibus.p - 0.0062961742853435455) < 1e-9)
        #expect(result.answer.contains { $0.hasPrefix("The arms differ in spread: SD ") })
        #expect(found.contrasts.allSatisfy { $0.degrees < 16 })
    }

    @Test func `conditions of unequal spread are told, and alike ones are not`() throws {
        var random = SeededRandom(seed: 6)
        func told(_ deviations: [Double]) -> [String] {
            let values = (0..<20).flatMap { person -> [OutcomeValue] in
                let own = 8 * random.normal()
                return deviations.enumerated().map { place, deviation in
                    Self.value(
                        person, own + deviation * random.normal(), place: 1, condition: "c\(place)")
                }
            }
            return OutcomeResult(testing: Self.reactions, values).answer
                .filter { $0.contains("differ in spread") }
        }
        #expect(told([2, 2, 2]).isEmpty && told([2, 2]).isEmpty)
        #expect(told([1, 1, 6]).first?.contains("ε allows for that in p") == true)
    }
}
