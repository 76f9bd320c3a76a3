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
        var repeats = RepeatedRows()
        var reading = try readForm { reading in
            witness.take(reading)
            repeats.take(reading, into: sink)
        }
        repeats.endStretch(into: sink)
        reading.duplicates = repeats.duplicates
        reading.doubts += witness.doubts
        if reading.isDated, let doubt = witness.doubt(ofName: name) { reading.doubts.append(doubt) }
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
        if guide.values == .ecg, Self.isOfWatch(beginning) {
            throw SourceFailure("\(quoted(input.name)) has no ECG: leave out --as ecg", isBadData: true)
        }
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
        return try readTable(into: sink)
    }

    /// Whether a file has a form that cannot hold an ECG.
    private static func isOfWatch(_ beginning: ArraySlice<UInt8>) -> Bool {
        FITFile.isFIT(beginning) || PolarFile.isPolar(beginning) || XMLRecording.Form(beginning) != nil
    }

    private consuming func readTable(
        into sink: (RecordedReading) -> Void
    ) throws(SourceFailure) -> HeartRateRecording.Reading {
        var guide = guide
        let head = try TableHead.read(from: &input, &guide)
        var reading =
            guide.values == .ecg
            ? try TableRecording.readECG(&input, guide, into: sink)
            : try TableRecording.read(&input, guide, into: sink)
        if let head { reading.assumptions.append(head.assumption) }
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
