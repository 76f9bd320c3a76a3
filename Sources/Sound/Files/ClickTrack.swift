import Glibc
package import StudyModel

/// Clicks at the beats of a clip without a file. Each begins at the frame that is nearest to its beat.
package struct ClickTrack: Hashable, Sendable {
    private let beats: BeatGrid
    /// Frames per second.
    let rate: Int
    /// Frames until the track ends.
    let length: Int64
    /// One channel.
    private let click: [Float]

    /// A beep of 2 kHz that begins at once and dies away within 10 ms.
    private static let duration = 0.01

    /// - Returns: `nil` if the clip has no beats or no length.
    package init?(of clip: Stimulus, rate: Int) {
        guard let beats = clip.beats, let duration = clip.duration else { return nil }
        (self.beats, self.rate, length) = (beats, rate, duration.frames(at: rate))
        click = (0..<Int(Self.duration * Double(rate))).map { frame in
            let time = Double(frame) / Double(rate)
            return Float(0.5 * exp(-time / 0.002) * sin(2 * .pi * 2000 * time))
        }
    }

    /// Interleaved stereo of frames within the track.
    func samples(_ frames: Range<Int64>) -> [Float] {
        var samples = [Float](repeating: 0, count: frames.count * 2)
        let before = Int64(click.count)
        let span =
            Duration.frames(
                max(0, frames.lowerBound - before), at: rate)..<Duration.frames(
                frames.upperBound + 1, at: rate)
        for beat in beats.beats(in: span) {
            let start = beat.frames(at: rate)
            for (offset, value) in click.enumerated() where frames.contains(start + Int64(offset)) {
                let place = Int(start + Int64(offset) - frames.lowerBound) * 2
                samples[place] += value
                samples[place + 1] += value
            }
        }
        return samples
    }
}
