import Glibc
import Results
import StudyModel
import TextFormat

/// A record in the WaveForm DataBase format, as PhysioNet stores them: a text header, and beside it the annotations of
/// the beats, or the signals.
///
/// Source: WFDB Applications Guide, header(5), annot(5) and ecgcodes.h.
struct WFDBRecord {
    /// Which file of the record was given.
    enum Part: Hashable {
        case header
        case annotations

        /// - Parameters:
        ///   - beginning: the first bytes of the file.
        ///   - name: its path.
        /// - Returns: `nil` for files of other forms.
        init?(_ beginning: ArraySlice<UInt8>, named name: String) {
            let kind = name.split(separator: ".").last.map(String.init)
            if kind == "hea", !beginning.contains(0) {
                self = .header
            } else if let kind, annotators.contains(kind),
                unsafe beginning.contains(0) || access(stem(of: name) + ".hea", R_OK) == 0
            {
                self = .annotations
            } else {
                return nil
            }
        }
    }

    /// Extensions of annotation files, with those checked by people first.
    private static let annotators = ["atr", "ari", "ecg", "qrs", "gqrs", "wqrs", "man", "beat", "ann"]

    private let part: Part
    /// The path without its extension.
    private let stem: String

    init(_ part: Part, _ name: String) {
        self.part = part
        stem = Self.stem(of: name)
    }

    private static func stem(of name: String) -> String {
        name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    func read(
        _ input: inout RecordedInput, _ guide: RecordingGuide
    ) throws(SourceFailure) -> FoundSignals {
        let name = input.name
        let given = try input.rest(limit: RecordingFile.wholeLimit)
        if guide.values == .ecg {
            let text = part == .header ? given : try Self.bytes(stem + ".hea")
            return try WFDBSignals(text, named: stem + ".hea", guide).read()
        }
        let (text, annotations, source): ([UInt8], [UInt8], String)
        switch part {
        case .annotations: (text, annotations, source) = (try Self.bytes(stem + ".hea"), given, name)
        case .header:
            guard let kind = Self.annotators.first(where: { unsafe access(stem + "." + $0, R_OK) == 0 })
            else {
                let header = try naming(name) { () throws(RecordingProblem) in try WFDBHeader(given) }
                if guide.values != .rates, header.hasSignalFiles(beside: name) {
                    return try WFDBSignals(given, named: name, guide).read()
                }
                throw SourceFailure(
                    "\(quoted(name)): there are no annotations of beats beside it, such as "
                        + "\(quoted(stem + ".atr")): a record is read from them\(header.signalWords)",
                    isBadData: true)
            }
            (text, source) = (given, stem + "." + kind)
            annotations = try Self.bytes(source)
        }
        return try naming(name) { () throws(RecordingProblem) in
            let header = try WFDBHeader(text)
            guard guide.values != .rates else {
                throw RecordingProblem("a record has beats, not heart rates: leave out --as hr")
            }
            return Self.found(annotations, header, source)
        }
    }

    /// The header of a record, and its path, if the header or the annotations were given.
    static func header(
        beside input: inout RecordedInput
    ) throws(SourceFailure) -> (WFDBHeader, path: String) {
        let path = stem(of: input.name) + ".hea"
        let given = try input.rest(limit: RecordingFile.wholeLimit)
        let text = input.name == path ? given : try bytes(path)
        return try naming(path) { () throws(RecordingProblem) in (try WFDBHeader(text), path) }
    }

    private static func bytes(_ path: String) throws(SourceFailure) -> [UInt8] {
        var input = try RecordedInput(path: path)
        return try input.rest(limit: RecordingFile.wholeLimit)
    }

    private static func found(
        _ bytes: [UInt8], _ header: WFDBHeader, _ source: String
    ) -> FoundSignals {
        var reader = WFDBAnnotations(bytes)
        var found = FoundSignals(
            placeName: "annotation",
            assumptions: ["a WFDB record", "beats from \(quoted(source))" + header.signalWords])
        found.isDated = header.start != nil
        let start = header.start ?? 0
        var before: Int?
        while let beat = reader.nextBeat() {
            let rate = reader.samplesPerSecond ?? header.samplesPerSecond
            if let before {
                found.add(
                    interval: Double(beat.sample - before) / rate, at: start + Double(beat.sample) / rate,
                    place: beat.number, hasRatesBeside: false)
            }
            before = beat.sample
        }
        if !reader.isWhole { found.damage = "\(quoted(source)) ends within an annotation" }
        return found
    }
}

/// The text that describes a record.
struct WFDBHeader {
    let samplesPerSecond: Double
    /// Seconds since 1970; `nil` if the date is not given.
    let start: Double?
    /// Such as `; signals: 'MLII' (mV)`.
    let signalWords: String
    let signals: [Signal]
    /// How many frames the signals have; `nil` if the header does not say.
    let frameCount: Int?
    /// Whether the record is put together from others.
    let isOfSegments: Bool

