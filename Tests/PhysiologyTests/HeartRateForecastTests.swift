import Physiology
import StudyTesting
import Testing

/// A rate that wanders and goes back to 75, once a second.
private func wandering(_ seconds: Int, step: Double, back: Double, seed: UInt64) -> [Double] {
    var random = SeededRandom(seed: seed)
    var rate = 75.0
    return (0..<seconds).map { _ in
        let noise = (0..<4).reduce(0.0) { sum, _ in sum + Double(random.next() >> 11) * 0x1p-53 - 0.5 }
        rate += step * noise - back * (rate - 75)
        return rate
    }
}

/// Mean errors of the forecast and of persistence, and the share within the band.
private func score(_ rates: [Double], after seconds: Int) -> (own: Double, last: Double, covered: Double) {
    var (own, last, covered, count) = (0.0, 0.0, 0.0, 0.0)
    let times = rates.indices.map(Double.init)
    for now in stride(from: 60, to: rates.count - seconds, by: 20) {
        let from = max(0, now - 3600)
        guard
            let forecast = HeartRateForecast(
                times: Array(times[from...now]), rates: Array(rates[from...now]))
        else { continue }
        let value = forecast.value(after: Double(seconds))
        let truth = rates[now + seconds]
        own += abs(value.rate - truth)
        last += abs(rates[now] - truth)
        covered += (value.low...value.high).contains(truth) ? 1 : 0
        count += 1
    }
    return (own / count, last / count, covered / count)
}

@Suite struct HeartRateForecastTests {
    @Test(arguments: [10, 60, 300, 1800])
    func `is no worse than to say that nothing changes`(seconds: Int) {
        var (own, last) = (0.0, 0.0)
        for seed in 1...6 as ClosedRange<UInt64> {
            let scored = score(wandering(7200, step: 0.8, back: 0.002, seed: seed), after: seconds)
            own += scored.own
            last += scored.last
        }
        #expect(own <= last * 1.001)
    }

    @Test(arguments: [10, 60, 300], [0.8, 1.6])
    func `the band learns how far a heart goes`(seconds: Int, step: Double) {
        let shares = (1...6 as ClosedRange<UInt64>).map { seed in
            score(wandering(7200, step: step, back: 0.002, seed: seed), after: seconds).covered
        }
        let mean = shares.reduce(0, +) / 6
        #expect((0.75...0.95).contains(mean), "\(mean)")
    }

    @Test(arguments: [60, 300, 900, 1800], [0.1, 0.2, 0.4])
    func `the band of a steady heart holds no more than it says`(seconds: Int, step: Double) {
        let shares = (1...6 as ClosedRange<UInt64>).map { seed in
            score(wandering(7200, step: step, back: 0.002, seed: seed), after: seconds).covered
        }
        let mean = shares.reduce(0, +) / 6
        #expect((0.7...0.95).contains(mean), "\(mean)")
    }

    @Test func `begins at the last rate and goes back towards the mean of half an hour`() throws {
        var rates = Array(repeating: 70.0, count: 1800)
        rates += Array(repeating: 100, count: 60)
        let forecast = try #require(HeartRateForecast(times: rates.indices.map(Double.init), rates: rates))
        #expect(forecast.value(after: 0).rate == 100)
        let values = [10.0, 60, 300, 1800].map { forecast.value(after: $0) }
        for (sooner, later) in zip(values, values.dropFirst()) { #expect(later.rate <= sooner.rate) }
        #expect(values.allSatisfy { $0.low < $0.rate && $0.rate < $0.high })
        #expect((70...100).contains(values[3].rate))
        #expect(forecast.value(after: 1e9).after == HeartRateForecast.farthest)
    }

    @Test func `one sample is enough, none is not`() throws {
        #expect(HeartRateForecast(times: [], rates: []) == nil)
        let value = try #require(HeartRateForecast(times: [5], rates: [72])).value(after: 60)
        #expect(value.rate == 72)
        #expect(abs(value.high - 81) < 1e-9)
    }

    @Test func `gaps and uneven times are no rates`() throws {
        var times = (0..<300).map(Double.init)
        times += (0..<300).map { 1000 + 1.3 * Double($0) }
        let forecast = try #require(HeartRateForecast(times: times, rates: times.map { _ in 80 }))
        for seconds in [0.0, 10, 60, 300, 1800] {
            #expect(forecast.value(after: seconds).rate == 80)
            #expect(forecast.value(after: seconds).low > 50)
        }
    }
}
