/// Finds the pulse in a trace of colours or of light absorption.
///
/// The method `periodTrack` chooses the channel with the best spectral signal, applies a band-pass from 0.7 to 3.5
/// Hz without phase shift, evens out the amplitude, tracks the period by autocorrelation, and finds the steepest
/// rise of each wave, no two within 0.62 of the local period.
package struct PulseDetector: Hashable, Sendable {
    /// How beats are found.
    package enum Method: String, Hashable, Sendable, CaseIterable {
        /// Autocorrelation with continuity, then the steepest rise of each wave.
        case periodTrack
        /// Two moving averages of the squared signal. Source: Elgendi et al. 2013, PLoS ONE 8(10): e76585.
        case elgendi
        /// Troughs of the difference of the hue from frame to frame: the simple method of early phone apps.
        case hueTroughs
    }

    /// How beats are found.
    package let method: Method
    /// Length of the windows, and of the buffer of a live estimate, in seconds.
    package let window: Double
    /// From the start of a window to the start of the next, in seconds.
    package let hop: Double

    /// - Parameters:
    ///   - window: seconds, at least 2.
    ///   - hop: seconds, at least 0.1.
    package init(method: Method = .periodTrack, window: Double = 10, hop: Double = 2) {
        self.method = method
        self.window = window >= 2 ? window : 2
        self.hop = hop >= 0.1 ? hop : 0.1
    }

    /// The pulse of a whole recording. Every window may use the signal before and after it.
    ///
    /// Windows start at the first usable frame. A window without frames is left out.
    package func detect(in trace: PulseTrace) -> Pulse {
        let source = source(of: trace)
        let segments = PulseSegment.segments(of: source)
        var history = PulseHistory()
        return pulse(of: source, segments: segments, spans: spans(of: segments), history: &history)
    }

    /// The pulse in one window of frames; frames outside are ignored.
    ///
    /// - Parameters:
    ///   - span: the window's start and end in seconds.
    ///   - history: what the windows before say.
    func estimate(
        from trace: PulseTrace, span: Range<Double>, history: inout PulseHistory
    ) -> Pulse {
        let source = source(of: trace)
        return pulse(
            of: source, segments: PulseSegment.segments(of: source), spans: [span], history: &history)
    }

    private func source(of trace: PulseTrace) -> PulseTrace {
        switch method {
        case .periodTrack, .elgendi: trace
        case .hueTroughs: HueTroughs.hue(of: trace)
        }
    }

    /// Start and end of every window that contains frames, ascending.
    func spans(of segments: [PulseSegment]) -> [Range<Double>] {
        guard let first = segments.first?.start, let end = segments.last?.end else { return [] }
        guard end - first >= window - Self.slack else { return [first..<end] }
        let last = ((end - first - window + Self.slack) / hop).rounded(.down)
        var spans: [Range<Double>] = []
        var next = 0.0
        for segment in segments {
            next = max(next, ((segment.start - first - window) / hop).rounded(.down) + 1)
            while next <= last && first + next * hop < segment.end {
                spans.append(first + next * hop..<first + next * hop + window)
                next += 1
            }
        }
        return spans
    }

    /// A window may end this long after the last frame, in seconds, because that frame lasts a little.
    private static let slack = 0.1

    private func pulse(
        of trace: PulseTrace, segments: [PulseSegment], spans: [Range<Double>],
        history: inout PulseHistory
    ) -> Pulse {
        var pulse = Pulse(frames: trace.times.count)
        guard let channel = Self.bestChannel(of: segments) else {
            pulse.windows = spans.map { window(over: $0, of: [], &history) }
            return pulse
        }
        let readings = segments.map { segment in
            PulseReading(of: segment, channel: channel, method: method, memory: history.track)
        }
        history.track = readings.last?.track.memory
        pulse.channel = trace.channels[channel]
        pulse.beats = readings.flatMap(\.beats)
        pulse.intervals = readings.flatMap(\.intervals)
        pulse.windows = spans.map { window(over: $0, of: readings, &history) }
        for reading in readings { reading.fill(&pulse, times: trace.times) }
        return pulse
    }

    /// The channel whose 10 s windows have the highest median ratio of pulse to rest.
    private static func bestChannel(of segments: [PulseSegment]) -> Int? {
        guard let channels = segments.first?.signals.indices else { return nil }
        let ratios = channels.map { channel in
            segments.map { SpectralSignal(rate: $0.rate, longest: $0.count).ratios(of: $0.signals[channel]) }
        }
        let medians = ratios.map { quantile(0.5, of: $0.flatMap { $0 }) }
        guard let best = channels.max(by: { medians[$0] < medians[$1] }), medians[best] > 0 else {
            return nil
        }
        return best
    }
}

