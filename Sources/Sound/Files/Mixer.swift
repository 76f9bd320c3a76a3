/// Adds sounds, frame by frame. It uses no device and no clock: frames in, frames out.
package struct Mixer {
    /// The next frame to be rendered.
    package private(set) var frame: Int64 = 0
    /// The sounds that are or will be heard, by number. A sound that is over is forgotten.
    package private(set) var voices: [Int: Envelope] = [:]

    package init() {}

    /// Adds a sound that begins with the next frame or later.
    package mutating func add(_ number: Int, _ envelope: Envelope) {
        precondition(envelope.start >= frame, "a sound cannot begin in the past")
        voices[number] = envelope
    }

    /// Makes a sound silent from a frame on.
    package mutating func cut(_ number: Int, at end: Int64, softness: Int64) {
        voices[number]?.cut(at: end, rendered: frame, softness: softness)
    }

    /// Changes a sound's level from a frame on, and its own end.
    package mutating func change(
        _ number: Int, to gain: Double, at frame: Int64, within length: Int64, end: Int64?
    ) {
        voices[number]?.change(to: gain, at: frame, within: length)
        if let end { voices[number]?.end(at: end) }
    }

    /// Renders the next frames, interleaved stereo within ±1.
    ///
    /// - Parameter read: returns the next frames of a sound; fewer if it has ended or has none ready. It is asked
    ///   for every frame of a sound once, in order.
    package mutating func render(_ count: Int, read: (_ number: Int, _ count: Int) -> [Float]) -> [Float] {
        var output = [Float](repeating: 0, count: count * 2)
        let span = frame..<(frame + Int64(count))
        for (number, voice) in voices.sorted(by: { $0.key < $1.key }) {
            let from = max(span.lowerBound, voice.start)
            let to = min(span.upperBound, voice.end ?? .max)
            guard from < to else { continue }
            let samples = read(number, Int(to - from))
            let offset = Int(from - span.lowerBound) * 2
            let frames = from..<(from + Int64(samples.count / 2))
            if voice.isSteady(frames) {
                let level = voice.level(at: from)
                for index in samples.indices { output[offset + index] += level * samples[index] }
            } else {
                for (index, frame) in frames.enumerated() {
                    let level = voice.level(at: frame)
                    output[offset + index * 2] += level * samples[index * 2]
                    output[offset + index * 2 + 1] += level * samples[index * 2 + 1]
                }
            }
        }
        frame = span.upperBound
        for (number, voice) in voices where voice.end.map({ $0 <= frame }) == true { voices[number] = nil }
        for index in output.indices where abs(output[index]) > 1 {
            output[index] = output[index] < 0 ? -1 : 1
        }
        return output
    }

    /// Skips frames that will not be heard; sounds keep their time.
    package mutating func skip(to frame: Int64, read: (_ number: Int, _ count: Int) -> [Float]) {
        while self.frame < frame { _ = render(Int(min(4096, frame - self.frame)), read: read) }
    }
}
