import Physiology
import StudyTesting
import Testing

private let adult = SimulatedHeart.Parameters(
    restingRate: 64, maximumRate: 185, variability: 1, musicResponse: 1.5)
private let faultless = SimulatedStrap.Faults(dropouts: 0, duplicates: 0, contactLoss: 0)

/// What arrives in each of the seconds.
private func notifications(
    _ faults: SimulatedStrap.Faults, seed: UInt64, seconds: Int = 4000
) -> [[HeartRateNotification]] {
    var random = SeededRandom(seed: seed)
    var strap = SimulatedStrap(adult, faults: faults, using: &random)
    return (1...seconds).map { second in
        strap.notifications(at: Double(second), effort: 0, musicEnergy: 0, using: &random)
    }
}

private func share(_ arrivals: [[HeartRateNotification]], _ isHit: ([HeartRateNotification]) -> Bool)
    -> Double
{
    Double(arrivals.count(where: isHit)) / Double(arrivals.count)
}

@Suite struct SimulatedStrapTests {
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `a good strap sends whole rates and all intervals from the first second on`(seed: UInt64) {
        let arrivals = notifications(faultless, seed: seed, seconds: 600)
        #expect(arrivals.allSatisfy { $0.count == 1 })
        let all = arrivals.flatMap(\.self)
        #expect(all.allSatisfy { $0.sensorContact && $0.rate.map { $0 == $0.rounded() } == true })
        let intervals = all.flatMap(\.rrIntervals)
        #expect(intervals.allSatisfy { $0 * 1024 == ($0 * 1024).rounded() })
        #expect(abs(intervals.reduce(0, +) - 600) < 3)
    }

    @Test func `the rate is that of the last five intervals`() throws {
        let all = notifications(faultless, seed: 6, seconds: 60).flatMap(\.self)
        for end in 20..<60 {
            let recent = all[...end].flatMap(\.rrIntervals).suffix(5)
            let expected = 60 * 5 / recent.reduce(0, +)
            #expect(abs(try #require(all[end].rate) - expected) <= 0.6)
        }
    }

    @Test(arguments: [0.0, 0.1, 0.5, 1.0])
    func `each fault has its share`(wanted: Double) {
        let lost = notifications(.init(dropouts: wanted, duplicates: 0, contactLoss: 0), seed: 2)
        #expect(abs(share(lost) { $0.isEmpty } - wanted) < 0.03)
        let doubled = notifications(.init(dropouts: 0, duplicates: wanted, contactLoss: 0), seed: 2)
        #expect(abs(share(doubled) { $0.count == 2 && $0[0] == $0[1] } - wanted) < 0.03)
        let loose = notifications(.init(dropouts: 0, duplicates: 0, contactLoss: wanted), seed: 2)
        #expect(abs(share(loose) { $0[0].sensorContact == false } - wanted) < 0.06)
    }

    @Test func `contact is lost in bursts of seconds, and nothing is read meanwhile`() {
        let all = notifications(.init(dropouts: 0, duplicates: 0, contactLoss: 0.2), seed: 5).flatMap(\.self)
        let losses = zip(all, all.dropFirst()).count { $0.sensorContact && !$1.sensorContact }
        let lost = all.filter { !$0.sensorContact }
        #expect((3...5).contains(Double(lost.count) / Double(losses)))
        #expect(lost.allSatisfy { $0.rate == nil && $0.rrIntervals.isEmpty })
    }

    @Test func `faults never change the heart`() {
        let good = notifications(faultless, seed: 7, seconds: 300)
        let bad = notifications(
            .init(dropouts: 0.3, duplicates: 0.3, contactLoss: 0.3), seed: 7, seconds: 300)
        var compared = 0
        for (expected, arrived) in zip(good, bad) {
            for notification in arrived where notification.sensorContact {
                #expect([notification] == expected)
                compared += 1
            }
        }
        #expect(compared > 100)
    }
}
