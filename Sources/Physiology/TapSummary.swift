import Glibc
import StudyModel

/// How well somebody tapped in time.
///
/// The directional measures are those of circular statistics (Mardia & Jupp 2000), as Repp & Su (2013,
/// doi:10.3758/s13423-012-0371-2) describe them for tapping: a beat's period is a full turn.
package struct TapSummary: Hashable, Sendable {
    /// How many taps there are.
    package let count: Int
    /// How many of them have a beat.
    package let onBeats: Int
    /// Mean of the taps' moments less their beats', seconds; `nil` without a tap on a beat. Below zero if the taps
    /// came first.
    package let meanAsynchrony: Double?
    /// Standard deviation of these, n − 1, seconds; `nil` below two taps.
    package let asynchronyDeviation: Double?
    /// Direction of the mean of the phases as unit vectors, −180…180 degrees; `nil` without a tap on a beat.
    package let meanDirection: Double?
    /// Length of that mean, 0 for taps anywhere to 1 for taps always at the same phase; `nil` likewise.
    package let vectorLength: Double?
    /// Mean time between successive taps of one stretch, seconds; `nil` below two taps.
    package let meanInterval: Double?
    /// Standard deviation of these, n − 1, seconds; `nil` below two intervals.
    package let intervalDeviation: Double?

    /// A tap: its moment, and its distance from a beat if it has one.
    package struct Tap: Hashable, Sendable {
        /// Seconds.
        package var time: Double
        package var beat: Beat?

        package init(time: Double, beat: Beat?) { (self.time, self.beat) = (time, beat) }
    }

    /// How far a tap is from its beat.
    package struct Beat: Hashable, Sendable {
        /// Seconds, below zero if the tap came first.
        package var asynchrony: Double
        /// The same as an angle, −180…180 degrees.
        package var phase: Double

        /// - Returns: `nil` if one of them is not known.
        package init?(asynchrony: Double?, phase: Double?) {
            guard let asynchrony, let phase else { return nil }
            (self.asynchrony, self.phase) = (asynchrony, phase)
        }
    }

    /// - Parameter stretches: the taps by time, apart where a pause was between them.
    package init(_ stretches: [[Tap]]) {
        let beats = stretches.flatMap { $0.compactMap(\.beat) }
        count = stretches.reduce(0) { $0 + $1.count }
        onBeats = beats.count
        (meanAsynchrony, asynchronyDeviation) = Self.moments(beats.map(\.asynchrony))
        let intervals = stretches.flatMap { taps in zip(taps, taps.dropFirst()).map { $1.time - $0.time } }
        (meanInterval, intervalDeviation) = Self.moments(intervals)
        guard !beats.isEmpty else {
            (meanDirection, vectorLength) = (nil, nil)
            return
        }
        let angles = beats.map { $0.phase * .pi / 180 }
        let (across, up) = (angles.reduce(0) { $0 + cos($1) }, angles.reduce(0) { $0 + sin($1) })
        vectorLength = min(1, (across * across + up * up).squareRoot() / Double(beats.count))
        meanDirection = atan2(up, across) * 180 / .pi
    }

    private static func moments(_ values: [Double]) -> (mean: Double?, deviation: Double?) {
        guard !values.isEmpty else { return (nil, nil) }
        let mean = values.mean
        return (mean, values.count > 1 ? standardDeviation(values) : nil)
    }
}
