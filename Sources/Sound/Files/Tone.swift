import Glibc
package import StudyModel

/// The program's own tones, each with a soft beginning and end, at -18 dB. On both sides they are as loud as a clip
/// of -18 LUFS.
package struct Tone: Hashable, Sendable {
    /// Hz.
    private let frequency: Double
    private let milliseconds: Int

    /// Every tone, by the name that a cue gives it.
    package static let all: [Identifier: Tone] = [
        "tone": Tone(frequency: 880, milliseconds: 250),
        "countdown": Tone(frequency: 660, milliseconds: 80),
        "lastSecond": Tone(frequency: 990, milliseconds: 160),
        "breatheIn": Tone(frequency: 392, milliseconds: 400),
        "breatheOut": Tone(frequency: 294, milliseconds: 400),
    ]

    /// - Parameter rate: frames per second.
    /// - Returns: interleaved stereo.
    package func samples(rate: Int) -> [Float] {
        let count = rate * milliseconds / 1000
        let ramp = Double(rate) * 0.01
        var samples: [Float] = []
        samples.reserveCapacity(count * 2)
        for frame in 0..<count {
            let edge = min(1, Double(min(frame, count - frame)) / ramp)
            let level = 0.126 * sin(edge * .pi / 2)
            let value = Float(level * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
            samples.append(value)
            samples.append(value)
        }
        return samples
    }
}
