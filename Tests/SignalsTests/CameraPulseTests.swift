import Glibc
import Physiology
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Platform
@testable import Signals

/// A fingertip whose heart beats steadily, as mean colours.
struct SteadyFinger {
    var rate = 72.0
    /// When it lies on the lens, in seconds.
    var covered: (Double) -> Bool = { _ in true }
    /// How far the frames stray from a steady rate, in seconds.
    var jitter = 0.0

    func frames(seconds: Double, seed: UInt64 = 7) -> [VideoFrames.Frame] {
        var random = SeededRandom(seed: seed)
        return (0..<Int(seconds * 30)).map { index in
            let time = Double(index) / 30 + jitter * Double.random(in: 0..<1, using: &random)
            let noise = { (size: Double) in size * Double.random(in: -0.5..<0.5, using: &random) }
            guard covered(time) else {
                return VideoFrames.Frame(
                    time: time,
                    colour: MeanColour(
                        red: 100 + noise(40), green: 100 + noise(40), blue: 100 + noise(40)))
            }
            let phase = (time * rate / 60).truncatingRemainder(dividingBy: 1)
            let wave = exp(-pow((phase - 0.3) / 0.12, 2))
            return VideoFrames.Frame(
                time: time,
                colour: MeanColour(
                    red: 190 - 3 * wave + noise(0.2), green: 60 - 6 * wave + noise(0.2),
                    blue: 30 - wave + noise(0.2)))
        }
    }
}

/// What came of frames, one list.
private func reports(_ frames: [VideoFrames.Frame], delay: Duration = .zero) -> [SourceReport] {
    var pulse = CameraPulse()
    var reports: [SourceReport] = []
    for frame in frames {
        while pulse.isDue(before: frame.time), let due = pulse.due {
            reports += pulse.estimate(
                offset: .seconds(100), arrival: due.instant(.seconds(100)).advanced(by: delay))
        }
        pulse.append(frame)
    }
    let end = frames.last?.time ?? 0
    return reports
        + pulse.finish(
            at: end, offset: .seconds(100), arrival: end.instant(.seconds(100)).advanced(by: delay))
}

extension [SourceReport] {
    fileprivate var samples: [Timed<HeartRateSample>] {
        compactMap(\.heart)
    }

    fileprivate var rates: [Timed<HeartRateSample>] { samples.filter { $0.value.rate != nil } }

    fileprivate var qualities: [SignalQuality] {
        compactMap { if case .quality(let quality) = $0 { quality } else { nil } }
    }

    fileprivate var frames: [Timed<PulseFrame>] {
        compactMap { report in
            guard case .measured(let sample) = report, let frame = sample.value.picture else { return nil }
            return sample.map { _ in frame }
        }
    }

    /// Live and lost, in order.
    fileprivate var states: [String] {
        compactMap { report in
            switch report {
            case .live: "live"
            case .lost(let reason): reason.description
            case .measured, .moved, .quality, .flooded, .told: nil
            }
        }
    }
}

@Suite struct CameraPulseTests {
    @Test(arguments: [50.0, 72, 140])
    func `a finger has a heart rate once a second`(rate: Double) throws {
        let found = reports(SteadyFinger(rate: rate, jitter: 0.01).frames(seconds: 30))
        #expect(found.states == [SourceProblem.noPulse.description, "live"])
        let rates = found.rates
        #expect((22...25).contains(rates.count))
        for (earlier, later) in zip(rates, rates.dropFirst()) {
            #expect(earlier.instant.duration(to: later.instant) == .seconds(1))
        }
        for sample in rates where sample.instant >= .seconds(110) {
            #expect(abs(try #require(sample.value.rate) - rate) < 1)
            #expect(sample.value.sensorContact == true)
            #expect(try #require(sample.value.quality) > 0.8)
        }
    }

    @Test func `every frame is told once, in order, with the time at which it was taken`() {
        let frames = SteadyFinger(jitter: 0.02).frames(seconds: 20)
        let told = reports(frames).frames
        #expect(told.count == frames.count)
        for (frame, timed) in zip(frames, told) {
            #expect(timed.instant == frame.time.instant(.seconds(100)))
            #expect(abs(timed.value.green - frame.colour.green) < 0.0001)
        }
        #expect(told.allSatisfy { $0.arrival >= $0.instant })
        #expect(told.dropFirst(90).dropLast(60).allSatisfy { $0.value.quality > 0.9 })
    }

