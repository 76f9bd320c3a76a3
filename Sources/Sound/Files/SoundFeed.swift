/// The frames of one sound at the output's rate, one after another.
///
/// Belongs to the thread that made it.
package final class SoundFeed {
    /// Where the frames come from.
    package enum Material: Sendable {
        /// A file, from a position on.
        case file(ClipFile, position: Duration, loops: Bool)
        /// Interleaved stereo at the output's rate.
        case samples([Float], loops: Bool)
        /// This many frames of silence.
        case silence(Int64)
        /// Clicks, from a position on.
        case clicks(ClickTrack, position: Duration, loops: Bool)
    }

    private let file: SoundFile?
    /// Whether the file differs from the one that was found before the run.
    private let isReplaced: Bool
    private let loops: Bool
    private var resampler: Resampler?
    /// Interleaved frames that were read but not yet returned.
    private var ready: [Float]
    private var next = 0
    private var hasEnded: Bool
    /// Frames of silence that are left.
    private var silence: Int64 = 0
    private var clicks: ClickTrack?
    /// The next frame of the clicks.
    private var frame: Int64 = 0
    /// The course of the tempo, if it changes.
    private let course: SharedCourse?
    private let stretcher: TempoStretcher?
    /// Frames of the output that were made along the course.
    private var made: Int64 = 0
    /// Frames along the course that were made, of which `taken` numbers were returned.
    private var stretched: [Float] = []
    private var taken = 0

    /// What a machine lacks on which the tempo of files cannot change.
    static let lack =
        "the study changes the tempo of clips, which needs \(SoundLibraries.stretching)"

    /// - Parameters:
    ///   - rate: the output's rate, frames per second.
    ///   - held: the file's descriptor, in case its path is gone.
    ///   - course: the tempo of a file or of clicks; `nil` if it stays as it is.
    package init(
        _ material: Material, rate: Int, held: Int32? = nil, along course: SharedCourse? = nil
    ) throws(SoundFailure) {
        self.course = course
        if course != nil, case .file = material {
            stretcher = TempoStretcher(rate: rate)
            guard stretcher != nil else { throw SoundFailure(Self.lack) }
        } else {
            stretcher = nil
        }
        switch material {
        case .samples(let samples, let loops):
            isReplaced = false
            (file, self.loops, resampler, ready) = (nil, loops, nil, samples)
            hasEnded = !loops || samples.isEmpty
        case .silence(let frames):
            isReplaced = false
            (file, loops, resampler, ready, hasEnded) = (nil, false, nil, [], frames == 0)
            silence = frames
        case .clicks(let track, let position, let loops):
            isReplaced = false
            (file, self.loops, resampler, ready) = (nil, loops, nil, [])
            (clicks, frame) = (track, position.frames(at: track.rate))
            if loops, track.length > 0 { frame %= track.length }
            hasEnded = frame >= track.length
        case .file(let clip, let position, let loops):
            let file = try SoundFile(reading: clip.path, held: held)
            isReplaced = file.differs(from: clip.identity)
            self.file = file
            self.loops = loops
            resampler = file.rate == rate ? nil : Resampler(from: file.rate, to: rate)
            ready = []
            hasEnded = false
            var start = position.frames(at: file.rate)
            if loops { start %= file.length }
            if start > 0 { file.seek(to: start) }
        }
    }

    /// Why not all of it can be read, if so.
    package var problem: String? {
        file.flatMap { $0.problem ?? (isReplaced ? "\($0.name) was replaced during the run" : nil) }
    }

    /// The next frames as interleaved stereo, at most `count`; fewer only at the end.
    package func read(_ count: Int) -> [Float] {
        guard let course else { return plain(count) }
        while stretched.count - taken < count * 2, course.end.map({ made < $0 }) != false {
            if taken > 0 {
                stretched.removeFirst(taken)
                taken = 0
            }
            let before = made
            stretched += render(along: course)
            if made == before { break }
        }
        let part = stretched[taken..<min(stretched.count, taken + count * 2)]
        taken += part.count
        return Array(part)
    }

    /// The next frames along the course, as far as its end.
    private func render(along course: SharedCourse) -> [Float] {
        var frames: [Float]
        if let stretcher {
            // A file that cannot be read to its end is over where it breaks off.
            guard !(hasEnded && next == ready.count && file?.problem != nil) else { return [] }
            frames = stretcher.next(along: course) { count in
                let some = plain(count)
                return some + Array(repeating: 0, count: count * 2 - some.count)
            }
        } else if let clicks {
            let span = made..<(made + 1024)
            frames = clicks.samples(span, along: course.render(span), from: frame, loops: loops)
        } else {
            frames = plain(1024)
            _ = course.render(made..<(made + Int64(frames.count / 2)))
        }
        if let end = course.end, made + Int64(frames.count / 2) > end {
            frames = Array(frames.prefix(Int(end - made) * 2))
        }
        made += Int64(frames.count / 2)
        return frames
    }

    /// The next frames at the tempo of the material itself.
    private func plain(_ count: Int) -> [Float] {
        var output: [Float] = []
        output.reserveCapacity(count * 2)
        while output.count < count * 2 {
            if next == ready.count {
                guard !hasEnded else { break }
                ready = more(Int64(min(count - output.count / 2, 4096)))
                next = 0
                continue
            }
            let part = min(count * 2 - output.count, ready.count - next)
            output += ready[next..<(next + part)]
            next += part
        }
        return output
    }

    /// - Parameter count: how many frames are wanted now.
    private func more(_ count: Int64) -> [Float] {
        if let clicks { return more(of: clicks, count) }
        guard let file else {
            if loops { return ready }
            let count = min(silence, count)
            silence -= count
            hasEnded = silence == 0
            return Array(repeating: 0, count: Int(count) * 2)
        }
        let whole = Int(count)
        var samples = file.read(whole)
        while loops, samples.count < whole * 2 {
            file.seek(to: 0)
            let again = file.read(whole - samples.count / 2)
            if again.isEmpty { break }
            samples += again
        }
        hasEnded = samples.count < whole * 2
        resampler?.put(samples, isLast: hasEnded)
        return resampler?.drain() ?? samples
    }

    private func more(of clicks: ClickTrack, _ count: Int64) -> [Float] {
        let end = min(clicks.length, frame + count)
        let samples = clicks.samples(frame..<end)
        frame = end
        if end == clicks.length {
            frame = 0
            hasEnded = !loops
        }
        return samples
    }
}

extension Duration {
    /// The same length in frames, rounded to the nearest.
    package func frames(at rate: Int) -> Int64 {
        let (seconds, attoseconds) = components
        return seconds * Int64(rate) + Int64((Double(attoseconds) * 1e-18 * Double(rate)).rounded())
    }

    /// The length of this many frames, to the nanosecond.
    package static func frames(_ count: Int64, at rate: Int) -> Duration {
        let (seconds, rest) = count.quotientAndRemainder(dividingBy: Int64(rate))
        return .seconds(seconds)
            + .nanoseconds(Int64((Double(rest) * 1e9 / Double(rate)).rounded()))
    }
}
