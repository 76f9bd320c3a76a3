import Physiology
import Testing

@Suite struct HeartRateSummaryTests {
    @Test func `the mean is weighted by time, and a gap does not count`() throws {
        let summary = try #require(
            HeartRateSummary(times: [0, 1, 2, 102, 103], rates: [60, 60, 60, 90, 90], rrIntervals: []))
        // 0.5 + 1 + 3 s of 60 and 3 + 0.5 s of 90.
        #expect(abs(summary.mean - (4.5 * 60 + 3.5 * 90) / 8) < 1e-12)
        #expect(summary.minimum == 60)
        #expect(summary.maximum == 90)
        #expect(summary.sampleCount == 5)
        #expect(summary.rmssd == nil)
    }

    @Test func `one sample is its own mean, none is no summary`() {
        #expect(HeartRateSummary(times: [3], rates: [72], rrIntervals: [])?.mean == 72)
        #expect(HeartRateSummary(times: [3, 3], rates: [72, 74], rrIntervals: [])?.mean == 73)
        #expect(HeartRateSummary(times: [], rates: [], rrIntervals: []) == nil)
    }

    @Test(
        arguments: [
            ([0.8, 0.81, 0.8, 0.81], 10.0),
            // A missed beat, a doubled one and a dead sensor are left out, and no difference spans them.
            ([0.8, 0.81, 1.6, 0.8, 0.81, 0.4, 0.81, 0.82, 0.0, 0.8, 0.79], 10),
            ([0.8], nil), ([], nil), ([0, 0, 0], nil), ([.nan, .infinity, -1], nil),
        ] as [([Double], Double?)])
    func `RMSSD is that of clean neighbours`(intervals: [Double], expected: Double?) throws {
        let summary = try #require(
            HeartRateSummary(times: [0, 1], rates: [75, 75], rrIntervals: intervals))
        #expect(summary.rmssd.map { ($0 * 1e6).rounded() / 1e6 } == expected)
    }
}
