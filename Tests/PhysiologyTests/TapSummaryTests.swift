import Testing

@testable import Physiology

@Suite struct TapSummaryTests {
    private func summary(_ phases: [Double], interval: Double = 0.5) -> TapSummary {
        TapSummary([
            phases.enumerated().map { place, phase in
                TapSummary.Tap(
                    time: Double(place) * interval,
                    beat: .init(asynchrony: phase / 360 * interval, phase: phase))
            }
        ])
    }

    @Test func `taps at one phase have a mean vector of length one in its direction`() {
        let found = summary([-36, -36, -36])
        #expect(abs((found.vectorLength ?? 0) - 1) < 1e-12)
        #expect(abs((found.meanDirection ?? 0) + 36) < 1e-12)
        #expect(
            abs((found.meanAsynchrony ?? 0) + 0.05) < 1e-12
                && found.asynchronyDeviation.map { $0 < 1e-12 } == true)
    }

    @Test func `taps all around have none, and the direction does not jump at half a beat`() {
        #expect(summary([0, 90, 180, -90]).vectorLength.map { $0 < 1e-12 } == true)
        let across = summary([170, -170])
        #expect(abs(abs(across.meanDirection ?? 0) - 180) < 1e-9)
        // cos 10°
        #expect(abs((across.vectorLength ?? 0) - 0.984807753012208) < 1e-12)
    }

    @Test func `values agree with a textbook's formulas`() {
        // Phases 10°, 20° and 60°: their cosines add up to 2.4245, their sines to 1.3817.
        let found = summary([10, 20, 60])
        let (across, up) = (2.4245003737981166, 1.3816937247770378)
        #expect(abs((found.vectorLength ?? 0) - (across * across + up * up).squareRoot() / 3) < 1e-9)
        #expect(abs((found.meanDirection ?? 0) - 29.678) < 1e-3)
        #expect(abs((found.meanInterval ?? 0) - 0.5) < 1e-12)
    }

    @Test func `nothing is made up without taps, without beats, or across a pause`() {
        let none = TapSummary([])
        #expect(
            none.count == 0 && none.meanAsynchrony == nil && none.vectorLength == nil
                && none.meanInterval == nil)
        let free = TapSummary([
            [.init(time: 1, beat: nil), .init(time: 1.6, beat: nil)], [.init(time: 20, beat: nil)],
        ])
        #expect(free.count == 3 && free.onBeats == 0 && free.meanDirection == nil)
        #expect(abs((free.meanInterval ?? 0) - 0.6) < 1e-12 && free.intervalDeviation == nil)
    }
}
