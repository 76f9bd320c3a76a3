import SessionPorts
import StudyModel
import Testing

@testable import Recordings

/// A generator with a seed, so that a failure can be repeated.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func noise() -> Double {
        (0..<6).reduce(0) { sum, _ in sum + .random(in: -1...1, using: &self) } / 1.41
    }
}

/// Signals of the body and of devices that are no heart rates and no intervals, each with 0 for its mean and about 1 for
/// its spread, as it comes out of a converter.
private enum OtherSignal: String, CaseIterable {
    case electrocardiogram, pulseWave, breathing, skinConductance, muscle, acceleration

    func samples(_ count: Int, rate: Double, _ random: inout Seeded) -> [Double] {
        var (phase, drive, level) = (Double.random(in: 0..<1, using: &random), 0.0, 0.0)
        let beat = Double.random(in: 0.9...1.6, using: &random)
        let breath = Double.random(in: 0.18...0.33, using: &random)
        let noise = Double.random(in: 0.005...0.03, using: &random)
        return (0..<count).map { index in
            let time = Double(index) / rate
            phase += beat * (1 + 0.03 * sine(time * breath)) / rate
            let turn = phase - phase.rounded(.down)
            drive += (0.1 * random.noise() * rate.squareRoot() - drive) / rate
            level += drive / rate
            func bump(_ at: Double, _ width: Double) -> Double {
                let distance = (turn - at) / width
                return 1 / (1 + distance * distance * distance * distance)
            }
            let value =
                switch self {
                case .electrocardiogram:
                    5 * bump(0.4, 0.02) - bump(0.44, 0.02) + 0.8 * bump(0.7, 0.08) + 0.4 * bump(0.22, 0.05)
                case .pulseWave: 2.4 * bump(0.35, 0.14) + 0.8 * bump(0.7, 0.1)
                case .breathing: 1.4 * sine(time * breath)
                case .skinConductance: 30 * level + 0.3 * sine(time / 40)
                case .muscle: random.noise() * (sine(time * 0.4) > 0.3 ? 2 : 0.2)
                case .acceleration: sine(time * 1.8) + 0.4 * sine(time * 3.6 + 0.1)
                }
            return value + noise * random.noise()
        }
    }

    private func sine(_ turns: Double) -> Double {
        let part = turns - turns.rounded(.down)
        return part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part)
    }
}

@Suite struct SeriesJudgeTests {
    /// Why a file is refused; `nil` if it is read.
    private func refusal(_ text: String, named name: String = "recording.txt") -> String? {
        do throws(SourceFailure) {
            _ = try HeartRateRecording(reading: Array(text.utf8), named: name)
            return nil
        } catch {
            return error.isBadData ? error.description : nil
        }
    }

    /// How converters and programs write a sample: the middle, the spread and the finest step.
    private static let scales: [(middle: Double, spread: Double, step: Double)] = [
        (512, 90, 1), (820, 60, 1), (0.9, 0.15, 0.0001), (128, 25, 1), (75, 8, 0.1),
    ]

    @Test(arguments: OtherSignal.allCases, [25.0, 50, 100, 250, 500, 1000, 128])
    private func `no signal of another kind is taken for a heart's`(signal: OtherSignal, rate: Double) {
        for (index, scale) in Self.scales.enumerated() {
            var random = Seeded(state: UInt64(rate) &* 31 &+ UInt64(index))
            let count = min(Int(30 * rate), 3000)
            let samples = signal.samples(count, rate: rate, &random)
            let values = samples.map {
                ((scale.middle + scale.spread * $0) / scale.step).rounded() * scale.step
            }
            let plain = values.map(\.description).joined(separator: "\n")
            #expect(refusal(plain) != nil, "\(signal) at \(rate) Hz around \(scale.middle), no names")
            guard index < 2 else { continue }
            let timed = values.enumerated().map { "\(Double($0.offset) / rate),\($0.element)" }
            #expect(refusal(timed.joined(separator: "\n")) != nil, "\(signal) at \(rate) Hz with times")
            #expect(refusal("time,value\n" + timed.joined(separator: "\n")) != nil, "\(signal) as value")
        }
    }

    @Test func `temperatures, oxygen, counters and noise are refused`() {
        var random = Seeded(state: 7)
        var lists: [[Double]] = []
        for _ in 0..<10 {
            let start = Double.random(in: 30...36, using: &random)
            lists.append((0..<400).map { start + 0.002 * Double($0) + 0.05 * random.noise() })
            lists.append((0..<400).map { _ in (96 + 1.2 * random.noise()).rounded() })
            lists.append((0..<400).map { start + Double($0) })
            lists.append((0..<400).map { _ in 520 + 40 * random.noise() })
            lists.append((0..<400).map { _ in Double.random(in: 40...200, using: &random).rounded() })
        }
        for list in lists {
            let text = list.map(\.description).joined(separator: "\n")
            #expect(refusal(text) != nil, "\(list.prefix(5))")
            #expect(refusal("1560279835.0\n4.0\n" + text) != nil, "as Empatica writes it: \(list.prefix(5))")
        }
    }

