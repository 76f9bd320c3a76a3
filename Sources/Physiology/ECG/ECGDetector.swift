/// Finds heartbeats in an electrocardiogram while its samples come in.
///
/// The method follows Pan and Tompkins 1985 (IEEE Trans Biomed Eng 32:230) and Hamilton 2002 (Comput Cardiol
/// 29:101): the energy of the slopes, a threshold between the usual heights of beats and of other waves, no two
/// beats within 200 ms, rejection of T waves by their slope, and a search back for weak beats if none came for one
/// and a half intervals. It needs neither the unit nor the polarity of the lead. The first three seconds of each
/// stretch teach the levels, and are then judged by them.
///
/// Memory is bounded. A beat is given `latency` after its peak; one found by the search back, or in the first three
/// seconds of a stretch, later, but within `longestLatency`. Beats come in order.
package struct ECGDetector: Sendable {
    /// A heartbeat.
    package struct Beat: Hashable, Sendable {
        /// The peak of the R wave, or of the S wave where that is larger; seconds since the first sample, finer than
        /// the samples.
        package var time: Double
        /// Whether the signal was missing or flat between this beat and the one before, so that no interval ends
        /// here. So it is for the first beat.
        package var isAfterGap: Bool
    }

    /// Sampling rates that are understood, Hz.
    package static let rates = 100.0...4000.0
    /// From a beat's peak until it is given, usually; seconds.
    package static let latency = 1.3
    /// From a beat's peak until it is given, at most; seconds.
    package static let longestLatency = 5.0

    private let rate: Double
    private var stretch: QRSStretch?
    /// The sample with which the stretch began.
    private var start = 0
    private var count = 0
    /// The samples at the end that are all equal.
    private var equal = (value: Double.nan, count: 0)
    private var isAfterGap = true
    private var held: [Beat] = []
    private var missing = 0

    /// A signal that does not change at all for this long is flat: a lead is off, or the amplifier saturated. Seconds.
    private static let longestFlat = 1.0
    /// Larger samples count as missing, because their differences would not be numbers.
    private static let largest = 1e100
    /// A beat this near to a flat stretch is the jump into it, seconds.
    private static let jump = 0.15

    /// - Parameter rate: samples per second, within `rates`.
    package init(rate: Double) {
        precondition(Self.rates.contains(rate), "\(rate) Hz is no sampling rate for beats")
        self.rate = rate
    }

    /// Seconds in which the signal was missing or flat.
    package var missingSeconds: Double { Double(missing) / rate }

    /// Takes the next sample.
    ///
    /// - Parameter sample: in any unit, below 1e100; not finite if it is missing.
    /// - Returns: the next beat that is certain by now.
    package mutating func append(_ sample: Double) -> Beat? {
        take(sample)
        count += 1
        guard let first = held.first, Double(count) / rate - first.time >= Self.latency else { return nil }
        return held.removeFirst()
    }

    /// The beats that were not given yet, because the signal ends here.
    package mutating func finish() -> [Beat] {
        endStretch()
        defer { held = [] }
        return held
    }

    private mutating func take(_ sample: Double) {
        guard abs(sample) < Self.largest else {
            if stretch != nil { endStretch() }
            equal = (.nan, 0)
            missing += 1
            return
        }
        equal = sample == equal.value ? (sample, equal.count + 1) : (sample, 1)
        let limit = Int(Self.longestFlat * rate)
        guard equal.count < limit else {
            missing += equal.count == limit ? limit : 1
            if stretch != nil { endFlatStretch() }
            return
        }
        if stretch == nil {
            stretch = QRSStretch(rate: rate, first: sample)
            start = count
        }
        hold(stretch?.append(sample) ?? [])
    }

    private mutating func hold(_ beats: [Double]) {
        for beat in beats {
            held.append(Beat(time: (Double(start) + beat) / rate, isAfterGap: isAfterGap))
            isAfterGap = false
        }
    }

    private mutating func endStretch() {
        hold(stretch?.finish() ?? [])
        stretch = nil
        isAfterGap = true
    }

    private mutating func endFlatStretch() {
        endStretch()
        let onset = Double(count - equal.count + 1) / rate
        held.removeAll { $0.time > onset - Self.jump }
    }
}
