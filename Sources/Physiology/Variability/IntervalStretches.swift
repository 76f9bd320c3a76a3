/// Intervals cut where beats are missing between two of them.
package struct IntervalStretches: Hashable, Sendable {
    /// Milliseconds between beats; within a stretch each interval begins where the one before ends.
    package private(set) var stretches: [[Double]]

    /// How many intervals there are.
    package var count: Int { stretches.reduce(0) { $0 + $1.count } }

    /// The same with the artefacts of each stretch corrected.
    package var corrected: IntervalStretches {
        IntervalStretches(stretches.map { IntervalCorrection($0).intervals })
    }

    /// Where more than this many intervals are missing between two samples, there is a gap.
    private static let patience = 1.5

    package init(_ stretches: [[Double]]) { self.stretches = stretches.filter { !$0.isEmpty } }

    /// Puts samples together: there is a gap where more time passed between two than their intervals account for, and
    /// where an interval is no time that passed.
    ///
    /// - Parameters:
    ///   - times: seconds, in order, one for each sample.
    ///   - intervals: the seconds between beats that each sample brought.
    package init(times: [Double], intervals: [[Double]]) {
        precondition(times.count == intervals.count, "one time for each sample")
        stretches = []
        var before: (time: Double, interval: Double)?
        for (time, brought) in zip(times, intervals) {
            guard let last = brought.last else { continue }
            guard brought.allSatisfy({ $0 > 0 && $0.isFinite }) else {
                before = nil
                continue
            }
            let joins = before.map { before in
                time - before.time - brought.reduce(0, +) <= Self.patience * max(before.interval, brought[0])
            }
            if joins != true { stretches.append([]) }
            stretches[stretches.count - 1] += brought.map { 1000 * $0 }
            before = (time, last)
        }
    }
}

/// The variability of intervals as they are, and with their artefacts corrected.
package struct VariabilityFindings: Hashable, Sendable {
    /// The variability of one series, in the time and the frequency domain.
    package struct Findings: Hashable, Sendable {
        /// In the time domain.
        package var time: HeartRateVariability
        /// In the frequency domain, of the longest stretch; `nil` below 120 s.
        package var frequency: FrequencyDomain?

        fileprivate init?(_ stretches: [[Double]]) {
            guard let time = HeartRateVariability(stretches) else { return nil }
            self.time = time
            frequency = FrequencyDomain(longestOf: stretches)
        }
    }

    /// Of the intervals as they are.
    package var raw: Findings
    /// Of the corrected intervals.
    package var corrected: Findings
    /// What was corrected, by the place in the whole series.
    package var artefacts: [IntervalCorrection.Artefact]
    /// Gaps between the stretches.
    package var gaps: Int

    /// - Returns: `nil` below 2 differences between neighbours.
    package init?(_ intervals: IntervalStretches) {
        var stretches: [[Double]] = []
        var artefacts: [IntervalCorrection.Artefact] = []
        var offset = 0
        for stretch in intervals.stretches {
            let correction = IntervalCorrection(stretch)
            stretches.append(correction.intervals)
            artefacts += correction.artefacts.map { .init(index: $0.index + offset, kind: $0.kind) }
            offset += stretch.count
        }
        guard let raw = Findings(intervals.stretches), let corrected = Findings(stretches) else { return nil }
        (self.raw, self.corrected, self.artefacts) = (raw, corrected, artefacts)
        gaps = max(0, intervals.stretches.count - 1)
    }
}
