import StudyTesting
import Testing

@testable import Physiology

@Suite struct BreathingTests {
    /// Beats and breaths of a simulated body over some minutes, and its true rate.
    private func body(_ breathRate: Double, seed: UInt64, drift: Double = 1) -> (
        intervals: [HeartRateMean.Interval], belt: Breathing.Series, ecg: (values: [Double], times: [Double]),
        rate: Double
    ) {
        var random = SeededRandom(seed: seed)
        var parameters = SimulatedHeart.Parameters(
            restingRate: 66, maximumRate: 185, variability: 1, musicResponse: 0)
        parameters.breathRate = breathRate
        var heart = SimulatedHeart(parameters, startingAt: -8, using: &random)
        _ = heart.beats(until: 0, effort: 0, musicEnergy: 0, using: &random)
        let beats = heart.beats(until: 240, effort: 0, musicEnergy: 0, using: &random)
        let breaths = heart.breaths
        var simulated = SimulatedBody()
        simulated.breathe(Array(breaths.prefix(1000)))
        var values: [Double] = []
        let times = (0..<(240 * 130)).map { Double($0) / 130 }
        var next = 0
        for (index, time) in times.enumerated() {
            if index % 130 == 0, index > 0 {
                let seen = Int(time * 32)
                simulated.breathe(
                    Array(breaths[min(seen + 968, breaths.count)..<min(seen + 1000, breaths.count)]))
            }
            while next + 1 < beats.count, beats[next + 1].time <= time { next += 1 }
            let upper = next + 1 < beats.count ? beats[next + 1].time : beats[next].time + 1
            values.append(
                beats[next].time <= time ? simulated.ecg(at: time, between: beats[next].time...upper) : 0)
        }
        let crossings = zip(breaths, breaths.dropFirst()).count { $0 < 0 && $1 >= 0 }
        return (
            beats.map { ($0.time, $0.interval) },
            breaths.enumerated().map { (Double($0.offset) / 32, $0.element) }, (values, times),
            Double(crossings) / 4
        )
    }

    @Test(arguments: [(0.15, 1), (0.2, 2), (0.25, 3), (0.3, 4), (0.4, 5)] as [(Double, UInt64)])
    func `a belt tells its rate`(rate: Double, seed: UInt64) throws {
        let body = body(rate, seed: seed)
        let found = try #require(Breathing(belt: body.belt))
        #expect(abs(found.rate - body.rate) < 1.2, "\(found.rate) for \(body.rate)")
        #expect(found.quality > Breathing.doubtful && found.origin == .belt)
    }

    @Test(arguments: [(0.2, 12), (0.25, 13), (0.3, 16)] as [(Double, UInt64)])
    func `an ECG and its intervals tell it, too`(rate: Double, seed: UInt64) throws {
        let body = body(rate, seed: seed)
        let beats = try #require(RecordedBeats.found(in: body.ecg.values, at: body.ecg.times, rate: 130))
        #expect(abs(beats.intervals.count - body.intervals.count) <= 3)
        let found = try #require(Breathing(intervals: beats.intervals, heights: beats.heights))
        #expect(abs(found.rate - body.rate) < 2, "\(found.rate) for \(body.rate)")
        #expect(found.origin == .ecg)
    }

    @Test func `what does not breathe has no rate, or a doubtful one`() throws {
        #expect(Breathing(belt: []) == nil)
        #expect(Breathing(belt: (0..<100).map { (Double($0) / 10, 1) }) == nil)
        #expect(Breathing(belt: (0..<1000).map { (Double($0) / 10, 5) }) == nil)
        #expect(Breathing(intervals: (0..<10).map { (Double($0), 1) }) == nil)
        var random = SeededRandom(seed: 9)
        let noise = (0..<3000).map { (Double($0) / 25, random.normal()) }
        let found = try #require(Breathing(belt: noise))
        #expect(found.quality < Breathing.doubtful)
    }

    @Test func `beats are put in their own time, and no interval crosses a gap`() throws {
        let body = body(0.25, seed: 21)
        // A clock that is 1 % fast, and half a minute that is missing.
        let kept = body.ecg.times.indices.filter { !(60.0..<90).contains(body.ecg.times[$0]) }
        let times = kept.map { body.ecg.times[$0] * 1.01 }
        let found = try #require(
            RecordedBeats.found(in: kept.map { body.ecg.values[$0] }, at: times, rate: 130 / 1.01))
        #expect(found.intervals.allSatisfy { $0.time < 60.7 || $0.time - $0.length > 90.8 })
        let truth = body.intervals.filter { !(59.0..<92).contains($0.time) }
        let matched = found.intervals.filter { interval in
            truth.contains { one in
                let (time, length): (Double, Double) = (one.time * 1.01, one.length * 1.01)
                return abs(time - interval.time) < 0.02 && abs(length - interval.length) < 0.02
            }
        }
        #expect(Double(matched.count) > 0.97 * Double(found.intervals.count))
        #expect(Double(found.intervals.count) > 0.95 * Double(truth.count))
        #expect(RecordedBeats.found(in: [1, 2], at: [0, 1], rate: 1) == nil)
    }

    @Test func `an ECG says when it was too poor for beats`() throws {
        let body = body(0.25, seed: 22)
        var random = SeededRandom(seed: 5)
        let (times, late) = (body.ecg.times.map { $0 + 1000 }, 1060.0..<1090)
        let values = zip(times, body.ecg.values).map { late.contains($0) ? 5 * random.normal() : $1 }
        let found = try #require(RecordedBeats.found(in: values, at: times, rate: 130))
        let refused = found.refused.reduce(0) { $0 + $1.value }
        #expect((20...45).contains(refused), "\(found.refused)")
        #expect(found.refused.allSatisfy { (1048.0...1092).contains($0.time) })
        #expect(!found.intervals.contains { (1065.0...1085).contains($0.time) })
        #expect(try #require(RecordedBeats.found(in: body.ecg.values, at: times, rate: 130)).refused.isEmpty)
    }
}
