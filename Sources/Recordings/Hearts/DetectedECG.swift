package import Physiology
import TextFormat

/// Where the beats of a recording come from, if they were detected in an ECG.
package struct DetectedECG: Hashable, Sendable {
    /// The channel or column.
    package var channel: String
    /// Samples per second.
    package var samplingRate: Double
    /// Beats that were detected.
    package var beats = 0
    /// Seconds of signal.
    package var seconds = 0.0
    /// Seconds of it in which the signal was missing or flat.
    package var missingSeconds = 0.0
    /// Seconds of it that the intervals between the beats cover.
    package var coveredSeconds = 0.0
    /// The parts that were judged, from the first sample on.
    package var segments: [ECGDetector.Segment] = []

    /// Seconds of it whose quality is too low for beats.
    package var refusedSeconds: Double {
        segments.reduce(0) { $0 + ($1.isUsable ? 0 : $1.seconds) }
    }

    /// What was done, in words.
    var words: String {
        let tenths = tenth(samplingRate)
        let rate = tenths == tenths.rounded() ? tenths.wholeNumber : "\(tenths)"
        return
            "\(beats) beats detected by Entrain in the ECG \(quoted(channel)), \(rate) samples a second; no interval in "
            + "\(tenth(max(0, seconds - coveredSeconds))) of \(tenth(seconds)) s, where \(tenth(missingSeconds)) s are "
            + "missing or flat"
            + (refusedSeconds > 0 ? " and \(tenth(refusedSeconds)) s too poor for beats" : "")
    }

    private func tenth(_ value: Double) -> Double { (10 * value).rounded() / 10 }
}

/// Turns the samples of an ECG into the intervals between its beats.
struct ECGIntervals {
    private var detector: ECGDetector
    private var ecg: DetectedECG
    /// When the first sample of all was taken, and the first of this part; seconds.
    private var origin: Double?
    private var start: Double?
    /// Samples of this part.
    private var count = 0
    /// The time of the beat before, seconds.
    private var before: Double?

    /// - Parameters:
    ///   - rate: samples per second.
    ///   - channel: the name, for people.
    /// - Throws: if beats cannot be detected at that rate.
    init(rate: Double, channel: String) throws(RecordingProblem) {
        guard ECGDetector.rates.contains(rate) else {
            let limits = ECGDetector.rates
            throw RecordingProblem(
                "the ECG \(quoted(channel)) has \((10 * rate).rounded() / 10) samples a second: beats are detected at "
                    + "\(limits.lowerBound.wholeNumber) to \(limits.upperBound.wholeNumber)")
        }
        detector = ECGDetector(rate: rate)
        ecg = DetectedECG(channel: channel, samplingRate: rate)
    }

    /// Takes the next sample.
    ///
    /// - Parameters:
    ///   - sample: in any unit; not finite if it is missing.
    ///   - time: when it was taken, seconds. If that is not about when it was due, the signal was interrupted.
    ///   - place: where it stands in the file.
    mutating func take(_ sample: Double, at time: Double, place: Int, into found: inout FoundSignals) {
        if let start {
            let late = time - start - Double(count) / ecg.samplingRate
            if abs(late) > Self.tolerance + 1.5 / ecg.samplingRate {
                end(place: place, into: &found)
            } else {
                // Clocks differ a little, and times are rounded.
                self.start = start + Self.following * late
            }
        }
        if start == nil { start = time }
        if origin == nil { origin = time }
        count += 1
        if let beat = detector.append(sample) { take(beat, place: place, into: &found) }
    }

    /// How early or late a sample may be, seconds.
    private static let tolerance = 0.02
    /// The share of it by which later samples are due earlier or later.
    private static let following = 0.01

    /// Ends the signal, and says where the beats come from.
    mutating func finish(place: Int, into found: inout FoundSignals) {
        end(place: place, into: &found)
        found.ecg = ecg
        found.assumptions.append(ecg.words)
    }

    private mutating func end(place: Int, into found: inout FoundSignals) {
        for beat in detector.finish() { take(beat, place: place, into: &found) }
        ecg.segments += detector.segments.map { segment in
            var moved = segment
            moved.start += (start ?? 0) - (origin ?? 0)
            return moved
        }
        ecg.seconds += Double(count) / ecg.samplingRate
        ecg.missingSeconds += detector.missingSeconds
        detector = ECGDetector(rate: ecg.samplingRate)
        (start, count, before) = (nil, 0, nil)
    }

    private mutating func take(_ beat: ECGDetector.Beat, place: Int, into found: inout FoundSignals) {
        ecg.beats += 1
        let time = (start ?? 0) + beat.time
        defer { before = time }
        guard let before, !beat.isAfterGap else { return }
        let interval = time - before
        let count = found.readings.count
        found.add(interval: interval, at: time, place: place, hasRatesBeside: false)
        if found.readings.count > count { ecg.coveredSeconds += interval }
    }
}
