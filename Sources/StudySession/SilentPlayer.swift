package import StudyModel
import Synchronization

/// A player without sound. It keeps the time of every clip, by the length in its catalogue, and plays nothing.
package final class SilentPlayer: StimulusPlayer {
    private let voices = Mutex<[Int: Playback]>([:])

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
            $0[voice] = playback
            $0[voice]?.end = length.map { instant.advanced(by: $0) }
        }
        return (playback, length)
    }

    package func stop(_ voice: Int, at instant: RunInstant) {
        voices.withLock { voices in
            guard let placed = voices[voice] else { return }
            voices[voice]?.end = max(placed.onset, placed.end.map { min($0, instant) } ?? instant)
        }
    }

    package func outcome(of voice: Int) -> Playback {
        guard var playback = voices.withLock({ $0.removeValue(forKey: voice) }) else {
            preconditionFailure("the outcome of a sound that was never placed")
        }
        playback.end = playback.end ?? playback.onset
        return playback
    }

    package func losses() -> AsyncStream<String> { AsyncStream { $0.finish() } }

    package func finish(at instant: RunInstant) async -> String? { nil }
}

extension Sound {
    /// How long it lasts, as far as is known without the file; `nil` if it loops or the catalogue does not say.
    package var silentLength: Duration? {
        guard !settings.loops, case .clip(let clip) = content, let length = clip.duration else { return nil }
        return max(length - position, .zero)
    }
}
