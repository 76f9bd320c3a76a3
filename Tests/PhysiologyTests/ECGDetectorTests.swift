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
            let usual = found.delays.dropFirst(5).filter { $0 < ECGDetector.latency + 0.01 }
            #expect(Double(usual.count) > 0.8 * Double(found.delays.count - 5), "\(name)")
        }
    }

    @Test func `what came later does not change what was given`() {
        let samples = Self.made { $0.noise = 0.05 }.samples
        let whole = DetectedBeats(samples, rate: 250)
        let part = DetectedBeats(Array(samples.prefix(7500)), rate: 250)
        let given = part.beats.prefix { $0.time < 30 - ECGDetector.longestLatency }
        #expect(given.count > 20)
        #expect(Array(whole.beats.prefix(given.count)) == Array(given))
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
