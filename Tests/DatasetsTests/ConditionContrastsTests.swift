import StudyTesting
import Testing

@testable import Analysing
@testable import Datasets
@testable import Physiology
@testable import Statistics

@Suite struct MixedModelTests {
    private let people = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5]
    private let clips = Array("abcbcacabacbbacab")
    private let places = [1.0, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 3]
    private let rests = [60.0, 62, 61, 71, 70, 73, 66, 64, 65, 58, 59, 57, 75, 77, 74, 68, 69]
    private let changes = [1.0, 3.5, 2, 5, 6.5, 2.5, 1.5, -1, 2, 4, 6, 7.5, 3, 0.5, 2, 2.5, 5.5]

    private func isNear(_ found: Double?, _ wanted: Double, _ tolerance: Double = 1e-5) -> Bool {
        found.map { abs($0 - wanted) <= tolerance * max(1, abs(wanted)) } ?? false
    }

    private var columns: [[Double]] {
        [
            people.map { _ in 1 }, clips.map { $0 == "b" ? 1 : 0 }, clips.map { $0 == "c" ? 1 : 0 },
            places.map { $0 == 2 ? 1 : 0 }, places.map { $0 == 3 ? 1 : 0 },
        ]
    }

    private func centred(_ values: [Double]) -> (mean: [Double], own: [Double]) {
        let means = people.map { person in
            let own = zip(people, values).filter { $0.0 == person }.map(\.1)
            return own.reduce(0, +) / Double(own.count)
        }
        return (means, zip(values, means).map { $0 - $1 })
    }

    /// By lmerTest 3.1-3 of R 4.2:
    ///
    ///     mean <- ave(rest, participant); restMean <- mean - mean(mean); restOwn <- rest - mean
    ///     m <- lmer(change ~ clip + factor(place) + restMean + restOwn + (1 | participant))
    ///     contestMD(m, diag(7)[2:3, ]); contest1D(m, c(0, -1, 0, 0, 0, 0, 0)) …
    @Test func `gives what lmerTest gives`() throws {
        let rest = centred(rests)
        let model = try #require(MixedModel(changes, on: columns + [rest.mean, rest.own], groups: people))
        #expect(isNear((model.ratio * model.residualVariance).squareRoot(), 2.071386124))
        #expect(isNear(model.residualVariance.squareRoot(), 0.720417433))
        let test = try #require(model.test(of: [1, 2]))
        #expect(isNear(test.f, 23.249004508) && test.numerator == 2)
        #expect(isNear(test.denominator, 6.039666953, 1e-4))
        #expect(isNear(StudentT.share(aboveF: test.f, 2, test.denominator), 0.001455438, 1e-6))
        for (weights, value, error, degrees) in [
            ([1: -1], -2.8995493028, 0.4365944334, 6.0254878163),
            ([2: -1], -2.1650780713, 0.4661539567, 6.0520724482),
            ([1: 1, 2: -1], 0.7344712315, 0.4532951560, 6.0431875832),
        ] as [([Int: Double], Double, Double, Double)] {
            let estimate = try #require(model.estimate(weights))
            #expect(isNear(estimate.value, value) && isNear(estimate.error, error))
            #expect(isNear(estimate.degrees, degrees, 1e-4))
        }
    }

    /// By lmerTest: change less each participant's mean on clip and place, a singular fit.
    @Test func `is singular where participants do not differ`() throws {
        let model = try #require(MixedModel(centred(changes).own, on: columns, groups: people))
        #expect(model.ratio == 0 && isNear(model.residualVariance.squareRoot(), 0.56218))
        let test = try #require(model.test(of: [1, 2]))
        #expect(isNear(test.f, 39.30612571) && isNear(test.denominator, 12))
    }

    @Test func `leaves out what is made up of columns before, and knows nothing of it`() throws {
        let doubled = columns + [zip(columns[1], columns[4]).map { 3 * $0 - 2 * $1 }]
        let model = try #require(MixedModel(changes, on: doubled, groups: people))
        #expect(model.kept == [0, 1, 2, 3, 4])
        #expect(model.estimate([5: 1]) == nil && model.estimate([1: 1]) != nil)
    }

    @Test func `is none where nothing varies or no row is left`() {
        #expect(MixedModel(people.map { _ in 3 }, on: columns, groups: people) == nil)
        #expect(MixedModel(people.map(Double.init), on: columns, groups: people) == nil)
        #expect(MixedModel([1, 2], on: [[1, 1], [0, 1]], groups: [0, 1]) == nil)
    }

    @Test func `eigenvectors turn a matrix into its eigenvalues`() {
        var random = SeededRandom(seed: 4)
        var matrix = SymmetricMatrix(size: 7)
        for _ in 0..<9 { matrix.add((0..<7).map { _ in Double(random.next() % 1000) / 500 - 1 }) }
        for (value, vector) in matrix.eigenpairs {
            for (found, own) in zip(matrix.times(vector), vector) {
                #expect(abs(found - value * own) < 1e-12)
            }
        }
    }
}

