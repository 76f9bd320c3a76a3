import StudyTesting
import Testing

@testable import Physiology

/// A heart with a strap that sends about once a second, late by `delay` and some jitter.
private struct SentBeats {
    /// What was sent: the intervals, when, and when the last of the beats truly was.
    var packets: [(intervals: [Double], arrival: Double, beat: Double)] = []

    init(
        seconds: Int, interval: Double = 0.83, jitter: Double = 0.03, missing: Range<Double>? = nil,
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        let unit = { (random: inout SeededRandom) in Double(random.next() >> 11) / 9_007_199_254_740_992 }
        var beat = 0.0
        var waiting: [Double] = []
        for second in 1...seconds {
            let sending = Double(second)
            while true {
                let next = interval * (0.95 + 0.1 * unit(&random))
                guard beat + next <= sending else { break }
                beat += next
                waiting.append((next * 1024).rounded() / 1024)
            }
            let arrival = sending + jitter * unit(&random)
            if let missing, missing.contains(sending) {
                waiting = []
                continue
            }
            packets.append((waiting, arrival, beat))
            waiting = []
        }
    }
}

@Suite struct BeatClockTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `finds the beats on our clock, and knows how well`(seed: UInt64) throws {
        var clock = BeatClock()
        var worst = 0.0
        var surprises = 0
        for (index, packet) in SentBeats(seconds: 300, seed: seed).packets.enumerated() {
            guard let estimate = clock.take(packet.intervals, at: packet.arrival) else { continue }
            let error = abs(estimate.time - packet.beat)
            #expect(estimate.time <= packet.arrival)
            if error > estimate.uncertainty + 0.03 { surprises += 1 }
            if index > 60 { worst = max(worst, error) }
        }
        #expect(surprises <= 30)
        #expect(worst < 0.1)
    }

    @Test func `beats that were missed unseen are told`() {
        var clock = BeatClock()
        for packet in SentBeats(seconds: 100, missing: 40..<44, seed: 1).packets {
            _ = clock.take(packet.intervals, at: packet.arrival)
        }
        #expect(clock.breaks == 1 && (3...6).contains(clock.largestResidual))
        var whole = BeatClock()
        for packet in SentBeats(seconds: 100, seed: 1).packets {
            _ = whole.take(packet.intervals, at: packet.arrival)
        }
        #expect(whole.breaks == 0 && whole.largestResidual < 1.5)
    }

    @Test func `a notification without intervals says nothing of beats`() {
        var clock = BeatClock()
        #expect(clock.take([], at: 1) == nil)
        #expect(clock.take([0.8], at: 2) == BeatEstimate(time: 2, uncertainty: 1))
        #expect(clock.take([], at: 3) == nil)
    }

    @Test func `is tied anew after a gap, by itself and when it is told`() throws {
        for isTold in [false, true] {
            var clock = BeatClock()
            var worst = 0.0
            for packet in SentBeats(seconds: 200, missing: 100..<112, seed: 3).packets {
                if isTold, packet.arrival > 112, packet.arrival < 113 { clock.restart() }
                guard let estimate = clock.take(packet.intervals, at: packet.arrival) else { continue }
                if packet.arrival > 140 { worst = max(worst, abs(estimate.time - packet.beat)) }
            }
            #expect(worst < 0.15)
        }
    }

    @Test func `beats that were lost without a gap move the tie after a few notifications`() throws {
        var clock = BeatClock()
        var late = 0.0
        for (index, packet) in SentBeats(seconds: 120, seed: 4).packets.enumerated() {
            // Four seconds of beats never arrive, though packets do.
            let intervals = (60..<64).contains(index) ? [] : packet.intervals
            guard let estimate = clock.take(intervals, at: packet.arrival) else { continue }
            if index > 90 { late = max(late, abs(estimate.time - packet.beat)) }
        }
        #expect(late < 0.15)
    }

    @Test func `a delayed burst does not move the beats`() throws {
        var clock = BeatClock()
        var worst = 0.0
        for (index, packet) in SentBeats(seconds: 120, seed: 5).packets.enumerated() {
            let arrival = (60..<62).contains(index) ? packet.arrival + Double(62 - index) : packet.arrival
            guard let estimate = clock.take(packet.intervals, at: max(arrival, packet.arrival)) else {
                continue
            }
            if index > 40 { worst = max(worst, abs(estimate.time - packet.beat)) }
        }
        #expect(worst < 0.1)
    }
}
