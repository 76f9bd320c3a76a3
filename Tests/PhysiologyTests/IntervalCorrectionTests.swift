import Physiology
import StudyTesting
import Testing

private func rmssd(_ intervals: [Double]) -> Double { HeartRateVariability([intervals])?.rmssd ?? .nan }

/// The times of beats, ms.
private func beats(_ intervals: [Double]) -> [Double] {
    var time = 0.0
    return [0]
        + intervals.map { interval in
            time += interval
            return time
        }
}

private func intervals(_ beats: [Double]) -> [Double] { zip(beats.dropFirst(), beats).map { $0 - $1 } }

/// `count` places, far from each other.
private func places(_ count: Int, of total: Int, seed: UInt64) -> [Int] {
    var random = SeededRandom(seed: seed)
    let span = (total - 20) / count
    return (0..<count).map { 10 + span * $0 + Int(random.next() % UInt64(span - 6)) }
}

/// So many intervals of a heart in order may be called artefacts, among 400.
private let falseAlarms = 3

@Suite struct IntervalCorrectionTests {
    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `missed beats are put in`(seed: UInt64) {
        let given = restingIntervals(400, seed: seed)
        var times = beats(given)
        let missed = places(4, of: 400, seed: seed)
        for place in missed.reversed() { times.remove(at: place) }
        let found = IntervalCorrection(intervals(times))
        #expect(found.intervals.count == 400)
        #expect(
            found.artefacts.filter { $0.kind == .missed }.map(\.index)
                == missed.enumerated().map { $0.element - 1 - $0.offset })
        #expect(found.artefacts.count <= 4 + falseAlarms)
        #expect(abs(rmssd(found.intervals) / rmssd(given) - 1) < 0.02)
        #expect(abs(found.intervals.reduce(0, +) - given.reduce(0, +)) < 1e-6)
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>, [0.5, 0.3, 0.7])
    func `extra beats are taken out`(seed: UInt64, share: Double) {
        let given = restingIntervals(400, seed: seed)
        var times = beats(given)
        for place in places(4, of: 400, seed: seed).reversed() {
            times.insert(times[place] + share * given[place], at: place + 1)
        }
        let found = IntervalCorrection(intervals(times))
        #expect(found.intervals.count == 400)
        #expect(abs(rmssd(found.intervals) / rmssd(given) - 1) < 0.02)
    }

    /// Of a series of 18.757 ms, 20 ms is 6.6 % more; small shifts are hard to tell from breathing.
    @Test(
        arguments: 1...30 as ClosedRange<UInt64>,
        [(-250.0, 0.05), (-150, 0.05), (90, 0.08)] as [(Double, Double)])
    func `misplaced beats are moved back`(seed: UInt64, shift: (size: Double, error: Double)) {
        let given = restingIntervals(400, seed: seed)
        var times = beats(given)
        for place in places(2, of: 400, seed: seed) { times[place] += shift.size }
        let found = IntervalCorrection(intervals(times))
        #expect(found.intervals.count == 400)
        #expect(abs(rmssd(found.intervals) / rmssd(given) - 1) < shift.error)
    }

    @Test func `two missed beats in a row are two`() {
        let given = restingIntervals(300, seed: 7)
        var times = beats(given)
        times.removeSubrange(150...151)
        let found = IntervalCorrection(intervals(times))
        #expect(found.intervals.count == 300)
        #expect(abs(rmssd(found.intervals) / rmssd(given) - 1) < 0.02)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `what is in order stays nearly as it is`(seed: UInt64) {
        let given = restingIntervals(400, seed: seed)
        let found = IntervalCorrection(given)
        #expect(found.intervals.count == 400)
        #expect(found.artefacts.count <= falseAlarms)
        #expect(abs(rmssd(found.intervals) / rmssd(given) - 1) < 0.02)
    }

    @Test func `hardly any interval of a healthy heart is called an artefact`() {
        let found = (1...100 as ClosedRange<UInt64>).map {
            IntervalCorrection(restingIntervals(400, seed: $0)).artefacts.count
        }
        // The method's authors have 6 of 10 000.
        #expect(found.reduce(0, +) <= 40)
    }

    @Test(arguments: [[], [800], [800, 1600], Array(repeating: 800, count: 50)] as [[Double]])
    func `few and equal intervals stay as they are`(given: [Double]) {
        #expect(IntervalCorrection(given).intervals == given)
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `any series is corrected to one of times that pass`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let given = (0..<Int(random.next() % 200)).map { _ in
            [0.001, 1, 300, 800, 810, 1600, 1e6][Int(random.next() % 7)] + Double(random.next() % 50)
        }
        let found = IntervalCorrection(given)
        #expect(found.intervals.allSatisfy { $0 > 0 && $0.isFinite })
        #expect(Set(found.artefacts.map(\.index)).isSubset(of: Set(given.indices)))
    }

    @Test func `fifty simulated adults vary as real ones do`() {
        // Five minutes at rest, the means of 44 studies: SDNN 32...93 ms, RMSSD 19...75 ms (Nunan, Sandercock and Brodie
        // 2010).
        for seed in 1...50 as ClosedRange<UInt64> {
            guard let found = HeartRateVariability([restingIntervals(320, seed: seed)]) else {
                Issue.record("too few intervals")
                continue
            }
            #expect((55...88).contains(found.heartRate))
            #expect((32...93).contains(found.sdnn), "\(found.sdnn)")
            #expect((19...75).contains(found.rmssd))
        }
    }
}
