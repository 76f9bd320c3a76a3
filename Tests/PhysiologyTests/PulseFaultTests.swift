import StudyTesting
import Testing

@testable import Physiology

/// One clean minute, spoiled in one place or throughout.
@Suite struct PulseFaultTests {
    enum Fault: CaseIterable {
        case spike, step, fingerOff, frozen, gap, motion, halfOfFrames, halfByChance, jitter, eightBits

        /// When it is, in seconds; `nil` for the whole recording.
        var span: Range<Double>? {
            switch self {
            case .spike, .step: 30..<30.1
            case .fingerOff: 30..<35
            case .frozen: 30..<33
            case .gap: 30..<34
            case .motion: 30..<36
            case .halfOfFrames, .halfByChance, .jitter, .eightBits: nil
            }
        }

        /// Whether nothing of the pulse is left while it lasts.
        var hidesPulse: Bool {
            switch self {
            case .fingerOff, .frozen, .gap, .motion: true
            case .spike, .step, .halfOfFrames, .halfByChance, .jitter, .eightBits: false
            }
        }

        func spoil(_ finger: inout SyntheticFinger) {
            var random = SeededRandom(seed: 9)
            let isIn = { (time: Double) in span?.contains(time) ?? false }
            switch self {
            case .spike: change(&finger) { isIn($0) ? $1 * 50 + 50 : $1 }
            case .step: change(&finger) { $0 >= 30 ? $1 + 20 : $1 }
            case .fingerOff: change(&finger) { isIn($0) ? 100 + 2 * random.normal() : $1 }
            case .frozen: change(&finger) { isIn($0) ? 0.5 : $1 }
            case .motion: change(&finger) { isIn($0) ? $1 + 5 * random.normal() : $1 }
            case .eightBits: change(&finger) { ($1 * 64).rounded() / 64 }
            case .jitter: finger.times = finger.times.map { $0 + 0.04 * random.unitInterval() }
            case .gap: keep(&finger) { _, time in !isIn(time) }
            case .halfByChance: keep(&finger) { _, _ in random.unitInterval() < 0.5 }
            case .halfOfFrames: keep(&finger) { index, _ in index.isMultiple(of: 2) }
            }
        }

        private func change(_ finger: inout SyntheticFinger, _ value: (Double, Double) -> Double) {
            finger.signal = zip(finger.times, finger.signal).map(value)
        }

        private func keep(_ finger: inout SyntheticFinger, _ isKept: (Int, Double) -> Bool) {
            let kept = finger.times.indices.filter { isKept($0, finger.times[$0]) }
            finger.signal = kept.map { finger.signal[$0] }
            finger.times = kept.map { finger.times[$0] }
        }
    }

    /// The level and the noise of a picture without a finger; the pulse has a height of 1 around 0.
    @Test(arguments: [(100.0, 2.0), (-58, 0.3), (30, 0.05), (15, 1)], [72.0, 110])
    func `no beat is found while the finger is lifted`(picture: (Double, Double), rate: Double) {
        var finger = SyntheticFinger(rate: rate, seconds: 60)
        var random = SeededRandom(seed: 4)
        for (index, time) in finger.times.enumerated() where (30..<35).contains(time) {
            finger.signal[index] = picture.0 + picture.1 * random.normal()
        }
        let found = PulseDetector().detect(in: finger.trace).beats
        #expect(!found.contains { (30.2..<34.9).contains($0) })
        let left = finger.beats.filter { !(28.5..<36.5).contains($0) && (1..<59).contains($0) }
        #expect(left.allSatisfy { beat in found.contains { abs($0 - 0.05 - beat) < 0.1 } })
        // A step of the exposure is no lift.
        var step = SyntheticFinger(rate: rate, seconds: 60)
        for (index, time) in step.times.enumerated() where time >= 30 { step.signal[index] += picture.0 }
        #expect(PulseDetector().detect(in: step.trace).beats.count { $0 > 31 } > Int(0.45 * rate))
    }

    @Test(arguments: Fault.allCases)
    func `a fault spoils nothing but its own place`(fault: Fault) {
        var finger = SyntheticFinger(rate: 68, seconds: 60)
        fault.spoil(&finger)
        let pulse = PulseDetector().detect(in: finger.trace)
        let sound = pulse.windows.filter { window in
            fault.span.map { window.end <= $0.lowerBound - 1 || window.start >= $0.upperBound + 1 } ?? true
        }
        let errors = sound.map { abs(($0.bpm ?? 0) - finger.rate(from: $0.start, to: $0.end)) }
        #expect(sound.count >= 17)
        #expect(average(errors) <= 0.3)
        #expect(sound.allSatisfy { $0.reliable })
    }

    @Test(arguments: Fault.allCases.filter(\.hidesPulse))
    func `a window that holds the fault is not reliable`(fault: Fault) throws {
        var finger = SyntheticFinger(rate: 68, seconds: 60)
        fault.spoil(&finger)
        let span = try #require(fault.span)
        for pulse in [PulseDetector().detect(in: finger.trace), PulseDetector().detectLive(in: finger.trace)]
        {
            let spoiled = pulse.windows.filter { $0.start <= span.lowerBound && $0.end >= span.upperBound }
            #expect(!spoiled.isEmpty)
            for window in spoiled { #expect(!window.reliable, "\(window)") }
        }
    }
}

extension SyntheticFinger {
    /// Beats per minute by the beats that lie in a span.
    func rate(from start: Double, to end: Double) -> Double {
        let inside = beats.filter { start <= $0 && $0 <= end }
        return 60 * Double(inside.count - 1) / (inside[inside.count - 1] - inside[0])
    }
}
