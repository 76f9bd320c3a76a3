import Glibc
import StudyTesting
import Testing

@testable import Physiology

@Suite struct ECGDetectorTests {
    /// A disturbed signal, by name.
    private static func made(_ change: (inout SyntheticECG) -> Void) -> SyntheticECG {
        var made = SyntheticECG()
        change(&made)
        return made
    }

    static let disturbed: [(String, SyntheticECG)] = [
        ("clean", made { _ in }),
        ("inverted", made { $0.height = -1 }),
        ("in microvolts", made { ($0.height, $0.noise) = (1000, 10) }),
        ("weak", made { ($0.height, $0.noise) = (0.1, 0.004) }),
        ("noisy", made { $0.noise = 0.08 }),
        ("wandering", made { $0.wander = 1.5 }),
        ("with hum of 50 Hz", made { $0.hum = (0.5, 50) }),
        ("with hum of 60 Hz", made { $0.hum = (0.5, 60) }),
        ("with tall T waves", made { $0.repolarisation = 1.2 }),
        ("with tall P waves", made { $0.atrial = 0.3 }),
        ("with early wide beats", made { $0.ectopicEvery = 7 }),
        ("with every third beat early", made { $0.ectopicEvery = 3 }),
        ("with sharp tall T waves", made { ($0.repolarisation, $0.widths) = (1.5, (0.018, 0.03)) }),
        ("with T waves twice as tall", made { $0.repolarisation = 2 }),
        (
            "with T waves more than twice as tall",
            made { ($0.repolarisation, $0.widths) = (2.5, (0.01, 0.03)) }
        ),
        ("with tall T waves, fast", made { ($0.repolarisation, $0.pace) = (1.5, 110) }),
        ("slow", made { $0.pace = 38 }),
        ("fast", made { $0.pace = 185 }),
        ("slow, inverted, wandering", made { ($0.pace, $0.height, $0.wander) = (45, -0.7, 1) }),
    ]

    @Test(arguments: disturbed, [UInt64(1), 2, 3])
    func `finds every beat and no other`(signal: (name: String, made: SyntheticECG), seed: UInt64) {
        var made = signal.made
        made.seed = seed
        let errors = DetectedBeats(made).errors(made.beats)
        #expect(errors.missed == 0 && errors.extra == 0, "\(signal.name): \(errors)")
    }