@Suite struct ConditionContrastsTests {
    private func contrasts(_ responses: [ClipResponse]) throws -> ConditionContrasts {
        var random = SeededRandom(seed: 1)
        return try ConditionContrasts(
            ConditionContrasts.Measure.heartRate.rows(of: responses, .clip), .heartRate, .clip,
            drawnFlips: 199,
            using: &random)
    }

    private static let orders = ["abdc", "bcad", "cdba", "dacb"].map { $0.map(String.init) }

    /// Four clips in Williams' orders; effects and what they carry over are by clip.
    private func crossover(
        of people: Int = 24, effects: [String: Double] = [:], carried: [String: Double] = [:],
        settling: Double = 0, orders: [[String]] = orders, _ random: inout SeededRandom
    ) throws -> [ClipResponse] {
        try (0..<people).flatMap { person in
            let (resting, own) = (65 + 8 * random.normal(), 2 * random.normal())
            let order = orders[person % orders.count]
            return try order.enumerated().map { place, clip in
                let before = place > 0 ? order[place - 1] : nil
                let wander = 1.5 * random.normal()
                // The heart settles after rest, most in the first clip.
                let settled = -settling / Double(place + 1)
                let change =
                    own + settled + effects[clip, default: 0] + carried[before ?? "", default: 0]
                    + 2 * random.normal() - 0.5 * wander
                return try ClipResponse(
                    "P\(person)", place: place + 1, clip: clip, before: before, rest: resting + wander,
                    change: change)
            }
        }
    }

    /// 200 crossovers each; 2,000 gave 4.9 to 5.9 % by F and by flips, 4.1 to 4.7 % after Holm, and cover 94.5 to 94.8 %.
    @Test(arguments: [0, 6], [[:], ["a": 1, "b": 3, "d": -2]] as [[String: Double]])
    func `is wrong as seldom as it says, whatever settles or is carried over`(
        settling: Double, carried: [String: Double]
    ) throws {
        var random = SeededRandom(seed: 11)
        var (omnibus, flips, family, covered) = (0, 0, 0, 0)
        for _ in 0..<200 {
            let found = try contrasts(crossover(carried: carried, settling: settling, &random))
            omnibus += found.omnibus.p <= 0.05 ? 1 : 0
            flips += found.omnibus.flips.p <= 0.05 ? 1 : 0
            family += found.contrasts.contains { $0.correctedP <= 0.05 } ? 1 : 0
            covered += found.contrasts.count { $0.interval.contains(0) }
        }
        #expect(omnibus <= 16 && flips <= 18 && family <= 16, "\(omnibus), \(flips), \(family) of 200")
        #expect((1110...1170).contains(covered), "\(covered) of 1200")
    }

    @Test func `finds an effect, and its size`() throws {
        var random = SeededRandom(seed: 3)
        let found = try contrasts(crossover(effects: ["a": 4, "b": 2], settling: 6, &random))
        #expect(found.omnibus.p < 0.001 && found.omnibus.flips.p <= 0.01)
        let largest = try #require(found.contrasts.first { $0.first == "a" && $0.second == "d" })
        #expect(largest.interval.contains(4) && largest.correctedP < 0.001 && largest.participants == 24)
        #expect(found.adjustments.map(\.kind) == [.place, .rest, .before])
        #expect(found.adjustments.allSatisfy { $0.kept == $0.columns })
    }

