import StudyModel
import TextFormat

/// Compares the intervals of a recording with its times, and with each other.
///
/// Beats follow each other at their intervals. A program that stores the interval of the moment at a fixed rate, or
/// resamples a series of intervals, gives rows that look like beats and are none: their variability is far from that of
/// the heart. Each of them contradicts its own times.
struct IntervalWitness {
    /// A longer time between two rows is a break, over which nothing is compared; seconds.
    private static let longestStep = 10.0
    /// Fewer rows contradict nothing.
    private static let fewestRows = 10
    /// Fewer rows say nothing about regularity.
    private static let fewestForForm = 30

    /// The row before: its time, its intervals, and the step to it.
    private var before: (time: Double, intervals: [Double], step: Double?)?
    private var rows = 0
    private var hasOneEach = true
    private var hasRates = false
    /// Sums over all steps that are not breaks, seconds.
    private var passed = 0.0
    private var intervals = 0.0
    /// The intervals of rows that repeat the row before, seconds.
    private var repeated = 0.0
    /// Steps that are not breaks; those as long as the step before; those as long as the intervals.
    private var steps = (all: 0, regular: 0, fitting: 0)
    /// Neighbours that differ: how many, by how much together, and the least; seconds.
    private var changes = (count: 0, sum: 0.0, least: Double.infinity)
    private var whole = 0.0

    /// Takes the next reading, in the file's order.
    mutating func take(_ reading: RecordedReading) {
        if reading.sample.rate != nil { hasRates = true }
        guard !reading.sample.rrIntervals.isEmpty else { return }
        take(reading.sample.rrIntervals, at: reading.time)
    }

    /// Takes intervals that ended at a time; seconds.
    mutating func take(_ own: [Double], at time: Double) {
        let last = before
        if let last, (last.time, last.intervals) == (time, own) {
            // Equal beats of one second, or a row that was written twice.
            repeated += own.reduce(0, +)
            return
        }
        rows += 1
        if own.count != 1 { hasOneEach = false }
        compare(own, after: last?.intervals.last)
        guard let last, time >= last.time, time - last.time <= Self.longestStep else {
            before = (time, own, nil)
            return
        }
        let (step, sum) = (time - last.time, own.reduce(0, +))
        before = (time, own, step)
        passed += step
        intervals += sum
        steps.all += 1
        if let other = last.step, abs(step - other) <= max(0.002, 0.01 * step) { steps.regular += 1 }
        if abs(step - sum) <= max(0.02, 0.03 * sum) { steps.fitting += 1 }
    }

    private mutating func compare(_ own: [Double], after last: Double?) {
        for (one, next) in zip([last].compactMap(\.self) + own, last == nil ? own.dropFirst() : own[...]) {
            guard one != next else { continue }
            changes = (changes.count + 1, changes.sum + abs(next - one), min(changes.least, abs(next - one)))
        }
        whole += own.reduce(0, +)
    }

    /// Why these are not the intervals of beats, and what to do; `nil` if nothing contradicts it.
    var objection: String? {
        let remedy =
            "export the beats themselves, one row for each"
            + (hasRates ? ", or take only the heart rates, with --as hr" : "")
        if rows >= Self.fewestRows, intervals > 1.25 * passed + 5 {
            return
                "the intervals add up to \(intervals.wholeNumber) s where only \(passed.wholeNumber) s pass: an interval stands in "
                + "several rows, as in a series that was sampled or resampled at a fixed rate, so the beats cannot be told: \(remedy)"
        }
        if rows >= Self.fewestForForm, isHeld {
            return
                "most intervals are repeated several times in a row, as in a series that was sampled at a fixed rate, so the beats "
                + "cannot be told: \(remedy)"
        }
        guard rows >= Self.fewestForForm, hasOneEach, 10 * steps.regular >= 9 * (steps.all - 1),
            2 * steps.fitting < steps.all,
            abs(intervals - passed) > 1.5, !areRepeatedBeats
        else { return nil }
        let step = decimals(passed / Double(max(steps.all, 1)), 3)
        return
            "a row comes every \(step) s, whatever its interval is, as in a series that was resampled at a fixed rate, so the beats "
            + "cannot be told: \(remedy)"
    }

    /// Whether rows that repeat the row before are beats of their own, which no fixed rate gives: there are some, and time
    /// passes for them.
    private var areRepeatedBeats: Bool {
        repeated > 0.05 * intervals && intervals + repeated <= 1.05 * passed + 1.5
    }

    /// Whether equal intervals stand together, three or more on average, though the resolution is fine and neighbours that
    /// differ are far apart.
    private var isHeld: Bool {
        let mean = whole / Double(rows)
        return hasOneEach && changes.count > 0 && rows >= 3 * (changes.count + 1) && changes.least <= 0.005
            && changes.sum / Double(changes.count) >= 0.01 * mean
    }
}
