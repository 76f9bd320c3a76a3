import Glibc

/// What one method found in one segment.
struct PulseReading {
    let segment: PulseSegment
    /// Which of the segment's signals was read.
    let channel: Int
    /// The band-passed signal, in the channel's unit.
    let filtered: [Double]
    private let signal: [Double]
    /// The signal in a band that holds the second wave of a beat as well.
    private let wide: [Double]
    let track: PeriodTrack
    /// Seconds, ascending.
    let beats: [Double]
    let intervals: [Pulse.Interval]
    private let shapes: BeatShapes
    private let colours: PulseColours?

    private static let band = (low: 0.7, high: 3.5)
    /// A wider band, so that a diastolic wave is recognised as such.
    private static let trackBand = (low: 0.7, high: 5.0)

    init(
        of segment: PulseSegment, channel: Int, method: PulseDetector.Method,
        memory: PeriodTrack.Memory? = nil
    ) {
        let rate = segment.rate
        self.channel = channel
        signal = segment.signals[channel]
        let floor = 1e-6 * (signal.lazy.map { abs($0) }.max() ?? 0) + .leastNormalMagnitude
        let band = BandPass(from: Self.band.low, to: Self.band.high, rate: rate)
        filtered = band.apply(to: signal)
        colours = PulseColours(segment.signals, band: band)
        let envelope = Envelope(of: filtered, rate: rate, floor: floor)
        wide = BandPass(from: Self.trackBand.low, to: Self.trackBand.high, rate: rate).apply(to: signal)
        let sharp = envelope.even(wide)
        track = PeriodTrack(of: sharp, rate: rate, memory: memory)
        let marks =
            switch method {
            case .periodTrack:
                UpslopeBeats.find(in: envelope.even(filtered), sharp: sharp, rate: rate, track: track)
            case .elgendi: ElgendiBeats.find(in: signal, rate: rate)
            case .hueTroughs: HueTroughs.find(in: signal, rate: rate)
            }
        let good = marks.filter { !segment.isWorthless(around: $0) }
        shapes = BeatShapes(around: good, in: sharp) { [track] beat in
            track.period(at: beat / rate) * rate
        }
        beats = good.map(segment.time)
        intervals = InterBeatIntervals.clean(beats)
        self.segment = segment
    }

    /// How many seconds of a span are good samples of this segment.
    func usable(in span: Range<Double>) -> Double {
        let samples = segment.samples(in: span)
        return Double(samples.count { !segment.isFault[$0] }) / segment.rate
    }

    /// How many times larger the signal's movement in a span is than its pulse.
    func swing(in span: Range<Double>) -> Double {
        let samples = segment.samples(in: span)
        let mean = samples.reduce(0) { $0 + signal[$1] } / Double(samples.count)
        let all = samples.reduce(0) { $0 + (signal[$1] - mean) * (signal[$1] - mean) }
        return (all / Double(samples.count)).squareRoot() / height(in: span)
    }

    /// The root mean square of the pulse in a span, in the channel's unit.
    func height(in span: Range<Double>) -> Double {
        let samples = segment.samples(in: span)
        return (samples.reduce(0) { $0 + filtered[$1] * filtered[$1] } / Double(samples.count)).squareRoot()
    }

    /// Which share of the signal's power in a span is no single sine of a rate: of a pulse, whose waves have a second
    /// crest and come at uneven times, more than of a lamp on the mains.
    func unevenness(in span: Range<Double>, rate: Double) -> Double {
        let samples = segment.samples(in: span)
        var (cosine, sine, all) = (0.0, 0.0, 0.0)
        let turn = 2 * Double.pi * rate / 60 / segment.rate
        for sample in samples {
            cosine += wide[sample] * cos(turn * Double(sample))
            sine += wide[sample] * sin(turn * Double(sample))
            all += wide[sample] * wide[sample]
        }
        return 1 - 2 * (cosine * cosine + sine * sine) / Double(samples.count) / all
    }

    /// Whether the light itself changes in a span, as when a hand moves or a lamp flickers.
    func isLightChanging(in span: Range<Double>) -> Bool {
        colours?.changeTogether(in: segment.samples(in: span), with: filtered) ?? false
    }

    /// The clean intervals that lie completely within a span.
    func intervals(in span: Range<Double>) -> ArraySlice<Pulse.Interval> {
        let first = intervals.border { $0.start >= span.lowerBound }
        let last = intervals.border { $0.end > span.upperBound }
        return intervals[first..<max(first, last)]
    }

