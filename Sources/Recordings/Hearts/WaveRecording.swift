package import StudyModel
import TextFormat

/// Waveforms that were recorded elsewhere.
package struct WaveRecording: Sendable {
    /// One waveform.
    package struct Wave: Sendable {
        package var signal: Signal
        package var layout: WaveLayout
        /// When each sample was taken, in order; seconds since 1970 if the recording has dates, otherwise on its own
        /// clock.
        package var times: [Double]
        /// The numbers, sample by sample, each with one for every channel; one that is missing is not finite.
        package var values: [Double]
    }

    /// At least one; each has samples.
    package let waves: [Wave]
    /// How the file was understood, in words.
    package let assumptions: [String]
    /// Where the file is damaged, if it is. Everything before that place was read.
    package let damage: String?

    /// Reads a file; `-` is standard input.
    ///
    /// - Throws: `SourceFailure`, which blames the data unless the file cannot be read at all.
    package init(contentsOf path: String, _ wanted: WantedWaves) throws(SourceFailure) {
        try self.init(RecordedInput(path: path), wanted)
    }

    /// Reads the bytes of a file, named `name` in messages.
    package init(reading bytes: [UInt8], named name: String, _ wanted: WantedWaves) throws(SourceFailure) {
        try self.init(RecordedInput(bytes: bytes, name: name), wanted)
    }

    private init(_ input: consuming RecordedInput, _ wanted: WantedWaves) throws(SourceFailure) {
        let beginning = try input.beginning(1 << 16)
        switch BinaryRecording(beginning, named: input.name) {
        case .edf: self = try EDFRecording.waves(in: &input, wanted)
        case .xdf: self = try XDFRecording.waves(in: &input, wanted)
        case .wfdb: self = try WFDBRecord.waves(in: &input, wanted)
        case nil: self = try TableRecording.waves(in: &input, wanted)
        }
    }

    /// - Parameters:
    ///   - times: for each track its times.
    ///   - columns: the numbers of each channel that was chosen.
    /// - Throws: if a waveform has no samples.
    init(
        _ choice: WaveChoice, times: [Int: [Double]], columns: [Int: [Double]], assumptions: [String],
        damage: String?
    ) throws(RecordingProblem) {
        (self.assumptions, self.damage) = (assumptions, damage)
        var waves: [Wave] = []
        for part in choice.parts {
            let channel = choice.channels[part.channels[0]]
            let moments = times[channel.track, default: []]
            let numbers = part.channels.map { columns[$0, default: []] }
            guard !moments.isEmpty else {
                throw RecordingProblem(damage ?? "the \(part.signal.quantity) has no samples")
            }
            let layout = WaveLayout(
                zip(part.channels, part.names).map { index, name in
                    let unit = choice.channels[index].unit
                    return WaveLayout.Channel(
                        name,
                        unit: unit.isEmpty ? part.signal.quantityName.flatMap { _ in part.signal.unit } : unit
                    )
                }, rate: channel.rate)
            var values: [Double] = []
            values.reserveCapacity(moments.count * numbers.count)
            let order = Self.order(of: moments)
            for index in order { for column in numbers { values.append(column[index]) } }
            waves.append(
                Wave(signal: part.signal, layout: layout, times: order.map { moments[$0] }, values: values))
        }
        self.waves = waves
    }

    /// The places of the moments in order of time.
    private static func order(of moments: [Double]) -> [Int] {
        let isOrdered = zip(moments.dropFirst(), moments).allSatisfy { $0 >= $1 }
        return isOrdered
            ? Array(moments.indices)
            : moments.indices.sorted { (moments[$0], $0) < (moments[$1], $1) }
    }
}

extension EDFRecording {
    fileprivate static func waves(
        in input: inout RecordedInput, _ wanted: WantedWaves
    ) throws(SourceFailure) -> WaveRecording {
        let name = input.name
        let header = try EDFHeader(reading: &input)
        let channels = header.signals.map { signal in
            WaveChannel(
                name: signal.label, unit: signal.unit, track: signal.sampleCount,
                rate: header.perSecond(signal))
        }
        let able = channels.indices.filter { !header.signals[$0].isAnnotation && channels[$0].track > 0 }
        let choice = try naming(name) { () throws(RecordingProblem) in
            try WaveChoice(wanted, of: able.map { channels[$0] })
        }
        var times: [Int: [Double]] = [:]
        var columns: [Int: [Double]] = [:]
        var known: Set<Int> = []
        let damage = try header.eachRecord(of: &input) { record, index in
            let onset =
                (header.start ?? 0) + (header.onset(in: record) ?? Double(index) * header.recordDuration)
            known = []
            for (place, index) in able.enumerated() where choice.contains(place) {
                let signal = header.signals[index]
                for sample in 0..<signal.sampleCount {
                    columns[place, default: []].append(header.value(sample, of: signal, in: record))
                }
                guard known.insert(signal.sampleCount).inserted else { continue }
                let step = header.recordDuration / Double(signal.sampleCount)
                for sample in 0..<signal.sampleCount {
                    times[signal.sampleCount, default: []].append(onset + Double(sample) * step)
                }
            }
        }
        return try naming(name) { () throws(RecordingProblem) in
            try WaveRecording(
                choice, times: times, columns: columns, assumptions: [header.name] + choice.assumptions(),
                damage: damage)
        }
    }
}

