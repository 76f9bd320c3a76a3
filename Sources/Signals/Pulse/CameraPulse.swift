import Physiology
import SessionPorts
import StudyModel

/// Turns a camera's frames into a source's reports. It uses no device and waits for nothing.
///
/// Twice a second it reports the frames that have settled, with their beats. Once a second it reports a heart rate
/// from the last ten seconds, if they are clear.
struct CameraPulse {
    /// The time from one estimate to the next, in seconds of the frames' own time.
    static let hop = 0.5
    /// There is a heart rate with every estimate of this number.
    private static let stride = 2
    /// The signal counts as lost after this many consecutive unclear estimates.
    private static let patience = 2

    private var follower = PulseFollower()
    private var isLive = false
    /// Consecutive estimates that were not clear.
    private var unclear = 0
    private var count = 0
    private var dropped = 0
    /// The time of the next estimate, seconds.
    private(set) var due: Double?
    /// How far the run is ahead of the frames' time.
    private var offset = Duration.zero
    private var lastInstant = RunInstant.start
    private var hasBegun = false

    /// Takes a frame that came in time.
    ///
    /// - Parameter frame: later than the frame before.
    mutating func append(_ frame: VideoFrames.Frame) {
        if due == nil { due = frame.time + Self.hop }
        follower.append(
            time: frame.time, red: frame.colour.red, green: frame.colour.green, blue: frame.colour.blue)
    }

    /// Counts a frame that was left out because it came too late.
    mutating func drop() { dropped += 1 }

    /// Whether an estimate is due before a frame with that time is taken.
    func isDue(before time: Double) -> Bool { due.map { $0 <= time } ?? false }

    /// The reports for the moment that is due.
    ///
    /// - Parameters:
    ///   - offset: from the frames' time to the run's.
    ///   - arrival: the run's time now.
    mutating func estimate(offset: Duration, arrival: RunInstant) -> [SourceReport] {
        guard let end = due else { return [] }
        due = end + Self.hop
        return reports(of: follower.reading(at: end), at: end, offset: offset, arrival: arrival)
    }

    /// The last reports, when no more frames will come.
    mutating func finish(at end: Double, offset: Duration, arrival: RunInstant) -> [SourceReport] {
        let reading = follower.reading(at: end, isLast: true)
        return reports(of: reading, at: end, offset: offset, arrival: arrival).filter {
            $0.heart?.value.rate == nil
        }
    }

    private mutating func reports(
        of reading: PulseFollower.Reading, at end: Double, offset: Duration, arrival: RunInstant
    ) -> [SourceReport] {
        self.offset = offset
        count += 1
        unclear = reading.isClear ? 0 : unclear + 1
        let wasLive = isLive
        isLive = reading.isClear || isLive && unclear < Self.patience
        let moment = min(instant(of: end), arrival)
        let quality = reading.window.quality.rounded(to: 1_000)
        var reports = pictures(reading.frames, arrival: arrival)
        reports.append(.quality(SignalQuality(quality, isClear: isLive, dropped: dropped, at: moment)))
        dropped = 0
        if isLive && !wasLive { reports.append(.live) }
        if isLive { reports += beats(of: reading, quality: quality, arrival: arrival) }
        if wasLive && !isLive {
            let nothing = HeartRateSample(rate: nil, sensorContact: false, quality: quality)
            reports.append(.sample(Timed(nothing, at: moment, arrival: arrival)))
        }
        if !isLive && (wasLive || !hasBegun) { reports.append(.lost(.noPulse)) }
        hasBegun = true
        if reading.isClear, count % Self.stride == 0, let bpm = reading.window.bpm {
            let sample = HeartRateSample(rate: bpm.rounded(to: 100), sensorContact: true, quality: quality)
            reports.append(.sample(Timed(sample, at: moment, arrival: arrival)))
        }
        return reports
    }

    private mutating func pictures(_ frames: [PulseFollower.Frame], arrival: RunInstant) -> [SourceReport] {
        frames.map { frame in
            .measured(
                Timed(.picture(PulseFrame(frame)), at: rising(instant(of: frame.time)), arrival: arrival))
        }
    }

    private func beats(
        of reading: PulseFollower.Reading, quality: Double, arrival: RunInstant
    ) -> [SourceReport] {
        reading.intervals.map { interval in
            let beat = HeartRateSample(
                rate: nil, rrIntervals: [interval.length.rounded(to: 100_000)], sensorContact: true,
                quality: quality)
            return .sample(Timed(beat, at: min(instant(of: interval.end), arrival), arrival: arrival))
        }
    }

    private func instant(of time: Double) -> RunInstant {
        .start.advanced(by: offset + .nanoseconds(Int64((time * 1e9).rounded())))
    }

    /// The instant, but never earlier than the last one, although the offset was corrected.
    private mutating func rising(_ instant: RunInstant) -> RunInstant {
        lastInstant = max(instant, lastInstant.advanced(by: .microseconds(1)))
        return lastInstant
    }
}

extension PulseFrame {
    fileprivate init(_ frame: PulseFollower.Frame) {
        self.init(
            red: frame.red.rounded(to: 10_000), green: frame.green.rounded(to: 10_000),
            blue: frame.blue.rounded(to: 10_000), filtered: frame.filtered.rounded(to: 100_000),
            beats: frame.beats.map { ($0 - frame.time).rounded(to: 10_000) },
            quality: frame.quality.rounded(to: 1_000))
    }
}

extension Double {
    /// Rounded to a number of steps per whole, such as 100 for two decimals.
    fileprivate func rounded(to steps: Double) -> Double { (self * steps).rounded() / steps }
}
