package import Physiology
package import StudyModel
import TextFormat

/// The intervals between beats in a recording of any form.
package struct IntervalList: Sendable {
    /// Intervals in milliseconds, split where beats are missing.
    package let intervals: IntervalStretches
    /// How the file was understood, and what was left out.
    package let reading: HeartRateRecording.Reading
    /// When the readings were taken, seconds: since 1970 if the recording has dates, otherwise on its own clock; and what
    /// each says, seconds between beats.
    private let readings: [(time: Double, intervals: [Double])]

    /// The beats, in order. Within a stretch they follow each other as the intervals say; each stretch lies where its
    /// readings lie, which may have been sent together and late.
    package var beats: [BeatAgreement.Beat] {
        var ends: [Double] = []
        for reading in readings {
            let total = reading.intervals.reduce(0, +)
            var end = reading.time - total
            for interval in reading.intervals {
                end += interval
                ends.append(end)
            }
        }
        var beats: [BeatAgreement.Beat] = []
        for stretch in intervals.stretches {
            let told = ends.dropFirst(beats.count - beats.count { $0.interval == nil }).prefix(stretch.count)
            var sum = 0.0
            let sums = stretch.map { interval -> Double in
                sum += interval / 1000
                return sum
            }
            let start = median(zip(told, sums).map { $0 - $1 }) ?? 0
            beats.append(BeatAgreement.Beat(time: start, interval: nil))
            beats += zip(sums, stretch).map { BeatAgreement.Beat(time: start + $0, interval: $1) }
        }
        return beats.sorted { $0.time < $1.time }
    }

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
        readings = recording.timedSamples.map { ($0.time, $0.sample.rrIntervals) }.filter { reading in
            !reading.intervals.isEmpty && reading.intervals.allSatisfy { $0 > 0 && $0.isFinite }
        }
        guard intervals.count > 0 else {
            throw SourceFailure(
                "\(quoted(path)): there are no intervals between beats, only heart rates: variability needs the "
                    + "intervals themselves, in a column such as rr, or an ECG, with --as ecg=NAME",
                isBadData: true)
        }
    }
}