    @Test(arguments: [100.0, 128, 130, 200, 250, 256, 360, 500, 512, 1000, 2000])
    func `finds them at every usual rate, to a few milliseconds`(rate: Double) {
        let made = Self.made {
            $0.rate = rate
            $0.noise = 0.005
        }
        let found = DetectedBeats(made)
        #expect(found.errors(made.beats, within: rate < 200 ? 0.005 : 0.003) == (0, 0))
        let intervals = zip(found.times.dropFirst(), found.times).map { $0 - $1 }
        let truth = zip(made.beats.dropFirst(), made.beats).map { $0 - $1 }
        let worst = zip(intervals, truth).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < (rate < 200 ? 0.006 : 0.003), "\(worst)")
    }

    @Test func `gives beats in order, and within the latency that it states`() {
        for (name, made) in Self.disturbed {
            let found = DetectedBeats(made)
            #expect(found.times == found.times.sorted(), "\(name)")
            #expect(found.delays.allSatisfy { $0 < ECGDetector.longestLatency }, "\(name)")
        }
    }

    @Test func `what came later does not change what was given`() {
        let samples = Self.made { ($0.noise, $0.seconds) = (0.05, 180) }.samples
        let whole = DetectedBeats(samples, rate: 250)
        let part = DetectedBeats(Array(samples.prefix(30_000)), rate: 250)
        let given = part.beats.prefix { $0.time < 120 - ECGDetector.longestLatency }
        #expect(given.count > 60)
        #expect(Array(whole.beats.prefix(given.count)) == Array(given))
    }

    @Test(arguments: [25.0, 30, 35, 38, 42, 50, 60, 80, 100, 120, 150, 180, 200, 220, 240], [0.12, 0.25])
    func `finds every beat of slow and fast hearts`(pace: Double, atrial: Double) {
        let made = Self.made { ($0.pace, $0.atrial, $0.seconds, $0.noise) = (pace, atrial, 60, 0.02) }
        let found = DetectedBeats(made)
        #expect(found.errors(made.beats) == (0, 0) && found.refusedSeconds == 0)
    }

    @Test(arguments: [2.0, 4, 8, 15], [0.0, 0.2])
    func `what comes before a late first beat is soon forgotten`(silence: Double, atrial: Double) {
        let made = Self.made {
            ($0.silence, $0.atrial, $0.noise, $0.pace, $0.seconds) = (silence, atrial, 0.02, 44, 200)
        }
        let found = DetectedBeats(made)
        let late = found.times.filter { $0 > silence }
        #expect(found.errors(made.beats).missed == 0)
        #expect(late.count == made.beats.count)
        #expect(found.times.count - late.count <= Int(silence / 0.85))
    }

    @Test func `an artefact at the beginning is forgotten`() {
        let made = Self.made { $0.seconds = 120 }
        var samples = made.samples
        for artefact in [0.3, 1.1, 1.9, 2.6] { samples[Int(artefact * made.rate)] += 12 }
        let errors = DetectedBeats(samples, rate: made.rate).errors(made.beats)
        #expect(errors.missed <= 4 && errors.extra <= 4, "\(errors)")
    }

    @Test func `keeps one point of the beat where two are as high`() {
        var random = SeededRandom(seed: 5)
        var samples = (0..<60_000).map { _ in 0.01 * random.normal() }
        let beats = (0..<290).map { 0.6 + 0.8 * Double($0) + 0.01 * random.normal() }
        for beat in beats {
            let (first, second) = (1 + 0.1 * random.normal(), 1 + 0.1 * random.normal())
            for place in Int((beat - 0.2) * 250)..<Int((beat + 0.6) * 250) {
                let time = Double(place) / 250 - beat
                func bump(_ height: Double, _ middle: Double, _ width: Double) -> Double {
                    height * exp(-(time - middle) * (time - middle) / (2 * width * width))
                }
                samples[place] += bump(0.6, -0.06, 0.003) + bump(first, 0, 0.022)
                samples[place] += bump(-second, 0.13, 0.03) + bump(0.4, 0.38, 0.05)
            }
        }
        let times = DetectedBeats(samples, rate: 250).times
        #expect(times.count == beats.count)
        let offsets = zip(times, beats).map { $0 - $1 }
        #expect((offsets.max() ?? 1) - (offsets.min() ?? 0) < 0.015, "\(offsets)")
    }

    @Test func `searches back for a beat that is much weaker`() {
        let made = SyntheticECG()
        var samples = made.samples
        let weak = made.beats[30]
        for index in samples.indices where abs(Double(index) / made.rate - weak) < 0.06 {
            samples[index] *= 0.3
        }
        #expect(DetectedBeats(samples, rate: made.rate).errors(made.beats) == (0, 0))
    }

    @Test func `follows a lead whose beats become much smaller`() {
        let made = SyntheticECG()
        let samples = made.samples.enumerated().map { $0.offset < 7500 ? $0.element : 0.2 * $0.element }
        let errors = DetectedBeats(samples, rate: made.rate).errors(made.beats)
        #expect(errors.missed <= 5 && errors.extra == 0, "\(errors)")
    }
}

