import TextFormat

/// A file in European Data Format plus (EDF+C): one sampling rate, 16-bit numbers, and annotations.
///
/// Source: https://www.edfplus.info/specs/edfplus.html
struct EDFFile {
    /// A signal: its numbers are missing where they are not finite.
    struct Channel {
        var label: String
        var unit: String
        var values: [Double]
    }

    /// What happened, seconds since the file's start.
    struct Annotation {
        var onset: Double
        var duration: Double?
        var text: String
    }

    private let channels: [(header: Channel, scale: EDFScale)]
    private let samplesPerRecord: Int
    private let duration: Double
    private let recordCount: Int
    private let lists: [[UInt8]]
    private let listSize: Int
    private let patient: String
    private let recording: String
    private let start: (date: String, time: String)

    /// - Parameters:
    ///   - rate: samples per second.
    ///   - patient: the code.
    ///   - recorder: the name of the recorder.
    ///   - start: RFC 3339 with three decimals.
    init(
        _ channels: [Channel], rate: Double, annotations: [Annotation], patient: String, run: String,
        recorder: String, start: String
    ) {
        let count = channels.map(\.values.count).max() ?? 0
        let perRecord = max(1, Int(rate.rounded()))
        samplesPerRecord = perRecord
        duration = Double(perRecord) / rate
        recordCount = (count + perRecord - 1) / perRecord
        self.channels = channels.map { ($0, EDFScale($0.values)) }
        let fraction = Double(start.dropFirst(19).prefix { $0 == "." || $0.isNumber }) ?? 0
        var lists = (0..<recordCount).map { index in
            Self.timeKeeping(fraction + Double(index) * Double(perRecord) / rate)
        }
        for annotation in annotations where annotation.onset >= 0 {
            let place = min(Int(annotation.onset / duration), recordCount - 1)
            guard lists.indices.contains(place) else { continue }
            lists[place] += Self.list(annotation, shifted: fraction)
        }
        self.lists = lists
        let longest = lists.map(\.count).max() ?? 0
        listSize = max(16, longest + longest % 2)
        let date = start.prefix(10).split(separator: "-").map(String.init)
        let months = [
            "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
        ]
        let month = date.count == 3 ? Int(date[1]) ?? 1 : 1
        let (year, day) = date.count == 3 ? (date[0], date[2]) : ("1985", "01")
        // Two digits stand for 1985 … 2084; the long form beside them has the whole year.
        let isShort = (1985...2084).contains(Int(year) ?? 0)
        self.start = (
            "\(day).\(digits(month, 2)).\(isShort ? String(year.suffix(2)) : "yy")",
            String(start.dropFirst(11).prefix(8)).replacing(":", with: ".")
        )
        self.patient = "\(Self.word(patient)) X X X"
        recording =
            "Startdate \(day)-\(months[min(max(month, 1), 12) - 1])-\(year) \(Self.word(run)) X \(Self.word(recorder)) entrain"
    }

    /// The whole file.
    var bytes: [UInt8] {
        var bytes = header
        bytes.reserveCapacity(
            bytes.count + recordCount * (2 * samplesPerRecord * channels.count + listSize))
        for record in 0..<recordCount {
            for (channel, scale) in channels {
                for place in record * samplesPerRecord..<(record + 1) * samplesPerRecord {
                    let value = place < channel.values.count ? channel.values[place] : .nan
                    let stored = UInt16(bitPattern: scale.stored(value))
                    bytes.append(UInt8(truncatingIfNeeded: stored))
                    bytes.append(UInt8(truncatingIfNeeded: stored >> 8))
                }
            }
            bytes += lists[record] + Array(repeating: 0, count: listSize - lists[record].count)
        }
        return bytes
    }

    /// All text in the file.
    var texts: [UInt8] { header + lists.joined() }

    private var header: [UInt8] {
        let all = channels.map { $0.header.label } + ["EDF Annotations"]
        var text =
            Self.field("0", 8) + Self.field(patient, 80) + Self.field(recording, 80)
            + Self.field(start.date, 8) + Self.field(start.time, 8)
        text +=
            Self.field("\(256 * (all.count + 1))", 8) + Self.field("EDF+C", 44)
            + Self.field("\(recordCount)", 8) + Self.field(EDFScale.short(duration), 8)
            + Self.field("\(all.count)", 4)
        func each(_ width: Int, _ value: (Channel, EDFScale) -> String, last: String) {
            for (channel, scale) in channels { text += Self.field(value(channel, scale), width) }
            text += Self.field(last, width)
        }
        each(16, { channel, _ in channel.label }, last: "EDF Annotations")
        each(80, { _, _ in "" }, last: "")
        each(8, { channel, _ in channel.unit }, last: "")
        each(8, { _, scale in scale.lowText }, last: "-1")
        each(8, { _, scale in scale.highText }, last: "1")
        each(8, { _, _ in "\(EDFScale.lowest)" }, last: "-32768")
        each(8, { _, _ in "32767" }, last: "32767")
        each(80, { _, _ in "" }, last: "")
        each(8, { _, _ in "\(samplesPerRecord)" }, last: "\(listSize / 2)")
        each(32, { _, _ in "" }, last: "")
        return text
    }

