import Glibc
import StudyTesting
import Testing

@testable import Physiology

@Suite struct PulseDetectorTests {
    @Test(arguments: [42.0, 58, 72, 95, 126, 140, 170])
    func `counts every beat once`(rate: Double) {
        let finger = SyntheticFinger(rate: rate)
        let pulse = PulseDetector().detect(in: finger.trace)
        let (hits, extra) = finger.score(pulse.beats)
        #expect(hits >= finger.beats.count - 1)
        #expect(extra == 0)
        #expect(pulse.windows.count == 16)
        for window in pulse.windows {
            #expect(window.reliable)
            #expect(abs((window.bpm ?? 0) - rate) < 0.03 * rate)
        }
    }

    @Test(arguments: [0.0, 0.4, 0.6, 0.75])
    func `a strong second wave is no beat`(diastole: Double) {
        let finger = SyntheticFinger(rate: 62, diastole: diastole)
        let (hits, extra) = finger.score(PulseDetector().detect(in: finger.trace).beats)
        #expect(hits >= finger.beats.count - 1)
        #expect(extra == 0)
    }

    @Test(arguments: [15.0, 24, 30, 60, 100, 250, 1000])
    func `any frame rate will do`(frames: Double) {
        let finger = SyntheticFinger(rate: 66, seconds: 25, frames: frames)
        let pulse = PulseDetector().detect(
            in: PulseTrace(times: finger.times, signal: finger.signal))
        #expect(finger.score(pulse.beats).extra == 0)
        #expect(pulse.beats.count >= finger.beats.count - 1)
        #expect(pulse.windows.allSatisfy { $0.reliable })
    }

