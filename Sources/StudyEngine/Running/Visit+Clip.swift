import StudyModel

extension Visit {
    /// The clip of a visit: what was asked of the player, and what the player said.
    struct Clip: Sendable {
        let drawn: DrawnStimulus
        private let loops: Bool
        /// From which position of the file it is played.
        let first: Duration
        /// What the player said: one playback for each time that the clip began.
        private(set) var playbacks: [Playback] = []
        /// The position from which each of them played.
        private var origins: [Duration] = []
        /// How its tempo and level changed, in order.
        private var changes: [Playback.Change] = []
        /// When the player was last asked to begin; `nil` if it never was.
        private(set) var start: RunInstant?
        /// Whether the player was asked to play, was not asked to stop, and has not reached the clip's end.
        private(set) var isPlaying = false

        /// The position from which the player was last asked to begin.
        private var origin = Duration.zero
        /// When the player was last asked to stop.
        private var stop = RunInstant.start
        /// Whether it was heard to its end.
        private(set) var cameToItsEnd = false
        /// How many playbacks there were when the player was last asked to begin.
        private var earlierPlaybacks = 0

        init(_ drawn: DrawnStimulus, loops: Bool, from first: Duration) {
            self.drawn = drawn
            self.first = first
            self.loops = loops
        }

        /// Whether the player said that the clip began and has not said that it ended.
        var isSounding: Bool { playbacks.last.map { $0.end == nil } ?? false }

        /// When the clip was heard, pauses included.
        var playback: Playback? {
            guard var playback = playbacks.first, let last = playbacks.last else { return nil }
            playback.end = last.end
            let underruns = playbacks.compactMap(\.underruns)
            playback.underruns = underruns.isEmpty ? nil : underruns.reduce(0) { $0 &+ $1 }
            playback.problem = playbacks.lazy.compactMap(\.problem).first
            return playback
        }

        /// The player is asked to play at `instant`.
        ///
        /// - Returns: the position to play from; `nil` if the clip was heard to its end, so that nothing is asked.
        mutating func play(at instant: RunInstant) -> Duration? {
            guard let position = nextPosition else { return nil }
            origin = position
            start = instant
            earlierPlaybacks = playbacks.count
            isPlaying = true
            return position
        }

        /// The player is asked to stop at `instant`.
        mutating func stop(at instant: RunInstant) {
            isPlaying = false
            stop = instant
        }

        /// Takes in what the player says.
        mutating func take(_ playback: Playback) {
            let index = playbacks.firstIndex { $0.onset == playback.onset } ?? playbacks.count
            if index < playbacks.count {
                playbacks[index] = playback
            } else {
                playbacks.append(playback)
                origins.append(origin)
            }
            guard isPlaying, index >= earlierPlaybacks, playback.end != nil else { return }
            isPlaying = false
            cameToItsEnd = true
        }

        /// Where it would go on after it was stopped, as planned; `nil` if it came to its end.
        var plannedPosition: Duration? {
            guard !cameToItsEnd, let start else { return nil }
            return changes.filter { $0.instant >= start }.position(
                at: max(start, stop), onset: start, from: origin)
        }

        /// Takes in how the player changed its tempo or level.
        mutating func take(_ change: Playback.Change) { changes.append(change) }

        /// How it began each time, and how its tempo and level changed from then on; empty if they never did.
        ///
        /// Leaves out changes that were never heard: those planned for after the clip's end, and those that the player
        /// corrected before their frame was heard, because the device stood still.
        var course: [Playback.Change] {
            let changes = self.changes.enumerated().filter { place, change in
                let isReplaced =
                    change.tempo > 0 && change.frame != nil
                    && self.changes.dropFirst(place + 1).contains { $0.frame == change.frame && $0.tempo > 0 }
                guard !isReplaced, let playing = playbacks.last(where: { $0.onset <= change.instant }) else {
                    return false
                }
                return playing.end.map { change.instant < $0 } ?? true
            }.map(\.element)
            guard !changes.isEmpty else { return [] }
            let begins = zip(playbacks, origins).map { playback, origin in
                Playback.Change(
                    at: playback.onset, frame: playback.onsetFrame, position: origin, tempo: 1, gain: 0)
            }
            return (begins + changes).enumerated().sorted {
                ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
            }.map(\.element)
        }

        /// Where to go on: where the player measured it, or, if the player did not say, where it was planned.
        private var nextPosition: Duration? {
            guard start != nil else { return first }
            guard !cameToItsEnd else { return nil }
            var position = plannedPosition ?? origin
            if earlierPlaybacks < playbacks.count, let playback = playbacks.last, let end = playback.end {
                position = changes.filter { $0.instant >= playback.onset }.position(
                    at: max(playback.onset, end), onset: playback.onset, from: origin)
            }
            guard let length = drawn.stimulus.duration, length >= .milliseconds(1), position >= length else {
                return position
            }
            return loops ? position - length * Int(position / length) : nil
        }
    }
}
