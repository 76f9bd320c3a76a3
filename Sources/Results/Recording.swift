package import StudyModel

/// A finished recording: which samples belong to it, and what happened to the others.
struct Recording {
    let log: RecorderLog
    let span: Range<RunInstant>
    /// What goes into files, by time of measurement.
    private(set) var kept: [RecordedSample] = []
    /// Samples that are not written: duplicates, out of the recording's time, or too late.
    private(set) var dropped = 0
    /// How often a key that was held down, or that bounced, was left out.
    private(set) var held = 0
    /// When the source gave a reading.
    private(set) var readings: [RunInstant] = []
    /// When the sensor reported no skin contact.
    private(set) var contactLost: [RunInstant] = []
    /// When the source reported that it has no signal.
    private(set) var lost: [RunInstant] = []
    /// When samples came faster than they could be processed.
    private(set) var floods: [Range<RunInstant>] = []
    /// When the program stood still.
    private(set) var standstills: [Range<RunInstant>] = []
    /// The last reason that the source gave for having no signal.
    private(set) var lostReason: String?
    /// What the source said about itself.
    private(set) var information = SourceInformation()

    /// The recording in `log`, ended at `end`; both ends are in whole nanoseconds.
    init(_ log: RecorderLog, end: RunInstant) {
        self.log = log
        let start = RunInstant.nanoseconds(log.start.nanoseconds)
        span = start..<max(start, .nanoseconds(end.nanoseconds))
        for sample in log.samples {
            switch sample {
            case .sample(let sample): take(sample)
            case .lost(let reason, let instant):
                lost.append(instant)
                lostReason = reason
            case .told(let news, _): information.update(with: news)
            case .sound: continue
            case .framesDropped(let count, let instant):
                if span.contains(instant) { dropped += count }
            case .flooded(let count, let start, let instant):
                guard span.overlaps(start..<max(start, instant)) else { continue }
                dropped += count
                floods.append(start..<max(start, instant))
            case .stoodStill(let start, let instant): standstills.append(start..<max(start, instant))
            case .act(_, _, let instant), .position(_, _, let instant):
                if span.lowerBound <= instant && instant <= span.upperBound {
                    kept.append(sample)
                } else {
                    dropped += 1
                }
            }
        }
        kept = kept.enumerated().sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
            .map(\.element)
        readings.sort()
        settleRating()
        settleTaps()
    }

    /// A change reaches the log a moment after the key was pressed, so a sample that was due between the two
    /// contains it too.
    private mutating func settleRating() {
        guard log.configuration.rating != nil else { return }
        var values: [Double]?
        for index in kept.indices {
            guard case .sample(var sample) = kept[index], case .rating(var position) = sample.value else {
                continue
            }
            if position.kind == .sample, let values { position.values = values }
            values = position.values
            sample.value = .rating(position)
            kept[index] = .sample(sample)
        }
    }

    /// How often the participant moved the mark of a rating.
    func changeCount(in part: ArraySlice<RecordedSample>) -> Int {
        part.count { sample in
            guard case .sample(let sample) = sample, case .rating(let position) = sample.value else {
                return false
            }
            return position.kind == .change
        }
    }

    /// Leaves out what a held key repeats, and what a bouncing key gives a second time.
    private mutating func settleTaps() {
        guard log.configuration.tapping != nil else { return }
        let pressed = HeldKeys.presses(
            kept.map { sample in
                sample.tap.map { ($0.key, sample.instant) }
            })
        held = kept.count - pressed.count
        kept = pressed.map { kept[$0] }
    }

    /// How many taps have a beat.
    func onBeats(in part: ArraySlice<RecordedSample>) -> Int {
        part.count { $0.tap?.beat != nil }
    }

    private mutating func take(_ sample: Timed<SignalValue>) {
        switch sample.value {
        case .heart(let heart): take(heart, sample)
        // The sample was due when the step was already over.
        case .rating(let position) where position.kind == .sample && sample.instant >= span.upperBound: return
        case .picture, .number, .wave, .rating, .tap, .shown:
            // The sample was on its way when the recording began.
            guard sample.instant >= span.lowerBound else { return }
            guard span.contains(sample.instant), isInTime(sample.arrival) else {
                dropped += 1
                return
            }
            kept.append(.sample(sample))
            readings.append(sample.instant)
        }
    }

    private mutating func take(_ heart: HeartRateSample, _ sample: Timed<SignalValue>) {
        guard span.contains(sample.instant), isInTime(sample.arrival), !isDuplicate(heart, sample)
        else {
            dropped += 1
            return
        }
        let isOfIntervals = log.configuration.signal.form == .intervals
        if heart.isIntervalOnly, !isOfIntervals { return }
        let hasReading = isOfIntervals ? !heart.rrIntervals.isEmpty : heart.rate != nil
        let isSilent = isOfIntervals && heart.rate != nil
        if hasReading { kept.append(.sample(sample)) }
        if hasReading && heart.sensorContact != false {
            readings.append(sample.instant)
        } else if !isSilent || heart.sensorContact == false {
            contactLost.append(sample.instant)
        }
    }

