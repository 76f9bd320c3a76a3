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
        samples(
            frames, clicking: starts(in: max(0, frames.lowerBound - Int64(click.count))...frames.upperBound))
    }

    /// Interleaved stereo of frames of the output, while the tempo changes. A click itself stays as it is.
    ///
    /// - Parameters:
    ///   - course: which frame of the track is heard when, from `origin` on.
    ///   - loops: whether the track starts again at its end.
    func samples(
        _ frames: Range<Int64>, along course: TempoCourse, from origin: Int64, loops: Bool
    ) -> [Float] {
        let first = origin + Int64(course.position(at: max(0, frames.lowerBound - Int64(click.count))))
        let last = origin + Int64(course.position(at: frames.upperBound).rounded(.up))
        var clicking: [Int64] = []
        for round in (first / length)...(loops ? last / length : first / length) {
            let shift = round * length
            let part = max(0, first - shift)...min(length, max(0, last - shift))
            clicking += starts(in: part).filter { $0 < length }.map { start in
                course.time(of: start + shift - origin)
            }
        }
        return samples(frames, clicking: clicking)
    }

    /// The frames of the track at which clicks begin.
    private func starts(in frames: ClosedRange<Int64>) -> [Int64] {
        let span =
            Duration.frames(
                frames.lowerBound, at: rate)..<Duration.frames(frames.upperBound + 1, at: rate)
        return beats.beats(in: span).map { $0.frames(at: rate) }
    }

    private func samples(_ frames: Range<Int64>, clicking starts: [Int64]) -> [Float] {
        var samples = [Float](repeating: 0, count: frames.count * 2)
        for start in starts {
            for (offset, value) in click.enumerated() where frames.contains(start + Int64(offset)) {
                let place = Int(start + Int64(offset) - frames.lowerBound) * 2
                samples[place] += value
                samples[place + 1] += value
            }
        }
        return samples
    }
}
