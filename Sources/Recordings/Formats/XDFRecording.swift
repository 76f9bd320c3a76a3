import StudyModel
import TextFormat

/// The heart's streams in a file of the Lab Streaming Layer, read one chunk at a time.
///
/// Source: https://github.com/sccn/xdf/wiki/Specifications
struct XDFRecording {
    private var streams: [UInt32: XDFStream] = [:]
    /// Streams in the file's order.
    private var order: [UInt32] = []
    private(set) var damage: String?
    /// Whether the samples of a stream must be kept.
    private let isWanted: (XDFStream) -> Bool

    /// Streams in the file's order.
    var inOrder: [XDFStream] { order.compactMap { streams[$0] } }

    private init(_ isWanted: @escaping (XDFStream) -> Bool) { self.isWanted = isWanted }

    private static let largestChunk = 256 << 20

    static func read(
        _ input: inout RecordedInput, _ guide: RecordingGuide
    ) throws(SourceFailure) -> FoundSignals {
        let recording = try streams(of: &input) { stream in
            stream.channels.indices.contains {
                SignalChoice.mayBeMeant(stream.signal($0), guide, isAlone: stream.channels.count == 1)
            }
        }
        return try naming(input.name) { () throws(RecordingProblem) in try recording.found(guide) }
    }

    /// Reads the whole file.
    ///
    /// - Parameter isWanted: whether the samples of a stream are kept.
    static func streams(
        of input: inout RecordedInput, keeping isWanted: @escaping (XDFStream) -> Bool
    ) throws(SourceFailure) -> XDFRecording {
        var recording = XDFRecording(isWanted)
        _ = try input.next(4)
        var chunks = 0
        while recording.damage == nil, let chunk = try recording.nextChunk(&input) {
            chunks += 1
            recording.take(chunk, number: chunks)
        }
        return recording
    }

    /// A chunk, after its length; `nil` at the end.
    private mutating func nextChunk(_ input: inout RecordedInput) throws(SourceFailure) -> [UInt8]? {
        guard let width = try input.next(1).first else { return nil }
        guard [1, 4, 8].contains(width) else {
            damage = "a chunk's length has \(width) bytes: the file is broken there"
            return nil
        }
        let bytes = try input.next(Int(width))
        guard bytes.count == Int(width) else {
            damage = "the file ends within a chunk"
            return nil
        }
        let length = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length >= 2, length <= UInt64(Self.largestChunk) else {
            damage = "a chunk says that it has \(length) bytes: the file is broken there"
            return nil
        }
        let chunk = try input.next(Int(length))
        guard chunk.count == Int(length) else {
            damage = "the file ends within a chunk"
            return nil
        }
        return chunk
    }

    private mutating func take(_ chunk: [UInt8], number: Int) {
        let tag = chunk.littleEndian(UInt16.self, at: 0)
        guard (2...4).contains(tag) else { return }
        guard chunk.count >= 6 else { return damage = "chunk \(number) is too short" }
        let id = chunk.littleEndian(UInt32.self, at: 2)
        switch tag {
        case 2:
            guard let stream = XDFStream(header: Array(chunk[6...]), keeping: isWanted) else {
                return damage = "the description of a stream in chunk \(number) cannot be read"
            }
            if streams[id] == nil { order.append(id) }
            streams[id] = stream
        case 3:
            if streams[id]?.readSamples(chunk, from: 6, chunk: number) == false {
                damage = "the samples in chunk \(number) are broken"
            }
        default:
            guard chunk.count >= 22 else { return damage = "chunk \(number) is too short" }
            streams[id]?.offsets.append(
                (
                    Double(bitPattern: chunk.littleEndian(UInt64.self, at: 6)),
                    Double(bitPattern: chunk.littleEndian(UInt64.self, at: 14))
                ))
        }
    }

    private func found(_ guide: RecordingGuide) throws(RecordingProblem) -> FoundSignals {
        // Each channel of each stream may be a heart's. Streams without samples are not.
        var channels: [(stream: XDFStream, channel: Int)] = []
        for stream in inOrder where stream.hasSamples || !stream.isNumeric {
            for channel in stream.channels.indices { channels.append((stream, channel)) }
        }
        if channels.isEmpty, let damage { throw RecordingProblem(damage) }
        let choice = try SignalChoice(
            of: channels.map { $0.stream.signal($0.channel) }, kind: "stream", guide)
        var found = FoundSignals(placeName: "chunk", assumptions: ["an XDF file"] + choice.assumptions)
        found.damage = damage
        if let rate = choice.rate {
            let (stream, channel) = channels[rate]
            for sample in try stream.times(into: &found) {
                found.add(rate: sample.values[channel], at: sample.time, place: sample.chunk)
            }
        }
        if let index = choice.intervals {
            let (stream, channel) = channels[index]
            let samples = try stream.times(into: &found)
            let usual = samples.map { $0.values[channel] }.sorted().dropFirst(samples.count / 2).first ?? 0
            let scale = SignalChoice.secondsPer(unit: stream.channels[channel].unit, usual: usual)
            for sample in samples {
                found.add(
                    interval: sample.values[channel] * scale, at: sample.time, place: sample.chunk,
                    hasRatesBeside: choice.rate != nil)
            }
        }
        if let ecg = choice.ecg {
            let (stream, channel) = channels[ecg]
            try stream.takeECG(channel, named: stream.signal(channel).name, into: &found)
        }
        return found
    }
}

