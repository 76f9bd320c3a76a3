import StudyModel
import TextFormat

/// The items of a recorder's files: `{"items":[…]}`, ResearchKit's form of a log.
///
/// `sensorContact`, `quality`, `elapsed` and the last beat are in those items whose samples have them.
struct RecordingItems {
    private let recording: Recording
    private let wallClock: WallClock

    init(_ recording: Recording, wallClock: WallClock) {
        self.recording = recording
        self.wallClock = wallClock
    }

    private var signal: Signal { recording.log.configuration.signal }

    /// How many items the samples become.
    func count(_ samples: ArraySlice<RecordedSample>) -> Int {
        if let rating = recording.log.configuration.rating {
            return samples.count * rating.dimensions.count
        }
        if signal.waveForm != nil {
            return samples.compactMap(\.block).reduce(0) { $0 + $1.values.count(where: Self.isReading) }
        }
        guard signal.form == .intervals else { return samples.count }
        return samples.compactMap(\.heart).reduce(0) { $0 + $1.rrIntervals.count }
    }

    /// One file's bytes, beginning with the sample at `index` and ending before `size`; at least one sample.
    ///
    /// - Parameter index: is moved to the first sample that is not in the file.
    func write(from index: inout Int, upTo size: Int) -> [UInt8] {
        var text = JSONText(reserving: min(size, 32 + 320 * (recording.kept.count - index)))
        text.beginObject()
        text.key("items")
        text.beginList()
        let first = index
        while index < recording.kept.count, index == first || text.bytes.count < size - 4096 {
            write(recording.kept[index], to: &text)
            index += 1
        }
        text.endList()
        text.endObject()
        return text.bytes
    }

    private func write(_ sample: RecordedSample, to text: inout JSONText) {
        switch sample {
        case .sample(let sample):
            switch sample.value {
            case .heart(let heart) where signal.form == .intervals:
                writeIntervals(of: sample.map { _ in heart }, to: &text)
            case .heart(let heart):
                guard let rate = heart.rate else { return }
                write(rate, from: sample.instant, to: sample.instant, of: sample, to: &text)
            case .picture(let frame): write(sample.map { _ in frame }, to: &text)
            case .rating(let position): write(sample.map { _ in position }, to: &text)
            case .tap(let tap): write(tap, sample, to: &text)
            case .shown(let shown): write(shown, sample, to: &text)
            case .number(let number, _):
                write(number, from: sample.instant, to: sample.instant, of: sample, to: &text)
            case .wave(let block):
                for (channel, number) in zip(block.layout.channels, block.values) where Self.isReading(number)
                {
                    write(
                        number, from: sample.instant, to: sample.instant, of: sample, channel: channel,
                        to: &text)
                }
            }
        case .act(let kind, let detail, let instant):
            text.beginObject()
            member("detail", detail, to: &text)
            member("kind", kind, to: &text)
            writeTimes(instant, to: &text)
            text.endObject()
        case .position(let stimulus, let position, let instant):
            text.beginObject()
            text.key("position")
            text.value(.seconds(position))
            text.key("runOffset")
            text.value(.seconds(instant))
            member("stimulus", stimulus.text, to: &text)
            text.key("timestampSince1970")
            text.real(wallClock.secondsSince1970(of: instant))
            text.endObject()
        case .lost, .told, .framesDropped, .flooded, .stoodStill, .sound: break
        }
    }

    /// Whether a number of a waveform can be an item.
    private static func isReading(_ number: Double) -> Bool { BundleLimits.number.contains(number) }

    /// Beats as moments of the run.
    private func write(_ frame: Timed<PulseFrame>, to text: inout JSONText) {
        let value = frame.value
        text.beginObject()
        text.key("arrivalOffset")
        text.value(.seconds(frame.arrival))
        text.key("beats")
        text.beginList()
        for beat in value.beats { text.value(.seconds(frame.instant.advanced(by: Self.duration(beat)))) }
        text.endList()
        real("blue", value.blue, to: &text)
        real("filtered", value.filtered, to: &text)
        real("green", value.green, to: &text)
        real("quality", value.quality, to: &text)
        real("red", value.red, to: &text)
        writeTimes(frame.instant, to: &text)
        text.endObject()
    }

    /// One item for each dimension.
    private func write(_ sample: Timed<RatedPosition>, to text: inout JSONText) {
        let dimensions = recording.log.configuration.rating?.dimensions ?? []
        for (dimension, value) in zip(dimensions, sample.value.values) {
            text.beginObject()
            member("dimension", dimension.name.text, to: &text)
            member("kind", sample.value.kind.rawValue, to: &text)
            text.key("metadata")
            writeMetadata(of: sample.map { .rating($0) }, end: sample.instant, to: &text)
            text.key("timestampSince1970")
            text.real(wallClock.secondsSince1970(of: sample.instant))
            member("type", signal.type, to: &text)
            real("value", value, to: &text)
            text.endObject()
        }
    }

