/// The beats of a recorded ECG or PPG, whose samples have times of their own.
package enum RecordedBeats {
    /// Beats of people are this far apart, seconds; other intervals are left out.
    private static let plausible = 0.25...3.0
    /// The height of a beat is that of the signal within this time of it, seconds.
    private static let height = 0.05

    /// - Parameters:
    ///   - values: in any unit; not finite where a sample is missing.
    ///   - times: when each was measured, seconds.
    ///   - rate: samples per second.
    /// - Returns: the intervals in order, none across a gap, and the heights of the beats; `nil` if beats are not
    ///   detected at that rate.
    package static func found(
        in values: [Double], at times: [Double], rate: Double
    ) -> (intervals: [HeartRateMean.Interval], heights: Breathing.Series)? {
        guard ECGDetector.rates.contains(rate), values.count == times.count else { return nil }
        var intervals: [HeartRateMean.Interval] = []
        var heights: Breathing.Series = []
        var start = 0
        for index in values.indices.dropFirst().map({ $0 }) + [values.count] {
            let isEnd = index == values.count || times[index] - times[index - 1] > 1.5 / rate + 0.02
            guard isEnd, start < values.count else { continue }
            let more = stretch(values[start..<index], times[start..<index], rate)
            intervals += more.intervals
            heights += more.heights
            start = index
        }
        return (intervals, heights)
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

    private static func stretch(
        _ values: ArraySlice<Double>, _ times: ArraySlice<Double>, _ rate: Double
    ) -> (intervals: [HeartRateMean.Interval], heights: Breathing.Series) {
        var detector = ECGDetector(rate: rate)
        var beats = values.compactMap { detector.append($0) }
        beats += detector.finish()
        var intervals: [HeartRateMean.Interval] = []
        var heights: Breathing.Series = []
        let reach = Int(height * rate)
        var before: Double?
        for beat in beats {
            // The detector counts samples; their own times say when that was.
            let place = min(max(beat.time * rate, 0), Double(times.count - 1))
            let whole = min(Int(place), max(times.count - 2, 0))
            let first = times[times.startIndex + whole]
            let second = times.count > 1 ? times[times.startIndex + whole + 1] : first
            let time = first + (place - Double(whole)) * (second - first)
            if let before, !beat.isAfterGap, plausible.contains(time - before) {
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
        return (intervals, heights)
    }
}
