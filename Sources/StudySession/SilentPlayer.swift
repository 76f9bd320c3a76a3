package import StudyModel
import Synchronization

/// No sound at all: the time of every clip is kept, as its catalogue tells it, and nothing is heard.
package final class SilentPlayer: StimulusPlayer {
    private struct Voice {
        var onset: RunInstant
        var end: RunInstant?
    }

    private let voices = Mutex<[Int: Voice]>([:])
    private let count = Mutex(0)

    package init() {}

    package var delay: Duration { .zero }
    package var name: String { "none" }

    package func begin<C: Clock>(on clock: C) where C.Instant == RunInstant {}

    package func place(_ sound: Sound, at instant: RunInstant) -> Placement {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let length = sound.silentLength
        voices.withLock {
            $0[number] = Voice(onset: instant, end: length.map { instant.advanced(by: $0) })
        }
        return Placement(voice: number, onset: instant, length: length)
    }

    package func stop(_ voice: Int, at instant: RunInstant) {
        voices.withLock { voices in
            guard let placed = voices[voice] else { return }
            voices[voice]?.end = max(placed.onset, placed.end.map { min($0, instant) } ?? instant)
        }
    }

    package func outcome(of voice: Int) -> PlaybackOutcome {
        let placed = voices.withLock { $0.removeValue(forKey: voice) }
        guard let end = placed?.end ?? placed?.onset else {
            preconditionFailure("the outcome of a sound that was never placed")
        }
        return PlaybackOutcome(end: end)
    }

    package func losses() -> AsyncStream<String> { AsyncStream { $0.finish() } }

    package func finish(at instant: RunInstant) async -> String? { nil }
}

extension Sound {
    /// How long it lasts as far as is known without the file; `nil` where it loops or the catalogue is silent.
    package var silentLength: Duration? {
        guard !loops, case .clip(let clip) = content, let length = clip.duration else { return nil }
        return max(length - position, .zero)
    }
}