    @Test func `takes the colour in which the pulse stands out`() {
        let finger = SyntheticFinger(noise: 0)
        var random = SeededRandom(seed: 4)
        let noisy = finger.signal.map { 200 - $0 + random.normal() }
        let flat = finger.signal.map { _ in 0.0 }
        let clear = finger.signal.map { 40 - $0 }
        let detector = PulseDetector()
        #expect(
            detector.detect(in: PulseTrace(times: finger.times, red: noisy, green: flat, blue: clear)).channel
                == .blue)
        #expect(
            detector.detect(in: PulseTrace(times: finger.times, red: clear, green: noisy, blue: flat)).channel
                == .red)
    }

    /// Also where every beat has exactly as many frames, so that five beats fit as well as one.
    @Test(arguments: [150.0, 175, 180, 182, 190, 200, 210, 220], [30.0, 60])
    func `fast hearts are never halved`(rate: Double, frames: Double) {
        for swing in [0, 0.03] {
            let finger = SyntheticFinger(rate: rate, swing: swing, frames: frames)
            let windows = PulseDetector().detect(in: finger.trace).windows
            for window in windows { #expect(abs((window.bpm ?? 0) - rate) < 0.02 * rate, "\(swing)") }
            #expect(windows.count { $0.reliable } > windows.count / 2, "\(swing)")
        }
    }

    @Test(arguments: [230.0, 240, 260, 290], [30.0, 60])
    func `what is faster than any heart has no reliable rate`(rate: Double, frames: Double) {
        let finger = SyntheticFinger(rate: rate, swing: 0, frames: frames)
        #expect(PulseDetector().detect(in: finger.trace).windows.allSatisfy { !$0.reliable })
    }

    @Test func `beats keep their moments to a hundredth of a second`() {
        let finger = SyntheticFinger(rate: 70, swing: 0.1, noise: 0.01)
        let found = PulseDetector().detect(in: finger.trace).beats
        let errors = zip(zip(found, found.dropFirst()).map { $1 - $0 }, found).compactMap { length, start in
            let nearest = finger.beats.indices.min {
                abs(finger.beats[$0] - start) < abs(finger.beats[$1] - start)
            }
            return nearest.flatMap { index in
                index + 1 < finger.beats.count
                    ? abs(finger.beats[index + 1] - finger.beats[index] - length) : nil
            }
        }
        #expect(errors.count > 40)
        #expect(average(errors) < 0.01)
    }

    @Test func `windows start with the first frame and leave no frame out`() {
        var finger = SyntheticFinger(seconds: 30)
        finger.times = finger.times.map { $0 + 1_000 }
        let pulse = PulseDetector(window: 10, hop: 2).detect(in: finger.trace)
        #expect(pulse.windows.map(\.start) == (0...10).map { 1_000 + 2 * Double($0) })
        #expect(pulse.windows.allSatisfy { $0.end == $0.start + 10 })
        #expect(pulse.filtered.count == finger.times.count)
        #expect(pulse.filtered.allSatisfy { $0 != nil })
        #expect(pulse.quality.allSatisfy { 0.8 < $0 && $0 <= 1 })
    }

    @Test func `a recording shorter than a window is one window`() {
        let pulse = PulseDetector().detect(in: SyntheticFinger(seconds: 6).trace)
        #expect(pulse.windows.count == 1)
        #expect(abs((pulse.windows.first?.bpm ?? 0) - 72) < 3)
    }

    @Test(arguments: [0 as UInt64, 1, 2, 3, 4, 5, 6, 7])
    func `noise has no heart rate`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let times = (0..<1_800).map { Double($0) / 30 }
        var walk = 0.0
        let wander = times.map { _ in
            walk += 0.3 * random.normal()
            return 100 + walk
        }
        let white = times.map { _ in 50 + random.normal() }
        let trace = PulseTrace(
            times: times, red: white, green: wander, blue: wander.map { $0 + random.normal() })
        for window in PulseDetector().detect(in: trace).windows { #expect(!window.reliable) }
        for window in PulseDetector(hop: 1).detectLive(in: trace).windows { #expect(!window.reliable) }
    }

    @Test func `a flat picture has no channel and no beats, and windows without a rate`() {
        let times = (0..<600).map { Double($0) / 30 }
        let flat = times.map { _ in 17.0 }
        let pulse = PulseDetector().detect(in: PulseTrace(times: times, red: flat, green: flat, blue: flat))
        #expect(pulse.channel == nil)
        #expect(pulse.beats.isEmpty)
        #expect(pulse.windows.count == 6)
        #expect(pulse.windows.allSatisfy { $0.bpm == nil && !$0.reliable && $0.quality == 0 })
    }

    @Test func `two moving averages find the beats of a clean signal`() {
        let finger = SyntheticFinger(rate: 66, diastole: 0)
        let (hits, extra) = finger.score(PulseDetector(method: .elgendi).detect(in: finger.trace).beats)
        #expect(hits >= finger.beats.count - 1)
        #expect(extra == 0)
    }

    @Test func `troughs of the hue tell the rate of a smooth signal`() {
        var finger = SyntheticFinger(rate: 66)
        finger.signal = finger.times.map { sin(2 * .pi * 1.1 * $0) }
        let pulse = PulseDetector(method: .hueTroughs).detect(in: finger.trace)
        #expect(pulse.channel == .hue)
        for window in pulse.windows { #expect(abs((window.bpm ?? 0) - 66) < 2) }
    }

    @Test(
        arguments: zip(
            [(255.0, 0.0, 1.0), (255, 1, 0), (10, 200, 10), (10, 10, 200)], [-0.2353, 0.2353, 120, -120]))
    func `red does not leap by 360 degrees`(colour: (Double, Double, Double), hue: Double) {
        let found = HueTroughs.hue(red: colour.0, green: colour.1, blue: colour.2)
        #expect(abs(found - hue) < 1e-3)
    }

    @Test func `grey has no hue`() {
        #expect(HueTroughs.hue(red: 7, green: 7, blue: 7).isNaN)
    }

    @Test func `a band-pass keeps what is inside, in its place`() {
        let rate = 100.0
        let wave = { (frequency: Double) in (0..<2_000).map { sin(2 * .pi * frequency * Double($0) / rate) } }
        let filter = BandPass(from: 0.7, to: 3.5, rate: rate)
        let inside = filter.apply(to: wave(1.5))
        for index in 500..<1_500 { #expect(abs(inside[index] - wave(1.5)[index]) < 0.02) }
        #expect(filter.apply(to: wave(0.1))[500..<1_500].allSatisfy { abs($0) < 0.01 })
        #expect(filter.apply(to: wave(20))[500..<1_500].allSatisfy { abs($0) < 0.01 })
        #expect(filter.apply(to: (0..<300).map { _ in 250 }).allSatisfy { abs($0) < 1e-9 })
    }
}
