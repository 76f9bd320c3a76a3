package import StudyModel
import TextFormat

/// What a recorder gets to record.
package enum RecordedSample: Hashable, Sendable {
    /// A source's sample.
    case sample(Timed<SignalValue>)
    /// This many frames of a camera came too late and were left out.
    case framesDropped(Int, at: RunInstant)
    /// Since a moment, this many samples came faster than they could be processed, and were left out.
    case flooded(Int, since: RunInstant, at: RunInstant)
    /// The program stood still since a moment, so that nothing was recorded in time.
    case stoodStill(since: RunInstant, at: RunInstant)
    /// The source has no signal at the moment, for this reason.
    case lost(String, at: RunInstant)
    /// What the source says about itself.
    case told(SourceInformation, at: RunInstant)
    /// What the participant did: `key`, `answered` …, with the name of the key or of the question.
    case act(kind: String, detail: String, at: RunInstant)
    /// Where in its clip the player is.
    case position(stimulus: Identifier, position: Duration, at: RunInstant)
    /// A microphone's file holds this many frames, the first of which are silence in the place of what is `lacking`;
    /// `rate` is frames per second.
    case sound(frames: Int64, rate: Double, lacking: Int64 = 0, at: RunInstant)

    /// When it reached us.
    var arrival: RunInstant {
        switch self {
        case .sample(let sample): sample.arrival
        case .framesDropped(_, let instant), .flooded(_, _, let instant), .stoodStill(_, let instant): instant
        case .lost(_, let instant), .told(_, let instant), .act(_, _, let instant),
            .position(_, _, let instant), .sound(_, _, _, let instant):
            instant
        }
    }

    /// Writes the sample as a line of a log.
    func write(to text: inout JSONText) {
        switch self {
        case .sample(let sample):
            switch sample.value {
            case .heart(let heart): Self.write(sample.map { _ in heart }, to: &text)
            case .picture(let frame): Self.write(sample.map { _ in frame }, to: &text)
            case .number(let number, let signal):
                text.value([
                    "a": .nanoseconds(sample.arrival), "signal": .text(signal.name),
                    "t": .nanoseconds(sample.instant), "value": .real(number),
                ])
            case .wave(let block): block.write(to: &text, arrival: sample.arrival)
            case .rating(let position):
                text.value([
                    "a": .nanoseconds(sample.arrival), "kind": .text(position.kind.rawValue),
                    "rated": .list(position.values.map { .real($0) }), "t": .nanoseconds(sample.instant),
                ])
            case .tap(let tap):
                let times: [String: JSON] = [
                    "a": .nanoseconds(sample.arrival), "t": .nanoseconds(sample.instant),
                ]
                text.value(.members(times.merging(tap.wire) { $1 }))
            case .shown(let shown):
                text.value(
                    .members([
                        "a": .nanoseconds(sample.arrival), "shown": .text(shown.name),
                        "t": .nanoseconds(sample.instant), "value": shown.value.map { .real($0) },
                    ]))
            }
        case .framesDropped(let count, let instant):
            text.value(["dropped": .integer(count), "t": .nanoseconds(instant)])
        case .flooded(let count, let start, let instant):
            text.value([
                "flooded": .integer(count), "since": .nanoseconds(start), "t": .nanoseconds(instant),
            ])
        case .stoodStill(let start, let instant):
            text.value(["since": .nanoseconds(start), "t": .nanoseconds(instant)])
        case .lost(let reason, let instant):
            text.value(["lost": .text(reason), "t": .nanoseconds(instant)])
        case .told(let information, let instant):
            text.value(["t": .nanoseconds(instant), "told": information.wire])
        case .act(let kind, let detail, let instant):
            text.value(["act": .text(kind), "detail": .text(detail), "t": .nanoseconds(instant)])
        case .position(let stimulus, let position, let instant):
            text.value([
                "clip": .text(stimulus), "position": .nanoseconds(position), "t": .nanoseconds(instant),
            ])
        case .sound(let frames, let rate, let lacking, let instant):
            text.value([
                "frames": .integer(Int(frames)), "lacking": .integer(Int(lacking)), "rate": .real(rate),
                "t": .nanoseconds(instant),
            ])
        }
        text.endLine()
    }

    private static func write(_ sample: Timed<HeartRateSample>, to text: inout JSONText) {
        text.beginObject()
        text.key("a")
        text.integer(Int(sample.arrival.nanoseconds))
        if let beat = sample.value.lastBeat {
            text.key("beat")
            text.integer(Int(beat.instant.nanoseconds))
            text.key("beatUncertainty")
            text.integer(Int(beat.uncertainty.wholeNanoseconds))
        }
        if let rate = sample.value.rate {
            text.key("bpm")
            text.real(rate)
        }
        if let contact = sample.value.sensorContact {
            text.key("contact")
            text.boolean(contact)
        }
        if let elapsed = sample.value.elapsed {
            text.key("elapsed")
            text.real(elapsed)
        }
        if let quality = sample.value.quality {
            text.key("quality")
            text.real(quality)
        }
        text.key("rr")
        text.beginList()
        for interval in sample.value.rrIntervals { text.real(interval) }
        text.endList()
        text.key("t")
        text.integer(Int(sample.instant.nanoseconds))
        text.endObject()
    }

    private static func write(_ frame: Timed<PulseFrame>, to text: inout JSONText) {
        let value = frame.value
        text.beginObject()
        text.key("a")
        text.integer(Int(frame.arrival.nanoseconds))
        list("beats", value.beats, to: &text)
        text.key("filtered")
        text.real(value.filtered)
        text.key("quality")
        text.real(value.quality)
        list("rgb", [value.red, value.green, value.blue], to: &text)
        text.key("t")
        text.integer(Int(frame.instant.nanoseconds))
        text.endObject()
    }

    private static func list(_ key: String, _ values: [Double], to text: inout JSONText) {
        text.key(key)
        text.beginList()
        for value in values { text.real(value) }
        text.endList()
    }

    /// The sample as it reads back from a log: in whole nanoseconds, and without numbers that are not finite, since
    /// these are not readings.
    var asWritten: RecordedSample {
        let whole = { (instant: RunInstant) in RunInstant.nanoseconds(instant.nanoseconds) }
        switch self {
        case .sample(let sample):
            return .sample(
                Timed(
                    sample.value.asWritten(whole), at: whole(sample.instant), arrival: whole(sample.arrival)))
        case .framesDropped(let count, let instant): return .framesDropped(count, at: whole(instant))
        case .flooded(let count, let start, let instant):
            return .flooded(count, since: whole(start), at: whole(instant))
        case .stoodStill(let start, let instant): return .stoodStill(since: whole(start), at: whole(instant))
        case .lost(let reason, let instant): return .lost(reason, at: whole(instant))
        case .told(let information, let instant): return .told(information, at: whole(instant))
        case .act(let kind, let detail, let instant):
            return .act(kind: kind, detail: detail, at: whole(instant))
        case .position(let stimulus, let position, let instant):
            return .position(
                stimulus: stimulus, position: .nanoseconds(position.wholeNanoseconds), at: whole(instant))
        case .sound(let frames, let rate, let lacking, let instant):
            return .sound(frames: frames, rate: rate, lacking: lacking, at: whole(instant))
        }
    }

    init(wire: JSON) throws {
        let instant = try wire.field("t").asInstant()
        if let arrival = wire["a"] {
            self = .sample(Timed(try SignalValue(wire), at: instant, arrival: try arrival.asInstant()))
        } else if let count = wire["dropped"] {
            self = .framesDropped(try count.asCount(), at: instant)
        } else if let count = wire["flooded"] {
            self = .flooded(
                try count.asCount(), since: try wire.field("since").asInstant(), at: instant)
        } else if let start = wire["since"] {
            self = .stoodStill(since: try start.asInstant(), at: instant)
        } else if let reason = wire["lost"] {
            self = .lost(try reason.asText(), at: instant)
        } else if let told = wire["told"] {
            self = .told(try SourceInformation(wire: told), at: instant)
        } else if let kind = wire["act"] {
            self = .act(kind: try kind.asText(), detail: try wire.field("detail").asText(), at: instant)
        } else if let frames = wire["frames"] {
            self = .sound(
                frames: Int64(try frames.asInteger()), rate: try wire.field("rate").asNumber(),
                lacking: Int64(try wire.optional("lacking") { try $0.asCount() } ?? 0), at: instant)
        } else {
            self = .position(
                stimulus: try wire.field("clip").asIdentifier(),
                position: try wire.field("position").asDuration(), at: instant)
        }
    }
}

