/// A stretch of frames without a long gap, resampled to a steady rate.
struct PulseSegment {
    /// The time of the first sample, seconds.
    let start: Double
    /// Samples per second.
    let rate: Double
    /// One array per channel of the trace.
    var signals: [[Double]]
    /// Whether a sample is faulty: a frozen picture, a lifted finger, or a jump that no pulse makes.
    var isFault: [Bool]
    /// The indices of its frames in the trace, ascending.
    let frames: [Int]
    /// Frames per second of the camera, lost ones included.
    let frameRate: Double

    var count: Int { isFault.count }
    var end: Double { time(Double(count - 1)) }
    func time(_ sample: Double) -> Double { start + sample / rate }

    /// A gap up to this length is bridged by a straight line; a longer one ends the segment. Seconds.
    static let longestBridge = 1.0
    /// Shorter stretches do not contain two beats of a slow heart. Seconds.
    static let shortest = 2.0
    /// Frames per second below which a pulse cannot be seen.
    static let slowest = 5.0
    /// If the picture stays the same for this long, the camera has frozen. Seconds.
    static let frozen = 1.5
    /// How far the mains, and frames of which the rate is known to a thousandth, move what a camera sees of a lamp.
    /// Hz.
    private static let mainsTolerance = 0.3
    /// Values beyond this are not measurements.
    static let largest = 1e12
}

extension PulseSegment {
    /// Cuts a trace into steady segments. Frames that are not numbers or go back in time are left out.
    static func segments(of trace: PulseTrace) -> [PulseSegment] {
        let frames = usableFrames(of: trace)
        let times = trace.times
        var segments: [PulseSegment] = []
        var first = 0
        for index in frames.indices {
            let isLast = index + 1 == frames.count
            guard isLast || times[frames[index + 1]] - times[frames[index]] > longestBridge else { continue }
            let part = frames[first...index]
            first = index + 1
            let duration = times[frames[index]] - times[part[part.startIndex]]
            guard duration >= shortest, Double(part.count - 1) >= slowest * duration else { continue }
            segments.append(PulseSegment(resampling: trace, frames: Array(part), duration: duration))
        }
        for index in segments.indices { segments[index].markLifts() }
        limitSlew(of: &segments, channels: trace.signals.count)
        return segments
    }

    /// The longest run of frames that contain numbers and whose times only increase.
    static func usableFrames(of trace: PulseTrace) -> [Int] {
        let times = trace.times
        let numbers = times.indices.filter { frame in
            abs(times[frame]) <= largest && trace.signals.allSatisfy { abs($0[frame]) <= largest }
        }
        guard zip(numbers, numbers.dropFirst()).contains(where: { times[$0] >= times[$1] }) else {
            return numbers
        }
        return longestAscent(numbers, by: times)
    }

