import Physiology
import StudyTesting
import Testing

/// Intervals in ms, and what NumPy 2.4.6 gives for `mean`, `std(ddof=1)`, `sqrt(mean(diff ** 2))`,
/// `diff.std(ddof=1)` and `100 * mean(abs(diff) > 50)`.
private let numpy: [(intervals: [Double], expected: [Double])] = [
    (
        [812, 798, 861, 903, 850, 799, 801, 852, 902, 851],
        [842.9, 39.83981816112005, 46.001207713614555, 48.57468476480316, 55.55555555555556]
    ),
    (
        [1000, 1050, 1000, 1051, 1000.5],
        [1020.3, 27.571724646818883, 50.37670592644977, 58.16983038196576, 50.0]
    ),
    (
        [333.3, 1800, 950],
        [1027.7666666666667, 736.4359872611694, 1198.688635551368, 1638.1542799748745, 100.0]
    ),
]

@Suite struct VariabilityTests {
    @Test(arguments: numpy.indices) func `figures are NumPy's`(index: Int) throws {
        let (intervals, expected) = numpy[index]
        let found = try #require(HeartRateVariability([intervals]))
        #expect(found.count == intervals.count)
        let figures = [found.meanNN, found.sdnn, found.rmssd, found.sdsd, found.pnn50]
        for (figure, value) in zip(figures, expected) { #expect(abs(figure - value) <= 1e-12 * value) }
        #expect(found.heartRate == 60_000 / found.meanNN)
    }

    @Test func `no difference spans a gap`() throws {
        let found = try #require(HeartRateVariability([[800, 810, 800], [1200, 1210]]))
        #expect(found.rmssd == 10)
        #expect(found.count == 5)
        #expect(found.meanNN == 964)
    }

    @Test(arguments: [[], [[]], [[800]], [[800, 810]], [[800], [810], [820]]] as [[[Double]]])
    func `too few have no variability`(stretches: [[Double]]) {
        #expect(HeartRateVariability(stretches) == nil)
        #expect(VariabilityFindings(IntervalStretches(stretches)) == nil)
    }

    @Test func `below a minute everything is ultra-short`() throws {
        let minute = try #require(HeartRateVariability([Array(repeating: 1000, count: 60)]))
        #expect(!minute.isUltraShort)
        #expect(minute.rmssd == 0)
        // A minute's step loses the intervals that its borders cut.
        let step = try #require(HeartRateVariability([Array(repeating: 1000, count: 58)]))
        #expect(!step.isUltraShort)
        let less = try #require(HeartRateVariability([Array(repeating: 1000, count: 57)]))
        #expect(less.isUltraShort)
    }

    @Test func `a verdict is refused where no rhythm is, and doubted where much was corrected`() throws {
        var random = SeededRandom(seed: 4)
        func noise() -> Double { Double(random.next() % 2001) / 1000 - 1 }
        let fibrillating = (0..<300).map { _ in 700 + 160 * (noise() + noise()) }
        #expect(VariabilityFindings(IntervalStretches([fibrillating]))?.verdict == .irregular)
        let resting = restingIntervals(300, seed: 3)
        #expect(VariabilityFindings(IntervalStretches([resting]))?.verdict == .usable)
        var ectopic = resting
        for index in stride(from: 10, to: 290, by: 12) {
            ectopic[index] -= 260
            ectopic[index + 1] += 260
        }
        let found = try #require(VariabilityFindings(IntervalStretches([ectopic])))
        #expect(found.verdict == .manyCorrected && found.correctedShare > 0.05)
    }

    /// By NeuroKit2 0.2.13 (`hrv_nonlinear`), and by NumPy from the formula of Tarvainen and others, solved densely.
    @Test func `nonlinear measures and the detrended signal are those of other programs`() throws {
        let series = (0..<200).map { (index: Int) -> Double in
            let rise = index * 37 % 61
            let fall = index * index % 43
            return Double(800 + rise - fall)
        }
        let found = try #require(NonlinearVariability([series]))
        #expect(abs(found.sd1 - 21.248290477849135) < 1e-9)
        #expect(abs(found.sd2 - 18.892288305910238) < 1e-9)
        #expect(abs(try #require(found.alpha1) - 0.5135284723088872) < 1e-9)
        #expect(abs(try #require(found.sampleEntropy) - 1.3516088031320006) < 1e-9)
        let detrended = SmoothnessPriors.detrended(series)
        #expect(
            abs(detrended[0] - -9.136260183153468) < 1e-6 && abs(detrended[100] - 5.863294285756979) < 1e-6)
        #expect(NonlinearVariability([[800, 810]]) == nil)
    }