/// One stream of an XDF file.
struct XDFStream {
    struct Sample {
        /// Seconds on the sender's clock.
        var time: Double
        /// One value for each channel.
        var values: [Double]
        var chunk: Int
    }

    private enum Format: String {
        case float32, double64, int8, int16, int32, int64, string

        /// Bytes of a value; `nil` for text.
        var width: Int? {
            switch self {
            case .float32, .int32: 4
            case .double64, .int64: 8
            case .int8: 1
            case .int16: 2
            case .string: nil
            }
        }
    }

    let name: String
    let type: String
    private let format: Format
    /// Samples per second; 0 if they come irregularly.
    let rate: Double
    private(set) var channels: [(label: String, unit: String)]
    /// The samples of a stream that may be a heart's. Other streams may have gigabytes.
    private(set) var samples: [Sample] = []
    private(set) var hasSamples = false
    private var isWanted = false
    /// Comparisons of the clocks: the moment on the sender's clock, and what has to be added to it; seconds.
    var offsets: [(time: Double, offset: Double)] = []

    var isNumeric: Bool { format.width != nil }

    /// - Parameters:
    ///   - header: XML.
    ///   - isWanted: whether the samples of a stream are kept.
    init?(header: [UInt8], keeping isWanted: (XDFStream) -> Bool) {
        let xml = String(decoding: header, as: UTF8.self)
        guard let count = Int(Self.element("channel_count", in: xml) ?? ""), (1...100_000).contains(count),
            let format = Format(rawValue: Self.element("channel_format", in: xml) ?? "")
        else { return nil }
        self.format = format
        name = Self.element("name", in: xml) ?? ""
        type = Self.element("type", in: xml) ?? ""
        rate = Double(Self.element("nominal_srate", in: xml) ?? "") ?? 0
        let told = Self.elements("channel", in: xml).map {
            (label: Self.element("label", in: $0) ?? "", unit: Self.element("unit", in: $0) ?? "")
        }
        channels = (0..<count).map { $0 < told.count ? told[$0] : ("", "") }
        self.isWanted = isWanted(self)
    }

    func signal(_ channel: Int) -> SignalChoice.Signal {
        let label = channels[channel].label
        // The stream's own name and type describe only a single channel.
        return SignalChoice.Signal(
            name: channels.count == 1 || label.isEmpty ? name : name + "/" + label,
            unit: channels[channel].unit == "normalized" ? "" : channels[channel].unit,
            otherNames: channels.count == 1 ? [label, type] : [label], isNumeric: isNumeric)
    }

    /// - Returns: `false` if the bytes are not such samples.
    mutating func readSamples(_ chunk: [UInt8], from start: Int, chunk index: Int) -> Bool {
        hasSamples = true
        guard let width = format.width, isWanted else { return true }
        var place = start
        func number(_ width: Int) -> Int? {
            guard place + width <= chunk.count else { return nil }
            defer { place += width }
            return width == 1
                ? Int(chunk[place])
                : width == 4
                    ? Int(chunk.littleEndian(UInt32.self, at: place))
                    : Int(exactly: chunk.littleEndian(UInt64.self, at: place))
        }
        guard let countWidth = number(1), [1, 4, 8].contains(countWidth), let count = number(countWidth)
        else {
            return false
        }
        for _ in 0..<count {
            guard let stamp = number(1) else { return false }
            var time = (samples.last?.time ?? 0) + (rate > 0 ? 1 / rate : 0)
            if stamp == 8 {
                guard place + 8 <= chunk.count else { return false }
                time = Double(bitPattern: chunk.littleEndian(UInt64.self, at: place))
                place += 8
            }
            guard place + width * channels.count <= chunk.count, time.isFinite else { return false }
            let values = channels.indices.map { value(in: chunk, at: place + width * $0) }
            place += width * channels.count
            samples.append(Sample(time: time, values: values, chunk: index))
        }
        return true
    }

    private func value(in chunk: [UInt8], at place: Int) -> Double {
        switch format {
        case .float32: Double(Float(bitPattern: chunk.littleEndian(UInt32.self, at: place)))
        case .double64: Double(bitPattern: chunk.littleEndian(UInt64.self, at: place))
        case .int8: Double(Int8(bitPattern: chunk[place]))
        case .int16: Double(chunk.littleEndian(Int16.self, at: place))
        case .int32: Double(chunk.littleEndian(Int32.self, at: place))
        case .int64: Double(chunk.littleEndian(Int64.self, at: place))
        case .string: .nan
        }
    }

    /// The text between the first `<name>` and its end tag, with the five entities of XML resolved.
    private static func element(_ name: String, in xml: String) -> String? {
        elements(name, in: xml).first.map { text in
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")].reduce(text) {
                $0.replacing($1.0, with: $1.1)
            }
        }
    }

    private static func elements(_ name: String, in xml: String) -> [String] {
        xml.split(separator: "<\(name)>", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.firstRange(of: "</\(name)>").map { String(part[..<$0.lowerBound]) }
        }
    }
}
