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
        #expect(abs(clock.nanoseconds(of: 0)) < 3_000_000)
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
        #expect(StreamClock(settled: seldom, rate: 48_000)?.nanoseconds(of: 0) == 0)
        #expect(StreamClock(settled: seldom.dropLast(), rate: 48_000) == nil)
    }

    @Test func `does not move with jitter`() throws {
        var clock = try #require(StreamClock(settled: reports(from: 0, count: 50), rate: 48_000))
        let before = clock.nanoseconds(of: 0)
        let leaps = reports(from: 50, count: 3000, origin: before, seed: 7).compactMap { clock.take($0) }
        #expect(leaps == [])
        #expect(abs(clock.nanoseconds(of: 0) - before) < 1_000_000)
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
        let before = clock.nanoseconds(of: 96_000)
        let slip = Report(frame: 50 * 960, heard: 50 * 20_000_000 + 900_000_000, called: 800_000_000)
        let slipped = clock.take(slip)
        #expect(slipped == nil && clock.nanoseconds(of: 96_000) == before)
        // A device that goes on asking, and is heard later.
        clock.take(reports(from: 51, count: 1)[0])
        let later = reports(from: 52, count: 20).map {
            Report(frame: $0.frame, heard: $0.heard + 2_000_000_000, called: $0.called)
        }
        let leaps = later.compactMap { clock.take($0) }
        #expect(leaps.map(\.frame) == [52 * 960])
        let delay = clock.nanoseconds(of: 96_000) - before
        #expect(abs(delay - 2_000_000_000) < 6_000_000)
        #expect(leaps.map(\.delay).reduce(0, +) == delay)
    }

    @Test(arguments: 1...5) func `knows at once that the device asked for nothing, and soon for how long`(
        seed: UInt64
    ) throws {
        var clock = try #require(StreamClock(settled: reports(from: 0, count: 50, seed: seed), rate: 48_000))
        let before = clock.nanoseconds(of: 96_000)
        for report in reports(from: 50, count: 10, seed: seed + 10) { clock.take(report) }
        let late = reports(from: 60, count: 20, origin: 700_000_000, seed: seed + 20)
        let told = clock.take(late[0])
        let first = try #require(told)
        #expect(first.frame == 60 * 960 && abs(first.delay - 700_000_000) < 7_000_000)
        let others = late.dropFirst().compactMap { clock.take($0) }
        #expect(
            others.allSatisfy { $0.frame == first.frame && abs($0.delay) < 7_000_000 } && others.count <= 1)
        #expect(abs(clock.nanoseconds(of: 96_000) - before - 700_000_000) < 3_000_000)
    }

    @Test func `leaves what was heard before the device stood still where it was`() throws {
        var clock = try #require(StreamClock(settled: reports(from: 0, count: 50), rate: 48_000))
        let frames = Array(stride(from: Int64(0), to: 50 * 960, by: 479))
        let before = frames.map(clock.nanoseconds)
        for (first, origin) in [(50, Int64(1_300_000_000)), (70, 1_700_000_000)] {
            for report in reports(from: first, count: 20, origin: origin, seed: 9) { clock.take(report) }
        }
        // The clock of a device that goes on follows its crystal, by less than anybody hears.
        for (frame, moment) in zip(frames, before) {
            #expect(abs(clock.nanoseconds(of: frame) - moment) < 1_000_000)
        }
        for frame in stride(from: Int64(0), to: 100 * 960, by: 317) {
            #expect(clock.frame(at: clock.nanoseconds(of: frame)) == frame)
        }
        // While it stands still, the next frame that is heard is the first one after that.
        for first in [50 * 960, 70 * 960] as [Int64] {
            let last = clock.nanoseconds(of: first - 1)
            for late in [10_000_000, 200_000_000, 350_000_000] as [Int64] {
                #expect(clock.frame(at: last + late) == first)
            }
        }
    }
}
