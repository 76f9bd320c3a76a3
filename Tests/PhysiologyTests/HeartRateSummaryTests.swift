import Physiology
import Testing

@Suite struct HeartRateSummaryTests {
    @Test func `the mean is weighted by time, and a gap does not count`() throws {
        let summary = try #require(
            HeartRateSummary(times: [0, 1, 2, 102, 103], rates: [60, 60, 60, 90, 90]))
        // 0.5 + 1 + 3 s of 60 and 3 + 0.5 s of 90.
        #expect(abs(summary.mean - (4.5 * 60 + 3.5 * 90) / 8) < 1e-12)
        #expect(summary.minimum == 60)
        #expect(summary.maximum == 90)
        #expect(summary.sampleCount == 5)
    }

    @Test func `one sample is its own mean, none is no summary`() {
        #expect(HeartRateSummary(times: [3], rates: [72])?.mean == 72)
        #expect(HeartRateSummary(times: [3, 3], rates: [72, 74])?.mean == 73)
        #expect(HeartRateSummary(times: [], rates: []) == nil)
    }
}
