import Glibc
import StudyTesting

@testable import Physiology

/// A numerical stand-in for a finger: known beats, waves with a diastolic shoulder, seeded noise.
struct SyntheticFinger {
    var beats: [Double]
    var times: [Double]
    var signal: [Double]

    /// - Parameters:
    ///   - rate: beats per minute, swinging by `swing` of it with each breath of four seconds.
    ///   - diastole: height of the second wave, of the first.
    ///   - noise: standard deviation, of the first wave's height.
    init(
        rate: Double = 72, swing: Double = 0.05, seconds: Double = 40, frames: Double = 30,
        diastole: Double = 0.3, noise: Double = 0.02, seed: UInt64 = 1
    ) {
        beats = []
        var next = 0.35
        while next < seconds {
            beats.append(next)
            next += 60 / (rate * (1 + swing * sin(2 * .pi * next / 4)))
        }
        times = (0..<Int(seconds * frames)).map { Double($0) / frames }
        var random = SeededRandom(seed: seed)
        signal = []
        for time in times {
            var value = noise * random.normal() + 0.5 * sin(2 * .pi * time / 11)
            for beat in beats where abs(time - beat) < 3 {
                let since = (time - beat) / min(1, 60 / rate)
                value += exp(-pow((since - 0.1) / 0.075, 2)) + diastole * exp(-pow((since - 0.45) / 0.1, 2))
            }
            signal.append(value)
        }
    }

    /// The finger as a camera sees it: most of the pulse in green, red nearly white.
    var trace: PulseTrace {
        PulseTrace(
            times: times, red: signal.map { 230 - 0.2 * $0 }, green: signal.map { 60 - $0 },
            blue: signal.map { 20 - 0.1 * $0 })
    }

    /// How many beats were found, and how many of the marks are no beats; marks stand a constant delay after
    /// the beats.
    func score(_ found: [Double]) -> (hits: Int, extra: Int) {
        let offsets = found.compactMap { mark in
            beats.map { mark - $0 }.min { abs($0 - 0.05) < abs($1 - 0.05) }
        }
        let delay = offsets.sorted()[offsets.count / 2]
        let hits = beats.count { beat in found.contains { abs($0 - delay - beat) < 0.05 } }
        let extra = found.count { mark in !beats.contains { abs(mark - delay - $0) < 0.05 } }
        return (hits, extra)
    }
}

func average(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