    @Test func `windows move on by their hop, and none crosses a gap`() {
        let second = Array(repeating: 1000.0, count: 100)
        let windows = IntervalStretches([second, second]).windows(of: 60, every: 20)
        #expect(windows.map(\.start) == [0, 20, 40, 100, 120, 140])
        #expect(windows.allSatisfy { $0.intervals.count == 60 })
        #expect(IntervalStretches([second]).windows(of: 101, every: 1).isEmpty)
    }

    @Test func `samples join unless more time passed than their intervals fill`() {
        let stretches = IntervalStretches(
            times: [1, 2, 3, 7, 8, 9.2, 13, 14],
            intervals: [[0.9], [], [1, 1], [1], [1.1], [], [1.2, 1.2, 1.3, 1.2], [1.1]])
        #expect(stretches.stretches.map(\.count) == [3, 2 + 4 + 1])
        #expect(stretches.count == 10)
    }

    @Test(arguments: [0.34, 0.45, 0.55, 0.67, 0.8, 0.95, 0.98, 1, 1.01, 1.02, 1.03, 1.05, 1.1])
    func `a strap that tells of its beats each second misses none, near 60 beats a minute, too`(mean: Double)
    {
        for seed in 0..<20 as Range<UInt64> {
            let resting = restingIntervals(60, seed: seed)
            let beats = resting.map { $0 / 1000 - resting.reduce(0, +) / 60_000 + mean }
            var ends = [Double(seed) / 20]
            for beat in beats { ends.append(ends.last! + beat) }
            let seconds = 1...Int(ends.last!)
            let told = seconds.map { second in
                zip(ends.dropFirst(), beats).filter { $0.0 <= Double(second) && $0.0 > Double(second - 1) }
                    .map(\.1)
            }
            #expect(IntervalStretches(times: seconds.map(Double.init), intervals: told).stretches.count == 1)
            // As they arrive, and each with the end that is worked out from its packet's.
            let arrivals = seconds.map { Double($0) + 0.004 * Double(($0 * 7 + Int(seed)) % 11) }
            #expect(IntervalStretches(times: arrivals, intervals: told).stretches.count == 1)
            let apart = zip(arrivals, told).flatMap { arrival, packet in
                packet.indices.map { (arrival - packet[($0 + 1)...].reduce(0, +), packet[$0]) }
            }
            #expect(
                IntervalStretches(times: apart.map(\.0), intervals: apart.map { [$0.1] }).stretches.count == 1
            )
            // The same beats with their own times, one of which is missing.
            var own = Array(zip(ends.dropFirst(), beats))
            own.remove(at: 30)
            let exact = IntervalStretches(times: own.map(\.0), intervals: own.map { [$0.1] })
            #expect(exact.stretches.map(\.count) == [30, 29])
        }
    }

    @Test func `artefacts are placed in the whole series`() throws {
        var first = restingIntervals(300, seed: 1)
        let second = restingIntervals(300, seed: 2)
        first[100] += first.remove(at: 101)
        var broken = second
        broken[50] += broken.remove(at: 51)
        let found = try #require(VariabilityFindings(IntervalStretches([first, broken])))
        #expect(found.gaps == 1)
        #expect(found.artefacts.map(\.index) == [100, 299 + 50])
        #expect(found.artefacts.allSatisfy { $0.kind == .missed })
        #expect(found.corrected.time.count == 600)
        #expect(found.raw.time.rmssd > 2 * found.corrected.time.rmssd)
    }
}

/// Of a simulated adult at rest, ms.
func restingIntervals(_ count: Int, seed: UInt64) -> [Double] {
    let adult = SimulatedHeart.Parameters(
        restingRate: 64, maximumRate: 185, variability: 1, musicResponse: 0)
    var random = SeededRandom(seed: seed)
    var heart = SimulatedHeart(adult, startingAt: 0, using: &random)
    let beats = heart.beats(until: 2 * Double(count), effort: 0, musicEnergy: 0, using: &random)
    return beats.prefix(count).map { 1000 * $0.interval }
}
