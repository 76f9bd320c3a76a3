extension Playback {
    /// A change of the tempo or the level of a clip while it plays, as the player reports it.
    public struct Change: Hashable, Sendable {
        /// When the first sample is heard to which it applies.
        public var instant: RunInstant
        /// The output stream's frame of that sample; `nil` without an audio device.
        public var frame: Int64?
        /// What is heard of the clip then, as a position in its file; goes on growing where a clip starts again.
        public var position: Duration
        /// From here on, seconds of the clip in a second; 1 is the clip's own tempo. 0: nothing of it is heard, because the
        /// device stands still.
        public var tempo: Double
        /// The change of level that is reached `ramp` later, dB; besides that of the whole clip.
        public var gain: Double

        /// How long the level takes to change, in a straight line of decibels.
        package static let ramp = Duration.milliseconds(100)

        public init(
            at instant: RunInstant, frame: Int64? = nil, position: Duration, tempo: Double, gain: Double
        ) {
            (self.instant, self.frame, self.position) = (instant, frame, position)
            (self.tempo, self.gain) = (tempo, gain)
        }

        /// The position in the file at a later moment, if nothing changes until then.
        package func position(at instant: RunInstant) -> Duration {
            position + self.instant.duration(to: instant) * tempo
        }
    }
}

extension [Playback.Change] {
    /// The position in the file at a moment.
    ///
    /// - Parameters:
    ///   - onset: when the clip's sound was first heard, from the position `start`.
    package func position(at instant: RunInstant, onset: RunInstant, from start: Duration) -> Duration {
        last { $0.instant <= instant }?.position(at: instant) ?? start + onset.duration(to: instant)
    }
}

/// Which part of a clip is heard when, while its tempo changes; in frames, or in any other unit of time.
///
/// Both the clip and what is heard begin at 0.
package struct TempoCourse: Hashable, Sendable {
    private var changes = [Turn(time: 0, position: 0, tempo: 1)]

    private struct Turn: Hashable, Sendable {
        var time: Int64
        var position: Double
        var tempo: Double
    }

    package init() {}

    /// The tempo changes at a time, which is not before the last change.
    package mutating func change(to tempo: Double, at time: Int64) {
        changes.append(Turn(time: time, position: position(at: time), tempo: tempo))
    }

    /// The position in the clip at a time.
    package func position(at time: Int64) -> Double {
        let turn = changes.last { $0.time <= time } ?? changes[0]
        return turn.position + Double(time - turn.time) * turn.tempo
    }

    /// When a position is reached, rounded up.
    package func time(of position: Int64) -> Int64 {
        let turn = changes.last { $0.position <= Double(position) } ?? changes[0]
        return turn.time + Int64(((Double(position) - turn.position) / turn.tempo).rounded(.up))
    }

    /// The time of the last change; 0 without one.
    package var lastChange: Int64 { changes[changes.count - 1].time }
}
