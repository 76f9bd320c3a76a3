import StudyModel

/// A stretch of a clip, from its beginning or a pause's end, without a sound device: its time is kept, and
/// nothing is heard.
struct Playback {
    let played: PlayedStimulus
    /// When the stretch begins.
    let begin: RunInstant
    /// The position in the clip at `begin`.
    let position: Duration
    /// Whether it has begun.
    var hasBegun = false

    /// When the clip is over by itself; `nil` where it goes on until stopped.
    var naturalEnd: RunInstant? {
        guard !played.loops, let length = played.drawn.stimulus.duration else { return nil }
        return begin.advanced(by: max(length - position, .zero))
    }

    /// What there is to say when the clip stops at `instant`; `nil` where it never began.
    func report(stoppedAt instant: RunInstant) -> PlaybackReport? {
        guard hasBegun, instant >= begin else { return nil }
        let end = naturalEnd.map { min($0, instant) } ?? instant
        return PlaybackReport(ordinal: played.ordinal, onset: begin, end: end)
    }
}
