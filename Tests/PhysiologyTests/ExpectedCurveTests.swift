import Physiology
import Testing

/// What SciPy 1.17.1 gives: `PchipInterpolator(times, rates)(numpy.linspace(times[0], times[-1], 9))`.
private let scipy: [(times: [Double], rates: [Double], expected: [Double])] = [
    (
        [0, 60, 120, 300], [64, 110, 104, 150],
        [
            64.0, 101.7734375, 109.0625, 104.2578125, 105.23148148148148, 110.29296875, 119.36921296296296,
            132.5687210648148, 150.0,
        ]
    ),
    (
        [0, 10, 30, 35, 90], [70, 70, 95, 140, 138.5],
        [
            70.0, 70.09134226831895, 79.51306573275862, 133.5748922413793, 139.9909842223892,
            139.91348727460556, 139.6905052592036, 139.24501666979714, 138.5,
        ]
    ),
    (
        [0, 1, 4], [80, 120, 60],
        [
            80.0, 106.875, 120.0, 119.72222222222223, 117.77777777777777, 112.5, 102.22222222222223,
            85.27777777777777, 60.0,
        ]
    ),
    ([0, 20], [60, 90], [60.0, 63.75, 67.5, 71.25, 75.0, 78.75, 82.5, 86.25, 90.0]),
    (
        [0, 5, 6, 50], [100, 90, 60, 59],
        [
            100.0, 59.983441694515406, 59.6265233477883, 59.368415349783135, 59.19311682648317,
            59.084626903871644, 59.026944707931776, 59.00406936464682, 59.0,
        ]
    ),
]

@Suite struct ExpectedCurveTests {
    @Test(arguments: scipy.indices) func `a monotone curve is SciPy's`(index: Int) throws {
        let (times, rates, expected) = scipy[index]
        let curve = try #require(ExpectedCurve(times: times, rates: rates, isMonotone: true))
        for (step, rate) in expected.enumerated() {
            let time = times[0] + (times[times.count - 1] - times[0]) * Double(step) / 8
            #expect(abs(curve.rate(at: time) - rate) < 1e-10)
        }
    }

    @Test(arguments: [true, false]) func `goes through its points and is flat beyond`(isMonotone: Bool) throws
    {
        let (times, rates) = ([0.0, 60, 120, 300], [64.0, 110, 104, 150])
        let curve = try #require(ExpectedCurve(times: times, rates: rates, isMonotone: isMonotone))
        for (time, rate) in zip(times, rates) { #expect(abs(curve.rate(at: time) - rate) < 1e-12) }
        #expect(curve.rate(at: -5) == 64)
        #expect(curve.rate(at: 1e6) == 150)
    }

    @Test func `a straight curve is straight, and one point is a level`() throws {
        let straight = try #require(ExpectedCurve(times: [0, 60], rates: [64, 110], isMonotone: false))
        #expect(straight.rate(at: 30) == 87)
        for isMonotone in [true, false] {
            let level = try #require(ExpectedCurve(times: [10], rates: [70], isMonotone: isMonotone))
            #expect([0.0, 10, 20].map { level.rate(at: $0) } == [70, 70, 70])
        }
    }

    @Test(
        arguments: [
            ([], []), ([0], []), ([0, 0], [60, 70]), ([1, 0], [60, 70]), ([0, .nan], [60, 70]),
            ([0], [.infinity]),
        ] as [([Double], [Double])])
    func `what is no curve is refused`(times: [Double], rates: [Double]) {
        #expect(ExpectedCurve(times: times, rates: rates, isMonotone: true) == nil)
        #expect(ExpectedCurve(times: times, rates: rates, isMonotone: false) == nil)
    }

    @Test func `exercise rises by 63 % in 45 s towards the reserve's share`() {
        let curve = ExpectedCurve(effort: 0.5, restingRate: 64, maximumRate: 184)
        #expect(curve.rate(at: 0) == 64)
        #expect(abs(curve.rate(at: 45) - (64 + 60 * 0.6321205588285577)) < 1e-9)
        #expect(abs(curve.rate(at: 3600) - 124) < 1e-9)
    }

    @Test(arguments: [(ExpectedBand.standard, 5.0, 12.0), (.relative(0.2), 8, 24), (.absolute(3), 3, 3)])
    func `the band is as wide as it says`(band: ExpectedBand, at40: Double, at120: Double) {
        #expect(band.halfWidth(at: 40) == at40)
        #expect(band.halfWidth(at: 120) == at120)
    }

    @Test func `a comparison weighs by time`() throws {
        let curve = try #require(ExpectedCurve(times: [0], rates: [100], isMonotone: false))
        // The first two samples stand for 1.5 s together, the last for half a second.
        let comparison = try #require(
            curve.comparison(times: [0, 1, 2], rates: [100, 104, 120], band: .standard))
        #expect(abs(comparison.meanAbsoluteError - (0.5 * 0 + 1 * 4 + 0.5 * 20) / 2) < 1e-12)
        #expect(abs(comparison.rootMeanSquareError - ((1.0 * 16 + 0.5 * 400) / 2).squareRoot()) < 1e-12)
        #expect(comparison.shareInBand == 0.75)
        #expect(curve.comparison(times: [], rates: [], band: .standard) == nil)
        #expect(curve.comparison(times: [7], rates: [111], band: .standard)?.shareInBand == 0)
    }
}
