import Testing

@testable import Physiology

/// Frames as the maker's public tests and documents have them.
@Suite struct PolarMeasurementTests {
    private func bytes(_ text: String) -> [UInt8] {
        text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    @Test func `asks for settings, chooses and starts`() throws {
        #expect(PolarMeasurement.settingsRequest(of: .ecg) == [1, 0])
        let ecg = try #require(PolarMeasurement.Answer(bytes("F0 01 00 00 00 00 01 82 00 01 01 0E 00")))
        #expect(ecg.settings == [.rate: [130], .resolution: [14]] && !ecg.isStart && ecg.status == 0)
        #expect(
            PolarMeasurement.startRequest(of: .ecg, PolarMeasurement.chosen(from: ecg.settings))
                == bytes("02 00 00 01 82 00 01 01 0E 00"))
        let axes = try #require(
            PolarMeasurement.Answer(
                bytes("F0 01 02 00 00 00 04 19 00 32 00 64 00 C8 00 01 01 10 00 02 03 02 00 04 00 08 00")))
        #expect(
            PolarMeasurement.startRequest(of: .acceleration, PolarMeasurement.chosen(from: axes.settings))
                == bytes("02 02 00 01 32 00 01 01 10 00 02 01 08 00"))
        let started = try #require(PolarMeasurement.Answer(bytes("F0 02 02 00 00 05 01 00 00 80 3F")))
        #expect(started.isStart && started.factor == 1)
        #expect(PolarMeasurement.stopRequest(of: .ppg) == [3, 1])
    }

    @Test(arguments: [
        "", "F0", "0F 01 00 00 00", "F0 09 00 00 00", "F0 01 07 00 00", "F0 01 00 00 00 00 02 82 00",
    ])
    func `what is no answer is none`(text: String) {
        #expect(PolarMeasurement.Answer(bytes(text)) == nil)
    }

    @Test func `an ECG has three bytes a sample, in microvolts`() throws {
        let frame = try #require(
            PolarMeasurement.Frame(
                bytes("00 00 94 35 77 00 00 00 00 00 01 00 00 FF FF FF 00 00 80 FF FF 7F"), factor: 1))
        #expect(frame.kind == .ecg && frame.stamp == 2_000_000_000)
        #expect(frame.values == [1, -1, -8_388_608, 8_388_607] && frame.count == 4)
    }

    @Test func `differences are added up, whatever their size`() throws {
        let one = try #require(
            PolarMeasurement.Frame(
                bytes("02 65 00 00 00 00 00 00 00 81 F1 FF 14 00 F0 03 06 01 7B 0F 08"), factor: 1))
        #expect(one.values == [-15, 20, 1008, -20, 17, 1008] && one.channels == 3)
        // In g and with a factor, as an armband sends them: thousandths of g come of it.
        let scaled = try #require(
            PolarMeasurement.Frame(
                bytes("02 00 94 35 77 00 00 00 00 80 71 07 F0 6A 9E 8D"), factor: 2.44140625e-4))
        #expect(scaled.values == [465.087891, 6683.59375, -7148.925781])
    }

    @Test func `light has four channels`() throws {
        let frame = try #require(
            PolarMeasurement.Frame(
                bytes("01 00 00 00 00 00 00 00 00 00 01 02 03 04 05 06 FF FF FF 00 00 00"), factor: 1))
        #expect(frame.values == [0x030201, 0x060504, -1, 0] && frame.count == 1)
    }

    @Test(arguments: [
        "", "00", "00 00 94 35 77 00 00 00 00 00", "00 00 94 35 77 00 00 00 00 00 01 00",
        "00 00 94 35 77 00 00 00 00 07 01 00 00", "03 00 94 35 77 00 00 00 00 00 01 00 00",
        "02 65 00 00 00 00 00 00 00 81 F1 FF 14 00 F0 03 06 05 7B 0F 08",
        "02 65 00 00 00 00 00 00 00 81 F1 FF 14 00 F0 03 00 01",
    ])
    func `a torn frame, or one of another type, is none`(text: String) {
        #expect(PolarMeasurement.Frame(bytes(text), factor: 1) == nil)
    }

    @Test(arguments: [
        ("00 00 94 35 77 00 00 00 00 07 01 00 00", "(ecg, unknown type 7)"),
        ("02 00 94 35 77 00 00 00 00 89 01 00 00", "(acceleration, unknown type 9, compressed)"),
        ("00 00 94 35 77 00 00 00 00 00 01 00", "(ecg, torn)"), ("01 00", "(ppg, torn)"),
    ])
    func `a frame that cannot be read has a name`(text: String, name: String) throws {
        let frame = bytes(text)
        let kind = try #require(frame.first.flatMap { PolarMeasurement.Kind(rawValue: $0) })
        #expect(PolarMeasurement.Frame.name(of: frame, kind) == name)
    }

    @Test func `no bytes break the reader`() {
        var random = SplitMix(state: 7)
        for _ in 0..<50_000 {
            let count = Int(random.next() % 40)
            var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if count > 0 { bytes[0] = UInt8(random.next() % 3) }
            if count > 9 { bytes[9] = [0, 1, 2, 0x80, 0x81][Int(random.next() % 5)] }
            guard let frame = PolarMeasurement.Frame(bytes, factor: 1) else { continue }
            #expect(frame.count > 0 && frame.values.count == frame.count * frame.channels)
        }
    }

    @Test func `samples keep their distance, and their place by the least delayed frame`() {
        var clock = FrameClock(rate: 130)
        var last: Double?
        for index in 0..<100 {
            let stamp = 1000 + Double(73 * (index + 1) - 1) / 130
            let delay = index % 7 == 3 ? 0.010 : 0.010 + Double(index % 5) * 0.008
            let times = clock.times(stamp: stamp, count: 73, arrival: stamp - 900 + delay)
            #expect(times.count == 73)
            for time in times {
                if let last, index > 4 { #expect(abs(time - last - 1.0 / 130) < 0.0005) }
                last = time
            }
            if index > 4 { #expect(abs((times.last ?? 0) - (stamp - 900 + 0.010)) < 0.002) }
        }
    }

    @Test func `after a loss the samples are where they belong, and a clock that was set begins anew`() {
        var clock = FrameClock(rate: 50)
        _ = clock.times(stamp: 10, count: 50, arrival: 110.01)
        let after = clock.times(stamp: 40, count: 50, arrival: 140.03)
        #expect(abs((after.first ?? 0) - (140.01 - 49.0 / 50)) < 0.005)
        let set = clock.times(stamp: 5, count: 50, arrival: 141.02)
        #expect(set.last == 141.02)
        // A strap that has left the skin counts from anew, here by less than a clock that was set.
        let anew = clock.times(stamp: 2, count: 50, arrival: 142.05)
        #expect(anew.last == 142.05 && clock.breaks == 2)
    }

    @Test func `a clock that was set back by two seconds is tied anew, and one late frame is not`() {
        var clock = FrameClock(rate: 50)
        for index in 0..<60 {
            let stamp = Double(index) - (index >= 30 ? 2 : 0)
            let late = index == 10 ? 4.0 : 0.01
            // What comes back by the seconds that were set is not asked of a clock that goes on.
            guard stamp > Double(index - 1) || index < 30 || index > 32 else { continue }
            let times = clock.times(stamp: stamp, count: 50, arrival: 100 + Double(index) + late)
            if index > 54 { #expect(abs((times.last ?? 0) - (100 + Double(index))) < 0.02) }
            if index == 29 { #expect(clock.breaks == 0 && abs(clock.largestResidual - 3.99) < 0.01) }
        }
        #expect(clock.breaks == 1)
    }
}

private struct SplitMix {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 17
    }
}
