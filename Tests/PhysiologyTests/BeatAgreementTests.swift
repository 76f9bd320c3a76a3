import Physiology
import StudyTesting
import Testing

/// Two recordings of one heart, the second made of the first in a known way.
@Suite struct BeatAgreementTests {
    /// Beats that speed up and slow down with the breath and at random, seconds.
    private static func beats(_ count: Int, _ random: inout SeededRandom) -> [Double] {
        var (time, wander) = (5.0, 0.0)
        return (0..<count).map { number in
            wander = 0.95 * wander + Double.random(in: -0.02...0.02, using: &random)
            time += 0.85 + wander + (number % 8 < 4 ? 0.03 : -0.03)
            return time
        }
    }

    private static func recorded(_ times: [Double]) -> [BeatAgreement.Beat] {
        [BeatAgreement.Beat(time: times[0], interval: nil)]
            + zip(times, times.dropFirst()).map { BeatAgreement.Beat(time: $1, interval: 1000 * ($1 - $0)) }
    }

    @Test(arguments: [(0.0, 0.0, 1), (12.34, 80e-6, 2), (-312.5, -40e-6, 3), (1.7e9, 20e-6, 4)])
    func `offset and drift of the clock are found, and every beat`(
        offset: Double, drift: Double, seed: UInt64
    )
        throws
    {
        var random = SeededRandom(seed: seed)
        let times = Self.beats(4000, &random)
        let others = times.map { time in
            offset + time * (1 + drift) + Double.random(in: -0.006...0.006, using: &random)
        }
        let found = try #require(BeatAgreement(Self.recorded(times), Self.recorded(others)))
        #expect(found.f1 == 1 && found.delays.count == 4000 && found.pairs.count == 3999)
        let middle = found.clock.reference
        let truth = (middle - offset) / (1 + drift) - middle
        #expect(abs(found.clock.offset - truth) < 0.001)
        #expect(abs(found.clock.slope + drift) < 1e-6)
        #expect(found.largestBreak < 0.005)
        // Both ends of an interval are off by up to 6 ms, evenly: by 3.46 ms each.
        let differences = try #require(found.differences)
        #expect(abs(differences.mean) < 0.2 && abs(differences.deviation - 4.9) < 0.3)
    }

    @Test func `beats that only one has are counted where they are`() throws {
        var random = SeededRandom(seed: 5)
        let times = Self.beats(1000, &random)
        var others = times.enumerated().filter { $0.offset % 50 != 49 }.map(\.element)
        others.insert(times[500] + 0.4, at: others.firstIndex { $0 > times[500] } ?? 0)
        let found = try #require(BeatAgreement(Self.recorded(times), Self.recorded(others)))
        #expect(found.delays.count == 980)
        #expect(found.sensitivity == 980.0 / 999 && found.precision == 980.0 / 981)
    }

    @Test func `a clock that was set is told`() throws {
        var random = SeededRandom(seed: 6)
        let times = Self.beats(2000, &random)
        let others = times.map { $0 < times[1200] ? $0 : $0 + 0.12 }
        let found = try #require(BeatAgreement(Self.recorded(times), Self.recorded(others)))
        #expect(found.largestBreak > 0.05)
    }

    @Test func `two hearts are no agreement`() {
        var random = SeededRandom(seed: 7)
        let (one, other) = (Self.beats(500, &random), Self.beats(500, &random))
        #expect(BeatAgreement(Self.recorded(one), Self.recorded(other)) == nil)
        #expect(BeatAgreement([], Self.recorded(one)) == nil)
        #expect(BeatAgreement(Self.recorded(Array(one.prefix(3))), Self.recorded(one)) == nil)
    }
}