    @Test func `intervals of hearts at rest, in motion and in fibrillation are read`() throws {
        for seed in 0..<40 {
            var random = Seeded(state: UInt64(seed))
            let middle = Double.random(in: 500...1100, using: &random)
            let isFibrillating = seed % 8 == 7
            var (drift, phase) = (0.0, 0.0)
            let list = (0..<Int.random(in: 60...900, using: &random)).map { index -> Double in
                drift += 0.1 * (random.noise() - 0.2 * drift)
                phase += 0.22 + 0.03 * random.noise()
                let breath = 2 * abs(2 * (phase - phase.rounded())) - 1
                let dice = max(random.noise(), -1) + 0.3 * random.noise()
                let effort = seed % 4 == 3 ? 1 - 0.35 * min(Double(index) / 400, 1) : 1
                return isFibrillating
                    ? (middle * (1 + 0.15 * dice + 0.09 * dice * dice)).rounded()
                    : (middle * effort * (1 + 0.02 * drift + 0.03 * breath + 0.008 * random.noise()))
                        .rounded()
            }
            let text = list.map(\.description).joined(separator: "\n")
            #expect(refusal(text) == nil, "seed \(seed): \(refusal(text) ?? "")")
        }
    }

    @Test func `what a person says settles the doubt`() throws {
        let text = (0..<300).map { "\(512 + 60 * ($0 / 25 % 2))" }.joined(separator: "\n")
        #expect(refusal(text)?.contains("--as rr") == true)
        let said = try #require(RecordingGuide(values: "rr", times: nil))
        let recording = try HeartRateRecording(reading: Array(text.utf8), named: "x", said)
        #expect(recording.entries.first?.sample.rrIntervals == [0.512])
        let table = "clock,left,right\n1,60,70\n2,61,71\n3,62,72\n"
        let right = try #require(RecordingGuide(values: "hr=right", times: "clock"))
        let rates = try HeartRateRecording(reading: Array(table.utf8), named: "x", right)
        #expect(rates.entries.map(\.sample.rate) == [70, 71, 72])
        let unclear = try #require(RecordingGuide(values: "hr", times: "clock"))
        let failure = #expect(throws: SourceFailure.self) {
            try HeartRateRecording(reading: Array(table.utf8), named: "x", unclear)
        }
        #expect(failure?.description.contains("which column is meant: 'left', 'right'?") == true)
        #expect(RecordingGuide(values: "eeg", times: nil) == nil)
    }

    @Test(arguments: [
        "timestamp_epoch,hr\n1600000010,60\n1600000011.5,61\n1600000030,62\n",
        "lsl_timestamp;hr\n8410.25;60\n8411.75;61\n8430.25;62\n", "hr,hr_time\n60,3\n61,4.5\n62,23\n",
        "beat;t_stamp;hr\nx;1e3;60\nx;2500;61\nx;21000;62\n",
    ]) func `a column that is named like a time and grows is the time`(text: String) throws {
        let recording = try HeartRateRecording(reading: Array(text.utf8), named: "x")
        #expect(recording.entries.map(\.time) == [0, 1.5, 20])
        #expect(recording.reading.assumptions.contains { $0.hasPrefix("times from the column") })
    }

    @Test func `a column that grows without such a name is asked about`() throws {
        let text = "hr,distance\n60,3\n61,4.5\n62,23\n"
        #expect(refusal(text)?.contains("'distance' increases like a time") == true)
        let none = try #require(RecordingGuide(values: nil, times: "none"))
        let once = try HeartRateRecording(reading: Array(text.utf8), named: "x", none)
        #expect(once.entries.map(\.time) == [0, 1, 2])
        let chosen = try #require(RecordingGuide(values: nil, times: "distance"))
        let timed = try HeartRateRecording(reading: Array(text.utf8), named: "x", chosen)
        #expect(timed.entries.map(\.time) == [0, 1.5, 20])
        #expect(refusal("row,hr\n0,60\n1,61\n2,62\n") == nil, "a count of the rows is no time")
    }

    @Test(arguments: [
        "time,Heart rate [1/min]\n0,60\n1,62\n", "time,Hrate\n0,60\n1,62\n",
        "Zeit,Herzfrequenz [1/min]\n0,60\n1,62\n",
        "Zeit,Herzfrequenz (Schläge/min)\n0,60\n1,62\n", "time,HR (beats/min)\n0,60\n1,62\n",
        "date,timestamp_measurement,HR,AVNN,SDNN\n2026-01-31,2026-01-31 06:32:12 +0000,60,1000,40\n"
            + "2026-01-31,2026-01-31 06:32:13 +0000,62,968,40\n",
        "Member ID,Date Time Start,Date Time End,HRV,HR\n7,2026-01-31 06:32:12,2026-01-31 06:33:12,60,60\n"
            + "7,2026-01-31 06:32:13,2026-01-31 06:33:13,61,62\n",
        "Member,Type,Date Time Start,HRV,HR\nAnna,readiness,2026-01-31 06:32:12,60,60\n"
            + "Anna,custom,2026-01-31 06:32:13,61,62\n",
    ]) func `reads the names that devices and apps give`(text: String) throws {
        let recording = try HeartRateRecording(reading: Array(text.utf8), named: "x")
        #expect(recording.entries.map(\.time) == [0, 1])
        #expect(recording.entries.map(\.sample.rate) == [60, 62])
    }

    @Test func `a comment that tells a sampling rate tells a waveform`() {
        let list = [800, 812, 790, 805, 801].map(String.init).joined(separator: "\n")
        #expect(refusal(list) == nil)
        #expect(refusal("# Sampling Rate (Hz):= 1000\n" + list)?.contains("a sampled signal") == true)
        #expect(refusal(list, named: "P01_eda.txt")?.contains("a sampled signal") == true)
    }
}
