import Glibc
import StudyModel

/// The power of a signal by frequency, averaged over overlapping stretches.
struct WelchSpectrum {
    /// Power per hertz at multiples of `step`, from 0.
    private var density: [Double]
    /// Hz.
    private let step: Double

    /// - Parameters:
    ///   - signal: at least `length` samples.
    ///   - length: samples of a stretch, at least 2; neighbouring stretches share half of them.
    ///   - rate: samples per second.
    init(of signal: [Double], length: Int, rate: Double) {
        var size = 1024
        while size < length { size *= 2 }
        let taper = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }
        let starts = Array(stride(from: 0, through: signal.count - length, by: max(1, length / 2)))
        let transform = FourierTransform(size: size)
        var sum = Array(repeating: 0.0, count: size / 2 + 1)
        // Two stretches are transformed together, as the real and the imaginary part; their powers add up.
        for pair in stride(from: 0, to: starts.count, by: 2) {
            var real = Self.stretch(of: signal, at: starts[pair], taper: taper, size: size)
            var imaginary =
                pair + 1 < starts.count
                ? Self.stretch(of: signal, at: starts[pair + 1], taper: taper, size: size)
                : Array(repeating: 0, count: size)
            transform.apply(&real, &imaginary)
            for bin in sum.indices {
                let mirror = bin == 0 ? 0 : size - bin
                sum[bin] +=
                    (real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
                        + real[mirror] * real[mirror] + imaginary[mirror] * imaginary[mirror]) / 2
            }
        }
        let taperPower = taper.reduce(0) { $0 + $1 * $1 }
        density = sum.map { 2 * $0 / (Double(starts.count) * rate * taperPower) }
        step = rate / Double(size)
    }

    private static func stretch(of signal: [Double], at start: Int, taper: [Double], size: Int) -> [Double] {
        let part = signal[start..<start + taper.count]
        let mean = part.mean
        var padded = Array(repeating: 0.0, count: size)
        for (index, value) in part.enumerated() { padded[index] = (value - mean) * taper[index] }
        return padded
    }

    /// The power of a band, in the unit of the signal squared.
    func power(from low: Double, to high: Double) -> Double {
        // Each bin represents the frequencies half a step to either side.
        density.enumerated().reduce(0) { sum, bin in
            let (left, right) = (step * (Double(bin.offset) - 0.5), step * (Double(bin.offset) + 0.5))
            return sum + bin.element * max(0, min(right, high) - max(left, low))
        }
    }
}

/// The discrete Fourier transform of a fixed size, by Cooley and Tukey's method.
struct FourierTransform {
    private let size: Int
    private let cosines: [Double]
    private let sines: [Double]

    /// - Parameter size: a power of two, at least 2.
    init(size: Int) {
        precondition(size >= 2 && size & (size - 1) == 0, "a power of two")
        self.size = size
        cosines = (0..<size / 2).map { cos(2 * .pi * Double($0) / Double(size)) }
        sines = (0..<size / 2).map { -sin(2 * .pi * Double($0) / Double(size)) }
    }

    /// Transforms in place.
    func apply(_ real: inout [Double], _ imaginary: inout [Double]) {
        reverseBits(&real, &imaginary)
        var half = 1
        while half < size {
            let stride = size / (2 * half)
            for start in Swift.stride(from: 0, to: size, by: 2 * half) {
                for offset in 0..<half {
                    let (low, high) = (start + offset, start + offset + half)
                    let (cosine, sine) = (cosines[offset * stride], sines[offset * stride])
                    let turnedReal = real[high] * cosine - imaginary[high] * sine
                    let turnedImaginary = real[high] * sine + imaginary[high] * cosine
                    real[high] = real[low] - turnedReal
                    imaginary[high] = imaginary[low] - turnedImaginary
                    real[low] += turnedReal
                    imaginary[low] += turnedImaginary
                }
            }
            half *= 2
        }
    }

    private func reverseBits(_ real: inout [Double], _ imaginary: inout [Double]) {
        var reversed = 0
        for index in 1..<size {
            var bit = size >> 1
            while reversed & bit != 0 {
                reversed ^= bit
                bit >>= 1
            }
            reversed |= bit
            if index < reversed {
                real.swapAt(index, reversed)
                imaginary.swapAt(index, reversed)
            }
        }
    }
}
