/// A file in European Data Format, of one second a data record.
struct MadeEDF {
    struct Channel {
        var label: String
        var unit: String
        var samples: [Int]
        var perRecord: Int
        /// What the stored limits, -32768 and 32767 (or of 24 bits), stand for.
        var physical: ClosedRange<Int>
    }

    var channels: [Channel]
    var isBioSemi = false
    var recording = "Startdate 12-NOV-2026 X X X"
    var told: Int?
    /// When each data record begins, s; empty for a file without annotations.
    var onsets: [String] = []

    var bytes: [UInt8] {
        let channels = channels + (onsets.isEmpty ? [] : [annotations])
        let count = (channels.map { $0.samples.count / max($0.perRecord, 1) }.max() ?? 0)
        func field(_ text: String, _ width: Int) -> [UInt8] {
            Array(text.utf8.prefix(width)) + [UInt8](repeating: 0x20, count: max(0, width - text.utf8.count))
        }
        func each(_ width: Int, _ text: (Channel) -> String) -> [UInt8] {
            channels.flatMap { field(text($0), width) }
        }
        let limit = isBioSemi ? 8_388_608 : 32_768
        var bytes: [UInt8] = isBioSemi ? [0xFF] + Array("BIOSEMI".utf8) : field("0", 8)
        bytes += field("X X X X", 80) + field(recording, 80) + field("12.11.26", 8) + field("10.00.05", 8)
        bytes += field("\(256 * (channels.count + 1))", 8) + field(isBioSemi ? "24BIT" : "EDF+C", 44)
        bytes += field("\(told ?? count)", 8) + field("1", 8) + field("\(channels.count)", 4)
        bytes += each(16, \.label) + each(80) { _ in "" } + each(8, \.unit)
        bytes += each(8) { "\($0.physical.lowerBound)" } + each(8) { "\($0.physical.upperBound)" }
        bytes += each(8) { _ in "\(-limit)" } + each(8) { _ in "\(limit - 1)" } + each(80) { _ in "" }
        bytes += each(8) { "\($0.perRecord)" } + each(32) { _ in "" }
        for record in 0..<count {
            for channel in channels {
                for index in 0..<channel.perRecord {
                    let value = channel.samples[record * channel.perRecord + index]
                    let low = UInt8(truncatingIfNeeded: value)
                    let middle = UInt8(truncatingIfNeeded: value >> 8)
                    let high = UInt8(truncatingIfNeeded: value >> 16)
                    bytes += isBioSemi ? [low, middle, high] : [low, middle]
                }
            }
        }
        return bytes
    }

    /// The channel with the times of the data records, 16 bytes each.
    private var annotations: Channel {
        let samples = onsets.flatMap { onset in
            let text = Array("+\(onset)".utf8) + [0x14, 0x14, 0]
            let bytes = text + [UInt8](repeating: 0, count: 16 - text.count)
            return stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
        }
        return Self.channel("EDF Annotations", "", samples, perRecord: 8)
    }

    /// A channel whose values are as they are stored.
    static func channel(_ label: String, _ unit: String, _ values: [Int], perRecord: Int = 1) -> Channel {
        Channel(label: label, unit: unit, samples: values, perRecord: perRecord, physical: -32768...32767)
    }
}

/// A file of the Lab Streaming Layer.
struct MadeXDF {
    private(set) var bytes: [UInt8] = Array("XDF:".utf8)

    private static func little<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        stride(from: 0, to: Number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> Number($0)) }
    }

    private mutating func chunk(_ tag: UInt16, _ content: [UInt8]) {
        bytes += [4] + Self.little(UInt32(content.count + 2)) + Self.little(tag) + content
    }

    mutating func stream(
        _ id: UInt32, _ name: String, _ type: String, labels: [(String, String)] = [], rate: Int = 0
    ) {
        let channels = labels.map { "<channel><label>\($0.0)</label><unit>\($0.1)</unit></channel>" }.joined()
        let xml =
            "<?xml version=\"1.0\"?><info><name>\(name)</name><type>\(type)</type><channel_count>"
            + "\(max(labels.count, 1))</channel_count><nominal_srate>\(rate)</nominal_srate><channel_format>double64"
            + "</channel_format><desc><channels>\(channels)</channels></desc></info>"
        chunk(2, Self.little(id) + Array(xml.utf8))
    }

    mutating func samples(_ id: UInt32, _ samples: [(time: Double, values: [Double])]) {
        chunk(
            3,
            Self.little(id) + [1, UInt8(samples.count)]
                + samples.flatMap { sample in
                    [8] + Self.little(sample.time.bitPattern)
                        + sample.values.flatMap { Self.little($0.bitPattern) }
                })
    }

    mutating func offset(_ id: UInt32, at time: Double, _ offset: Double) {
        chunk(4, Self.little(id) + Self.little(time.bitPattern) + Self.little(offset.bitPattern))
    }
}
