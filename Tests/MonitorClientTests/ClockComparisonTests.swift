import Testing

@testable import MonitorClient

@Suite struct ClockComparisonTests {
    @Test func `a moment of the monitor's clock is one of this machine's`() {
        let clock = ClockComparison(asked: 5_000_000_000, answered: 5_004_000_000, said: 1_479_686_400)
        #expect(clock.uncertainty == 0.002)
        #expect(clock.monotonic(1_479_686_400) == 5_002_000_000)
        #expect(clock.monotonic(1_479_686_399.5) == 4_502_000_000)
        #expect(clock.monotonic(1_479_686_402) == 7_002_000_000)
    }

    @Test(arguments: [0, 1e12, -.infinity, .infinity, .nan, 1_479_686_400 + 90_000])
    func `a moment that is far away is none`(time: Double) {
        #expect(ClockComparison(asked: 0, answered: 1, said: 1_479_686_400).monotonic(time) == nil)
    }
}