    @Test func `corrects after Holm`() throws {
        var random = SeededRandom(seed: 5)
        let found = try contrasts(crossover(effects: ["a": 1], &random)).contrasts.sorted { $0.p < $1.p }
        #expect(found.count == 6 && found[0].correctedP == min(1, 6 * found[0].p))
        for (one, next) in zip(found, found.dropFirst()) { #expect(one.correctedP <= next.correctedP) }
        #expect(found.allSatisfy { $0.correctedP >= $0.p })
    }

    @Test func `one order for all leaves the place out and says so`() throws {
        var random = SeededRandom(seed: 6)
        let found = try contrasts(crossover(orders: [["a", "b", "c", "d"]], &random))
        #expect(found.adjustments.first { $0.kind == .place }?.kept == 0)
        #expect(found.adjustments.first { $0.kind == .before }?.kept == 0)
        #expect(
            found.remarks.contains {
                $0.hasPrefix(
                    "3 of 3 differences of the place in the session cannot be separated from the clips")
            })
        #expect(found.remarks.contains { $0.hasPrefix("It does not adjust for the clip before, which") })
    }

    @Test func `leaves the clip before out where the orders hardly tell it, and says so`() throws {
        var random = SeededRandom(seed: 8)
        // a is followed by b except for two participants.
        let orders = Array(repeating: ["a", "b"], count: 11) + [["b", "a"]]
        let found = try contrasts(crossover(orders: orders, &random))
        #expect(found.adjustments.first { $0.kind == .before }?.kept == 0)
    }

    @Test func `takes incomplete participants, and says how many`() throws {
        var random = SeededRandom(seed: 7)
        var responses = try crossover(of: 12, &random)
        responses.removeAll { $0.participant == "P3" && $0.clip == "a" }
        responses.removeAll { $0.participant == "P5" && $0.clip != "d" }
        let found = try contrasts(responses)
        #expect(found.participants == 12 && found.incompleteParticipants == 2 && found.responses == 44)
        #expect(found.contrasts.first { ($0.first, $0.second) == ("a", "b") }?.participants == 10)
        #expect(
            found.remarks.contains("2 participants of 12 lack some clips and count with those they have."))
    }

    @Test func `names what lies far from the model`() throws {
        var random = SeededRandom(seed: 9)
        var responses = try crossover(&random)
        let usual = try contrasts(responses)
        #expect(usual.outliers.isEmpty)
        let far = responses[10]
        responses[10] = try ClipResponse(
            far.participant, place: far.place, clip: far.clip, before: far.before?.name,
            rest: far.heartRate.baseline, change: far.change + 40)
        let found = try contrasts(responses).outliers
        #expect(found.map(\.participant) == [far.participant] && found.map(\.clip) == [far.clip])
    }

    @Test func `compares nothing within participants who heard one clip each`() throws {
        var random = SeededRandom(seed: 2)
        let responses = try crossover(orders: [["a"], ["b"]], &random)
        #expect(throws: NoContrasts.self) { try contrasts(responses) }
        let flat = try ["P1", "P2", "P3"].flatMap { person in
            try ["a", "b"].enumerated().map { place, clip in
                try ClipResponse(person, place: place + 1, clip: clip, before: nil, rest: 60, change: 0)
            }
        }
        #expect(throws: NoContrasts.self) { try contrasts(flat) }
    }

    @Test func `sign flips are the same for the same seed, and all of them for a few`() throws {
        var random = SeededRandom(seed: 12)
        let few = try contrasts(crossover(of: 8, &random)).omnibus.flips
        #expect(few.isExact && few.count == 256)
        let many = try crossover(&random)
        let (one, two) = (try contrasts(many).omnibus.flips, try contrasts(many).omnibus.flips)
        #expect(!one.isExact && one.p == two.p && one.count == 199)
    }
}
