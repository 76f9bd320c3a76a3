import StudyModel

/// A stretch of a clip, from its beginning or a pause's end.
struct Playback {
    let played: PlayedStimulus
    /// When the stretch was to begin.
    let begin: RunInstant
    /// The position in the clip at `begin`.
    let position: Duration
    /// Where the player placed it.
    let placement: Placement
    /// Whether the planned beginning has come.
    var hasBegun = false

    /// When the clip is over by itself, in planned time; `nil` where it goes on until stopped.
    var naturalEnd: RunInstant? { placement.length.map { begin.advanced(by: $0) } }

    /// What there is to say of the beginning.
    var report: PlaybackReport {
        PlaybackReport(
            ordinal: played.ordinal, onset: placement.onset, onsetFrame: placement.onsetFrame,
            sampleRate: placement.sampleRate, latency: placement.latency)
    }
}