    /// When a record begins: seconds since the header's time.
    private static func timeKeeping(_ onset: Double) -> [UInt8] {
        Array("+\(seconds(onset))\u{14}\u{14}\0".utf8)
    }

    private static func list(_ annotation: Annotation, shifted fraction: Double) -> [UInt8] {
        let text = String(annotation.text.filter { $0 >= " " }.prefix(200))
        let duration = annotation.duration.map { "\u{15}\(seconds($0))" } ?? ""
        return Array("+\(seconds(annotation.onset + fraction))\(duration)\u{14}\(text)\u{14}\0".utf8)
    }

    /// At most four decimals, and no exponent.
    private static func seconds(_ value: Double) -> String {
        let units = Int((value * 10_000).rounded())
        return "\(units / 10_000).\(digits(units % 10_000, 4))"
    }

    private static func word(_ text: String) -> String {
        let plain = String(text.map { $0.isASCII && $0 > " " && $0 < "\u{7F}" ? $0 : "_" })
        return plain.isEmpty ? "X" : plain
    }

    /// Printable ASCII, filled up with blanks.
    private static func field(_ text: String, _ width: Int) -> [UInt8] {
        let plain = text.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "_") }.prefix(width)
        return Array(plain) + Array(repeating: UInt8(ascii: " "), count: width - plain.count)
    }
}

/// How numbers become 16 bits. The lowest stored number stands for a missing one.
///
/// If steps of 1, 0.1, 0.01 … are fine enough for all numbers and leave room for them, nothing is lost; otherwise
/// numbers move by half a 65 533rd of their range at most.
struct EDFScale {
    static let lowest = -32_768
    private static let stored = -32_767.0...32_767.0

    let lowText: String
    let highText: String
    private let low: Double
    private let step: Double

    init(_ values: [Double]) {
        let finite = values.filter(\.isFinite)
        let (least, most) = (finite.min() ?? 0, finite.max() ?? 0)
        let exact = [1.0, 10, 100, 1000, 10_000].first { fraction in
            max(abs(least), abs(most)) * fraction <= Self.stored.upperBound
                && finite.allSatisfy {
                    abs(($0 * fraction).rounded() - $0 * fraction) < 1e-6 * max(1, abs($0 * fraction))
                }
        }
        if let exact {
            (lowText, highText) = (Self.short(-32_768 / exact), Self.short(32_767 / exact))
        } else {
            // The bounds that are written are a little wider than the numbers.
            let margin = max((most - least) * 1e-4, abs(most) * 1e-6, abs(least) * 1e-6, 1e-6)
            (lowText, highText) = (Self.short(least - margin), Self.short(most + margin))
        }
        let (bottom, top) = (Double(lowText) ?? 0, Double(highText) ?? 1)
        low = bottom
        step = (top - bottom) / Double(32_767 - Self.lowest)
    }

    func stored(_ value: Double) -> Int16 {
        guard value.isFinite, step > 0 else { return Int16(Self.lowest) }
        let place = ((value - low) / step).rounded() + Double(Self.lowest)
        return Int16(min(max(place, Self.stored.lowerBound), Self.stored.upperBound))
    }

    /// As many digits as fit into eight characters, without an exponent.
    static func short(_ value: Double) -> String {
        var digits = 6
        while digits > 0 {
            let scale = (0..<digits).reduce(1.0) { power, _ in power * 10 }
            let units = (value * scale).rounded()
            if abs(units) < 1e15 {
                let text = plain(Int(units), decimals: digits)
                if text.utf8.count <= 8 { return text }
            }
            digits -= 1
        }
        return String("\(Int(min(max(value.rounded(), -9_999_999), 99_999_999)))".prefix(8))
    }

    private static func plain(_ units: Int, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { power, _ in power * 10 }
        let text = "\(units < 0 ? "-" : "")\(units.magnitude / UInt(scale))"
        var rest = digits(Int(units.magnitude % UInt(scale)), decimals)
        while rest.hasSuffix("0") { rest.removeLast() }
        return rest.isEmpty ? text : "\(text).\(rest)"
    }
}
