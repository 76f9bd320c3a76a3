import Glibc

/// How much of a signal's power lies at one pulse rate and its double.
///
/// Power within 0.15 Hz of the strongest frequency from 0.7 to 3.5 Hz and within 0.2 Hz of twice that,
/// over the rest from 0.6 to 6 Hz; 2 is good, 3 is very good.
struct SpectralSignal {
    private typealias Lanes = SIMD8<Float>
    private static let window = 10.0
    private static let hop = 5.0
    private static let lowest = 0.6
    private static let step = 0.05
    private static let count = 109
    private let factors: [Lanes]
    private let taper: [Float]
    private let rate: Double

    /// - Parameter rate: samples per second.
    init(rate: Double, longest: Int) {
        self.rate = rate
        let length = max(2, min(longest, Int(Self.window * rate)))
        taper = (0..<length).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(length))) }
        factors = stride(from: 0, to: Self.count, by: Lanes.scalarCount).map { first in
            var lanes = Lanes.zero
            for lane in lanes.indices {
                let frequency = Self.lowest + Self.step * Double(first + lane)
                lanes[lane] = Float(2 * cos(2 * .pi * frequency / rate))
            }
            return lanes
        }
    }

    /// One ratio for each window of 10 s, every 5 s; 0 if the signal is flat.
    func ratios(of signal: [Double]) -> [Double] {
        stride(from: 0, through: signal.count - taper.count, by: max(1, Int(Self.hop * rate))).map { start in
            ratio(power(of: tapered(signal[start..<start + taper.count])))
        }
    }

    /// The samples without their linear trend, scaled to unit size, and faded in and out.
    private func tapered(_ part: ArraySlice<Double>) -> [Float] {
        let count = Double(part.count)
        let mean = part.reduce(0, +) / count
        var (slope, spread) = (0.0, 0.0)
        for (index, value) in part.enumerated() {
            let x = Double(index) - (count - 1) / 2
            slope += x * (value - mean)
            spread += x * x
        }
        slope /= spread
        var rest = part.enumerated().map { $1 - mean - slope * (Double($0) - (count - 1) / 2) }
        let size = (rest.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
        guard size > 1e-9 * (abs(mean) + 1e-9) else { return [] }
        for index in rest.indices { rest[index] /= size }
        return zip(rest, taper).map { Float($0) * $1 }
    }

    /// Goertzel's recursion for eight frequencies at a time.
    private func power(of samples: [Float]) -> [Double] {
        var power: [Double] = []
        guard !samples.isEmpty else { return power }
        power.reserveCapacity(Self.count + 7)
        for factor in factors {
            var (before, last) = (Lanes.zero, Lanes.zero)
            for sample in samples { (before, last) = (last, factor * last - before + sample) }
            let lanes = last * last + before * before - factor * last * before
            for lane in lanes.indices { power.append(Double(max(0, lanes[lane]))) }
        }
        return power
    }

    private func ratio(_ power: [Double]) -> Double {
        guard !power.isEmpty else { return 0 }
        let frequency = { (bin: Int) in Self.lowest + Self.step * Double(bin) }
        var top = 2
        for bin in 2...58 where power[bin] > power[top] { top = bin }
        let (base, slack) = (frequency(top), Self.step / 10)
        var (signal, rest) = (0.0, 0.0)
        for bin in 0..<Self.count {
            let isNear =
                abs(frequency(bin) - base) <= 0.15 + slack || abs(frequency(bin) - 2 * base) <= 0.2 + slack
            if isNear { signal += power[bin] } else { rest += power[bin] }
        }
        return signal / max(rest, 1e-9 * signal)
    }
}
