/// Intervals, split where beats are missing between two of them.
package struct IntervalStretches: Hashable, Sendable {
    /// Milliseconds between beats; within a stretch each interval begins where the one before ends.
    package private(set) var stretches: [[Double]]

    /// How many intervals there are.
    package var count: Int { stretches.reduce(0) { $0 + $1.count } }

    /// The stretches with their artefacts corrected.
    package var corrected: IntervalStretches { correction.corrected }

    /// The corrected stretches, and the share of corrected intervals, 0...1.
    package var correction: (corrected: IntervalStretches, share: Double) {
        let corrections = stretches.map { IntervalCorrection($0) }
        let artefacts = corrections.reduce(0) { $0 + $1.artefacts.count }
        return (IntervalStretches(corrections.map(\.intervals)), Double(artefacts) / Double(max(count, 1)))
    }

    /// There is a gap if more than this many intervals are missing between two samples whose times are those of their
    /// arrival.
    private static let patience = 1.5
    /// `patience` if the times are those of the beats.
    private static let exactPatience = 0.5

    package init(_ stretches: [[Double]]) { self.stretches = stretches.filter { !$0.isEmpty } }

    /// Consecutive windows, none across a gap.
    ///
    /// - Parameters:
    ///   - length: seconds.
    ///   - hop: seconds from one window's start to the next, above 0.
    /// - Returns: each with its start, in seconds of intervals since the first.
    package func windows(of length: Double, every hop: Double) -> [(
        start: Double, intervals: IntervalStretches
    )] {
        precondition(length > 0 && hop > 0, "a window lasts, and moves on")
        var windows: [(start: Double, intervals: IntervalStretches)] = []
        var passed = 0.0
        for stretch in stretches {
            var (end, ends) = (0.0, [Double]())
            for interval in stretch {
                end += interval / 1000
                ends.append(end)
            }
            var start = 0.0
            var first = 0
            while start + length <= end + 1e-9 {
                // An interval belongs to a window if it lies completely within it.
                while first < stretch.count, ends[first] - stretch[first] / 1000 < start - 1e-9 { first += 1 }
                var last = first
                while last < stretch.count, ends[last] <= start + length + 1e-9 { last += 1 }
                windows.append((passed + start, IntervalStretches([Array(stretch[first..<last])])))
                start += hop
            }
            passed += end
        }
        return windows
    }

    /// Combines samples. There is a gap where more time passed between two samples than their intervals account
    /// for, and where an interval is not a length of time.
    ///
    /// - Parameters:
    ///   - times: seconds, in order, one for each sample.
    ///   - intervals: the seconds between beats that each sample brought.
    ///   - gapsBefore: for each sample whether there is a gap before it, whatever the times say; empty if they decide.
    package init(times: [Double], intervals: [[Double]], gapsBefore: [Bool] = []) {
        precondition(times.count == intervals.count, "one time for each sample")
        stretches = []
        let patience = Self.patience(times, intervals)
        var before: (time: Double, interval: Double)?
        for (index, (time, brought)) in zip(times, intervals).enumerated() {
            guard let last = brought.last else { continue }
            if !gapsBefore.isEmpty, gapsBefore[index] { before = nil }
            guard brought.allSatisfy({ $0 > 0 && $0.isFinite }) else {
                before = nil
                continue
            }
            let joins = before.map { before in
                time - before.time - brought.reduce(0, +) <= patience * max(before.interval, brought[0])
            }
            if joins != true { stretches.append([]) }
            stretches[stretches.count - 1] += brought.map { 1000 * $0 }
            before = (time, last)
        }
    }

    /// How many intervals may be missing before there is a gap. Where times are those of the beats, at the end or at the
    /// beginning of each interval, one missing beat is seen. A sensor that tells of its beats at a fixed rate may seem to,
    /// at about one beat each time; its times then vary less than the intervals. Times in whole seconds are too coarse.
    ///
    /// Only times that were told say whether they are those of beats. Within a packet, an interval ends where the next
    /// begins, because that was worked out; if the packets then seem to overlap, their times are those of arrival.
    private static func patience(_ times: [Double], _ intervals: [[Double]]) -> Double {
        let samples = zip(times, intervals).filter { !$0.1.isEmpty }
        guard samples.contains(where: { abs($0.0 - $0.0.rounded()) > 1e-6 }) else { return patience }
        var steps: [(length: Double, own: Double, last: Double)] = []
        for (own, last) in zip(samples.dropFirst(), samples) {
            let within = own.1.dropFirst()
            steps.append((own.0 - within.reduce(0, +) - last.0, own.1[0], last.1[last.1.count - 1]))
            steps += zip(within, own.1).map { ($0, $0, $1) }
        }
        // Bundles have times to the nanosecond.
        let told = steps.filter { abs($0.length - $0.own) > 3e-9 }
        let overlap = told.count { $0.length < $0.own }
        let judged = overlap > 0 && 10 * overlap >= told.count ? told : steps
        // Few told times may agree with a few intervals by chance.
        let reach = judged.count < steps.count ? 0.1 : 0.25
        let isExact = [false, true].contains { areStarts in
            let near = judged.map { (length: $0.length, filled: areStarts ? $0.last : $0.own) }
                .filter { abs($0.length - $0.filled) <= 0.5 * $0.filled }
            guard near.count > 1, 4 * near.count >= judged.count else { return false }
            let late = near.map { $0.length - $0.filled }
            let sizes = late.map(abs).sorted()
            let usual = median(near.map(\.filled)) ?? 0
            return sizes[sizes.count / 2] <= 0.001
                || sizes[sizes.count * 19 / 20] <= reach * usual
                    && standardDeviation(late) <= 0.95 * standardDeviation(near.map(\.length))
        }
        return isExact ? exactPatience : patience
    }
}

