package import StudyModel
import Synchronization

/// A player without sound. It keeps the time of every clip, by the length in its catalogue, and plays nothing.
package final class SilentPlayer: StimulusPlayer {
    private struct Voice {
        var sound: Sound
        var playback: Playback
        /// In nanoseconds.
        var course = TempoCourse()
    }

    private let voices = Mutex<[Int: Voice]>([:])

    package init() {}

    package var delay: Duration { .zero }
    package var name: String { "none" }

    package func begin<C: Clock>(on clock: C) where C.Instant == RunInstant {}

    package func place(
        _ sound: Sound, as voice: Int, at instant: RunInstant
    ) -> (playback: Playback, length: Duration?) {
        let length = sound.silentLength
        let playback = Playback(ordinal: sound.ordinal, onset: instant)
        voices.withLock {
            $0[voice] = Voice(sound: sound, playback: playback)
            $0[voice]?.playback.end = length.map { instant.advanced(by: $0) }
        }
        return (playback, length)
    }

    package func stop(_ voice: Int, at instant: RunInstant, fading fade: Duration) {
        voices.withLock { voices in
            guard let placed = voices[voice]?.playback else { return }
            voices[voice]?.playback.end = max(placed.onset, placed.end.map { min($0, instant) } ?? instant)
        }
    }

    package func change(
        _ voice: Int, tempo: Double, gain: Double, at instant: RunInstant
    ) -> (change: Playback.Change, length: Duration?)? {
        voices.withLock { voices in
            guard var held = voices[voice] else { return nil }
            let onset = held.playback.onset
            let time = max(onset.duration(to: instant).wholeNanoseconds, held.course.lastChange, 0)
            let instant = onset.advanced(by: .nanoseconds(time))
            guard held.playback.end.map({ instant < $0 }) != false else { return nil }
            let isFollowing = held.sound.settings.following?.changesTempo == true
            held.course.change(to: isFollowing ? tempo : 1, at: time)
            let length = held.sound.silentLength.map { length in
                Duration.nanoseconds(held.course.time(of: length.wholeNanoseconds))
            }
            held.playback.end = length.map { onset.advanced(by: $0) }
            voices[voice] = held
            let position = Duration.nanoseconds(Int64(held.course.position(at: time).rounded()))
            let change = Playback.Change(
                at: instant, position: held.sound.position + position, tempo: isFollowing ? tempo : 1,
                gain: gain)
            return (change, length)
        }
    }

    package func outcome(of voice: Int) -> Playback {
        guard var playback = voices.withLock({ $0.removeValue(forKey: voice)?.playback }) else {
            preconditionFailure("the outcome of a sound that was never placed")
        }
        playback.end = playback.end ?? playback.onset
        return playback
    }

    package func news() -> AsyncStream<PlayerNews> { AsyncStream { $0.finish() } }

    package func finish(at instant: RunInstant) async -> String? { nil }
}

extension Sound {
    /// How long it lasts, as far as is known without the file; `nil` if it loops or the catalogue does not say.
    package var silentLength: Duration? {
        guard !settings.loops, case .clip(let clip) = content, let length = clip.duration else { return nil }
        return max(length - position, .zero)
    }
}
