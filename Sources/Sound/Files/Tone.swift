import Glibc
package import StudyModel

/// The program's own tones, each with a soft beginning and end, at -18 dB. On both sides they are as loud as a clip
/// of -18 LUFS.
package struct Tone: Hashable, Sendable {
    /// Hz.
    fileprivate let frequency: Double
    fileprivate let milliseconds: Int
    /// The amplitude of -18 dB.
    fileprivate static let level = 0.126

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
            let level = Self.level * sin(edge * .pi / 2)
            let value = Float(level * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
            samples.append(value)
            samples.append(value)
        }
        return samples
    }
}

extension ReferenceTone {
    private static let beep = Tone(frequency: 1000, milliseconds: 250)

    /// One period.
    ///
    /// - Parameter rate: frames per second.
    /// - Returns: interleaved stereo.
    func samples(rate: Int) -> [Float] {
        let count = Int(period.frames(at: rate))
        guard self == .sides else {
            return (0..<count).flatMap { frame -> [Float] in
                let value = Float(Tone.level * sin(2 * .pi * 1000 * Double(frame) / Double(rate)))
                return [value, value]
            }
        }
        var samples = [Float](repeating: 0, count: count * 2)
        let beep = Self.beep.samples(rate: rate)
        for (place, sides) in [
            (left: true, right: false), (left: false, right: true), (left: true, right: true),
        ]
        .enumerated() {
            for number in 0...place {
                let start = Int((Double(place) * 2 + Double(number) * 0.4) * Double(rate)) * 2
                for index in beep.indices where index % 2 == 0 ? sides.left : sides.right {
                    samples[start + index] = beep[index]
                }
            }
        }
        return samples
    }
}
