import Glibc
import StudyModel
import TextFormat

extension WFDBHeader {
    /// How a signal is stored.
    struct Signal: Hashable {
        /// The file with its samples.
        var file: String
        /// The number of the sample format: 212 for pairs of 12 bits in three bytes, 16 for 16 bits, and so on.
        var format: Int
        /// Samples in each frame; all other signals have their own number.
        var perFrame: Int
        /// Bytes of the file before the first sample.
        var offset: Int
        /// Stored units in one physical unit, and the stored value that stands for 0.
        var gain: Double
        var baseline: Double
        var unit: String
        var name: String

        /// - Parameter line: `100.dat 212 200(1024)/mV 11 1024 995 -22131 0 MLII`.
        /// - Returns: `nil` if it names no file and no format.
        init?(line: String) {
            let words = line.split(separator: " ", maxSplits: 8).map(String.init)
            guard words.count > 1, let format = Int(words[1].prefix { $0.isNumber }) else { return nil }
            (file, self.format) = (words[0], format)
            // 16x4:10+24 means four samples a frame, a skew of ten samples, and 24 bytes before them.
            func part(after mark: Character) -> Int? {
                words[1].firstIndex(of: mark).flatMap { index in
                    Int(words[1][words[1].index(after: index)...].prefix { $0.isNumber })
                }
            }
            perFrame = max(1, part(after: "x") ?? 1)
            offset = max(0, part(after: "+") ?? 0)
            let scale = words.count > 2 ? words[2] : "200"
            let told = Double(scale.prefix { $0 != "(" && $0 != "/" }) ?? 200
            gain = told != 0 && told.isFinite ? told : 200
            let zero = words.count > 4 ? Double(words[4]) ?? 0 : 0
            let inBrackets = scale.split(separator: "(").dropFirst().first.flatMap {
                Double($0.prefix { $0 != ")" })
            }
            baseline = inBrackets ?? zero
            unit = scale.split(separator: "/").dropFirst().first.map(String.init) ?? "mV"
            name = words.count > 8 ? words[8] : words[0]
        }

        /// Leads have names of their own; modified ones begin with M.
        var isLead: Bool {
            let plain = RecordingGuide.plain(name)
            let lead = plain.hasPrefix("m") ? String(plain.dropFirst()) : plain
            return Self.leads.contains(lead)
        }

        private static let leads = Set(
            ["i", "ii", "iii", "l1", "l2", "l3", "lii", "li", "liii", "avr", "avl", "avf"]
                + (1...6).map { "v\($0)" } + (1...6).map { "cl\($0)" } + [
                    "v", "cm5", "cs12", "cc5", "d3", "d4",
                ])
    }
}

/// The ECG in the signals of a WFDB record.
///
/// Source: WFDB Applications Guide, header(5) and signal(5).
struct WFDBSignals {
    private let header: WFDBHeader
    private let path: String
    private let choice: SignalChoice
    private let signal: WFDBHeader.Signal

    /// - Parameters:
    ///   - text: the header.
    ///   - path: where the header is.
    init(_ text: [UInt8], named path: String, _ guide: RecordingGuide) throws(SourceFailure) {
        self.path = path
        (header, choice, signal) = try naming(path) { () throws(RecordingProblem) in
            let header = try WFDBHeader(text)
            guard !header.isOfSegments else { throw RecordingProblem(Self.segments) }
            let signals = header.signals.map {
                SignalChoice.Signal(name: $0.name, unit: $0.unit, isLead: $0.isLead)
            }
            let choice = try SignalChoice(
                of: signals, kind: "signal", guide.values == .ecg ? guide : RecordingGuide())
            guard let index = choice.ecg else { throw RecordingProblem("the record has no ECG") }
            let signal = header.signals[index]
            return (header, choice, signal)
        }
    }

    func read() throws(SourceFailure) -> FoundSignals {
        var found = FoundSignals(placeName: "frame", assumptions: ["a WFDB record"] + choice.assumptions)
        found.isDated = header.start != nil
        let rate = header.samplesPerSecond * Double(signal.perFrame)
        var intervals = try naming(path) { () throws(RecordingProblem) in
            try ECGIntervals(rate: rate, channel: signal.name)
        }
        var count = 0
        let start = header.start ?? 0
        let frames = try Self.eachSample(of: signal, header, path) { value, frame in
            intervals.take(value, at: start + Double(count) / rate, place: frame, into: &found)
            count += 1
        }
        intervals.finish(place: frames + 1, into: &found)
        found.damage = header.damage(of: signal, frames)
        return found
    }

