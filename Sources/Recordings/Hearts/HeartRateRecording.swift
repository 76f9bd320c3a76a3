package import StudyModel

/// A recording of a heart made elsewhere, in order of time.
package struct HeartRateRecording: Hashable, Sendable {
    /// What the recording says at one moment.
    package struct Entry: Hashable, Sendable {
        /// Seconds since the first entry, to the microsecond.
        package var time: Double
        /// The reading.
        package var sample: HeartRateSample
        /// Whether a beat is missing before its first interval, whatever the times say.
        var isAfterGap = false
    }

    /// How a file was understood, and what was left out.
    package struct Reading: Hashable, Sendable {
        /// The form of the file and what its columns were taken for, in words.
        package var assumptions: [String] = []
        /// Rows that gave no entry.
        package var skipped: [Skipped] = []
        /// Rows that stood after a row with a later time, and were sorted.
        package var reordered = 0
        /// Rows that repeated a row with the same time, and were left out.
        package var duplicates = 0
        /// Rows that differed from a row with the same time, and were combined with it.
        package var joined = 0
        /// Entries in which the source says that it has no reading.
        package var withoutReading = 0
        /// What in the file contradicts itself, and what to do; a line for each.
        package var doubts: [String] = []
        /// Why the values may be none of a heart, if nothing says what they are and they are read nevertheless.
        package var reservation: String?
        /// Where and how the file is damaged, if it is. Everything before that place was read.
        package var damage: String?
        /// The unit in which places in the file are counted: `line`, `item` or `record`.
        var placeName = "line"
        /// Whether its times have dates.
        package var isDated = false
        /// Where the beats come from, if they were detected in an ECG.
        package var ecg: DetectedECG?

        /// What the user should look at, a line each.
        package var warnings: [String] {
            (doubts + [reservation].compactMap(\.self)).map { "careful: " + $0 }
        }

        /// What was left out or sorted, a line for each reason.
        package var changes: [String] {
            (withoutReading > 0 ? ["left out: \(withoutReading) in which the source has no reading"] : [])
                + skipped.map { "left out: \($0.count) \($0.reason) (first in \($0.firstPlace))" }
                + (duplicates > 0 ? ["left out: \(duplicates) that repeat another of the same moment"] : [])
                + (reordered > 0 ? ["\(reordered) come after a later one"] : [])
        }
    }

    /// Rows left out for one reason.
    package struct Skipped: Hashable, Sendable {
        /// The reason, in words that follow "rows".
        package var reason: String
        /// How many.
        package var count: Int
        /// Where the first one stands, such as `line 3`.
        package var firstPlace: String
    }

    /// Never empty; the first at time 0; times strictly increasing.
    package var entries: [Entry]
    /// The time of the first entry: seconds since 1970 if the recording has dates, otherwise on its own clock.
    let start: Double
    /// How the file was understood.
    package var reading: Reading

    /// The samples with their times on the recording's own clock, or since 1970 if it has dates; seconds.
    package var timedSamples: [(time: Double, sample: HeartRateSample)] {
        entries.map { (start + $0.time, $0.sample) }
    }

    /// Reads a file; `-` is standard input.
    ///
    /// - Throws: `SourceFailure`, which blames the data unless the file cannot be read at all.
    package init(
        contentsOf path: String, _ guide: RecordingGuide = RecordingGuide()
    ) throws(SourceFailure) {
        try self.init(RecordingFile(path: path, guide))
    }

    /// Reads the bytes of a file, named `name` in messages.
    package init(
        reading bytes: [UInt8], named name: String, _ guide: RecordingGuide = RecordingGuide()
    ) throws(SourceFailure) {
        try self.init(RecordingFile(bytes: bytes, name: name, guide))
    }

    init(_ file: consuming RecordingFile) throws(SourceFailure) {
        let name = file.name
        var readings: [RecordedReading] = []
        let reading = try file.read { readings.append($0) }
        self = try naming(name) { () throws(RecordingProblem) in
            try HeartRateRecording(joining: readings, reading: reading)
        }
    }

    /// One or two lines that say what was read and what was left out.
    package var summary: String {
        let length = (entries.last.map(\.time) ?? 0).rounded()
        var parts = ["\(entries.count) samples over \(length.wholeNumber) s"]
        if reading.withoutReading > 0 { parts.append("\(reading.withoutReading) without a reading") }
        if reading.reordered > 0 { parts.append("\(reading.reordered) put in order") }
        if reading.duplicates > 0 { parts.append("\(reading.duplicates) repeated") }
        if reading.joined > 0 { parts.append("\(reading.joined) joined with another of the same time") }
        let skipped = reading.skipped.map { skipped in
            "\(skipped.count) rows \(skipped.reason) (first in \(skipped.firstPlace))"
        }
        let leftOut = skipped.isEmpty ? "" : "; left out: " + skipped.joined(separator: ", ")
        let broken = reading.damage.map { "\nbroken: " + $0 } ?? ""
        return parts.joined(separator: ", ") + leftOut
            + "\n" + reading.assumptions.joined(separator: "; ") + broken
            + reading.warnings.map { "\n" + $0 }.joined()
    }
}

/// What is wrong with a recording, and where.
struct RecordingProblem: Error {
    /// The place, such as `line 3`; `nil` if the whole file is meant.
    var place: String?
    /// What is wrong and what to do.
    var text: String
    /// Why values that nothing explains may be none of a heart, if that is wrong.
    var objection: String?

    init(_ text: String, at place: String? = nil) {
        self.place = place
        self.text = text
    }

    init(_ text: String, line: Int) { self.init(text, at: "line \(line)") }

    var description: String { (place.map { ", \($0)" } ?? "") + ": " + text }
}

extension Double {
    /// The number without decimals, for messages; unchanged if it is too large for that.
    package var wholeNumber: String { Int(exactly: rounded()).map(String.init) ?? description }
}
