import Glibc
import Physiology
import Testing

/// Intervals around 900 ms with waves of so many ms at so many hertz.
private func waves(_ waves: [(height: Double, frequency: Double)], seconds: Double) -> [Double] {
    var time = 0.0
    var intervals: [Double] = []
    while time < seconds {
        let interval = waves.reduce(900) { $0 + $1.height * sin(2 * .pi * $1.frequency * time) }
        intervals.append(interval)
        time += interval / 1000
    }
    return intervals
}

@Suite struct FrequencyDomainTests {
    @Test(arguments: [121.0, 200, 300, 900, 3600])
    func `a wave's power is half of its height squared, in its band`(seconds: Double) throws {
        let slow = try #require(FrequencyDomain(waves([(30, 0.1)], seconds: seconds)))
        #expect(abs(slow.lf / 450 - 1) < 0.05, "\(slow.lf)")
        // An interval tells of the wave where it begins, not where it ends: some power goes to harmonics.
        #expect(slow.hf < 0.05 * slow.lf)
        let fast = try #require(FrequencyDomain(waves([(20, 0.25)], seconds: seconds)))
        #expect(abs(fast.hf / 200 - 1) < 0.12, "\(fast.hf)")
        #expect(fast.lf < 0.05 * fast.hf)
    }

    @Test func `the ratio is that of the two`() throws {
        let both = try #require(FrequencyDomain(waves([(30, 0.09), (15, 0.2)], seconds: 300)))
        #expect(abs(both.ratio - 4) < 0.5)
        #expect(both.ratio == both.lf / both.hf)
    }

    @Test func `below two minutes there is none`() {
        #expect(FrequencyDomain(waves([(30, 0.1)], seconds: 118)) == nil)
        #expect(FrequencyDomain([]) == nil)
        #expect(FrequencyDomain([60_000, 60_000]) == nil)
        #expect(FrequencyDomain(longestOf: []) == nil)
    }

    @Test func `what does not vary has no ratio`() {
        #expect(FrequencyDomain(Array(repeating: 1000, count: 300)) == nil)
    }
}
