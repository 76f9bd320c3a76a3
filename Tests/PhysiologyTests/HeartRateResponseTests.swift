import Physiology
import Testing

private func steady(_ times: ClosedRange<Int>, _ rate: Double) -> [(time: Double, rate: Double)] {
    times.map { (Double($0), rate) }
}

@Suite struct HeartRateResponseTests {
    @Test func `skips the first 5 s and compares with the last 60 s of the rest`() throws {
        let rest = steady(0...59, 200) + steady(60...90, 60) + steady(91...120, 62)
        let stretch = steady(120...124, 300) + steady(125...150, 67.1)
        let found = try HeartRateResponse(
            rest: .init(rates: rest), restEnd: 120, stretch: .init(rates: stretch), start: 120)
        #expect(abs(found.baseline - 61) < 0.05)
        #expect(abs(found.mean - 67.1) < 1e-9)
        #expect(abs(found.percent - 100 * found.change / found.baseline) < 1e-12)
        #expect(abs(try #require(found.z) - found.change / 1) < 0.1)
        #expect(!found.hasShortBaseline)
    }

    @Test func `a rest that does not vary has no z`() throws {
        let found = try HeartRateResponse(
            rest: .init(rates: steady(100...120, 60)), restEnd: 120,
            stretch: .init(rates: steady(120...150, 66)), start: 120)
        #expect(found.z == nil)
        #expect(found.change == 6)
        #expect(found.hasShortBaseline)
    }

    /// Intervals of a rate from one moment to another.
    private func beats(_ span: ClosedRange<Double>, _ rate: Double) -> [HeartRateMean.Interval] {
        stride(from: span.lowerBound + 60 / rate, through: span.upperBound, by: 60 / rate).map {
            ($0, 60 / rate)
        }
    }

    @Test func `intervals show a change that a strap's smoothed rates hide`() throws {
        let rest = HeartRateResponse.Measured(rates: steady(60...120, 60), intervals: beats(60...120, 60))
        let clip = HeartRateResponse.Measured(rates: steady(120...150, 60), intervals: beats(120...150, 75))
        let found = try HeartRateResponse(rest: rest, restEnd: 120, stretch: clip, start: 120)
        #expect(found.origin == .intervals && abs(found.change - 15) < 1e-9)
        #expect(found.notifiedChange == 0 && found.changeByIntervals == found.change)
        let gap = HeartRateResponse.Measured(
            rates: clip.rates, intervals: clip.intervals.filter { $0.time < 135 || $0.time > 146 })
        let notified = try HeartRateResponse(rest: rest, restEnd: 120, stretch: gap, start: 120)
        #expect(notified.origin == .notified && notified.change == 0 && notified.changeByIntervals == nil)
        let only = try HeartRateResponse(
            rest: .init(rates: [], intervals: rest.intervals), restEnd: 120,
            stretch: .init(rates: [], intervals: clip.intervals), start: 120)
        #expect(only.origin == .intervals && abs(only.change - 15) < 1e-9 && only.notifiedChange == nil)
        #expect(throws: HeartRateResponse.Missing.baseline) {
            try HeartRateResponse(
                rest: .init(rates: [], intervals: rest.intervals), restEnd: 120,
                stretch: .init(rates: clip.rates),
                start: 120)
        }
    }

    @Test func `a step's mean is that of its intervals, with missed beats put in`() throws {
        var intervals = beats(0...30, 60)
        let missed = intervals.remove(at: 12)
        intervals[12].length += missed.length
        let mean = try #require(HeartRateMean(of: steady(0...30, 66), intervals, in: 0...30))
        #expect(mean.origin == .intervals && abs(mean.rate - 60) < 1e-9 && mean.notified == 66)
        let uncovered = try #require(
            HeartRateMean(of: steady(0...30, 66), Array(intervals.prefix(20)), in: 0...30))
        #expect(uncovered.origin == .notified && uncovered.rate == 66 && uncovered.byIntervals == nil)
        #expect(HeartRateMean(of: [], [], in: 0...1) == nil)
    }

    @Test func `says what is missing`() {
        #expect(throws: HeartRateResponse.Missing.baseline) {
            try HeartRateResponse(
                rest: .init(rates: steady(0...59, 60)), restEnd: 120,
                stretch: .init(rates: steady(120...150, 66)), start: 120)
        }
        #expect(throws: HeartRateResponse.Missing.stretch) {
            try HeartRateResponse(
                rest: .init(rates: steady(0...59, 60)), restEnd: 60,
                stretch: .init(rates: steady(60...68, 66)), start: 60)
        }
    }

    @Test func `maximum rates follow their formulas`() {
        #expect(abs(MaximumHeartRate.tanaka.rate(atAge: 40) - 180) < 1e-9)
        #expect(abs(MaximumHeartRate.gellish.rate(atAge: 40) - 180.1) < 1e-9)
        #expect(MaximumHeartRate.fox.rate(atAge: 40) == 180)
        #expect(abs(MaximumHeartRate.betaBlocked.rate(atAge: 40) - 136) < 1e-9)
    }

    @Test func `the reserve lies between rest and maximum`() throws {
        let reserve = try #require(HeartRateReserve(restingRate: 60, maximumRate: 180))
        #expect(reserve.rate(at: 0.5) == 120)
        #expect(
            HeartRateReserve.Intensity.allCases.map { reserve.rate(at: $0.lowerShare) }
                == [60, 96, 108, 132, 168])
        for (rest, most) in [(60.0, 60.0), (80, 70), (0, 180), (.nan, 180), (60, .infinity)] {
            #expect(HeartRateReserve(restingRate: rest, maximumRate: most) == nil)
        }
    }

    @Test func `zones begin at 50, 60, 70, 80 and 90 percent`() {
        #expect(HeartRateZone.allCases.map(\.lowerShare) == [0.5, 0.6, 0.7, 0.8, 0.9])
    }

    @Test func `a sample stands for the time around it, but not for a gap`() {
        let bands = [100.0..<120, 120..<140, 160..<180]
        #expect(
            secondsSpent(in: bands, times: [0, 1, 2, 3, 103], rates: [90, 130, 130, 170, 170])
                == [0, 2, 0.5 + 2.5 + 2.5])
        #expect(secondsSpent(in: bands, times: [5], rates: [130]) == [0, 0, 0])
    }

    @Test func `efforts rise with 45 s and fall with 60 s`() throws {
        let curve = try #require(
            ExpectedCurve(
                efforts: [(0, 0), (60, 0.5), (1060, 0)], restingRate: 60, maximumRate: 180))
        #expect(curve.rate(at: 59) == 60)
        #expect(abs(curve.rate(at: 60 + 45) - (60 + 60 * 0.6321205588285577)) < 1e-9)
        #expect(abs(curve.rate(at: 1060) - 120) < 1e-6)
        #expect(abs(curve.rate(at: 1120) - (60 + 60 * 0.36787944117144233)) < 1e-6)
        #expect(ExpectedCurve(efforts: [], restingRate: 60, maximumRate: 180) == nil)
        #expect(ExpectedCurve(efforts: [(1, 0), (1, 1)], restingRate: 60, maximumRate: 180) == nil)
        #expect(ExpectedCurve(efforts: [(0, .nan)], restingRate: 60, maximumRate: 180) == nil)
    }
}
