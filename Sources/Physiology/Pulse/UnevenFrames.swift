import Glibc

/// Resamples frames that come unevenly, such as those of a camera that randomly loses every other one, to a steady
/// rate.
///
/// Linear interpolation cuts off the crest of a wave if several consecutive frames are missing. So the low-pass
/// part of the interpolation is taken, and its error at the frames is added to it, repeatedly: the method of
/// Papoulis 1975, IEEE Trans Circuits Syst 22: 735, for a band below 4.5 Hz.
struct UnevenFrames {
    private static let rounds = 6
    private static let band = 4.5
    /// Seconds to each side of the kernel's middle.
    private static let reach = 0.3
    /// Linear interpolation is not good enough if gaps longer than `longGap` seconds make up more than this share
    /// of the time.
    private static let (longGap, longShare) = (0.075, 0.2)

    /// The frame before each sample, and the sample's position on the way to the next frame.
    private let places: [(frame: Int, weight: Double)]
    /// Each frame's place among the samples, from their start.
    private let positions: [Double]
    private let kernel: [Double]

    /// Whether linear interpolation is not good enough.
    static func areUneven(_ times: [Double]) -> Bool {
        guard let first = times.first, let last = times.last else { return false }
        let long = zip(times.dropFirst(), times).lazy.map { $0 - $1 }.filter { $0 > longGap }
        return long.reduce(0, +) > longShare * (last - first)
    }

    /// - Parameters:
    ///   - positions: of the frames, in samples from the first, ascending.
    ///   - places: of the samples between the frames.
    ///   - rate: samples per second.
    init(positions: [Double], places: [(frame: Int, weight: Double)], rate: Double) {
        self.positions = positions
        self.places = places
        let reach = Int(Self.reach * rate)
        kernel = (-reach...reach).map { tap in
            let x = 2 * Self.band * Double(tap) / rate
            let sinc = tap == 0 ? 1 : sin(.pi * x) / (.pi * x)
            return sinc * (0.5 + 0.5 * cos(.pi * Double(tap) / Double(reach + 1)))
        }
    }

    /// The samples of a signal that is known at the frames.
    func samples(of values: [Double]) -> [Double] {
        var signal = smoothed(lines(through: values))
        for _ in 0..<Self.rounds {
            let rest = values.indices.map { values[$0] - value(of: signal, at: positions[$0]) }
            for (index, more) in smoothed(lines(through: rest)).enumerated() { signal[index] += more }
        }
        return signal
    }

    private func lines(through values: [Double]) -> [Double] {
        places.map { values[$0.frame] + (values[$0.frame + 1] - values[$0.frame]) * $0.weight }
    }

    private func value(of signal: [Double], at position: Double) -> Double {
        let left = min(max(0, Int(position)), signal.count - 2)
        return signal[left] + (signal[left + 1] - signal[left]) * (position - Double(left))
    }

    /// The signal without frequencies above the band; at the ends, the mean of fewer samples.
    private func smoothed(_ signal: [Double]) -> [Double] {
        let reach = kernel.count / 2
        return signal.indices.map { middle in
            var (sum, weight) = (0.0, 0.0)
            for index in max(0, middle - reach)...min(signal.count - 1, middle + reach) {
                let tap = kernel[index - middle + reach]
                sum += tap * signal[index]
                weight += tap
            }
            return sum / weight
        }
    }
}
