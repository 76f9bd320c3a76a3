import Glibc

/// Changes the rate of a stereo sound by band-limited interpolation: a Kaiser-windowed sinc with 32 zero crossings,
/// about 90 dB down beyond the band. It adds no delay: the first frame stays the first.
package struct Resampler {
    private let step: Int
    private let phases: Int
    private let half: Int
    /// The filter's values, `2 * half` for each phase.
    private let table: [Float]
    /// Frames around the next output, `half - 1` before it; interleaved.
    private var window: [Float]
    /// The frame of the input at which `window` begins.
    private var base: Int64
    /// How many frames have been returned.
    private var given: Int64 = 0
    private var length: Int64?

    /// - Parameters:
    ///   - from: frames per second of the input.
    ///   - to: frames per second of the output.
    package init(from: Int, to: Int) {
        var (divisor, rest) = (from, to)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        step = from / divisor
        phases = to / divisor
        let cutoff = min(1, Double(to) / Double(from)) * 0.95
        half = Int((16 / cutoff).rounded(.up))
        var table: [Float] = []
        table.reserveCapacity(phases * half * 2)
        for phase in 0..<phases {
            let shift = Double(phase) / Double(phases)
            var taps: [Double] = []
            for tap in 0..<(half * 2) {
                let distance = Double(tap - half + 1) - shift
                taps.append(Self.filter(distance, cutoff: cutoff, half: Double(half)))
            }
            let sum = taps.reduce(0, +)
            table += taps.map { Float($0 / sum) }
        }
        self.table = table
        window = [Float](repeating: 0, count: (half - 1) * 2)
        base = Int64(1 - half)
    }

    /// Adds frames of the input.
    ///
    /// - Parameter isLast: whether no more frames come.
    package mutating func put(_ samples: [Float], isLast: Bool = false) {
        window += samples
        guard isLast else { return }
        length = base + Int64(window.count / 2)
        window += [Float](repeating: 0, count: half * 2)
    }

    /// Removes and returns all frames that can be computed from the input so far.
    package mutating func drain() -> [Float] {
        var output: [Float] = []
        output.reserveCapacity(window.count / 2 * phases / step * 2 + 2)
        while true {
            let position = given * Int64(step)
            let frame = position / Int64(phases)
            let first = Int(frame - base) - half + 1
            guard first + half * 2 <= window.count / 2, length.map({ frame < $0 }) != false else { break }
            var left: Float = 0
            var right: Float = 0
            let row = Int(position % Int64(phases)) * half * 2
            for tap in 0..<(half * 2) {
                let weight = table[row + tap]
                left += weight * window[(first + tap) * 2]
                right += weight * window[(first + tap) * 2 + 1]
            }
            output.append(left)
            output.append(right)
            given += 1
        }
        let done = Int(given * Int64(step) / Int64(phases) - base) - half + 1
        if done > 0 {
            let whole = min(done, window.count / 2)
            window.removeFirst(whole * 2)
            base += Int64(whole)
        }
        return output
    }

    private static func filter(_ distance: Double, cutoff: Double, half: Double) -> Double {
        guard abs(distance) < half else { return 0 }
        let angle = Double.pi * distance * cutoff
        let sinc = angle == 0 ? 1 : sin(angle) / angle
        let ratio = distance / half
        return sinc * bessel(9 * (1 - ratio * ratio).squareRoot()) / bessel(9)
    }

    /// The modified Bessel function of the first kind and order 0.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, order) = (1.0, 1.0, 1.0)
        while term > sum * 1e-12 {
            term *= (x / 2 / order) * (x / 2 / order)
            sum += term
            order += 1
        }
        return sum
    }
}
