import Glibc

/// How the variability divides into slow and fast parts: the power of the intervals in the two usual bands.
///
/// The intervals are interpolated at 4 Hz by a natural cubic spline; the spectrum is Welch's, over stretches of
/// half the recording or 5 minutes, whichever is shorter. They overlap by half; each has its mean removed and a
/// Hann window applied.
package struct FrequencyDomain: Hashable, Sendable {
    /// Power from 0.04 to 0.15 Hz, ms².
    package var lf: Double
    /// Power from 0.15 to 0.4 Hz, ms².
    package var hf: Double
    /// Power from 0.0033 to 0.04 Hz, ms²; `nil` below 300 s, or if the trend was removed.
    package var vlf: Double?
    /// Power from 0.0033 to 0.4 Hz, ms²; `nil` as `vlf`.
    package var total: Double? { vlf.map { $0 + lf + hf } }
    /// LF as a share of LF and HF together, percent.
    package var lfNormalized: Double { 100 * lf / (lf + hf) }
    /// HF as a share of LF and HF together, percent.
    package var hfNormalized: Double { 100 * hf / (lf + hf) }
    /// The ratio of LF to HF.
    package var ratio: Double { lf / hf }

    /// How many seconds without a gap a spectrum needs. LF has waves of up to 25 s.
    package static let shortestDuration = 120.0

    private static let rate = 4.0
    private static let longestStretch = 300.0

    /// How many seconds without a gap VLF needs.
    package static let shortestForVLF = 300.0

    /// - Parameters:
    ///   - intervals: milliseconds between beats, finite and above 0, without a gap.
    ///   - isDetrended: whether a slow trend is first removed by smoothness priors.
    /// - Returns: `nil` below 120 s, or if nothing varies in the fast band.
    package init?(_ intervals: [Double], isDetrended: Bool = false) {
        guard intervals.count > 3, intervals.reduce(0, +) >= 1000 * Self.shortestDuration else { return nil }
        let even = Self.evenly(intervals)
        let signal = isDetrended ? SmoothnessPriors.detrended(even) : even
        let length = min(signal.count / 2, Int(Self.longestStretch * Self.rate))
        let spectrum = WelchSpectrum(of: signal, length: length, rate: Self.rate)
        lf = spectrum.power(from: 0.04, to: 0.15)
        hf = spectrum.power(from: 0.15, to: 0.4)
        vlf =
            isDetrended || intervals.reduce(0, +) < 1000 * Self.shortestForVLF
            ? nil : spectrum.power(from: 0.0033, to: 0.04)
        // Below this there is only rounding error.
        guard hf > 1e-12 else { return nil }
    }

    /// The result for the longest of several stretches.
    package init?(longestOf stretches: [[Double]], isDetrended: Bool = false) {
        guard let longest = stretches.max(by: { $0.reduce(0, +) < $1.reduce(0, +) }) else { return nil }
        self.init(longest, isDetrended: isDetrended)
    }

    /// The intervals resampled at equal distances of time; each interval begins at its last beat.
    private static func evenly(_ intervals: [Double]) -> [Double] {
        var time = 0.0
        let times = intervals.map { interval in
            time += interval / 1000
            return time
        }
        let spline = NaturalSpline(times: times, values: intervals)
        let count = Int((time - times[0]) * rate) + 1
        var signal: [Double] = []
        signal.reserveCapacity(count)
        var left = 0
        for index in 0..<count {
            let moment = times[0] + Double(index) / rate
            while left + 2 < times.count, times[left + 1] <= moment { left += 1 }
            signal.append(spline.value(at: moment, after: left))
        }
        return signal
    }
}

/// A curve through points whose second derivative is continuous, and 0 at the ends.
struct NaturalSpline {
    private let times: [Double]
    private let values: [Double]
    private var bends: [Double]

    /// - Parameters:
    ///   - times: at least two, increasing.
    ///   - values: one for each time.
    init(times: [Double], values: [Double]) {
        self.times = times
        self.values = values
        let last = times.count - 1
        bends = Array(repeating: 0, count: times.count)
        var upper = bends
        for index in 1..<max(last, 1) {
            let (before, after) = (times[index] - times[index - 1], times[index + 1] - times[index])
            let turn =
                6
                * ((values[index + 1] - values[index]) / after - (values[index] - values[index - 1]) / before)
            let pivot = 2 * (before + after) - before * upper[index - 1]
            upper[index] = after / pivot
            bends[index] = (turn - before * bends[index - 1]) / pivot
        }
        for index in stride(from: last - 1, through: 1, by: -1) {
            bends[index] -= upper[index] * bends[index + 1]
        }
    }

    /// - Parameter left: the index of the point before `time`; not the last.
    func value(at time: Double, after left: Int) -> Double {
        let width = times[left + 1] - times[left]
        let (below, above) = (time - times[left], times[left + 1] - time)
        let cubic = bends[left] * above * above * above + bends[left + 1] * below * below * below
        let first = values[left] / width - bends[left] * width / 6
        let second = values[left + 1] / width - bends[left + 1] * width / 6
        return cubic / (6 * width) + first * above + second * below
    }
}