/// The variability of intervals, as recorded and with artefacts corrected.
package struct VariabilityFindings: Hashable, Sendable {
    /// The variability of one series, in the time and the frequency domain.
    package struct Findings: Hashable, Sendable {
        /// In the time domain.
        package var time: HeartRateVariability
        /// In the frequency domain, of the longest stretch; `nil` below 120 s.
        package var frequency: FrequencyDomain?
        /// The nonlinear measures.
        package var nonlinear: NonlinearVariability

        fileprivate init?(_ stretches: [[Double]], isDetrended: Bool) {
            guard let time = HeartRateVariability(stretches), let nonlinear = NonlinearVariability(stretches)
            else { return nil }
            (self.time, self.nonlinear) = (time, nonlinear)
            frequency = FrequencyDomain(longestOf: stretches, isDetrended: isDetrended)
        }
    }

    /// For the intervals as recorded.
    package var raw: Findings
    /// For the corrected intervals.
    package var corrected: Findings
    /// What was corrected, by its place in the whole series.
    package var artefacts: [IntervalCorrection.Artefact]
    /// Gaps between the stretches.
    package var gaps: Int

    /// Whether the figures have their usual meaning.
    package enum Verdict: String, Hashable, Sendable {
        case usable
        /// More than 5 % of the intervals were corrected. Kubios and others advise against using such recordings.
        case manyCorrected
        /// The intervals follow no rhythm, as in atrial fibrillation. Variability then says nothing about the
        /// autonomic nervous system, and a correction would invent a rhythm.
        case irregular
    }

    /// If a larger share than this was corrected, the program says so.
    package static let tolerableShare = 0.05

    /// The share of the intervals that were corrected, 0...1.
    package var correctedShare: Double { Double(artefacts.count) / Double(max(raw.time.count, 1)) }

    /// What has to be said about the figures.
    package let verdict: Verdict

    /// - Parameters:
    ///   - intervals: the intervals as recorded.
    ///   - isDetrended: whether a slow trend is removed before the spectrum is computed.
    /// - Returns: `nil` below 2 differences between neighbours.
    package init?(_ intervals: IntervalStretches, isDetrended: Bool = false) {
        var stretches: [[Double]] = []
        var artefacts: [IntervalCorrection.Artefact] = []
        var offset = 0
        for stretch in intervals.stretches {
            let correction = IntervalCorrection(stretch)
            stretches.append(correction.intervals)
            artefacts += correction.artefacts.map { .init(index: $0.index + offset, kind: $0.kind) }
            offset += stretch.count
        }
        guard let raw = Findings(intervals.stretches, isDetrended: isDetrended),
            let corrected = Findings(stretches, isDetrended: isDetrended)
        else { return nil }
        (self.raw, self.corrected, self.artefacts) = (raw, corrected, artefacts)
        gaps = max(0, intervals.stretches.count - 1)
        let share = Double(artefacts.count) / Double(max(raw.time.count, 1))
        verdict =
            Self.isIrregular(intervals.stretches, raw.time)
            ? .irregular : share > Self.tolerableShare ? .manyCorrected : .usable
    }

    /// Whether successive intervals differ widely and change direction as often as random numbers do (Dash et al.
    /// 2009, Ann Biomed Eng 37:1701): RMSSD above a tenth of the mean, and 54 to 77 % turning points. Single
    /// artefacts do not count, because the median difference must be large too.
    private static func isIrregular(_ stretches: [[Double]], _ time: HeartRateVariability) -> Bool {
        let differences = stretches.map { stretch in zip(stretch.dropFirst(), stretch).map { $0 - $1 } }
        let sizes = differences.flatMap { $0.map { abs($0) } }
        guard sizes.count >= 30, let usual = median(sizes), time.rmssd > 0.1 * time.meanNN,
            usual > 0.06 * time.meanNN
        else { return false }
        let neighbours = differences.flatMap { zip($0.dropFirst(), $0) }
        let turns = Double(neighbours.count { $0.0 * $0.1 < 0 }) / Double(max(neighbours.count, 1))
        return (0.54...0.77).contains(turns)
    }
}