    private func write(_ tap: Tap, _ sample: Timed<SignalValue>, to text: inout JSONText) {
        text.beginObject()
        if let beat = tap.beat {
            text.key("asynchrony")
            text.value(.seconds(beat.asynchrony))
            text.key("beat")
            text.integer(beat.number)
        }
        member("key", tap.key, to: &text)
        text.key("metadata")
        writeMetadata(of: sample, end: sample.instant, to: &text)
        if let beat = tap.beat { real("phase", beat.phase, to: &text) }
        if let position = tap.position {
            text.key("position")
            text.value(.seconds(position))
        }
        text.key("timestampSince1970")
        text.real(wallClock.secondsSince1970(of: sample.instant))
        member("type", signal.type, to: &text)
        text.endObject()
    }

    private func write(
        _ shown: Biofeedback.Shown, _ sample: Timed<SignalValue>, to text: inout JSONText
    ) {
        let display = recording.log.configuration.biofeedback
        text.beginObject()
        if let display { member("display", display.name, to: &text) }
        text.key("metadata")
        text.value([
            "arrivalOffset": .seconds(sample.arrival), "runOffset": .seconds(sample.instant),
        ])
        member("shown", shown.name, to: &text)
        text.key("timestampSince1970")
        text.real(wallClock.secondsSince1970(of: sample.instant))
        member("type", signal.type, to: &text)
        if let value = shown.value {
            if let unit = display?.unit { member("unit", unit, to: &text) }
            real("value", value, to: &text)
        }
        text.endObject()
    }

    private func real(_ key: String, _ value: Double, to text: inout JSONText) {
        text.key(key)
        text.real(value)
    }

    private func writeTimes(_ instant: RunInstant, to text: inout JSONText) {
        text.key("runOffset")
        text.value(.seconds(instant))
        text.key("timestampSince1970")
        text.real(wallClock.secondsSince1970(of: instant))
    }

    /// One item for each interval. The last one ended with the last beat, or else when the sample was measured.
    private func writeIntervals(of sample: Timed<HeartRateSample>, to text: inout JSONText) {
        let intervals = sample.value.rrIntervals
        let last = sample.value.lastBeat?.instant ?? sample.instant
        var left = intervals.reduce(0, +)
        for interval in intervals {
            let start = last.advanced(by: .zero - Self.duration(left))
            left -= interval
            let end = last.advanced(by: .zero - Self.duration(left))
            write(interval, from: start, to: end, of: sample.map { .heart($0) }, to: &text)
        }
    }

    /// Seconds to the nanosecond; implausible values from a source are limited to a day.
    private static func duration(_ seconds: Double) -> Duration {
        .nanoseconds(Int64((min(max(seconds, -86_400), 86_400) * 1e9).rounded()))
    }

    private func write(
        _ value: Double, from start: RunInstant, to end: RunInstant, of sample: Timed<SignalValue>,
        channel: WaveLayout.Channel? = nil, to text: inout JSONText
    ) {
        text.beginObject()
        if let channel { member("channel", channel.name, to: &text) }
        text.key("endDate")
        text.plainText { wallClock.appendDate(of: end, to: &$0) }
        text.key("metadata")
        writeMetadata(of: sample, end: end, to: &text)
        member("source", recording.log.source, to: &text)
        text.key("startDate")
        text.plainText { wallClock.appendDate(of: start, to: &$0) }
        text.key("timestampSince1970")
        text.real(wallClock.secondsSince1970(of: end))
        member("type", signal.type, to: &text)
        if let unit = channel.map(\.unit) ?? signal.unit { member("unit", unit, to: &text) }
        text.key("value")
        text.real(value)
        text.endObject()
    }

    private func writeMetadata(of sample: Timed<SignalValue>, end: RunInstant, to text: inout JSONText) {
        let heart = sample.value.heart
        let isRate = signal.form == .rate
        text.beginObject()
        text.key("arrivalOffset")
        text.value(.seconds(sample.arrival))
        if let beat = heart?.lastBeat {
            if isRate {
                text.key("beatOffset")
                text.value(.seconds(beat.instant))
            }
            text.key("beatUncertainty")
            text.value(.seconds(beat.uncertainty))
        }
        if let elapsed = heart?.elapsed { real("elapsed", elapsed, to: &text) }
        if let quality = heart?.quality { real("quality", quality, to: &text) }
        if isRate, let intervals = heart?.rrIntervals {
            text.key("rrIntervals")
            text.beginList()
            for interval in intervals { text.real(interval) }
            text.endList()
        }
        text.key("runOffset")
        text.value(.seconds(end))
        if let contact = heart?.sensorContact {
            text.key("sensorContact")
            text.boolean(contact)
        }
        text.endObject()
    }

    private func member(_ key: String, _ value: String, to text: inout JSONText) {
        text.key(key)
        text.text(value)
    }
}

extension RecordedSample {
    /// What a source said about the heart, if anything.
    fileprivate var heart: HeartRateSample? {
        if case .sample(let sample) = self { sample.value.heart } else { nil }
    }
}
