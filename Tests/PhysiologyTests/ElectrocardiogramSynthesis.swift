import Glibc
import StudyTesting

@testable import Physiology

/// A numerical stand-in for a chest lead: known beats with P, QRS and T waves, seeded noise, and what disturbs it.
struct SyntheticECG {
    /// Samples per second.
    var rate = 250.0
    var seconds = 60.0
    /// Beats per minute, swinging by 5 % with each breath.
    var pace = 70.0
    /// Millivolts; negative for an inverted lead.
    var height = 1.0
    /// The heights of the P and the T wave, of the R wave.
    var atrial = 0.12
    var repolarisation = 0.3
    /// Millivolts: the standard deviation of the noise, and the amplitudes of the wandering and of the hum.
    var noise = 0.01
    var wander = 0.0
    var hum = (height: 0.0, hertz: 50.0)
    /// Seconds: the standard deviations of the R and the T wave.
    var widths = (beat: 0.01, repolarisation: 0.045)
    /// Seconds before the first beat, in which there are P waves alone.
    var silence = 0.0
    /// Every so many beats, one is early, wide and points the other way; 0 for none.
    var ectopicEvery = 0
    var seed: UInt64 = 1

    /// The times of the R peaks, seconds.
    var beats: [Double] {
        var (beats, next, index) = ([Double](), silence + 0.6, 0)
        while next < seconds - 0.5 {
            beats.append(next)
            index += 1
            let interval = 60 / (pace * (1 + 0.05 * sin(2 * .pi * next / 4)))
            let isEarly = ectopicEvery > 0 && index % ectopicEvery == 0
            let isAfterEarly = ectopicEvery > 0 && index > 1 && index % ectopicEvery == 1
            next += interval * (isEarly ? 0.7 : isAfterEarly ? 1.3 : 1)
        }
        return beats
    }

    func isEctopic(_ index: Int) -> Bool { ectopicEvery > 0 && index > 0 && index % ectopicEvery == 0 }

    /// Millivolts.
    var samples: [Double] {
        var random = SeededRandom(seed: seed)
        var samples = (0..<Int(seconds * rate)).map { index in
            let time = Double(index) / rate
            return noise * random.normal() + wander * sin(2 * .pi * time / 3.7)
                + hum.height * sin(2 * .pi * hum.hertz * time)
        }
        for (index, beat) in beats.enumerated() {
            let first = max(0, Int((beat - 0.4) * rate))
            for place in first..<min(samples.count, Int((beat + 0.6) * rate)) {
                samples[place] += height * wave(at: Double(place) / rate - beat, isEctopic: isEctopic(index))
            }
        }
        for atrium in stride(from: 0.4, to: silence, by: 0.85) {
            for place in Int((atrium - 0.1) * rate)..<Int((atrium + 0.1) * rate) {
                samples[place] += height * Self.bump(atrial, 0, 0.02, at: Double(place) / rate - atrium)
            }
        }
        return samples
    }

    private func wave(at time: Double, isEctopic: Bool) -> Double {
        // What comes before and after a beat moves nearer when the heart is fast.
        let pace = min(1, (70 / pace).squareRoot())
        func bump(_ height: Double, _ middle: Double, _ width: Double) -> Double {
            Self.bump(height, middle, width, at: time)
        }
        let (beat, after) = widths
        return isEctopic
            ? bump(-1.4, 0, 0.035) + bump(0.5, 0.28, 0.06)
            : bump(atrial, -0.16 * pace, 0.02 * pace) + bump(-0.12, -3 * beat, 0.8 * beat) + bump(1, 0, beat)
                + bump(-0.2, 3 * beat, 0.9 * beat) + bump(repolarisation, 0.26 * pace, after * pace)
    }

    private static func bump(_ height: Double, _ middle: Double, _ width: Double, at time: Double) -> Double {
        height * exp(-(time - middle) * (time - middle) / (2 * width * width))
    }
}

/// What disturbs leads, as in the records of PhysioNet's Noise Stress Test Database, synthesised.
enum ECGNoise: String, CaseIterable {
    /// Each half second on average, a jump of normal size that dies away within 0.08 to 0.6 s, below 12 Hz.
    case electrodeMotion
    /// White.
    case muscle
    /// A random walk that leans back to zero within two seconds.
    case baseline

    /// A lead with noise after its first minute.
    ///
    /// - Parameter decibels: the signal-to-noise ratio as Moody's `nst` has it: an eighth of the square of the height of
    ///   a QRS complex, against the mean square of the noise.
    func added(to made: SyntheticECG, decibels: Double) -> [Double] {
        let samples = made.samples
        let noise = values(samples.count, rate: made.rate)
        let power = noise.reduce(0) { $0 + $1 * $1 } / Double(noise.count)
        let signal = 1.2 * made.height * 1.2 * made.height / 8
        let gain = (signal / power / pow(10, decibels / 10)).squareRoot()
        return samples.indices.map { samples[$0] + (Double($0) < 60 * made.rate ? 0 : gain * noise[$0]) }
    }

    private func values(_ count: Int, rate: Double) -> [Double] {
        var random = SeededRandom(seed: 47)
        switch self {
        case .muscle:
            return (0..<count).map { _ in random.normal() }
        case .baseline:
            var value = 0.0
            return (0..<count).map { _ in
                value += random.normal() - value / (2 * rate)
                return value
            }
        case .electrodeMotion:
            var values = [Double](repeating: 0, count: count)
            for start in 0..<count where Int.random(in: 0..<Int(rate / 2), using: &random) == 0 {
                let (height, decay) = (random.normal(), Double.random(in: 0.08...0.6, using: &random) * rate)
                for place in start..<min(count, start + Int(5 * decay)) {
                    let since = Double(place - start)
                    values[place] += height * (1 - exp(-since / (0.03 * rate))) * exp(-since / decay)
                }
            }
            return values
        }
    }
}

/// What a detector gave for some samples.
struct DetectedBeats {
    var beats: [ECGDetector.Beat] = []
    var missingSeconds = 0.0
    var segments: [ECGDetector.Segment] = []
    /// Seconds from each beat until it was given, while samples came.
    var delays: [Double] = []

    init(_ samples: [Double], rate: Double) {
        var detector = ECGDetector(rate: rate)
        for (index, sample) in samples.enumerated() {
            guard let beat = detector.append(sample) else { continue }
            beats.append(beat)
            delays.append(Double(index) / rate - beat.time)
        }
        beats += detector.finish()
        missingSeconds = detector.missingSeconds
        segments = detector.segments
    }

    init(_ made: SyntheticECG) { self.init(made.samples, rate: made.rate) }

    var times: [Double] { beats.map(\.time) }

    /// How many of the true beats were not found within a tolerance in seconds, and how many found ones are none.
    func errors(_ truth: [Double], within tolerance: Double = 0.05) -> (missed: Int, extra: Int) {
        let times = times
        return (
            truth.count { beat in !times.contains { abs($0 - beat) <= tolerance } },
            times.count { time in !truth.contains { abs($0 - time) <= tolerance } }
        )
    }

    /// The beats that lie in segments that are not refused.
    func usable(_ truth: [Double]) -> [Double] {
        truth.filter { beat in
            segments.contains { $0.isUsable && $0.start <= beat && beat < $0.start + $0.seconds }
        }
    }

    var refusedSeconds: Double { segments.reduce(0) { $0 + ($1.isUsable ? 0 : $1.seconds) } }
}
