import Physiology
import StudyTesting
import Testing

private let adult = SimulatedHeart.Parameters(
    restingRate: 64, maximumRate: 185, variability: 1, musicResponse: 1.5)

private func beats(
    _ parameters: SimulatedHeart.Parameters = adult, seed: UInt64, seconds: Double, effort: Double = 0,
    musicEnergy: Double = 0
) -> [SimulatedHeart.Beat] {
    var random = SeededRandom(seed: seed)
    var heart = SimulatedHeart(parameters, startingAt: 0, using: &random)
    return heart.beats(until: seconds, effort: effort, musicEnergy: musicEnergy, using: &random)
}

private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

private func deviation(_ values: [Double]) -> Double {
    let middle = mean(values)
    return (values.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / Double(values.count - 1)).squareRoot()
}

private func rmssd(_ values: [Double]) -> Double {
    let squares = zip(values.dropFirst(), values).map { ($0 - $1) * ($0 - $1) }
    return mean(squares).squareRoot()
}

/// Mean rate over the beats of a time span.
private func rate(_ beats: [SimulatedHeart.Beat], _ span: Range<Double>) -> Double {
    60 / mean(beats.filter { span.contains($0.time) }.map(\.interval))
}

@Suite struct SimulatedHeartTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `a resting adult has an adult's variability`(seed: UInt64) {
        let intervals = beats(seed: seed, seconds: 300).map { 1000 * $0.interval }
        #expect((59...69).contains(60_000 / mean(intervals)))
        #expect((30...70).contains(deviation(intervals)))
        #expect((25...60).contains(rmssd(intervals)))
    }

    @Test func `twelve resting adults average to the resting rate`() {
        let rates = (1...12 as ClosedRange<UInt64>).map { seed in
            60 / mean(beats(seed: seed, seconds: 300).map(\.interval))
        }
        #expect(abs(mean(rates) - 64) < 1)
    }

    @Test func `the bits of the beats are the same on every machine`() {
        let last = beats(seed: 20_151_112, seconds: 600, effort: 0.3, musicEnergy: 0.7).last
        #expect(last?.time.bitPattern == 4_648_484_814_502_048_371)
        #expect(last?.interval.bitPattern == 4_603_563_784_935_567_360)
    }

    @Test func `the same seed gives the same beats, however the time is cut`() {
        var random = SeededRandom(seed: 9)
        var heart = SimulatedHeart(adult, startingAt: 0, using: &random)
        var pieces: [SimulatedHeart.Beat] = []
        for second in stride(from: 0.0, through: 60, by: 0.7) + [60] {
            pieces += heart.beats(until: second, effort: 0.2, musicEnergy: 0, using: &random)
        }
        #expect(pieces == beats(seed: 9, seconds: 60, effort: 0.2))
        #expect(pieces != beats(seed: 10, seconds: 60, effort: 0.2))
    }

    @Test func `intervals join without gap, and no beat comes from the future`() {
        let found = beats(seed: 3, seconds: 100.02)
        #expect(found.count > 90)
        for (before, after) in zip(found, found.dropFirst()) {
            #expect(after.time - after.interval == before.time)
        }
        #expect(found.allSatisfy { $0.time <= 100.02 })
    }

    @Test func `without variability it is a metronome`() {
        var still = adult
        still.variability = 0
        let found = beats(still, seed: 1, seconds: 120)
        #expect(found.allSatisfy { abs($0.interval - 60.0 / 64) < 1e-9 })
    }

    @Test func `effort raises the rate with 45 s and leaves it with 60 s`() {
        var still = adult
        still.variability = 0
        var random = SeededRandom(seed: 1)
        var heart = SimulatedHeart(still, startingAt: 0, using: &random)
        let on = heart.beats(until: 600, effort: 0.5, musicEnergy: 0, using: &random)
        let off = heart.beats(until: 900, effort: 0, musicEnergy: 0, using: &random)
        // 64 + 0.5 * 121 * (1 - 1/e), and its like on the way back.
        #expect(abs(rate(on, 44..<46) - (64 + 60.5 * 0.632)) < 1)
        #expect(abs(rate(on, 590..<600) - 124.5) < 0.1)
        #expect(abs(rate(off, 659..<661) - (64 + 60.5 * 0.368)) < 1)
    }

    @Test func `effort calms the variability`() {
        let resting = beats(seed: 4, seconds: 600).filter { $0.time > 300 }.map(\.interval)
        let working = beats(seed: 4, seconds: 600, effort: 0.7).filter { $0.time > 300 }.map(\.interval)
        #expect(rmssd(working) < rmssd(resting) / 5)
    }

    @Test(arguments: [(0.0, 64.0), (1.0, 65.5), (0.5, 64.75), (7.0, 65.5), (-1.0, 64.0)])
    func `music of full energy moves the rate by the response`(energy: Double, expected: Double) {
        var still = adult
        still.variability = 0
        let found = beats(still, seed: 1, seconds: 300, musicEnergy: energy)
        #expect(abs(rate(found, 200..<300) - expected) < 0.01)
    }

    @Test(arguments: [(30.0, 31.0), (219.0, 220.0), (220.0, 240.0)], [0.0, 1.0, 3.0])
    func `extreme hearts still beat`(rates: (Double, Double), variability: Double) {
        let parameters = SimulatedHeart.Parameters(
            restingRate: rates.0, maximumRate: rates.1, variability: variability, musicResponse: -30)
        let found = beats(parameters, seed: 8, seconds: 600, effort: 1, musicEnergy: 1)
        #expect(found.allSatisfy { (60 / 240 - 0.001...3.001).contains($0.interval) })
        #expect(found.count >= 190)
    }
}