    /// Why a record put together from others is refused.
    static let segments = "the record consists of several segments: give the header of one of them"

    /// Passes on the samples of a signal in its unit, each with the number of its frame, from 1. Missing ones are not
    /// finite.
    ///
    /// - Returns: how many whole frames there are.
    static func eachSample(
        of signal: WFDBHeader.Signal, _ header: WFDBHeader, _ path: String, _ take: (Double, Int) -> Void
    ) throws(SourceFailure) -> Int {
        guard WFDBSamples.bytes(of: signal.format) != nil else {
            throw SourceFailure(
                "\(quoted(path)): the signal \(quoted(signal.name)) is stored in format \(signal.format), which is not "
                    + "read: convert the record to format 16 with WFDB's xform", isBadData: true)
        }
        // Signals of one file take turns, frame by frame.
        let together = header.signals.filter { $0.file == signal.file }
        let width = together.reduce(0) { $0 + $1.perFrame }
        let first = together.prefix { $0 != signal }.reduce(0) { $0 + $1.perFrame }
        var input = try RecordedInput(path: WFDBHeader.path(of: signal.file, beside: path))
        _ = try input.next(signal.offset)
        var samples = WFDBSamples(format: signal.format)
        var index = 0
        while true {
            let block = try input.next(WFDBSamples.blockSize)
            guard !block.isEmpty else { break }
            for stored in samples.decode(block) {
                defer { index += 1 }
                let place = index % width
                guard place >= first, place < first + signal.perFrame else { continue }
                take(stored.map { (Double($0) - signal.baseline) / signal.gain } ?? .nan, index / width + 1)
            }
        }
        return index / width
    }
}

extension WFDBHeader {
    /// What is wrong with a file of signals that ends early or late; `nil` if it does not. Packed formats may end with one
    /// sample more.
    func damage(of signal: Signal, _ frames: Int) -> String? {
        guard let told = frameCount, told != frames, told != frames - 1 else { return nil }
        return told > frames
            ? "\(quoted(signal.file)) ends after \(frames) of \(told) frames"
            : "\(quoted(signal.file)) goes on after the \(told) frames that the header says: \(frames) were read"
    }
}

/// The stored values of a file of signals, in its order.
struct WFDBSamples {
    private let format: Int
    private var rest: [UInt8] = []

    /// Bytes that are read at a time: whole groups of every format.
    static let blockSize = 3 << 16

    /// - Parameter format: one for which there are `bytes`.
    init(format: Int) { self.format = format }

    /// Bytes of the smallest group of samples; `nil` for formats that are not read.
    static func bytes(of format: Int) -> Int? {
        switch format {
        case 16: 2
        case 24: 3
        case 32: 4
        case 80: 1
        case 212: 3
        default: nil
        }
    }

    /// The values in the next bytes; `nil` for the smallest possible value, which stands for a missing one.
    mutating func decode(_ block: [UInt8]) -> [Int?] {
        let bytes = rest.isEmpty ? block : rest + block
        let size = Self.bytes(of: format) ?? 1
        let whole = bytes.count / size * size
        rest = Array(bytes[whole...])
        var values: [Int?] = []
        values.reserveCapacity(2 * whole / size)
        for place in stride(from: 0, to: whole, by: size) {
            switch format {
            case 212:
                let middle = Int(bytes[place + 1])
                values.append(Self.valid(Int(bytes[place]) | (middle & 0x0F) << 8, bits: 12))
                values.append(Self.valid(Int(bytes[place + 2]) | (middle & 0xF0) << 4, bits: 12))
            case 80: values.append(Self.valid(Int(bytes[place]) ^ 0x80, bits: 8))
            default:
                let stored = (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
                values.append(Self.valid(stored, bits: 8 * size))
            }
        }
        return values
    }

    /// The value of two's complement; `nil` for the smallest one.
    private static func valid(_ stored: Int, bits: Int) -> Int? {
        let value = stored >= 1 << (bits - 1) ? stored - 1 << bits : stored
        return value == -(1 << (bits - 1)) ? nil : value
    }
}