    @Test func `beats are told once each, at the moment of the wave`() {
        let told = reports(SteadyFinger(rate: 60).frames(seconds: 30)).frames
        let beats = told.flatMap { frame in frame.value.beats.map { frame.instant.offset.seconds + $0 } }
        #expect((28...30).contains(beats.count))
        for (earlier, later) in zip(beats, beats.dropFirst()) { #expect(abs(later - earlier - 1) < 0.04) }
        for frame in told {
            for beat in frame.value.beats { #expect((0...0.05).contains(beat)) }
        }
    }

    @Test func `intervals are told at the beat that ends them`() throws {
        let found = reports(SteadyFinger(rate: 75).frames(seconds: 30))
        let intervals = found.samples.filter { !$0.value.rrIntervals.isEmpty }
        #expect(intervals.count > 20)
        for sample in intervals {
            #expect(sample.value.rate == nil)
            #expect(abs(try #require(sample.value.rrIntervals.first) - 0.8) < 0.03)
        }
        for (earlier, later) in zip(intervals, intervals.dropFirst()) {
            let distance = earlier.instant.duration(to: later.instant).seconds
            #expect(abs(distance - (later.value.rrIntervals.first ?? 0)) < 0.0001)
        }
    }

    @Test func `a lifted finger is lost within three seconds, and found again`() throws {
        let finger = SteadyFinger(covered: { !(20..<26).contains($0) })
        let found = reports(finger.frames(seconds: 50))
        #expect(
            found.states == [
                SourceProblem.noPulse.description, "live", SourceProblem.noPulse.description, "live",
            ])
        let lost = try #require(found.samples.first { $0.value.sensorContact == false })
        #expect(lost.value.rate == nil && lost.value.rrIntervals.isEmpty)
        #expect((RunInstant.seconds(120)...RunInstant.seconds(123)).contains(lost.instant))
        #expect(!found.rates.contains { RunInstant.seconds(123) < $0.instant && $0.instant < .seconds(132) })
        #expect(found.rates.contains { $0.instant > .seconds(145) })
        #expect(found.rates.allSatisfy { abs(($0.value.rate ?? 0) - 72) < 2 })
    }

    @Test func `without a finger there is neither rate nor interval`() {
        let found = reports(SteadyFinger(covered: { _ in false }).frames(seconds: 40))
        #expect(found.states == [SourceProblem.noPulse.description])
        #expect(found.samples.isEmpty)
        #expect(found.qualities.allSatisfy { !$0.isClear })
        #expect(found.frames.count == 1200)
    }

    @Test func `frames that were left out are counted in the next report`() {
        var pulse = CameraPulse()
        let frames = SteadyFinger().frames(seconds: 2)
        pulse.append(frames[0])
        pulse.drop()
        pulse.drop()
        let first = pulse.estimate(offset: .zero, arrival: .seconds(1))
        let second = pulse.estimate(offset: .zero, arrival: .seconds(2))
        #expect((first + second).qualities.map(\.dropped) == [2, 0])
    }
}

@Suite struct FrameTimingTests {
    private let frames = SteadyFinger().frames(seconds: 12)

    @Test func `a camera's fastest frame tells how its clock stands to the run's`() {
        var timing = FrameTiming(.camera("/dev/video0"), startingAt: .seconds(5))
        var found: [SourceReport] = []
        for (index, frame) in frames.enumerated() {
            // On their way for 30 ms, the first ones longer.
            let delay = index < 10 ? 0.2 : 0.03
            #expect(timing.due(frame) == nil)
            found += timing.take(frame, at: .seconds(7 + frame.time + delay))
        }
        let told = found.frames
        #expect(told.count > 250)
        for (earlier, later) in zip(told, told.dropFirst()) { #expect(earlier.instant < later.instant) }
        #expect(told.allSatisfy { $0.instant <= $0.arrival })
        let last = told[told.count - 1].instant.offset.seconds - frames[told.count - 1].time
        #expect(abs(last - 7.03) < 0.0001)
    }

    @Test func `frames that come too late are left out and counted`() {
        var timing = FrameTiming(.camera("/dev/video0"), startingAt: .start)
        var found: [SourceReport] = []
        for (index, frame) in frames.enumerated() {
            let delay = (120..<150).contains(index) ? 1.5 : 0.02
            found += timing.take(frame, at: .seconds(frame.time + delay))
        }
        found += timing.finish(at: .seconds(13))
        #expect(found.qualities.reduce(0) { $0 + $1.dropped } == 30)
        #expect(found.frames.count == frames.count - 30)
    }

    @Test func `a video's frames are held back until their time has come`() {
        var timing = FrameTiming(.file("finger.mp4"), startingAt: .seconds(5))
        #expect(timing.due(frames[0]) == .seconds(5))
        _ = timing.take(frames[0], at: .seconds(5.3))
        #expect(timing.due(frames[30]) == frames[30].time.instant(.seconds(5.3)))
    }

    @Test func `a frame that goes back in time is left out`() {
        var timing = FrameTiming(.camera("/dev/video0"), startingAt: .start)
        for frame in frames + frames { _ = timing.take(frame, at: .seconds(frame.time)) }
        #expect(timing.finish(at: .seconds(30)).frames.count <= frames.count)
    }
}
