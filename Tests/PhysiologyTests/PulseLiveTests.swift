import StudyTesting
import Testing

@testable import Physiology

@Suite struct PulseLiveTests {
    @Test(arguments: [50.0, 72, 140])
    func `knows the rate ten seconds after the finger came`(rate: Double) {
        let finger = SyntheticFinger(rate: rate, noise: 0.05)
        var live = LivePulse()
        for (index, time) in finger.times.enumerated() {
            let value = finger.signal[index]
            live.append(time: time, red: 230 - 0.2 * value, green: 60 - value, blue: 20)
            guard index % 30 == 0, time >= 10 else { continue }
            let window = live.estimate(at: time).windows.first
            #expect(abs((window?.bpm ?? 0) - rate) < 0.03 * rate)
            #expect(window?.reliable == true)
        }
    }

    @Test func `what comes later changes no window`() {
        let finger = SyntheticFinger(seconds: 40)
        var cut = finger
        cut.times = Array(finger.times.prefix(900))
        cut.signal = Array(finger.signal.prefix(900))
        let detector = PulseDetector()
        let whole = detector.detectLive(in: finger.trace)
        let part = detector.detectLive(in: cut.trace)
        #expect(part.windows.count == 11)
        #expect(Array(whole.windows.prefix(11)) == part.windows)
    }

    @Test func `a file watched live and frames taken live say the same`() {
        let finger = SyntheticFinger(seconds: 30)
        let file = PulseDetector(hop: 1).detectLive(in: finger.trace)
        var live = LivePulse()
        var windows: [Pulse.Window] = []
        for (index, time) in finger.times.enumerated() {
            if index >= 300 && index % 30 == 0 { windows += live.estimate(at: time).windows }
            let value = finger.signal[index]
            live.append(time: time, red: 230 - 0.2 * value, green: 60 - value, blue: 20 - 0.1 * value)
        }
        #expect(windows.count == 20)
        #expect(windows == Array(file.windows.prefix(20)))
    }

    @Test func `beats seen live are the beats of the recording`() {
        let finger = SyntheticFinger(rate: 80, seconds: 60)
        let (hits, extra) = finger.score(PulseDetector().detectLive(in: finger.trace).beats)
        #expect(hits >= finger.beats.count - 2)
        #expect(extra <= 1)
    }

    @Test func `a lifted finger is noticed, and found again`() {
        var finger = SyntheticFinger(seconds: 60)
        var random = SeededRandom(seed: 3)
        for index in finger.signal.indices where (20..<30).contains(finger.times[index]) {
            finger.signal[index] = -80 + random.normal()
        }
        let windows = PulseDetector(hop: 1).detectLive(in: finger.trace).windows
        #expect(windows.filter { $0.end <= 20 }.allSatisfy { $0.reliable })
        #expect(!windows.filter { $0.end >= 25 && $0.end <= 30 }.contains { $0.reliable })
        #expect(windows.filter { $0.start >= 31 }.allSatisfy { $0.reliable })
    }
}
