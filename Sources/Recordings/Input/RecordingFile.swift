import StudyModel
import TextFormat

/// Reads a recording of any known form.
///
/// Known forms are EDF, BDF, XDF, the beats of a WFDB record, CSV with `,` `;` or tab between the cells, lists of numbers, JSON with one object a line or as a
/// whole, Apple Health's `export.xml`, TCX, GPX, FIT and Polar's `.hrm`; that covers the exports of Garmin, Polar,
/// Fitbit, Empatica and Entrain's own logs. Everything but JSON as a whole, FIT and `.hrm` is read a block at a time.
struct RecordingFile: ~Copyable {
    /// The largest FIT file, table or JSON document that is read as a whole, bytes.
    static let wholeLimit = 64 << 20
    /// Bytes of a table that are in memory at a time.
    static let blockSize = 2 << 20

    private var input: RecordedInput
    /// What the user says about a table.
    private let guide: RecordingGuide

    /// The file's name, for messages.
    var name: String { input.name }

    /// - Parameters:
    ///   - path: a file; `-` is standard input.
    ///   - guide: what the user says about it, if it is a table.
    init(path: String, _ guide: RecordingGuide = RecordingGuide()) throws(SourceFailure) {
        input = try RecordedInput(path: path)
        self.guide = guide
    }

    /// - Parameter input: the input, from which nothing has been taken.
    init(_ input: consuming RecordedInput, _ guide: RecordingGuide) {
        self.input = input
        self.guide = guide
    }

    init(bytes: [UInt8], name: String, _ guide: RecordingGuide = RecordingGuide()) {
        input = RecordedInput(bytes: bytes, name: name)
        self.guide = guide
    }

    /// Passes every reading to `sink`, in the file's order, and returns how the file was understood.
    ///
    /// - Throws: `SourceFailure` about the data, with the line and what to do, unless the file cannot be read at
    ///   all.
    consuming func read(
        into sink: (RecordedReading) -> Void
    ) throws(SourceFailure) -> HeartRateRecording.Reading {
        let name = name
        var witness = IntervalWitness()
        let reading = try readForm { reading in
            witness.take(reading)
            sink(reading)
        }
        if let objection = witness.objection {
            throw SourceFailure("\(quoted(name)): \(objection)", isBadData: true)
        }
        return reading
    }

    private consuming func readForm(
        into sink: (RecordedReading) -> Void
    ) throws(SourceFailure) -> HeartRateRecording.Reading {
        let beginning = try input.beginning(1 << 16)
        if let recording = BinaryRecording(beginning, named: input.name) {
            return try recording.read(&input, guide, into: sink)
        }
        if guide.values == .ecg { return try readECG(beginning, into: sink) }
        if FITFile.isFIT(beginning) {
            let bytes = try input.rest(limit: Self.wholeLimit)
            return try naming(input.name) { () throws(RecordingProblem) in
                try FITFile(bytes).readings(into: sink)
            }
        }
        if PolarFile.isPolar(beginning) {
            let bytes = try input.rest(limit: PolarFile.sizeLimit)
            return try naming(input.name) { () throws(RecordingProblem) in
                try PolarFile(bytes).readings(into: sink)
            }
        }
        if let form = XMLRecording.Form(beginning) {
            return try XMLRecording.read(&input, as: form, into: sink)
        }
        guard let sidecar = BIDSSidecar(of: input.name) else {
            return try TableRecording.read(&input, guide, into: sink)
        }
        var guide = guide
        guide.period = sidecar.period
        input.prepend(sidecar.header)
        var reading = try TableRecording.read(&input, guide, into: sink)
        reading.assumptions.append(sidecar.assumption)
        return reading
    }

    private consuming func readECG(
        _ beginning: ArraySlice<UInt8>, into sink: (RecordedReading) -> Void
    ) throws(SourceFailure) -> HeartRateRecording.Reading {
        if FITFile.isFIT(beginning) || PolarFile.isPolar(beginning) || XMLRecording.Form(beginning) != nil {
            throw SourceFailure("\(quoted(input.name)) has no ECG: leave out --as ecg", isBadData: true)
        }
        var guide = guide
        let sidecar = BIDSSidecar(of: input.name)
        if let sidecar {
            guide.period = sidecar.period
            input.prepend(sidecar.header)
        }
        var reading = try TableRecording.readECG(&input, guide, into: sink)
        if let sidecar { reading.assumptions.append(sidecar.assumption) }
        return reading
    }
}

extension UInt8 {
    /// Whether the byte is white space, or part of the byte order mark with which some UTF-8 files begin.
    var isBlankOrMark: Bool { self <= 0x20 || [0xEF, 0xBB, 0xBF].contains(self) }
}

/// Adds the file's name to a problem.
func naming<Value>(
    _ name: String, _ work: () throws(RecordingProblem) -> Value
) throws(SourceFailure) -> Value {
    do { return try work() } catch {
        throw SourceFailure("\(quoted(name))\(error.description)", isBadData: true)
    }
}
