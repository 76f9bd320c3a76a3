package import StudyModel
import TextFormat

/// Which waveforms are wanted of a recording.
package struct WantedWaves: Hashable, Sendable {
    /// For each signal the channels that recorders name.
    private(set) var named: [Signal: [String]] = [:]
    /// Signals of which some recorder keeps every channel.
    private(set) var whole: Set<Signal> = []

    /// - Parameter recorders: those of other signals than waveforms do not count.
    package init(_ recorders: [RecorderConfiguration]) {
        for recorder in recorders where recorder.signal.waveForm != nil {
            if recorder.channels.isEmpty { whole.insert(recorder.signal) }
            named[recorder.signal, default: []] += recorder.channels
        }
    }

    package var isEmpty: Bool { named.isEmpty }

    /// By name.
    var signals: [Signal] { named.keys.sorted { $0.name < $1.name } }
}

/// A channel of a waveform as its file describes it.
struct WaveChannel {
    var name: String
    /// Empty if the file gives none.
    var unit = ""
    /// Other words for what it is, such as its stream's type.
    var indications: [String] = []
    /// Whether only leads have such a name in files of this form.
    var isLead = false
    /// Channels of one track have the same times.
    var track: Int
    /// Samples per second as the file states it; `nil` if it states none.
    var rate: Double?

    var description: String { quoted(name) + (unit.isEmpty ? "" : " (\(printable(unit)))") }

    /// Whether its names and its unit say that it is part of a signal.
    func isPart(of signal: Signal) -> Bool {
        let types = signal.waveForm?.streamTypes.map(RecordingGuide.plain) ?? []
        if indications.contains(where: { types.contains(RecordingGuide.plain($0)) }) { return true }
        if let own = signal.quantityName {
            return RecordingGuide.plain(name) == RecordingGuide.plain(own.text)
        }
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        switch signal {
        case .ecg:
            let isNamed = isLead || words.contains(where: SignalChoice.isNamedECG)
            return isNamed && (unit.isEmpty || SignalChoice.isVoltage(unit))
        case .acceleration:
            return words.contains { ["acc", "accx", "accy", "accz"].contains($0) || $0.hasPrefix("accel") }
                || ["x", "y", "z"].contains(name.lowercased())
        case .breathing where ColumnName.isPerMinute(unit) || words.contains("rate"): return false
        case _:
            let own = Self.words[signal, default: []]
            return RecordingGuide.plain(name).hasPrefix(RecordingGuide.plain(signal.name))
                || words.contains { word in own.contains { word.hasPrefix($0) } }
        }
    }

    /// How words begin that stand for a signal.
    private static let words: [Signal: [String]] = [
        .ppg: ["ppg", "bvp", "pleth", "photopleth"],
        .breathing: ["resp", "breath", "thora", "abdo"],
        .skinConductance: ["eda", "gsr", "electrodermal"],
        .skinTemperature: ["temp"],
    ]
}

/// Chooses the channels of a recording that are the wanted waveforms.
struct WaveChoice {
    struct Part {
        var signal: Signal
        /// Indices of its channels.
        var channels: [Int]
        /// Their names, as recorders write them.
        var names: [String]
    }

    private(set) var parts: [Part] = []
    let channels: [WaveChannel]

    /// - Parameter kind: the word for a channel.
    /// - Throws: if a waveform is not in the recording, or its channels have different times.
    init(
        _ wanted: WantedWaves, of channels: [WaveChannel], kind: String = "channel"
    ) throws(RecordingProblem) {
        self.channels = channels
        for signal in wanted.signals {
            var part = Part(signal: signal, channels: [], names: [])
            if wanted.whole.contains(signal) {
                part.channels = channels.indices.filter { channels[$0].isPart(of: signal) }
                part.names = part.channels.map { channels[$0].name }
                guard !part.channels.isEmpty else {
                    throw RecordingProblem(
                        "no \(kind) says that it is the \(signal.quantity): \(Self.list(channels)). If one is, name it in the "
                            + "study, as in 'channels: [NAME]'")
                }
            }
            for name in wanted.named[signal, default: []] where !part.names.contains(name) {
                let index = try Self.index(of: name, signal, in: channels, kind)
                if let place = part.channels.firstIndex(of: index) {
                    part.names[place] = name
                } else {
                    part.channels.append(index)
                    part.names.append(name)
                }
            }
            guard Set(part.channels.map { channels[$0].track }).count == 1 else {
                let names = part.channels.map { channels[$0].description }.joined(separator: ", ")
                throw RecordingProblem(
                    "the \(kind)s of the \(signal.quantity) have times of their own each: \(names). Choose those that belong "
                        + "together, as in 'channels: [NAME]'")
            }
            parts.append(part)
        }
    }

    /// Whether a channel is wanted.
    func contains(_ channel: Int) -> Bool { parts.contains { $0.channels.contains(channel) } }

    /// What was chosen, in words.
    func assumptions(_ kind: String = "channel") -> [String] {
        parts.map { part in
            let names = part.channels.map { channels[$0].description }.joined(separator: ", ")
            return "\(part.signal.quantity) from the \(kind)\(part.channels.count > 1 ? "s" : "") \(names)"
        }
    }

    private static func index(
        of name: String, _ signal: Signal, in channels: [WaveChannel], _ kind: String
    ) throws(RecordingProblem) -> Int {
        let plain = RecordingGuide.plain(name)
        let same = channels.indices.filter { channels[$0].name == name }
        let like = channels.indices.filter { RecordingGuide.plain(channels[$0].name) == plain }
        let found = same.isEmpty ? like : same
        let own = found.filter { channels[$0].isPart(of: signal) }
        guard let first = own.count == 1 ? own.first : found.first else {
            throw RecordingProblem("there is no \(kind) \(quoted(name)), only \(list(channels))")
        }
        guard own.count == 1 || found.count == 1 else {
            throw RecordingProblem("several \(kind)s are called \(quoted(name)): \(list(channels))")
        }
        return first
    }

    private static func list(_ channels: [WaveChannel]) -> String {
        let names = channels.prefix(12).map(\.description).joined(separator: ", ")
        return names.isEmpty ? "there is none" : names + (channels.count > 12 ? " and others" : "")
    }
}
