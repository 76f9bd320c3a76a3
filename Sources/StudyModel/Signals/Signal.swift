/// What is measured or noted, as data. Everything that distinguishes one signal from another stands here.
///
/// Two signals are the same if their names are.
public struct Signal: Sendable {
    /// The name: the type of its recorders in a study file, and their kind in the journal.
    public private(set) var name: String
    /// What its recorders record, in the words of the study format.
    public private(set) var meaning: String
    /// What is measured, in words that fit into a sentence.
    public private(set) var quantity: String
    /// The unit of its numbers in UCUM; `nil` if it has none.
    public private(set) var unit: String?
    /// The names of the parts of each sample.
    public private(set) var channels: [String]
    /// Samples per second, if they come evenly. A camera has its own rate.
    public private(set) var nominalRate: Double?
    /// The form of a sample, in the bundle and on the way there.
    public private(set) var form: Form
    /// The `type` of its items in the bundle; the names of their files begin with it.
    public var type: String { itemType ?? name }
    private var itemType: String?
    /// The name of a quantity that a recorder defines.
    public internal(set) var quantityName: Identifier?
    /// The table of a dataset that holds its items; `nil` if they stay in the bundle. Numbers go to `numbers`.
    public private(set) var table: String?
    /// The source of a recorder that names none; `nil` for signals that the run itself yields.
    public private(set) var usualSource: Identifier?
    /// A longer time without a sample than this is a gap.
    public private(set) var longestSilence: Duration = .milliseconds(2500)

    /// The form of a sample.
    public enum Form: Hashable, Sendable {
        /// A heart rate, with the intervals and the skin contact that came with it.
        case rate
        /// The intervals that came with a heart rate.
        case intervals
        /// A picture of a fingertip.
        case picture
        /// A number, as scripts and streams send it.
        case number(NumberForm)
        /// A waveform with any number of channels.
        case wave(WaveForm)
        /// What the participant did.
        case act
        /// Where in its clip the player is.
        case position
        /// Where the participant put a mark.
        case rating
        /// A key that the participant pressed in time with a clip.
        case tap
        /// What a display told the participant.
        case display
        /// A sound file beside the bundle's items.
        case sound
    }

    /// How a number is recognised, and its range.
    public struct NumberForm: Hashable, Sendable {
        /// A number outside this range is not a reading.
        public let range: ClosedRange<Double>
        /// The keys in a script's or server's JSON that stand for it, in lower case.
        public let keys: [String]
        /// The type of its streams in the Lab Streaming Layer.
        public let streamType: String
        /// A simulated source goes up and down between these values once a minute.
        public let simulated: ClosedRange<Double>

        /// The form of a number outside of the program.
        public init(
            range: ClosedRange<Double>, keys: [String], streamType: String, simulated: ClosedRange<Double>
        ) {
            self.range = range
            self.keys = keys
            self.streamType = streamType
            self.simulated = simulated
        }
    }
}

extension Signal {
    /// Every signal that a recorder can keep, in the order of the study format.
    public static let all =
        [heartRate, rrIntervals, respiration, pulseWaveform] + waves
        + [events, stimulusPosition, rating, taps, biofeedback, audio]

    /// Beats per minute.
    public static let heartRate = Signal(
        name: "heartRate", meaning: "heart rate, beats per minute", quantity: "heart rate", unit: "count/min",
        channels: ["rate"], nominalRate: 1, form: .rate, itemType: "HKQuantityTypeIdentifierHeartRate",
        table: "samples", usualSource: "heartRate")

    /// Seconds between beats.
    public static let rrIntervals = Signal(
        name: "rrIntervals", meaning: "time between beats", quantity: "time between beats", unit: "s",
        channels: ["interval"], form: .intervals, itemType: "RRInterval", table: "beats",
        usualSource: "heartRate")

    /// Breaths per minute.
    public static let respiration = Signal(
        name: "respiration", meaning: "breathing, breaths per minute", quantity: "respiration",
        unit: "count/min", channels: ["rate"],
        form: .number(
            NumberForm(
                range: 0...120, keys: ["respiration", "respiratoryrate", "respiration_rate", "breaths"],
                streamType: "RESP", simulated: 12...18)),
        itemType: "HKQuantityTypeIdentifierRespiratoryRate", table: "numbers", usualSource: "respiration",
        longestSilence: .seconds(15))

    /// What a camera sees of a fingertip.
    public static let pulseWaveform = Signal(
        name: "pulseWaveform", meaning: "a fingertip as a camera sees it, picture by picture",
        quantity: "pulse waveform",
        channels: ["red", "green", "blue", "filtered", "quality"], form: .picture, usualSource: "heartRate")

