import Testing

@testable import Physiology

/// What no camera should send, and one day does.
@Suite struct PulseHostileTests {
    static let clean = SyntheticFinger(seconds: 20)

    static let traces: [(String, PulseTrace)] = [
        ("nothing", PulseTrace(times: [], red: [], green: [], blue: [])),
        ("no colours", PulseTrace(times: [1, 2], red: [], green: [1], blue: [1, 2, 3])),
        ("one frame", PulseTrace(times: [0], red: [1], green: [2], blue: [3])),
        ("two frames", PulseTrace(times: [0, 0.5], signal: [1, 2])),
        ("two seconds", PulseTrace(signal: (0..<61).map { Double($0 % 7) }, rate: 30)),
        ("not a number", changed { _, _ in .nan }),
        ("some not a number", changed { index, value in index % 7 == 0 ? .nan : value }),
        ("infinite", changed { index, value in index % 50 == 0 ? .infinity : value }),
        ("huge", changed { index, _ in index % 2 == 0 ? 1e308 : -1e308 }),
        ("large", changed { index, _ in index % 2 == 0 ? 1e12 : -1e12 }),
        ("tiny", changed { _, value in value * 1e-300 }),
        ("equal times", timed { _, _ in 3 }),
        ("backwards", timed { _, time in -time }),
        ("leaping times", timed { index, time in index % 100 == 50 ? 1e300 : time }),
        ("far apart", timed { index, time in index < 300 ? time : time + 1e11 }),
        ("no times", timed { _, _ in .nan }),
        ("crowded", timed { index, _ in Double(index) * 1e-9 }),
        ("slow", timed { index, _ in Double(index) * 0.9 }),
        ("slower", timed { index, _ in Double(index) * 60 }),
        ("no rate", PulseTrace(signal: clean.signal, rate: 0)),
        ("negative rate", PulseTrace(signal: clean.signal, rate: -30)),
        ("infinite rate", PulseTrace(signal: clean.signal, rate: .infinity)),
    ]

    private static func changed(_ value: (Int, Double) -> Double) -> PulseTrace {
        PulseTrace(
            times: clean.times,
            signal: clean.signal.indices.map { value($0, clean.signal[$0]) })
    }

    private static func timed(_ time: (Int, Double) -> Double) -> PulseTrace {
        let times = clean.times.indices.map { time($0, clean.times[$0]) }
        return PulseTrace(times: times, red: clean.signal, green: clean.signal, blue: clean.signal)
    }

    @Test(arguments: traces.indices, PulseDetector.Method.allCases)
    func `is answered`(index: Int, method: PulseDetector.Method) {
        let (name, trace) = Self.traces[index]
        let detector = PulseDetector(method: method)
        for pulse in [detector.detect(in: trace), detector.detectLive(in: trace)] {
            #expect(pulse.filtered.count == trace.times.count, "\(name)")
            #expect(pulse.quality.allSatisfy { 0 <= $0 && $0 <= 1 }, "\(name)")
            #expect(pulse.filtered.allSatisfy { $0?.isFinite ?? true }, "\(name)")
            #expect(pulse.windows.allSatisfy { ($0.bpm ?? 60).isFinite && $0.quality.isFinite }, "\(name)")
            #expect(zip(pulse.beats, pulse.beats.dropFirst()).allSatisfy { $0 < $1 }, "\(name)")
        }
    }

    @Test(arguments: [
        "nothing", "no colours", "one frame", "not a number", "equal times", "backwards", "no times",
    ])
    func `has no beats where there are no frames`(name: String) throws {
        let trace = try #require(Self.traces.first { $0.0 == name }).1
        let pulse = PulseDetector().detect(in: trace)
        #expect(pulse.beats.isEmpty && pulse.channel == nil && !pulse.windows.contains { $0.reliable })
    }

    @Test func `frames that are no numbers leave the others as they are`() {
        var finger = Self.clean
        for index in stride(from: 10, to: finger.signal.count, by: 17) { finger.signal[index] = .nan }
        let pulse = PulseDetector().detect(in: finger.trace)
        #expect(finger.score(pulse.beats).extra == 0)
        #expect(pulse.windows.allSatisfy { $0.reliable })
        #expect(pulse.filtered.indices.allSatisfy { (pulse.filtered[$0] == nil) == finger.signal[$0].isNaN })
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 0, -5, 1e300])
    func `takes any window and hop`(seconds: Double) {
        let detector = PulseDetector(window: seconds, hop: seconds)
        #expect(detector.detect(in: Self.clean.trace).beats.count > 15)
        #expect(detector.detectLive(in: Self.clean.trace).windows.count >= 1)
        var live = LivePulse(detector)
        live.append(time: seconds, red: seconds, green: seconds, blue: seconds)
        #expect(live.estimate(at: seconds).beats.isEmpty)
    }
}