    init(_ bytes: [UInt8]) throws(RecordingProblem) {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).filter {
            !$0.hasPrefix("#")
        }
        let words = lines.first?.split(separator: " ").map(String.init) ?? []
        guard words.count >= 2, Int(words[1]) != nil else {
            throw RecordingProblem("this is not the header of a WFDB record: it has no number of signals")
        }
        // 360/1000(0): the rate, the rate of a counter, and the counter's start.
        let rate = words.count > 2 ? Double(words[2].prefix { $0 != "/" && $0 != "(" }) : 250
        guard let rate, rate > 0, rate.isFinite else {
            throw RecordingProblem("\(quoted(words[2])) is not a number of samples a second")
        }
        samplesPerSecond = rate
        start = Self.start(words)
        frameCount = words.count > 3 ? Int(words[3]).flatMap { $0 > 0 ? $0 : nil } : nil
        isOfSegments = words[0].contains("/")
        signals = isOfSegments ? [] : lines.dropFirst().compactMap { WFDBHeader.Signal(line: String($0)) }
        let names = signals.prefix(12).map { quoted($0.name) }
        signalWords = names.isEmpty ? "" : "; not read: the signals " + names.joined(separator: ", ")
    }

    /// Whether the first file of signals is there.
    func hasSignalFiles(beside path: String) -> Bool {
        guard let file = signals.first?.file else { return false }
        return unsafe access(Self.path(of: file, beside: path), R_OK) == 0
    }

    /// The path of a file in the header's folder.
    static func path(of file: String, beside path: String) -> String {
        path.lastIndex(of: "/").map { path[...$0] + file } ?? file
    }

    private static func start(_ words: [String]) -> Double? {
        guard words.count > 5, case .timeOfDay(let seconds)? = RecordedTime(words[4]) else { return nil }
        let parts = words[5].split(separator: "/")
        guard parts.count == 3, case .instant(let day)? = RecordedTime("\(parts[2])-\(parts[1])-\(parts[0])")
        else {
            return nil
        }
        return day + seconds
    }
}

/// Annotations in MIT format: each two bytes contain a kind of 6 bits and a distance of 10 bits.
private struct WFDBAnnotations {
    private let bytes: [UInt8]
    private var place = 0
    private var sample = 0
    private var number = 0
    /// Set if the annotations give another resolution than the record.
    private(set) var samplesPerSecond: Double?
    private(set) var isWhole = true

    private static let skip = 59
    private static let withoutTime = 60...62
    private static let text = 63
    /// Kinds that mark a beat, according to the WFDB library's `isqrs`.
    private static let beats = Set(1...13).union([25, 30, 34, 35, 38, 41])

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next beat: its sample, and the number of its annotation.
    mutating func nextBeat() -> (sample: Int, number: Int)? {
        while let (kind, distance) = word() {
            if kind == 0, distance == 0 { return nil }
            switch kind {
            case Self.skip:
                guard place + 4 <= bytes.count else {
                    isWhole = false
                    return nil
                }
                // The high half comes first, as on a PDP-11.
                let high = Int(bytes.littleEndian(Int16.self, at: place))
                sample += high << 16 | Int(bytes.littleEndian(UInt16.self, at: place + 2))
                place += 4
            case Self.withoutTime: break
            case Self.text: readText(distance)
            default:
                sample += distance
                number += 1
                if Self.beats.contains(kind) { return (sample, number) }
            }
        }
        return nil
    }

    private mutating func word() -> (kind: Int, distance: Int)? {
        guard place + 2 <= bytes.count else {
            isWhole = false
            return nil
        }
        defer { place += 2 }
        let word = Int(bytes.littleEndian(UInt16.self, at: place))
        return (word >> 10, word & 0x3FF)
    }

    private mutating func readText(_ count: Int) {
        let end = min(place + count, bytes.count)
        let text = String(decoding: bytes[place..<end], as: UTF8.self)
        let mark = "## time resolution: "
        if text.hasPrefix(mark),
            let rate = Double(text.dropFirst(mark.count).prefix { $0 != "\0" && $0 != " " }), rate > 0
        {
            samplesPerSecond = rate
        }
        place += count + count % 2
    }
}
