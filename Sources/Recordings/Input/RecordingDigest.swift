package import StudyModel

/// The content of a recording, worked out without keeping it in memory.
package struct RecordingDigest: Sendable {
    /// Readings with a heart rate.
    package private(set) var count = 0
    /// Intervals between beats.
    package private(set) var intervalCount = 0
    /// Readings in which the source says that it has no heart rate.
    package var withoutReading: Int { reading.withoutReading }
    /// Readings that come after a reading with a later time.
    package var reordered: Int { reading.reordered }
    /// The times of the earliest and the latest reading, seconds; since 1970 if `reading.isDated`.
    package private(set) var start = Double.infinity
    package private(set) var end = -Double.infinity
    /// Beats per minute.
    package private(set) var minimum = Double.infinity
    /// Beats per minute.
    package private(set) var maximum = -Double.infinity
    private var sum = 0.0
    /// How the file was understood.
    package private(set) var reading = HeartRateRecording.Reading()

    /// Mean of the readings, each with the same weight, beats per minute; `nil` if there are none.
    package var mean: Double? { count > 0 ? sum / Double(count) : nil }

    /// Rows, records or points of the file that gave no heart rate.
    package var skipped: Int { reading.skipped.reduce(withoutReading) { $0 + $1.count } }

    /// Reads a file of any size; `-` is standard input.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - guide: what the user says about it.
    ///   - export: receives every reading, if given.
    /// - Throws: `SourceFailure`, which blames the data unless the file cannot be read at all.
    package init(
        of path: String, _ guide: RecordingGuide = RecordingGuide(), into export: RecordingExport? = nil
    ) throws(SourceFailure) {
        var digest = Self()
        let file = try RecordingFile(path: path, guide)
        var reading = try file.read { reading in
            digest.take(reading)
            export?.take(reading)
        }
        (reading.withoutReading, reading.reordered) = (digest.withoutReading, digest.reordered)
        digest.reading = reading
        self = digest
    }

    private init() {}

    private mutating func take(_ reading: RecordedReading) {
        if reading.time < end { self.reading.reordered += 1 }
        start = min(start, reading.time)
        end = max(end, reading.time)
        let sample = reading.completeSample
        intervalCount += sample.rrIntervals.count
        guard let rate = sample.rate else {
            if reading.isSilent { self.reading.withoutReading += 1 }
            return
        }
        count += 1
        sum += rate
        minimum = min(minimum, rate)
        maximum = max(maximum, rate)
    }
}
