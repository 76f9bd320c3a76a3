import StudyModel
import StudyTesting
import Testing

@testable import Analysing
@testable import Datasets
@testable import Physiology
@testable import Statistics

@Suite struct PowerSimulationTests {
    private typealias Change = (inout SeededRandom, Int) -> [OutcomeValue]

    private static func outcome(relativeTo reference: String?) throws -> Outcome {
        Outcome(
            rank: .primary, measure: .answer,
            subject: .init(name: "calm", steps: ["calm"], item: Identifier("calm")),
            reference: reference.map { .init(name: $0, steps: [$0], item: Identifier("calm")) })
    }

    private static func value(
        _ person: Int, _ value: Double, place: Int = 1, arm: String? = nil, condition: String? = nil,
        isRelative: Bool = false
    ) -> OutcomeValue {
        OutcomeValue(
            participant: "P\(person)", run: "R\(person)", session: 1, place: place, task: "T", arm: arm,
            round: .init(condition: condition), before: nil, value: value, baseline: isRelative ? 0 : nil)
    }

    /// Analyses studies of forty normal participants.
    private static func simulation(
        _ outcome: Outcome, effect: Double, in name: String? = nil, participants: [Int], studies: Int = 400,
        _ values: Change
    ) throws -> PowerSimulation {
        var simulation = PowerSimulation(of: outcome, effect: effect, in: name, participants: participants)
        var (random, chance) = (SeededRandom(seed: 42), SeededRandom(seed: 43))
        for _ in 0..<studies {
            let all = (1...40).flatMap { values(&random, $0) }
            try simulation.add(
                SimulatedStudy(participants: (1...40).map { "P\($0)" }, values: all), using: &chance)
        }
        return simulation
    }

