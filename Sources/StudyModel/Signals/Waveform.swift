/// The channels of a waveform, as its source describes them.
public struct WaveLayout: Hashable, Sendable {
    /// The channels, in the order of the numbers of a sample; no two have the same name.
    public private(set) var channels: [Channel]
    /// Samples per second as the source states it; `nil` if it states none.
    public var rate: Double?

    /// One channel.
    public struct Channel: Hashable, Sendable {
        /// What the source calls it.
        public var name: String
        /// The unit in UCUM or as the source writes it; `nil` if it states none.
        public var unit: String?

        public init(_ name: String, unit: String? = nil) { (self.name, self.unit) = (name, unit) }
    }

    /// Channels without a name, or with the name of an earlier one, get another name.
    public init(_ channels: [Channel], rate: Double? = nil) {
        self.rate = rate.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        var known: Set<String> = []
        self.channels = channels.enumerated().map { place, channel in
            var channel = channel
            if channel.name.isEmpty { channel.name = "channel \(place + 1)" }
            let name = channel.name
            var count = 1
            while !known.insert(channel.name).inserted {
                count += 1
                channel.name = "\(name) \(count)"
            }
            return channel
        }
    }

    /// A longer time than this between two samples is a gap: three samples, but at least a twentieth of a second,
    /// because time stamps that a program gives on arrival are uneven.
    package func longestSilence(otherwise usual: Duration) -> Duration {
        rate.map { max(.seconds(3 / $0), .milliseconds(50)) } ?? usual
    }
}

/// Samples of a waveform that reached us together.
public struct WaveBlock: Hashable, Sendable {
    public var signal: Signal
    public var layout: WaveLayout
    /// When each sample was measured, in order.
    public var instants: [RunInstant]
    /// The numbers, sample by sample, each with one for every channel; one that is not finite is missing.
    public var values: [Double]

    /// - Precondition: there is a number for each channel of each sample.
    public init(_ signal: Signal, _ layout: WaveLayout, at instants: [RunInstant], _ values: [Double]) {
        precondition(values.count == instants.count * layout.channels.count, "a sample lacks a channel")
        (self.signal, self.layout, self.instants, self.values) = (signal, layout, instants, values)
    }

    /// The numbers of a sample.
    package func sample(_ index: Int) -> ArraySlice<Double> {
        values[index * layout.channels.count..<(index + 1) * layout.channels.count]
    }

    /// The block with these channels alone, in this order; `nil` if it lacks one of them.
    package func only(_ names: [String]) -> WaveBlock? {
        let places = names.compactMap { name in layout.channels.firstIndex { $0.name == name } }
        guard places.count == names.count else { return nil }
        return WaveBlock(
            signal, WaveLayout(places.map { layout.channels[$0] }, rate: layout.rate), at: instants,
            instants.indices.flatMap { index in
                places.map { values[index * layout.channels.count + $0] }
            })
    }
}

extension Signal {
    /// The names of a waveform outside of the program, and what a simulated one is like.
    public struct WaveForm: Hashable, Sendable {
        /// The keys in a script's or server's JSON that stand for it, in lower case.
        public let keys: [String]
        /// The types of its streams in the Lab Streaming Layer; the first is the one in exports.
        public let streamTypes: [String]
        /// The names of its channels if the source gives none.
        public let channels: [String]
        /// Samples per second of a simulated source.
        public let simulatedRate: Double
    }

    /// The heart's electrical activity.
    public static let ecg = wave(
        "ecg", "an electrocardiogram, as a waveform", "ECG", unit: "uV", types: ["ECG", "EKG"], at: 130)
    /// Blood volume under the skin.
    public static let ppg = wave(
        "ppg", "a photoplethysmogram, as a waveform", "PPG", types: ["PPG", "BVP"], at: 55)
    /// The movement of the chest.
    public static let breathing = wave(
        "breathing", "a breathing belt, as a waveform", "breathing",
        types: ["RESP", "Respiration", "Breathing"], at: 32)
    /// Electrodermal activity.
    public static let skinConductance = wave(
        "skinConductance", "skin conductance (electrodermal activity)", "skin conductance", unit: "uS",
        types: ["EDA", "GSR"], at: 8)
    /// An accelerometer's axes.
    public static let acceleration = wave(
        "acceleration", "an accelerometer", "acceleration", unit: "[g]", types: ["ACC", "Accelerometer"],
        channels: ["x", "y", "z"], at: 50)
    /// The temperature of the skin.
    public static let skinTemperature = wave(
        "skinTemperature", "the temperature of the skin", "skin temperature", unit: "Cel",
        types: ["TEMP", "Temperature"], at: 1)
    /// Any quantity; a recorder gives its name and its unit.
    public static let quantity = wave(
        "quantity", "any other quantity, with a name and a unit of its own", "quantity", types: ["quantity"],
        at: 1)

    /// All signals of this form, in the order of the study format.
    public static let waves = [
        ecg, ppg, breathing, skinConductance, acceleration, skinTemperature, quantity,
    ]

    /// Files whose samples come faster than this have columns instead of items, samples per second.
    public static let highestItemRate = 10.0

    /// A quantity with its name and unit.
    public static func quantity(named name: Identifier, unit: String?) -> Signal {
        var signal = wave(
            "\(quantity.name).\(name)", quantity.meaning, name.text, unit: unit, types: [name.text],
            channels: [name.text], at: 1)
        signal.quantityName = name
        return signal
    }

    /// What it is called outside of the program; `nil` if it is no waveform.
    public var waveForm: WaveForm? { if case .wave(let form) = form { form } else { nil } }

    private static func wave(
        _ name: String, _ meaning: String, _ quantity: String, unit: String? = nil, types: [String],
        channels: [String]? = nil, at rate: Double
    ) -> Signal {
        let kind = Identifier(String(name.prefix { $0 != "." }))
        return Signal(
            waveNamed: name, meaning: meaning, quantity: quantity, unit: unit,
            form: WaveForm(
                keys: [name.split(separator: ".").last.map { $0.lowercased() } ?? name], streamTypes: types,
                channels: channels ?? [name], simulatedRate: rate), kind: kind)
    }
}

extension Set<Signal> {
    /// The waveforms among them, by name.
    package var waves: [Signal] { filter { $0.waveForm != nil }.sorted { $0.name < $1.name } }
}