extension SignalValue {
    fileprivate init(_ wire: JSON) throws {
        if let colours = wire["rgb"] {
            self = .picture(try PulseFrame(colours: colours, wire))
        } else if let values = wire["rated"] {
            let kind = try wire.field("kind")
            self = .rating(
                RatedPosition(
                    try values.asList { try $0.asNumber() },
                    try kind.expect(RatedPosition.Kind(rawValue: kind.asText()), "a kind of position")))
        } else if wire["tapped"] != nil {
            self = .tap(try Tap(wire: wire))
        } else if let shown = wire["shown"] {
            self = .shown(try Biofeedback.Shown(wire: shown, value: wire["value"]))
        } else if let number = wire["value"] {
            let name = try wire.field("signal")
            self = .number(
                try number.asNumber(), of: try name.expect(Signal(named: name.asText()), "a signal"))
        } else {
            self = .heart(try HeartRateSample(wire))
        }
    }

    /// - Parameter whole: a moment in whole nanoseconds.
    fileprivate func asWritten(_ whole: (RunInstant) -> RunInstant) -> SignalValue {
        switch self {
        case .heart(var value):
            value.rate = value.rate.flatMap { $0.isFinite ? $0 : nil }
            value.quality = value.quality.flatMap { $0.isFinite ? $0 : nil }
            value.elapsed = value.elapsed.flatMap { $0.isFinite ? $0 : nil }
            value.rrIntervals.removeAll { !$0.isFinite }
            value.lastBeat = value.lastBeat.map { beat in
                BeatTime(
                    instant: whole(beat.instant),
                    uncertainty: .nanoseconds(beat.uncertainty.wholeNanoseconds))
            }
            return .heart(value)
        case .picture(let frame): return .picture(frame.finite)
        case .number(let number, let signal): return .number(number.isFinite ? number : 0, of: signal)
        case .wave(let block): return .wave(block.asWritten)
        case .rating: return self
        case .tap(let tap): return .tap(tap.asWritten)
        case .shown: return self
        }
    }
}

