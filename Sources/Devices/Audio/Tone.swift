import Glibc

/// The program's own tones.
enum Tone {
    /// A quarter of a second at 880 Hz with a soft beginning and end, at -18 dB: on both sides as loud as a clip
    /// of -18 LUFS.
    ///
    /// - Parameter rate: frames per second.
    /// - Returns: interleaved stereo.
    static func samples(rate: Int) -> [Float] {
        let count = rate / 4
        let ramp = Double(rate) * 0.01
        var samples: [Float] = []
        samples.reserveCapacity(count * 2)
        for frame in 0..<count {
            let edge = min(1, Double(min(frame, count - frame)) / ramp)
            let level = 0.126 * sin(edge * .pi / 2)
            let value = Float(level * sin(2 * .pi * 880 * Double(frame) / Double(rate)))
            samples.append(value)
            samples.append(value)
        }
        return samples
    }
}
