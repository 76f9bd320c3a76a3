import StudyTesting
import Testing

@testable import Sound

@Suite struct StreamClockTests {
    private typealias Report = StreamClock.Report

    /// What a device says every 20 ms, up to 3 ms late or early.
    private func reports(
        from first: Int, count: Int, origin: Int64 = 0, drift: Double = 0, seed: UInt64 = 1
    ) -> [Report] {
        var random = SeededRandom(seed: seed)
        return (first..<(first + count)).map { index in
            let heard = Double(index) * 20_000_000 * (1 + drift)
            let jitter = Int64.random(in: -3_000_000...3_000_000, using: &random)
            let called = origin + Int64(heard) - 200_000_000
            return Report(frame: Int64(index) * 960, heard: origin + Int64(heard) + jitter, called: called)
        }
    }

    @Test(arguments: 1...5) func `finds the time in reports that are off by milliseconds`(seed: UInt64) throws
    {
        let clock = try #require(StreamClock(settled: reports(from: 0, count: 20, seed: seed), rate: 48_000))
        #expect(abs(clock.origin) < 3_000_000)
        #expect(clock.frame(at: clock.nanoseconds(of: 123_456)) == 123_456)
    }

    @Test func `believes nothing while a device has not settled`() {
        var leaping = reports(from: 0, count: 5) + reports(from: 5, count: 4, origin: 1_400_000_000)
        #expect(StreamClock(settled: leaping, rate: 48_000) == nil)
        leaping += reports(from: 9, count: 20, origin: 1_400_000_000)
        #expect(StreamClock(settled: leaping, rate: 48_000) != nil)
        #expect(StreamClock(settled: reports(from: 0, count: 3), rate: 48_000) == nil)
        // A whole buffer asked for at once says nothing about the time.
        let atOnce = (0..<12).map { Report(frame: $0 * 1024, heard: $0 * 21_333_333, called: 0) }
        #expect(StreamClock(settled: atOnce, rate: 48_000) == nil)
    }

    @Test func `believes a device that asks seldom`() {
        let seldom = (0..<8).map { index in
            Report(frame: index * 9600, heard: index * 200_000_000, called: (index - 2) * 200_000_000)
        }
        #expect(StreamClock(settled: seldom, rate: 48_000)?.origin == 0)
        #expect(StreamClock(settled: seldom.dropLast(), rate: 48_000) == nil)
    }

    @Test func `does not move with jitter`() throws {
        var clock = try #require(StreamClock(settled: reports(from: 0, count: 50), rate: 48_000))
        let before = clock.origin
        for report in reports(from: 50, count: 3000, origin: before, seed: 7) { clock.take(report) }
        #expect(abs(clock.origin - before) < 1_000_000)
        #expect(clock.leapt == 0)
    }

    @Test(arguments: [-50e-6, 50e-6]) func `follows a crystal that drifts`(drift: Double) throws {
        var clock = try #require(
            StreamClock(settled: reports(from: 0, count: 50, drift: drift), rate: 48_000))
        for report in reports(from: 50, count: 15_000, drift: drift, seed: 3) { clock.take(report) }
        let frame: Int64 = 15_000 * 960
        let truth = Double(15_000) * 20_000_000 * (1 + drift)
        #expect(abs(Double(clock.nanoseconds(of: frame)) - truth) < 2_000_000)
    }

    @Test func `leaps where the device stood still, and not for a single slip`() throws {
        var clock = try #require(StreamClock(settled: reports(from: 0, count: 50), rate: 48_000))
        let before = clock.origin
        clock.take(Report(frame: 50 * 960, heard: 50 * 20_000_000 + 900_000_000))
        #expect(clock.origin == before)
        for report in reports(from: 51, count: 20, origin: 2_000_000_000) { clock.take(report) }
        #expect(abs(clock.origin - before - 2_000_000_000) < 6_000_000)
        #expect(clock.leapt == clock.origin - before)
    }
}
