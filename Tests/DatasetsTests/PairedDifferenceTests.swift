import StudyTesting
import Testing

@testable import Datasets
@testable import Statistics

@Suite struct PairedDifferenceTests {
    /// From tables of Student's distribution.
    @Test(
        arguments: zip(
            [1, 2, 5, 10, 23, 39, 120],
            [12.706204736, 4.302652730, 2.570581836, 2.228138852, 2.068657610, 2.022690911, 1.979930405]))
    func `knows Student's quantiles`(degrees: Int, quantile: Double) {
        #expect(abs(StudentT(degrees: degrees).quantile(0.975) - quantile) < 1e-8)
    }

    @Test(arguments: 1...60)
    func `quantile and share undo each other`(degrees: Int) {
        let t = StudentT(degrees: degrees)
        for share in [0.5, 0.6, 0.9, 0.975, 0.999] {
            #expect(abs(t.share(below: t.quantile(share)) - share) < 1e-12)
            #expect(abs(t.share(below: -t.quantile(share)) - (1 - share)) < 1e-12)
        }
    }

    @Test func `looks at every flip of a few`() throws {
        var random = SeededRandom(seed: 1)
        let all = try #require(PairedDifference([1, 2, 3], using: &random))
        #expect(all.isExact)
        #expect(all.p == 0.25)
        #expect(all.flips == 8)
        #expect(all.mean == 2)
        #expect(all.effectSize == 2)
        let mixed = try #require(PairedDifference([1, -1, 2, -2], using: &random))
        #expect(mixed.p == 1)
    }

    @Test func `of many flips that reach nothing, p is one of them and the observed one`() throws {
        var random = SeededRandom(seed: 1)
        let pairs = try #require(PairedDifference((1...40).map(Double.init), drawnFlips: 199, using: &random))
        #expect(!pairs.isExact && pairs.p == 1.0 / 200)
        let scores = SignFlips.Scores(
            ofParticipants: (1...40).map { [Double($0)] }, others: 0..<0, squares: 40_000)
        #expect(SignFlips(scores, drawn: 199, using: &random).p == 1.0 / 200)
    }

    @Test func `takes the rounding of equal means for nothing`() throws {
        var random = SeededRandom(seed: 1)
        let none = try #require(
            PairedDifference([1.4e-14, 0.7e-14, 2.1e-14, 0.7e-14, 1.4e-14, 0.7e-14], using: &random))
        #expect(none.mean == 0 && none.p == 1 && none.effectSize == nil)
        let same = try #require(PairedDifference([0.1, 0.1 + 2e-14, 0.1 - 1e-14], using: &random))
        #expect(same.effectSize == nil && same.deviation == 0 && same.p == 0.25)
    }

    @Test func `says nothing that one participant cannot tell`() throws {
        var random = SeededRandom(seed: 1)
        let one = try #require(PairedDifference([3], using: &random))
        #expect(one.interval == nil && one.effectSize == nil && one.p == 1)
        let same = try #require(PairedDifference([2, 2], using: &random))
        #expect(same.effectSize == nil && same.interval == 2...2)
        #expect(PairedDifference([], using: &random) == nil)
    }

    @Test func `many flips are drawn, the same for the same seed`() throws {
        var values = SeededRandom(seed: 5)
        let differences = (0..<24).map { _ in Double(values.next() % 1000) / 100 - 3 }
        var first = SeededRandom(seed: 9)
        var second = SeededRandom(seed: 9)
        let one = try #require(PairedDifference(differences, using: &first))
        let two = try #require(PairedDifference(differences, using: &second))
        #expect(!one.isExact)
        #expect(one.p == two.p)
        #expect(one.p > 0 && one.p <= 1)
    }

    /// 500 crossovers of 24 participants.
    @Test(arguments: [0.0, 2.0])
    func `the interval covers the truth as often as it says`(truth: Double) throws {
        var random = SeededRandom(seed: 20)
        var covered = 0
        for _ in 0..<500 {
            let differences = (0..<24).map { _ -> Double in
                // Twelve uniform numbers: normal enough, standard deviation 3.
                let sum = (0..<12).reduce(0.0) { sum, _ in sum + Double(random.next() >> 11) * 0x1p-53 }
                return truth + 3 * (sum - 6)
            }
            let mean = differences.reduce(0, +) / 24
            let deviation = (differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 23).squareRoot()
            let half = StudentT(degrees: 23).quantile(0.975) * deviation / 24.0.squareRoot()
            if abs(mean - truth) <= half { covered += 1 }
        }
        #expect((465...485).contains(covered), "\(covered) of 500")
    }
}