extension XDFRecording {
    fileprivate static func waves(
        in input: inout RecordedInput, _ wanted: WantedWaves
    ) throws(SourceFailure) -> WaveRecording {
        let name = input.name
        let recording = try streams(of: &input) { stream in
            wanted.signals.contains { signal in
                stream.waveChannels(track: 0).contains { channel in
                    channel.isPart(of: signal)
                        || wanted.named[signal, default: []].contains {
                            RecordingGuide.plain($0) == RecordingGuide.plain(channel.name)
                        }
                }
            }
        }
        let streams = recording.inOrder.filter { $0.isNumeric && $0.hasSamples }
        let places = streams.indices.flatMap { stream in
            streams[stream].channels.indices.map { (stream: stream, channel: $0) }
        }
        return try naming(name) { () throws(RecordingProblem) in
            if streams.isEmpty, let damage = recording.damage { throw RecordingProblem(damage) }
            let choice = try WaveChoice(
                wanted, of: streams.enumerated().flatMap { $0.element.waveChannels(track: $0.offset) })
            var times: [Int: [Double]] = [:]
            var columns: [Int: [Double]] = [:]
            var words: [String] = []
            for (index, stream) in streams.enumerated() {
                let chosen = places.indices.filter { places[$0].stream == index && choice.contains($0) }
                guard !chosen.isEmpty else { continue }
                let (samples, clock) = try stream.corrected()
                words += clock
                times[index] = samples.map(\.time)
                for place in chosen { columns[place] = samples.map { $0.values[places[place].channel] } }
            }
            return try WaveRecording(
                choice, times: times, columns: columns,
                assumptions: ["an XDF file"] + choice.assumptions() + words,
                damage: recording.damage)
        }
    }
}

extension XDFStream {
    /// Its channels as those of waveforms.
    fileprivate func waveChannels(track: Int) -> [WaveChannel] {
        channels.map { channel in
            WaveChannel(
                name: channel.label.isEmpty && channels.count == 1 ? name : channel.label, unit: channel.unit,
                indications: [type], track: track, rate: rate > 0 ? rate : nil)
        }
    }
}

extension WFDBRecord {
    fileprivate static func waves(
        in input: inout RecordedInput, _ wanted: WantedWaves
    ) throws(SourceFailure) -> WaveRecording {
        let (header, path) = try self.header(beside: &input)
        let channels = header.signals.map { signal in
            WaveChannel(
                name: signal.name, unit: signal.unit, isLead: signal.isLead, track: signal.perFrame,
                rate: header.samplesPerSecond * Double(signal.perFrame))
        }
        let choice = try naming(path) { () throws(RecordingProblem) in
            guard !header.isOfSegments else { throw RecordingProblem(WFDBSignals.segments) }
            return try WaveChoice(wanted, of: channels, kind: "signal")
        }
        var columns: [Int: [Double]] = [:]
        var counts: [Int: Int] = [:]
        var damage: String?
        for index in channels.indices where choice.contains(index) {
            let signal = header.signals[index]
            var values: [Double] = []
            let frames = try WFDBSignals.eachSample(of: signal, header, path) { value, _ in
                values.append(value)
            }
            damage = damage ?? header.damage(of: signal, frames)
            counts[signal.perFrame] = min(counts[signal.perFrame] ?? values.count, values.count)
            columns[index] = values
        }
        let times = Dictionary(
            uniqueKeysWithValues: counts.map { perFrame, count in
                let rate = header.samplesPerSecond * Double(perFrame)
                return (perFrame, (0..<count).map { (header.start ?? 0) + Double($0) / rate })
            })
        return try naming(path) { () throws(RecordingProblem) in
            try WaveRecording(
                choice, times: times, columns: columns,
                assumptions: ["a WFDB record"] + choice.assumptions("signal"), damage: damage)
        }
    }
}
