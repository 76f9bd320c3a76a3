import StudyModel

/// A sample of a recording with its time.
struct RecordedReading: Hashable {
    /// Seconds: since 1970 if the recording has dates, otherwise on the recording's own clock.
    var time: Double
    /// The line, item or record of the file that the sample comes from.
    var place: Int
    /// The sample itself.
    var sample: HeartRateSample
    /// Whether the source says that it has no reading.
    var isSilent = false
    /// Whether a beat is missing before its first interval, whatever the times say.
    var isAfterGap = false
    /// Whether the recording also contains rates, so that none is computed from these intervals.
    var hasRatesBeside = false

    /// Plausible heart rates, beats per minute.
    static let plausibleRates = 15.0...300.0
    /// Plausible intervals, seconds.
    static let plausibleIntervals = 0.2...4.0

    /// The elements whose intervals are no gaps: a few that are too long for an interval say nothing about the others.
    ///
    /// - Parameter interval: the interval of an element, s.
    static func withoutGaps<Element>(
        _ elements: some Sequence<Element>, interval: (Element) -> Double
    ) -> [Element] {
        let all = Array(elements)
        let kept = all.filter { interval($0) <= plausibleIntervals.upperBound }
        return 20 * kept.count >= 19 * all.count ? kept : all
    }

    /// Combines this reading with a later one of the same moment.
    mutating func join(_ later: RecordedReading) {
        sample.rate = later.sample.rate ?? sample.rate
        sample.rrIntervals += later.sample.rrIntervals
        sample.sensorContact = later.sample.sensorContact ?? sample.sensorContact
        sample.quality = later.sample.quality ?? sample.quality
        isSilent = isSilent || later.isSilent
        isAfterGap = isAfterGap || later.isAfterGap
    }

    /// The sample. If it has only intervals, its rate is computed from them, to a tenth.
    var completeSample: HeartRateSample {
        var sample = sample
        if sample.rate == nil, !isSilent, !hasRatesBeside, !sample.rrIntervals.isEmpty {
            let total = sample.rrIntervals.reduce(0, +)
            sample.rate = (600 * Double(sample.rrIntervals.count) / total).rounded() / 10
        }
        return sample
    }
}

extension RecordedReading {
    /// A rate as devices write it, with -1 and 0 for none; `nil` if it is not a heart rate.
    init?(time: Double, place: Int, rate: Double) {
        let isSilent = rate == 0 || rate == -1
        guard isSilent || Self.plausibleRates.contains(rate) else { return nil }
        self.init(
            time: time, place: place, sample: HeartRateSample(rate: isSilent ? nil : rate),
            isSilent: isSilent)
    }
}
