/// When a beat occurred, as far as a strap's notifications show.
package struct BeatEstimate: Hashable, Sendable {
    /// The time on the clock of the arrivals, seconds.
    package var time: Double
    /// How much earlier the beat may have been, seconds, apart from the strap's own constant delay, which cannot be
    /// known from outside.
    package var uncertainty: Double
}

/// Puts the beats of a strap on the clock of their arrivals.
///
/// A strap sends the lengths of intervals, but no times. Their sum is a clock of its own, accurate to a
/// millisecond, which the arrivals connect with ours. No beat arrives before it happened, so the smallest
/// difference between arrival and sum over the last minute connects the clocks best. After a gap they are connected
/// again, because it is not known how many beats were in the gap.
package struct BeatClock: Hashable, Sendable {
    /// How many notifications are used to connect the clocks: about a minute.
    private static let memory = 64
    /// This many consecutive notifications that are too late by more than 1.5 intervals prove that beats are
    /// missing.
    private static let patience = 3
    /// A longer silence than this is a gap, whatever the intervals say, seconds.
    private static let longestSilence = 5.0
    /// How much a strap's period adds to the uncertainty of the very first beat, seconds.
    private static let period = 1.0
    /// The smallest uncertainty: the resolution of the intervals, seconds.
    private static let resolution = 1.0 / 1024

    /// Sum of the intervals since the clocks were connected, seconds.
    private var sum = 0.0
    /// Arrival minus sum for each notification, oldest first.
    private var differences: [Double] = []
    private var lateCount = 0
    private var lastArrival: Double?
    /// How much later than the intervals explain a notification came at most, seconds.
    package private(set) var largestResidual = 0.0
    /// How often that went on, so that beats must have been missed unseen.
    package private(set) var breaks = 0

    package init() {}

    /// Beats were missed, so the next notification connects the clocks again.
    package mutating func restart() { (sum, differences, lateCount, lastArrival) = (0, [], 0, nil) }

    /// Takes a notification and returns when its last beat was; `nil` if it has no intervals.
    ///
    /// - Parameters:
    ///   - intervals: seconds between beats, oldest first.
    ///   - arrival: when it arrived, seconds; never earlier than the notification before.
    package mutating func take(_ intervals: [Double], at arrival: Double) -> BeatEstimate? {
        guard let last = intervals.last else { return nil }
        let total = intervals.reduce(0, +)
        if let lastArrival, arrival - lastArrival - total > max(Self.longestSilence, 1.5 * last) { restart() }
        lastArrival = arrival
        sum += total
        append(arrival - sum)
        if isLate(by: last) {
            lateCount += 1
            if lateCount >= Self.patience { tieAnew() }
        } else {
            lateCount = 0
        }
        guard let tie = differences.min(), let latest = differences.max() else { return nil }
        largestResidual = max(largestResidual, arrival - sum - tie)
        let ignorance = max(last, Self.period)
        // Of n evenly spread arrivals, the earliest lies within three n-ths of the spread in 19 of 20 cases.
        let doubt = differences.count == 1 ? ignorance : 3 * (latest - tie) / Double(differences.count)
        return BeatEstimate(time: sum + tie, uncertainty: min(max(doubt, Self.resolution), ignorance))
    }

    private mutating func append(_ difference: Double) {
        if differences.count == Self.memory { differences.removeFirst() }
        differences.append(difference)
    }

    /// Whether the newest beat seems to have come later than beats can.
    private func isLate(by interval: Double) -> Bool {
        guard let newest = differences.last, let tie = differences.min() else { return false }
        return newest - tie > 1.5 * interval + Self.period
    }

    /// Forgets all notifications except those that proved the connection wrong.
    private mutating func tieAnew() {
        breaks += 1
        differences = Array(differences.suffix(Self.patience))
        lateCount = 0
    }
}
