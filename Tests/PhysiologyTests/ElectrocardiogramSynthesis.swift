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
    /// Every so many beats, one is early, wide and points the other way; 0 for none.
    var ectopicEvery = 0
    var seed: UInt64 = 1

    /// The times of the R peaks, seconds.
    var beats: [Double] {
        var (beats, next, index) = ([Double](), 0.6, 0)
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
        return samples
    }

    private func wave(at time: Double, isEctopic: Bool) -> Double {
        func bump(_ height: Double, _ middle: Double, _ width: Double) -> Double {
            height * exp(-(time - middle) * (time - middle) / (2 * width * width))
        }
        return isEctopic
            ? bump(-1.4, 0, 0.035) + bump(0.5, 0.28, 0.06)
            : bump(atrial, -0.16, 0.02) + bump(-0.12, -0.03, 0.008) + bump(1, 0, 0.01)
                + bump(-0.2, 0.03, 0.009) + bump(repolarisation, 0.26, 0.045)
    }
}

/// What a detector gave for some samples.
struct DetectedBeats {
    var beats: [ECGDetector.Beat] = []
    var missingSeconds = 0.0
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
}
