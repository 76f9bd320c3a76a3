import Glibc
package import SessionPorts
package import StudyModel
import Synchronization

/// Writes to a file exactly what would have been heard: the file's first frame is the run's first moment.
///
/// During the run it only notes what is played. It writes the file when the run is over, so the same run gives the same
/// bytes, whatever its clock does.
package final class FilePlayer: StimulusPlayer {
    private struct Entry {
        var sound: Sound
        var playback: Playback
        var envelope: Envelope
        /// The course of its tempo, if it may change.
        var course: SharedCourse?
        /// The frame from which it is silent in any case.
        var cut: Int64?
        /// The descriptor of the clip's file as it was then.
        var held: Int32?
        /// Whether it cannot be read.
        var isSilent = false
        /// Why it is not played as planned, if so.
        var problem: String?
    }

    private let sounds: Sounds
    private let path: String
    private let entries = Mutex<[Int: Entry]>([:])
    private let clips = HeldFiles()

    /// - Parameter path: the WAV file to write. It is created at once, so that a wrong path is noticed before the
    ///   run.
    package init(_ score: Score, writing path: String) throws(SoundFailure) {
        sounds = Sounds(score, rate: score.preferredRate)
        self.path = path
        var status = stat()
        // What a link leads to may be anybody's.
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            throw SoundFailure("'\(path)' is a link: name the file itself for the sound")
        }
        _ = try SoundFileWriter(writing: path, .exactWAV, rate: sounds.rate, channels: 2)
    }

    package var delay: Duration { .zero }
    package var name: String { "file" }

    package func begin<C: Clock>(on clock: C) where C.Instant == RunInstant {}

    package func place(
        _ sound: Sound, as voice: Int, at instant: RunInstant
    ) -> (playback: Playback, length: Duration?) {
        let start = max(0, frame(at: instant))
        let cut = sound.cut.map(frame)
        let envelope = sounds.envelope(of: sound, at: start, cut: cut)
        let material = sounds.material(of: sound)
        let held: Int32? = if case .file(let clip, _, _)? = material { clips.hold(clip.path) } else { nil }
        var playback = Playback(
            ordinal: sound.ordinal, onset: self.instant(of: start), onsetFrame: start,
            sampleRate: Double(sounds.rate))
        (playback.gain, playback.loweredBy) = sounds.reportedGain(of: sound)
        var entry = Entry(
            sound: sound, playback: playback, envelope: envelope, course: sounds.course(of: sound), cut: cut,
            held: held)
        do throws(SoundFailure) {
            if let material {
                let feed = try SoundFeed(material, rate: sounds.rate, held: held, along: entry.course)
                entry.problem = feed.problem
            }
        } catch {
            (entry.isSilent, entry.problem) = (true, error.description)
        }
        entries.withLock { $0[voice] = entry }
        return (playback, sounds.length(of: sound).map { .frames($0, at: sounds.rate) })
    }

    package func stop(_ voice: Int, at instant: RunInstant, fading fade: Duration) {
        let end = frame(at: instant)
        entries.withLock { entries in
            guard var entry = entries[voice] else { return }
            entry.envelope.cut(at: end, rendered: 0, softness: sounds.softness(of: fade))
            entry.cut = min(entry.cut ?? end, end)
            entries[voice] = entry
        }
    }

    package func change(
        _ voice: Int, tempo: Double, gain: Double, at instant: RunInstant
    ) -> (change: Playback.Change, length: Duration?)? {
        entries.withLock { entries in
            guard let entry = entries[voice] else { return nil }
            let onset = entry.envelope.start
            let turn = sounds.change(
                entry.sound, entry.course, from: onset, tempo: tempo, gain: gain,
                at: max(onset, frame(at: instant)), cut: entry.cut, instant: self.instant)
            guard let turn, let frame = turn.change.frame else { return nil }
            entries[voice]?.envelope.change(
                to: turn.change.gain, at: frame, within: frame == onset ? 0 : sounds.ramp)
            if let end = turn.end { entries[voice]?.envelope.end(at: end) }
            return (turn.change, turn.length)
        }
    }

    package func outcome(of voice: Int) -> Playback {
        guard let entry = entries.withLock({ $0[voice] }) else {
            preconditionFailure("the outcome of a sound that was never placed")
        }
        let end = entry.isSilent ? nil : entry.envelope.end
        let isRewritten = entry.held.map(clips.isRewritten) == true
        var playback = entry.playback
        playback.end = instant(of: end ?? entry.envelope.start)
        playback.underruns = 0
        playback.problem = entry.problem ?? (isRewritten ? "the clip's file was written to meanwhile" : nil)
        return playback
    }

    package func news() -> AsyncStream<PlayerNews> { AsyncStream { $0.finish() } }

    package func finish(at instant: RunInstant) async -> String? {
        do throws(SoundFailure) {
            return try write(until: frame(at: instant))
        } catch {
            return error.description
        }
    }

    /// - Returns: why only a part could be read, if so.
    private func write(until runEnd: Int64) throws(SoundFailure) -> String? {
        var problem: String?
        var waiting = entries.withLock { entries in
            entries.sorted { (-$0.value.envelope.start, $0.key) < (-$1.value.envelope.start, $1.key) }
        }
        for index in waiting.indices where waiting[index].value.envelope.end == nil {
            waiting[index].value.envelope.cut(at: runEnd, rendered: 0, softness: 0)
        }
        let end = waiting.reduce(runEnd) { max($0, $1.value.envelope.end ?? 0) }
        let writer = try SoundFileWriter(writing: path, .exactWAV, rate: sounds.rate, channels: 2)
        var mixer = Mixer()
        var feeds: [Int: SoundFeed] = [:]
        while mixer.frame < end {
            let count = min(4096, end - mixer.frame)
            while let next = waiting.last, next.value.envelope.start < mixer.frame + count {
                waiting.removeLast()
                problem = problem ?? next.value.problem
                guard !next.value.isSilent, let material = sounds.material(of: next.value.sound) else {
                    continue
                }
                do throws(SoundFailure) {
                    feeds[next.key] = try SoundFeed(
                        material, rate: sounds.rate, held: next.value.held, along: next.value.course)
                    mixer.add(next.key, next.value.envelope)
                } catch { problem = problem ?? error.description }
            }
            try writer.write(mixer.render(Int(count)) { feeds[$0]?.read($1) ?? [] })
            problem = problem ?? feeds.values.lazy.compactMap(\.problem).first
            for number in feeds.keys where mixer.voices[number] == nil { feeds[number] = nil }
        }
        return problem
    }

    private func frame(at instant: RunInstant) -> Int64 { instant.offset.frames(at: sounds.rate) }

    private func instant(of frame: Int64) -> RunInstant {
        RunInstant(offset: .frames(frame, at: sounds.rate))
    }
}