    /// How many seconds of a span the clean intervals fill.
    func filled(in span: Range<Double>) -> Double {
        let first = intervals.border { $0.end > span.lowerBound }
        let last = intervals.border { $0.start >= span.upperBound }
        return intervals[first..<max(first, last)].reduce(0) { sum, interval in
            sum + min(interval.end, span.upperBound) - max(interval.start, span.lowerBound)
        }
    }

    func beats(in span: Range<Double>) -> ArraySlice<Double> { beats[indices(of: span)] }

    /// How similar the waves of a span's beats are.
    func likeness(in span: Range<Double>) -> (mean: Double, weakest: Double)? {
        shapes.likeness(of: indices(of: span))
    }

    private func indices(of span: Range<Double>) -> Range<Int> {
        let first = beats.border { $0 >= span.lowerBound }
        return first..<max(first, beats.border { $0 >= span.upperBound })
    }

    /// Writes the filtered signal and the quality into a pulse's frames.
    ///
    /// The quality of a frame is the similarity of the beats within five seconds to each side.
    func fill(_ pulse: inout Pulse, times: [Double]) {
        let likeness = (0...Int(segment.end - segment.start)).map { second in
            let middle = segment.start + Double(second) + 0.5
            return self.likeness(in: middle - 5..<middle + 5)?.mean ?? 0
        }
        for frame in segment.frames {
            let time = times[frame] - segment.start
            let position = max(0, min(time * segment.rate, Double(segment.count - 1)))
            let left = min(Int(position), segment.count - 2)
            let weight = position - Double(left)
            pulse.filtered[frame] = filtered[left] + (filtered[left + 1] - filtered[left]) * weight
            let isFault = segment.isFault[left] || weight > 0 && segment.isFault[left + 1]
            pulse.quality[frame] = isFault ? 0 : min(1, likeness[min(Int(time), likeness.count - 1)])
        }
    }

    /// Seconds per beat in the middle of a span, from the track alone.
    func period(in span: Range<Double>) -> Double {
        let low = max(span.lowerBound, segment.start)
        let high = min(span.upperBound, segment.end)
        return track.period(at: (low + high) / 2 - segment.start)
    }
}

extension PulseSegment {
    /// The samples that lie in a span of time.
    func samples(in span: Range<Double>) -> Range<Int> {
        let low = max(0, min(Double(count), ((span.lowerBound - start) * rate).rounded(.up)))
        let high = max(low, min(Double(count), ((span.upperBound - start) * rate).rounded(.up)))
        return Int(low)..<Int(high)
    }

    /// Whether all samples close to a sample are faulty, as in a frozen picture.
    func isWorthless(around sample: Double) -> Bool {
        let reach = Int(0.15 * rate)
        let middle = Int(sample)
        return (max(0, middle - reach)...min(count - 1, middle + reach)).allSatisfy { isFault[$0] }
    }
}

/// How strong a signal is over time: root mean square over four seconds.
private struct Envelope {
    private static let seconds = 4.0
    /// Samples beyond this many times the ninetieth percentile are clipped before they are measured and used.
    private static let clip = 3.0
    private let strength: [Double]
    private let limit: Double

    init(of signal: [Double], rate: Double, floor: Double) {
        let step = 1 + signal.count / 4_000
        let usual = quantile(0.9, of: stride(from: 0, to: signal.count, by: step).map { abs(signal[$0]) })
        let limit = Self.clip * usual
        self.limit = limit
        let half = Int(Self.seconds * rate / 2)
        var strength = [Double](repeating: 0, count: signal.count)
        var (low, high, sum) = (0, 0, 0.0)
        for index in signal.indices {
            while high < min(signal.count, index + half) {
                let value = min(abs(signal[high]), limit)
                sum += value * value
                high += 1
            }
            while low < index - half {
                let value = min(abs(signal[low]), limit)
                sum -= value * value
                low += 1
            }
            strength[index] = (max(0, sum) / Double(high - low)).squareRoot() + floor
        }
        self.strength = strength
    }

    /// A signal whose strength is the same everywhere.
    func even(_ signal: [Double]) -> [Double] {
        signal.indices.map { min(limit, max(-limit, signal[$0])) / strength[$0] }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies a condition that holds from there on.
    func border(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