    /// People who differ in the effect add their variance to that of the differences, with the effect and without it.
    @Test func `people who differ in the effect have less power`() throws {
        func found(_ differing: Double) throws -> PowerSimulation.Design {
            var simulation = PowerSimulation(
                of: try Self.outcome(relativeTo: nil), effect: 1, differing: differing, in: "b",
                participants: [40])
            var (random, chance) = (SeededRandom(seed: 5), SeededRandom(seed: 6))
            for _ in 0..<300 {
                let values = (1...40).flatMap { person in
                    ["a", "b"].map { Self.value(person, random.normal(), condition: $0) }
                }
                try simulation.add(
                    SimulatedStudy(participants: (1...40).map { "P\($0)" }, values: values), using: &chance)
            }
            return try #require(simulation.designs.first)
        }
        let (alike, differing) = (try found(0), try found(3))
        #expect(alike.found.share > 0.95 && differing.found.share < 0.7)
        #expect(differing.falselyFound.interval.contains(0.05), "\(differing.falselyFound)")
        let (narrow, wide) = (try #require(alike.meanError), try #require(differing.meanError))
        #expect(abs(wide / narrow - (11.0 / 2).squareRoot()) < 0.15)
    }

    /// Power by the noncentral t, which other tests compare with statsmodels.
    @Test func `paired values have the power of the noncentral t`() throws {
        let found = try Self.simulation(
            Self.outcome(relativeTo: "before"), effect: 1, participants: [30, 10, 20, 20], studies: 1000
        ) { random, person in [Self.value(person, 2 * random.normal(), isRelative: true)] }
        #expect(found.target == .everyValue && found.designs.map(\.participants) == [10, 20, 30])
        for design in found.designs {
            let power = PowerEstimate.power(effect: 0.5, count: design.participants)
            #expect(design.found.interval.contains(power), "\(design.participants): \(design.found) \(power)")
            #expect(
                design.falselyFound.interval.contains(0.05), "\(design.participants): \(design.falselyFound)")
            #expect(design.found.studies == 1000 && design.found.withoutAnswer == 0)
            let estimate = try #require(design.meanEstimate)
            #expect(abs(estimate - 1) < 0.06)
            let (error, width) = (try #require(design.meanError), try #require(design.meanWidth))
            #expect(abs(error - 2 / Double(design.participants).squareRoot()) < 0.04)
            #expect(width > 3.9 * error && width < 4.6 * error)
        }
        #expect(found.fewest(power: 0.7) == 30 && found.fewest(power: 0.8) == nil)
    }

    /// By statsmodels 0.15: `TTestIndPower().power(0.8, 20, 0.05)` is 0.6934.
    @Test func `arms have the power of Welch's test`() throws {
        let found = try Self.simulation(
            Self.outcome(relativeTo: nil), effect: -0.8, in: "quiet", participants: [40]
        ) { random, person in
            [Self.value(person, random.normal(), arm: person.isMultiple(of: 2) ? "music" : "quiet")]
        }
        #expect(found.target == .arm("quiet") && found.designs[0].found.interval.contains(0.6934))
        #expect(found.designs[0].falselyFound.interval.contains(0.05))
        // The contrast is music minus quiet; the effect is that of quiet.
        let estimate = try #require(found.designs[0].meanEstimate)
        #expect(abs(estimate + 0.8) < 0.05)
    }

    @Test func `two conditions within participants have the power of the paired test`() throws {
        let found = try Self.simulation(
            Self.outcome(relativeTo: nil), effect: 0.8, participants: [16], studies: 300
        ) { random, person in
            let own = 5 * random.normal()
            let order = person.isMultiple(of: 2) ? ["a", "b"] : ["b", "a"]
            return order.enumerated().map { place, name in
                Self.value(person, own + random.normal(), place: place + 1, condition: name)
            }
        }
        #expect(found.target == .condition(.condition, "b"))
        // The place takes one degree of freedom, which the paired test has.
        let power = PowerEstimate.power(effect: 0.8 / 2.0.squareRoot(), count: 16)
        #expect(found.designs[0].found.interval.contains(power - 0.01), "\(found.designs) \(power)")
        #expect(found.designs[0].falselyFound.interval.contains(0.05))
    }

    @Test func `what has no test or no place for the effect is refused`() throws {
        func problem(_ outcome: Outcome, in name: String? = nil, _ values: Change) -> PowerProblem? {
            do throws(PowerProblem) {
                var simulation = PowerSimulation(of: outcome, effect: 1, in: name, participants: [6])
                var random = SeededRandom(seed: 1)
                var chance = SeededRandom(seed: 43)
                let all = (1...6).flatMap { values(&random, $0) }
                try simulation.add(
                    SimulatedStudy(participants: (1...6).map { "P\($0)" }, values: all), using: &chance)
                return nil
            } catch { return error }
        }
        let (alone, relative) = (try Self.outcome(relativeTo: nil), try Self.outcome(relativeTo: "before"))
        let three: Change = { random, person in
            ["a", "b", "c"].map { Self.value(person, random.normal(), condition: $0) }
        }
        #expect(problem(alone) { _, _ in [] } == .noValues)
        #expect(
            problem(alone) { random, person in [Self.value(person, random.normal())] } == .nothingToCompare)
        #expect(problem(alone, three) == .severalConditions(["a", "b", "c"]))
        #expect(problem(alone, in: "d", three) == .unknownCondition("d", among: ["a", "b", "c"]))
        #expect(problem(alone, in: "c", three) == nil)
        let changes: Change = { random, person in [Self.value(person, random.normal(), isRelative: true)] }
        #expect(problem(relative, in: "a", changes) == .noConditions("a"))
        #expect(problem(relative, changes) == nil)
    }

    @Test func `a study that is too small for a test finds nothing, and is counted`() throws {
        let found = try Self.simulation(
            Self.outcome(relativeTo: nil), effect: 9, in: "quiet", participants: [2, 12], studies: 30
        ) { random, person in
            [Self.value(person, random.normal(), arm: person.isMultiple(of: 2) ? "music" : "quiet")]
        }
        #expect(found.designs[0].found.withoutAnswer == 30 && found.designs[0].found.found == 0)
        #expect(found.designs[0].meanWidth == nil && found.designs[1].found.found == 30)
        #expect(found.answer.contains { $0.contains("30 of 2 participants") })
        #expect(found.fewest(power: 0.8) == 12)
    }

    /// By statsmodels 0.15: `proportion_confint(k, n, method='wilson')`.
    @Test func `the error of the simulation is Wilson's interval`() {
        func interval(_ found: Int, of studies: Int) -> ClosedRange<Double> {
            var tally = PowerSimulation.Tally()
            for number in 0..<studies { tally.add(p: number < found ? 0.05 : 0.050_001) }
            return tally.interval
        }
        for (found, studies, low, high) in [
            (160, 200, 0.7391, 0.8495), (0, 20, 0, 0.1611), (20, 20, 0.8389, 1.0),
        ] {
            let own = interval(found, of: studies)
            #expect(abs(own.lowerBound - low) < 1e-4 && abs(own.upperBound - high) < 1e-4, "\(own)")
        }
    }
}