    /// Counts samples of a waveform that came too late.
    mutating func drop(_ count: Int) { dropped += count }

    private func isInTime(_ arrival: RunInstant) -> Bool { arrival <= deadline }

    /// Until when late samples are accepted. While the program stood still, nothing could arrive.
    var deadline: RunInstant {
        let over = standstills.last { $0.lowerBound < span.upperBound }?.upperBound
        return max(span.upperBound, over ?? span.upperBound).advanced(by: log.configuration.lateSampleGrace)
    }

    /// Whether a strap or a replayed file sent the same data twice: for the same moment, or the same beats within a
    /// tenth of a second. Readings without a time of their own, which waited until the program could read them, have
    /// one moment without being the same.
    private func isDuplicate(_ heart: HeartRateSample, _ sample: Timed<SignalValue>) -> Bool {
        kept.suffix(4).contains { earlier in
            guard case .sample(let earlier) = earlier else { return false }
            let distance = earlier.instant.duration(to: sample.instant)
            guard distance != .zero else {
                return sample.arrival != sample.instant || earlier.value.heart?.rate == heart.rate
            }
            return !heart.rrIntervals.isEmpty && earlier.value == .heart(heart)
                && max(distance, .zero - distance) < .milliseconds(100)
        }
    }

    /// How many samples within a span came after the recording's end.
    func lateCount(in part: ArraySlice<RecordedSample>) -> Int {
        part.count { $0.arrival > span.upperBound }
    }

    /// Statistics of a part of the recording; `nil` if nothing can be missing.
    func statistics(of part: Range<RunInstant>) -> RecordingStatistics? {
        let signal = log.configuration.signal
        guard signal.form != .sound else { return nil }
        guard signal.isMeasured || log.configuration.rating != nil else {
            // Nothing may happen for any time, so only what nobody could notice is missing.
            let missed = standstills.filter(part.overlaps).map { $0.clamped(to: part) }
            guard !missed.isEmpty else { return nil }
            return RecordingStatistics(of: part, silences: missed, hasSamples: true, standstills: missed)
        }
        return RecordingStatistics(
            of: part, samples: readings.filter(part.contains), contactLost: contactLost, lost: lost,
            standstills: standstills, floods: floods,
            longestSilence: waveLayout?.longestSilence(otherwise: log.configuration.longestSilence)
                ?? log.configuration.longestSilence)
    }

    /// The channels of a waveform whose samples are kept as items.
    private var waveLayout: WaveLayout? { kept.lazy.compactMap(\.block?.layout).first }

    /// The channels of a waveform, and how fast the samples of a part came, its gaps apart.
    func waves(in part: Range<RunInstant>, _ gaps: [FileResult.Gap]) -> FileResult.Waves? {
        guard let layout = waveLayout else { return nil }
        let inner = readings.filter(part.contains)
        let seconds = zip(inner, inner.dropFirst()).filter { pair in
            !gaps.contains { $0.from <= pair.0 && pair.1 <= $0.to }
        }.map { $0.0.duration(to: $0.1).seconds }
        let length = seconds.reduce(0, +)
        return FileResult.Waves(
            layout, rate: length > 0 ? (Double(seconds.count) / length * 1e6).rounded() / 1e6 : nil,
            quantity: log.configuration.signal.quantityName, givesBeats: log.configuration.givesBeats)
    }

    /// Why nothing was recorded; `nil` if something was.
    var emptyReason: String? {
        guard kept.isEmpty else { return nil }
        switch log.configuration.signal.form {
        case .act: return "nothing happened"
        case .position: return "no clip was played"
        case .rating: return "nothing was rated"
        case .tap: return "nobody tapped"
        case .display: return "nothing was shown"
        case .sound: return lostReason.map { "nothing was recorded: \($0)" } ?? "there was no microphone"
        case .rate, .intervals, .picture, .number, .wave:
            if let lostReason { return "the source was lost: \(lostReason)" }
            if !contactLost.isEmpty { return "the sensor had no contact" }
            return dropped > 0 ? "no sample was in time" : "no sample came"
        }
    }
}

extension RecordedSample {
    /// The samples of a waveform, if it is one.
    var block: WaveBlock? {
        if case .sample(let sample) = self, case .wave(let block) = sample.value { block } else { nil }
    }

    /// The tap, if it is one.
    fileprivate var tap: Tap? {
        if case .sample(let sample) = self, case .tap(let tap) = sample.value { tap } else { nil }
    }

    /// When it was measured or happened.
    var instant: RunInstant {
        switch self {
        case .sample(let sample): sample.instant
        case .framesDropped(_, let instant), .flooded(_, _, let instant), .stoodStill(_, let instant): instant
        case .lost(_, let instant), .told(_, let instant), .act(_, _, let instant),
            .position(_, _, let instant), .sound(_, _, _, let instant):
            instant
        }
    }
}

extension HeartRateSample {
    /// Whether it reports a beat but no heart rate.
    package var isIntervalOnly: Bool { rate == nil && !rrIntervals.isEmpty && sensorContact != false }
}
