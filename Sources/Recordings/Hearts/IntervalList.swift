package import Physiology
package import StudyModel
import TextFormat

/// The intervals between beats in a recording of any form.
package struct IntervalList: Sendable {
    /// Intervals in milliseconds, split where beats are missing.
    package let intervals: IntervalStretches
    /// How the file was understood, and what was left out.
    package let reading: HeartRateRecording.Reading

    /// - Parameters:
    ///   - path: a file; `-` is standard input.
    ///   - guide: what the user says about it.
    /// - Throws: `SourceFailure`, which blames the data unless the file cannot be read at all.
    package init(
        contentsOf path: String, _ guide: RecordingGuide = RecordingGuide()
    ) throws(SourceFailure) {
        var guide = guide
        guide.wantsIntervals = true
        let recording = try HeartRateRecording(contentsOf: path, guide)
        let entries = recording.entries
        intervals = IntervalStretches(
            times: entries.map(\.time), intervals: entries.map(\.sample.rrIntervals),
            gapsBefore: entries.map(\.isAfterGap))
        reading = recording.reading
        guard intervals.count > 0 else {
            throw SourceFailure(
                "\(quoted(path)): there are no intervals between beats, only heart rates: variability needs the "
                    + "intervals themselves, in a column such as rr, or an ECG, with --as ecg=NAME",
                isBadData: true)
        }
    }
}
