import Physiology
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
    /// As many rows say how long intervals are, compared with the times.
    private static let mostRatios = 8192
    /// Fewer rows say nothing about regularity.
    private static let fewestForForm = 30

    /// The times of the earliest and the latest reading.
    private var span = (first: Double.infinity, last: -Double.infinity)
    /// The row before: its time, its intervals, and the step to it.
    private var before: (time: Double, intervals: [Double], step: Double?)?
    private var rows = 0
    private var hasOneEach = true
    /// Rates, and the beats a minute that the intervals beside them say: how many, and their sums.
    private var rates = (count: 0, told: 0.0, counted: 0.0)
    /// Sums over all steps that are not breaks, seconds.
    private var passed = 0.0
    private var intervals = 0.0
    /// The least and the most by which the intervals were ahead of the times, s.
    private var lead = (least: 0.0, most: 0.0)
    /// How much longer each interval is than the step to it, up to a limit.
    private var ratios: [Double] = []
    /// The intervals of rows that repeat the row before, seconds.
    private var repeated = 0.0
    /// Steps that are not breaks; those as long as the step before; those as long as the intervals.
    private var steps = (all: 0, regular: 0, fitting: 0)
    /// All intervals together, s.
    private var whole = 0.0
    /// Neighbours that differ: how many, by how much together, and the least; seconds.
    private var changes = (count: 0, sum: 0.0, least: Double.infinity)

    /// Takes the next reading, in the file's order.
    mutating func take(_ reading: RecordedReading) {
        span = (min(span.first, reading.time), max(span.last, reading.time))
        let own = reading.sample.rrIntervals
        guard !own.isEmpty else { return }
        if let rate = reading.sample.rate {
            let counted = 60 * Double(own.count) / own.reduce(0, +)
            rates = (rates.count + 1, rates.told + rate, rates.counted + counted)
        }
        take(own, at: reading.time)
    }

    /// Takes intervals that ended at a time; seconds.
    private mutating func take(_ own: [Double], at time: Double) {
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
        lead = (min(lead.least, intervals - passed), max(lead.most, intervals - passed))
        steps.all += 1
        if step > 0, ratios.count < Self.mostRatios { ratios.append(sum / step) }
        if let other = last.step, abs(step - other) <= max(0.002, 0.01 * step) { steps.regular += 1 }
        if abs(step - sum) <= max(0.02, 0.03 * sum) { steps.fitting += 1 }
    }

    private mutating func compare(_ own: [Double], after last: Double?) {
        whole += own.reduce(0, +)
        for (one, next) in zip([last].compactMap(\.self) + own, last == nil ? own.dropFirst() : own[...]) {
            guard one != next else { continue }
            changes = (changes.count + 1, changes.sum + abs(next - one), min(changes.least, abs(next - one)))
        }
    }

    /// Why these are not the intervals of beats, and what to do; `nil` if nothing contradicts it.
    var objection: String? {
        let remedy =
            "export the beats themselves, one row for each"
            + (rates.count > 0 ? ", or take only the heart rates, with --as hr" : "")
        if let scale {
            return
                "each interval is \(scale) the time from its row to the one before: the unit of the times or of the intervals is "
                + "another than it seems, so say both in the first line, as in 'time_s,rr_ms'"
        }
        if rows >= Self.fewestRows, intervals > 1.25 * passed + 5 {
            return
                "the intervals add up to \(intervals.wholeNumber) s where only \(passed.wholeNumber) s pass: an interval stands in "
                + "several rows, as in a series that was sampled or resampled at a fixed rate, so the beats cannot be told: \(remedy)"
        }
        if rows >= Self.fewestForForm, isHeld {
            return
                "too many intervals are equal to the one before, as in a series that was sampled at a fixed rate, so the beats "
                + "cannot be told: \(remedy)"
        }
        guard rows >= Self.fewestForForm, hasOneEach, 10 * steps.regular >= 9 * (steps.all - 1),
            2 * steps.fitting < steps.all,
            lead.most - lead.least > 1.5, !areRepeatedBeats
        else { return nil }
        let step = decimals(passed / Double(max(steps.all, 1)), 3)
        return
            "a row comes every \(step) s, whatever its interval is, as in a series that was resampled at a fixed rate, so the beats "
            + "cannot be told: \(remedy)"
    }

    /// How many times longer each interval is than its step, in words, if that is about the same for all and no wonder of
    /// missing or repeated rows.
    private var scale: String? {
        guard rows >= Self.fewestRows, 2 * ratios.count > rows, !isHeld, let middle = median(ratios),
            !(0.02...50).contains(middle),
            4 * ratios.count(where: { (0.98 * middle...1.02 * middle).contains($0) }) >= 3 * ratios.count
        else { return nil }
        return middle > 1 ? "\(middle.wholeNumber) times" : "1/\((1 / middle).wholeNumber) of"
    }

    /// Why the date in a file's name is not that of the recording; `nil` if it may be, or there is none. A file may be named
    /// later than it was recorded.
    func doubt(ofName name: String) -> String? {
        let words = name.split(separator: "/").last?.split { !$0.isNumber } ?? []
        let parts = words.indices.compactMap { index -> [Int]? in
            let date =
                words[index].utf8.count == 8
                ? [words[index].prefix(4), words[index].dropFirst(4).prefix(2), words[index].suffix(2)]
                : Array(words[index...].prefix(3))
            let numbers = date.compactMap { Int($0) }
            return numbers.count == 3 && (1990...2100).contains(numbers[0]) ? numbers : nil
        }
        guard let date = parts.first,
            let day = RecordedTime.seconds(year: date[0], month: date[1], day: date[2]),
            span.first > day + 2 * 86_400 || span.last < day - 366 * 86_400
        else { return nil }
        return "its name says \(date[0])-\(digits(date[1], 2))-\(digits(date[2], 2)), but its times are "
            + "\(((span.first - day) / 86_400).wholeNumber) days from that: the name, the unit or the date may be wrong"
    }

    /// What contradicts the intervals, but not so much that they are none.
    var doubts: [String] {
        var doubts: [String] = []
        let (told, counted) = (rates.told / Double(rates.count), rates.counted / Double(rates.count))
        if rates.count >= Self.fewestRows, abs(told - counted) > 0.2 * counted {
            doubts.append(
                "the heart rates are \(told.wholeNumber) per minute on average, and the intervals beside them mean \(counted.wholeNumber): "
                    + "one of the two columns is something else")
        }
        if rows >= 2 * Self.fewestForForm, hasOneEach, 50 * steps.regular >= 49 * (steps.all - 1),
            changes.sum > 0.01 * Double(rows), objection == nil, !areRepeatedBeats
        {
            doubts.append(
                "a row comes every \(decimals(passed / Double(max(steps.all, 1)), 3)) s, though the intervals differ: they may have been "
                    + "resampled at a fixed rate")
        }
        let fitting = ratios.filter { (0.9...1.1).contains($0) }.sorted()
        if fitting.count >= Self.fewestForForm, 10 * fitting.count >= 9 * steps.all {
            let (middle, spread) = (
                fitting[fitting.count / 2], fitting[fitting.count * 3 / 4] - fitting[fitting.count / 4]
            )
            if abs(middle - 1) > 0.01, spread < 0.5 * abs(middle - 1) {
                doubts.append(
                    "each interval is \(decimals(100 * abs(middle - 1), 1)) % \(middle > 1 ? "longer" : "shorter") than the time that passes"
                        + (abs(middle - 1.024) < 0.002 ? ": they may be counts of 1/1024 s" : ""))
            }
        }
        return doubts
    }

    /// Whether rows that repeat the row before are beats of their own, which no fixed rate gives: there are some, and time
    /// passes for them.
    private var areRepeatedBeats: Bool {
        repeated > 0.05 * intervals && intervals + repeated <= 1.05 * passed + 1.5
    }

    /// Whether far more intervals equal the one before than the resolution makes equal by chance.
    private var isHeld: Bool {
        guard hasOneEach, changes.count > 0, changes.least <= 0.005,
            changes.sum / Double(changes.count) >= 0.01 * whole / Double(rows)
        else { return false }
        let equal = Double(rows - 1 - changes.count) / Double(rows - 1)
        return equal > max(0.25, 6 * changes.least * Double(changes.count) / changes.sum)
    }
}
