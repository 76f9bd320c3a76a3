/// The beats of a recorded ECG or PPG, whose samples have times of their own.
package enum RecordedBeats {
    /// Beats of people are this far apart, seconds; other intervals are left out.
    fileprivate static let plausible = 0.25...3.0
    /// The height of a beat is that of the signal within this time of it, seconds.
    fileprivate static let height = 0.05

    /// What an ECG tells of its beats.
    package struct Found: Sendable {
        /// In order, none across a gap.
        package fileprivate(set) var intervals: [HeartRateMean.Interval] = []
        package fileprivate(set) var heights: Breathing.Series = []
        /// When stretches begin that are too poor for beats, and how long they are, seconds.
        package fileprivate(set) var refused: Breathing.Series = []
    }

    /// - Parameters:
    ///   - values: in any unit; not finite where a sample is missing.
    ///   - times: when each was measured, seconds.
    ///   - rate: samples per second.
    /// - Returns: `nil` if beats are not detected at that rate.
    package static func found(in values: [Double], at times: [Double], rate: Double) -> Found? {
        guard ECGDetector.rates.contains(rate), values.count == times.count else { return nil }
        var found = Found()
        var start = 0
        for index in values.indices.dropFirst().map({ $0 }) + [values.count] {
            let isEnd = index == values.count || times[index] - times[index - 1] > 1.5 / rate + 0.02
            guard isEnd, start < values.count else { continue }
            found.add(values[start..<index], times[start..<index], rate)
            start = index
        }
        return found
    }

    /// The intervals between the pulse waves of a PPG, without those that no heart can have produced.
    ///
    /// - Parameters:
    ///   - values: in any unit, of either polarity; not finite where a sample is missing.
    ///   - times: when each was measured, seconds.
    ///   - rate: samples per second.
    package static func pulses(
        in values: [Double], at times: [Double], rate: Double
    ) -> [HeartRateMean.Interval] {
        // A pulse wave rises faster than it falls.
        let reach = max(1, Int(0.08 * rate))
        let steps = values.indices.dropFirst(reach).map { values[$0] - values[$0 - reach] }
        let sign = steps.count { $0 > 0 } > steps.count { $0 < 0 } ? -1.0 : 1
        let trace = PulseTrace(times: times, signal: values.map { sign * $0 })
        return PulseDetector().detect(in: trace).intervals.map { ($0.end, $0.length) }
    }

}

extension RecordedBeats.Found {
    /// Adds what is in samples without a gap.
    fileprivate mutating func add(
        _ values: ArraySlice<Double>, _ times: ArraySlice<Double>, _ rate: Double
    ) {
        var detector = ECGDetector(rate: rate)
        var beats = values.compactMap { detector.append($0) }
        beats += detector.finish()
        let reach = Int(RecordedBeats.height * rate)
        // The detector counts samples; their own times say when that was.
        let moment = { (seconds: Double) -> (whole: Int, time: Double) in
            let place = min(max(seconds * rate, 0), Double(times.count - 1))
            let whole = min(Int(place), max(times.count - 2, 0))
            let first = times[times.startIndex + whole]
            let second = times.count > 1 ? times[times.startIndex + whole + 1] : first
            return (whole, first + (place - Double(whole)) * (second - first))
        }
        refused += detector.segments.filter { !$0.isUsable }.map { (moment($0.start).time, $0.seconds) }
        var before: Double?
        for beat in beats {
            let (whole, time) = moment(beat.time)
            if let before, !beat.isAfterGap, RecordedBeats.plausible.contains(time - before) {
                intervals.append((time, time - before))
            }
            before = time
            let around = values[
                max(
                    values.startIndex, values.startIndex + whole - reach)..<min(
                        values.endIndex, values.startIndex + whole + reach + 2)]
            if let low = around.min(), let high = around.max(), high.isFinite, low.isFinite {
                heights.append((time, high - low))
            }
        }
    }
}
