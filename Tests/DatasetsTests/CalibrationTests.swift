import StudyModel
import StudyTesting
import Testing

@testable import Analysing
@testable import Physiology

@Suite struct CalibrationTests {
    private static func outcome(relativeTo reference: String? = nil) throws -> Outcome {
        Outcome(
            rank: .primary, measure: .answer,
            subject: .init(name: "calm", steps: ["calm"], item: Identifier("calm")),
            reference: reference.map { .init(name: $0, steps: [$0], item: Identifier("calm")) })
    }

    private static func value(
        _ person: Int, _ value: Double, arm: String? = nil, condition: String? = nil, baseline: Double? = nil
    ) -> OutcomeValue {
        OutcomeValue(
            participant: "P\(person)", run: "R\(person)", session: 1, place: 1, task: "T", arm: arm,
            round: .init(condition: condition), before: nil, value: value + (baseline ?? 0),
            baseline: baseline)
    }

    private static func calibration(
        _ values: [OutcomeValue], relativeTo reference: String? = nil, studies: Int = 400, seed: UInt64 = 1
    ) async throws -> (result: OutcomeResult, found: Calibration?) {
        let result = OutcomeResult(testing: try outcome(relativeTo: reference), values)
        return (
            result,
            try await Calibration(of: result, values, studies: studies) {
                SeededRandom(seed: seed &+ UInt64($0))
            }
        )
    }

    @Test func `a test of equal normal groups is wrong in one of twenty studies`() async throws {
        var random = SeededRandom(seed: 3)
        let values = (0..<24).map { Self.value($0, random.normal(), arm: $0.isMultiple(of: 2) ? "a" : "b") }
        let (result, calibration) = try await Self.calibration(values)
        let found = try #require(calibration)
        // As SciPy's `ttest_ind(a, b, equal_var=False)` finds with the same numbers.
        #expect(found.studies.found == 24 && found.asSmall == 289)
        #expect(found.studies.studies == 400 && found.studies.withoutAnswer == 0)
        #expect(found.studies.interval.contains(0.05) && abs(found.coverage - 0.95) < 0.02)
        #expect(found.intervals == 400 && found.covering == 400 - found.studies.found)
        // Where the test is right, both p are the same.
        #expect(abs(found.p - (try #require(result.p))) < 0.05)
        #expect(found.sentence.contains("of 400 studies without an effect"))
        let again = try #require(try await Self.calibration(values).found)
        let other = try #require(try await Self.calibration(values, seed: 77).found)
        #expect(again.asSmall == found.asSmall && other.asSmall != found.asSmall)
    }

    /// Welch's F finds too much between many small arms. With statsmodels' `anova_oneway(use_var="unequal")` p is below 0.05 in
    /// 13 % of studies with ten equal arms of three people.
    @Test func `a test that errs is found out`() async throws {
        var random = SeededRandom(seed: 4)
        let values = (0..<30).map { Self.value($0, random.normal(), arm: "arm\($0 % 10)") }
        let found = try #require(try await Self.calibration(values).found)
        #expect(found.studies.share > 0.08 && found.studies.interval.lowerBound > 0.05, "\(found.studies)")
    }

    @Test func `the null model has the spread of the values and their design`() async throws {
        var random = SeededRandom(seed: 8)
        // Arms with their own spread of people, and of the values of each.
        let arms = (0..<400).flatMap { person in
            let isWide = person.isMultiple(of: 2)
            let own = (isWide ? 3.0 : 1) * random.normal()
            return (0..<4).map { _ in
                Self.value(person, own + (isWide ? 1 : 2) * random.normal(), arm: isWide ? "wide" : "narrow")
            }
        }
        let ofArms = try #require(try await Self.calibration(arms, studies: 1).found).model
        #expect(ofArms.ofPeople == 0)
        for (name, between, within) in [("wide", 3.0, 1.0), ("narrow", 1, 2)] {
            let own = try #require(ofArms.groups[name])
            #expect(abs(own.between - between) < 0.1 * between && abs(own.within - within) < 0.1 * within)
        }
        // Conditions, of which one varies more; some values are missing.
        let spread = ["a": 1.0, "b": 1, "c": 2.5]
        let conditions = (0..<400).flatMap { person in
            let own = 2 * random.normal()
            return spread.sorted { $0.key < $1.key }.compactMap { name, spread in
                let value = own + spread * random.normal()
                return person % 9 == 0 && name == "b" ? nil : Self.value(person, value, condition: name)
            }
        }
        let (_, found) = try await Self.calibration(conditions, studies: 200)
        let calibration = try #require(found)
        for (name, wanted) in spread {
            let own = try #require(calibration.model.groups[name])
            #expect(abs(own.between - wanted) < 0.15 * wanted + 0.1, "\(name) \(own)")
            #expect(own.within == 0)
        }
        #expect(abs(calibration.model.ofPeople - 2) < 0.5 && calibration.studies.interval.contains(0.05))
        let drawn = calibration.model.draw(conditions, using: &random)
        #expect(drawn.map(\.participant) == conditions.map(\.participant))
        #expect(drawn.map(\.round) == conditions.map(\.round))
    }

    @Test func `pairs keep their baselines, and a mean has no test`() async throws {
        var random = SeededRandom(seed: 5)
        let pairs = (0..<20).map { Self.value($0, 1 + random.normal(), baseline: 10 * random.normal()) }
        let (result, found) = try await Self.calibration(pairs, relativeTo: "before")
        let calibration = try #require(found)
        #expect(calibration.studies.interval.contains(0.05) && calibration.p < 0.1)
        #expect((result.p ?? 1) < 0.05)
        #expect(calibration.model.draw(pairs, using: &random).map(\.baseline) == pairs.map(\.baseline))
        #expect(
            try await Self.calibration(
                pairs.map { own in
                    var own = own
                    own.baseline = nil
                    return own
                }
            ).found == nil)
    }
}
