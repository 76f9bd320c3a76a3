import StudyModel

/// A clip without a sound device: its time is kept, and nothing is heard.
struct Playback {
    let played: PlayedStimulus
    /// When this stretch of the clip begins.
    var begin: RunInstant
    /// The position in the clip at `begin`.
    var position: Duration
    /// When the clip's first stretch began, once it has.
    var onset: RunInstant?

    /// When the clip is over by itself; `nil` where it goes on until stopped.
    var naturalEnd: RunInstant? {
        guard !played.loops, let length = played.drawn.stimulus.duration else { return nil }
        return begin.advanced(by: max(length - position, .zero))
    }

    /// What there is to say when the clip stops at `instant`; `nil` where it never began.
    func report(stoppedAt instant: RunInstant) -> PlaybackReport? {
        guard let onset, instant >= onset else { return nil }
        let end = naturalEnd.map { min($0, instant) } ?? instant
        return PlaybackReport(ordinal: played.ordinal, onset: onset, end: max(end, onset))
    }
}
