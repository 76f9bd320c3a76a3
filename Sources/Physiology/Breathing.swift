import StudyModel

/// How fast somebody breathed in a stretch of time, with how sure that is.
///
/// The breaths of a belt are counted: `BreathDurations`. Other signals are put on an even grid of 4 Hz and cut into windows of a minute, half overlapping, each without its straight
/// line. The highest peak of a window's periodogram (Hann), or of the geometric mean of two signals' periodograms, between 6 and 36 breaths a minute is its rate; the share of
/// the power within ±1.5 breaths a minute of it and between 4 and 48 is its quality. Rates are means over the windows,
/// weighted by their qualities.
///
/// A breath moves a belt, the time between beats (respiratory sinus arrhythmia) and the height of the R waves of an ECG:
/// for the last two see Charlton 2016, Physiol Meas 37:610.
package struct Breathing: Hashable, Sendable {
    /// What the rate was worked out from.
    package enum Origin: String, Hashable, Sendable, CaseIterable {
        /// A belt.
        case belt
        /// The height of the R waves and the intervals between beats.
        case ecg
        /// The intervals between beats.
        case intervals
    }

    /// Breaths per minute.
    package let rate: Double
    /// How sure that is, 0...1: of a belt, how even the breaths are; else the share of the power at that rate.
    package let quality: Double
    package let origin: Origin

    /// Below this quality a rate is doubtful.
    package static let doubtful = 0.5
    /// A shorter stretch has no rate, seconds.
    package static let shortest = 30.0

    private static let gridRate = 4.0
    private static let window = 60.0
    private static let rates = 6.0...36.0
    private static let band = 4.0...48.0
    private static let step = 0.25
    private static let halfWidth = 1.5

    /// A signal at times of its own: seconds, and a value in any unit.
    package typealias Series = [(time: Double, value: Double)]

    /// - Parameter signals: of the same stretch; at most two, each counts alike, whatever its unit.
    /// - Returns: `nil` if the stretch is too short or has no variation.
    package init?(of signals: [Series], from origin: Origin) {
        let all = signals.filter { ($0.last?.time ?? 0) - ($0.first?.time ?? 0) >= Self.shortest }
        guard let start = all.compactMap(\.first?.time).min(), let end = all.compactMap(\.last?.time).max()
        else { return nil }
        var sums = (rate: 0.0, quality: 0.0, weight: 0.0, count: 0.0)
        var from = start
        repeat {
            let to = min(from + Self.window, end)
            if let (rate, quality) = Self.peak(of: all, from: from, to: to) {
                sums.rate += rate * quality
                sums.weight += quality
                sums.quality += quality
                sums.count += 1
            }
            from += Self.window / 2
        } while from + Self.window <= end
        guard sums.weight > 0 else { return nil }
        rate = sums.rate / sums.weight
        quality = sums.quality / sums.count
        self.origin = origin
    }

    /// The rate and the quality of a window.
    private static func peak(
        of signals: [Series], from start: Double, to end: Double
    ) -> (rate: Double, quality: Double)? {
        let frequencies = Array(stride(from: band.lowerBound, through: band.upperBound, by: step))
        let spectra = signals.compactMap { signal in
            grid(signal, from: start, to: end).map { periodogram($0, at: frequencies) }
        }
        guard let first = spectra.first else { return nil }
        // What both signals have is breath; each has slow waves of its own.
        let power = first.indices.map { index in
            spectra.count == 1
                ? first[index] : spectra.reduce(1) { $0 * $1[index] }.squareRoot()
        }
        let whole = power.reduce(0, +)
        guard whole > 0,
            let highest = power.indices.filter({ rates.contains(frequencies[$0]) }).max(by: {
                power[$0] < power[$1]
            })
        else { return nil }
        let near = power.indices.filter { abs(frequencies[$0] - frequencies[highest]) <= halfWidth }
        let weight = near.reduce(0) { $0 + power[$1] }
        let centre = near.reduce(0) { $0 + power[$1] * frequencies[$1] } / weight
        return (centre, weight / whole)
    }

    /// The signal on an even grid, joined by straight lines, without its own straight line; `nil` if less than half of the
    /// time has samples.
    private static func grid(_ signal: Series, from start: Double, to end: Double) -> [Double]? {
        let count = Int((end - start) * gridRate)
        guard count >= Int(shortest * gridRate) - 1 else { return nil }
        var values: [Double] = []
        var (next, known) = (0, 0)
        for index in 0..<count {
            let time = start + Double(index) / gridRate
            while next < signal.count, signal[next].time < time { next += 1 }
            guard next > 0, next < signal.count else {
                values.append(.nan)
                continue
            }
            let (left, right) = (signal[next - 1], signal[next])
            let length = right.time - left.time
            guard length < 3, length > 0 else {
                values.append(.nan)
                continue
            }
            values.append(left.value + (right.value - left.value) * (time - left.time) / length)
            known += 1
        }
        guard 2 * known >= count else { return nil }
        let places = values.indices.filter { values[$0].isFinite }
        let meanPlace = places.reduce(0.0) { $0 + Double($1) } / Double(places.count)
        let mean = places.reduce(0) { $0 + values[$1] } / Double(places.count)
        let spread = places.reduce(0) { $0 + (Double($1) - meanPlace) * (Double($1) - meanPlace) }
        let slope =
            spread > 0
            ? places.reduce(0) { $0 + (Double($1) - meanPlace) * (values[$1] - mean) } / spread : 0
        return values.indices.map {
            values[$0].isFinite ? values[$0] - mean - slope * (Double($0) - meanPlace) : 0
        }
    }

    /// The power at frequencies, by Goertzel's recurrence.
    private static func periodogram(_ values: [Double], at frequencies: [Double]) -> [Double] {
        let last = Double(max(values.count - 1, 1))
        let shaped = values.enumerated().map { index, value in
            value * (0.5 - 0.5 * cosine(turns: Double(index) / last))
        }
        return frequencies.map { perMinute in
            let factor = 2 * cosine(turns: perMinute / 60 / gridRate)
            var (before, earlier) = (0.0, 0.0)
            for value in shaped {
                let now = value + factor * before - earlier
                (earlier, before) = (before, now)
            }
            return max(0, before * before + earlier * earlier - factor * before * earlier)
        }
    }

    private static func cosine(turns: Double) -> Double {
        sine(turns: (turns + 0.25).truncatingRemainder(dividingBy: 1))
    }
}

extension Breathing {
    /// From a belt.
    ///
    /// The breaths are counted. The quality falls from 1 to 0 while the variation of their durations grows from 0 to a half:
    /// above a quarter, a signal counts as poor (Charlton et al. 2021, Physiol Meas 42: 065002).
    package init?(belt: Series) {
        let known = belt.lazy.filter(\.value.isFinite).map(\.time)
        guard let first = known.first, let last = known.last, last - first >= Self.shortest else {
            return nil
        }
        let breaths = BreathDurations(of: belt)
        guard let rate = breaths.ratePerMinute else { return nil }
        (self.rate, origin) = (rate, .belt)
        quality = max(0, 1 - 2 * breaths.variation)
    }

    /// From intervals between beats, and the heights of the R waves at their ends if an ECG gives them.
    package init?(intervals: [HeartRateMean.Interval], heights: Series = []) {
        let series = intervals.map { (time: $0.time, value: $0.length) }
        guard series.count >= 20 else { return nil }
        self.init(
            of: heights.count >= 20 ? [series, heights] : [series],
            from: heights.count >= 20 ? .ecg : .intervals)
    }
}
