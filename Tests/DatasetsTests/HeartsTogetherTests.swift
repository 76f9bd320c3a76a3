import Glibc
import Physiology
import Testing

@testable import Analysing
@testable import Datasets
@testable import Statistics

/// How alike the hearts of participants of the same run are.
@Suite struct HeartsTogetherTests {
    /// A heart rate with two rhythms, by its phase.
    private static func rates(_ phase: Double, count: Int = 45, missing: Range<Int> = 0..<0) -> [Double?] {
        (0..<count).map { second in
            guard !missing.contains(second) else { return nil }
            return 70 + 5 * sin(2 * .pi * Double(second) / 20 + phase)
                + 2 * cos(2 * .pi * Double(second) / 7 + 3 * phase)
        }
    }

    /// A clip that all participants of a run heard.
    private static func steps(
        _ gathering: String, _ rates: [[Double?]], clip: String = "calm", occasion: Int = 1
    ) -> [SharedStep] {
        rates.enumerated().map { place, rates in
            SharedStep(
                participant: "\(gathering)\(place)", run: "\(gathering)-\(place)", gathering: gathering,
                key: SharedStep.Key(name: clip, isClip: true), occasion: occasion, rates: rates)
        }
    }

    private static func together(_ steps: [SharedStep]) -> [HeartsTogether] {
        var random = SystemRandomNumberGenerator()
        return HeartsTogether.all(of: steps, drawnFlips: 999, using: &random)
    }

    @Test func `three runs, with the values of another program`() throws {
        let found = Self.together(
            Self.steps("A", [Self.rates(0), Self.rates(0.4, missing: 0..<10)])
                + Self.steps("B", [Self.rates(1), Self.rates(1.3), Self.rates(2)])
                + Self.steps("C", [Self.rates(3), Self.rates(3.2, count: 40)]))
        let clip = try #require(found.first)
        #expect(found.count == 1 && clip.name == "calm" && clip.isClip)
        #expect(clip.runs == 3 && clip.pairs == 5 && clip.pairsApart == 16)
        // Worked out in Python from the same formulas; Student's t at 97.5 % is 4.3026527 with two degrees of freedom.
        #expect(abs(clip.together - 0.880_190_797_339_467_6) < 1e-9)
        let interval = try #require(clip.interval)
        #expect(abs(interval.lowerBound + 0.018_624_134_348_160_386) < 1e-6)
        #expect(abs(interval.upperBound - 0.992_206_504_733_817) < 1e-6)
        #expect(abs(try #require(clip.apart) + 0.376_851_414_468_671_26) < 1e-9)
        let difference = try #require(clip.difference)
        #expect(
            abs(
                difference.mean
                    - (1.858_405_127_208_506_5 + 0.752_472_055_233_735_4 + 2.812_198_475_041_219_2) / 3)
                < 1e-9)
        #expect(difference.p == 0.25, "of eight sign flips, two are as far from 0")
    }

    @Test func `two hearts need half a minute in common, and both must vary`() {
        let whole = Self.rates(0)
        #expect(HeartsTogether.correlation(whole, Self.rates(0.4, count: 30)) != nil)
        #expect(HeartsTogether.correlation(whole, Self.rates(0.4, count: 29)) == nil)
        #expect(HeartsTogether.correlation(whole, Self.rates(0.4, missing: 0..<16)) == nil)
        #expect(HeartsTogether.correlation(whole, Array(repeating: 70, count: 45)) == nil)
        #expect(abs((HeartsTogether.correlation(whole, whole) ?? 0) - 1) < 1e-12)
        #expect(Self.together(Self.steps("A", [whole, Array(repeating: nil, count: 45)])).isEmpty)
    }

    @Test func `one run alone has no interval and no comparison`() throws {
        let clip = try #require(Self.together(Self.steps("A", [Self.rates(0), Self.rates(0.4)])).first)
        #expect(clip.runs == 1 && clip.pairs == 1 && clip.interval == nil)
        #expect(clip.apart == nil && clip.pairsApart == 0 && clip.difference == nil)
    }

    @Test func `the second time of a clip is compared with the second time only`() throws {
        let again = Self.steps("A", [Self.rates(1), Self.rates(1.4)], occasion: 2)
        let steps = Self.steps("A", [Self.rates(0), Self.rates(0.4)]) + again
        #expect(Self.together(steps).map(\.pairs) == [2])
    }

    @Test func `whoever comes twice is not compared with themselves`() throws {
        var steps = Self.steps("A", [Self.rates(0), Self.rates(0.4)])
        var other = Self.steps("B", [Self.rates(1), Self.rates(1.4)])
        other[0].participant = "A0"
        steps += other
        let clip = try #require(Self.together(steps).first)
        #expect(clip.pairs == 2 && clip.pairsApart == 3)
    }
}
