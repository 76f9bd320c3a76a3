/// Converts between the frames of a device's stream and the moments when they are heard, on the machine's monotonic
/// clock.
///
/// Each callback reports when its first frame will be heard, some with several milliseconds of jitter. The clock is
/// the median of many such reports. It follows the slow drift of the device's crystal slowly, and corrects at once
/// only if the device stood still.
package struct StreamClock: Sendable {
    /// Frames per second.
    package let rate: Double
    /// When frame 0 would be heard of a device that never stood still, nanoseconds of the monotonic clock.
    private var origin: Int64
    /// How the device stood still so far: what was heard before stays where it was.
    private var leaps: [Leap] = []
    /// By how much the reports since the last correction differ from this clock, nanoseconds.
    private var errors: [(frame: Int64, nanoseconds: Int64)] = []
    /// The newest report.
    private var last: Report?
    /// The frame at which the device last stood still, until it is known exactly for how long.
    private var restart: Int64?
    /// What is left to be corrected, and when the last step was taken, nanoseconds.
    private var correction: Int64 = 0
    private var lastStep: Int64

    /// A callback's report: this frame is heard at this moment (nanoseconds).
    package struct Report: Hashable, Sendable {
        package var frame: Int64
        package var heard: Int64
        /// When the callback said so.
        package var called: Int64

        package init(frame: Int64, heard: Int64, called: Int64 = 0) {
            (self.frame, self.heard, self.called) = (frame, heard, called)
        }
    }

    /// From a frame on, everything is heard later than was thought, by this many nanoseconds: the device stood still
    /// before it. Below 0: earlier.
    package struct Leap: Hashable, Sendable {
        package var frame: Int64
        package var delay: Int64
    }

    /// How many reports must agree before they are trusted.
    private static let enough = 8
    /// How many reports the clock uses.
    private static let memory = 64
    /// Deviations below this are not corrected, nanoseconds, because the device itself is not more precise.
    private static let tolerance: Int64 = 1_000_000
    /// A deviation beyond this means that the device stood still, nanoseconds.
    private static let leap: Int64 = 30_000_000
    /// A device that asks for nothing for so much longer than its frames last has stood still, nanoseconds.
    private static let silence: Int64 = 250_000_000
    /// Two reports that differ by less say the same, nanoseconds.
    private static let agreement: Int64 = 5_000_000
    /// The fastest correction, which is the drift of a poor crystal. It moves sounds that are 300 ms apart by at
    /// most one sample.
    private static let slew = 0.000_065

    /// - Parameter reports: so far; nothing comes of them while the device has not settled. One that begins asks
    ///   for its whole buffer at once and may then wait for more than a second.
    package init?(settled reports: [Report], rate: Double) {
        guard let newest = reports.last else { return nil }
        let recent = reports.filter { newest.called - $0.called <= 500_000_000 }
        // A device with long periods reports less often.
        let last = recent.count < Self.enough ? Array(reports.suffix(Self.enough)) : recent
        guard last.count >= Self.enough, let first = last.first else { return nil }
        let origins = last.map { $0.heard - Int64((Double($0.frame) * 1e9 / rate).rounded()) }
        guard let low = origins.min(), let high = origins.max(), high - low < 10_000_000,
            newest.called - first.called > 300_000_000
        else { return nil }
        self.init(rate: rate, from: last)
    }

    /// - Parameter reports: at least one.
    package init(rate: Double, from reports: [Report]) {
        self.rate = rate
        origin = reports.map { $0.heard - Int64((Double($0.frame) * 1e9 / rate).rounded()) }.median
        lastStep = reports.map(\.heard).max() ?? 0
    }

    /// Adds a callback's report.
    ///
    /// - Returns: how the device stood still, if that is known now.
    @discardableResult
    package mutating func take(_ report: Report) -> Leap? {
        step(to: report.heard)
        defer { last = report }
        let error = report.heard - nanoseconds(of: report.frame)
        if let last, abs(error) > Self.leap, isLate(report, after: last) {
            restart = report.frame
            return leap(by: error, at: report.frame)
        }
        if restart != nil, let last, isHurried(report, after: last) { return nil }
        errors.append((report.frame, error))
        if let restart, let correction = restarted() { return leap(by: correction, at: restart) }
        guard restart == nil, errors.count >= Self.enough else { return nil }
        let newest = errors.suffix(Self.enough)
        if newest.allSatisfy({ abs($0.nanoseconds) > Self.leap }) {
            return leap(by: newest.map(\.nanoseconds).median, at: newest[newest.startIndex].frame)
        }
        guard errors.count >= Self.memory else { return nil }
        let whole = errors.map(\.nanoseconds).median
        correction = abs(whole) > Self.tolerance ? whole : 0
        errors.removeAll(keepingCapacity: true)
        return nil
    }

    /// The device may have stood still just now, for less than what is noticed otherwise: it ran out of sound. What was
    /// reported before says nothing about that, even if it stood still a moment ago.
    package mutating func doubt() {
        guard let last else { return }
        (restart, errors) = (last.frame, [])
    }

    /// What the reports since the device stood still say about how long that was: at first two, and at last many.
    ///
    /// - Returns: the correction, if they differ from this clock.
    private mutating func restarted() -> Int64? {
        let found = errors.map(\.nanoseconds)
        if found.count >= Self.enough {
            restart = nil
            return abs(found.median) > Self.tolerance ? found.median : nil
        }
        guard found.count == 2, abs(found[0] - found[1]) < Self.agreement, abs(found.median) > Self.agreement
        else { return nil }
        return found.median
    }

    /// Whether a device that stood still fills its buffer: it asks for frames faster than they are heard, and cannot know
    /// yet when that is.
    private func isHurried(_ report: Report, after last: Report) -> Bool {
        let frames = Double(report.frame - last.frame) * 1e9 / rate
        return Double(report.called - last.called) < frames / 2
    }

    /// Whether the device asked for a frame so much later than for the one before that it must have run out of them.
    private func isLate(_ report: Report, after last: Report) -> Bool {
        let frames = Double(report.frame - last.frame) * 1e9 / rate
        return report.called - last.called - Int64(frames) > Self.silence
    }

    private mutating func leap(by delay: Int64, at frame: Int64) -> Leap {
        errors = []
        correction = 0
        let leap = Leap(frame: frame, delay: delay)
        leaps.append(leap)
        return leap
    }

    /// Applies a part of the correction that is too small to be heard.
    private mutating func step(to moment: Int64) {
        let most = Int64(Double(max(0, moment - lastStep)) * Self.slew)
        let part = min(max(correction, -most), most)
        origin += part
        correction -= part
        lastStep = max(lastStep, moment)
    }

    /// When a frame is heard, or was.
    package func nanoseconds(of frame: Int64) -> Int64 {
        origin + Int64((Double(frame) * 1e9 / rate).rounded()) + delay(of: frame)
    }

    /// The frame that is heard at a moment, rounded to the nearest; the next one while the device stands still.
    package func frame(at nanoseconds: Int64) -> Int64 {
        let frame = { delay in Int64((Double(nanoseconds - origin - delay) * rate / 1e9).rounded()) }
        // The last stillness before the moment counts, and nothing before it is heard after it.
        for leap in leaps.reversed() {
            let after = frame(delay(of: leap.frame))
            if after >= leap.frame { return after }
            let before = frame(delay(of: leap.frame - 1))
            if before >= leap.frame { return leap.frame }
        }
        return frame(0)
    }

    private func delay(of frame: Int64) -> Int64 {
        leaps.reduce(0) { $1.frame <= frame ? $0 + $1.delay : $0 }
    }
}

extension Collection<Int64> {
    /// The middle value, or the mean of the two middle values. There must be at least one value.
    fileprivate var median: Int64 {
        let ordered = sorted()
        let upper = ordered[ordered.count / 2]
        return ordered.count.isMultiple(of: 2) ? (ordered[ordered.count / 2 - 1] + upper) / 2 : upper
    }
}