    /// Patience sorting: the longest strictly ascending subsequence.
    private static func longestAscent(_ frames: [Int], by times: [Double]) -> [Int] {
        var tails: [Int] = []
        var previous = [Int?](repeating: nil, count: times.count)
        for frame in frames {
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if times[tails[middle]] < times[frame] { low = middle + 1 } else { high = middle }
            }
            previous[frame] = low > 0 ? tails[low - 1] : nil
            if low == tails.count { tails.append(frame) } else { tails[low] = frame }
        }
        var ascent: [Int] = []
        var next = tails.last
        while let frame = next {
            ascent.append(frame)
            next = previous[frame]
        }
        return ascent.reversed()
    }

    /// Linear interpolation between the true frame times, at 30 Hz or, from 45 frames per second, at their rate; a
    /// better method is used for few or uneven frames.
    private init(resampling trace: PulseTrace, frames: [Int], duration: Double) {
        let frameRate = Double(frames.count - 1) / duration
        let rate = frameRate >= 45 ? frameRate : 30
        let start = trace.times[frames[0]]
        let count = Int(duration * rate + 1e-6) + 1
        var places: [(frame: Int, weight: Double)] = []
        places.reserveCapacity(count)
        var frame = 0
        for sample in 0..<count {
            let time = start + Double(sample) / rate
            while frame + 2 < frames.count && trace.times[frames[frame + 1]] < time { frame += 1 }
            let before = trace.times[frames[frame]]
            let weight = (time - before) / (trace.times[frames[frame + 1]] - before)
            places.append((frame, min(1, max(0, weight))))
        }
        let times = frames.map { trace.times[$0] }
        let uneven =
            frameRate < 45 && UnevenFrames.areUneven(times)
            ? UnevenFrames(positions: times.map { ($0 - start) * rate }, places: places, rate: rate) : nil
        self.init(
            start: start, rate: rate,
            signals: trace.signals.map { signal in
                if let uneven { return uneven.samples(of: frames.map { signal[$0] }) }
                return places.map { place in
                    let left = signal[frames[place.frame]]
                    return left + (signal[frames[place.frame + 1]] - left) * place.weight
                }
            },
            isFault: [Bool](repeating: false, count: count), frames: frames,
            frameRate: Self.frameRate(of: times))
        markFrozen()
    }

    private static func frameRate(of times: [Double]) -> Double {
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        let usual = quantile(0.5, of: steps)
        return steps.reduce(0) { $0 + ($1 / usual).rounded() } / (times[times.count - 1] - times[0])
    }

    /// Whether a lamp on the mains, which flickers 100 or 120 times a second, can seem to this camera to change at a
    /// rate, beats per minute.
    func isRateOfLamps(_ rate: Double) -> Bool {
        [100.0, 120].contains { flicker in
            let seen = abs(flicker - frameRate * (flicker / frameRate).rounded())
            return abs(seen - rate / 60) <= Self.mainsTolerance
        }
    }

    /// A lifted finger shows in every colour that has a pulse.
    private mutating func markLifts() {
        let found = signals.compactMap { FingerLifts.find(in: $0, rate: rate) }
        for lift in found.first ?? [] {
            for sample in lift
            where found.dropFirst().allSatisfy({ $0.contains { $0.contains(sample) } }) {
                isFault[sample] = true
            }
        }
    }

    private mutating func markFrozen() {
        let run = Int(Self.frozen * rate)
        var first = 0
        for sample in 1...count {
            let isSame = sample < count && signals.allSatisfy { $0[sample] == $0[sample - 1] }
            guard !isSame else { continue }
            if sample - first > run { for index in first..<sample { isFault[index] = true } }
            first = sample
        }
    }
}

extension PulseSegment {
    /// Limits every step from sample to sample to five times what is usual in the recording.
    ///
    /// Spikes vanish, lifting a finger leaves no step, and a pulse wave, whose steepest rise is two to three times
    /// the ninetieth percentile, stays as it is.
    private static func limitSlew(of segments: inout [PulseSegment], channels: Int) {
        for channel in 0..<channels {
            let steps = segments.flatMap { $0.sampledSlopes(channel, count: 4_000 / segments.count + 1) }
            let usual = quantile(0.9, of: steps)
            for index in segments.indices { segments[index].limitSlew(of: channel, to: 5 * usual) }
        }
    }

    /// A sample of a channel's slopes that are not 0, in units per second, without sign.
    private func sampledSlopes(_ channel: Int, count wanted: Int) -> [Double] {
        let signal = signals[channel]
        return stride(from: 1, to: count, by: 1 + count / wanted).compactMap { sample in
            let slope = abs(signal[sample] - signal[sample - 1]) * rate
            return slope > 0 ? slope : nil
        }
    }

    private mutating func limitSlew(of channel: Int, to slope: Double) {
        let limit = slope / rate
        var signal = signals[channel]
        var removed = 0.0
        var before = signal[0]
        for sample in 1..<count {
            let step = signal[sample] - before
            before = signal[sample]
            if abs(step) > limit {
                removed += step - (step < 0 ? -limit : limit)
                isFault[sample] = true
            }
            signal[sample] -= removed
        }
        signals[channel] = signal
    }
}

/// The value at a share of the way through the sorted values, without interpolation; 0 if there are no values.
func quantile(_ share: Double, of values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    return values.sorted()[Int(share * Double(values.count - 1))]
}
