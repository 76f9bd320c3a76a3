import TextFormat

/// The header of a file in European Data Format, or BioSemi's, which has 24 bits instead of 16.
///
/// Source: Kemp et al. 1992, Electroencephalogr Clin Neurophysiol 82:391; EDF+: Kemp and Olivan 2003, 114:1755;
/// https://www.edfplus.info/specs/
struct EDFHeader {
    struct Signal {
        var label = ""
        var unit = ""
        /// The limits of the stored values, and the limits that they correspond to.
        var stored = 0.0...1.0
        var physical = (low: 0.0, high: 1.0)
        /// Samples in each data record.
        var sampleCount = 0
        /// Bytes from the record's start.
        var offset = 0

        var isAnnotation: Bool { label.hasSuffix(" Annotations") }
    }

    /// Such as `an EDF+ file`.
    let name: String
    /// Bytes of a sample.
    let width: Int
    /// Bytes before the first data record.
    let size: Int
    /// Seconds since 1970; `nil` if the file was anonymised.
    let start: Double?
    /// The number of data records; `nil` if the writer did not know.
    let recordCount: Int?
    /// Seconds.
    let recordDuration: Double
    private(set) var signals: [Signal] = []
    /// Bytes of a data record.
    private(set) var recordSize = 0

    private static let largestRecord = 64 << 20

    /// - Parameter beginning: 256 bytes.
    static func isEDF(_ beginning: [UInt8]) -> Bool {
        guard beginning.count == 256,
            beginning.starts(with: "0       ".utf8) || beginning.starts(with: [0xFF] + Array("BIOSEMI".utf8)),
            let count = Int(text(beginning, 252, 4)), let size = Int(text(beginning, 184, 8))
        else { return false }
        return count > 0 && size == 256 * (count + 1)
    }

    /// - Parameter bytes: the whole header: 256 bytes, and as many for each signal.
    init(_ bytes: [UInt8]) throws(RecordingProblem) {
        let isBioSemi = bytes[0] == 0xFF
        let reserved = Self.text(bytes, 192, 44)
        let kind = isBioSemi ? "BDF" : "EDF"
        name = (isBioSemi ? "a " : "an ") + kind + (reserved.hasPrefix(kind + "+") ? "+" : "") + " file"
        width = isBioSemi ? 3 : 2
        size = bytes.count
        start = Self.start(bytes)
        let count = Int(Self.text(bytes, 236, 8))
        recordCount = count.flatMap { $0 >= 0 ? $0 : nil }
        guard let duration = Self.number(bytes, 244, 8), duration >= 0,
            let signalCount = Int(Self.text(bytes, 252, 4)),
            bytes.count >= 256 * (signalCount + 1)
        else { throw RecordingProblem("the header is damaged: it gives no duration of a data record") }
        recordDuration = duration
        // Each field stands for all signals before the next field. These are the places where fields begin, in
        // bytes for each signal.
        func field(_ start: Int, _ length: Int, _ index: Int) -> Int {
            256 + start * signalCount + length * index
        }
        for index in 0..<signalCount {
            var signal = Signal()
            signal.label = Self.text(bytes, field(0, 16, index), 16)
            signal.unit = Self.text(bytes, field(96, 8, index), 8)
            guard let low = Self.number(bytes, field(104, 8, index), 8),
                let high = Self.number(bytes, field(112, 8, index), 8),
                let storedLow = Self.number(bytes, field(120, 8, index), 8),
                let storedHigh = Self.number(bytes, field(128, 8, index), 8), storedLow < storedHigh,
                let samples = Int(Self.text(bytes, field(216, 8, index), 8)), samples >= 0,
                samples <= Self.largestRecord
            else {
                throw RecordingProblem(
                    "the header is damaged: the channel \(quoted(signal.label)) has no limits")
            }
            signal.physical = (low, high)
            signal.stored = storedLow...storedHigh
            signal.sampleCount = samples
            signal.offset = recordSize
            recordSize += samples * width
            signals.append(signal)
        }
        guard recordSize > 0, recordSize <= Self.largestRecord else {
            throw RecordingProblem("the header is damaged: a data record has \(recordSize) bytes")
        }
    }

    /// The date of EDF+ if there is one, because the older date has only two digits for the year.
    private static func start(_ bytes: [UInt8]) -> Double? {
        let clock = text(bytes, 176, 8).split(separator: ".").compactMap { Double($0) }
        guard clock.count == 3 else { return nil }
        let seconds = clock[0] * 3600 + clock[1] * 60 + clock[2]
        let words = text(bytes, 88, 80).split(separator: " ")
        if words.first == "Startdate", words.count > 1 {
            guard words[1] != "X" else { return nil }
            if case .instant(let day)? = RecordedTime(words[1].prefix(4) + words[1].dropFirst(4).lowercased())
            {
                return day + seconds
            }
        }
        let parts = text(bytes, 168, 8).split(separator: ".").map(String.init)
        guard parts.count == 3, let year = Int(parts[2]), parts != ["01", "01", "85"],
            case .instant(let day)? = RecordedTime(
                "\(year < 85 ? 2000 + year : 1900 + year)-\(parts[1])-\(parts[0])")
        else { return nil }
        return day + seconds
    }

    private static func text(_ bytes: [UInt8], _ start: Int, _ count: Int) -> String {
        let characters = bytes[start..<start + count].map { Character(Unicode.Scalar($0)) }
        let end = characters.lastIndex { $0 != " " && $0 != "\0" }.map { $0 + 1 } ?? 0
        return String(characters[..<end].drop { $0 == " " })
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Double? {
        Double(text(bytes, start, count)).flatMap { $0.isFinite ? $0 : nil }
    }
}
