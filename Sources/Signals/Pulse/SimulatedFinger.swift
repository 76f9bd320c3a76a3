import Physiology
import SessionPorts
import StudyModel

/// What a camera would see with a simulated heart: thirty pictures a second of a pulse without noise.
struct SimulatedFinger {
    private static let rate = 30.0
    /// After this time without intervals, the wave starts again. Seconds.
    private static let patience = 2.5
    /// When the last known beat was, in seconds since the source began.
    private var beat: Double?
    /// How many pictures have been reported so far.
    private var count = 0

    /// The pictures up to the last beat that the strap reported; flat and without quality if it detected none.
    ///
    /// - Parameters:
    ///   - elapsed: seconds since the source began.
    ///   - origin: when that was.
    mutating func reports(
        of notification: HeartRateNotification, at elapsed: Double, since origin: RunInstant,
        arrival: RunInstant
    ) -> [SourceReport] {
        var frames: [Timed<PulseFrame>] = []
        let missing = notification.rrIntervals.reduce(0, +)
        if beat.map({ elapsed - $0 > missing + Self.patience }) ?? true {
            if !notification.rrIntervals.isEmpty { beat = max(0, elapsed - missing) }
            addPictures(until: beat ?? elapsed, wave: nil, since: origin, arrival: arrival, into: &frames)
        }
        for interval in notification.rrIntervals {
            guard let start = beat else { break }
            // The strap does not say when its beats were, but they are never later than its notification.
            let end = min(start + interval, elapsed)
            addPictures(
                until: end, wave: (start, end - start), since: origin, arrival: arrival, into: &frames)
            beat = end
        }
        let quality = SignalQuality(
            notification.sensorContact ? 1 : 0, isClear: notification.sensorContact,
            at: origin.advanced(by: .seconds(elapsed)))
        return frames.map { .measured($0.map { .picture($0) }) } + [.quality(quality)]
    }

    /// Adds pictures up to a moment: of the wave that begins with a beat and lasts for an interval, or of no wave.
    private mutating func addPictures(
        until end: Double, wave: (beat: Double, interval: Double)?, since origin: RunInstant,
        arrival: RunInstant, into frames: inout [Timed<PulseFrame>]
    ) {
        while Double(count) / Self.rate < end {
            let time = Double(count) / Self.rate
            count += 1
            var frame = PulseFrame(red: 190, green: 60, blue: 30)
            if let wave {
                let height = 1 - abs(2 * min(1, max(0, (time - wave.beat) / wave.interval)) - 1)
                frame.filtered = ((height - 0.5) * 4 * 1_000).rounded() / 1_000
                frame.green -= frame.filtered
                frame.quality = 1
            }
            frames.append(Timed(frame, at: origin.advanced(by: .seconds(time)), arrival: arrival))
        }
        guard wave != nil, let last = frames.indices.last else { return }
        frames[last].value.beats = [end - Double(count - 1) / Self.rate]
    }
}
