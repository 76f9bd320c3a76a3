import Glibc
import StudyTesting
import Testing

@testable import Physiology

@Suite struct PulseFollowerTests {
    /// Every reading of a finger, one each half second, and the last.
    private func readings(_ finger: SyntheticFinger) -> [PulseFollower.Reading] {
        var follower = PulseFollower()
        var readings: [PulseFollower.Reading] = []
        var due = 0.5
        for (index, time) in finger.times.enumerated() {
            while time >= due {
                readings.append(follower.reading(at: due))
                due += 0.5
            }
            let value = finger.signal[index]
            follower.append(time: time, red: 230 - 0.2 * value, green: 60 - value, blue: 20 - 0.1 * value)
        }
        return readings + [follower.reading(at: due, isLast: true)]
    }

    @Test func `tells every frame once, and most beats where they are`() {
        let finger = SyntheticFinger(rate: 72, seconds: 60)
        let frames = readings(finger).flatMap(\.frames)
        #expect(frames.map(\.time) == finger.times)
        let (hits, extra) = finger.score(frames.flatMap(\.beats))
        #expect(hits >= finger.beats.count - 3 && extra <= 1)
    }

    @Test func `a beat belongs to the frame before it`() {
        let frames = readings(SyntheticFinger(rate: 90, seconds: 30)).flatMap(\.frames)
        for (frame, next) in zip(frames, frames.dropFirst()) {
            for beat in frame.beats { #expect(frame.time <= beat && beat < next.time) }
        }
    }

    @Test func `is not clear before six seconds were seen`() {
        let all = readings(SyntheticFinger(rate: 72, seconds: 20))
        #expect(all.prefix(11).allSatisfy { !$0.isClear && $0.intervals.isEmpty })
        #expect(all.dropFirst(14).allSatisfy { $0.isClear })
    }

    @Test func `intervals end with beats that were told, and are those between them`() {
        let all = readings(SyntheticFinger(rate: 66, swing: 0.02, seconds: 60))
        let beats = Set(all.flatMap(\.frames).flatMap(\.beats))
        let intervals = all.flatMap(\.intervals)
        #expect(intervals.count > 45)
        for interval in intervals {
            #expect(beats.contains(interval.start))
            #expect(abs(interval.length - 60.0 / 66) < 0.08)
        }
        for (earlier, later) in zip(intervals, intervals.dropFirst()) { #expect(earlier.end <= later.end) }
    }

    @Test func `nothing at all is no error`() {
        var follower = PulseFollower()
        let reading = follower.reading(at: 3)
        #expect(!reading.isClear && reading.frames.isEmpty && reading.intervals.isEmpty)
        #expect(follower.reading(at: .nan, isLast: true).frames.isEmpty)
    }
}

@Suite struct UnevenFramesTests {
    private func wave(_ time: Double) -> Double { 10 + sin(3 * Double.pi * time) }

    @Test func `the crest between frames is found again`() {
        let kept = (0..<300).filter { !(3...5).contains($0 % 10) }
        let times = kept.map { Double($0) / 30 }
        let places = (0..<298).map { sample -> (frame: Int, weight: Double) in
            let time = Double(sample) / 30
            let frame = max(0, (times.firstIndex { $0 > time } ?? times.count) - 1)
            let left = min(frame, times.count - 2)
            return (left, min(1, max(0, (time - times[left]) / (times[left + 1] - times[left]))))
        }
        let uneven = UnevenFrames(positions: times.map { $0 * 30 }, places: places, rate: 30)
        let better = uneven.samples(of: times.map(wave))
        let errors = better.indices.dropFirst(20).dropLast(20).map {
            abs(better[$0] - wave(Double($0) / 30))
        }
        #expect((errors.max() ?? 1) < 0.08)
    }

    @Test(arguments: [(1.0, false), (2.0, false), (4.0, true)])
    func `only long gaps make frames uneven`(gap: Double, isUneven: Bool) {
        let times = (0..<100).map { Double($0) / 30 * gap }
        #expect(UnevenFrames.areUneven(times) == isUneven)
        #expect(!UnevenFrames.areUneven([]))
    }
}

@Suite struct BeatPairTests {
    private func total(_ beats: [Double]) -> (count: Int, seconds: Double) {
        InterBeatIntervals.total(of: beats[...], clean: InterBeatIntervals.clean(beats)[...])
    }

    @Test func `a beat in the wrong place changes nothing`() {
        let beats = (0..<12).map(Double.init)
        var moved = beats
        moved[5] += 0.3
        #expect(total(beats) == (11, 11))
        #expect(total(moved) == (11, 11))
    }

    @Test func `a missed beat and an extra one are left out`() {
        var missed = (0..<12).map(Double.init)
        missed.remove(at: 5)
        #expect(total(missed) == (9, 9))
        var extra = (0..<12).map(Double.init)
        extra.insert(5.45, at: 6)
        #expect(total(extra) == (10, 10))
    }

    @Test(arguments: [[], [1], [1, 2], [1, 1.1], [1, 9]])
    func `few beats are no error`(beats: [Double]) {
        #expect(total(beats).count == (beats == [1, 2] ? 1 : 0))
    }
}
