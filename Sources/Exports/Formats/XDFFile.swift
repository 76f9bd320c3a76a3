import Datasets
import Results
import StudyModel
import TextFormat

/// A file in the Lab Streaming Layer's format XDF 1.0, chunk by chunk.
///
/// Source: https://github.com/sccn/xdf/wiki/Specifications
struct XDFFile {
    private(set) var bytes: [UInt8] = Array("XDF:".utf8)
    /// All text in the file.
    private(set) var texts: [UInt8] = []

    /// Values of one stream with their times.
    enum Values {
        case numbers([(time: Double, value: Double)])
        case texts([(time: Double, value: String)])

        var times: [Double] {
            switch self {
            case .numbers(let samples): samples.map(\.time)
            case .texts(let samples): samples.map(\.time)
            }
        }
    }

    private enum Tag: UInt16 {
        case fileHeader = 1
        case streamHeader, samples, clockOffset, boundary, streamFooter
    }

    /// - Parameter datetime: when the run began.
    init(datetime: String) {
        appendChunk(
            .fileHeader, xml("<version>1.0</version><datetime>\(XMLText.escaped(datetime))</datetime>"))
    }

    private var streams: UInt32 = 0

    /// Appends a stream with one channel and irregular times, seconds.
    mutating func append(
        _ values: Values, name: String, type: String, unit: String?, source: String?, description: String
    ) {
        streams += 1
        let format = if case .numbers = values { "double64" } else { "string" }
        let unit = unit.map { "<unit>\($0)</unit>" } ?? ""
        let identity = "entrain-\(name)" + (source.map { "-\(XMLText.escaped($0))" } ?? "")
        let source = source.map { "<source>\(XMLText.escaped($0))</source>" } ?? ""
        let header = xml(
            "<name>\(name)</name><type>\(type)</type><channel_count>1</channel_count><nominal_srate>0</nominal_srate>"
                + "<channel_format>\(format)</channel_format><source_id>\(identity)</source_id>"
                + "<desc><channels><channel><label>\(name)</label>\(unit)<type>\(type)</type></channel></channels>"
                + "\(description)\(source)</desc>")
        let id = Self.littleEndian(streams)
        appendChunk(.streamHeader, id + header)
        let times = values.times
        // The stream's clock is that of the run, so there is nothing to add.
        appendClockOffset(id, at: times.first ?? 0)
        if !times.isEmpty { appendChunk(.samples, id + Self.length(times.count) + samples(values)) }
        appendClockOffset(id, at: times.last ?? 0)
        let footer = xml(
            "<first_timestamp>\(times.first ?? 0)</first_timestamp><last_timestamp>\(times.last ?? 0)</last_timestamp>"
                + "<sample_count>\(times.count)</sample_count><clock_offsets></clock_offsets>")
        appendChunk(.streamFooter, id + footer)
    }

    /// Appends a waveform as a stream with all its channels.
    mutating func append(_ series: WaveSeries, later: Double, description: String) {
        streams += 1
        let layout = series.waves.layout
        let type = XMLText.escaped(series.signal.streamType)
        let channels = layout.channels.map { channel in
            "<channel><label>\(XMLText.escaped(channel.name))</label>"
                + (channel.unit.map { "<unit>\(XMLText.escaped($0))</unit>" } ?? "")
                + "<type>\(type)</type></channel>"
        }
        let header = xml(
            "<name>\(series.label)</name><type>\(type)</type><channel_count>\(layout.channels.count)</channel_count>"
                + "<nominal_srate>\(layout.rate ?? 0)</nominal_srate><channel_format>double64</channel_format>"
                + "<source_id>entrain-wave-\(series.label)</source_id>"
                + "<desc><channels>\(channels.joined())</channels>\(description)"
                + "<recorder>\(XMLText.escaped(series.recording.recorder))</recorder></desc>")
        let id = Self.littleEndian(streams)
        appendChunk(.streamHeader, id + header)
        let times = series.waves.offsets.map { $0 + later }
        let (first, last) = (times.first ?? 0, times.last ?? 0)
        appendClockOffset(id, at: first)
        var samples = id + Self.length(times.count)
        samples.reserveCapacity(samples.count + times.count * (9 + 8 * layout.channels.count))
        for (index, time) in times.enumerated() {
            samples.append(8)
            samples += Self.littleEndian(time)
            for numbers in series.waves.values { samples += Self.littleEndian(numbers[index]) }
        }
        if !times.isEmpty { appendChunk(.samples, samples) }
        appendClockOffset(id, at: last)
        appendChunk(
            .streamFooter,
            id
                + xml(
                    "<first_timestamp>\(first)</first_timestamp><last_timestamp>\(last)</last_timestamp>"
                        + "<sample_count>\(times.count)</sample_count><clock_offsets></clock_offsets>"))
    }

    private mutating func samples(_ values: Values) -> [UInt8] {
        switch values {
        case .numbers(let samples):
            return samples.flatMap { [8] + Self.littleEndian($0.time) + Self.littleEndian($0.value) }
        case .texts(let samples):
            for sample in samples { texts += Array(sample.value.utf8) }
            return samples.flatMap { sample in
                [8] + Self.littleEndian(sample.time) + Self.length(sample.value.utf8.count)
                    + sample.value.utf8
            }
        }
    }

    private mutating func appendClockOffset(_ id: [UInt8], at time: Double) {
        appendChunk(.clockOffset, id + Self.littleEndian(time) + Self.littleEndian(0.0))
    }

    private mutating func xml(_ content: String) -> [UInt8] {
        let text = Array("<?xml version=\"1.0\"?><info>\(content)</info>".utf8)
        texts += text
        return text
    }

    private mutating func appendChunk(_ tag: Tag, _ content: [UInt8]) {
        bytes += Self.length(content.count + 2) + Self.littleEndian(tag.rawValue) + content
    }

    /// The number of bytes of the length, and the length.
    private static func length(_ count: Int) -> [UInt8] {
        count < 256 ? [1, UInt8(count)] : [4] + littleEndian(UInt32(count))
    }

    private static func littleEndian(_ value: Double) -> [UInt8] { littleEndian(value.bitPattern) }

    private static func littleEndian<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        stride(from: 0, to: Number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> Number($0)) }
    }
}
