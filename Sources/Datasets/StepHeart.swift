package import Physiology
import Results

/// What counts of the heart in a step, and what outcomes take from it.
package struct StepHeart {
    /// Heart rates and intervals up to the end, in order of time.
    private let measured: HeartRateResponse.Measured
    /// When the clip was first heard or, without a clip, when the step began, s since the run's start.
    private let onset: Double
    /// The end of the clip or, without one, of the step, s since the run's start.
    private let end: Double

    package init(
        rates: [HeartRateMean.Rate], intervals: [HeartRateMean.Interval], onset: Double, end: Double
    ) {
        measured = .init(
            rates: rates.filter { $0.time <= end }.sorted { $0.time < $1.time },
            intervals: intervals.filter { $0.time <= end }.sorted { $0.time < $1.time })
        (self.onset, self.end) = (onset, end)
    }

    /// Mean rate from 5 s after the onset, weighted by time; `nil` if there is too little of it.
    ///
    /// - Parameter delay: how much more of the beginning is left out, s.
    package func mean(delay: Double = 0) -> HeartRateMean? {
        let begin = onset + HeartRateResponse.settling + delay
        let span = begin...max(begin, end)
        let rates = measured.rates.filter { span.contains($0.time) }
        guard let mean = HeartRateMean(of: rates, measured.intervals, in: span),
            mean.origin == .intervals || rates.count >= HeartRateMean.fewest
        else { return nil }
        return mean
    }

    /// Mean rate of the last 60 s, to which other steps are relative; `nil` if there is too little of it.
    var rest: Double? { HeartRateResponse.baseline(of: measured, until: end) }

    /// Variability of the corrected intervals from 5 s after the onset, and the share of them that was corrected;
    /// `nil` if there are fewer than 10.
    ///
    /// - Parameters:
    ///   - delay: how much more of the beginning is left out, s.
    ///   - wholly: whether the beginning counts too, as it does in a rest.
    package func variability(
        delay: Double = 0, wholly: Bool = false
    ) -> (variability: HeartRateVariability, correctedShare: Double)? {
        let wanted = measured.intervals.filter {
            wholly || onset + HeartRateResponse.settling + delay <= $0.time
        }
        let stretches = IntervalStretches(
            times: wanted.map(\.time), intervals: wanted.map { [$0.length] })
        guard stretches.count >= Self.fewestIntervals else { return nil }
        let (corrected, share) = stretches.correction
        return HeartRateVariability(corrected.stretches).map { ($0, share) }
    }

    /// RMSSD and SDNN are not computed from fewer intervals than this.
    package static let fewestIntervals = 10
}

extension StepHeart {
    /// The heart of a visit; `nil` if its clip was never heard.
    init?(of visit: ResultBundle.Visit, _ hearts: BundleHearts, at place: Int) {
        if let clip = visit.clip, clip.onset == nil { return nil }
        self.init(
            rates: hearts.rates[place].map { ($0.runOffset, $0.value) },
            intervals: hearts.beats[place].ended, onset: visit.clip?.onset ?? visit.start,
            end: visit.clip?.end ?? visit.end)
    }
}