extension HeartRateSample {
    fileprivate init(_ wire: JSON) throws {
        self.init(
            rate: try wire.optional("bpm") { try $0.asNumber() },
            rrIntervals: try wire.field("rr").asList { try $0.asNumber() },
            sensorContact: try wire.optional("contact") { try $0.asBoolean() },
            quality: try wire.optional("quality") { try $0.asNumber() },
            lastBeat: try wire.optional("beat") { beat in
                BeatTime(
                    instant: try beat.asInstant(),
                    uncertainty: try wire.field("beatUncertainty").asDuration())
            }, elapsed: try wire.optional("elapsed") { try $0.asNumber() })
    }
}

extension PulseFrame {
    fileprivate init(colours: JSON, _ wire: JSON) throws {
        let rgb = try colours.asList { try $0.asNumber() }
        guard rgb.count == 3 else { throw WireFailure("three colours are needed") }
        self.init(
            red: rgb[0], green: rgb[1], blue: rgb[2], filtered: try wire.field("filtered").asNumber(),
            beats: try wire.field("beats").asList { try $0.asNumber() },
            quality: try wire.field("quality").asNumber())
    }

    /// The frame with every number that is not finite removed.
    fileprivate var finite: PulseFrame {
        let number = { (value: Double) in value.isFinite ? value : 0 }
        return PulseFrame(
            red: number(red), green: number(green), blue: number(blue), filtered: number(filtered),
            beats: beats.filter(\.isFinite), quality: number(quality))
    }
}

/// The contents of a recorder's log so far: one line about the recording, then one for each sample.
struct RecorderLog: Hashable {
    var key: RecorderKey
    var configuration: RecorderConfiguration
    /// When the recording began.
    var start: RunInstant
    /// Where the samples come from, as their `source` says.
    var source: String
    /// The samples in order of arrival, except for blocks of waveforms, which stay on disk.
    var samples: [RecordedSample]
    /// When the last block of a waveform that was read arrived.
    private(set) var lastBlock: RunInstant?

    init(
        key: RecorderKey, configuration: RecorderConfiguration, start: RunInstant, source: String,
        samples: [RecordedSample] = []
    ) {
        self.key = key
        self.configuration = configuration
        self.start = start
        self.source = source
        self.samples = samples
    }

    /// The first line.
    var header: [UInt8] {
        let json: JSON = [
            "configuration": configuration.wire,
            "from": .nanoseconds(start),
            "key": key.wire,
            "source": .text(source),
        ]
        return json.encoded() + [UInt8(ascii: "\n")]
    }

    /// Reads a log up to its last complete and valid line.
    ///
    /// - Returns: `nil` if not even the first line is.
    init?(parsing bytes: [UInt8]) {
        let lines = Lines(of: bytes).whole
        do {
            guard let first = lines.first else { return nil }
            let json = try JSON(parsing: bytes, in: first)
            self.init(
                key: try RecorderKey(wire: json.field("key")),
                configuration: try RecorderConfiguration(wire: json.field("configuration")),
                start: try json.field("from").asInstant(), source: try json.field("source").asText())
        } catch { return nil }
        samples.reserveCapacity(lines.count)
        let isWave = configuration.signal.waveForm != nil
        for line in lines.dropFirst() {
            do {
                if isWave, let block = try LoggedBlock(line: Array(bytes[line])) {
                    lastBlock = block.arrival
                } else {
                    samples.append(try RecordedSample(wire: JSON(parsing: bytes, in: line)))
                }
            } catch { return }
        }
    }

    /// Where the log of a recording lies during the run.
    static func path(of key: RecorderKey) -> String {
        "\(folder)/\(StepFolder.padded(key.ordinal))-\(key.recorder)-\(key.segment).jsonl"
    }

    /// Where the logs lie.
    static let folder = "recording"
    /// The file in which a run says now and then that it goes on: a moment a line, nanoseconds.
    static let signsPath = folder + "/alive"
}