    /// Every key press and answer.
    public static let events = Signal(
        name: "events", meaning: "every key press and answer with its instant",
        quantity: "key presses and answers",
        channels: ["kind", "detail"], form: .act)

    /// Where in its clip the player is.
    public static let stimulusPosition = Signal(
        name: "stimulusPosition", meaning: "the player's position in its clip",
        quantity: "position in the clip", unit: "s",
        channels: ["stimulus", "position"], nominalRate: 1, form: .position)

    /// What the participant rates continuously.
    public static let rating = Signal(
        name: "rating", meaning: "what the participant rates while the step goes on", quantity: "rating",
        channels: ["value", "vertical"], form: .rating, table: "ratings")

    /// Keys pressed in time with a clip.
    public static let taps = Signal(
        name: "taps", meaning: "keys that the participant presses in time with the clip", quantity: "taps",
        channels: ["key", "position", "beat", "asynchrony", "phase"], form: .tap, itemType: "tap",
        table: "taps")

    /// What a display tells the participant about their heart, or how to breathe.
    public static let biofeedback = Signal(
        name: "biofeedback",
        meaning: "what a display tells the participant about their heart, or how to breathe",
        quantity: "biofeedback", channels: ["shown", "value"], form: .display, table: "displays")

    /// The microphone's sound.
    public static let audio = Signal(
        name: "audio", meaning: "the microphone", quantity: "sound", channels: ["sound"], nominalRate: 48_000,
        form: .sound)

    /// The signal with this name; `nil` if there is none. A quantity that a recorder defines has no unit then.
    public init?(named name: String) {
        guard let known = Self.all.first(where: { $0.name == name }) else {
            let start = Self.quantity.name + "."
            guard name.hasPrefix(start), let own = Identifier(String(name.dropFirst(start.count))) else {
                return nil
            }
            self = .quantity(named: own, unit: nil)
            return
        }
        self = known
    }

    /// A waveform.
    init(
        waveNamed name: String, meaning: String, quantity: String, unit: String?, form: WaveForm,
        kind: Identifier?
    ) {
        self.init(
            name: name, meaning: meaning, quantity: quantity, unit: unit, channels: form.channels,
            form: .wave(form), itemType: kind?.text, table: "numbers", usualSource: kind)
    }

    /// The type of its recorders: its name, apart from that of a quantity.
    package var kind: String { quantityName == nil ? name : Self.quantity.name }

    /// The signals that are numbers with a key of their own in a script's lines, each with its form.
    package static let numbers: [(signal: Signal, form: NumberForm)] = all.compactMap { signal in
        if case .number(let form) = signal.form { (signal, form) } else { nil }
    }

    /// The type of its streams, here and in exports; its name if it has no type.
    package var streamType: String {
        switch form {
        case .number(let form): form.streamType
        case .wave(let form): form.streamTypes[0]
        case .rate, .intervals, .picture, .act, .position, .rating, .tap, .display, .sound: name
        }
    }

    /// Whether a source measures it, so that there can be gaps.
    package var isMeasured: Bool { usualSource != nil }
}

extension Signal: Hashable {
    /// Compares the names.
    public static func == (left: Signal, right: Signal) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What a source reports about its signals at one moment.
public enum SignalValue: Hashable, Sendable {
    /// A heart rate, with what came with it.
    case heart(HeartRateSample)
    /// A picture of a fingertip. Pictures come whether or not a pulse is seen in them.
    case picture(PulseFrame)
    /// A number of a signal.
    indirect case number(Double, of: Signal)
    /// Samples of a waveform; the sample's moment is that of the first of them.
    indirect case wave(WaveBlock)
    /// Where the mark of a rating stands.
    case rating(RatedPosition)
    /// A key was pressed in time with a clip.
    case tap(Tap)
    /// A display shows something else.
    case shown(Biofeedback.Shown)

    /// What it says about the heart, if anything.
    package var heart: HeartRateSample? { if case .heart(let sample) = self { sample } else { nil } }

    /// The picture, if it is one.
    package var picture: PulseFrame? { if case .picture(let frame) = self { frame } else { nil } }

    /// Whether a recorder of a signal records it.
    package func belongs(to signal: Signal) -> Bool {
        switch self {
        case .heart: signal.form == .rate || signal.form == .intervals
        case .picture: signal.form == .picture
        case .number(_, let own): signal == own
        case .wave(let block): signal == block.signal
        case .rating: signal.form == .rating
        case .tap: signal.form == .tap
        case .shown: signal.form == .display
        }
    }
}
