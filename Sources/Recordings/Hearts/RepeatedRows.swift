import StudyModel

/// Tells rows that repeat another of the same moment: beats of their own, as with times in whole seconds, or rows that
/// were written twice.
///
/// They are beats if time passes for them: in a stretch without a break, the intervals together take no longer than it.
struct RepeatedRows {
    /// Rows that were written twice.
    private(set) var duplicates = 0

    private var moment: (time: Double, samples: [HeartRateSample])?
    /// Sums of the stretch, s.
    private var passed = 0.0
    private var intervals = 0.0
    private var longest = 0.0
    /// Rows since the first of the stretch that repeats another.
    private var held: [(reading: RecordedReading, isRepeated: Bool)] = []

    /// Passes the next reading on, in the file's order, as soon as it is certain that it is none that was written twice.
    mutating func take(_ reading: RecordedReading, into sink: (RecordedReading) -> Void) {
        guard !reading.sample.rrIntervals.isEmpty else { return pass(reading, false, into: sink) }
        let step = moment.map { abs(reading.time - $0.time) } ?? .infinity
        if step > RecordedReading.plausibleIntervals.upperBound {
            endStretch(into: sink)
        } else {
            passed += step
        }
        let own = moment?.time == reading.time ? moment?.samples ?? [] : []
        moment = (reading.time, own + [reading.sample])
        for interval in reading.sample.rrIntervals {
            intervals += interval
            longest = max(longest, interval)
        }
        pass(reading, own.contains(reading.sample), into: sink)
    }

    private mutating func pass(
        _ reading: RecordedReading, _ isRepeated: Bool, into sink: (RecordedReading) -> Void
    ) {
        guard isRepeated || !held.isEmpty else { return sink(reading) }
        held.append((reading, isRepeated))
    }

    /// Passes on what is left of the stretch.
    mutating func endStretch(into sink: (RecordedReading) -> Void) {
        let areBeats = intervals <= 1.05 * passed + 1.5 * longest
        for (reading, isRepeated) in held {
            if isRepeated, !areBeats { duplicates += 1 } else { sink(reading) }
        }
        held.removeAll()
        (moment, passed, intervals, longest) = (nil, 0, 0, 0)
    }
}
