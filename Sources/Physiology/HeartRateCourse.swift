/// The course of a heart rate, second by second, from a moment on.
///
/// The rate of a second is the mean of the rates that held in it, each weighted by how long it held (Graham 1978,
/// Psychophysiology 15:492): an interval holds from its first beat to its second; a notified rate holds for half of
/// the time to each of its neighbours, at most 2.5 s each.
package struct HeartRateCourse: Hashable, Sendable {
    /// Beats per minute above the baseline, one value for each whole second; `nil` if less than half of the second
    /// is known. Made from the same data as the response.
    package var changes: [Double?]
    /// `changes` by the notified rates; all `nil` if there are too few for a response.
    package var notifiedChanges: [Double?]

    /// The course ends after this, s.
    package static let longest = 3600.0
    /// How much of a second must be known, s.
    package static let fewestKnown = 0.5

    /// A rate in beats per minute or another value, and the time during which it held, s.
    package typealias Held = (start: Double, end: Double, rate: Double)

    /// - Parameters:
    ///   - response: the response, whose baselines and origin are used.
    ///   - measured: rest and stretch together, in order of time.
    ///   - span: the time of the stretch, s.
    package init(
        of response: HeartRateResponse, _ measured: HeartRateResponse.Measured, in span: ClosedRange<Double>
    ) {
        let notified = Self.means(of: Self.held(measured.rates), in: span)
        notifiedChanges = notified.map { mean in
            response.notifiedBaseline.flatMap { baseline in mean.map { $0 - baseline } }
        }
        switch response.origin {
        case .notified: changes = notifiedChanges
        case .intervals:
            changes = Self.means(of: Self.held(measured.intervals), in: span)
                .map { mean in mean.map { $0 - response.baseline } }
        }
    }

    /// Beats per minute, one value for each whole second; `nil` if less than half of the second is known. Made from
    /// the intervals if they cover the span, and otherwise from the notified rates.
    ///
    /// - Parameter measured: in order of time.
    package static func rates(
        of measured: HeartRateResponse.Measured, in span: ClosedRange<Double>
    ) -> [Double?] {
        let hasIntervals = HeartRateMean.covering(measured.intervals, span) != nil
        return means(of: hasIntervals ? held(measured.intervals) : held(measured.rates), in: span)
    }

    /// The mean of the 5 s after a moment minus that of the 2 s before it, beats per minute, by the intervals; `nil` if less
    /// than half of any of these seconds is known.
    ///
    /// A strap tells of its beats later than they are, now more and now less. So the beats of a stretch are placed where the
    /// one that was told soonest has them: each interval begins where the one before ends.
    ///
    /// - Parameter intervals: in order of time. Those within half a minute of the moment are looked at.
    package static func evoked(at moment: Double, by intervals: [HeartRateMean.Interval]) -> Double? {
        let near = intervals.filter { abs($0.time - moment) <= 30 && $0.length > 0 && $0.length.isFinite }
        let stretches = IntervalStretches(times: near.map(\.time), intervals: near.map { [$0.length] })
        var (placed, left) = ([HeartRateMean.Interval](), near[...])
        for stretch in stretches.stretches {
            let own = left.prefix(stretch.count)
            left = left.dropFirst(stretch.count)
            var (passed, delay) = (0.0, Double.infinity)
            for interval in own {
                passed += interval.length
                delay = min(delay, interval.time - passed)
            }
            for interval in own {
                delay += interval.length
                placed.append((delay, interval.length))
            }
        }
        let seconds = means(of: held(placed), in: (moment - before)...(moment + after)).compactMap(\.self)
        guard seconds.count == Int(before + after) else { return nil }
        return seconds.suffix(Int(after)).reduce(0, +) / after - seconds.prefix(Int(before)).reduce(0, +)
            / before
    }

    /// How long before and after a moment a change of the rate is looked for, s.
    private static let (before, after) = (2.0, 5.0)

    /// The mean of each whole second; `nil` if less than half of the second is known.
    ///
    /// - Parameter held: rates that do not overlap in time.
    package static func means(of held: [Held], in span: ClosedRange<Double>) -> [Double?] {
        let count = Int(min(span.upperBound - span.lowerBound, longest) + 1e-9)
        var known = Array(repeating: 0.0, count: count)
        var sums = known
        for part in held {
            let start = max(part.start - span.lowerBound, 0)
            let end = min(part.end - span.lowerBound, Double(count))
            guard start < end else { continue }
            for second in Int(start)..<Int(end.rounded(.up)) {
                let length = min(end, Double(second + 1)) - max(start, Double(second))
                known[second] += length
                sums[second] += length * part.rate
            }
        }
        return zip(sums, known).map { $1 >= fewestKnown - 1e-9 ? $0 / $1 : nil }
    }

    private static func held(_ rates: [HeartRateMean.Rate]) -> [Held] {
        zip(rates, timeReaches(rates.map(\.time))).map { sample, reach in
            (sample.time - reach.before, sample.time + reach.after, sample.rate)
        }
    }

    /// Artefacts are corrected; beats without an artefact stay where they were.
    private static func held(_ intervals: [HeartRateMean.Interval]) -> [Held] {
        let passed = intervals.filter { $0.length > 0 && $0.length.isFinite }
        let stretches = IntervalStretches(
            times: passed.map(\.time), intervals: passed.map { [$0.length] })
        var held: [Held] = []
        var first = 0
        for stretch in stretches.stretches {
            let correction = IntervalCorrection(stretch)
            var end = passed[first].time - passed[first].length
            for (interval, origin) in zip(correction.intervals, correction.origins) {
                let given = passed[first + origin]
                let isAsGiven = interval == stretch[origin]
                let start = isAsGiven ? max(given.time - given.length, end) : end
                end = isAsGiven ? given.time : end + interval / 1000
                if start < end { held.append((start, end, 60_000 / interval)) }
            }
            first += stretch.count
        }
        return held
    }
}