extension PulseDetector {
    /// The least mean correlation of a reliable window's beats with their mean shape (Orphanidou et al. 2015).
    private static let leastLikeness = 0.86
    /// The least correlation for three consecutive beats, because a lifted finger lasts no longer.
    private static let leastOfThree = 0.75
    /// Good intervals must fill at least this share of a reliable window.
    private static let leastCoverage = 0.8
    /// In a reliable window, the rates by beats and by the track differ by at most this share.
    private static let agreement = 0.1
    /// At least this share of a pulse's power is no single sine: a sixth in fingertips, and less than a tenth if
    /// flicker is three times as strong as the pulse.
    private static let leastUnevenness = 0.14
    /// With less of a window usable, the finger was lifted: it may lie otherwise now.
    private static let leastUsable = 0.8
    /// A window with a faster rate than this is not reliable, beats per minute.
    private static let fastest = 222.0
    /// In a reliable window, the level moves by at most this many heights of the pulse, as in a picture of a finger
    /// that lies still.
    private static let largestSwing = 10.0

    private func window(
        over span: Range<Double>, of readings: [PulseReading], _ history: inout PulseHistory
    ) -> Pulse.Window {
        let length = span.upperBound - span.lowerBound
        let first = readings.border { $0.segment.end > span.lowerBound }
        let inside = readings[first..<max(first, readings.border { $0.segment.start >= span.upperBound })]
        var result = Pulse.Window(
            start: span.lowerBound, end: span.upperBound, bpm: nil, reliable: false, quality: 0)
        guard let main = inside.max(by: { $0.usable(in: span) < $1.usable(in: span) }),
            main.usable(in: span) > 0
        else {
            history.forget()
            return result
        }
        if main.usable(in: span) < Self.leastUsable * length { history.forget() }
        let filled = min(1, inside.reduce(0) { $0 + $1.filled(in: span) } / length)
        let likeness = main.likeness(in: span) ?? (mean: 0, weakest: 0)
        let byTrack = 60 / main.period(in: span)
        let byBeats = rate(of: inside, span: span)
        result.bpm = byBeats ?? byTrack
        result.quality = min(1, likeness.mean * filled)
        result.reliable =
            likeness.mean >= Self.leastLikeness && likeness.weakest >= Self.leastOfThree
            && filled >= Self.leastCoverage
            && main.swing(in: span) <= Self.largestSwing && !main.isLightChanging(in: span)
            && byBeats.map { $0 <= Self.fastest && abs($0 - byTrack) <= Self.agreement * byTrack } ?? false
        if result.reliable, let rate = result.bpm {
            let isLamp =
                main.segment.isRateOfLamps(rate)
                && main.unevenness(in: span, rate: rate) < Self.leastUnevenness
            result.reliable =
                !isLamp
                && !history.contradicts(
                    end: span.upperBound, height: main.height(in: span), rate: rate, channel: main.channel)
        }
        return result
    }

    private func rate(of readings: ArraySlice<PulseReading>, span: Range<Double>) -> Double? {
        switch method {
        case .hueTroughs: return HueTroughs.rate(of: readings.flatMap { $0.beats(in: span) })
        case .periodTrack, .elgendi:
            let total = readings.reduce((count: 0, seconds: 0.0)) { sum, reading in
                let more = InterBeatIntervals.total(
                    of: reading.beats(in: span), clean: reading.intervals(in: span))
                return (sum.count + more.count, sum.seconds + more.seconds)
            }
            return total.count > 1 ? 60 * Double(total.count) / total.seconds : nil
        }
    }
}
