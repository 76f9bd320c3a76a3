/// Finds heartbeats in an electrocardiogram while its samples come in, and says how far it can be believed.
///
/// Waves are found as Pan and Tompkins 1985 (IEEE Trans Biomed Eng 32:230) and Hamilton 2002 (Comput Cardiol 29:101)
/// do: by the energy of their slopes. Which of them are beats is decided half a minute at a time, with a quarter of a
/// minute before and after in view, so that nothing is learned from a bad beginning: see `QRSJudge` and `QRSChain`. It
/// needs neither the unit nor the polarity of the lead.
///
/// Every ten seconds have a quality, and those below `leastQuality` give no beats. Memory is bounded, but for that
/// list. Beats come in order.
package struct ECGDetector: Sendable {
    /// A heartbeat.
    package struct Beat: Hashable, Sendable {
        /// Always the same point of the beat in a lead, R or S; seconds since the first sample, finer than the samples.
        package var time: Double
        /// Whether the signal was missing, flat or refused between this beat and the one before, so that no interval
        /// ends here. So it is for the first beat.
        package var isAfterGap: Bool
    }

    /// About ten seconds of the signal.
    package struct Segment: Hashable, Sendable {
        /// Seconds since the first sample.
        package var start: Double
        package var seconds: Double
        /// How alike its beats are, and how far they rise above what is between them; 0...1.
        package var quality: Double

        /// Whether its beats can be believed.
        package var isUsable: Bool { quality >= ECGDetector.leastQuality }
    }

    /// Sampling rates that are understood, Hz.
    package static let rates = 100.0...4000.0
    /// From a beat until it is given, at most; seconds.
    package static let longestLatency = QRSStretch.latency + 1
    /// The quality from which beats are believed. On noise of known strength, it parts segments with one beat in twenty
    /// wrong from worse ones.
    package static let leastQuality = 0.5

    /// The segments that have been judged.
    package private(set) var segments: [Segment] = []

    private let rate: Double
    private var stretch: QRSStretch?
    private var lead = QRSLead()
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
        return held.isEmpty ? nil : held.removeFirst()
    }

    /// The beats that were not given yet, because the signal ends here.
    package mutating func finish() -> [Beat] {
        endStretch()
        defer { held = [] }
        return held
    }

    private mutating func take(_ sample: Double) {
        guard abs(sample) < Self.largest else {
            endStretch()
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
        stretch?.append(sample)
        if stretch?.isDue == true, let found = stretch?.decide(with: &lead) { hold(found) }
    }

    private mutating func hold(_ found: [QRSStretch.Part]) {
        for part in found {
            let segment = Segment(
                start: (Double(start) + part.start) / rate, seconds: part.length / rate,
                quality: part.quality)
            segments.append(segment)
            guard segment.isUsable else {
                isAfterGap = true
                continue
            }
            for beat in part.beats {
                held.append(Beat(time: (Double(start) + beat) / rate, isAfterGap: isAfterGap))
                isAfterGap = false
            }
        }
    }

    private mutating func endStretch() {
        if let found = stretch?.finish(with: &lead) { hold(found) }
        stretch = nil
        isAfterGap = true
    }

    private mutating func endFlatStretch() {
        endStretch()
        let onset = Double(count - equal.count + 1) / rate
        held.removeAll { $0.time > onset - Self.jump }
    }
}