/// How many beats are right in noise of known strength, and whether it is refused where they are not.
@Suite struct ECGNoiseTests {
    @Test(arguments: ECGNoise.allCases, [24.0, 18, 12, 6, 0])
    func `finds the beats in noise, or refuses it`(noise: ECGNoise, decibels: Double) {
        var made = SyntheticECG()
        made.seconds = 120
        let found = DetectedBeats(noise.added(to: made, decibels: decibels), rate: made.rate)
        let truth = found.usable(made.beats)
        let errors = found.errors(truth)
        let right = Double(truth.count - errors.missed)
        let agreement = 2 * right / (2 * right + Double(errors.missed + errors.extra))
        #expect(
            agreement >= (decibels >= 12 ? 1 : decibels >= 6 ? 0.98 : 0.94), "\(errors) of \(truth.count)")
        #expect(
            found.refusedSeconds <= (decibels >= 12 ? 0 : decibels >= 6 ? 20 : 60), "\(found.refusedSeconds)"
        )
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `noise alone gives no beats`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let samples = (0..<30_000).map { _ in random.normal() }
        let found = DetectedBeats(samples, rate: 250)
        #expect(found.beats.isEmpty && found.refusedSeconds > 119)
    }

    @Test func `no interval bridges what is refused`() {
        var random = SeededRandom(seed: 9)
        let made = SyntheticECG()
        let samples = made.samples.enumerated().map { index, sample in
            (20.0..<40).contains(Double(index) / made.rate) ? sample + 2 * random.normal() : sample
        }
        let found = DetectedBeats(samples, rate: made.rate)
        #expect(found.refusedSeconds >= 19 && found.refusedSeconds <= 31)
        #expect(found.beats.filter(\.isAfterGap).count == 2)
    }
}

/// Where there is no signal, there is no beat and no interval.
@Suite struct ECGGapTests {
    private let made = SyntheticECG()

    private func changed(_ span: Range<Double>, _ change: (Double) -> Double) -> DetectedBeats {
        DetectedBeats(
            made.samples.enumerated().map { index, sample in
                span.contains(Double(index) / made.rate) ? change(sample) : sample
            }, rate: made.rate)
    }

    private static let losses: [(String, Double)] = [
        ("missing", .nan), ("infinite", .infinity), ("at zero", 0), ("saturated", 5), ("saturated below", -5),
    ]

    @Test(arguments: losses)
    func `a lost lead gives no beat, and no interval bridges it`(name: String, value: Double) {
        let span = 20.0..<33.0
        let found = changed(span) { _ in value }
        #expect(!found.times.contains { span.contains($0) })
        #expect(found.errors(made.beats.filter { !(19.5...33.5).contains($0) }).missed == 0)
        #expect(found.beats.filter(\.isAfterGap).count == 2)
        let after = found.beats.first { $0.time > 33 }
        #expect(after?.isAfterGap == true)
        #expect(abs(found.missingSeconds - 13) < 0.05, "\(found.missingSeconds)")
    }

    @Test func `a single missing sample parts two beats`() {
        let found = changed(30.0..<30.004) { _ in .nan }
        #expect(found.beats.filter(\.isAfterGap).count == 2)
        #expect(found.errors(made.beats).missed <= 1)
        #expect(found.errors(made.beats).extra == 0)
    }

    @Test func `coarse steps are not taken for a flat lead`() {
        let found = DetectedBeats(made.samples.map { (10 * $0).rounded() / 10 }, rate: made.rate)
        #expect(found.errors(made.beats) == (0, 0))
        #expect(found.missingSeconds == 0)
    }

    @Test(arguments: [
        [], [1], [.nan], [Double](repeating: 0, count: 5000), [Double](repeating: .nan, count: 5000),
        [Double](repeating: 3, count: 100), (0..<5000).map { Double($0) },
    ])
    func `nothing gives nothing`(samples: [Double]) {
        #expect(DetectedBeats(samples, rate: 250).beats.isEmpty)
    }

    @Test func `huge and tiny numbers are survived`() {
        let huge = (0..<5000).map { $0 % 2 == 0 ? 1e308 : -1e308 }
        let tiny = made.samples.map { $0 * 1e-300 }
        #expect(DetectedBeats(huge, rate: 250).times.allSatisfy { $0.isFinite })
        #expect(DetectedBeats(tiny, rate: 250).times.allSatisfy { $0.isFinite })
    }
}
