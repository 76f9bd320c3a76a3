import Results
import StudyModel
import TextFormat

/// Binary formats of laboratories and archives, in which a heart's signals stand beside others.
enum BinaryRecording {
    /// European Data Format and its 24-bit relative of BioSemi, with and without annotations.
    case edf
    /// The format of the Lab Streaming Layer.
    case xdf
    /// The header or the annotations of a WFDB record, as PhysioNet stores them.
    case wfdb(WFDBRecord.Part)

    /// - Parameters:
    ///   - beginning: the first bytes of the file.
    ///   - name: its path.
    /// - Returns: `nil` for anything else.
    init?(_ beginning: ArraySlice<UInt8>, named name: String) {
        if EDFHeader.isEDF(Array(beginning.prefix(256))) {
            self = .edf
        } else if beginning.starts(with: "XDF:".utf8) {
            self = .xdf
        } else if let part = WFDBRecord.Part(beginning, named: name) {
            self = .wfdb(part)
        } else {
            return nil
        }
    }

    /// Passes every reading to `sink`, in order of time, and returns how the file was understood.
    func read(
        _ input: inout RecordedInput, _ guide: RecordingGuide, into sink: (RecordedReading) -> Void
    ) throws(SourceFailure) -> HeartRateRecording.Reading {
        let name = input.name
        if guide.times != nil {
            throw SourceFailure(
                "\(quoted(name)) has times of its own: leave out --time, which is for tables", isBadData: true
            )
        }
        let found: FoundSignals
        switch self {
        case .edf: found = try EDFRecording.read(&input, guide)
        case .xdf: found = try XDFRecording.read(&input, guide)
        case .wfdb(let part): found = try WFDBRecord(part, input.name).read(&input, guide)
        }
        return try found.finished(name, into: sink)
    }
}

/// What was found in a file of signals.
struct FoundSignals {
    var readings: [RecordedReading] = []
    var tally: RecordingTally
    var assumptions: [String]
    var damage: String?
    /// What in the file contradicts itself; a line for each.
    var doubts: [String] = []
    var isDated = false
    /// Set if the intervals come from beats that were detected.
    var ecg: DetectedECG?

    init(placeName: String, assumptions: [String]) {
        tally = RecordingTally(placeName: placeName)
        self.assumptions = assumptions
    }

    /// - Parameter cell: the value, for messages.
    mutating func add(rate: Double, at time: Double, place: Int) {
        guard let reading = RecordedReading(time: time, place: place, rate: rate) else {
            return tally.count(.implausible, place, "\(rate)")
        }
        readings.append(reading)
    }

    /// - Parameters:
    ///   - interval: seconds.
    ///   - time: when it ended.
    ///   - hasRatesBeside: whether the file also contains rates.
    mutating func add(interval: Double, at time: Double, place: Int, hasRatesBeside: Bool) {
        guard RecordedReading.plausibleIntervals.contains(interval) else {
            return tally.count(.implausible, place, "\(interval)")
        }
        var reading = RecordedReading(
            time: time, place: place, sample: HeartRateSample(rate: nil, rrIntervals: [interval]))
        reading.hasRatesBeside = hasRatesBeside
        readings.append(reading)
    }

    /// Passes every reading to `sink`, in order of time, and returns how the file was understood.
    consuming func finished(
        _ name: String, into sink: (RecordedReading) -> Void
    ) throws(SourceFailure) -> HeartRateRecording.Reading {
        readings.sort { $0.time < $1.time }
        tally.readingCount = readings.count
        for reading in readings { sink(reading) }
        let (tally, isDated, damage, ecg, doubts) = (tally, isDated, damage, ecg, doubts)
        let words = assumptions + [isDated ? "times of the calendar" : "times since the start"]
        return try naming(name) { () throws(RecordingProblem) in
            if tally.readingCount == 0, let damage { throw RecordingProblem(damage) }
            if tally.readingCount == 0, let ecg {
                throw RecordingProblem("there are no intervals between beats: \(ecg.words)")
            }
            var reading = try tally.reading(words, isDated: isDated, damage: damage)
            (reading.ecg, reading.doubts) = (ecg, doubts)
            return reading
        }
    }
}
