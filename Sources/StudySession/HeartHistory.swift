import SessionPorts
import StudyEngine
import StudyModel

/// What a source said of the heart lately, for displays.
struct HeartHistory {
    private var beats: RecentBeats
    private var rate: (value: Double, instant: RunInstant)?
    private var isLost = false

    /// - Parameter reach: the longest time over which variability is asked for.
    init(reach: Duration) { beats = RecentBeats(reach: reach) }

    /// The source has no signal.
    mutating func lose() { isLost = true }

    /// Takes what a source said. What it sent twice, or too late, does not count.
    mutating func take(_ heart: HeartRateSample, at instant: RunInstant) {
        guard heart.sensorContact != false else { return }
        isLost = false
        if let value = heart.rate, rate.map({ $0.instant <= instant }) != false { rate = (value, instant) }
        beats.take(heart.rrIntervals, endingAt: heart.lastBeat?.instant ?? instant)
    }

    /// The heart rate at a moment.
    func rate(at now: RunInstant) -> Biofeedback.Shown {
        guard let rate else { return isLost ? .lost : .unknown }
        return isLost || rate.instant.duration(to: now) > HeartRateSample.freshness
            ? .lost : .value(rate.value.rounded())
    }

    /// The variability over the time before a moment, with artefacts corrected.
    func variability(_ measure: Biofeedback.Measure, over window: Duration, at now: RunInstant)
        -> Biofeedback.Shown
    {
        guard let last = beats.last else { return isLost ? .lost : .unknown }
        guard !isLost, last.duration(to: now) <= HeartRateSample.freshness else { return .lost }
        return beats.variability(measure, over: window, at: now).map { .value($0.rounded()) } ?? .unknown
    }
}
