import Hashing
import StudyEngine
import Testing

// The numbers come from a separate implementation in Python with whole numbers of any size.
@Suite struct SplitMix64Tests {
    @Test func `gives the published sequence`() {
        var random = SplitMix64(seed: 1_234_567)
        let drawn = (0..<5).map { _ in random.next() }
        #expect(
            drawn == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func `finds an index below a bound`() {
        var random = SplitMix64(seed: 42)
        let drawn = (0..<12).map { _ in random.index(below: 10) }
        #expect(drawn == [3, 1, 8, 4, 0, 2, 5, 8, 5, 4, 7, 6])
    }

    @Test func `draws again beyond the last whole multiple`() {
        var random = SplitMix64(seed: 42)
        let drawn = (0..<6).map { _ in random.index(below: (1 << 63) + 1 as UInt64) }
        #expect(
            drawn == [
                2_949_826_092_126_892_291, 5_139_283_748_462_763_858, 6_349_198_060_258_255_764,
                701_532_786_141_963_250, 4_028_864_712_777_624_925, 6_270_620_877_612_482_005,
            ])
    }

    @Test func `takes every number below the largest bounds`() {
        var random = SplitMix64(seed: 1)
        var same = random
        #expect(random.index(below: 1 as UInt64) == 0)
        #expect(random.next() != same.next(), "one number is drawn even where there is no choice")
        #expect(random.index(below: UInt64.max) < UInt64.max)
    }

    @Test func `gives numbers of the unit interval`() {
        var random = SplitMix64(seed: 42)
        let drawn = (0..<3).map { _ in random.unit() }
        #expect(drawn == [0.7415648787718233, 0.1599103928769201, 0.27860113025513866])
    }

    @Test func `shuffles from the end`() {
        var random = SplitMix64(seed: 42)
        var order = Array(0..<8)
        random.shuffle(&order)
        #expect(order == [3, 1, 6, 2, 4, 0, 7, 5])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `never draws what weighs nothing`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        #expect([1, 3].contains(random.index(weighted: [0, 0.1, 0, 1e300, 0])))
        #expect(random.index(weighted: [0, Double.leastNonzeroMagnitude, 0]) == 1)
    }
}
