import Glibc

/// A Butterworth band-pass of second order in two sections, run forwards and backwards: no phase shift.
///
/// Poles by the bilinear transform with prewarping, as scipy's `butter(2, [low, high], "band", "sos")`.
struct BandPass {
    private var sections: [(a1: Double, a2: Double)] = []
    private var gain = 1.0
    private let rate: Double

    /// - Parameters:
    ///   - low, high: corner frequencies in Hz, 0 < low < high < rate / 2.
    ///   - rate: samples per second.
    init(from low: Double, to high: Double, rate: Double) {
        self.rate = rate
        let w1 = 2 * rate * tan(.pi * low / rate)
        let w2 = 2 * rate * tan(.pi * high / rate)
        let half = (w2 - w1) / 2
        let pole = (re: -half * 0.5.squareRoot(), im: half * 0.5.squareRoot())
        let under = (re: pole.re * pole.re - pole.im * pole.im - w1 * w2, im: 2 * pole.re * pole.im)
        let length = (under.re * under.re + under.im * under.im).squareRoot()
        let root = (
            re: ((length + under.re) / 2).squareRoot(),
            im: ((length - under.re) / 2).squareRoot() * (under.im < 0 ? -1 : 1)
        )
        for sign in [1.0, -1.0] {
            let s = (re: pole.re + sign * root.re, im: pole.im + sign * root.im)
            let scale = (2 * rate - s.re) * (2 * rate - s.re) + s.im * s.im
            let z = (
                re: (4 * rate * rate - s.re * s.re - s.im * s.im) / scale, im: 4 * rate * s.im / scale
            )
            sections.append((a1: -2 * z.re, a2: z.re * z.re + z.im * z.im))
        }
        gain = 1 / response(at: 2 * atan((w1 * w2).squareRoot() / (2 * rate)))
    }

    /// The magnitude at a frequency in radians per sample, before the gain.
    private func response(at omega: Double) -> Double {
        sections.reduce(1) { product, section in
            let re = 1 + section.a1 * cos(omega) + section.a2 * cos(2 * omega)
            let im = section.a1 * sin(omega) + section.a2 * sin(2 * omega)
            return product * 2 * abs(sin(omega)) / (re * re + im * im).squareRoot()
        }
    }

    /// The signal within the band, with the same length.
    ///
    /// Both ends are extended for three seconds by their mirror image, point-reflected at the end's value, and the
    /// filter starts as if the first value had always been there.
    func apply(to signal: [Double]) -> [Double] {
        let pad = min(signal.count - 1, Int(3 * rate))
        guard pad > 0 else { return signal.map { _ in 0 } }
        let first = signal[0]
        let last = signal[signal.count - 1]
        var padded = [Double]()
        padded.reserveCapacity(signal.count + 2 * pad)
        for index in stride(from: pad, to: 0, by: -1) { padded.append(2 * first - signal[index]) }
        padded.append(contentsOf: signal)
        for index in 1...pad { padded.append(2 * last - signal[signal.count - 1 - index]) }
        run(over: &padded)
        padded.reverse()
        run(over: &padded)
        padded.reverse()
        return Array(padded[pad..<pad + signal.count])
    }

    private func run(over samples: inout [Double]) {
        let (p, q) = (sections[0], sections[1])
        var (p1, p2) = (-samples[0] * gain, -samples[0] * gain)
        var (q1, q2) = (0.0, 0.0)
        for index in samples.indices {
            let x = samples[index] * gain
            let y = x + p1
            p1 = p2 - p.a1 * y
            p2 = -x - p.a2 * y
            let z = y + q1
            q1 = q2 - q.a1 * z
            q2 = -y - q.a2 * z
            samples[index] = z
        }
    }
}
